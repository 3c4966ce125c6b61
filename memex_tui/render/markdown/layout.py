"""From one block to its rows at a given width."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from memex_tui.render.line import Line, Names, line_width
from memex_tui.render.markdown import containers
from memex_tui.render.markdown.blocks import split
from memex_tui.render.markdown.code import CodeLines, code_rows, language_of, source_of
from memex_tui.render.markdown.flow import Flow, flow_rows, lead_row
from memex_tui.render.markdown.inline import Inline
from memex_tui.render.markdown.model import (
    LONG_LINE,
    LONG_TABLE,
    Block,
    Embed,
    Fence,
    Frame,
    Hooks,
    Link,
    LinkSpan,
    Row,
)
from memex_tui.render.markdown.panel import panel_rows
from memex_tui.render.markdown.table import Columns, measure, table_rows
from memex_tui.render.markdown.targets import is_image, wiki_link
from memex_tui.render.text import cut, printable, width
from memex_tui.render.wrap import wrap

DEEPEST = 10  # containers inside containers; below it text is shown as it is
DEEPEST_EMBED = 2
LONGEST_EMBED = 120  # lines of an embedded page
NARROWEST = 6  # cells left for text before frames are dropped


class Layout:
    """Lays out blocks of one page. Keeps what several pieces of a block share."""

    def __init__(
        self,
        cells: int,
        hooks: Hooks,
        refs: Mapping[str, str],
        folds: Mapping[int, bool],
        show_all: bool = False,
    ) -> None:
        self.cells = max(cells, 1)
        self._hooks = hooks
        self._refs = refs
        self._folds = folds
        self._show_all = show_all
        self._columns: dict[tuple[int, int], tuple[Sequence[str], Columns]] = {}
        self._code: dict[tuple[int, int], tuple[Sequence[str], CodeLines]] = {}
        self._embeds: list[str] = []

    def rows(self, block: Block) -> list[Row]:
        """All rows of a top-level block, its gap included."""
        depth = sum(frame.item for frame in block.frames)
        return self._block(block, self.cells, depth, len(block.frames))

    def _block(self, block: Block, cells: int, depth: int, level: int) -> list[Row]:
        frames = block.frames
        leads = sum(width(frame.rest[0]) for frame in frames)
        while frames and cells - leads < NARROWEST:
            leads -= width(frames[0].rest[0])
            frames = frames[1:]
        names: Names = tuple(name for frame in frames for name in frame.names)
        rows = self._body(block, cells - leads, names, depth, level)
        if frames:
            rows = [_framed(row, frames, names, number == 0) for number, row in enumerate(rows)]
        if block.gap and rows:
            lead = [frame.rest for frame in frames[: block.gap_depth]]
            rows.insert(0, lead_row(Row([], block.line, block.line), lead))
        return rows

    def _body(self, block: Block, cells: int, names: Names, depth: int, level: int) -> list[Row]:
        kind = block.kind
        if kind == "text":
            return self._text(block, cells)
        if kind in containers.KINDS:
            return self._container(block, cells, depth, level)
        if kind == "heading":
            return self._heading(block, cells)
        if kind == "code":
            return code_rows(block, self._code_lines(block), cells)
        if kind == "table":
            return table_rows(block, self._table(block), self._inline, cells)
        if kind == "rule":
            return [Row([("─" * cells, ("md--rule",))], block.line, block.line)]
        if kind == "callout":
            return self._callout(block, cells)
        if kind == "properties":
            return panel_rows(block.data, self._value, cells, block.line, full=self._show_all)
        if kind in ("html", "math"):
            return _literal(block, cells, (f"md--{kind}",))
        if kind == "plain":
            return _literal(block, cells, ())
        if kind == "notice":
            return [Row([(cut(block.data, cells), ("md--notice",))], block.line, block.line)]
        if kind == "empty":
            return [Row([], block.line, block.line)]
        return []  # definitions of links have nothing to show

    # -- leaves -----------------------------------------------------------------------------

    def _inline(self, text: str, line: int) -> Flow:
        return Inline(text, line, self._hooks.resolve, self._refs).flow()

    def _value(self, text: str) -> Flow:
        return self._inline(printable(text), 1)

    def _text(self, block: Block, cells: int) -> list[Row]:
        lines = [
            line.strip(" ") if line.endswith("  ") is False else line.lstrip(" ") for line in block.lines
        ]
        lines[-1] = lines[-1].rstrip(" ")
        text = "\n".join(lines)
        if type(block.data) is tuple:
            text = block.src[block.start][slice(*block.data)].strip(" ")
        elif text.startswith("![[") and (link := self._sole_embed(text)):
            rows = self._embed(link._replace(line=block.line), block.line, cells)
            if rows:
                return rows
        return flow_rows(self._inline(text, block.line), cells, block.line)

    def _heading(self, block: Block, cells: int) -> list[Row]:
        level, title = block.data
        rows = flow_rows(self._inline(title, block.line), cells, block.line, (f"md--h{level}",))
        rows[0] = rows[0]._replace(anchor=title or " ")
        if level == 1:
            rows.append(Row([("─" * cells, ("md--h1-rule",))], block.line, block.end - 1 + block.base))
        return rows

    def _code_lines(self, block: Block) -> CodeLines:
        fence: Fence = block.data
        key = (id(block.src), fence.origin)
        if key in self._code:
            return self._code[key][1]
        lines = CodeLines(source_of(block), language_of(fence.info))
        if fence.stop - fence.code < fence.whole - fence.origin:
            # A piece of a long block: the others go on from here. The list of lines is kept with
            # it, so that its id cannot be given to another one.
            self._code[key] = (block.src, lines)
        return lines

    def _table(self, block: Block) -> Columns:
        key = (id(block.src), block.data)
        if key in self._columns:
            return self._columns[key][1]
        columns = measure(block, self._inline)
        if block.end - block.data > LONG_TABLE:
            self._columns[key] = (block.src, columns)
        return columns

    # -- containers -------------------------------------------------------------------------

    def _container(self, block: Block, cells: int, depth: int, level: int) -> list[Row]:
        if level >= DEEPEST or max(map(len, block.lines)) > 4 * LONG_LINE:
            return _literal(block, cells, ())
        inner = containers.expand(block._replace(frames=(), gap=0), self._folds, depth)
        below = depth + 1 if block.kind == "item" else depth
        rows = [row for child in inner for row in self._block(child, cells, below, level + 1)]
        if block.kind == "footnote" and rows:
            link = Link("footnote-back", str(block.data), text="back to the text", line=block.line)
            size = width(f"[{block.data}]")
            rows[0] = rows[0]._replace(links=(LinkSpan(0, size, link), *rows[0].links))
        return rows

    def _callout(self, block: Block, cells: int) -> list[Row]:
        found: containers.Callout = block.data
        sign = ""
        if found.fold:
            sign = "▸ " if containers.folded(block, found, self._folds) else "▾ "
        names = (found.style, "md--callout-title")
        lead: Line = [(f"{sign}{found.icon} ", names)]
        room = cells - line_width(lead)
        rows = flow_rows(self._inline(found.title, block.line), room, block.line, names)
        rows = [lead_row(row, lead if n == 0 else [(" " * (cells - room), ())]) for n, row in enumerate(rows)]
        if found.fold:
            link = Link("fold", "callout", text=found.title, line=block.line)
            rows[0] = rows[0]._replace(links=(LinkSpan(0, line_width(rows[0].runs), link),))
        return rows

    # -- embeds -----------------------------------------------------------------------------

    def _sole_embed(self, text: str) -> Link | None:
        if not text.endswith("]]") or text.find("]]") != len(text) - 2:
            return None
        link = wiki_link(text[3:-2], "embed")
        return None if link is None or is_image(link.target) else link

    def _embed(self, link: Link, line: int, cells: int) -> list[Row]:
        """The embedded text as a quoted section; empty when there is none (shown as a link then)."""
        name = f"{link.target}#{link.heading}^{link.block}".casefold()
        if len(self._embeds) >= DEEPEST_EMBED or name in self._embeds or cells < NARROWEST:
            return []
        embed = self._hooks.embed(link)
        if embed is None:
            return []
        bar: Frame = Frame(("▎ ", ("md--embed-bar",)), ("▎ ", ("md--embed-bar",)))
        shown = cut(f"↳ {printable(embed.title)}", cells - 2)
        title = Row([(shown, ("md--embed-title",))], line, line, (LinkSpan(0, width(shown), link),))
        self._embeds.append(name)
        try:
            rows = [title, *self._embedded(embed, link, line, cells - 2)]
        finally:
            self._embeds.pop()
        return [_framed(row, (bar,), (), False) for row in rows]

    def _embedded(self, embed: Embed, link: Link, line: int, cells: int) -> list[Row]:
        lines = source_lines(embed.text)
        more = len(lines) - LONGEST_EMBED
        blocks = split(lines[:LONGEST_EMBED])
        rows = [row for block in blocks for row in self._block(block, cells, 0, 1)]
        rows = [
            row._replace(
                line=line,
                last=line,
                anchor="",
                links=tuple(span._replace(link=span.link._replace(line=line)) for span in row.links),
            )
            for row in rows
        ]
        if more > 0:
            text = f"… {more} more lines"
            rows.append(Row([(text, ("md--notice",))], line, line, (LinkSpan(0, len(text), link),)))
        return rows


def source_lines(text: str) -> list[str]:
    """Split a page into printable lines with tabs expanded."""
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    lines = text.split("\n")
    if "\t" in text:
        lines = [line.expandtabs(4) if "\t" in line else line for line in lines]
    return [printable(line) for line in lines]


def _framed(row: Row, frames: tuple[Frame, ...], names: Names, first: bool) -> Row:
    lead = [frame.first if first else frame.rest for frame in frames]
    missing = sum(width(frame.rest[0]) for frame in frames) - sum(width(run[0]) for run in lead)
    if missing > 0:
        lead.append((" " * missing, ()))
    if names:
        row = row._replace(runs=[(text, names + own) for text, own in row.runs])
    return lead_row(row, lead)


def _literal(block: Block, cells: int, names: Names) -> list[Row]:
    """Source lines as they stand, wrapped."""
    rows: list[Row] = []
    for index in range(block.start, block.end):
        text = block.src[index]
        if type(block.data) is tuple:
            text = text[slice(*block.data)]
        text = printable(text)
        line = block.base + index
        rows += [Row([(text[a:b], names)] if b > a else [], line, line) for a, b in wrap(text, cells)]
    return rows
