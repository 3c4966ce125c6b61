"""The first stage: from a query's terms to the few dozen pages that are worth judging.

Finding rows is cheap and ranking them dear (a word in 20,000 pages: 0.5 ms and 30 ms), so the engine ranks
only where more rows are found than can be judged, and never more than :data:`CAP`. What is asked gets
looser until there is enough: all terms; two terms, one of them among the rarest, or a very rare one;
one of the rarest terms, within a budget of rows.
"""

# No postponed annotations here: they make each named tuple's fields a compilation at start-up.

import math
import sqlite3
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from memex_core.index.analyse import Lookup, query_tokens
from memex_core.index.schema import RANK
from memex_core.index.spell import candidates as spellings
from memex_core.recall.filters import PageFilter
from memex_core.recall.query import Query, Term, match_term

POOL = 60
"""Pages to judge, when up to half as many are wanted."""

MOST = 64
"""Pages to judge, where judging them costs less than choosing among them."""

ENOUGH = 20
"""Found so many, nothing looser is asked."""

BUDGET = 3_000
"""Rows that single terms may add."""

CAP = 1_500
"""Rows that the engine may rank at once."""

BURST = 2.0
"""How much oftener words stand together on a page than chance would have it."""

PIVOTS = 3
"""Rarest terms of which one must be in a pair."""

ALONE = 100
"""Pages up to which a rare term needs no second one beside it."""

PAIRED = 8
"""Rarest terms that pairs are made of."""

_HEAD = "{title names tags description headings}"
_AT_ONCE = 500  # values in one statement
_UNKNOWN = 10  # documents assumed to hold a whole form: their frequencies are not kept


class Needle(NamedTuple):
    """A term with what it takes to find and to weigh it; ``df`` in how many pages it is, at most."""

    term: Term
    match: str
    df: int
    idf: float


class Plan(NamedTuple):
    """A query made ready. ``loose`` may be missing in a page, of each of ``musts`` one must be there, pages
    with ``excluded`` (FTS5) are left out. ``absent`` are terms that no page has; ``corrected`` maps
    misspelt words to what is searched instead. ``pages`` is the number of pages in the index."""

    loose: tuple[Needle, ...]
    musts: tuple[tuple[Needle, ...], ...]
    excluded: str
    absent: tuple[Term, ...]
    corrected: dict[str, str]
    pages: int

    @property
    def impossible(self) -> bool:
        """Nothing can be found: what must be there is nowhere, or no term is known."""
        return not (self.loose or self.musts) or any(all(not one.df for one in must) for must in self.musts)


def plan_of(
    db: sqlite3.Connection, query: Query, pages: int, known: Callable[[str], bool] | None = None
) -> Plan:
    """Weigh the query's terms and repair spelling. ``known`` says of a word that no page has that it is
    right all the same (it was said in a conversation)."""
    musts = [(term,) for term in (*query.phrases, *query.wholes)] + list(query.groups)
    counts = _frequencies(db, [*query.terms, *(term for must in musts for term in must)])
    terms = list(query.terms)
    absent: list[Term] = []
    corrected: dict[str, str] = {}
    for at, term in enumerate(terms):
        if not _df(counts, term):
            better = "" if known is not None and known(term.word) else _respelt(db, term)
            if not better:
                absent.append(term)
                continue
            corrected[term.text] = better
            terms[at] = term._replace(word=better, lookups=tuple(query_tokens(better)), exact="")
            counts.update(_frequencies(db, [terms[at]]))

    def needle(term: Term) -> Needle:
        df = min(_df(counts, term), pages)
        idf = math.log(1 + (pages - df + 0.5) / (df + 0.5))
        return Needle(term, match_term(term), df, idf)

    return Plan(
        tuple(needle(term) for term in terms if term not in absent),
        tuple(tuple(map(needle, must)) for must in musts),
        _either([match_term(term) for term in query.excluded]) if query.excluded else "",
        tuple(absent),
        corrected,
        pages,
    )


def _frequencies(db: sqlite3.Connection, terms: Iterable[Term]) -> dict[Lookup, int]:
    """For each lookup in how many pages it can be, at most."""
    lookups = dict.fromkeys(lookup for term in terms for lookup in term.lookups)
    tokens = list(dict.fromkeys(token for lookup in lookups for token in lookup.tokens))
    known: dict[str, int] = {}
    for at in range(0, len(tokens), _AT_ONCE):
        some = tokens[at : at + _AT_ONCE]
        sql = f"SELECT term, df FROM term WHERE term IN ({','.join('?' * len(some))})"
        known.update(db.execute(sql, some).fetchall())
    return {lookup: _frequency(db, lookup, known) for lookup in lookups}


