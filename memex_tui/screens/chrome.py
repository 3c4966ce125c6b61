"""The frame around every area: tabs above, breadcrumbs, keys below, and the menu of next keys."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, ClassVar

from textual import events
from textual.geometry import Region
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from memex_tui.areas import AREAS
from memex_tui.keys import shown
from memex_tui.render.line import Line, Run, fit_line, line_width, paint, spread
from memex_tui.render.text import cut, printable, width
from memex_tui.widgets.palette import Palette

if TYPE_CHECKING:
    from memex_tui.commands import Command


class LineBar(Widget):
    """Rows of runs, drawn when they change, with places to click. Subclasses fill ``lines``."""

    NAMES: ClassVar[str] = "name key text muted faint current good warn bad accent"
    COMPONENT_CLASSES: ClassVar[set[str]] = {f"bar--{name}" for name in NAMES.split()}
    DEFAULT_CSS = """
    LineBar {
        height: 1;
        color: $foreground;
        & > .bar--name { color: $foreground 70%; }
        & > .bar--key { color: $text-primary; text-style: bold; }
        & > .bar--text { color: $foreground 85%; }
        & > .bar--muted { color: $foreground 60%; }
        & > .bar--faint { color: $foreground 32%; }
        & > .bar--current { color: $text-primary; background: $primary 22%; text-style: bold; }
        & > .bar--good { color: $text-success; }
        & > .bar--warn { color: $text-warning; }
        & > .bar--bad { color: $text-error; }
        & > .bar--accent { color: $text-accent; }
        &:nocolor > .bar--current { text-style: bold reverse; }
    }
    """

    class Chosen(Message):
        """A place of the bar was clicked; ``value`` is what stands there."""

        def __init__(self, bar: LineBar, value: str) -> None:
            super().__init__()
            self.bar = bar
            self.value = value

        @property
        def control(self) -> LineBar:
            return self.bar

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self._palette = Palette(self)
        self._strips: list[Strip] = []
        self._drawn: list[tuple[Run, ...]] | None = None  # None: all is to be drawn
        self._hits: list[tuple[int, int, int, str]] = []

    def lines(self, cells: int) -> Sequence[Line]:
        """The bar's rows at a width. Call :meth:`hit` for what can be clicked."""
        return []

    def hit(self, x0: int, x1: int, value: str, y: int = 0) -> None:
        """The cells from ``x0`` up to ``x1`` of row ``y`` stand for ``value``."""
        self._hits.append((y, x0, x1, value))

    def update(self) -> None:
        """Draw again if what is shown changed."""
        cells = self.size.width
        if not cells:
            return
        self._hits = []
        lines = [fit_line(line, cells) for line in self.lines(cells)]
        drawn = [tuple(line) for line in lines]
        old, strips = self._drawn, self._strips
        if old is None or len(drawn) != len(old):
            self._strips = [paint(line, self._palette) for line in lines]
            self.refresh()
        else:
            for y, line in enumerate(drawn):
                if line != old[y]:
                    strips[y] = paint(line, self._palette)
                    self.refresh(Region(0, y, cells, 1))
        self._drawn = drawn

    def on_resize(self) -> None:
        self._drawn = None
        self.update()

    def notify_style_update(self) -> None:
        super().notify_style_update()
        self._palette.clear()
        self._drawn = None
        if self.is_attached:
            self.call_later(self.update)

    def render_line(self, y: int) -> Strip:
        if y < len(self._strips):
            return self._strips[y]
        return Strip.blank(self.size.width, self.rich_style)

    def value_at(self, x: int, y: int) -> str | None:
        """What can be clicked at a cell of the bar."""
        for row, x0, x1, value in self._hits:
            if row == y and x0 <= x < x1:
                return value
        return None

    def _pointed_at(self, event: events.MouseEvent) -> str | None:
        """What can be clicked under the pointer; a frame around the bar does not count."""
        at = event.get_content_offset(self)
        return self.value_at(at.x, at.y) if at is not None else None

    def on_click(self, event: events.Click) -> None:
        value = self._pointed_at(event)
        if value is not None and event.button == 1:
            event.stop()
            self.post_message(self.Chosen(self, value))

    def on_mouse_move(self, event: events.MouseMove) -> None:
        self.styles.pointer = "default" if self._pointed_at(event) is None else "pointer"


COUNTERS = 15  # cells that are kept for the counters


