"""The Health area's pop-up: another name for a page, with the links that will follow it."""

from __future__ import annotations

from typing import Any

from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widgets import Input, Static

from memex_core.model.errors import MemexError
from memex_core.model.results import RenameResult
from memex_tui.render.text import content, printable
from memex_tui.screens.overlays.base import Overlay

SHOWN = 6  # links listed


class NameCard(Overlay):
    """Enter renames the page; while typing it says what that would touch."""

    def __init__(self, path: str, title: str, renamed: Any) -> None:
        """``renamed`` is called with the RenameResult."""
        super().__init__()
        self._path = path
        self._title = title
        self._renamed = renamed

    def compose(self) -> ComposeResult:
        with Vertical(classes="card") as card:
            yield Input(self._title, placeholder="New title", compact=True)
            yield Static("", id="renames", markup=False)
        card.border_title = content(f"rename {self._path}")
        card.border_subtitle = "⏎ rename · esc close"

    def on_mount(self) -> None:
        self.query_one(Input).focus()

    @property
    def _typed(self) -> str:
        return " ".join(self.query_one(Input).value.split())

    def on_input_changed(self, event: Input.Changed) -> None:
        event.stop()
        path, title = self._path, self._typed
        if not title or title == self._title:
            self._say("Type another title; the file is called after it.")
            return
        self.ask("rename", lambda memex: memex.rename(path, title, dry_run=True), self._plan, self._refused)

    def _plan(self, plan: RenameResult) -> None:
        links = plan["rewritten"]
        lines = [f"→ {plan['path']}", _follow(len(links))]
        lines += [f"  {one['path']}:{one['line']}  {one['before']} → {one['after']}" for one in links[:SHOWN]]
        lines += [f"  and {len(links) - SHOWN} more"] if len(links) > SHOWN else []
        self._say("\n".join(printable(line) for line in lines))

    def _refused(self, error: MemexError) -> None:
        self._say(f"! {error}")

    def _say(self, text: str) -> None:
        self.query_one("#renames", Static).update(text)

    def on_key(self, event: events.Key) -> None:
        if event.key == "enter":
            event.stop()
            event.prevent_default()
            self.run_worker(self._rename(), exit_on_error=False)

    async def _rename(self) -> None:
        path, title = self._path, self._typed
        if not title or title == self._title:
            return
        try:
            done = await self.memex_app.gateway.write(lambda memex: memex.rename(path, title))
        except MemexError as error:
            self._refused(error)
            return
        self.close()
        with self.memex_app.guarded():
            self._renamed(done)


def _follow(count: int) -> str:
    if not count:
        return "no link leads to it"
    return "1 link will follow" if count == 1 else f"{count:,} links will follow"
