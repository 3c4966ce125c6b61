"""Block structure: one pass over the lines says where each block begins and what it is.

Follows CommonMark with Obsidian's additions (callouts, ``$$``, ``%%``), reading each line a
constant number of times. What a block contains is looked at when it is laid out.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from memex_tui.render.markdown.model import (
    LONG_FENCE,
    LONG_LINE,
    LONG_PARAGRAPH,
    LONG_TABLE,
    Block,
    Fence,
    Item,
)
from memex_tui.render.markdown.opening import (
    DEFINITION,
    FENCE,
    FOOTNOTE,
    HEADING,
    HTML,
    HTML_ALONE,
    HTML_RAW,
    ITEM,
    RULE,
    SETEXT,
    TASK,
)
from memex_tui.render.markdown.table_source import is_table_head

_SPECIAL = frozenset("#`~-+*_>|<$%0123456789=:[")


class _Splitter:
    """The state of one pass: the lines, the blocks so far, and the list being counted."""

    def __init__(self, src: Sequence[str], base: int) -> None:
        self.src = src
        self.base = base
        self.blocks: list[Block] = []
        self.blank = False  # a blank line stands in front
        self.counted: tuple[str, int] = ("", 0)  # delimiter and number of the ordered list above

    def add(self, kind: str, start: int, end: int, data: object = None, gap: int | None = None) -> None:
        if gap is None:
            gap = 1 if self.blank and self.blocks else 0
        self.blocks.append(Block(kind, self.src, start, end, self.base, gap, data))
        self.blank = False
        if kind != "item":
            self.counted = ("", 0)

    def run(self) -> list[Block]:
        src = self.src
        at, size = 0, len(src)
        while at < size:
            line = src[at]
            text = line.lstrip(" ")
            if not text or text.isspace():
                self.blank = True
                at += 1
                continue
            if len(line) - len(text) >= 4:
                at = self._indented(at)
            elif text[0] in _SPECIAL:
                at = self._special(at, text, text[0])
            else:
                at = self._paragraph(at)
        return self.blocks

    def _special(self, at: int, text: str, char: str) -> int:
        if char == "#" and (match := HEADING.match(text)):
            title = _heading_title(text[len(match[1]) :].strip())
            self.add("heading", at, at + 1, (len(match[1]), title), 1 if self.blocks else 0)
            return at + 1
        if char in "`~" and (match := FENCE.match(text)):
            return self._fence(at, match[1] or match[3], (match[2] or match[4] or "").strip())
        if char in "-*_" and RULE.match(text):
            self.add("rule", at, at + 1)
            return at + 1
        if char == ">":
            return self._quote(at)
        if (char in "-+*" or char.isdigit()) and (item := ITEM.match(text)):
            return self._item(at, text, item)
        if char == "[" and (match := FOOTNOTE.match(text)):
            return self._footnote(at, match)
        if char == "[" and (match := DEFINITION.match(text)) and not TASK.match(text):
            self.add("definition", at, at + 1, (match[1], match[2].strip("<>")), 0)
            return at + 1
        if char == "<" and (HTML.match(text) or HTML_ALONE.match(text)):
            return self._html(at, text)
        if text.startswith("$$"):
            return self._delimited(at, text, "$$", "math")
        if text.startswith("%%"):
            return self._delimited(at, text, "%%", "html")
        return self._paragraph(at)

    def _indented(self, at: int) -> int:
        end = stop = at
        while end < len(self.src):
            line = self.src[end]
            if line.startswith("    "):
                stop = end + 1
            elif line.strip():
                break
            end += 1
        self._pieces(Fence("", True, at, stop, at, stop), at, stop)
        return stop

    def _fence(self, at: int, mark: str, info: str) -> int:
        end = at + 1
        while end < len(self.src):
            text = self.src[end].strip()
            if text and text[0] == mark[0] and len(text) >= len(mark) and not text.strip(mark[0]):
                break
            end += 1
        closed = min(end + 1, len(self.src))
        self._pieces(Fence(info, False, at + 1, end, at + 1, end), at, closed)
        return closed

    def _pieces(self, fence: Fence, start: int, end: int) -> None:
        origin, whole = fence.origin, fence.whole
        for code in range(origin, max(whole, origin + 1), LONG_FENCE):
            stop = min(code + LONG_FENCE, whole)
            first, final = code == origin, stop == whole
            data = fence._replace(code=code, stop=stop)
            self.add("code", start if first else code, end if final else stop, data, None if first else 0)

    def _quote(self, at: int) -> int:
        src = self.src
        end = at + 1
        open_text = _opens_text(src[at].lstrip(" ")[1:])
        while end < len(src):
            text = src[end].lstrip(" ")
            if text.startswith(">"):
                open_text = _opens_text(text[1:])
            elif not open_text or not text.strip() or self._interrupts(end, text):
                break
            end += 1
        self.add("quote", at, end)
        return end

    def _item(self, at: int, text: str, match: re.Match[str]) -> int:
        src = self.src
        outer = len(src[at]) - len(text)
        marker, space = match[1], match[2]
        rest = text[match.end() :]
        indent = outer + len(marker) + (len(space) if rest and len(space) < 5 else 1)
        delimiter = marker[-1]
        if marker[0].isdigit():
            number = int(marker[:-1])
            if self.counted[0] == delimiter and self.blocks and self.blocks[-1].kind == "item":
                number = self.counted[1] + 1
            self.counted = (delimiter, number)
            marker = f"{number}{delimiter}"
        else:
            self.counted = ("", 0)
        end = self._item_end(at, indent, bool(rest))
        task = TASK.match(rest)
        self.add("item", at, end, Item(marker, indent, task[1] if task else "", delimiter))
        return end

    def _item_end(self, at: int, indent: int, has_text: bool) -> int:
        src = self.src
        end, stop, blank = at + 1, at + 1, False
        spaces = " " * indent
        while end < len(src):
            line = src[end]
            if line.startswith(spaces) and line.strip():
                stop = end + 1
                blank = False
            elif not line.strip():
                if not has_text and end == at + 1:
                    return stop
                blank = True
            elif blank or self._interrupts(end, line.lstrip(" ")) or ITEM.match(line.lstrip(" ")):
                break
            else:
                stop = end + 1  # lazy continuation
            end += 1
        return stop

    def _footnote(self, at: int, match: re.Match[str]) -> int:
        src = self.src
        end = stop = at + 1
        while end < len(src):
            line = src[end]
            if line.startswith("    "):
                stop = end + 1
            elif line.strip():
                if stop != end or self._interrupts(end, line.lstrip(" ")) or line.lstrip(" ").startswith("["):
                    break
                stop = end + 1
            end += 1
        self.add("footnote", at, stop, match[1])
        return stop

    def _html(self, at: int, text: str) -> int:
        src = self.src
        close = ""
        if text.startswith("<!--"):
            close = "-->"
        elif raw := HTML_RAW.match(text):
            close = f"</{raw[1].lower()}>"
        end = at
        while end < len(src):
            line = src[end]
            if close and close in line.lower():
                end += 1
                break
            if not close and not line.strip():
                break
            end += 1
        for piece in range(at, end, LONG_PARAGRAPH):
            self.add("html", piece, min(piece + LONG_PARAGRAPH, end), None, None if piece == at else 0)
        return end

    def _delimited(self, at: int, text: str, mark: str, kind: str) -> int:
        end = at + 1
        body = text[2:].rstrip()
        if mark in body:
            if not body.endswith(mark):
                return self._paragraph(at)
        else:
            while end < len(self.src) and mark not in self.src[end]:
                end += 1
            end = min(end + 1, len(self.src))
        for piece in range(at, end, LONG_PARAGRAPH):
            self.add(kind, piece, min(piece + LONG_PARAGRAPH, end), None, None if piece == at else 0)
        return end

    def _paragraph(self, at: int) -> int:
        src = self.src
        if at + 1 < len(src) and is_table_head(src[at], src[at + 1]):
            return self._table(at)
        end = at + 1
        while end < len(src):
            line = src[end]
            text = line.lstrip(" ")
            if not text or text.isspace():
                break
            if text[0] in _SPECIAL and len(line) - len(text) < 4:
                if text[0] in "=-" and (under := SETEXT.match(line)):
                    title = " ".join(part.strip() for part in src[at:end])
                    self.add(
                        "heading",
                        at,
                        end + 1,
                        (1 if under[1][0] == "=" else 2, title),
                        1 if self.blocks else 0,
                    )
                    return end + 1
                if self._interrupts(end, text):
                    break
            if "|" in text and end + 1 < len(src) and is_table_head(text, src[end + 1]):
                break
            end += 1
        self._text(at, end)
        return end

    def _text(self, at: int, end: int) -> None:
        """Add a paragraph; a very long one in pieces, so that no piece is slow to lay out."""
        first = True
        start, size = at, 0
        for index in range(at, end):
            length = len(self.src[index])
            if length > LONG_LINE:
                if index > start:
                    self.add("text", start, index, None, None if first else 0)
                    first = False
                for cut in _line_pieces(self.src[index]):
                    self.add("text", index, index + 1, cut, None if first else 0)
                    first = False
                start, size = index + 1, 0
                continue
            size += length
            if index + 1 - start >= LONG_PARAGRAPH or size > LONG_LINE:
                self.add("text", start, index + 1, None, None if first else 0)
                first = False
                start, size = index + 1, 0
        if start < end:
            self.add("text", start, end, None, None if first else 0)

    def _table(self, at: int) -> int:
        src = self.src
        end = at + 2
        while end < len(src) and src[end].strip():
            text = src[end].lstrip(" ")
            if "|" not in text and self._interrupts(end, text):
                break
            end += 1
        self.add("table", at, min(end, at + 2 + LONG_TABLE), at)
        for piece in range(at + 2 + LONG_TABLE, end, LONG_TABLE):
            self.add("table", piece, min(piece + LONG_TABLE, end), at, 0)
        return end

    def _interrupts(self, at: int, text: str) -> bool:
        """Whether the line ends a paragraph by beginning another block."""
        if not text or len(self.src[at]) - len(text) >= 4:
            return False
        char = text[0]
        if char == ">":
            return True
        if char == "#":
            return HEADING.match(text) is not None
        if char in "`~":
            return FENCE.match(text) is not None
        if char in "-*_+":
            if char != "+" and RULE.match(text):
                return True
            item = ITEM.match(text)
            return item is not None and item.end() < len(text)
        if char.isdigit():
            item = ITEM.match(text)
            return item is not None and item[1] in ("1.", "1)") and item.end() < len(text)
        if char == "<":
            return HTML.match(text) is not None
        return text.startswith("$$") or (char == "[" and FOOTNOTE.match(text) is not None)


def _heading_title(text: str) -> str:
    """Take off the closing hashes, which only count after a space."""
    bare = text.rstrip("#")
    if bare != text and (not bare or bare[-1] in " \t"):
        return bare.rstrip()
    return text


def _opens_text(inner: str) -> bool:
    """Whether a quoted line can be continued by a line without ``>``."""
    text = inner.strip()
    return bool(text) and text[0] not in "#" and not text.startswith(("```", "~~~"))


def _line_pieces(line: str) -> list[tuple[int, int]]:
    """Cut one enormous line into character ranges, at spaces where there are some."""
    pieces = []
    start = 0
    while len(line) - start > LONG_LINE:
        at = line.rfind(" ", start + LONG_LINE // 2, start + LONG_LINE)
        end = at + 1 if at > 0 else start + LONG_LINE
        pieces.append((start, end))
        start = end
    pieces.append((start, len(line)))
    return pieces


def split(src: Sequence[str], base: int = 1) -> list[Block]:
    """Find the outermost blocks of some lines (tabs expanded). ``base`` is the number of src[0]."""
    return _Splitter(src, base).run()
