"""Entries into the tables: one page replaced, many pages at once, and what depends on them.

All functions work inside the caller's transaction. Document frequencies are kept exact: a change adds
to and takes from the terms that came and went, so no count has to be made anew.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable, Sequence
from typing import Any

from memex_core.index import links, schema
from memex_core.index.entries import (
    CREATED,
    DIGEST,
    ENTRY_COLUMNS,
    INODE,
    MTIME,
    PATH,
    SIZE,
    Entry,
    made_by_file,
)

_PAGE = ("id", *ENTRY_COLUMNS, "access_count", "last_access")
INSERT_PAGE = f"INSERT INTO page({', '.join(_PAGE)}) VALUES({', '.join('?' * len(_PAGE))})"
INSERT_TEXT = f"INSERT INTO page_text VALUES({', '.join('?' * (len(schema.TEXT_COLUMNS) + 1))})"
INSERT_FTS = (
    f"INSERT INTO page_fts(rowid, {', '.join(schema.TEXT_COLUMNS)}) "
    f"VALUES({', '.join('?' * (len(schema.TEXT_COLUMNS) + 1))})"
)
INSERT_TAG = "INSERT INTO tag(page, tag, shown) VALUES(?, ?, ?)"
INSERT_NAME = "INSERT OR IGNORE INTO name(page, kind, key) VALUES(?, ?, ?)"
INSERT_LINK = (
    "INSERT INTO link(page, ord, target, key, label, form, rel, alias, heading, block, line, dst, asset, "
    "ambiguous) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)
_DELETE_FTS = (
    f"INSERT INTO page_fts(page_fts, rowid, {', '.join(schema.TEXT_COLUMNS)}) "
    f"VALUES('delete', ?{', ?' * len(schema.TEXT_COLUMNS)})"
)
"""Given the old text: a statement that takes it from its table makes a savepoint, at which FTS5 writes what
it has, so that each edit would leave two segments to merge."""
_SELECT_TEXT = f"SELECT {', '.join(schema.TEXT_COLUMNS)} FROM page_text WHERE id = ?"
_INSERT_NEW = (
    f"INSERT INTO page({', '.join(ENTRY_COLUMNS)}, access_count) "
    f"VALUES({', '.join('?' * len(ENTRY_COLUMNS))}, 0)"
)
_UPDATE_TEXT = f"UPDATE page_text SET {', '.join(f'{name} = ?' for name in schema.TEXT_COLUMNS)} WHERE id = ?"
_PUNCTUATION = re.compile(r"[!-/:-@\[-`{-~]")
_UNRESOLVED = (None, None, None)
_LINE = 8  # the place of the line in a link of an entry
_TITLE, _ALIASES = (ENTRY_COLUMNS.index(name) for name in ("title", "aliases"))


class Change:
    """Page rows being changed in one transaction; :meth:`finish` settles what depends on them."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self.db = db
        self.added = 0
        self.changed = 0
        self.removed = 0
        self._frequencies: dict[str, int] = {}
        self._keys: set[str] = set()
        self._sources: set[int] = set()

    def put(self, entry: Entry, page: int | None = None) -> int:
        """Make ``entry`` the content of page ``page`` (None: a new page). Returns the page's id."""
        if page is None:
            page = self._insert(entry)
            self.added += 1
        else:
            self._replace(page, entry)
            self.changed += 1
        return page

    def _insert(self, entry: Entry) -> int:
        row, text, tags, names, _ = entry
        db = self.db
        page = db.execute(_INSERT_NEW, row).lastrowid
        assert page is not None
        db.execute(INSERT_TEXT, (page, *text))
        db.execute(INSERT_FTS, (page, *text))
        self._count(text, 1)
        db.executemany(INSERT_TAG, [(page, *tag) for tag in tags])
        self._name(page, names)
        self._link(page, entry)
        return page

    def _replace(self, page: int, entry: Entry) -> None:
        """Write what differs: an ordinary edit leaves names, tags, links and most columns as they were."""
        row, text, tags, names, found = entry
        db = self.db
        old, old_text, old_tags, _, old_links = stored_entry(db, page)
        if old[CREATED] < row[CREATED] and made_by_file(row):
            row = (*row[:CREATED], old[CREATED], *row[CREATED + 1 :])
        differing = [at for at, value in enumerate(row) if value != old[at]]
        if differing:
            columns = ", ".join(f"{ENTRY_COLUMNS[at]} = ?" for at in differing)
            db.execute(f"UPDATE page SET {columns} WHERE id = ?", (*(row[at] for at in differing), page))
        if old_text != text:
            db.execute(_DELETE_FTS, (page, *old_text))
            db.execute(_UPDATE_TEXT, (*text, page))
            db.execute(INSERT_FTS, (page, *text))
            self._count_difference(old_text, text)
        if sorted(old_tags) != sorted(tags):
            db.execute("DELETE FROM tag WHERE page = ?", (page,))
            db.executemany(INSERT_TAG, [(page, *tag) for tag in tags])
        if {PATH, _TITLE, _ALIASES} & set(differing):
            # All keys, not only those that came or went: two titles may differ and have the same key.
            self._keys.update(key for (key,) in db.execute("SELECT key FROM name WHERE page = ?", (page,)))
            db.execute("DELETE FROM name WHERE page = ?", (page,))
            self._name(page, names)
        if PATH in differing or [link[:_LINE] for link in old_links] != [link[:_LINE] for link in found]:
            db.execute("DELETE FROM link WHERE page = ?", (page,))
            self._link(page, entry)
        elif old_links != found:
            lines = [(link[_LINE], page, order) for order, link in enumerate(found)]
            db.executemany("UPDATE link SET line = ? WHERE page = ? AND ord = ?", lines)

    def _name(self, page: int, names: Sequence[tuple[str, str]]) -> None:
        self.db.executemany(INSERT_NAME, [(page, *name) for name in names])
        self._keys.update(key for _, key in names)

    def _link(self, page: int, entry: Entry) -> None:
        if entry[4]:
            self.db.executemany(INSERT_LINK, link_rows(page, entry))
            self._sources.add(page)

    def remove(self, page: int) -> None:
        """Take a page out of the index."""
        db = self.db
        text = self._text(page)
        self._count(text, -1)
        self._keys.update(key for (key,) in db.execute("SELECT key FROM name WHERE page = ?", (page,)))
        db.execute(_DELETE_FTS, (page, *text))
        for table in ("page", "page_text"):
            db.execute(f"DELETE FROM {table} WHERE id = ?", (page,))
        for table in ("tag", "name", "link"):
            db.execute(f"DELETE FROM {table} WHERE page = ?", (page,))
        db.execute("UPDATE link SET dst = NULL WHERE dst = ?", (page,))
        self.removed += 1

    def set_assets(self, found: Iterable[str]) -> bool:
        """Make ``found`` the files that are no pages; true when something changed."""
        known = {path for (path,) in self.db.execute("SELECT path FROM asset")}
        wanted = set(found)
        if known == wanted:
            return False
        rows = [asset_row(path) for path in wanted - known]
        gone = known - wanted
        self._keys.update(key for _, key in rows)
        self._keys.update(key for _, key in map(asset_row, gone))
        self.db.executemany("INSERT INTO asset VALUES(?, ?)", rows)
        self.db.executemany("DELETE FROM asset WHERE path = ?", [(path,) for path in gone])
        return True

    def finish(self, words: dict[str, str]) -> None:
        """Document frequencies, spellings, links and the number of pages."""
        db = self.db
        steps = [(term, step) for term, step in self._frequencies.items() if step]
        db.executemany("INSERT INTO term VALUES(?, ?) ON CONFLICT DO UPDATE SET df = df + excluded.df", steps)
        gone = [(term,) for term, step in steps if step < 0]
        db.executemany("DELETE FROM term WHERE term = ? AND df <= 0", gone)
        db.executemany(
            "INSERT INTO word SELECT ?, term, df FROM term WHERE term = ? ON CONFLICT DO NOTHING",
            [pair for pair in words.items() if self._frequencies.get(pair[1], 0) > 0],
        )
        links.settle(db, self._keys, self._sources)
        if self.added != self.removed:
            schema.set_meta(db, "pages", schema.count_pages(db) + self.added - self.removed)
        self._frequencies.clear()
        self._keys.clear()
        self._sources.clear()

    def _text(self, page: int) -> tuple[str, ...]:
        row: tuple[str, ...] = self.db.execute(_SELECT_TEXT, (page,)).fetchone()
        return row

    def _count(self, text: Sequence[str], step: int) -> None:
        frequencies = self._frequencies
        for term in _terms(text):
            frequencies[term] = frequencies.get(term, 0) + step

    def _count_difference(self, old: Sequence[str], new: Sequence[str]) -> None:
        alike = old[-1] == new[-1]  # as after most edits: then few whole forms matter, or none
        was, now = (_words(old), _words(new)) if alike else (_terms(old), _terms(new))
        came, went = now - was, was - now
        if alike and (came or went):
            stayed = _counted(new[-1])
            came, went = came - stayed, went - stayed
        frequencies = self._frequencies
        for term in came:
            frequencies[term] = frequencies.get(term, 0) + 1
        for term in went:
            frequencies[term] = frequencies.get(term, 0) - 1


