"""Filling an empty database with all pages at once, and leaving it as ordinary saves want it."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from memex_core.files.layout import Layout
from memex_core.files.scan import Scan
from memex_core.index import passages, schema
from memex_core.index.apply import settled
from memex_core.index.entries import DIGEST, PATH, PROBLEMS, Entry
from memex_core.index.freshness import identity
from memex_core.index.indexer import (
    INSERT_FTS,
    INSERT_LINK,
    INSERT_NAME,
    INSERT_PAGE,
    INSERT_TAG,
    INSERT_TEXT,
    asset_row,
)
from memex_core.index.linker import Linker
from memex_core.index.worker import parse_all
from memex_core.model import clock

if TYPE_CHECKING:
    from memex_core.index.rebuild import Old

Progress = Callable[[int, int], None]

_HASH = 16 << 20
"""Bytes of postings FTS5 gathers before it writes them: with its 1 MB a load takes 2.5 times as long."""

_LIFT_AFTER = 14_000  # pages: more than fit into one filling of the hash, so that later ones are smaller
_TOP = 3
"""The level the merged segment must reach. On level 0 or 1 it would be merged again by an ordinary save
some dozen or hundred saves later, and that save would take seconds."""


class Load:
    """One bulk load into an empty database."""

    def __init__(
        self,
        db: sqlite3.Connection,
        layout: Layout,
        found: Scan,
        old: Old,
        linker: Linker,
        progress: Progress | None,
    ) -> None:
        self.db, self.layout, self.found, self.old, self.progress = db, layout, found, old, progress
        self.pages = 0
        self.errored = 0
        self.errors: list[dict[str, Any]] = []
        self.words: dict[str, str] = {}
        self.linker = linker
        self._lifted = False

    def run(self) -> None:
        db = self.db
        db.execute("PRAGMA journal_mode=OFF")
        db.execute("PRAGMA synchronous=OFF")
        db.execute("PRAGMA locking_mode=EXCLUSIVE")
        db.execute("PRAGMA cache_size=-32768")
        schema.create(db)
        db.execute("BEGIN")
        for table in ("page_fts", "passage_fts"):
            for setting, value in (("automerge", 0), ("crisismerge", 2000), ("hashsize", _HASH)):
                schema.configure(db, table, setting, value)
        self._fill()
        self._finish()
        db.execute("COMMIT")

    def _fill(self) -> None:
        total = len(self.found.pages)
        done = 0
        if self.progress is not None:
            self.progress(0, total)
        stats = list(self.found.pages.values())
        self.found.pages.clear()  # a quarter of a kilobyte each, and never needed again
        for entries, words, count in parse_all(self.layout, stats):
            self.words.update(words)
            self._insert(entries)
            done += count
            if not self._lifted and self.pages >= _LIFT_AFTER:
                lift(self.db)
                self._lifted = True
            if self.progress is not None:
                self.progress(done, total)
        if self.found.unread:
            self._insert(list(self.old.below(self.found.unread)))

    def _insert(self, entries: list[Entry]) -> None:
        db = self.db
        pages, texts, tags, names = [], [], [], []
        number = self.pages
        for entry in entries:
            number += 1
            row = entry[0]
            pages.append((number, *row, *self.old.used(entry)))
            texts.append((number, *entry[1]))
            tags += [(number, *tag) for tag in entry[2]]
            names += [(number, *name) for name in entry[3]]
            if not row[DIGEST]:
                self._failed(row)
        self.linker.add(self.pages, entries)
        self.pages = number
        db.executemany(INSERT_PAGE, pages)
        db.executemany(INSERT_TEXT, texts)
        db.executemany(INSERT_FTS, texts)
        db.executemany(INSERT_TAG, tags)
        db.executemany(INSERT_NAME, names)

    def _failed(self, row: tuple[Any, ...]) -> None:
        self.errored += 1
        for message, line, *_ in json.loads(row[PROBLEMS] or "[]"):
            self.errors.append({"file": row[PATH], "line": line, "message": message})

    def _finish(self) -> None:
        """What is cheaper once all rows are there: merging, indexes, links, vocabulary, statistics."""
        db = self.db
        self.linker.resolve(self.found.assets)
        passages.refresh(db, self.layout)
        for table in ("page_fts", "passage_fts"):
            db.execute(f"INSERT INTO {table}({table}) VALUES('optimize')")
            lift(db, table)
            for setting, value in schema.FTS_DEFAULTS.items():
                schema.configure(db, table, setting, value)
        schema.run(db, schema.INDEXES)
        self._vocabulary()
        db.executemany("INSERT INTO asset VALUES(?, ?)", [asset_row(path) for path in self.found.assets])
        folders = [(folder, settled(mtime_ns)) for folder, mtime_ns in self.found.dirs.items()]
        db.executemany("INSERT INTO dir VALUES(?, ?)", folders)
        for rows in self.linker.rows():
            db.executemany(INSERT_LINK, rows)
        schema.run(db, schema.LINK_INDEXES)
        schema.set_meta(db, "pages", self.pages)
        schema.set_meta(db, "words", self.db.execute("SELECT ifnull(sum(words), 0) FROM page").fetchone()[0])
        schema.set_meta(db, "last_index_rebuild", clock.stamp())
        schema.set_meta(db, "folder", identity(self.layout))
        schema.set_meta(db, "root", self.layout.root)
        db.execute("ANALYZE")
        db.execute(f"PRAGMA user_version={schema.VERSION}")

    def _vocabulary(self) -> None:
        """The terms with their document frequencies, and the spellings that lead to them."""
        db = self.db
        db.execute("CREATE VIRTUAL TABLE temp.vocabulary USING fts5vocab(main, page_fts, row)")
        db.execute(f"INSERT INTO term SELECT term, doc FROM temp.vocabulary WHERE term {schema.COUNTED}")
        db.execute("DROP TABLE temp.vocabulary")
        db.execute("CREATE TEMP TABLE spelling(word, term)")
        db.executemany("INSERT INTO spelling VALUES(?, ?)", self.words.items())
        db.execute(
            "INSERT INTO word SELECT s.word, s.term, t.df FROM temp.spelling s "
            "JOIN term t ON t.term = s.term ORDER BY s.word"
        )
        db.execute("DROP TABLE temp.spelling")


def lift(db: sqlite3.Connection, table: str = "page_fts") -> None:
    """Merge the full-text segments into one, on a level where ordinary saves leave it alone."""
    content = "page_text" if table == "page_fts" else "passage"
    columns = ", ".join(schema.TEXT_COLUMNS if table == "page_fts" else ("body", "whole"))
    key = "id"
    if db.execute(f"SELECT 1 FROM {content} LIMIT 1").fetchone() is None:
        return
    for _ in range(_TOP + 2):
        if segment_levels(db, table)[:_TOP].count(0) == _TOP:
            return
        row = f"SELECT {{}}{key}, {columns} FROM {content} ORDER BY {key} LIMIT 1"
        db.execute(f"INSERT INTO {table}({table}, rowid, {columns}) " + row.format("'delete', "))
        db.execute(f"INSERT INTO {table}(rowid, {columns}) " + row.format(""))
        db.execute(f"INSERT INTO {table}({table}) VALUES('optimize')")


def segment_levels(db: sqlite3.Connection, table: str) -> list[int]:
    """How many segments stand on each level of the merge tree, from the structure record of FTS5."""
    block: bytes = db.execute(f"SELECT block FROM {table}_data WHERE id = 10").fetchone()[0]
    at = 4  # after the cookie

    def number() -> int:
        nonlocal at
        value = 0
        while True:
            byte = block[at]
            at += 1
            value = value << 7 | byte & 127
            if byte < 128:
                return value

    levels = [0] * number()
    number(), number()  # segments in all, writes so far
    for level in range(len(levels)):
        number()  # segments of this level that are being merged
        levels[level] = number()
        for _ in range(3 * levels[level]):
            number()
    return levels
