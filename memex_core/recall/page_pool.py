"""The first stage of ranking pages: the ids of those worth judging, likely best first.

All words first. When fewer pages than wanted hold them all, the pages with the rarest words, within a
budget of postings, are ranked with every word: an exact BM25 of those pages in one statement, in which
common words cost little and lose nothing. Filters hold before any limit.
"""

# No postponed annotations here: they make each named tuple's fields a compilation at start-up.

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any

from memex_core.index.schema import RANK
from memex_core.recall.filters import Condition, Filters
from memex_core.recall.query import match_term
from memex_core.recall.weigh import Needle, Weighed

POOL = 100
"""Candidates, at most, unless more hits are wanted."""

BUDGET = 3_000
"""Pages that the engine ranks: the rarest words are taken while they are in no more pages than this."""

_HOT = 2 * BUDGET  # words in more pages than this never make candidates by themselves: ranking is 2 µs a page
_COMMON = 5  # a word in more than a fifth of the pages is left to the second stage
_CHUNK = 150
_NAMED = "{title names tags}"


def candidates(db: sqlite3.Connection, weighed: Weighed, filters: Filters, k: int) -> list[int]:
    """Pages for an answer of ``k``, visible and within the filters. Raises ``sqlite3.Error``."""
    size = max(POOL, 2 * k)
    search = _Search(db, weighed, filters)
    found: dict[int, None] = dict.fromkeys(search.shown(search.strict(size), size))
    if len(found) < k and len(weighed.loose) > 1:
        for ids in search.relaxed(size):
            found.update(dict.fromkeys(search.shown(ids, size)))
            if len(found) >= k:
                break
    return list(found)[: 2 * size]


class _Search:
    """One query on its way to candidates. Ids come lazily: what is not shown costs no ranking anew."""

    def __init__(self, db: sqlite3.Connection, weighed: Weighed, filters: Filters) -> None:
        self.db, self.weighed, self.filters = db, weighed, filters
        self.few = self._few()
        self.must = " AND ".join(either(needle.match for needle in group) for group in weighed.must)
        self.rarest = sorted((needle for needle in weighed.loose if needle.df), key=lambda one: one.df)

    def _few(self) -> Condition | None:
        """The condition of the filters, when few pages fit it: then the engine looks at no others."""
        if not self.filters.selective:
            return None
        quick = [one for one in self.filters.asked if not one.slow]
        sql = " AND ".join(f"({one.sql})" for one in quick)
        values = tuple(value for one in quick for value in one.values)
        count = f"SELECT count(*) FROM (SELECT 1 FROM page p WHERE {sql} LIMIT {BUDGET + 1})"
        return Condition(sql, values) if self.db.execute(count, values).fetchone()[0] <= BUDGET else None

    def shown(self, ids: Iterable[int], size: int) -> Iterator[int]:
        """Those of ``ids`` that may be shown, in the same order, ``size`` at most."""
        where = self.filters.where
        left = size
        ids = iter(ids)
        while left > 0 and (some := list(islice(ids, _CHUNK))):
            sql = f"SELECT p.id FROM page p WHERE p.id IN ({','.join('?' * len(some))}) AND {where.sql}"
            fit = {page for (page,) in self.db.execute(sql, (*some, *where.values))}
            for page in some:
                if page in fit and left > 0:
                    left -= 1
                    yield page

    def strict(self, size: int) -> Iterable[int]:
        """Pages that hold all that was asked."""
        if any(not needle.df for needle in self.weighed.loose):
            return ()
        counts = [needle.df for needle in self.weighed.loose]
        counts += [sum(needle.df for needle in group) for group in self.weighed.must]
        match = " AND ".join([*([self.must] if self.must else []), *(one.match for one in self.weighed.loose)])
        return self._best(match, min(counts), size)

    def relaxed(self, size: int) -> Iterator[Iterable[int]]:
        """Pages that hold some of the words, in ever wider circles."""
        if self.must:
            counts = [sum(needle.df for needle in group) for group in self.weighed.must]
            loose = [needle.match for needle in self.rarest]
            yield self._best(f"({self.must}) AND {either([self.must, *loose])}", min(counts), size)
            return
        chosen: list[Needle] = []
        spent = 0
        for needle in self.rarest:
            if chosen and (spent + needle.df > BUDGET and self.few is None):
                break
            chosen.append(needle)
            spent += needle.df
        if not chosen:
            return
        if spent <= _HOT or self.few is not None:
            yield self._ranked(self._ranking(chosen), either(one.match for one in chosen))
        else:
            pair = " AND ".join(one.match for one in self.rarest[:2])
            yield self._best(pair, self.rarest[0].df, size)
        for needle in self.rarest:  # most of what was found is hidden, or the words are everywhere
            yield self._best(needle.match, needle.df, size)

    def _ranking(self, chosen: Sequence[Needle]) -> str:
        """The words to rank with: those chosen and the others that are not everywhere."""
        limit = self.weighed.total // _COMMON
        ranking = [one.match for one in self.rarest if one in chosen or one.df <= limit]
        return either(ranking)

    def _best(self, match: str, most: int, size: int) -> Iterable[int]:
        """The pages that match, ``most`` of them at most: ranked, unless they are few or far too many."""
        if self.few is not None:
            return self._ranked(match)
        if most <= size:
            return self._ids(match)
        if most <= _HOT:
            return self._ranked(match)
        some = list(islice(self._ids(match), BUDGET + 1))
        if len(some) <= size:
            return some
        if len(some) <= BUDGET:
            return self._ranked(match)
        return self._hot(match)

    def _hot(self, match: str) -> Iterator[int]:
        """Words that are everywhere: pages named by them, then the newest."""
        named = list(islice(self._ids(f"{_NAMED} : ({match})"), BUDGET + 1))
        if len(named) <= BUDGET:
            yield from self._ranked(f"{_NAMED} : ({match})")
        else:
            yield from named
        yield from self._ids(match, "ORDER BY rowid DESC")

    def _ids(self, match: str, order: str = "") -> Iterator[int]:
        sql = f"SELECT rowid FROM page_fts WHERE page_fts MATCH ? {order}"
        return (page for (page,) in self.db.execute(sql, (self._without(match),)))

    def _ranked(self, match: str, among: str = "") -> Iterator[int]:
        """The ids of the pages that match, best first; ``among`` (FTS5) limits them further."""
        where, values = "", [self._without(match)]
        if among and among != match:  # the plus keeps the engine from starting anew for each page
            where += " AND +rowid IN (SELECT rowid FROM page_fts WHERE page_fts MATCH ?)"
            values.append(among)
        if self.few is not None:
            where += f" AND +rowid IN (SELECT p.id FROM page p WHERE {self.few.sql})"
            values += self.few.values
        sql = f"SELECT rowid, {RANK} AS rank_ FROM page_fts WHERE page_fts MATCH ?{where} ORDER BY rank_"
        return (page for page, _ in self.db.execute(sql, values))

    def _without(self, match: str) -> str:
        excluded = self.weighed.query.excluded
        return f"({match}) NOT {either(map(match_term, excluded))}" if excluded else match


def either(parts: Iterable[str]) -> str:
    """FTS5: any of the parts."""
    listed = list(parts)
    return listed[0] if len(listed) == 1 else f"({' OR '.join(listed)})"


__all__: Sequence[Any] = ["BUDGET", "POOL", "candidates", "either"]
