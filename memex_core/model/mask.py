"""What is not prose: code, comments and display math, blanked out so that nothing is found in them.

One pass over the lines (a small part of CommonMark's block rules: fences, indented code, lists,
quotes) and one over each paragraph that holds a sign of code, a comment or math. Both are linear in
the length of the text, whatever it holds.
"""

from __future__ import annotations

import re
from bisect import bisect_right

_TAB_INDENT = re.compile(r"(?:\A|\n|>) {0,4}\t")
_QUOTES = re.compile(r"(?:[ ]{0,3}>[ \t]?)*+")
_NESTED_QUOTES = re.compile(r"(?:[ \t]*+>[ \t]?)*+")
_INDENT = re.compile(r"[ \t]*+")
_FENCE = re.compile(r"(`{3,}+)[^`\n]*+(?:\n|\Z)|(~{3,}+)")
_ATX = re.compile(r"#{1,6}(?:[ \t\r\n]|\Z)")
_MARKER = re.compile(r"(?:[-*+]|\d{1,9}[.)])(?:([ \t]++)|(?=\r?\n|\Z))")
_RULE = re.compile(r"(?:(?:-[ \t]*+){3,}+|(?:\*[ \t]*+){3,}+|(?:_[ \t]*+){3,}+|=++[ \t]*+)\r?(?:\n|\Z)")
_FOOTNOTE = re.compile(r"\[\^[^\]\n]++\]:")
_BLANK_LINE = re.compile(r"\n[ \t\r]*+(?:\n|\Z)")
_INLINE = re.compile(r"\\.|`++|<!--|%%|\$\$", re.DOTALL)
_INLINE_SIGN = re.compile(r"[`%$<]")
_TICKS = re.compile(r"`++")
_CLOSER = {"<!--": "-->", "%%": "%%", "$$": "$$"}


def mask(text: str) -> str:
    """``text`` with everything that is not prose replaced by spaces; same length, same line ends.

    Blanked: fenced code (back-ticks or tildes of any length; an unclosed fence runs to the end of
    the list item, quote or page it stands in), indented code, code spans, ``<!-- comments -->``,
    ``%%comments%%`` and ``$$math$$``. A comment or math that starts a line may span paragraphs,
    one inside a line must close in its paragraph. ``text`` itself is returned when nothing had to
    be blanked.
    """
    if not _has_sign(text):
        return text
    spans = _Blocks(text).spans()
    if not spans:
        return text
    parts: list[str] = []
    last = 0
    for start, end in spans:
        parts.append(text[last:start])
        hidden = text[start:end]
        if "\n" in hidden:
            parts.append("\n".join([" " * len(line) for line in hidden.split("\n")]))
        else:
            parts.append(" " * (end - start))
        last = end
    parts.append(text[last:])
    return "".join(parts)


def _has_sign(text: str) -> bool:
    """Could anything but prose be in ``text``? A rare letter first: that costs a tenth of a longer needle."""
    if "`" in text:
        return True
    if "~" in text and "~~~" in text:
        return True
    if "<" in text and "<!--" in text:
        return True
    if ("%" in text and "%%" in text) or ("$" in text and "$$" in text):
        return True
    if "\n    " in text:
        return True
    if ">" in text and ">     " in text:
        return True
    if "\t" in text and _TAB_INDENT.search(text):
        return True
    return text.startswith("    ")


def _columns(blanks: str, start: int = 0) -> int:
    """The column after ``blanks`` that begin at column ``start``; a tab goes to the next multiple of 4."""
    if "\t" not in blanks:
        return start + len(blanks)
    column = start
    for char in blanks:
        column += 4 - column % 4 if char == "\t" else 1
    return column


