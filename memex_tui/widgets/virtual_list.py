"""A list of any length: rows are asked for and drawn only while they are in sight.

Moving the cursor repaints the two rows it leaves and enters, nothing else: over a slow line that
is the difference between following the key and lagging behind it.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Collection, Sequence
from typing import Any, ClassVar, Generic, TypeVar

from textual import events
from textual.binding import Binding
from textual.geometry import Region, Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from memex_tui.render.line import Line, Run, fit_line, paint
from memex_tui.render.text import printable
from memex_tui.widgets.list_styles import COMPONENTS, CSS
from memex_tui.widgets.palette import Palette
from memex_tui.widgets.rows import RowProvider, RowState, SequenceRows
from memex_tui.widgets.scrolling import set_content_size

T = TypeVar("T")
Draw = Callable[[T, int, RowState], Sequence[Line]]  # row, cells, state -> its lines

GUTTER = 2  # cells before each row: mark sign and cursor bar
KEPT = 600  # finished rows in memory
MARGIN = 24  # rows fetched beyond those in sight


class VirtualList(ScrollView, Generic[T], can_focus=True):
    """Rows of one height (1 to 3 lines), one of them under the cursor.

    ``draw`` turns a row into lines of runs; it styles them with the ``row--…`` classes, or with
    classes that a subclass adds to ``COMPONENT_CLASSES``. The cursor is a bar along the row and a
    background under its first line; only that line may look different under the cursor.
    """

    COMPONENT_CLASSES = COMPONENTS
    DEFAULT_CSS = CSS
    BINDINGS: ClassVar = [Binding("enter", "select", "Open", show=False)]

    class RowMessage(Message):
        """Something about one row. ``row`` is None while it is not loaded."""

        def __init__(self, view: VirtualList[Any], index: int, key: str, row: Any) -> None:
            super().__init__()
            self.view = view
            self.index = index
            self.key = key
            self.row = row

        @property
        def control(self) -> VirtualList[Any]:
            return self.view

    class Highlighted(RowMessage):
        """The cursor is on another row (or the row under it is another one)."""

    class Selected(RowMessage):
        """A row was chosen with Enter or a double click."""

    def __init__(
        self,
        draw: Draw[T],
        *,
        row_height: int = 1,
        empty: str = "Nothing here",
        jump: int = 1,
        name: str | None = None,
        id: str | None = None,
        classes: str | None = None,
    ) -> None:
        """``empty`` is shown when there are no rows; ``jump`` is how many rows the list scrolls when
        the cursor leaves the window (more is cheaper on a slow line)."""
        super().__init__(name=name, id=id, classes=classes)
        self._draw = draw
        self._row_height = max(1, min(row_height, 3))
        self._empty = empty
        self._jump = max(jump, 1)
        self._provider: RowProvider[T] = SequenceRows([])
        self._count = 0
        self._cursor = 0
        self._key = ""
        self._marked: set[str] = set()
        self._palette = Palette(self)
        self._strips: OrderedDict[tuple[int, RowState], list[Strip]] = OrderedDict()
        self._fetched: tuple[int, Sequence[T | None]] = (0, ())

    # -- rows -------------------------------------------------------------------------------

    def set_rows(
        self, rows: RowProvider[T] | Sequence[T], key: Callable[[T], str] = str, *, top: bool = False
    ) -> None:
        """Show other rows, or the same ones changed. The cursor stays on the row it is on, by its
        key, and that row stays at its place on the screen; without it the cursor keeps its place.
        With ``top`` it goes to the first row."""
        if top:
            self._key, self._cursor = "", 0
        provider: RowProvider[T] = SequenceRows(rows, key) if isinstance(rows, Sequence) else rows
        on_screen = self._cursor * self._row_height - round(self.scroll_y)
        self._provider = provider
        self._count = provider.count()
        self._forget()
        found = provider.index_of(self._key) if self._key else None
        before = self._key
        index = min(self._cursor, max(self._count - 1, 0)) if found is None else found
        self._cursor = index
        self._key = self._key_at(index)
        self._resize_content()
        if found is None and not before:
            self._scroll(0)
        elif 0 <= on_screen < self.size.height:
            self._scroll(index * self._row_height - on_screen)
        self._reveal()
        self.refresh()
        if self._key != before:
            self._post(self.Highlighted)

    def rows_changed(self) -> None:
        """The provider's rows are other ones now; ask it again."""
        self.set_rows(self._provider)

    def rows_loaded(self, start: int, stop: int) -> None:
        """Rows ``start`` to ``stop`` can be had now; those in sight are drawn again."""
        self._fetched = (0, ())
        for key in [key for key in self._strips if start <= key[0] < stop]:
            del self._strips[key]
        if start <= self._cursor < stop and not self._key:
            self._key = self._key_at(self._cursor)
            self._post(self.Highlighted)
        self.refresh(self._region(start, stop))

    def clear(self) -> None:
        """Show no rows and forget the selection."""
        self._key = ""
        self._cursor = 0
        self._marked.clear()
        self.set_rows([])

    @property
    def row_height(self) -> int:
        """Lines of a row."""
        return self._row_height

    def set_row_height(self, lines: int) -> None:
        """Give rows another height (1 to 3 lines); the cursor stays in sight."""
        if lines != self._row_height:
            self._row_height = max(1, min(lines, 3))
            self._strips.clear()
            self._resize_content()
            self._reveal()
            self.refresh()

    @property
    def count(self) -> int:
        """Number of rows."""
        return self._count

    @property
    def cursor(self) -> int:
        """Index of the row under the cursor; 0 when there are none."""
        return self._cursor

    @property
    def key(self) -> str:
        """Key of the row under the cursor, empty when there is none."""
        return self._key

    @property
    def row(self) -> T | None:
        """The row under the cursor."""
        return self._item(self._cursor)

    def set_empty(self, text: str) -> None:
        """What is said when there are no rows."""
        self._empty = text
        if not self._count:
            self.refresh()

    def _item(self, index: int) -> T | None:
        if not 0 <= index < self._count:
            return None
        start, items = self._fetched
        if not start <= index < start + len(items):
            start = max(index - MARGIN, 0)
            stop = min(index + MARGIN + self.size.height // self._row_height + 1, self._count)
            items = self._provider.rows(start, stop)
            self._fetched = (start, items)
        return items[index - start] if index - start < len(items) else None

    def _key_at(self, index: int) -> str:
        item = self._item(index)
        return "" if item is None else self._provider.key(item)

    def _forget(self) -> None:
        self._strips.clear()
        self._fetched = (0, ())

    def _post(self, kind: type[RowMessage]) -> None:
        if self._count:
            self.post_message(kind(self, self._cursor, self._key, self._item(self._cursor)))

    # -- cursor -----------------------------------------------------------------------------

    def move_to(self, index: int) -> None:
        """Put the cursor on row ``index`` (clamped) and bring it into sight."""
        if not self._count:
            return
        index = max(0, min(index, self._count - 1))
        old = self._cursor
        if index == old:
            self._reveal()
            return
        self._cursor = index
        self._key = self._key_at(index)
        if not self._reveal():
            self.refresh(*self._cursor_regions(old), *self._cursor_regions(index))
        self._post(self.Highlighted)

    def move_to_key(self, key: str) -> bool:
        """Put the cursor on the row with ``key``; False when there is none."""
        index = self._provider.index_of(key)
        if index is None:
            return False
        self.move_to(index)
        return True

    def move(self, rows: int) -> None:
        """Move the cursor by rows."""
        self.move_to(self._cursor + rows)

    def move_pages(self, pages: float) -> None:
        """Move the cursor by windows; half a window is 0.5."""
        rows = max(self.size.height // self._row_height - 1, 1)
        self.move(round(rows * pages) or (1 if pages > 0 else -1))

    def toggle_marks(self, keys: Collection[str]) -> None:
        """Mark the rows with these keys, or take their marks away when all of them have one."""
        self._marked = self._marked - set(keys) if self._marked.issuperset(keys) else {*self._marked, *keys}
        self.refresh()

    @property
    def marked(self) -> frozenset[str]:
        """Keys of the marked rows."""
        return frozenset(self._marked)

    def clear_marks(self) -> None:
        """Take all marks away."""
        if self._marked:
            self._marked.clear()
            self.refresh()

    def action_select(self) -> None:
        self._post(self.Selected)

    def action_scroll_up(self) -> None:
        self.move(-1)

    def action_scroll_down(self) -> None:
        self.move(1)

    def action_page_up(self) -> None:
        self.move_pages(-1)

    def action_page_down(self) -> None:
        self.move_pages(1)

    def action_scroll_home(self) -> None:
        self.move_to(0)

    def action_scroll_end(self) -> None:
        self.move_to(self._count - 1)

    def index_at(self, y: int) -> int | None:
        """The row under line ``y`` of the widget's content; None outside."""
        if not 0 <= y < self.size.height:
            return None
        index = (round(self.scroll_y) + y) // self._row_height
        return index if index < self._count else None

    def on_click(self, event: events.Click) -> None:
        offset = event.get_content_offset(self)
        index = self.index_at(offset.y) if offset is not None else None
        if index is None or event.button != 1:
            return
        event.stop()
        self.move_to(index)
        if event.chain >= 2:
            self._post(self.Selected)

    # -- drawing ----------------------------------------------------------------------------

    def _region(self, start: int, stop: int) -> Region:
        """The window's part that shows rows ``start`` to ``stop``."""
        top = start * self._row_height - round(self.scroll_y)
        width = self.scrollable_content_region.width
        region = Region(0, top, width, (stop - start) * self._row_height)
        return region.intersection(self.size.region)

    def _cursor_regions(self, index: int) -> list[Region]:
        """What of a row changes with the cursor: its first line, and the bar before the others."""
        row = self._region(index, index + 1)
        first = Region(0, index * self._row_height - round(self.scroll_y), row.width, 1)
        regions = [first.intersection(row), Region(1, row.y, 1, row.height)]
        return [region for region in regions if region]

    def _resize_content(self) -> None:
        size = Size(self.scrollable_content_region.width, self._count * self._row_height)
        set_content_size(self, size)

    def _scroll(self, y: int) -> bool:
        limit = max(self._count * self._row_height - self.size.height, 0)
        y = max(0, min(y, limit))
        if y == round(self.scroll_y):
            return False
        self.scroll_to(y=y, animate=False, force=True)
        return True

    def _reveal(self) -> bool:
        """Scroll as far as needed to show the cursor; whether the window moved."""
        height = self.size.height
        if not height:
            return False
        top = self._cursor * self._row_height
        y = round(self.scroll_y)
        step = (self._jump - 1) * self._row_height
        if top < y:
            return self._scroll(top - step)
        if top + self._row_height > y + height:
            return self._scroll(top + self._row_height - height + step)
        return False

    def on_resize(self, event: events.Resize) -> None:
        self._strips.clear()
        self._resize_content()
        self._reveal()

    def notify_style_update(self) -> None:
        super().notify_style_update()
        self._palette.clear()
        self._strips.clear()

    def render_line(self, y: int) -> Strip:
        """One line of the window."""
        index, line = divmod(round(self.scroll_y) + y, self._row_height)
        width = self.scrollable_content_region.width
        if index >= self._count:
            text = f"  {printable(self._empty)}" if not self._count and y == 0 else ""
            return paint(fit_line([(text, ("row--empty",))], width), self._palette)
        return self._row_strips(index, width)[line]

    def _row_strips(self, index: int, width: int) -> list[Strip]:
        item = self._item(index)
        marked = bool(self._marked) and item is not None and self._provider.key(item) in self._marked
        state = RowState(index == self._cursor, marked)
        found = self._strips.get((index, state))
        if found is not None:
            self._strips.move_to_end((index, state))
            return found
        cells = max(width - GUTTER - 1, 1)
        lines: Sequence[Line] = (
            [[("…", ("row--pending",))]] if item is None else self._draw(item, cells, state)
        )
        strips = []
        for number in range(self._row_height):
            line = lines[number] if number < len(lines) else []
            runs = [*self._signs(state, number), *fit_line(line, cells), (" ", ())]
            base = ("row--cursor",) if state.cursor and number == 0 else ()
            strips.append(paint(fit_line(runs, width), self._palette, base))
        self._strips[index, state] = strips
        if len(self._strips) > KEPT:
            self._strips.popitem(last=False)
        return strips

    @staticmethod
    def _signs(state: RowState, number: int) -> list[Run]:
        mark = "✓" if state.marked and number == 0 else " "
        return [(mark, ("row--mark",)), ("▌" if state.cursor else " ", ("row--bar",))]
