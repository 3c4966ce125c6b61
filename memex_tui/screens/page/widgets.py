"""The smaller widgets of the Page area: lists beside the page, and lines above and below it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from memex_tui.render.line import Line, line_width, spread
from memex_tui.render.text import cut, fit, printable, width
from memex_tui.screens.chrome import LineBar
from memex_tui.screens.page.presenter import LinkEntry, OutlineRow, context_line
from memex_tui.widgets.rows import RowState


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


class NoteBar(LineBar):
    """One line that may be there: a notice above the page, or a hint below it.

    Its keys can be clicked: they are commands.
    """

    NAMES = "text muted faint key accent warn bad good"
    COMPONENT_CLASSES = frozenset(f"bar--{name}" for name in NAMES.split())

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self.display = False
        self._left: Callable[[int], Line] = lambda _: []
        self._keys: Sequence[tuple[str, str, str]] = ()

    def show(
        self, left: Line | Callable[[int], Line] | None, keys: Sequence[tuple[str, str, str]] = ()
    ) -> None:
        """A line (or one made for a width), and keys: as shown, word, command id. None: nothing."""
        if left is None:
            self.display = False
            return
        self._left = left if callable(left) else lambda _: left
        self._keys = keys
        self.display = True
        self._drawn = None
        self.update()

    def lines(self, cells: int) -> Sequence[Line]:
        right: Line = []
        size = sum(width(key) + width(word) + 3 for key, word, _ in self._keys)
        x = cells - size
        for key, word, id in self._keys:
            right += [(key, ("bar--key",)), (f" {word}  ", ("bar--muted",))]
            self.hit(x, x + width(key) + width(word) + 1, id)
            x += width(key) + width(word) + 3
        room = max(cells - line_width(right) - 3, 10)
        return [spread([(" ", ()), *self._left(room)], right, cells)]


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
