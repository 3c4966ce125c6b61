"""A change as rows of a width: for each hunk its head, the lines around it, what goes and what comes.

Rows say where their text is; the text itself is drawn when a row comes into sight.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from memex_tui.render.line import Line, crop_line, overlay
from memex_tui.render.text import counted, printable, width
from memex_tui.render.wrap import wrap
from memex_tui.screens.page.diffs import LONGEST, DiffLine, compared
from memex_tui.screens.review.hunks import Change, Hunk, Piece

AROUND = 2  # unchanged lines shown before and after a hunk
SIGN = 2  # cells before each line
LOOKS = {"+": "hunk--add", "-": "hunk--del", " ": "hunk--same"}
TAKEN = {"new": "taken", "old": "left out", "both": "both"}
CHOSEN = {"new": "theirs", "old": "yours", "both": "both"}  # the same in a conflict


class Row(NamedTuple):
    """A row of hunk number ``hunk``. ``kind``: ``@`` its head, ``-`` and ``+`` for a line that goes or
    comes, blank for one that stays. ``line`` counts from 0 in the old text (in the new one for ``+``);
    ``start`` and ``end`` cut it. ``against`` is the line in the other text that it is compared with."""

    kind: str
    hunk: int
    line: int = 0
    start: int = 0
    end: int = 0
    against: int = -1

    @property
    def key(self) -> str:
        return f"{self.kind}{self.hunk}:{self.line}:{self.start}"


def drawn(text: str) -> str:
    """A line as it is shown; blanks at its end, which Markdown gives a meaning, can be seen."""
    text = printable(text[:LONGEST].expandtabs(4))
    bare = text.rstrip(" ")
    return bare + "·" * (len(text) - len(bare)) if bare else text


def rows(change: Change, cells: int) -> list[Row]:
    """All rows, in order."""
    found: list[Row] = []
    room = max(cells - SIGN, 8)
    shown = 0  # lines of the old text up to here are on a row, or passed
    for number, hunk in enumerate(change.hunks):
        found.append(Row("@", number, hunk.first.i0))
        begin = max(hunk.first.i0 - AROUND, shown)
        _stays(found, change, number, begin, hunk.first.i0, room)
        for place, piece in enumerate(hunk.pieces):
            if place:
                _stays(found, change, number, hunk.pieces[place - 1].i1, piece.i0, room)
            _changes(found, change, number, piece, room)
        shown = hunk.last.i1
        after = change.hunks[number + 1].first.i0 if number + 1 < len(change.hunks) else len(change.old)
        end = min(shown + AROUND, after)
        _stays(found, change, number, shown, end, room)
        shown = end
    return found


def plain(change: Change, cells: int) -> list[Row]:
    """The rows of a text of which nothing changes."""
    found: list[Row] = []
    _stays(found, change, 0, 0, len(change.old), max(cells - SIGN, 8))
    return found


def _stays(found: list[Row], change: Change, hunk: int, start: int, end: int, room: int) -> None:
    for line in range(start, end):
        _cut(found, " ", hunk, line, change.old[line], room, -1)


def _changes(found: list[Row], change: Change, hunk: int, piece: Piece, room: int) -> None:
    i0, i1, j0, j1 = piece
    pairs = min(i1 - i0, j1 - j0)
    for at in range(i1 - i0):
        against = j0 + at if at < pairs else -1
        _cut(found, "-", hunk, i0 + at, change.old[i0 + at], room, against)
    for at in range(j1 - j0):
        against = i0 + at if at < pairs else -1
        _cut(found, "+", hunk, j0 + at, change.new[j0 + at], room, against)


def _cut(found: list[Row], kind: str, hunk: int, line: int, text: str, room: int, against: int) -> None:
    text = drawn(text)
    if width(text) <= room:
        found.append(Row(kind, hunk, line, 0, len(text), against))
    else:
        found += [Row(kind, hunk, line, start, end, against) for start, end in wrap(text, room)]


def head_of(change: Change, row: Row, words: Mapping[str, str] = TAKEN) -> tuple[str, str, str]:
    """What a hunk's head says: its number, its place and size, and what was decided."""
    hunk = change.hunks[row.hunk]
    count = len(change.hunks)
    number = f"hunk {row.hunk + 1} of {count}" if count > 1 else "hunk"
    place = f"line {hunk.first.i0 + 1}" if change.old else "new page"
    return number, f"{place} · {size_of(hunk)}", words[hunk.side]


def size_of(hunk: Hunk) -> str:
    """Lines that come and go: ``+2 −1``."""
    come = sum(one.j1 - one.j0 for one in hunk.pieces)
    gone = sum(one.i1 - one.i0 for one in hunk.pieces)
    return " ".join([*([f"+{come}"] if come else []), *([f"−{gone}"] if gone else [])])


def line_of(change: Change, row: Row, spans: dict[tuple[int, int], tuple[DiffLine, DiffLine]]) -> Line:
    """The runs of a line's row; ``spans`` keeps which words differ, found when first asked for."""
    text = drawn((change.new if row.kind == "+" else change.old)[row.line])
    look = LOOKS[row.kind]
    line: Line = [(text, (look,))]
    if row.against >= 0:
        pair = (row.line, row.against) if row.kind == "-" else (row.against, row.line)
        if pair not in spans:
            old, new = drawn(change.old[pair[0]]), drawn(change.new[pair[1]])
            spans[pair] = compared(DiffLine("-", old), DiffLine("+", new))
        line = overlay(line, spans[pair][row.kind == "+"].spans, (f"{look}-word",))
    if row.start or row.end < len(text):
        at = width(text[: row.start])
        line = crop_line(line, at, at + width(text[row.start : row.end]))
    sign = row.kind if row.start == 0 else " "
    return [(f"{sign} ", (look,)), *line]


def summary(change: Change) -> str:
    """How many hunks are taken, and the lines that come and go."""
    count, taken = len(change.hunks), sum(hunk.side != "old" for hunk in change.hunks)
    said = counted(count, "hunk") if taken == count else f"{taken} of {counted(count, 'hunk')} taken"
    return f"{said} · +{change.added:,} −{change.removed:,}"


def first_row(found: Sequence[Row], hunk: int) -> int:
    """The place of a hunk's head; 0 when there is none."""
    return next((at for at, row in enumerate(found) if row.hunk == hunk and row.kind == "@"), 0)


__all__ = ["Row", "drawn", "first_row", "head_of", "line_of", "plain", "rows", "summary"]
