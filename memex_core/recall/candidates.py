"""The first stage: from a query's terms to the few dozen pages that are worth judging.

Finding rows is cheap and ranking them dear (a word in 20,000 pages: 0.5 ms and 30 ms), so the engine ranks
only where more rows are found than can be judged. What is asked gets looser until there is enough: all
terms; two terms, one of them among the rarest; one of the rarest terms, within a budget of rows.
"""

# No postponed annotations here: they make each named tuple's fields a compilation at start-up.

import math
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from memex_core.index.analyse import Lookup, query_tokens
from memex_core.index.schema import RANK
from memex_core.index.spell import candidates as spellings
from memex_core.recall.filters import PageFilter
from memex_core.recall.query import Query, Term, match_term

POOL = 60
"""Pages to judge, when up to half as many are wanted."""

ENOUGH = 20
"""Found so many, nothing looser is asked."""

BUDGET = 3_000
"""Rows that single terms may add."""

CAP = 2_000
"""Rows that the engine may rank at once."""

_HEAD = "{title names tags description headings}"
_UNKNOWN = 10  # documents assumed to hold a whole form: their frequencies are not kept
_PIVOTS = 3


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
    strict = [term for must in musts for term in must]
    counts = _frequencies(db, [*query.terms, *strict])
    terms: list[Term] = []
    absent: list[Term] = []
    corrected: dict[str, str] = {}
    for term in query.terms:
        if _df(counts, term):
            terms.append(term)
            continue
        better = "" if known is not None and known(term.word) else _respelt(db, term)
        if better:
            corrected[term.text] = better
            term = term._replace(word=better, lookups=tuple(query_tokens(better)), exact="")
            counts.update(_frequencies(db, [term]))
        (terms if better else absent).append(term)

    def needle(term: Term) -> Needle:
        df = _df(counts, term)
        idf = math.log(1 + max(0.0, pages - df + 0.5) / (df + 0.5))
        return Needle(term, match_term(term), df, idf)

    return Plan(
        tuple(map(needle, terms)),
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
    sql = f"SELECT term, df FROM term WHERE term IN ({','.join('?' * len(tokens))})"
    known: dict[str, int] = dict(db.execute(sql, tokens).fetchall())
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
    room = max(POOL, min(2 * k, 100), k)
    enough = max(ENOUGH, k)
    found: dict[int, None] = {}
    for ask in _looser(plan, allowed.narrow):
        new = [page for page in finder.rows(ask) if page not in found]
        if len(new) > room - len(found):
            new = finder.best(ask, new, room - len(found))
        found.update(dict.fromkeys(new))
        if len(found) >= enough:
            break
    return list(found)


class _Ask(NamedTuple):
    """Boolean expressions (FTS5), the first that finds not too many is taken; ``rank`` is what to rank by."""

    ways: tuple[str, ...]
    rank: str


def _looser(plan: Plan, narrow: bool) -> Iterator[_Ask]:
    """What to ask, from the strictest to the loosest."""
    loose = sorted(plan.loose, key=lambda one: one.df)
    words = [one.match for one in loose]
    must = " AND ".join(_either([one.match for one in must]) for must in plan.musts)
    rare = [one.match for one in loose if one.df <= plan.pages // 2] or words[:2]
    if must:
        if words:
            yield _Ask((f"{must} AND {' AND '.join(words)}",), f"{must} AND {_either(rare)}")
            yield _Ask((f"{must} AND {_either(words)}",), f"{must} AND {_either(rare)}")
        yield _Ask((must,), must)
        return
    yield _Ask((" AND ".join(words),), " AND ".join(rare))
    if len(words) == 1:
        return
    if len(words) > 2:
        ways = tuple(_pairs(words, pivots) for pivots in range(min(_PIVOTS, len(words) - 1), 0, -1))
        yield _Ask(ways, _either(rare))
    chosen: list[str] = []
    spent = 0
    for one in loose:
        if chosen and spent + one.df > BUDGET:
            break
        chosen.append(one.match)
        spent += one.df
    yield _Ask((_either(chosen),), _either(chosen))
    if narrow and len(chosen) < len(words):  # what is common elsewhere may be all there is here
        yield _Ask((_either(words),), _either(rare))


def _pairs(words: Sequence[str], pivots: int) -> str:
    """Two of the words, one of them among the first ``pivots``."""
    return " OR ".join(f"({words[i]} AND {_either(words[i + 1 :])})" for i in range(pivots))


def _either(parts: Sequence[str]) -> str:
    return parts[0] if len(parts) == 1 else f"({' OR '.join(parts)})"


class _Finder:
    """Runs expressions against the pages that are allowed."""

    def __init__(self, db: sqlite3.Connection, plan: Plan, allowed: PageFilter, cap: int) -> None:
        self.db, self.plan, self.allowed, self.cap = db, plan, allowed, cap

    def rows(self, ask: _Ask) -> list[int]:
        """Pages that hold what is asked; where there are very many, those that say it in their head
        (title, tags, headings …) and the newest."""
        for way in ask.ways:
            rows = self._select(way)
            if len(rows) <= self.cap:
                return rows
        said = self.plan.loose or tuple(one for must in self.plan.musts for one in must)
        head = f"{_HEAD} : {_either([one.match for one in said])}"
        chosen = self._select(f"({way}) AND {head}")[: self.cap]
        if len(chosen) < self.cap // 2:
            newest = self._select(way, newest=True)
            chosen = list(dict.fromkeys([*chosen, *newest]))[: self.cap]
        return chosen

    def best(self, ask: _Ask, pages: Sequence[int], count: int) -> list[int]:
        """The ``count`` of ``pages`` that the engine ranks highest."""
        among = ",".join(map(str, pages))
        sql = (
            f"SELECT rowid, {RANK} AS badness FROM page_fts WHERE page_fts MATCH ? AND +rowid IN ({among}) "
            "ORDER BY badness LIMIT ?"
        )
        return [page for page, _ in self.db.execute(sql, (ask.rank, count))]

    def _select(self, expression: str, *, newest: bool = False) -> list[int]:
        if self.plan.excluded:
            expression = f"({expression}) NOT {self.plan.excluded}"
        if self.allowed.where == "1":
            sql = "SELECT rowid FROM page_fts WHERE page_fts MATCH ?"
        else:
            sql = (
                "SELECT page_fts.rowid FROM page_fts CROSS JOIN page ON page.id = page_fts.rowid "
                f"WHERE page_fts MATCH ? AND {self.allowed.where}"
            )
        if newest:
            sql += " ORDER BY page_fts.rowid DESC"
        found = self.db.execute(f"{sql} LIMIT ?", (expression, *self.allowed.values, self.cap + 1))
        return [page for (page,) in found]
