"""Texts that are no query: a prompt, a pasted paragraph. Nothing in them is a demand.

What is rare in such a text tells what it is about; of a long one only that is searched.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Sequence

from memex_core.index.analyse import Lookup, query_terms
from memex_core.index.stopwords import STOP
from memex_core.recall.query import Query, Term, match_of

LONG = 24
"""Terms of a pasted text that are searched."""

_WORD = re.compile(r"[^\W_]+")
_AT_ONCE = 500  # values in one statement


def loosened(query: Query) -> Query:
    """The same words, all of which may be missing: those of a quoted phrase each for itself, and beside an
    identifier its parts."""
    strict = [*query.phrases, *query.wholes, *(term for group in query.groups for term in group)]
    terms = [*query.terms, *(part for term in strict for part in _apart(term))]
    terms.sort(key=lambda term: term.start)
    unlike = {term.lookups: term for term in reversed(terms)}
    kept = tuple(term for term in terms if unlike[term.lookups] is term)
    return query._replace(terms=kept, phrases=(), wholes=(), groups=(), excluded=())


def _apart(term: Term) -> list[Term]:
    out: list[Term] = []
    for chunk in term.text.split():
        for one in query_terms(chunk):
            spellings = [one]
            if any(lookup.kind == "whole" for lookup in one.lookups):
                spellings += [part for piece in _WORD.findall(one.text) for part in query_terms(piece)]
            out += [
                Term(part.text, part.lookups, term.start, term.end, part.word, part.exact)
                for part in spellings
                if part.word not in STOP
            ]
    return out


def core(db: sqlite3.Connection, query: Query) -> Query:
    """The rarest of the words that are known at all, for a pasted text; its colons are no filters."""
    everything = loosened(query)
    counts = _frequencies(db, everything.terms)
    known = {term: df for term in everything.terms if (df := _df(db, counts, term))}
    rarest = sorted(known, key=known.__getitem__)[:LONG]
    rarest.sort(key=lambda term: term.start)
    exacts = tuple(dict.fromkeys(term.exact for term in rarest if term.exact))
    note = f"only the {len(rarest)} rarest of {len(everything.terms)} words were searched"
    return everything._replace(
        terms=tuple(rarest), filters=(), stopped=(), exacts=exacts, notes=(*query.notes, note)
    )


def _frequencies(db: sqlite3.Connection, terms: Sequence[Term]) -> dict[str, int]:
    """Tokens with the number of pages and passages that have them; none for those that no one has."""
    tokens = list(
        dict.fromkeys(token for term in terms for lookup in term.lookups for token in lookup.tokens)
    )
    counts: dict[str, int] = {}
    for table in ("term", "passage_term"):
        for at in range(0, len(tokens), _AT_ONCE):
            some = tokens[at : at + _AT_ONCE]
            sql = f"SELECT term, df FROM {table} WHERE term IN ({','.join('?' * len(some))})"
            for token, df in db.execute(sql, some):
                counts[token] = counts.get(token, 0) + df
    return counts


def _df(db: sqlite3.Connection, counts: dict[str, int], term: Term) -> int:
    return min(_lookup_df(db, counts, lookup) for lookup in term.lookups)


def _lookup_df(db: sqlite3.Connection, counts: dict[str, int], lookup: Lookup) -> int:
    if lookup.kind == "words":
        return min(counts.get(token, 0) for token in lookup.tokens)
    for table in ("page_fts", "passage_fts"):  # their frequencies are not kept
        sql = f"SELECT 1 FROM {table} WHERE {table} MATCH ? LIMIT 1"
        if db.execute(sql, (match_of(lookup),)).fetchone():
            return 1
    return 0