class _Blocks:
    """The line scanner. ``para`` is where the open paragraph starts, -1 when none is open;
    ``items`` the content columns of the open list items; ``depth`` the depth of block quotes."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.size = len(text)
        self.found: list[tuple[int, int]] = []
        self.para = -1
        self.items: list[int] = []
        self.depth = 0
        self.unclosed: set[str] = set()

    def spans(self) -> list[tuple[int, int]]:
        """The stretches that are not prose, in order, not overlapping."""
        pos, text, size = 0, self.text, self.size
        while pos < size:
            end = text.find("\n", pos)
            if end < 0:
                end = size
            if end > pos and text[pos].isalpha():  # most lines: no need to look for marks
                if self.para < 0:
                    self.items.clear()
                    self.depth = 0
                    self.para = pos
                pos = end + 1
            else:
                pos = self._line(pos, end)
        self._flush(size)
        return self.found

    def _lead(self, pos: int) -> tuple[int, int]:
        """Where the line's content starts after its quote marks, and how many there are."""
        if self.text[pos] not in "> \t":
            return pos, 0
        match = (_NESTED_QUOTES if self.items else _QUOTES).match(self.text, pos)
        start = match.end() if match else pos
        return start, (self.text.count(">", pos, start) if start > pos else 0)

    def _line(self, pos: int, eol: int) -> int:
        """Take one line; the position after what was consumed (more than the line for a fence)."""
        text = self.text
        start, depth = self._lead(pos)
        match = _INDENT.match(text, start)
        at = match.end() if match else start
        if at >= eol or (text[at] == "\r" and at + 1 >= eol):
            self._flush(pos)
            self.depth = depth
            return eol + 1
        special = text[at] in "`~#-*+_=<%$|[" or text[at].isdigit()
        if self.para >= 0 and not special and depth <= self.depth:
            return eol + 1  # the paragraph goes on, however the line is indented
        if depth != self.depth and (depth > self.depth or self.para < 0 or special):
            self._flush(pos)
            self.items.clear()
            self.depth = depth
        column = _columns(text[start:at])
        if not (special and self.para >= 0):
            while self.items and column < self.items[-1]:
                self.items.pop()
        return self._content(pos, at, column, eol)

    def _content(self, pos: int, at: int, column: int, eol: int) -> int:
        """What starts at ``at``: code, a heading, a list item (and what is in it), or a paragraph."""
        text = self.text
        first = True
        while True:
            char = text[at] if at < eol else ""
            item = _MARKER.match(text, at, eol) if char in "-*+" or char.isdigit() else None
            if item is not None and first and _RULE.match(text, at, self.size):
                item = None
            if first and self.para >= 0:
                base = self._base(column)
                if column - base >= 4 and not (item and self.items):
                    return eol + 1
            elif first and not (item and self.items) and column - self._base(column) >= 4:
                self.found.append((at, eol))
                return eol + 1
            if item is None:
                return self._leaf(pos, at, column, eol, first)
            self._flush(pos)
            while self.items and column < self.items[-1]:
                self.items.pop()
            width = item.end() - at
            gap = item.group(1) or ""
            content = _columns(gap, column + width - len(gap))
            marker = column + width - len(gap)
            if content - marker > 4 or item.end() >= eol:
                content = marker + 1
            self.items.append(content)
            at, column, first = item.end(), content, False
            pos = at
            if at >= eol or text[at] == "\r":
                return eol + 1

    def _base(self, column: int) -> int:
        """The content column of the innermost open item that holds a line indented to ``column``."""
        inside = bisect_right(self.items, column)  # content columns only grow inwards
        return self.items[inside - 1] if inside else 0

    def _leaf(self, pos: int, at: int, column: int, eol: int, first: bool) -> int:
        text, char = self.text, self.text[at]
        if char in "`~":
            fence = _FENCE.match(text, at)
            if fence:
                self._flush(pos)
                self._close_items(column)
                return self._fence(at, column, fence.group(1) or fence.group(2), eol)
        elif char == "#":
            if _ATX.match(text, at):
                return self._alone(pos, at, eol, column)
        elif char == "|" or (first and char in "-*_=" and _RULE.match(text, at)):
            return self._alone(pos, at, eol, column)
        elif char == "[":
            if _FOOTNOTE.match(text, at, eol):
                self._flush(pos)
                self._close_items(column)
                self.items.append(column + 4)
                self.para = at
        elif char in "<%$":
            sign = "<!--" if text.startswith("<!--", at) else text[at : at + 2]
            if sign in _CLOSER:
                end = self._spanning(sign, at, eol)
                if end:
                    self._flush(pos)
                    self.found.append((at, end))
                    self.para = end
                    rest = text.find("\n", end)
                    return self.size if rest < 0 else rest + 1
        if self.para < 0:
            self._close_items(column)
            self.para = at
        return eol + 1

    def _close_items(self, column: int) -> None:
        while self.items and column < self.items[-1]:
            self.items.pop()

    def _alone(self, pos: int, at: int, eol: int, column: int) -> int:
        """A line that is a block of its own: a heading, a rule, a table row."""
        self._flush(pos)
        self._close_items(column)
        self.para = at
        self._flush(eol)
        return eol + 1

    def _spanning(self, sign: str, at: int, eol: int) -> int:
        """Where the comment or math that starts a line at ``at`` ends; 0 when it is none."""
        text = self.text
        if sign in self.unclosed:
            return 0
        if sign == "$$":
            rest = text[at + 2 : min(eol, at + 3)]
            if rest not in ("", "\r", "\\"):
                blank = _BLANK_LINE.search(text, at)
                end = text.find("$$", at + 2, blank.start() if blank else self.size)
                return end + 2 if end >= 0 else 0
        closer = _CLOSER[sign]
        end = text.find(closer, at + len(sign))
        if end >= 0:
            return end + len(closer)
        self.unclosed.add(sign)
        return self.size if sign == "<!--" else 0

    def _fence(self, at: int, column: int, marks: str, eol: int) -> int:
        """Blank a fenced block from ``at``; the position after it."""
        text, size = self.text, self.size
        sign, length = marks[0], len(marks)
        base = self._base(column)
        pos = eol + 1
        while pos < size:
            end = text.find("\n", pos)
            end = size if end < 0 else end
            start = pos
            if self.depth:
                start, depth = self._lead(pos)
                if depth < self.depth:
                    break
            match = _INDENT.match(text, start, end)
            mark = match.end() if match else start
            if mark < end and (base or text[mark] == sign):
                indent = _columns(text[start:mark])
                if base and indent < base and text[mark] != "\r":
                    break
                if text[mark] == sign and indent < column + 4:
                    line = text[mark:end].rstrip(" \t\r")
                    if len(line) >= length and line.count(sign) == len(line):
                        self.found.append((at, end))
                        return end + 1
            pos = end + 1
        self.found.append((at, min(pos, size)))
        return pos

    def _flush(self, end: int) -> None:
        """Close the open paragraph at ``end`` and look for code spans, comments and math in it."""
        start, self.para = self.para, -1
        if 0 <= start < end and _INLINE_SIGN.search(self.text, start, end):
            _inline(self.text, start, end, self.found)


