"""Meaning beside words: cosines of items and diary entries with a query, and the two scores made one.

Whatever goes wrong with the embedder, retrieval goes on by words. It is asked again at the next query.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from array import array

    from memex_core.wikimem.matrix import Rows
    from memex_core.wikimem.vectors import Embedder, Entry, MemmapVectorIndex

T = TypeVar("T")

_log = logging.getLogger(__name__)
_REMEMBERED = 64  # queries whose vector is kept
_AHEAD = 4  # times as many rows as are wanted come in by meaning alone


class Meaning:
    """The vectors of one index. ``folder`` holds those of items, ``diary-vectors/`` in it the diary's."""

    def __init__(self, embedder: Embedder, folder: str, binary_threshold: int) -> None:
        from memex_core.wikimem.vectors import VectorCache

        self._embedder = embedder
        self._threshold = binary_threshold
        self._items = VectorCache(folder)
        self._diary = VectorCache(os.path.join(folder, "diary-vectors"))
        self._entries: Sequence[Entry] | None = None
        self._index: MemmapVectorIndex | None = None
        self._width = 0
        self._asked: dict[str, array[float]] = {}
        self._warned = False

    def sync(self, entries: Sequence[Entry]) -> bool:
        """Make the items' vectors those of ``entries``; False where that failed. Never raises."""
        self._entries, self._index = entries, None
        return self._try(self._sync) is not None

    def cosines(
        self, query: str, limit: int, items: Sequence[int], diary: Sequence[Entry]
    ) -> dict[int, float] | None:
        """Row -> cosine: of the items nearest to the query, of ``items`` whose words were found, and of all
        of ``diary``, whose rows follow the items'. None where there is no answer. Never raises."""
        return self._try(lambda: self._cosines(query, limit, items, diary))

    def _sync(self) -> bool:
        if self._entries is not None:
            _, matrix = self._items.sync(self._entries, self._embedder)
            self._index = self._over(matrix if matrix is not None else [])
            self._width = matrix.width if matrix is not None else 0
            self._entries = None
        return True

    def _cosines(
        self, query: str, limit: int, items: Sequence[int], diary: Sequence[Entry]
    ) -> dict[int, float]:
        self._sync()
        index = self._index
        assert index is not None
        asked = self._vector(query)
        if len(asked) != self._width:  # reading the keys of all rows takes longer than the search
            self._items.check(None, len(asked))
        found = dict(index.search(asked, limit * _AHEAD))
        for row in items:
            if row not in found:
                found[row] = index.similarity(asked, row)
        if diary:
            found.update(self._of_diary(asked, len(index), diary))
        return found

    def _of_diary(self, asked: array[float], first: int, diary: Sequence[Entry]) -> dict[int, float]:
        """The window's entries get their vectors when first asked for; those of other days stay."""
        from memex_core.wikimem.vectors import content_hash

        self._diary.check(None, len(asked))
        keys, matrix = self._diary.sync(diary, self._embedder, keep=True)
        rows = {key["hash"]: row for row, key in enumerate(keys)}
        index = self._over(matrix if matrix is not None else [])
        here = ((number, rows.get(content_hash(text))) for number, (_, text) in enumerate(diary, first))
        return {number: index.similarity(asked, row) for number, row in here if row is not None}

    def _over(self, matrix: Rows) -> MemmapVectorIndex:
        from memex_core.wikimem.vectors import MemmapVectorIndex

        return MemmapVectorIndex(matrix, binary_threshold=self._threshold)

    def _vector(self, query: str) -> array[float]:
        from memex_core.index.vectors.numbers import unit

        if query not in self._asked:
            if len(self._asked) >= _REMEMBERED:
                self._asked.clear()
            self._asked[query] = unit(self._embedder.embed([query])[0])
        return self._asked[query]

    def _try(self, act: Callable[[], T]) -> T | None:
        """What ``act`` returns; None where the embedder, or the disk, does not do its part."""
        from memex_core.wikimem.vectors import Mismatch

        try:
            return act()
        except Mismatch as mismatch:
            if not self._warned:
                self._warned = True
                _log.warning("%s: ranking by words alone; delete them to have them made anew", mismatch)
        except Exception as error:  # an embedder is the host's own code and may raise anything
            _log.debug("ranking by words alone: %s: %s", type(error).__name__, error)
        return None


def fused(words: Mapping[int, float], meaning: Mapping[int, float], weight: float) -> dict[int, float]:
    """Row -> ``weight`` × words + (1 − ``weight``) × meaning, each brought to 0–1 over all rows of both.

    A row that only one knows has 0 of the other; one that neither speaks for is left out.
    """
    rows = [row for row in {**words, **meaning} if words.get(row, 0) > 0 or meaning.get(row, 0) > 0]
    by_words = _scaled([words.get(row, 0.0) for row in rows])
    by_meaning = _scaled([meaning.get(row, 0.0) for row in rows])
    return {
        row: weight * one + (1 - weight) * other
        for row, one, other in zip(rows, by_words, by_meaning, strict=True)
    }


def _scaled(values: list[float]) -> list[float]:
    """Least 0, most 1; where all are equal 1 if they say anything."""
    least, most = min(values, default=0.0), max(values, default=0.0)
    if most > least:
        return [(value - least) / (most - least) for value in values]
    return [1.0 if value > 0 else 0.0 for value in values]
