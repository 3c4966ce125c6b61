"""A query that is still being typed: its last word may be only the beginning of one.

What the query says as it stands comes first; behind it comes what it would say if its last word were
one of the frequent words that begin so.
"""

from __future__ import annotations

import sqlite3

from memex_core.memex import Memex
from memex_core.model.results import Hit, RecallResult
from memex_core.recall.query import Query, Term, parse

WORDS = 6  # words that a beginning is tried as
SHORTEST = 2  # letters of a beginning
_TABLES = (
    "SELECT word, df FROM word WHERE word > ? AND word < ? ORDER BY df DESC LIMIT ?",
    "SELECT w.word, t.df FROM passage_word w JOIN passage_term t USING (term) "
    "WHERE w.word > ? AND w.word < ? "
    "ORDER BY t.df DESC LIMIT ?",
)


def find(memex: Memex, text: str, k: int, *, typing: bool = True) -> RecallResult:
    """The best ``k`` hits for a query; with ``typing`` its last word may go on. Uses are not counted."""
    from memex_core.recall.options import Options
    from memex_core.recall.recall import search
    from memex_core.recall.snippet import visible

    store = memex.store
    index, config = store.index, store.config
    options = Options(k=k, explain=True, count=False, expand=config.recall.expand)
    asked = parse(text)
    result = search(index, asked, options)
    if typing and (len(result["hits"]) < k or result["relaxed"]):
        wider = asked
        for term in _unfinished(index.db, asked, nothing=not result["hits"]):
            if words := _going_on(index.db, term.word):
                wider = _with(wider, term, words)
        if wider is not asked:
            result = _joined(result, search(index, wider, options), k)
    result["stale"] = store.stale
    result["warnings"] = [*result["warnings"], *(visible(one) for one in store.warnings)]
    return result


def _unfinished(db: sqlite3.Connection, query: Query, *, nothing: bool) -> list[Term]:
    """The plain words of the query that may only be begun: the one at its end, and, when it found
    ``nothing``, those that no text has."""
    plain = [term for term in query.terms if len(term.word) >= SHORTEST and not term.quoted]
    return [term for term in plain if term.end == len(query.text) or (nothing and not _known(db, term.word))]


def _known(db: sqlite3.Connection, word: str) -> bool:
    tables = ("word", "passage_word")
    return any(db.execute(f"SELECT 1 FROM {table} WHERE word = ?", (word,)).fetchone() for table in tables)


def _going_on(db: sqlite3.Connection, beginning: str) -> list[str]:
    """The most frequent words that begin so and are longer."""
    found: dict[str, int] = {}
    for select in _TABLES:
        for word, df in db.execute(select, (beginning, beginning + "\U0010ffff", WORDS)):
            found[word] = found.get(word, 0) + df
    return sorted(found, key=lambda word: (-found[word], word))[:WORDS]


def _with(query: Query, term: Term, words: list[str]) -> Query:
    """The query with ``term`` or any of ``words`` in its place."""
    either = parse(" OR ".join([term.word, *words])).groups
    if len(either) != 1:  # a word that is none to the parser
        return query
    kept = tuple(one for one in query.terms if one is not term)
    return query._replace(terms=kept, groups=(*query.groups, either[0]))


def _joined(plain: RecallResult, wider: RecallResult, k: int) -> RecallResult:
    """Hits that hold the query as typed, then those of the wider one, then the rest."""
    full = [] if plain["relaxed"] or plain["corrected"] else plain["hits"]
    hits: dict[tuple[str, str, str], Hit] = {}
    for hit in (*full, *wider["hits"], *(plain["hits"] if not wider["hits"] else ())):
        hits.setdefault((hit["kind"], hit["file_path"], hit["slug"]), hit)
    first = plain if full or not wider["hits"] else wider
    kept = list(hits.values())[:k]
    for rank, hit in enumerate(kept, 1):
        hit["rank"] = rank
    took = plain["search_time_ms"] + wider["search_time_ms"]
    corrected = plain["corrected"] if not wider["hits"] else {}
    return {**first, "query": plain["query"], "hits": kept, "search_time_ms": took, "corrected": corrected}
