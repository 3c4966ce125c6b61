"""A search over everything while its query is being typed: the last word may be only the beginning of one.

What the query says as it stands comes first; behind it comes what it would say if its last word were
one of the frequent words that begin so.
"""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING

from memex_core.index.failing import failure
from memex_core.recall.options import Options
from memex_core.recall.query import Query, Term, parse
from memex_core.recall.recall import search, sound
from memex_core.recall.window import gated

if TYPE_CHECKING:
    from memex_core.index.index import Index
    from memex_core.model.results import Hit, RecallResult

WORDS = 6
"""Words that a beginning is tried as."""

SHORTEST = 2
"""Letters of a beginning."""

_LAST = "\U0010ffff"
_VOCABULARIES = (
    "SELECT word, df FROM word WHERE word > ? AND word < ? ORDER BY df DESC LIMIT ?",
    "SELECT w.word, t.df FROM passage_word w JOIN passage_term t USING (term) "
    "WHERE w.word > ? AND w.word < ? ORDER BY t.df DESC LIMIT ?",
)


def search_unfinished(index: Index, text: str, options: Options) -> RecallResult:
    """Like :func:`memex_core.recall.recall.search`, for a query that may go on.

    Where there are fewer than ``options.k`` hits, those of the query with its last word completed follow;
    where there are none, other words that no text has are completed too. Quoted words are left as they
    are. Raises what ``search`` raises.
    """
    try:
        return gated(sound(text), options, lambda text, options: _search(index, text, options), index.find)
    except sqlite3.Error as error:
        raise failure(error) from error


def _search(index: Index, text: str, options: Options) -> RecallResult:
    asked = parse(text)
    result = search(index, asked, options)
    if len(result["hits"]) >= options.k and not result["relaxed"]:
        return result
    try:
        wider = _wider(index.db, asked, nothing=not result["hits"])
    except sqlite3.Error as error:
        raise failure(error) from error
    return result if wider is asked else _joined(result, search(index, wider, options), options.k)


def _wider(db: sqlite3.Connection, asked: Query, *, nothing: bool) -> Query:
    """The query with its unfinished words completed; the same object where there are none."""
    wider = asked
    for term in _unfinished(db, asked, nothing=nothing):
        if words := _going_on(db, term.word):
            wider = _with(wider, term, words)
    return wider


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
    for select in _VOCABULARIES:
        for word, df in db.execute(select, (beginning, beginning + _LAST, WORDS)):
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
