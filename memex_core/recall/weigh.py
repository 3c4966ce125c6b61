"""What the words of a query are worth on pages: how common each is, and what a misspelt one means."""

# No postponed annotations here: they make each named tuple's fields a compilation at start-up.

import math
import sqlite3
from collections.abc import Sequence
from typing import NamedTuple

from memex_core.index.analyse import Lookup, query_tokens
from memex_core.index.schema import average_words, count_pages
from memex_core.recall.query import Query, Term, match_term

_COUNTED_UP_TO = 3_000


class Needle(NamedTuple):
    """One thing asked for: how to find it, in how many pages it is (at most), and what it weighs."""

    term: Term
    match: str
    df: int
    idf: float
    spans: tuple[tuple[str, bool], ...]  # (text to find in " tokens ", whether in the whole forms)


class Weighed(NamedTuple):
    """A query ready to be ranked: ``loose`` may be missing in a page, of each of ``must`` one is there."""

    query: Query
    loose: tuple[Needle, ...]
    must: tuple[tuple[Needle, ...], ...]
    corrected: dict[str, str]
    total: int
    average: float

    @property
    def every(self) -> tuple[Needle, ...]:
        return (*self.loose, *(needle for group in self.must for needle in group))


def weigh(db: sqlite3.Connection, query: Query) -> Weighed:
    """Look up how common the words are; a word that no page holds is searched as its likely spelling."""
    total = count_pages(db)
    terms, corrected = [], {}
    for term in query.terms:
        better = _repaired(db, term)
        if better:
            corrected[term.text] = better
            term = term._replace(word=better, lookups=tuple(query_tokens(better)))
        terms.append(term)
    loose = tuple(_needle(db, term, total) for term in terms)
    groups = [(term,) for term in (*query.phrases, *query.wholes)] + list(query.groups)
    must = tuple(tuple(_needle(db, term, total) for term in group) for group in groups)
    return Weighed(query, loose, must, corrected, total, average_words(db))


def _repaired(db: sqlite3.Connection, term: Term) -> str:
    """The known word that ``term`` is a slip of; empty when it is known itself."""
    if not term.word or any(_frequency(db, lookup) for lookup in term.lookups):
        return ""
    from memex_core.index.spell import SHORTEST, candidates

    if len(term.word) < SHORTEST or _spoken(db, term):
        return ""

    def known(words: Sequence[str]) -> dict[str, int]:
        marks = ",".join("?" * len(words))
        found = db.execute(f"SELECT w.word, t.df FROM word w JOIN term t USING (term) WHERE word IN ({marks})", words)
        return dict(found.fetchall())

    near = candidates(term.word, known)
    return near[0][0] if near else ""


def _spoken(db: sqlite3.Connection, term: Term) -> bool:
    """Whether conversations know the word: then it is no slip."""
    token = term.lookups[0].tokens[0]
    return db.execute("SELECT 1 FROM passage_term WHERE term = ?", (token,)).fetchone() is not None


def _needle(db: sqlite3.Connection, term: Term, total: int) -> Needle:
    df = min(_frequency(db, lookup) for lookup in term.lookups)
    idf = math.log(1 + max(0.0, total - df + 0.5) / (df + 0.5))
    spans = tuple(
        (f" {' '.join(lookup.tokens)}{'' if lookup.kind == 'prefix' else ' '}", lookup.kind == "whole")
        for lookup in term.lookups
    )
    return Needle(term, match_term(term), df, idf, spans)


def _frequency(db: sqlite3.Connection, lookup: Lookup) -> int:
    """In how many pages the lookup can be found, at most; exact for a single word."""
    if lookup.kind == "whole":
        return _counted(db, lookup.tokens[0])
    counts = [_df(db, token) for token in lookup.tokens]
    if lookup.kind == "prefix":
        low = lookup.tokens[-1]
        last = db.execute(
            "SELECT coalesce(sum(df), 0) FROM term WHERE term >= ? AND term < ?", (low, low + "\U0010ffff")
        ).fetchone()[0]
        counts[-1] = min(last, count_pages(db))
    return min(counts)


def _df(db: sqlite3.Connection, token: str) -> int:
    row = db.execute("SELECT df FROM term WHERE term = ?", (token,)).fetchone()
    return row[0] if row else 0


def _counted(db: sqlite3.Connection, token: str) -> int:
    """Pages with a whole form, counted up to the budget: those are not in the table of terms."""
    match = match_term(Term("", (Lookup("whole", (token,)),), 0, 0))
    found: int = db.execute(
        "SELECT count(*) FROM (SELECT 1 FROM page_fts WHERE page_fts MATCH ? LIMIT ?)", (match, _COUNTED_UP_TO)
    ).fetchone()[0]
    return found
