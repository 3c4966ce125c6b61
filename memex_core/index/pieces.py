"""A stretch of text without white space, cut into words, identifiers, unspaced scripts and symbols."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memex_core.index.characters import CLASSES, SOFT
from memex_core.index.identifiers import Run, read_run

Piece = tuple[int, int, str, Run | None]
"""(start, end, kind, run): ``w`` a run of letters, digits and inner punctuation, ``c`` text of a script
without spaces, ``s`` a symbol, ``r`` a flag."""

_SOFT_CLASS = re.escape(SOFT)
_PIECE = re.compile(rf"c+|[uldm{_SOFT_CLASS}]+|rr|[sr]")
_BREAK = re.compile(rf"\.\.+|([{_SOFT_CLASS}])\1\1+")
_LAYOUT = re.compile(r"[-:|]+|([*_#>=~+.])\1*|[.,!?<>]+")
_ENCLOSING = "\"'`()[]{},;"


def operator(chunk: str) -> str:
    """``->``, ``%``, ``&&`` standing alone: ASCII signs that are no Markdown layout and no punctuation."""
    signs = chunk.strip(_ENCLOSING)
    if 0 < len(signs) <= 6 and signs.isascii() and signs.isprintable() and not _LAYOUT.fullmatch(signs):
        return "" if '"' in signs else signs
    return ""


def pieces(text: str) -> Iterator[Piece]:
    """Everything in tidy ``text`` that is not a gap."""
    kinds = text.translate(CLASSES)
    for match in _PIECE.finditer(kinds):
        start, end = match.span()
        kind = kinds[start]
        if kind in "csr":
            yield start, end, kind, None
            continue
        for a, b in _unbroken(kinds, start, end):
            run = read_run(text[a:b], kinds[a:b])
            if run is not None:
                yield a, b, "w", run


def _unbroken(kinds: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """A run divided where one sign stands three times, or dots twice (``wait...what``, ``../x``)."""
    for gap in _BREAK.finditer(kinds, start, end):
        if gap.start() > start:
            yield start, gap.start()
        start = gap.end()
    if start < end:
        yield start, end
