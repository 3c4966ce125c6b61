"""The calendar of a month, and the field for one line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import ClassVar

from textual import events
from textual.widgets import Input

from memex_tui.render.line import Line
from memex_tui.render.text import width
from memex_tui.screens.chrome import LineBar
from memex_tui.screens.diary import presenter

CELL, WIDE_CELL = 3, 4  # two digits, the sign of what there is, and room where there is some
LEGEND = "• entry  · other"
LOOKS = {"•": "entry", "·": "other", " ": "faint"}
EARLIER, LATER = "earlier", "later"  # what the arrows beside the month stand for


class Calendar(LineBar, can_focus=True):
    """The month of the day in view. A click on a day goes there."""

    NAMES = "name muted faint current entry other today rest"
    COMPONENT_CLASSES: ClassVar[set[str]] = {f"bar--{name}" for name in NAMES.split()}

    def __init__(self) -> None:
        super().__init__(id="calendar", classes="pane")
        self.border_title = "calendar"
        self._day = self._today = date.min
        self._counts: Mapping[str, Mapping[str, int]] = {}
        self._facts: Sequence[str] = ()

    def show(
        self, day: date, today: date, counts: Mapping[str, Mapping[str, int]], facts: Sequence[str]
    ) -> None:
        """``counts`` say what there is of each day (``YYYY-MM-DD``); ``facts`` are told below."""
        self._day, self._today, self._counts, self._facts = day, today, counts, facts
        self.update()

    def lines(self, cells: int) -> Sequence[Line]:
        if self._day == date.min:
            return []
        cell = WIDE_CELL if cells >= 7 * WIDE_CELL else CELL
        left = max((cells - 7 * cell) // 2, 0)
        lines: list[Line] = [self._head(left, 7 * cell), self._weekdays(left, cell)]
        for week in presenter.weeks(self._day):
            lines.append(self._week(week, left, cell, len(lines)))
        lines += [[]] * (8 - len(lines))
        margin = " " * left
        lines += [[], *([(margin + fact, ("bar--muted",))] for fact in self._facts)]
        return [*lines, [], [(margin + LEGEND, ("bar--faint",))]]

    def _head(self, left: int, room: int) -> Line:
        name = presenter.month_name(self._day)
        middle = name + " " * (room - 5 - width(name))
        self.hit(left, left + 2, EARLIER)
        self.hit(left + room - 3, left + room, LATER)
        return [(" " * left + "‹ ", ("bar--muted",)), (middle, ("bar--name",)), (" › ", ("bar--muted",))]

    def _weekdays(self, left: int, cell: int) -> Line:
        names = "".join(name[:2].ljust(cell) for name in presenter.WEEKDAYS)
        return [(" " * left + names, ("bar--faint",))]

    def _week(self, week: Sequence[date], left: int, cell: int, y: int) -> Line:
        line: Line = [(" " * left, ())]
        for i, day in enumerate(week):
            if day.month != self._day.month:
                line.append((f"{day.day:>2}".ljust(cell), ("bar--rest",)))
            else:
                sign = presenter.sign(self._counts.get(day.isoformat()))
                look = "today" if day == self._today else LOOKS[sign]
                names = (f"bar--{look}", *(("bar--current",) if day == self._day else ()))
                line += [(f"{day.day:>2}", names), (sign.ljust(cell - 2), ("bar--entry",))]
            self.hit(left + i * cell, left + (i + 1) * cell, day.isoformat(), y)
        return line


class Capture(Input):
    """One line for today."""

    def __init__(self) -> None:
        super().__init__(placeholder="What happened? Enter keeps it", id="capture", compact=True)
        self.cursor_blink = False  # a blinking cursor writes to the terminal for ever

    def _on_paste(self, event: events.Paste) -> None:
        """Lines that are pasted become one: an Input by itself keeps the first and drops the others."""
        event.prevent_default()
        event.stop()
        lines = (line.strip() for line in event.text.splitlines())
        self.replace(" ".join(line for line in lines if line), *sorted(self.selection))
