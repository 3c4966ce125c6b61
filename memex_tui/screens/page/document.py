"""The text under the editor: lines that end only where a file's lines end, wrapped once.

Textual's own document also breaks lines at form feeds and Unicode separators, which would not come
back as they were, and its wrapping sums up all lines for each row that is drawn.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import accumulate
from typing import Any

from textual._wrap import compute_wrap_offsets
from textual.document._document import Document, EditResult, Location
from textual.document._wrapped_document import WrappedDocument
from textual.expand_tabs import get_tab_widths
from textual.geometry import Size

from memex_tui.render.text import width as cells_of
from memex_tui.screens.page.filetext import tame


class PageDocument(Document):
    """Lines of text without unsafe characters; ``changed`` is called with the first line of an edit."""

    def __init__(self, lines: Sequence[str] = ("",)) -> None:
        self._newline = "\n"
        self._lines = list(lines) or [""]
        self._text: str | None = None
        self.version = 0
        self.changed: Callable[[int], None] = lambda _: None

    @property
    def text(self) -> str:
        """The whole text; joined once a change."""
        if self._text is None:
            self._text = "\n".join(self._lines)
        return self._text

    def get_size(self, tab_width: int) -> Size:
        return Size(max(_cells(line, tab_width) for line in self._lines), len(self._lines))

    def replace_range(self, start: Location, end: Location, text: str) -> EditResult:
        """Put ``text`` in the place of a range; the only way the document changes."""
        (top, left), (bottom, right) = sorted((start, end))
        lines = self._lines
        replaced = self.get_text_range((top, left), (bottom, right))
        before = lines[top][:left] if top < len(lines) else ""
        after = lines[bottom][right:] if bottom < len(lines) else ""
        inserted = tame(text.replace("\r\n", "\n").replace("\r", "\n")).split("\n")
        inserted[0] = before + inserted[0]
        column = len(inserted[-1])
        inserted[-1] += after
        lines[top : bottom + 1] = inserted
        self._text = None
        self.version += 1
        self.changed(top)
        return EditResult((top + len(inserted) - 1, column), replaced)

    def get_text_range(self, start: Location, end: Location) -> str:
        """The text between two places."""
        (top, left), (bottom, right) = sorted((start, end))
        lines = self._lines
        if top == bottom:
            return lines[top][left:right] if top < len(lines) else ""
        parts = [lines[top][left:], *lines[top + 1 : bottom]]
        if bottom < len(lines):
            parts.append(lines[bottom][:right])
        return "\n".join(parts)


class PageWrap(WrappedDocument):
    """The rows that the lines of a document take at a width."""

    @property
    def height(self) -> int:
        """Rows of the whole document; known, where Textual counts them."""
        return self._starts[-1]

    def wrap(self, width: int, tab_width: int | None = None) -> None:
        """Wrap every line for a width in cells; 0: no wrapping."""
        self._width = width
        if tab_width:
            self._tab_width = tab_width
        wrapped = [self._wrapped(line) for line in self.document.lines]
        self._wrap_offsets = [cuts for cuts, _ in wrapped]
        self._tab_width_cache = [tabs for _, tabs in wrapped]
        self._starts = [0, *accumulate(len(cuts) + 1 for cuts in self._wrap_offsets)]
        self._line_index_to_offsets = RowsOfLines(self)  # type: ignore[assignment]
        self._offset_to_line_info = LinesOfRows(self)  # type: ignore[assignment]

    def wrap_range(self, start: Location, old_end: Location, new_end: Location) -> None:
        """Wrap the lines of an edit again: what ended at ``old_end`` ends at ``new_end`` now."""
        starts = self._starts
        count = len(starts) - 1
        first = min(start[0], count - 1)
        last = min(max(old_end[0], first), count - 1)
        new_last = min(max(new_end[0], first), self.document.line_count - 1)
        wrapped = [self._wrapped(line) for line in self.document.lines[first : new_last + 1]]
        own = [*accumulate((len(cuts) + 1 for cuts, _ in wrapped), initial=starts[first])]
        shift = own[-1] - starts[last + 1]
        if shift:
            starts[first:] = own + [start + shift for start in starts[last + 2 :]]
        else:
            starts[first : last + 2] = own
        self._wrap_offsets[first : last + 1] = [cuts for cuts, _ in wrapped]
        self._tab_width_cache[first : last + 1] = [tabs for _, tabs in wrapped]

    def _wrapped(self, line: str) -> tuple[list[int], list[int]]:
        """Where a line is cut, and the widths of its tabs. Plain lines, nearly all, are not measured."""
        width = self._width
        if line.isascii() and "\t" not in line:
            return (plain_cuts(line, width) if width else []), [0]
        sections = get_tab_widths(line, self._tab_width)
        tabs = [size for _, size in sections]
        if not width:
            return [], tabs
        return compute_wrap_offsets(line, width, self._tab_width, precomputed_tab_sections=sections), tabs

    @property
    def width(self) -> int:
        """The width in cells that lines are wrapped for; 0: they are not."""
        return self._width

    def is_for(self, width: int, tab_width: int) -> bool:
        """Whether the rows are those for a width in cells."""
        return (self._width, self._tab_width) == (width, tab_width)

    def rows_of(self, line: int) -> tuple[int, int]:
        """The first row of a line, and the row after its last."""
        line = max(min(line, len(self._starts) - 1), 0)
        return self._starts[line], self._starts[min(line + 1, len(self._starts) - 1)]

    def place(self, row: int) -> tuple[int, int] | None:
        """The line shown in a row, and which of its parts; None below the text."""
        if not 0 <= row < self._starts[-1]:
            return None
        line = bisect_right(self._starts, row) - 1
        return line, row - self._starts[line]


class RowsOfLines(Sequence[list[int]]):
    """The rows of each line, as Textual's wrapping keeps them; made when looked at."""

    def __init__(self, wrap: PageWrap) -> None:
        self._wrap = wrap

    def __len__(self) -> int:
        return len(self._wrap._starts) - 1

    def __getitem__(self, line: Any) -> Any:
        first, after = self._wrap.rows_of(range(len(self))[line])
        return [*range(first, after)]


class LinesOfRows(Sequence[tuple[int, int]]):
    """The line and part of each row, as Textual's wrapping keeps them; found when looked at."""

    def __init__(self, wrap: PageWrap) -> None:
        self._wrap = wrap

    def __len__(self) -> int:
        return self._wrap.height

    def __getitem__(self, row: Any) -> Any:
        place = self._wrap.place(range(len(self))[row])
        assert place is not None
        return place


def _cells(line: str, tab_width: int) -> int:
    """The width of a line; only lines of other letters, or with tabs, have to be measured."""
    return len(line) if line.isascii() and "\t" not in line else _measured(line, tab_width)


@lru_cache(maxsize=1 << 15)
def _measured(line: str, tab_width: int) -> int:
    return cells_of(line.expandtabs(tab_width))


def plain_cuts(line: str, width: int) -> list[int]:
    """Where to cut a line of single-cell characters: before words, inside a word only when it must be."""
    cuts: list[int] = []
    at, size = 0, len(line)
    while size - at > width:
        end = at + width
        space = line.rfind(" ", at, end)
        if space == end - 1 and line[end] == " ":  # blanks go with the word before them
            word_end = len(line[at:end].rstrip(" ")) + at
            space = line.rfind(" ", at, word_end)
        at = space + 1 if space >= at and space + 1 > at else end
        cuts.append(at)
    return cuts
