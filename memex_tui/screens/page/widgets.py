"""The smaller widgets of the Page area: lists beside the page, and lines above and below it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from textual import events

from memex_tui.render.line import Line, spread
from memex_tui.render.text import cut, fit, printable, width
from memex_tui.screens.chrome import LineBar
from memex_tui.screens.page.presenter import LinkEntry, OutlineRow, context_line
from memex_tui.widgets.rows import RowState
from memex_tui.widgets.virtual_list import VirtualList

Row = TypeVar("Row")


def draw_heading(row: OutlineRow, cells: int, state: RowState) -> Sequence[Line]:
    """A row of the outline."""
    names = ("row--title",) if row.depth == 0 else ("row--text",) if row.depth == 1 else ("row--muted",)
    indent = "  " * min(row.depth, 6)
    return [[(indent, ()), (cut(row.title, cells - len(indent)), names)]]


def draw_link(row: LinkEntry, cells: int, state: RowState) -> Sequence[Line]:
    """A page that leads here: its title, below it the line it says so in."""
    linked = row.kind == "link"
    note = row.rel or (f"×{row.times}" if row.times > 1 else "")
    right: Line = [(printable(note), ("row--faint",))] if note else []
    left: Line = [
        ("" if linked else "◌ ", ("row--accent",)),
        (row.title, ("row--title",) if linked else ("row--text",)),
    ]
    return [spread(left, right, cells), [("  ", ()), *context_line(row, cells - 2)]]


class GoList(VirtualList[Row]):
    """A list whose rows are places: one click goes there."""

    def on_click(self, event: events.Click) -> None:
        offset = event.get_content_offset(self)
        index = self.index_at(offset.y) if offset is not None else None
        if index is not None and event.button == 1:
            event.stop()
            event.prevent_default()
            self.move_to(index)
            self.action_select()


class AboutBar(LineBar):
    """What is known of the page, a line each."""

    NAMES = "label text warn"
    COMPONENT_CLASSES = frozenset(f"bar--{name}" for name in NAMES.split())
    KEY_CELLS = 8

    def __init__(self) -> None:
        super().__init__(id="about", classes="pane")
        self.border_title = "about"
        self._rows: Sequence[tuple[str, str]] = ()
        self._problems: Sequence[str] = ()

    def show(self, rows: Sequence[tuple[str, str]], problems: Sequence[str] = ()) -> None:
        """Labels with values, and what is wrong with the page."""
        self._rows, self._problems = rows, problems[:2]
        self.styles.height = len(rows) + len(self._problems) + 2
        self.update()

    def lines(self, cells: int) -> Sequence[Line]:
        lines: list[Line] = []
        for key, value in self._rows:
            room = cells - self.KEY_CELLS - 2
            text = cut(printable(value), room, keep="tail" if key == "file" else "head")
            lines.append([(" ", ()), (fit(key, self.KEY_CELLS), ("bar--label",)), (text, ("bar--text",))])
        for problem in self._problems:
            lines.append([(cut(f" ! {printable(problem)}", cells), ("bar--warn",))])
        return lines


class BackStrip(LineBar):
    """Where there is no room beside the page: who links here, in one line."""

    NAMES = "label link muted faint"
    COMPONENT_CLASSES = frozenset(f"bar--{name}" for name in NAMES.split())

    def __init__(self) -> None:
        super().__init__(id="back-strip")
        self._entries: Sequence[LinkEntry] = ()

    def show(self, entries: Sequence[LinkEntry]) -> None:
        """The pages that lead here."""
        self._entries = entries
        self.update()

    def lines(self, cells: int) -> Sequence[Line]:
        links = [entry for entry in self._entries if entry.kind == "link"]
        mentions = len(self._entries) - len(links)
        tail = f"  ◌ {mentions} unlinked" if mentions else ""
        line: Line = [(" back ", ("bar--label",))]
        if not links:
            line.append(("nothing links here", ("bar--faint",)))
        x = 6
        room = cells - 6 - width(tail) - 6
        for number, entry in enumerate(links):
            title = cut(entry.title, 26)
            size = width(title) + (3 if number else 0)
            if size > room:
                line.append((f" +{len(links) - number}", ("bar--muted",)))
                break
            if number:
                line.append((" · ", ("bar--faint",)))
                x += 3
            line.append((title, ("bar--link",)))
            self.hit(x, x + width(title), entry.path)
            x += width(title)
            room -= size
        return [spread(line, [(tail, ("bar--muted",)), (" ", ())], cells)]
