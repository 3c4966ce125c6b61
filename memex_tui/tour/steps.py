"""The steps of the tour and how far a person is. Nothing here draws or knows the app."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

SHORTEST = 3  # letters that count as a query


class Seen(NamedTuple):
    """What the tour looks at: the area in front, its query, its page, whether that is being edited."""

    area: str
    query: str = ""
    path: str = ""
    editing: bool = False


class Part(NamedTuple):
    """Something to do. ``hint`` names keys as ``{command id}``; ``done`` gets what was seen when its step
    began, and what is seen now."""

    hint: str
    done: Callable[[Seen, Seen], bool]


class Step(NamedTuple):
    title: str
    parts: tuple[Part, ...]


def _asked(before: Seen, now: Seen) -> bool:
    return now.area == "search" and len(now.query.strip()) >= SHORTEST and now.query != before.query


def _opened(before: Seen, now: Seen) -> bool:
    return now.area == "page" and bool(now.path) and (before.area, before.path) != (now.area, now.path)


def _followed(before: Seen, now: Seen) -> bool:
    return now.area == "page" and bool(now.path) and now.path != before.path


STEPS = (
    Step(
        "Ask for something",
        (Part("Type “linter”, or type:procedure, or a question in your own words.", _asked),),
    ),
    Step(
        "Open a hit",
        (
            Part(
                "{search.to-results} goes to the list, {search.open} opens; alt+w shows what proves it.",
                _opened,
            ),
        ),
    ),
    Step(
        "Follow a link, then edit",
        (
            Part("{page.hints} puts letters on the links; type one to follow it.", _followed),
            Part(
                "{page.edit} edits, [[ completes names, {page.save} saves, {page.read} goes back to reading.",
                lambda _, now: now.area == "page" and now.editing,
            ),
        ),
    ),
    Step(
        "See the neighbourhood",
        (
            Part(
                "{page.read} leaves the editor, {item.graph} draws the links; arrows walk along them.",
                lambda _, now: now.area == "graph",
            ),
        ),
    ),
    Step(
        "See what is broken",
        (
            Part(
                "{go.health} checks everything; a number mends a finding, {app.undo} takes it back.",
                lambda _, now: now.area == "health",
            ),
        ),
    ),
)
FAREWELL = Step(
    "That was the tour",
    (Part("{app.palette} lists every command, {app.help} the keys here.", lambda *_: False),),
)


class Tour:
    """How far a person is. ``state`` is what :meth:`state` gave before; empty: never begun."""

    def __init__(self, state: Mapping[str, Any]) -> None:
        step = state.get("step")
        self.at = min(max(step, 0), len(STEPS)) if isinstance(step, int) and not isinstance(step, bool) else 0
        self.running = state.get("running") is True and self.at < len(STEPS)
        self.finished = state.get("finished") is True
        self.part = 1 if state.get("part") == 1 and len(self.step.parts) > 1 else 0
        self._before: Seen | None = None

    @property
    def step(self) -> Step:
        """The step to do now; the farewell after the last."""
        return STEPS[self.at] if self.at < len(STEPS) else FAREWELL

    @property
    def hint(self) -> str:
        """What to do now, with command ids for keys."""
        return self.step.parts[self.part].hint

    def state(self) -> dict[str, Any]:
        """What to keep."""
        return {"step": self.at, "part": self.part, "running": self.running, "finished": self.finished}

    def offer(self) -> None:
        """Begin, or go on, unless it was finished or ended before."""
        self.running = self.running or not self.finished

    def begin(self) -> None:
        """Begin with the first step, also once more."""
        self.at = self.part = 0
        self.running, self.finished, self._before = True, False, None

    def look(self, now: Seen) -> bool:
        """Take notice of what is in front; whether that got the tour on."""
        if not self.running:
            return False
        if self._before is None:
            self._before = now
        if self.at == len(STEPS) or not self.step.parts[self.part].done(self._before, now):
            return False
        if self.part + 1 < len(self.step.parts):
            self.part += 1
        else:
            self._next(now)
        return True

    def skip(self) -> None:
        """On to the next step; after the last, the end."""
        if self.at == len(STEPS):
            self.end()
        else:
            self._next(self._before)

    def end(self) -> None:
        """Put it away for good."""
        self.running, self.finished = False, True

    def _next(self, now: Seen | None) -> None:
        self.at, self.part, self._before = self.at + 1, 0, now
        self.finished = self.at == len(STEPS)
