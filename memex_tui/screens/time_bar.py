"""A bar of moments, the oldest at the left and now at the right; keys, clicks and dragging move along it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from textual import events
from textual.message import Message

from memex_tui.render.line import Line
from memex_tui.render.text import cut, printable
from memex_tui.render.text import width as cells_of
from memex_tui.screens.chrome import LineBar

OLDER, NEWER = "older", "newer"

_ACTS = {
    "": "as it was before",
    "add": "written",
    "update": "edited",
    "hand": "edited outside",
    "rename": "renamed",
    "remove": "deleted",
    "restore": "restored",
    "status": "marked",
    "approve": "approved",
    "merge": "merged",
}


def act_of(action: str) -> str:
    """What a journal's action is called."""
    return _ACTS.get(action, action)


def place_of(number: int, count: int, width: int) -> int:
    """The cell of a moment on a track of ``width`` cells."""
    return round(number * (width - 1) / (count - 1)) if count > 1 else width - 1


def moment_at(cell: int, count: int, width: int) -> int:
    """The moment nearest to a cell of the track."""
    if count < 2 or width < 2:
        return max(count - 1, 0)
    return min(max(round(cell * (count - 1) / (width - 1)), 0), count - 1)


def other_day(days: Sequence[str], number: int, step: int) -> int:
    """The last moment of the day before, or the first of the day after; the end where there is none."""
    at = number
    while 0 <= at < len(days) and days[at] == days[number]:
        at += step
    return min(max(at, 0), len(days) - 1)


def track(days: Sequence[str], at: int, width: int) -> Line:
    """The bar itself: what lies behind is strong, a day's beginning a notch."""
    count, here = len(days), place_of(at, len(days), width)
    notches = {place_of(n, count, width) for n, (a, b) in enumerate(pairwise(days), 1) if a != b}
    if len(notches) > width // 3:
        notches = set()
    past = "".join("┿" if cell in notches else "━" for cell in range(here))
    rest = "".join("┼" if cell in notches else "─" for cell in range(here + 1, width))
    return [(past, ("bar--accent",)), ("●", ("bar--key",)), (rest, ("bar--faint",))]


class TimeBar(LineBar):
    """The moments are given by their times; below the track stands what is said of the one chosen."""

    DEFAULT_CSS = "TimeBar { height: 2; }"

    class Moved(Message):
        """Another moment is wanted, by its number."""

        def __init__(self, bar: TimeBar, number: int) -> None:
            super().__init__()
            self.bar = bar
            self.number = number

        @property
        def control(self) -> TimeBar:
            return self.bar

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._days: list[str] = []
        self._at = 0
        self._note: Line = []
        self._track = (0, 0)  # its first cell and its width
        self._dragged = False

    @property
    def at(self) -> int:
        """The moment that is chosen."""
        return self._at

    @property
    def count(self) -> int:
        """How many moments there are."""
        return len(self._days)

    def set_moments(self, stamps: Sequence[str]) -> None:
        """The times, oldest first; empty for "before all that is known". The last one is chosen."""
        self._days = [stamp[:10] for stamp in stamps]
        self._at = max(len(stamps) - 1, 0)
        self.update()

    def show(self, at: int, note: Line) -> None:
        """Choose a moment, and say what it is."""
        self._at, self._note = at, note
        self.update()

    def step(self, by: int) -> None:
        """Ask for the moment so many further on."""
        self._ask(self._at + by)

    def step_day(self, by: int) -> None:
        """Ask for the day before (-1) or after (1)."""
        if self._days:
            self._ask(other_day(self._days, self._at, by))

    def to_end(self, last: bool) -> None:
        """Ask for now, or for the first moment."""
        self._ask(len(self._days) - 1 if last else 0)

    def _ask(self, number: int) -> None:
        number = min(max(number, 0), len(self._days) - 1)
        if number >= 0 and number != self._at:
            self.post_message(self.Moved(self, number))

    def lines(self, cells: int) -> Sequence[Line]:
        if not self._days:
            return [[], []]
        first = next((day for day in self._days if day), "")
        left = f" ◂ {first or 'before'} "
        right = " now ▸ "
        width = max(cells - cells_of(left) - cells_of(right), 3)
        self._track = (cells_of(left), width)
        self.hit(0, cells_of(left), OLDER)
        self.hit(cells_of(left) + width, cells, NEWER)
        for cell in range(width):
            self.hit(
                cells_of(left) + cell, cells_of(left) + cell + 1, str(moment_at(cell, len(self._days), width))
            )
        bar: Line = [(left, ("bar--muted",)), *track(self._days, self._at, width)]
        now = self._at == len(self._days) - 1
        bar.append((right, ("bar--key",) if now else ("bar--muted",)))
        return [bar, [(" ", ()), *self._note]]

    # -- the pointer ------------------------------------------------------------------------

    def on_line_bar_chosen(self, event: LineBar.Chosen) -> None:
        event.stop()
        if event.value in (OLDER, NEWER):
            self.step(-1 if event.value == OLDER else 1)
        else:
            self._ask(int(event.value))

    def on_mouse_down(self, event: events.MouseDown) -> None:
        self._dragged = event.button == 1 and event.y == 0
        if self._dragged:
            self.capture_mouse()

    def on_mouse_up(self, event: events.MouseUp) -> None:
        self._dragged = False
        self.release_mouse()

    def on_mouse_move(self, event: events.MouseMove) -> None:
        if self._dragged and event.button == 1:
            start, width = self._track
            self._ask(moment_at(event.x - start, len(self._days), width))


def said(number: int, count: int, when: str, what: str, who: str, room: int = 200) -> Line:
    """What stands below the track: which moment, when, what was done, by whom."""
    parts = [f"{number + 1:,} of {count:,}", f"{when[:10]} {when[11:16]}".strip(), what, who]
    text = " · ".join(printable(part) for part in parts if part)
    return [(cut(text, room), ("bar--text",))]