def _terms(text: Sequence[str]) -> set[str]:
    """The tokens of all columns whose document frequency is kept."""
    return _words(text) | _counted(text[-1])


def _words(text: Sequence[str]) -> set[str]:
    return set(" ".join(text[:-1]).split())


def _counted(whole: str) -> set[str]:
    """Those of the whole forms whose document frequency is kept, as ``schema.COUNTED`` says."""
    return {token for token in whole.split() if not _PUNCTUATION.search(token)}


def link_rows(page: int, entry: Entry) -> list[tuple[Any, ...]]:
    """The links of an entry as rows of ``link``, not yet resolved."""
    return [(page, order, *link, *_UNRESOLVED) for order, link in enumerate(entry[4])]


def asset_row(path: str) -> tuple[str, str]:
    from memex_core.model.resolve import keys_of_asset

    return path, keys_of_asset(path)[0][1]


def stored_entry(db: sqlite3.Connection, page: int) -> Entry:
    """The entry of a page as the index has it: to carry a page over whose file cannot be read now."""
    row = db.execute(f"SELECT {', '.join(ENTRY_COLUMNS)} FROM page WHERE id = ?", (page,)).fetchone()
    text = db.execute(_SELECT_TEXT, (page,)).fetchone()
    tags = db.execute("SELECT tag, shown FROM tag WHERE page = ?", (page,)).fetchall()
    names = db.execute("SELECT kind, key FROM name WHERE page = ?", (page,)).fetchall()
    found = db.execute(
        "SELECT target, key, label, form, rel, alias, heading, block, line FROM link WHERE page = ? "
        "ORDER BY ord",
        (page,),
    ).fetchall()
    return row, text, tags, names, found


__all__ = ["DIGEST", "INODE", "MTIME", "PATH", "SIZE", "Change", "asset_row", "link_rows", "stored_entry"]
