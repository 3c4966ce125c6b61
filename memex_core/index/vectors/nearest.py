"""The stored vectors nearest to a question, in two tiers.

Up to :data:`EXACT_UP_TO` vectors each is compared in full. Above it, first by one bit a number: the sign bits
of a thousand vectors lie side by side in one row, so that a hundred thousand are read and compared in
milliseconds; the best of them are then compared in full.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from itertools import compress
from typing import TYPE_CHECKING, NamedTuple

from memex_core.index.vectors.numbers import cosine, packed, signs

if TYPE_CHECKING:
    from memex_core.index.vectors.store import Space, Vectors

EXACT_UP_TO = 1_000
"""Vectors that are compared in full: 1,000 of 768 numbers take about 30 ms in plain Python."""

RERANKED = 200
"""Vectors that the coarse tier passes on, or twice as many as are wanted."""

_SAMPLE = 64
_HANDFUL = 8


class Near(NamedTuple):
    """A stored vector and its cosine with the question."""

    id: int
    cosine: float


class Background(NamedTuple):
    """How near the question is to any text at all: models differ, some never go below 0.6.

    ``level`` is the median cosine with a sample of the stored vectors, ``spread`` how far they commonly lie
    from it.
    """

    level: float
    spread: float


def nearest(
    vectors: Vectors, space: Space, asked: array[float], k: int, *, exact_up_to: int = EXACT_UP_TO
) -> list[Near]:
    """The ``k`` nearest, nearest first. Torn vectors are left out."""
    if vectors.count(space) <= exact_up_to:
        found = vectors.all(space)
    else:
        found = vectors.by_id(space, coarse(vectors, space, asked, max(RERANKED, 2 * k)))
    near = [Near(number, cosine(asked, vector)) for number, vector in found]
    near.sort(key=lambda one: (-one.cosine, one.id))
    return near[:k]


def coarse(vectors: Vectors, space: Space, asked: array[float], k: int) -> list[int]:
    """The ids of the ``k`` vectors whose signs differ least from the question's."""
    mine = signs(packed(asked))
    wide = (space.width + 7) // 8
    read = int.from_bytes
    best: list[tuple[int, int]] = []
    for first, live, bits in vectors.sign_rows(space):
        far = [(mine ^ read(bits[at : at + wide], "big")).bit_count() for at in range(0, len(bits), wide)]
        there: Iterable[tuple[int, int]] = compress(
            zip(far, range(first, first + len(far)), strict=True), live
        )
        if len(best) == k:  # most are farther than all that were found so far
            worst = best[-1][0]
            there = (one for one in there if one[0] < worst)
        best = sorted([*best, *there])[:k]
    return [number for _, number in best]


def background(vectors: Vectors, space: Space, asked: array[float]) -> Background:
    """Measured on vectors drawn by their key, which is a hash: the same ones each time, of any texts. A
    handful of them says little, so the lowest counts, and one alone says nothing."""
    found = sorted(cosine(asked, vector) for vector in vectors.sample(space, _SAMPLE))
    if len(found) < _HANDFUL:
        return Background(found[0] if len(found) > 1 else 0.0, 0.0)
    level = found[len(found) // 2]
    off = sorted(abs(one - level) for one in found)
    return Background(level, 1.4826 * off[len(off) // 2])
