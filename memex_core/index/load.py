"""Filling an empty database with all pages at once, and leaving it as ordinary saves want it."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from memex_core.files.layout import Layout
from memex_core.files.scan import Scan
from memex_core.index import passages, schema, segments
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
            if self.progress is not None:
                self.progress(done, total)
        if self.found.unread:
            self._insert(list(self.old.below(self.found.unread)))

    def _insert(self, entries: list[Entry]) -> None:
        db = self.db
        old = self.old
        numbered = list(enumerate(entries, self.pages + 1))
        if old.db is None:
            pages = [(number, *entry[0], 0, None) for number, entry in numbered]
        else:
            pages = [(number, *old.made(entry[0]), *old.used(entry)) for number, entry in numbered]
        for entry in entries:
            if not entry[0][DIGEST]:
                self._failed(entry[0])
        texts = [(number, *entry[1]) for number, entry in numbered]
        tags = [(number, *tag) for number, entry in numbered for tag in entry[2]]
        names = [(number, *name) for number, entry in numbered for name in entry[3]]
        self.linker.add(self.pages, entries)
        self.pages += len(entries)
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
            segments.merge(db, table)
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
