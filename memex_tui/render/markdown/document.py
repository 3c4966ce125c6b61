"""A page on screen: its blocks, how high they are, and the rows of those that are looked at.

Opening a page only finds the blocks; their heights are guessed from their length until they are
laid out. ``prepare`` lays out what a window shows and a margin around it, and says where the
window is then, so that what the reader sees never jumps.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import OrderedDict
from collections.abc import Callable, Sequence
from itertools import accumulate

from memex_tui.render.markdown import containers
from memex_tui.render.markdown.blocks import split
from memex_tui.render.markdown.guess import estimate
from memex_tui.render.markdown.inline import Inline
from memex_tui.render.markdown.layout import Layout, source_lines
from memex_tui.render.markdown.model import Block, Heading, Hooks, Link, LinkSpan, Property, Row
from memex_tui.render.markdown.moved import Moved
from memex_tui.render.markdown.plain import plain_blocks

PLAIN_FROM = 4_000_000  # characters; larger texts are shown as plain lines
LONG_CONTAINER = 120  # lines; longer lists and quotes are laid out block by block
KEPT = 800  # laid out blocks in memory


class Document:
    """The rows of one page at one width.

    ``first_line`` is the number of the text's first line in its file (front matter left out).
    Row numbers (``y``) count from 0; source lines from 1.
    """

    def __init__(
        self,
        text: str,
        cells: int,
        *,
        first_line: int = 1,
        properties: Sequence[Property] = (),
        hooks: Hooks | None = None,
    ) -> None:
        self.first_line = first_line
        self.properties = tuple(properties)
        self.hooks = hooks or Hooks()
        self.folds: dict[int, bool] = {}
        self.all_properties = False
        self._cells = max(cells, 1)
        self._read(text)

    # -- reading ----------------------------------------------------------------------------

    def _read(self, text: str) -> None:
        self.text = text
        self.plain = len(text) > PLAIN_FROM
        self.lines = text.split("\n") if self.plain else source_lines(text)
        self._index()

    def _index(self) -> None:
        self.blocks = plain_blocks(self.lines, self.first_line) if self.plain else self._rich_blocks()
        if self.properties:
            panel = Block("properties", ("",), 0, 1, 1, 0, self.properties)
            self.blocks[:1] = [panel, *(block._replace(gap=0) for block in self.blocks[:1])]
        self._block_lines = [block.line for block in self.blocks]
        self.refs = {
            " ".join(block.data[0].split()).casefold(): block.data[1]
            for block in self.blocks
            if block.kind == "definition"
        }
        self._headings: list[Heading] | None = None
        self._restart()

    def _restart(self) -> None:
        """Forget everything that depends on the width."""
        self._layout = self._new_layout()
        self._laid: OrderedDict[int, list[Row]] = OrderedDict()
        self._heights = [estimate(block, self._cells) for block in self.blocks]
        self._exact = bytearray(len(self.blocks))
        self._offsets: list[int] | None = None

    def _new_layout(self) -> Layout:
        return Layout(self._cells, self.hooks, self.refs, self.folds, self.all_properties)

    def _rich_blocks(self) -> list[Block]:
        found: list[Block] = []
        for block in split(self.lines, self.first_line):
            self._flatten(block, found, 0)
        return found

    def _flatten(self, block: Block, found: list[Block], level: int) -> None:
        """Add a block; a long container as the blocks inside it."""
        short = block.end - block.start <= LONG_CONTAINER
        if block.kind not in containers.KINDS or short or level >= 6:
            found.append(block)
            return
        depth = sum(frame.item for frame in block.frames)
        for child in containers.expand(block, self.folds, depth):
            self._flatten(child, found, level + 1)

    # -- heights ----------------------------------------------------------------------------

    @property
    def cells(self) -> int:
        """Width of the page in cells."""
        return self._cells

    @property
    def height(self) -> int:
        """Rows of the whole page; a guess for the parts not laid out yet."""
        return self._starts()[-1]

    def _starts(self) -> list[int]:
        if self._offsets is None:
            self._offsets = list(accumulate(self._heights, initial=0))
        return self._offsets

    def _at(self, y: int) -> tuple[int, int]:
        """The block at row ``y`` and the row inside it; blocks without rows are passed over."""
        starts = self._starts()
        index = max(min(bisect_right(starts, y) - 1, len(self.blocks) - 1), 0)
        return index, y - starts[index]

    def rows_of(self, index: int) -> list[Row]:
        """The rows of a block, laid out now if they are not in memory."""
        rows = self._laid.get(index)
        if rows is not None:
            self._laid.move_to_end(index)
            return rows
        rows = self._layout.rows(self.blocks[index])
        self._laid[index] = rows
        if len(self._laid) > KEPT:
            self._laid.popitem(last=False)
        self._exact[index] = 1
        if self._heights[index] != len(rows):
            self._heights[index] = len(rows)
            self._offsets = None
        return rows

    def prepare(self, top: int, rows: int) -> int:
        """Lay out what a window of ``rows`` rows at ``top`` shows, and as much above and below it.

        Returns where the window's top is now: rows above it may have become more or less.
        """
        if not self.blocks:
            return 0
        index, inside = self._at(max(top, 0))
        before = self._heights[index]
        guessed = not self._exact[index]
        height = len(self.rows_of(index))
        if guessed and inside:
            inside = max(height - (before - inside), 0)
        self._fill(index, inside + 2 * rows, 1)
        self._fill(index - 1, rows - inside, -1)
        top = self._starts()[index] + min(inside, max(height - 1, 0))
        if top + rows > self.height:  # the page ends within the window
            self._fill(len(self.blocks) - 1, 2 * rows, -1)
            top = self.height - rows
        return max(top, 0)

    def _fill(self, index: int, rows: int, step: int) -> None:
        """Lay out blocks from ``index`` on, up or down, until they have ``rows`` rows."""
        while rows > 0 and 0 <= index < len(self.blocks):
            rows -= self._heights[index] if self._exact[index] else len(self.rows_of(index))
            index += step

    # -- places -----------------------------------------------------------------------------

    def row(self, y: int) -> Row | None:
        """The row at ``y``; None outside the page."""
        if not 0 <= y < self.height or not self.blocks:
            return None
        index, inside = self._at(y)
        rows = self.rows_of(index)
        return rows[inside] if inside < len(rows) else None

    def line_at(self, y: int) -> int:
        """The source line shown at row ``y`` (clamped to the page)."""
        if not self.blocks:
            return self.first_line
        index, inside = self._at(max(min(y, self.height - 1), 0))
        rows = self.rows_of(index)
        return rows[min(inside, len(rows) - 1)].line if rows else self.blocks[index].line

    def y_of_line(self, line: int) -> int:
        """The first row that shows source line ``line``, or the nearest one before it."""
        if not self.blocks:
            return 0
        index = max(bisect_right(self._block_lines, line) - 1, 0)
        rows = self.rows_of(index)
        found = 0
        for number, row in enumerate(rows):
            if row.line > line:
                break
            if row.runs and (row.line > rows[found].line or not rows[found].runs):
                found = number
        return self._starts()[index] + found

    @property
    def headings(self) -> list[Heading]:
        """The page's headings in order, each with an anchor of its own."""
        if self._headings is None:
            self._headings = []
            seen: dict[str, int] = {}
            for block in self.blocks:
                if block.kind != "heading":
                    continue
                level, source = block.data
                title = Inline(source, block.line, self.hooks.resolve, self.refs).flow().text
                name = title.casefold().strip()
                count = seen[name] = seen.get(name, 0) + 1
                anchor = name if count == 1 else f"{name}-{count - 1}"
                self._headings.append(Heading(level, title, block.line, anchor))
        return self._headings

    def links(self, y0: int, y1: int) -> list[tuple[int, LinkSpan]]:
        """The links in rows ``y0`` to ``y1``, each with its row; wrapped ones at their first row only."""
        found: list[tuple[int, LinkSpan]] = []
        seen: set[tuple[int, int, str]] = set()
        for y in range(max(y0, 0), min(y1, self.height)):
            row = self.row(y)
            for span in row.links if row else ():
                key = (span.link.line, span.link.ordinal, span.link.target + span.link.kind)
                if key not in seen:
                    seen.add(key)
                    found.append((y, span))
        return found

    # -- changes ----------------------------------------------------------------------------

    def resize(self, cells: int) -> None:
        """Lay the page out for another width."""
        if max(cells, 1) != self._cells:
            self._cells = max(cells, 1)
            self._restart()

    def relink(self) -> None:
        """Ask for the state of links and for embeds again; heights stay as guesses."""
        self._layout = self._new_layout()
        self._laid.clear()
        self._exact = bytearray(len(self.blocks))

    def fold(self, link: Link) -> None:
        """Fold or unfold what a ``fold`` link stands for."""
        if link.target == "properties":
            self.all_properties = not self.all_properties
            self._layout = self._new_layout()
            self._laid.pop(0, None)
            self.rows_of(0)
            return
        row = self.row(self.y_of_line(link.line))
        shut = row is not None and "▸" in "".join(text for text, _ in row.runs)
        self.folds[link.line] = not shut
        self._keep_heights(self._index)

    def replace(
        self, text: str, *, first_line: int | None = None, properties: Sequence[Property] | None = None
    ) -> Callable[[int], int]:
        """Show another version of the page. Returns where each old source line is now."""
        old, old_first = self.lines, self.first_line
        if first_line is not None:
            self.first_line = first_line
        if properties is not None:
            self.properties = tuple(properties)
        new = text.split("\n") if len(text) > PLAIN_FROM else source_lines(text)
        moved = Moved(old, new, old_first, self.first_line)
        self.folds = {moved(line): shut for line, shut in self.folds.items()}
        self._keep_heights(lambda: self._read(text), moved)
        return moved

    def _keep_heights(
        self, change: Callable[[], None], moved: Callable[[int], int] = lambda line: line
    ) -> None:
        """Index anew, but go on with the known heights of blocks that did not change."""
        known = {
            moved(block.line): (block.kind, block.end - block.start, self._heights[index])
            for index, block in enumerate(self.blocks)
            if self._exact[index]
        }
        change()
        for index, block in enumerate(self.blocks):
            kind, size, height = known.get(block.line, ("", 0, 0))
            if kind == block.kind and size == block.end - block.start:
                self._heights[index] = height
        self._offsets = None
