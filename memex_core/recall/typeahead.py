"""Pages as they are typed: the names that begin so first, then names and texts that hold the words.

The last word is the beginning of one. An engine's prefix query over one or two letters costs up to a
second; here the beginning is completed to the commonest words of the vocabulary that begin so.
"""

# No postponed annotations here: they make each named tuple's fields a compilation at start-up.

import json
import sqlite3
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from memex_core.index.analyse import folded
from memex_core.index.schema import RANK, count_pages
from memex_core.model import clock
from memex_core.model.names import KEY_LENGTH, squash
from memex_core.recall.filters import PageFilter, page_filter
from memex_core.recall.options import Options
from memex_core.recall.query import Query, Term, build_match, match_term, parse, quoted

if TYPE_CHECKING:
    from memex_core.index.index import Index

COMPLETIONS = 6
"""Words that the beginning of a word is completed to."""

MIDDLE_UP_TO = 20_000
"""Pages up to which a name is also found by letters from its middle: that looks at every name."""

_NAMES = 300  # names with the same beginning that are looked at
_ROWS = 300  # pages that the engine may rank
_BUDGET = 1_200  # pages with a completion, all together, where nothing else is asked
_NAME_BUDGET = 20_000  # the same, while names are looked through
_COMMON = 20  # a word in one of so many pages says nothing about a text
_LAST = "\U0010ffff"
_NAME = "{title names}"


class Suggestion(NamedTuple):
    """``matched`` is the name that was found (title, alias or file name), empty where it was the text."""

    path: str
    slug: str
    title: str
    matched: str


def suggest(index: "Index", text: str, k: int = 10) -> list[Suggestion]:
    """At most ``k`` pages for what has been typed so far, best first; the newest for nothing.

    A page is found by its name whatever its status, by its text only where recall would show it. Filters
    of the query language limit both. Raises SearchFailed when the engine fails.
    """
    from memex_core.index.failing import failure
    from memex_core.recall.recall import sound

    try:
        return _suggest(index.db, sound(text), k)
    except sqlite3.Error as error:
        raise failure(error) from error


def _suggest(db: sqlite3.Connection, text: str, k: int) -> list[Suggestion]:
    query = parse(text)
    now = clock.stamp()
    shown = page_filter(db, query, Options(), now)
    typed = " ".join(term.text for term in _terms(query)) if query.filters or query.excluded else text.strip()
    if not typed:
        return _suggestions(db, _newest(db, query, shown, k), "") if not query.hopeless else []
    named = page_filter(db, query, Options(include_inactive=True, include_expired=True), now)
    found: dict[int, None] = {}
    for pages in _ways(db, query, typed, named, shown, k):
        found.update(dict.fromkeys(pages))
        if len(found) >= k:
            break
    return _suggestions(db, list(found)[:k], typed)


def _ways(
    db: sqlite3.Connection, query: Query, typed: str, named: PageFilter, shown: PageFilter, k: int
) -> Iterator[list[int]]:
    """The pages by one way after another, the better ways first."""
    key = squash(typed)[:KEY_LENGTH]
    if key and not query.excluded:
        yield _beginning_with(db, key, named)
    if len(typed) == 1 and typed.isascii():
        return
    terms = _terms(query)
    if terms:
        last = terms[-1]
        words = [] if last.quoted or query.text[-1:].isspace() else completions(db, last)
        in_names = _within(words, _NAME_BUDGET)
        if in_names or not words:
            yield _ranked(db, _expression(query, last, in_names, f"{_NAME} : "), named)
        yield from _in_text(db, query, last, words, shown)
    if key and len(key) > 1 and not query.excluded and count_pages(db) <= MIDDLE_UP_TO:
        yield _with_middle(db, key, named, k)


def _terms(query: Query) -> list[Term]:
    """Everything asked for, in the order it was typed."""
    terms = [*query.terms, *query.stopped, *query.phrases, *query.wholes]
    terms += [term for group in query.groups for term in group]
    return sorted(terms, key=lambda term: term.start)


def _newest(db: sqlite3.Connection, query: Query, shown: PageFilter, k: int) -> list[int]:
    sql = f"SELECT page.id FROM page WHERE {shown.listing} ORDER BY page.updated DESC, page.slug LIMIT ?"
    return [page for (page,) in db.execute(sql, (*shown.values, k))]


# -- by name -----------------------------------------------------------------------------------


def _beginning_with(db: sqlite3.Connection, key: str, named: PageFilter) -> list[int]:
    """Pages with a name that begins so, the shortest name first."""
    if named.where == "1":
        sql = "SELECT page, key FROM name WHERE key >= ? AND key < ?"
    else:
        sql = (
            "SELECT n.page, n.key FROM name n CROSS JOIN page ON page.id = n.page "
            f"WHERE n.key >= ? AND n.key < ? AND {named.where}"
        )
    rows = db.execute(f"{sql} ORDER BY key LIMIT {_NAMES}", (key, key + _LAST, *named.values)).fetchall()
    rows.sort(key=lambda row: (len(row[1]), row[1]))
    return [page for page, _ in rows]


