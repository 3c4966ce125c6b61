"""How the source of a page is coloured while it is edited: line by line, each in linear time.

A line needs to know only in what it begins (front matter, a code block, a comment); that is kept in
a table that is filled as far as lines are looked at, and cut back where the text changes.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

LOOKED_AT = 2_000  # characters of a line that are coloured
FRONT_LINES = 2_000  # lines among which the end of the front matter is looked for
DEEPEST = 3  # emphasis inside emphasis


class Piece(NamedTuple):
    """``text[start:end]`` of a line is drawn in the component class ``ed--<name>``."""

    start: int
    end: int
    name: str


_FENCE = re.compile(r"[ ]{0,3}(?:>[ ]?)*[ ]*(?:[-*+][ ]+|\d{1,9}[.)][ ]+)?[ ]*(`{3,}|~{3,})(.*)$")
_HEADING = re.compile(r"[ ]{0,3}(#{1,6})(?:[ \t]|$)")
_RULE = re.compile(r"[ ]{0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$")
_QUOTE = re.compile(r"[ ]{0,3}(?:>[ ]?)+")
_ITEM = re.compile(r"([ \t]*)([-+*]|\d{1,9}[.)])[ \t]+(?:(\[.\])(?=[ \t]|$))?")
_KEY = re.compile(r"([ \t]*(?:-[ \t]+)?)(\"[^\"]*\"|[^\s:#\[{\"'-][^:]*?)(:)(?=\s|$)")
_LIST_DASH = re.compile(r"[ \t]*-(?=[ \t]|$)")
_INLINE = re.compile(
    r"(?P<escape>\\[!-/:-@\[-`{-~])"
    r"|(?P<code>(?P<ticks>`+)(?!`).*?(?<!`)(?P=ticks)(?!`))"
    r"|(?P<wiki>!?\[\[[^\[\]]+\]\])"
    r"|(?P<link>!?\[[^\[\]]*\]\([^()\s]*(?:\([^()\s]*\)[^()\s]*)*\))"
    r"|(?P<note>\[\^[^\]\s]+\]:?)"
    r"|(?P<url>https?://[^\s<>\"`\[\]|)]+|<[a-z][a-z0-9+.-]*:[^\s<>]+>)"
    r"|(?P<comment>%%.*?%%|<!--.*?-->)"
    r"|(?P<strong>\*\*(?=\S).+?(?<=[^\s\\])\*\*(?!\*)|(?<!\w)__(?=\S).+?(?<=\S)__(?!\w))"
    r"|(?P<em>\*(?=[^\s*]).*?(?<=[^\s*\\])\*(?!\*)|(?<!\w)_(?=[^\s_]).*?(?<=[^\s_])_(?!\w))"
    r"|(?P<strike>~~(?=\S).+?(?<=\S)~~)"
    r"|(?P<highlight>==(?=\S).+?(?<=\S)==)"
    r"|(?P<math>\$\$.+?\$\$|\$(?![\s$])[^$]*?(?<![\s\\])\$(?!\d))"
    r"|(?P<tag>(?<![\w#&/])#(?=[^\s#.,;:!?()\[\]{}'\"`*<>|\\]*[^\W\d])[^\s#.,;:!?()\[\]{}'\"`*<>|\\]+)"
    r"|(?P<block>(?<=\s)\^[A-Za-z0-9-]+[ \t]*$)"
)
_MARKS = {"strong": 2, "em": 1, "strike": 2, "highlight": 2}


def coloured(line: str, state: str, number: int = -1) -> list[Piece]:
    """The pieces of a line that begins in ``state``; ``number`` counts lines from 0."""
    line = line[:LOOKED_AT]
    if state in ("yaml", "toml"):
        return _front(line, state)
    if state == "front":
        return [Piece(0, len(line), "faint")]
    if state:
        return _inside(line, state)
    if number == 0 and line.rstrip() in ("---", "+++"):
        return [Piece(0, len(line), "faint")]
    return _prose(line)


def _front(line: str, state: str) -> list[Piece]:
    if line.rstrip() in ("---", "...", "+++"):
        return [Piece(0, len(line), "faint")]
    if line.lstrip().startswith("#"):
        return [Piece(0, len(line), "comment")]
    pieces = []
    start = 0
    if state == "toml":
        name, equals, _ = line.partition("=")
        if equals:
            pieces.append(Piece(0, len(name), "key"))
            start = len(name) + 1
            pieces.append(Piece(len(name), start, "faint"))
    elif match := _KEY.match(line):
        pieces.append(Piece(match.start(2), match.end(2), "key"))
        pieces.append(Piece(match.start(3), match.end(3), "faint"))
        start = match.end(3)
    elif match := _LIST_DASH.match(line):
        pieces.append(Piece(match.start(), match.end(), "faint"))
        start = match.end()
    if line[start:].strip():
        pieces.append(Piece(start, len(line), "value"))
        pieces += [Piece(m.start(), m.end(), "link") for m in re.finditer(r"\[\[[^\[\]]+\]\]", line)]
    return pieces


def _inside(line: str, state: str) -> list[Piece]:
    """A line of a code block, of display math or of a comment over several lines."""
    if state[0] in "`~":
        return [Piece(0, len(line), "faint" if _closes(line, state) else "code-block")]
    return [Piece(0, len(line), "math" if state == "$$" else "comment")]


def _prose(line: str) -> list[Piece]:
    if not line or line.isspace():
        return []
    if _FENCE.match(line) and next_state("", line, 1):
        return [Piece(0, len(line), "faint")]
    heading = _HEADING.match(line)
    if heading:
        return [
            Piece(0, len(line), f"h{len(heading[1])}"),
            Piece(heading.start(1), heading.end(1), "faint"),
            *_inline(line, heading.end(), len(line)),
        ]
    if _RULE.match(line):
        return [Piece(0, len(line), "faint")]
    pieces = []
    at = 0
    quote = _QUOTE.match(line)
    if quote:
        at = quote.end()
        pieces += [Piece(at, len(line), "quote"), Piece(0, at, "faint")]
    item = _ITEM.match(line, at)
    if item:
        pieces.append(Piece(item.start(2), item.end(2), "bullet"))
        if item[3]:
            done = item[3][1] not in " /"
            pieces.append(Piece(item.start(3), item.end(3), "task-done" if done else "task"))
            if done:
                pieces.append(Piece(item.end(), len(line), "done"))
        at = item.end()
    return pieces + _inline(line, at, len(line))


def _inline(line: str, start: int, end: int, depth: int = 0) -> list[Piece]:
    pieces = []
    for match in _INLINE.finditer(line, start, end):
        kind = match.lastgroup or ""
        if kind == "ticks":
            kind = "code"
        a, b = match.span()
        if kind == "escape":
            pieces.append(Piece(a, a + 1, "faint"))
        elif kind == "wiki":
            pieces += _wiki(line, a, b)
        elif kind == "link":
            cut = line.index("](", a)
            pieces += [Piece(a, cut + 1, "link"), Piece(cut + 1, b, "url")]
        elif kind in _MARKS:
            size = _MARKS[kind]
            pieces += [Piece(a, b, kind), Piece(a, a + size, "faint"), Piece(b - size, b, "faint")]
            if depth < DEEPEST:
                pieces += _inline(line, a + size, b - size, depth + 1)
        elif kind == "block":
            pieces.append(Piece(a, b, "faint"))
        else:
            pieces.append(Piece(a, b, kind))
    return pieces


def _wiki(line: str, start: int, end: int) -> list[Piece]:
    """Brackets are faint, and so is the target where another text is shown for it."""
    inner = line.index("[[", start) + 2
    pieces = [Piece(start, end, "link"), Piece(start, inner, "faint"), Piece(end - 2, end, "faint")]
    bar = line.find("|", inner, end - 2)
    if bar > 0:
        pieces.append(Piece(inner, bar + 1, "target"))
    return pieces


def next_state(state: str, line: str, number: int) -> str:
    """What the next line begins in. States: empty, ``yaml``, ``toml``, a fence, ``$$``, ``<!--``, ``%%``."""
    line = line[:LOOKED_AT]
    if state in ("yaml", "toml"):
        ends = ("---", "...") if state == "yaml" else ("+++",)
        return "" if line.rstrip() in ends else state
    if state:
        if state[0] in "`~":
            return "" if _closes(line, state) else state
        closer = "-->" if state == "<!--" else state
        return "" if closer in line else state
    if number == 0 and line.rstrip() in ("---", "+++"):
        return "yaml" if line[0] == "-" else "toml"
    fence = _FENCE.match(line)
    if fence and (fence[1][0] == "~" or "`" not in fence[2]):
        return fence[1]
    text = line.strip()
    for opener, closer in (("$$", "$$"), ("<!--", "-->"), ("%%", "%%")):
        if text.startswith(opener) and closer not in text[len(opener) :]:
            return opener
    return ""


def _closes(line: str, fence: str) -> bool:
    text = line.strip().lstrip("> ")
    return len(text) >= len(fence) and set(text) == {fence[0]}


class LineStates:
    """In what each line begins; known as far as it was asked for."""

    def __init__(self, lines: Sequence[str]) -> None:
        self._lines = lines
        self._known = [""]

    def at(self, line: int) -> str:
        """The state at the beginning of a line, counted from 0."""
        known = self._known
        lines = self._lines
        while len(known) <= line:
            last = len(known) - 1
            if last >= len(lines):
                return known[-1]
            state = next_state(known[last], lines[last], last)
            if last == 0 and state in ("yaml", "toml") and not self._closed(state):
                state = ""
            known.append(state)
        return known[line]

    def known(self, line: int) -> str | None:
        """The state at the beginning of a line if it was asked for before."""
        return self._known[line] if line < len(self._known) else None

    def _closed(self, state: str) -> bool:
        ends = ("---", "...") if state == "yaml" else ("+++",)
        return any(line.rstrip() in ends for line in self._lines[1:FRONT_LINES])

    def front_lines(self) -> int:
        """How many lines the front matter takes, its marks included; 0 without any."""
        if not self._lines or self._lines[0].rstrip() not in ("---", "+++") or len(self._lines) < 2:
            return 0
        line = 1
        while line < len(self._lines) and self.at(line) in ("yaml", "toml"):
            line += 1
        return line if line > 1 else 0

    def changed(self, line: int) -> None:
        """Lines from ``line`` on are other ones now."""
        # The end of the front matter decides what its first line means.
        del self._known[1 if line < FRONT_LINES and self._front_open() else line + 1 :]

    def _front_open(self) -> bool:
        return bool(self._lines) and self._lines[0].rstrip() in ("---", "+++")
