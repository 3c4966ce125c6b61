"""What a proposal changes, cut into hunks that are taken or left one by one, as in ``git add -p``.

A hunk is one or more pieces: runs of lines of the old text that stand against runs of the new one.
Every choice of hunks gives a text; all of them give the proposed one, none the old one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from memex_tui.screens.page.merging import merge

NEAR = 2  # unchanged lines between two pieces of one hunk, at most
SIDES = ("new", "old", "both")


class Piece(NamedTuple):
    """Lines ``i0`` up to ``i1`` of the old text, and ``j0`` up to ``j1`` of the new one in their place."""

    i0: int
    i1: int
    j0: int
    j1: int


class Hunk(NamedTuple):
    """Pieces that are decided together. ``side`` is what is taken: ``new``, ``old`` or ``both``."""

    pieces: tuple[Piece, ...]
    side: str = "new"

    @property
    def first(self) -> Piece:
        return self.pieces[0]

    @property
    def last(self) -> Piece:
        return self.pieces[-1]


class Change:
    """Two texts and which of their differences are taken."""

    def __init__(self, before: str, after: str) -> None:
        """An empty ``before`` is a page that is not there yet. Blank lines around the new text are as
        around the old one: they are no change."""
        after = _framed(before, after)
        self._end = "" if before else after[len(after.rstrip("\n")) :]  # of a new page: it is no line of it
        after = after[: len(after) - len(self._end)]
        self.old = before.split("\n") if before else []
        self.new = after.split("\n") if after else []
        self.hunks = [Hunk(pieces) for pieces in _grouped(list(_pieces(self.old, self.new)))]

    @property
    def added(self) -> int:
        """Lines that would come."""
        return sum(one.j1 - one.j0 for hunk in self.hunks for one in hunk.pieces)

    @property
    def removed(self) -> int:
        """Lines that would go."""
        return sum(one.i1 - one.i0 for hunk in self.hunks for one in hunk.pieces)

    @property
    def whole(self) -> bool:
        """Whether everything is taken as it was proposed."""
        return all(hunk.side == "new" for hunk in self.hunks)

    @property
    def none(self) -> bool:
        """Whether every hunk is left out."""
        return bool(self.hunks) and all(hunk.side == "old" for hunk in self.hunks)

    def take(self, number: int, side: str) -> None:
        """Decide one hunk."""
        self.hunks[number] = self.hunks[number]._replace(side=side)

    def take_all(self, side: str) -> None:
        """Decide every hunk alike."""
        self.hunks = [hunk._replace(side=side) for hunk in self.hunks]

    def split(self, number: int) -> bool:
        """Cut a hunk into smaller ones, decided as it was; False when it is as small as can be."""
        hunk = self.hunks[number]
        pieces = hunk.pieces if len(hunk.pieces) > 1 else tuple(self._parts(hunk.first))
        if len(pieces) < 2:
            return False
        self.hunks[number : number + 1] = [Hunk((piece,), hunk.side) for piece in pieces]
        return True

    def _parts(self, piece: Piece) -> Iterator[Piece]:
        """A piece by paragraphs where it only adds or only removes, else line by line."""
        i0, i1, j0, j1 = piece
        if i0 == i1:
            for start, end in _paragraphs(self.new, j0, j1):
                yield Piece(i0, i0, start, end)
        elif j0 == j1:
            for start, end in _paragraphs(self.old, i0, i1):
                yield Piece(start, end, j0, j0)
        else:
            pairs = min(i1 - i0, j1 - j0)
            for at in range(pairs - 1):
                yield Piece(i0 + at, i0 + at + 1, j0 + at, j0 + at + 1)
            yield Piece(i0 + pairs - 1, i1, j0 + pairs - 1, j1)

    def text(self) -> str:
        """The text with the hunks as decided."""
        lines: list[str] = []
        at = 0
        for hunk in self.hunks:
            for piece in hunk.pieces:
                lines += self.old[at : piece.i0]
                lines += self.old[piece.i0 : piece.i1] if hunk.side != "new" else ()
                lines += self.new[piece.j0 : piece.j1] if hunk.side != "old" else ()
                at = piece.i1
        lines += self.old[at:]
        return "\n".join(lines) + (self._end if lines else "")

    def choices(self) -> list[list[int | str]]:
        """How it is cut and decided, as plain values: for each hunk its pieces, flat, then its side."""
        return [[*(end for piece in hunk.pieces for end in piece), hunk.side] for hunk in self.hunks]

    def choose(self, choices: object) -> None:
        """Cut and decide as :meth:`choices` said; what does not fit these texts is ignored."""
        found: list[Hunk] = []
        for one in choices if isinstance(choices, list) else ():
            if not isinstance(one, list) or len(one) % 4 != 1 or one[-1] not in SIDES:
                return
            ends = one[:-1]
            if not ends or not all(isinstance(end, int) for end in ends):
                return
            found.append(Hunk(tuple(Piece(*ends[at : at + 4]) for at in range(0, len(ends), 4)), one[-1]))
        if _ordered(found) and _covered(found) == _covered(self.hunks):
            self.hunks = found


def _framed(before: str, after: str) -> str:
    """The new text with the blank lines at the old one's ends."""
    if not before.strip("\n") or not after.strip("\n"):
        return after
    front = before[: len(before) - len(before.lstrip("\n"))]
    return front + after.strip("\n") + before[len(before.rstrip("\n")) :]


def _pieces(old: Sequence[str], new: Sequence[str]) -> Iterator[Piece]:
    i = j = 0
    for chunk in merge(old, new, old):
        gone, come = len(chunk.base), len(chunk.mine)
        if chunk.kind != "same":
            yield Piece(i, i + gone, j, j + come)
        i, j = i + gone, j + come


def _grouped(pieces: Sequence[Piece]) -> Iterator[tuple[Piece, ...]]:
    group: list[Piece] = []
    for piece in pieces:
        if group and piece.i0 - group[-1].i1 > NEAR:
            yield tuple(group)
            group = []
        group.append(piece)
    if group:
        yield tuple(group)


def _paragraphs(lines: Sequence[str], start: int, end: int) -> Iterator[tuple[int, int]]:
    """The paragraphs of a run of lines, each with the blank lines behind it; of one paragraph its lines."""
    runs = [(blank, len(list(run))) for blank, run in groupby(lines[start:end], lambda one: not one.strip())]
    if sum(not blank for blank, _ in runs) < 2:
        yield from ((at, at + 1) for at in range(start, end))
        return
    at = begin = start
    seen = False
    for blank, size in runs:
        if not blank and seen:
            yield begin, at
            begin = at
        seen = seen or not blank
        at += size
    yield begin, end


def _ordered(hunks: Sequence[Hunk]) -> bool:
    """Whether the pieces follow each other in both texts."""
    i = j = 0
    for one in (piece for hunk in hunks for piece in hunk.pieces):
        if not (i <= one.i0 <= one.i1 and j <= one.j0 <= one.j1):
            return False
        i, j = one.i1, one.j1
    return True


def _covered(hunks: Sequence[Hunk]) -> tuple[set[int], set[int]]:
    """The lines of both texts that hunks are about."""
    old = {at for hunk in hunks for one in hunk.pieces for at in range(one.i0, one.i1)}
    return old, {at for hunk in hunks for one in hunk.pieces for at in range(one.j0, one.j1)}
