"""The scrolling and drawing half of the page reader: a window over the rows of a document.

Nothing here waits: opening a page of a megabyte finds its blocks and lays out one screen.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from rich.style import Style
from textual import events
from textual.geometry import Region, Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from memex_tui.render.line import Line, line_width, paint
from memex_tui.render.markdown.document import Document
from memex_tui.render.markdown.model import Heading, Hooks, Property, Row
from memex_tui.render.text import fit
from memex_tui.widgets.markdown_styles import COMPONENTS, CSS
from memex_tui.widgets.palette import Palette
from memex_tui.widgets.scrolling import move_bar, set_content_size


class Mark(NamedTuple):
    """A sign in the gutter beside a source line, with the component class it is drawn in."""

    sign: str
    name: str = "md--gutter"


class PageScroll(ScrollView, can_focus=True):
    """Shows the rows of a page; its owner moves the window by methods."""

    class Moved(Message):
        """Another row is at the top of the window."""

        def __init__(self, view: PageScroll) -> None:
            super().__init__()
            self.view = view

        @property
        def control(self) -> PageScroll:
            return self.view

    DEFAULT_CSS = CSS
    COMPONENT_CLASSES = COMPONENTS

    def __init__(
        self,
        *,
        gutter: int = 0,
        max_cells: int = 100,
        name: str | None = None,
        id: str | None = None,
        classes: str | None = None,
    ) -> None:
        """``gutter`` is the room in cells for marks at the left; no line is longer than ``max_cells``."""
        super().__init__(name=name, id=id, classes=classes)
        self._gutter = gutter
        self._max_cells = max_cells
        self._marks: Mapping[int, Mark] = {}
        self._palette = Palette(self)
        self._document = Document("", 80)
        self._strips: dict[int, Strip] = {}
        self._drawn: dict[int, Strip] = {}  # what each line of the window shows
        self._comparing = False
        self._told_top = 0

    # -- the page ---------------------------------------------------------------------------

    @property
    def document(self) -> Document:
        """The page as rows; read it, do not change it."""
        return self._document

    def set_page(
        self,
        text: str,
        *,
        first_line: int = 1,
        properties: Sequence[Property] = (),
        hooks: Hooks | None = None,
        line: int = 0,
    ) -> None:
        """Show another page from its top, or from source line ``line``.

        ``text`` is the body without front matter, ``first_line`` the line it begins at in the file.
        """
        cells = self._text_cells()
        self._document = Document(text, cells, first_line=first_line, properties=properties, hooks=hooks)
        self._page_changed()
        self._settle(self._document.y_of_line(line) if line else 0)

    def replace_page(
        self, text: str, *, first_line: int | None = None, properties: Sequence[Property] | None = None
    ) -> None:
        """Show a newer version of the same page; the line at the top stays where it is."""
        line, inside = self._anchor()
        moved = self._document.replace(text, first_line=first_line, properties=properties)
        self._page_changed()
        self._settle(self._document.y_of_line(moved(line)) + inside)

    def relink(self) -> None:
        """Ask the hooks again: pages were made, renamed or loaded."""
        line, inside = self._anchor()
        self._document.relink()
        self._settle(self._document.y_of_line(line) + inside)

    def set_marks(self, marks: Mapping[int, Mark]) -> None:
        """Put signs beside source lines (needs ``gutter``)."""
        self._marks = marks
        self._repaint()

    # -- moving -----------------------------------------------------------------------------

    @property
    def top_line(self) -> int:
        """The source line at the top of the window."""
        return self._document.line_at(round(self.scroll_y))

    def scroll_rows(self, rows: int) -> None:
        """Move the window down (or up) by rows."""
        self._settle(round(self.scroll_y) + rows)

    def scroll_pages(self, pages: float) -> None:
        """Move the window by pages; half a page is 0.5. One row stays in sight."""
        rows = max(self.size.height - 1, 1) if abs(pages) >= 1 else self.size.height
        self.scroll_rows(round(rows * pages))

    def scroll_top(self) -> None:
        """Go to the first row."""
        self._settle(0)

    def scroll_bottom(self) -> None:
        """Go to the last row."""
        self._settle(self._document.height)

    def action_scroll_up(self) -> None:
        self.scroll_rows(-1)

    def action_scroll_down(self) -> None:
        self.scroll_rows(1)

    def action_page_up(self) -> None:
        self.scroll_pages(-1)

    def action_page_down(self) -> None:
        self.scroll_pages(1)

    def action_scroll_home(self) -> None:
        self.scroll_top()

    def action_scroll_end(self) -> None:
        self.scroll_bottom()

    def scroll_to_line(self, line: int, *, above: int = 0) -> None:
        """Put source line ``line`` at the top, with ``above`` rows over it."""
        self._settle(self._document.y_of_line(line) - above)

    def reveal_line(self, line: int) -> None:
        """Scroll only if source line ``line`` is out of sight; then it comes to a third from the top."""
        y = self._document.y_of_line(line)
        if not self.scroll_y <= y < self.scroll_y + self.size.height:
            self._settle(y - self.size.height // 3)

    @property
    def headings(self) -> list[Heading]:
        """The page's outline."""
        return self._document.headings

    def scroll_to_heading(self, heading: str | Heading) -> bool:
        """Go to a heading by its anchor or title (case ignored); False when there is none."""
        if isinstance(heading, Heading):
            self.scroll_to_line(heading.line)
            return True
        wanted = heading.strip().casefold()
        for found in self._document.headings:
            if wanted in (found.anchor, found.title.strip().casefold()):
                self.scroll_to_line(found.line)
                return True
        return False

    def scroll_to_block(self, block: str) -> bool:
        """Go to the block marked ``^block``; False when there is none."""
        pattern = re.compile(rf"(?:^|\s)\^{re.escape(block)}\s*$", re.IGNORECASE)
        for index, text in enumerate(self._document.lines):
            if "^" in text and pattern.search(text):
                self.scroll_to_line(self._document.first_line + index)
                return True
        return False

    def _page_changed(self) -> None:
        """Called when the text of the page is another one."""

    # -- drawing ----------------------------------------------------------------------------

    def _text_cells(self) -> int:
        width = self.scrollable_content_region.width or 80
        # One cell stays free, so that words do not touch the scrollbar.
        return max(min(width - self._gutter - 1, self._max_cells), 1)

    def _anchor(self) -> tuple[int, int]:
        """The source line at the top of the window, and how many of its rows are above the top."""
        y = round(self.scroll_y)
        line = self._document.line_at(y)
        return line, max(y - self._document.y_of_line(line), 0) if y else 0

    def _settle(self, y: int) -> None:
        """Move the window's top to row ``y`` and lay out what it shows."""
        self._strips.clear()
        rows = max(self.scrollable_content_region.height, 1)
        document = self._document
        y = document.prepare(max(min(y, document.height - rows), 0), rows)
        size = Size(self.scrollable_content_region.width, document.height)
        set_content_size(self, size)
        self.set_reactive(ScrollView.scroll_y, float(y))
        self.set_reactive(ScrollView.scroll_target_y, float(y))
        if self.show_vertical_scrollbar:
            move_bar(self.vertical_scrollbar, document.height, rows, y)
        self._look_again()
        if y != self._told_top:
            self._told_top = y
            self.post_message(self.Moved(self))

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        # The scrollbar, the wheel and the compositor come here; our own moves do not.
        if round(old_value) != round(new_value):
            self._settle(round(new_value))

    def on_resize(self, event: events.Resize) -> None:
        cells = self._text_cells()
        if cells != self._document.cells:
            line, inside = self._anchor()
            self._document.resize(cells)
            self._settle(self._document.y_of_line(line) + inside)
        else:
            self._settle(round(self.scroll_y))

    def notify_style_update(self) -> None:
        super().notify_style_update()
        self._palette.clear()
        self._strips.clear()

    def _repaint(self) -> None:
        self._strips.clear()
        self._look_again()

    def _look_again(self) -> None:
        """Once all is done that changes the window, paint the lines that look otherwise than before: a whole
        window is six thousand bytes, which over a slow line is seen."""
        if not self._comparing:
            self._comparing = self.call_later(self._compare)

    def _compare(self) -> None:
        self._comparing = False
        width, height = self.scrollable_content_region.size
        changed = [y for y in range(height) if self._drawn.get(y) != self._line(y)]
        if changed or not height:  # nothing is known of a window that is not in sight
            self.refresh(*(Region(0, y, width, 1) for y in changed))

    def _refresh_rows(self, y: int, count: int) -> None:
        for row in range(y, y + count):
            self._strips.pop(row, None)
        width = self.scrollable_content_region.width
        self.refresh(Region(0, y - round(self.scroll_y), width, count))

    def render_line(self, y: int) -> Strip:
        """One line of the window."""
        strip = self._drawn[y] = self._line(y)
        return strip

    def _line(self, y: int) -> Strip:
        row = round(self.scroll_y) + y
        strip = self._strips.get(row)
        if strip is None:
            strip = self._strips[row] = self._strip(row)
        return strip

    def _strip(self, y: int) -> Strip:
        width = self.scrollable_content_region.width
        row = self._document.row(y)
        if row is None:
            return Strip([], 0).adjust_cell_length(width, self._palette(()))
        line = self._decorated(y, row)
        missing = width - line_width(line)
        edge = self._gutter + self._document.cells
        if row.fill and missing > 0:
            fill = min(max(edge - line_width(line), 0), missing)
            line.append((" " * fill, row.fill))
            missing -= fill
        if missing > 0:
            line.append((" " * missing, ()))
        strip = paint(line, self._palette)
        strip = strip.adjust_cell_length(width, self._palette(()))
        return self._selected(strip, y).apply_offsets(0, y)

    def _sign(self, row: Row) -> tuple[str, tuple[str, ...]]:
        for line in range(row.line, row.last + 1):
            mark = self._marks.get(line)
            if mark is not None and row.runs:
                return fit(mark.sign, self._gutter), (mark.name,)
        return " " * self._gutter, ()

    def _selected(self, strip: Strip, y: int) -> Strip:
        selection = self.text_selection
        span = selection.get_span(y) if selection is not None else None
        if span is None:
            return strip
        start, end = span
        text = strip.text
        x0 = line_width([(text[:start], ())])
        x1 = strip.cell_length if end == -1 else line_width([(text[:end], ())])
        style: Style = self.selection_style
        before, inside, after = strip.crop(0, x0), strip.crop(x0, x1), strip.crop(x1, strip.cell_length)
        return Strip.join([before, _restyled(inside, style), after])

    def _decorated(self, y: int, row: Row) -> Line:
        """The runs of a row as they are drawn, its gutter included."""
        return [self._sign(row), *row.runs] if self._gutter else list(row.runs)


def _restyled(strip: Strip, style: Style) -> Strip:
    segments = [segment._replace(style=(segment.style or Style()) + style) for segment in strip]
    return Strip(segments, strip.cell_length)
