"""Unlinked mentions, both ways: pages that a text names, and pages whose text names a page."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Iterable, Iterator
from typing import Any

from memex_core.actions.store import Store
from memex_core.files import frontmatter
from memex_core.index.analyse import analyse
from memex_core.index.mentions import Mention, MentionFinder
from memex_core.index.schema import count_pages
from memex_core.index.stopwords import STOP
from memex_core.model.errors import MemexError
from memex_core.model.names import key_of_target
from memex_core.model.slug import fold

FEW = 2_000  # pages of which all names are looked for; of more, only those that the text could hold
LONGEST_TEXT = 60_000  # characters that are looked at
WORDS = 6  # words of the longest name that is looked for in a large store
RUN = 10  # characters of the longest name inside a script without blanks
CANDIDATES = 60  # pages that are read to see where they name a page
_MANY = 500

_WORD = re.compile(r"[^\W_]+")
_UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\U00020000-\U0003ffff]+"
)


def mentions(
    store: Store,
    slug: str,
    *,
    text: str | None = None,
    first_line: int = 1,
    limit: int = 50,
    scope: str | None = None,
) -> dict[str, Any]:
    """``{slug, path, here, elsewhere}`` for a page.

    ``here``: names of other pages in its body that are no links, as ``{line, start, end, name, paths}``
    (offsets in code points of the text looked at). ``text`` is looked at in place of the body, its first
    line being ``first_line`` of the file; ``elsewhere`` is then left out. ``elsewhere``: other pages that
    name this one, as ``{path, slug, title, line, text}``, one entry a page, at most ``limit``.
    """
    row = store.find(slug, scope=scope, loose=True)
    answer: dict[str, Any] = {"slug": row.slug, "path": row.path}
    if text is None:
        front = frontmatter.read(store.read_bytes(row.path))
        answer["here"] = here(store, row.path, front.body, front.body_line)
        answer["elsewhere"] = elsewhere(store, row.path, limit)
    else:
        answer["here"] = here(store, row.path, text, first_line)
    return answer


def here(store: Store, path: str, text: str, first_line: int = 1) -> list[dict[str, Any]]:
    """The names of other pages in ``text``, which belongs to the page at ``path``."""
    text = text[:LONGEST_TEXT]
    finder = MentionFinder()
    for name, owner in _names(store.index.db, text):
        if fold(name) not in STOP:
            finder.add(name, owner)
    return [
        {
            "line": found.line,
            "start": found.start,
            "end": found.end,
            "name": text[found.start : found.end],
            "paths": list(found.paths),
        }
        for found in finder.find(text, skip=path, first_line=first_line)
    ]


def elsewhere(store: Store, path: str, limit: int = 50) -> list[dict[str, Any]]:
    """The pages that name the page at ``path`` and have no link to it, the best match first."""
    row = store.index.row(path)
    if row is None:
        return []
    names = [name for name in dict.fromkeys((row.title, *row.aliases)) if fold(name) not in STOP]
    finder = MentionFinder((name, path) for name in names)
    linked = {link.source for link in store.index.links_to(path)} | {path}
    out: list[dict[str, Any]] = []
    for other, slug, title in _candidates(store.index.db, names):
        if other in linked or len(out) >= limit:
            continue
        mention = _first(store, finder, other)
        if mention is not None:
            out.append(
                {"path": other, "slug": slug, "title": title, "line": mention.line, "text": mention.context}
            )
    return out


def _first(store: Store, finder: MentionFinder, path: str) -> Mention | None:
    try:
        front = frontmatter.read(store.read_bytes(path))
    except MemexError:
        return None
    found = finder.find(front.body[: 10 * LONGEST_TEXT], skip="", first_line=front.body_line)
    return found[0] if found else None


def _candidates(db: sqlite3.Connection, names: Iterable[str]) -> list[tuple[str, str, str]]:
    """Path, slug and title of pages whose body has the words of one of the names side by side."""
    phrases = [" ".join(analyse(name)) for name in names]
    query = " OR ".join(f'body : "{phrase}"' for phrase in phrases if phrase)
    if not query:
        return []
    return db.execute(
        "SELECT p.path, p.slug, p.title FROM page_fts f JOIN page p ON p.id = f.rowid "
        "WHERE page_fts MATCH ? ORDER BY rank LIMIT ?",
        (query, CANDIDATES),
    ).fetchall()


def _names(db: sqlite3.Connection, text: str) -> Iterator[tuple[str, str]]:
    """Titles and aliases, each with its page's path, among which are all that ``text`` may hold."""
    if count_pages(db) <= FEW:
        for path, title, aliases in db.execute("SELECT path, title, aliases FROM page"):
            yield from _of(path, title, aliases)
        return
    keys = sorted(_keys(text))
    for at in range(0, len(keys), _MANY):
        some = keys[at : at + _MANY]
        for path, title, aliases in db.execute(
            "SELECT DISTINCT p.path, p.title, p.aliases FROM name n JOIN page p ON p.id = n.page "
            f"WHERE n.key IN ({','.join('?' * len(some))})",
            some,
        ):
            yield from _of(path, title, aliases)


def _of(path: str, title: str, aliases: str | None) -> Iterator[tuple[str, str]]:
    yield title, path
    for alias in json.loads(aliases) if aliases else ():
        yield alias, path


def _keys(text: str) -> set[str]:
    """The keys of every few words in a row, as the index keeps those of names."""
    keys: set[str] = set()
    row: list[str] = []
    for match in _WORD.finditer(text):
        row.append(match[0])
        del row[:-WORDS]
        for size in range(1, len(row) + 1):
            keys.add(key_of_target("".join(row[-size:])))
        for run in _UNSPACED.findall(match[0]):
            for start in range(len(run)):
                for size in range(2, min(RUN, len(run) - start) + 1):
                    keys.add(key_of_target(run[start : start + size]))
    keys.discard("")
    return keys
