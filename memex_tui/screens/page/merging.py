"""Two texts that grew from one: what each changed, what both did, and how they go together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

_EXACT = 1_000  # lines up to which frequent lines (blank ones) are matched too


class Chunk(NamedTuple):
    """A run of lines. ``kind``: ``same``, ``mine`` or ``theirs`` (only that side changed them), ``both``
    (the same change on both sides) or ``clash``. ``line`` is its first line in ``mine``, from 1."""

    kind: str
    base: tuple[str, ...]
    mine: tuple[str, ...]
    theirs: tuple[str, ...]
    line: int

    @property
    def settled(self) -> tuple[str, ...]:
        """The lines that need no choice: the changed side's; of a clash mine."""
        return self.theirs if self.kind == "theirs" else self.mine


def merge(base: Sequence[str], mine: Sequence[str], theirs: Sequence[str]) -> list[Chunk]:
    """The lines of three texts side by side."""
    chunks: list[Chunk] = []
    b = m = t = 0
    for b0, m0, t0, size in _common_runs(base, mine, theirs):
        if (b0, m0, t0) != (b, m, t):
            chunks.append(_chunk(base[b:b0], mine[m:m0], theirs[t:t0], m + 1))
        if size:
            lines = tuple(mine[m0 : m0 + size])
            chunks.append(Chunk("same", lines, lines, lines, m0 + 1))
        b, m, t = b0 + size, m0 + size, t0 + size
    return chunks


def _chunk(base: Sequence[str], mine: Sequence[str], theirs: Sequence[str], line: int) -> Chunk:
    if mine == theirs:
        kind = "both"
    elif mine == base:
        kind = "theirs"
    elif theirs == base:
        kind = "mine"
    else:
        kind = "clash"
    return Chunk(kind, tuple(base), tuple(mine), tuple(theirs), line)


def _common_runs(
    base: Sequence[str], mine: Sequence[str], theirs: Sequence[str]
) -> Iterator[tuple[int, int, int, int]]:
    """Runs of lines that all three have: where they begin in each, and how many; the end comes last."""
    one, other = _matches(base, mine), _matches(base, theirs)
    i = j = 0
    while i < len(one) and j < len(other):
        (b1, m, size1), (b2, t, size2) = one[i], other[j]
        start, end = max(b1, b2), min(b1 + size1, b2 + size2)
        if start < end:
            yield start, m + start - b1, t + start - b2, end - start
        if b1 + size1 < b2 + size2:
            i += 1
        else:
            j += 1
    yield len(base), len(mine), len(theirs), 0


def _matches(base: Sequence[str], other: Sequence[str]) -> list[tuple[int, int, int]]:
    """Where two texts have the same lines; what they begin and end with is not compared in full."""
    size = min(len(base), len(other))
    head = next((at for at in range(size) if base[at] != other[at]), size)
    tail = next((at for at in range(size - head) if base[-1 - at] != other[-1 - at]), size - head)
    middle = base[head : len(base) - tail], other[head : len(other) - tail]
    found = [(0, 0, head)] if head else []
    if middle[0] and middle[1]:
        junk = max(map(len, middle)) > _EXACT
        matcher = SequenceMatcher(None, *middle, autojunk=junk)
        found += [(a + head, b + head, run) for a, b, run in matcher.get_matching_blocks() if run]
    if tail:
        found.append((len(base) - tail, len(other) - tail, tail))
    return found


def changes(chunks: Sequence[Chunk]) -> list[int]:
    """The numbers of the chunks that differ from the base."""
    return [number for number, chunk in enumerate(chunks) if chunk.kind != "same"]


def clashes(chunks: Sequence[Chunk]) -> list[int]:
    """The numbers of the chunks that need a choice."""
    return [number for number, chunk in enumerate(chunks) if chunk.kind == "clash"]


def merged(chunks: Sequence[Chunk], picks: Mapping[int, str]) -> list[str]:
    """The text with every chunk as picked: ``mine``, ``theirs``, ``both`` (one after the other) or
    ``base``. Chunks without a pick are settled; of a clash mine is taken."""
    lines: list[str] = []
    for number, chunk in enumerate(chunks):
        pick = picks.get(number, "")
        if pick == "mine":
            lines += chunk.mine
        elif pick == "theirs":
            lines += chunk.theirs
        elif pick == "both":
            lines += (*chunk.mine, *chunk.theirs)
        elif pick == "base":
            lines += chunk.base
        else:
            lines += chunk.settled
    return lines or [""]
