"""Where to break a line: positions in a text, by cells.

Works on one flat string and gives ranges, so that styles laid over the string can be cut at the
same places. Breaks at spaces; between CJK characters, but never before a closing or after an
opening mark; and inside a word only when it is longer than a line.
"""

from __future__ import annotations

import re

from memex_tui.render.text import clusters, width

Range = tuple[int, int]

_OPEN = "（［｛「『【〔〈《“‘"
_CLOSE = "、。，．：；！？）］｝」』】〕〉》”’・ー々"
_CJK = (
    "\u2e80-\u303f\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff"
    "\uf900-\ufaff\uff00-\uffef\U00020000-\U0003ffff"
)
_TOKEN = re.compile(
    rf" +|[{_OPEN}]*[{_CJK}][\ufe00-\ufe0f\u3099\u309a{_CLOSE}]*|[^ {_CJK}]+",
)
_WIDE = re.compile(f"[{_CJK}]")


def is_cjk(char: str) -> bool:
    """Whether a line may be broken beside ``char`` without a space."""
    return _WIDE.match(char) is not None


def wrap(text: str, cells: int, first: int | None = None) -> list[Range]:
    """Break ``text`` into ranges of at most ``cells`` cells; ``\\n`` is a forced break.

    ``first`` is the room on the first line when it differs. Spaces at a break belong to no
    range. An empty text gives one empty range; a width below 1 is taken as 1.
    """
    cells = max(cells, 1)
    room = cells if first is None else max(first, 1)
    found: list[Range] = []
    ascii_only = text.isascii()
    start = 0
    while True:
        end = text.find("\n", start)
        stop = len(text) if end < 0 else end
        if ascii_only:
            _wrap_ascii(text, start, stop, cells, room, found)
        else:
            _wrap_cells(text, start, stop, cells, room, found)
        if end < 0:
            return found
        room = cells
        start = end + 1


def _wrap_ascii(text: str, start: int, stop: int, cells: int, room: int, found: list[Range]) -> None:
    while stop - start > room:
        at = text.rfind(" ", start, start + room + 1)
        if at <= start:
            found.append((start, start + room))
            start += room
        else:
            end = at
            while end > start and text[end - 1] == " ":
                end -= 1
            found.append((start, end))
            start = at + 1
        while start < stop and text[start] == " ":
            start += 1
        room = cells
    while stop > start and text[stop - 1] == " ":
        stop -= 1
    found.append((start, stop))


def _wrap_cells(text: str, start: int, stop: int, cells: int, room: int, found: list[Range]) -> None:
    line = last = start  # begin of the line, end of what is kept of it
    used = 0
    for token in _TOKEN.finditer(text, start, stop):
        at, end = token.span()
        if text[at] == " ":
            if at > line or line == start:
                used += end - at
            else:  # spaces at a break
                line = last = end
            continue
        size = width(token[0])
        if used + size <= room:
            used += size
            last = end
            continue
        if last > line:
            found.append((line, last))
            room = cells
        line, used = at, size
        if size > room:  # longer than a whole line
            line, used, room = _chop(text, at, end, room, cells, found)
        last = end
    found.append((line, max(last, line)))


def _chop(text: str, at: int, end: int, room: int, cells: int, found: list[Range]) -> tuple[int, int, int]:
    """Cut one long word; gives begin and cells of its last piece, and the room for that line."""
    line, used, pos = at, 0, at
    for cluster, size in clusters(text[at:end]):
        if used + size > room and pos > line:
            found.append((line, pos))
            line, used, room = pos, 0, cells
        used += size
        pos += len(cluster)
    return line, used, room