def _frequency(db: sqlite3.Connection, lookup: Lookup, known: dict[str, int]) -> int:
    last = lookup.tokens[-1]
    if lookup.kind == "whole":
        # The frequencies of forms with ASCII punctuation are not kept.
        return known.get(last, 0) if all(c.isalnum() or c > "\x7f" for c in last) else _UNKNOWN
    counts = [known.get(token, 0) for token in lookup.tokens]
    if lookup.kind == "prefix":
        sql = "SELECT coalesce(sum(df), 0) FROM term WHERE term >= ? AND term < ?"
        counts[-1] = db.execute(sql, (last, last + "\U0010ffff")).fetchone()[0]
    return min(counts)


def _df(counts: dict[Lookup, int], term: Term) -> int:
    return min(counts[lookup] for lookup in term.lookups)


def _respelt(db: sqlite3.Connection, term: Term) -> str:
    def lookup(words: Sequence[str]) -> dict[str, int]:
        marks = ",".join("?" * len(words))
        sql = f"SELECT w.word, t.df FROM word w JOIN term t ON t.term = w.term WHERE w.word IN ({marks})"
        return dict(db.execute(sql, list(words)).fetchall())

    near = spellings(term.word, lookup) if term.word else []
    return near[0][0] if near else ""


def candidates(db: sqlite3.Connection, plan: Plan, allowed: PageFilter, k: int) -> list[int]:
    """The ids of the pages to judge for an answer of ``k``, in no order."""
    if plan.impossible:
        return []
    finder = _Finder(db, plan, allowed, max(CAP, 2 * k))
    most = max(MOST, min(2 * k, 100), k)
    pool = max(POOL, min(2 * k, 100), k)
    enough = max(ENOUGH, k)
    found: dict[int, None] = {}
    for ask in _looser(plan, allowed.narrow):
        pages = finder.few(ask.ways[0], most) if not found and ask.expected[0] < most else None
        if pages is None:
            pages = finder.best(ask, pool - len(found), found)
        found.update(dict.fromkeys(pages))
        if len(found) >= enough:
            break
        enough = pool  # having lost strictness, judge as many as may be
    return list(found)


class _Ask(NamedTuple):
    """Boolean expressions (FTS5), the strictest last, each with the number of pages expected."""

    ways: tuple[str, ...]
    expected: tuple[float, ...]


def _looser(plan: Plan, narrow: bool) -> Iterator[_Ask]:
    """What to ask, from the strictest to the loosest."""
    loose = sorted(plan.loose, key=lambda one: one.df)
    words = [one.match for one in loose]
    must = " AND ".join(_either([one.match for one in must]) for must in plan.musts)
    if must:
        if words:
            yield _Ask((f"{must} AND {' AND '.join(words)}",), (0,))
            yield _Ask((f"{must} AND {_either(words)}",), (0,))
        yield _Ask((must,), (min(sum(one.df for one in must) for must in plan.musts),))
        return
    yield _Ask((" AND ".join(words),), (_expected(loose, plan.pages),))
    if len(words) == 1:
        return
    if len(words) > 2:
        pivots = range(min(PIVOTS, len(words) - 1), 0, -1)
        asks = [_pairs(loose[:PAIRED], count, plan.pages) for count in pivots]
        yield _Ask(tuple(way for way, _ in asks), tuple(expected for _, expected in asks))
    chosen = _rarest(loose)
    yield _Ask((_either(words[:chosen]),), (0,))
    if narrow and chosen < len(words):  # what is common elsewhere may be all there is here
        yield _Ask((_either(words),), (0,))


def _rarest(loose: Sequence[Needle]) -> int:
    """How many of the rarest terms stay within the budget of rows; at least one."""
    spent = 0
    for count, one in enumerate(loose):
        spent += one.df
        if spent > BUDGET:
            return max(1, count)
    return len(loose)


def _pairs(loose: Sequence[Needle], pivots: int, pages: int) -> tuple[str, float]:
    """Two of the terms, one of them among the first ``pivots`` (alone, if it is very rare: it weighs more
    than two common ones); and the number of pages expected."""
    parts: list[str] = []
    expected = 0.0
    for i in range(pivots):
        one, others = loose[i], loose[i + 1 :]
        if expected + one.df <= ALONE:
            parts.append(one.match)
            expected += one.df
        else:
            parts.append(f"({one.match} AND {_either([other.match for other in others])})")
            expected += sum(_expected((one, other), pages) for other in others)
    return " OR ".join(parts), expected