def _with_middle(db: sqlite3.Connection, key: str, named: PageFilter, k: int) -> list[int]:
    """Pages with these letters somewhere in a name."""
    sql = (
        "SELECT n.page FROM name n CROSS JOIN page ON page.id = n.page "
        f"WHERE instr(n.key, ?) > 0 AND {named.where} ORDER BY length(n.key), n.key LIMIT ?"
    )
    return [page for (page,) in db.execute(sql, (key, *named.values, 4 * k))]


# -- by words ----------------------------------------------------------------------------------


class Word(NamedTuple):
    """A completion: the word, its token, and in how many pages it is."""

    word: str
    token: str
    df: int


def completions(db: sqlite3.Connection, term: Term) -> list[Word]:
    """The commonest words of the vocabulary that begin with the term, each token once."""
    beginning = folded(term.text)
    if not beginning.isalnum():
        return []
    found: dict[str, Word] = {}
    for word, token, df in db.execute(
        "SELECT word, term, df FROM word WHERE word >= ? AND word < ? ORDER BY df DESC LIMIT ?",
        (beginning, beginning + _LAST, 4 * COMPLETIONS),
    ):
        found.setdefault(token, Word(word, token, df))
    return list(found.values())[:COMPLETIONS]


def _in_text(
    db: sqlite3.Connection, query: Query, last: Term, words: Sequence[Word], shown: PageFilter
) -> Iterator[list[int]]:
    """Pages that hold the words anywhere, the last of them completed to what is not on every other page."""
    alone = len(_terms(query)) == 1
    telling = [one for one in words if one.df * _COMMON <= max(count_pages(db), _BUDGET * _COMMON)]
    if alone:
        telling = _within(telling, _BUDGET)
    if telling or not words:
        yield _ranked(db, _expression(query, last, telling, ""), shown)
    elif not alone:
        yield _ranked(db, _expression(query, None, (), ""), shown)


def _within(words: Sequence[Word], budget: int) -> list[Word]:
    """The rarest of the words, as many as are together in not more pages than the budget."""
    chosen: list[Word] = []
    for one in sorted(words, key=lambda one: one.df):
        budget -= one.df
        if budget < 0:
            break
        chosen.append(one)
    return chosen


def _expression(query: Query, last: Term | None, words: Sequence[Word], columns: str) -> str:
    """What to find: all that was typed, the last term completed to any of ``words``, that in ``columns``."""
    before = query._replace(
        terms=tuple(term for term in query.terms if term is not last),
        phrases=tuple(term for term in query.phrases if term is not last),
        wholes=tuple(term for term in query.wholes if term is not last),
        excluded=(),
    )
    parts = [build_match(before)]
    if last is not None:
        ending = " OR ".join(quoted(one.token) for one in words) if words else match_term(last)
        parts.append(f"{columns}({ending})")
    expression = " AND ".join(f"({part})" for part in parts if part)
    if query.excluded and expression:
        expression = f"({expression}) NOT {_any([match_term(term) for term in query.excluded])}"
    return expression


def _any(parts: Sequence[str]) -> str:
    return parts[0] if len(parts) == 1 else f"({' OR '.join(parts)})"


def _ranked(db: sqlite3.Connection, expression: str, allowed: PageFilter) -> list[int]:
    """The first few hundred pages that hold ``expression``, ranked; none for an empty one."""
    if not expression:
        return []
    if allowed.where == "1":
        sql = f"SELECT rowid, {RANK} FROM page_fts WHERE page_fts MATCH ? LIMIT {_ROWS}"
    else:
        sql = (
            f"SELECT page_fts.rowid, {RANK} FROM page_fts CROSS JOIN page ON page.id = page_fts.rowid "
            f"WHERE page_fts MATCH ? AND {allowed.beside_match} LIMIT {_ROWS}"
        )
    rows = db.execute(sql, (expression, *allowed.values)).fetchall()
    rows.sort(key=lambda row: row[1])
    return [page for page, _ in rows]


# -- what is shown -----------------------------------------------------------------------------


def _suggestions(db: sqlite3.Connection, found: Sequence[int], typed: str) -> list[Suggestion]:
    sql = f"SELECT id, path, slug, title, aliases FROM page WHERE id IN ({','.join('?' * len(found))})"
    pages = {row[0]: row[1:] for row in db.execute(sql, list(found))}
    out = []
    for page in found:
        if page in pages:
            path, slug, title, aliases = pages[page]
            names = [title, *(json.loads(aliases) if aliases else ()), slug]
            out.append(Suggestion(path, slug, title, _matching(names, typed)))
    return out


def _matching(names: Sequence[str], typed: str) -> str:
    """The first of the names that begins with what was typed, has its words, or has its letters."""
    key, words = squash(typed), folded(typed).split()
    if not words:
        return ""
    squashed = [squash(name) for name in names]
    for name, letters in zip(names, squashed, strict=True):
        if key and letters.startswith(key):
            return name
    for name in names:
        own = folded(name).replace("-", " ").split()
        if all(any(one.startswith(word) for one in own) for word in words):
            return name
    return next((name for name, letters in zip(names, squashed, strict=True) if key and key in letters), "")
