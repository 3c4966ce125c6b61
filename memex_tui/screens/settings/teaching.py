"""Settings of models and jobs on the screen: loads what is told of them, tries a model, tries a job again."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from memex_core.files.layout import Layout
from memex_core.learn.job_state import path_of
from memex_core.model.errors import MemexError
from memex_tui.render.text import counted
from memex_tui.screens.settings import learning
from memex_tui.screens.settings.presenter import Setting
from memex_tui.screens.settings.trying import GateTrying

LOOK_EVERY = 2.0  # seconds between two looks at what other processes did to the jobs

Told = tuple[Mapping[str, Any], Mapping[str, Any]]


class Teaching(GateTrying):
    """The part of the Settings screen that knows models and jobs."""

    def __init__(self) -> None:
        super().__init__()
        self._models: Mapping[str, Any] | None = None
        self._jobs: Mapping[str, Any] | None = None
        self._learnt: list[tuple[int, int]] = []  # of the files that models and jobs were read from

    def on_mount(self) -> None:
        self.set_interval(LOOK_EVERY, self.look_at_learning)

    @property
    def teaches(self) -> bool:
        """Whether models or jobs are in sight."""
        return False

    def look_at_learning(self) -> None:
        """Read models and jobs again when another process wrote what they come from."""

        def then(now: list[tuple[int, int]]) -> None:
            if now != self._learnt and self.teaches:
                self.ask_learning()

        if self.is_current and self.teaches:
            self.ask("learnt", lambda memex: _written(memex.store.layout), then, lambda _: None)

    def ask_learning(self) -> None:
        """Read what is in force, and what waits."""

        def then(answer: tuple[list[tuple[int, int]], Told]) -> None:
            first = self._models is None
            self._learnt, (self._models, self._jobs) = answer
            self.show_settings()
            if first:  # what came stands above the settings
                self.settings.move_to(0)
                self.show_settings()

        self.ask(
            "learning",
            lambda memex: (
                _written(memex.store.layout),
                (memex.models_show(), memex.jobs_list(limit=200)),
            ),
            then,
            self.settings_failed,
        )

    def learning_rows(self, section: str) -> list[Setting]:
        """What is known of models or jobs."""
        return learning.models(self._models) if section == learning.MODELS else learning.jobs(self._jobs)

    def try_model(self) -> None:
        """One call of the model; what it says, or why it cannot be asked."""
        app = self.memex_app
        app.toast("The model is asked …")

        def told(result: Mapping[str, Any]) -> None:
            app.toast(learning.tested(result), severity="information" if result.get("ok") else "warning")
            self.ask_learning()

        def failed(error: MemexError) -> None:
            app.report(error)
            self.ask_learning()

        self.ask("model", lambda memex: memex.models_test(), told, failed, lane="care")

    def try_job(self, row: Setting) -> None:
        """Let a failed or held job be tried again."""
        id = row.id.partition(".")[2]

        def done(result: Mapping[str, Any]) -> None:
            count = len(result["retried"])
            text = f"{counted(count, 'job')} may be tried again" if count else "Nothing to try again"
            self.memex_app.toast(text, hint="memex consolidate does it now")
            self.ask_learning()

        self.write(lambda memex: memex.jobs_retry(id), done)


def _written(layout: Layout) -> list[tuple[int, int]]:
    """Time and size of the files that tell of models and jobs."""
    found = []
    for path in (layout.journal, path_of(layout), layout.config):
        try:
            at = os.stat(path)
        except OSError:
            found.append((0, 0))
        else:
            found.append((at.st_mtime_ns, at.st_size))
    return found