def _expected(together: Sequence[Needle], pages: int) -> float:
    """About how many pages have all of these terms."""
    if len(together) == 1:
        return together[0].df
    chance = float(pages)
    for one in together:
        chance *= one.df / (pages or 1)
    return min(BURST * chance, min(one.df for one in together))


def _either(parts: Sequence[str]) -> str:
    return parts[0] if len(parts) == 1 else f"({' OR '.join(parts)})"


class _Finder:
    """Runs expressions against the pages that are allowed.

    What is merely hidden is taken out of what was found (looking up a page costs as much as ranking it),
    other filters are part of the statement.
    """

    def __init__(self, db: sqlite3.Connection, plan: Plan, allowed: PageFilter, cap: int) -> None:
        self.db, self.plan, self.allowed, self.cap = db, plan, allowed, cap
        self.within = allowed.narrow

    def few(self, expression: str, most: int) -> list[int] | None:
        """The pages that hold what is asked; None when there are more than ``most``."""
        rows = self._run("page_fts.rowid", expression, most + 1)
        return None if len(rows) > most else list(self._allowed([page for (page,) in rows]))

    def best(self, ask: _Ask, count: int, known: Container[int] = ()) -> list[int]:
        """Of the pages that hold what is asked the ``count`` that the engine ranks highest, without those
        that are known. Where very many do, only those are ranked that say it in their head (title, tags,
        headings …), and the newest fill up."""
        for way, expected in zip(ask.ways, ask.expected, strict=True):
            if expected > self.cap and not self.within:
                continue
            ranked = self._ranked(way)
            if len(ranked) <= self.cap:
                return self._first(ranked, count, known)
        found = self._of_many(ask.ways[-1], count, known)
        if len(found) < count and not self.within and self.allowed.where != "1":
            self.within = True  # nearly all are hidden: look at the others only
            found = self._of_many(ask.ways[-1], count, known)
        return found

    def _of_many(self, way: str, count: int, known: Container[int]) -> list[int]:
        found = self._first(self._ranked(self._in_head(way)), count, known)
        if len(found) < count:
            newest = self._run("page_fts.rowid", way, self.cap, " ORDER BY page_fts.rowid DESC")
            among = dict.fromkeys(page for (page,) in newest)
            found += self._first([page for page in among if page not in found], count - len(found), known)
        return found

    def _in_head(self, way: str) -> str:
        said = [one.match for one in self.plan.loose] or [
            one.match for must in self.plan.musts for one in must
        ]
        head = f"{_HEAD} : ({' OR '.join(said)})"
        return head if way == said[0] else f"({way}) AND {head}"

    def _ranked(self, expression: str) -> list[int]:
        rows = self._run(f"page_fts.rowid, {RANK}", expression, self.cap + 1)
        rows.sort(key=lambda row: row[1])
        return [page for page, _ in rows]

    def _first(self, pages: list[int], count: int, known: Container[int]) -> list[int]:
        """The first ``count`` of ``pages`` that are allowed and not known."""
        out: list[int] = []
        fresh = [page for page in pages if page not in known]
        for at in range(0, len(fresh), 2 * count):
            out += self._allowed(fresh[at : at + 2 * count])
            if len(out) >= count:
                break
        return out[:count]

    def _allowed(self, pages: list[int]) -> list[int]:
        if self.within or self.allowed.where == "1" or not pages:
            return pages
        sql = f"SELECT id FROM page WHERE id IN ({','.join('?' * len(pages))}) AND {self.allowed.where}"
        shown = {page for (page,) in self.db.execute(sql, (*pages, *self.allowed.values))}
        return [page for page in pages if page in shown]

    def _run(self, columns: str, expression: str, limit: int, order: str = "") -> list[tuple[Any, ...]]:
        if self.plan.excluded:
            expression = f"({expression}) NOT {self.plan.excluded}"
        sql = f"SELECT {columns} FROM page_fts WHERE page_fts MATCH ?"
        values: tuple[str, ...] = ()
        if self.within:
            # CROSS: with the tables the other way round the engine would start anew for every page.
            sql = (
                f"SELECT {columns} FROM page_fts CROSS JOIN page ON page.id = page_fts.rowid "
                f"WHERE page_fts MATCH ? AND {self.allowed.beside_match}"
            )
            values = self.allowed.values
        return self.db.execute(f"{sql}{order} LIMIT ?", (expression, *values, limit)).fetchall()