class TabBar(LineBar):
    """The areas with their numbers, and the live counters at the right."""

    def __init__(self, area: str) -> None:
        super().__init__(id="tabs")
        self._area = area
        self._counters: Line = []
        self._short: Line = []

    def show(self, counters: Line, short: Line) -> None:
        """Other counters; ``short`` where there is little room."""
        self._counters, self._short = counters, short
        self.update()

    def lines(self, cells: int) -> Sequence[Line]:
        names, wide = self._names(cells)
        line: Line = []
        x = 0
        before = ""
        for number, (area, name) in enumerate(zip(AREAS, names, strict=True), 1):
            style = "bar--current" if area.id == self._area else "bar--name"
            key = "bar--current" if area.id == self._area else "bar--key"
            text = f" {name} " if wide else name
            self.hit(x, x + 1 + len(str(number)) + len(text), area.id)
            blank = "bar--current" if "bar--current" in (style, before) and not wide else style
            line += [(" ", (blank,)), (str(number), (key,)), (text, (style,))]
            x += 1 + len(str(number)) + len(text)
            before = style
        room = cells - x - 3
        right = self._counters if line_width(self._counters) <= room else self._short
        return [spread(line, [*right, (" ", ())], cells)]

    @staticmethod
    def _names(cells: int) -> tuple[Sequence[str], bool]:
        """The areas' names that there is room for, and whether there is for blanks too. It is the width alone
        that decides, so that a tab stays where it is when another is chosen or a counter grows."""
        titles, short = [area.title for area in AREAS], [area.short for area in AREAS]
        room = cells - COUNTERS - 2 * len(AREAS)
        if sum(map(len, titles)) + 2 * len(AREAS) <= room:
            return titles, True
        for names in (titles, short):
            if sum(map(len, names)) <= room:
                return names, False
        return [name[: max(room // len(AREAS), 1)] for name in short], False


class Crumbs(LineBar):
    """Where you are and how you came here; at the right what the area has to say about it."""

    def __init__(self) -> None:
        super().__init__(id="crumbs")
        self._trail: Sequence[str] = ()
        self._left: Line | None = None
        self._right: Line = []

    def show(self, trail: Sequence[str], right: Line, left: Line | None = None) -> None:
        """``trail`` are the titles of the last places, the present one last; ``left`` replaces them."""
        self._trail, self._right, self._left = trail, right, left
        self.update()

    def lines(self, cells: int) -> Sequence[Line]:
        right: Line = [*self._right, (" ", ())]
        if self._left is not None:
            return [spread([(" ", ()), *self._left], right, cells)]
        room = max(cells - line_width(right) - 5, 12)
        line: Line = []
        *before, here = self._trail or ("",)
        here = cut(printable(here), room)
        room -= width(here)
        for left, title in enumerate(before[::-1], 1 - len(before)):
            title = cut(printable(title), 28)
            more = "… › " if left else ""  # where older places do not fit
            if width(title) + 3 + width(more) > room:
                line[:0] = [("… › ", ("bar--faint",))] if room >= 4 else []
                break
            room -= width(title) + 3
            line[:0] = [(title, ("bar--muted",)), (" › ", ("bar--faint",))]
        sign = "← " if len(before) else ""
        runs: Line = [(" ", ()), (sign, ("bar--key",)), *line, (here, ("bar--text",))]
        if sign:
            self.hit(0, 3, "go.back")
        return [spread(runs, right, cells)]


Entry = tuple[str, str, str]  # keys as shown, word, command id


class KeyBar(LineBar):
    """The few keys that are valid now; the ones at the end stay when there is little room."""

    def __init__(self) -> None:
        super().__init__(id="keys")
        self._entries: Sequence[Entry] = ()
        self._always: Sequence[Entry] = ()

    def show(self, entries: Sequence[Entry], always: Sequence[Entry]) -> None:
        """The entries in order of use, and those that are always there."""
        if (entries, always) != (self._entries, self._always):
            self._entries, self._always = entries, always
            self.update()

    def lines(self, cells: int) -> Sequence[Line]:
        def size(entry: Entry) -> int:
            return width(entry[0]) + width(entry[1]) + 3

        room = cells - 1 - sum(map(size, self._always))
        kept: list[Entry] = []
        for entry in self._entries:
            room -= size(entry)
            if room < 0:
                break
            kept.append(entry)
        line: Line = [(" ", ())]
        x = 1
        for entry in [*kept, *self._always]:
            keys, word, id = entry
            self.hit(x, x + size(entry) - 2, id)
            line += [(keys, ("bar--key",)), (f" {word}  ", ("bar--muted",))]
            x += size(entry)
        return [line]


class KeyMenu(LineBar):
    """The keys that may come next in a sequence, each with what it does."""

    ROWS = 8

    def __init__(self) -> None:
        super().__init__(id="key-menu")
        self._title = ""
        self._entries: list[tuple[str, str, str]] = []
        self.display = False

    def open(
        self,
        typed: Sequence[str],
        following: Sequence[tuple[str, Command | None]],
        group: Callable[[str], str],
    ) -> None:
        """Show what may follow ``typed``; ``group`` names the keys after which yet more follow."""
        self._title = shown(" ".join(typed))
        self._entries = [
            (shown(key), f"{command.title}" if command else f"{group(key)} …", key)
            for key, command in following
        ]
        self.display = True
        self._fit()

    def close(self) -> None:
        """Put it away."""
        self.display = False

    def _columns(self, cells: int) -> int:
        return max(min(cells // 30, 4), 1)

    def _fit(self) -> None:
        cells = self.size.width or self.app.size.width
        rows = -(-len(self._entries) // self._columns(cells))
        self.styles.height = min(rows, self.ROWS * 2) + 1
        self._drawn = None
        self.update()

    def on_resize(self) -> None:
        self._drawn = None
        self._fit()

    def lines(self, cells: int) -> Sequence[Line]:
        columns = self._columns(cells)
        each = cells // columns
        rows = -(-len(self._entries) // columns)
        rule = f"── {self._title} " + "─" * cells
        lines: list[Line] = [[(rule[:cells], ("bar--faint",))]]
        for row in range(rows):
            line: Line = []
            for column in range(columns):
                at = column * rows + row
                if at >= len(self._entries):
                    continue
                keys, title, key = self._entries[at]
                cell = fit_line([("  ", ()), (keys, ("bar--key",)), (f"  {title}", ("bar--text",))], each)
                self.hit(column * each, (column + 1) * each, key, row + 1)
                line += cell
            lines.append(line)
        return lines
