"""Code blocks: a panel of source, coloured by Pygments line by line as far as it is looked at."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from memex_tui.render.line import Line, line_width
from memex_tui.render.markdown.model import Block, Fence, Link, LinkSpan, Row
from memex_tui.render.text import clusters, cut, width

if TYPE_CHECKING:
    from pygments.lexer import Lexer

LONGEST_COLOURED = 128_000  # characters of one block; beyond it code is shown plain
LONGEST_LINE = 5_000
FILL = ("md--fence",)

# Pygments token types, most special first, and the component class that shows them.
_CLASSES = (
    ("Token.Comment", "md--code-comment"),
    ("Token.Keyword", "md--code-keyword"),
    ("Token.Operator.Word", "md--code-keyword"),
    ("Token.Literal.String", "md--code-string"),
    ("Token.Literal.Number", "md--code-number"),
    ("Token.Literal", "md--code-number"),
    ("Token.Name.Function", "md--code-function"),
    ("Token.Name.Class", "md--code-function"),
    ("Token.Name.Decorator", "md--code-function"),
    ("Token.Name.Tag", "md--code-keyword"),
    ("Token.Name.Attribute", "md--code-function"),
    ("Token.Name.Builtin", "md--code-builtin"),
    ("Token.Name.Constant", "md--code-number"),
    ("Token.Generic.Inserted", "md--code-inserted"),
    ("Token.Generic.Deleted", "md--code-deleted"),
    ("Token.Generic.Heading", "md--code-keyword"),
    ("Token.Generic.Subheading", "md--code-keyword"),
    ("Token.Generic.Prompt", "md--code-comment"),
    ("Token.Generic.Output", "md--code-comment"),
)


@lru_cache(maxsize=512)
def _token_class(token: Any) -> tuple[str, ...]:
    name = str(token)
    for prefix, component in _CLASSES:
        if name.startswith(prefix):
            return (component,)
    return ()


@lru_cache(maxsize=1)
def _aliases() -> dict[str, str]:
    from pygments.lexers import get_all_lexers

    # Plug-ins are left out: looking for them reads the metadata of every installed package.
    return {alias: name for name, aliases, _, _ in get_all_lexers(plugins=False) for alias in aliases}


@lru_cache(maxsize=64)
def _lexer(language: str) -> Lexer | None:
    from pygments.lexers import find_lexer_class

    name = _aliases().get(language.lower())
    found = find_lexer_class(name) if name else None
    return found(stripnl=False) if found else None


def language_of(info: str) -> str:
    """The language named by a fence's info string: ``python``, ``{.python}``, ``python:file.py``."""
    words = info.strip().strip("{}").lstrip(".").replace(":", " ").replace(",", " ").split()
    return words[0] if words else ""


class CodeLines:
    """The coloured lines of one code block, lexed only as far as they were asked for."""

    def __init__(self, source: Sequence[str], language: str) -> None:
        self._source = source
        self._lines: list[Line] = []
        self._tokens: Iterator[tuple[Any, str]] | None = None
        size = sum(map(len, source))
        if language and size <= LONGEST_COLOURED and max(map(len, source), default=0) <= LONGEST_LINE:
            lexer = _lexer(language)
            if lexer is not None:
                self._tokens = iter(lexer.get_tokens("\n".join(source)))
        self._open: Line = []

    def line(self, index: int) -> Line:
        """Line ``index`` of the block as runs."""
        while self._tokens is not None and len(self._lines) <= index:
            self._pull()
        if index < len(self._lines):
            return self._lines[index]
        return [(self._source[index], ())]

    def _pull(self) -> None:
        assert self._tokens is not None
        for token, value in self._tokens:
            names = _token_class(token)
            first, *others = value.split("\n")
            if first:
                self._open.append((first, names))
            for text in others:
                self._lines.append(self._open)
                self._open = [(text, names)] if text else []
            if others:
                return
        self._lines.append(self._open)
        self._tokens = None


def code_rows(block: Block, lines: CodeLines, cells: int) -> list[Row]:
    """Lay out a code block, or a piece of one, in a panel ``cells`` wide."""
    fence: Fence = block.data
    room = max(cells - 2, 4)
    rows: list[Row] = []
    for index in range(fence.code, fence.stop):
        runs = lines.line(index - fence.origin)
        source = block.base + index
        for number, part in enumerate(_wrapped(runs, room)):
            lead: Line = [(" " if number == 0 else "↪", ("md--fence", "md--code-comment"))]
            rows.append(
                Row([*lead, *((text, FILL + names) for text, names in part)], source, source, (), 1, FILL)
            )
    if not rows:
        rows.append(Row([(" ", FILL)], block.line, block.line, (), 1, FILL))
    if fence.code == fence.origin:
        rows[0] = _headed(rows[0], block, cells)
    return rows


def _headed(row: Row, block: Block, cells: int) -> Row:
    """The first row with the language at its right end, when there is room. A click on it, or on the blank
    cell in front of the code, where the hint letter goes, takes the block."""
    fence: Fence = block.data
    link = Link("code", "", text="\n".join(source_of(block)), line=block.line)
    label = cut(language_of(fence.info) or fence.info, 16)
    used = line_width(row.runs)
    missing = cells - used - width(label) - 1
    if not label or missing < 2:
        return row._replace(links=(LinkSpan(0, 1, link),))
    runs = [*row.runs, (" " * missing, FILL), (label, (*FILL, "md--code-label"))]
    at = used + missing
    return row._replace(runs=runs, links=(LinkSpan(0, 1, link), LinkSpan(at, at + width(label), link)))


def source_of(block: Block) -> Sequence[str]:
    """The lines of a code block, without the indentation that makes it one."""
    fence: Fence = block.data
    lines = block.src[fence.origin : fence.whole]
    return [line[4:] for line in lines] if fence.indented else lines


def _wrapped(runs: Line, cells: int) -> list[Line]:
    """Cut a line of code every ``cells`` cells; code is not broken at words."""
    if line_width(runs) <= cells:
        return [runs]
    parts: list[Line] = [[]]
    used = 0
    for text, names in runs:
        start = at = 0
        for cluster, size in clusters(text):
            if used + size > cells:
                if at > start:
                    parts[-1].append((text[start:at], names))
                parts.append([])
                start, used = at, 0
            at += len(cluster)
            used += size
        if at > start:
            parts[-1].append((text[start:at], names))
    return parts