def _inline(text: str, start: int, end: int, found: list[tuple[int, int]]) -> None:
    """Add the code spans, comments and math of ``text[start:end]``, one paragraph, to ``found``."""
    runs: dict[int, list[tuple[int, int]]] | None = None
    unclosed: set[str] = set()
    pos = start
    while True:
        match = _INLINE.search(text, pos, end)
        if match is None:
            return
        sign, pos = match.group(), match.end()
        if sign[0] == "\\":
            continue
        if sign[0] == "`":
            if runs is None:
                runs = _tick_runs(text, pos, end)
            waiting = runs.get(len(sign), [])
            while waiting and waiting[-1][0] < pos:
                waiting.pop()
            if waiting:
                pos = waiting.pop()[1]
                found.append((match.start(), pos))
        elif sign not in unclosed:
            close = text.find(_CLOSER[sign], pos, end)
            if close < 0:
                unclosed.add(sign)
            else:
                pos = close + len(_CLOSER[sign])
                found.append((match.start(), pos))


def _tick_runs(text: str, start: int, end: int) -> dict[int, list[tuple[int, int]]]:
    """Runs of back-ticks by length, the last first, so that the next one is popped in constant time."""
    runs: dict[int, list[tuple[int, int]]] = {}
    for match in _TICKS.finditer(text, start, end):
        runs.setdefault(match.end() - match.start(), []).append(match.span())
    for found in runs.values():
        found.reverse()
    return runs
