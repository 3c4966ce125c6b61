"""Two texts that were made from one, put together line by line.

What only one side changed is taken; what both changed in the same place is a clash (Khanna, Kunal and
Pierce, "A formal investigation of diff3", 2007). Neither side is first: swapped sides give the same text.
"""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

LONGEST = 20_000
"""Lines beyond which texts are not compared: what both changed is then one clash."""


class Piece(NamedTuple):
    """Lines that stand (``clash`` is false, ``theirs`` is empty), or both sides' lines of one place."""

    clash: bool
    ours: list[str]
    theirs: list[str]


def pieces(base: Sequence[str], ours: Sequence[str], theirs: Sequence[str]) -> list[Piece]:
    """The merged text in order. Lines keep their ends."""
    found: list[Piece] = []
    at = mine = other = 0
    for start, our_start, their_start, size in _common(base, ours, theirs):
        _between(found, base[at:start], ours[mine:our_start], theirs[other:their_start])
        if size:
            found.append(Piece(False, list(base[start : start + size]), []))
        at, mine, other = start + size, our_start + size, their_start + size
    return found


def two_way(ours: Sequence[str], theirs: Sequence[str]) -> list[Piece]:
    """The same without a text that both come from: every difference is a clash."""
    found: list[Piece] = []
    matcher = SequenceMatcher(None, ours, theirs, autojunk=False)
    blocks = matcher.get_matching_blocks() if max(len(ours), len(theirs)) <= LONGEST else []
    mine = other = 0
    for i, j, size in [*blocks, (len(ours), len(theirs), 0)]:
        if i > mine or j > other:
            found.append(Piece(True, list(ours[mine:i]), list(theirs[other:j])))
        if size:
            found.append(Piece(False, list(ours[i : i + size]), []))
        mine, other = i + size, j + size
    return found


def merged(found: list[Piece], our_name: str = "ours", their_name: str = "theirs") -> tuple[str, int]:
    """The text, with the usual marks around clashes, and how many there are."""
    out: list[str] = []
    clashes = 0
    for piece in found:
        if not piece.clash:
            out += piece.ours
            continue
        clashes += 1
        out += [f"<<<<<<< {our_name}\n", *_ended(piece.ours), "=======\n"]
        out += [*_ended(piece.theirs), f">>>>>>> {their_name}\n"]
    return "".join(out), clashes


def rows(text: str) -> list[str]:
    """The lines of a text with ``\\n`` ends."""
    parts = text.split("\n")
    return [f"{part}\n" for part in parts[:-1]] + ([parts[-1]] if parts[-1] else [])


def _ended(lines: list[str]) -> list[str]:
    return [line if line.endswith("\n") else f"{line}\n" for line in lines]


def _between(found: list[Piece], base: Sequence[str], ours: Sequence[str], theirs: Sequence[str]) -> None:
    if list(ours) == list(theirs):
        kept = ours
    elif list(ours) == list(base):
        kept = theirs
    elif list(theirs) == list(base):
        kept = ours
    else:
        found.append(Piece(True, list(ours), list(theirs)))
        return
    if kept:
        found.append(Piece(False, list(kept), []))


def _common(
    base: Sequence[str], ours: Sequence[str], theirs: Sequence[str]
) -> list[tuple[int, int, int, int]]:
    """Runs of lines that all three have: (start in base, in ours, in theirs, length); the end comes last."""
    end = (len(base), len(ours), len(theirs), 0)
    if max(end) > LONGEST:
        return [end]
    mine = SequenceMatcher(None, base, ours, autojunk=False).get_matching_blocks()
    other = SequenceMatcher(None, base, theirs, autojunk=False).get_matching_blocks()
    found = []
    i = j = 0
    while i < len(mine) and j < len(other):
        start = max(mine[i].a, other[j].a)
        stop = min(mine[i].a + mine[i].size, other[j].a + other[j].size)
        if stop > start:
            found.append(
                (start, mine[i].b + start - mine[i].a, other[j].b + start - other[j].a, stop - start)
            )
        if mine[i].a + mine[i].size < other[j].a + other[j].size:
            i += 1
        else:
            j += 1
    return [*found, end]
