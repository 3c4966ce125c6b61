"""A conversation as a window over its turns: only those in sight are laid out, only those near are held.

Where the window stands is a turn and a row of it, so that turns loaded or unfolded above it move nothing.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from memex_tui.render.line import Line
from memex_tui.render.transcript import Turn, TurnMark, is_folding, lay_out

HELD = 1_200  # turns in memory before those far from the window go
NEAR = 400  # turns around the window that stay then
BEFORE, AFTER = 30, 70  # turns asked for around those in sight
LAID_OUT = 500  # turns whose lines are kept


class TalkRow(NamedTuple):
    """A row in sight: row ``row`` of the turn at place ``index``."""

    index: int
    row: int
    line: Line


class Talk:
    """Turns by their place (0 for the first). ``numbers`` are their numbers, which may have gaps."""

    def __init__(self, numbers: Sequence[int] = (), cells: int = 80) -> None:
        self.numbers = numbers
        self.top = 0  # the turn at the top of the window
        self.inside = 0  # its rows above the window
        self._cells = cells
        self._turns: dict[int, Turn] = {}
        self._lines: OrderedDict[int, list[Line]] = OrderedDict()
        self._marks: Mapping[int, TurnMark] = {}
        self._turned: set[int] = set()  # places whose fold is not as all others are
        self._open = False
        self._digits = len(str(numbers[-1])) if numbers else 1

    @property
    def count(self) -> int:
        return len(self.numbers)

    def index_of(self, number: int) -> int:
        """The place of a turn; of the one after it when there is none with this number."""
        return max(min(bisect_left(self.numbers, number), self.count - 1), 0)

    def has(self, number: int) -> bool:
        """Whether there is a turn with this number."""
        return bool(self.count) and self.numbers[self.index_of(number)] == number

    # -- turns --------------------------------------------------------------------------------

    def turn(self, index: int) -> Turn | None:
        """The turn, None while it is not loaded."""
        return self._turns.get(index)

    def put(self, turns: Iterable[Turn], first: int, last: int) -> None:
        """Take the turns numbered ``first`` to ``last``; one that is not among them cannot be read."""
        found = {turn.number: turn for turn in turns}
        for index in range(self.index_of(first), self.count):
            number = self.numbers[index]
            if number > last:
                break
            self._turns[index] = found.get(number) or Turn(number, "lost", "?", "This turn cannot be read.")
            self._lines.pop(index, None)
        if len(self._turns) > HELD:
            self._turns = {at: turn for at, turn in self._turns.items() if abs(at - self.top) <= NEAR}
            self._lines.clear()

    def wanted(self, room: int, asked: tuple[int, int] | None = None) -> tuple[int, int] | None:
        """The numbers of the first and the last turn to load for what is in sight. None: all is there, or
        among those that are ``asked`` for already."""
        if not self.count:
            return None
        seen = [row.index for row in self.rows(room)] or [self.top]
        first, last = asked or (0, -1)
        if all(index in self._turns or first <= self.numbers[index] <= last for index in (*seen, self.top)):
            return None
        start, stop = max(seen[0] - BEFORE, 0), min(seen[-1] + AFTER, self.count - 1)
        lost = [index for index in range(start, stop + 1) if index not in self._turns]
        return self.numbers[lost[0]], self.numbers[lost[-1]]

    # -- how it looks ---------------------------------------------------------------------------

    def resize(self, cells: int) -> None:
        if cells != self._cells:
            self._cells = cells
            self._lines.clear()

    def set_marks(self, marks: Mapping[int, TurnMark]) -> None:
        """Marks by the turns' numbers."""
        changed = {n for n in {*marks, *self._marks} if marks.get(n) != self._marks.get(n)}
        self._marks = marks
        for index in [index for index in self._lines if self.numbers[index] in changed]:
            del self._lines[index]

    def mark(self, index: int) -> TurnMark | None:
        return self._marks.get(self.numbers[index])

    @property
    def marked(self) -> Iterable[int]:
        """The numbers of the turns that have a mark."""
        return self._marks

    def folded(self, index: int) -> bool:
        """Whether a tool call is one line: all are or none, but for those turned by hand or cited."""
        mark = self.mark(index)
        cited = mark is not None and any(quote.found for quote in mark.quotes)
        return not (self._open or cited) ^ (index in self._turned)

    def fold(self, index: int) -> None:
        """Turn the fold of one turn."""
        self._turned ^= {index}
        self._lines.pop(index, None)

    @property
    def all_open(self) -> bool:
        return self._open

    def open_all(self, opened: bool) -> None:
        """Fold or unfold every tool call."""
        self._open = opened
        self._turned.clear()
        self._lines.clear()

    def lines(self, index: int) -> list[Line]:
        """The lines of a turn, one while it is not loaded."""
        lines = self._lines.get(index)
        if lines is not None:
            self._lines.move_to_end(index)
            return lines
        turn = self._turns.get(index)
        if turn is None:
            return [[(f"{self.numbers[index]:>{self._digits}} …", ("turn--pending",))]]
        folded = is_folding(turn) and self.folded(index)
        lines = lay_out(turn, self._cells, self._digits, folded=folded, mark=self.mark(index))
        self._lines[index] = lines
        if len(self._lines) > LAID_OUT:
            self._lines.popitem(last=False)
        return lines

    def height(self, index: int) -> int:
        return len(self.lines(index))

    def rows(self, room: int) -> list[TalkRow]:
        """What is in sight, at most ``room`` rows."""
        found: list[TalkRow] = []
        index, row = self.top, self.inside
        while index < self.count and len(found) < room:
            lines = self.lines(index)
            found += [TalkRow(index, at, lines[at]) for at in range(row, len(lines))]
            index, row = index + 1, 0
        return found[:room]

    # -- moving the window ------------------------------------------------------------------------

    def shift(self, rows: int, room: int) -> None:
        """Move the window by rows, as far as there are any."""
        if not self.count:
            return
        self.inside += rows
        while self.inside < 0 and self.top > 0:
            self.top -= 1
            self.inside += self.height(self.top)
        self.inside = max(self.inside, 0)
        while self.top < self.count - 1 and self.inside >= (height := self.height(self.top)):
            self.inside -= height
            self.top += 1
        self.settle(room)

    def settle(self, room: int) -> None:
        """Leave no empty rows below the last turn while there are turns above."""
        self.top = max(min(self.top, self.count - 1), 0)
        if self.count and self.count - self.top <= room:
            self.top, self.inside = min((self.top, self.inside), self.last_top(room))

    def last_top(self, room: int) -> tuple[int, int]:
        """Where the window stands when it shows the end."""
        left = room
        for index in range(self.count - 1, -1, -1):
            height = self.height(index)
            if height >= left:
                return index, height - left
            left -= height
        return 0, 0

    def put_at(self, index: int, at: int, room: int, *, row: int = 0) -> None:
        """Put row ``row`` of a turn on row ``at`` of the window."""
        self.top, self.inside = index, row
        self.shift(-at, room)

    def quote_row(self, index: int) -> int:
        """The first row of a turn that shows the current quote; 0 when none does."""
        for at, line in enumerate(self.lines(index)):
            if any("turn--current-quote" in names for _, names in line):
                return at
        return 0
