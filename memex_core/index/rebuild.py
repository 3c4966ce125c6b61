"""Building the index from the folders: aside, in one transaction, then published in one step.

The new database is filled without a journal and without waiting for the disk (it is worth nothing until
it is finished), its b-tree indexes are made last, and it is copied over the live one page by page with
SQLite's backup: readers keep the old state until then. Renaming it over the live file would mix it with
the live file's write-ahead log.
"""

from __future__ import annotations

import gc
import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

from memex_core.files.layout import Layout
from memex_core.files.lock import StoreLock
from memex_core.files.scan import scan
from memex_core.index import schema
from memex_core.index.connection import connect, is_busy
from memex_core.index.entries import CREATED, DIGEST, PATH, Entry, made_by_file
from memex_core.index.indexer import stored_entry
from memex_core.index.linker import Linker
from memex_core.index.load import Load, Progress
from memex_core.model.errors import Locked, MemexError

if TYPE_CHECKING:
    from memex_core.model.results import RebuildReport


_WAIT = 900.0  # seconds for another process that builds the same index


@contextmanager
def building(index: str) -> Iterator[None]:
    """Alone among the builders of that index file. The folder is made when it is missing."""
    os.makedirs(os.path.dirname(index), exist_ok=True)
    with StoreLock(index + ".lock", timeout=_WAIT):
        yield


def under_way(index: str) -> bool:
    """Whether a process is building that index file now."""
    try:
        with StoreLock(index + ".lock", timeout=0):
            return False
    except Locked:
        return True
    except MemexError:
        return False


def rebuild(layout: Layout, index: str, *, progress: Progress | None = None) -> RebuildReport:
    """Build the index of ``layout`` and publish it at the path ``index``; call it inside :func:`building`.

    ``progress`` is called with (pages done, pages in all). Raises Unreachable when the page folder cannot
    be read; then, and on any exception, KeyboardInterrupt included, the old index stays as it was.
    """
    start = time.perf_counter()
    found = scan(layout)
    aside, spool = index + ".new", index + ".links"
    _remove(aside)
    collecting = gc.isenabled()
    gc.disable()  # rows are no cycles, and there are millions of them
    # A folder that was only read so far has its index in the user's cache folder.
    old = Old(index if os.path.exists(index) else layout.cache)
    try:
        linker = Linker(spool)
        try:
            db = sqlite3.connect(aside, isolation_level=None)
            try:
                load = Load(db, layout, found, old, linker, progress)
                load.run()
            finally:
                db.close()
        finally:
            linker.close()
        old.close()
        _remove(spool)  # before: a builder killed after publishing leaves nothing that tells of it
        _publish(aside, index)
    finally:
        old.close()
        _remove(spool)
        _remove(aside)  # last: it tells a later process that there is something to sweep
        if collecting:
            gc.enable()
    for problem in found.problems:
        load.errors.append({"file": problem.path, "line": 0, "message": problem.message})
    return {
        "nodes_indexed": load.pages,
        "nodes_skipped": len(found.problems),
        "nodes_errored": load.errored,
        "duration_ms": round((time.perf_counter() - start) * 1000, 1),
        "errors": load.errors,
    }


def sweep(index: str) -> None:
    """Remove what a builder left that was killed after publishing; one stat when there is nothing."""
    if not os.path.lexists(index + ".new"):
        return
    with suppress(MemexError, OSError), StoreLock(index + ".lock", timeout=0):
        _remove(index + ".links")
        _remove(index + ".new")


class Old:
    """What only the old index knows: how often pages were used, and pages that cannot be read now."""

    def __init__(self, index: str) -> None:
        self.uses: dict[str, tuple[int, str | None]] = {}
        self.by_digest: dict[str, tuple[int, str | None]] = {}
        self.db: sqlite3.Connection | None = None
        if not os.path.exists(index):
            return
        try:
            self.db = connect(index)
            if not schema.is_current(self.db):
                self.close()
        except sqlite3.Error:
            self.close()
        if self.db is None:
            return
        with suppress(sqlite3.Error):
            for path, digest, count, last in self.db.execute(
                "SELECT path, digest, access_count, last_access FROM page WHERE access_count > 0"
            ):
                self.uses[path] = (count, last)
                self.by_digest[digest] = (count, last)

    def used(self, entry: Entry) -> tuple[int, str | None]:
        """(count, last access) of the page, found by its path or, after a rename, by its content."""
        if not self.uses:
            return 0, None
        row = entry[0]
        return self.uses.get(row[PATH]) or self.by_digest.get(row[DIGEST] or "-") or (0, None)

    def made(self, row: tuple[Any, ...]) -> tuple[Any, ...]:
        """``row`` with the time that the page was made, where only an older look at its file told it."""
        if self.db is None or not made_by_file(row):
            return row
        with suppress(sqlite3.Error):
            found = self.db.execute("SELECT created FROM page WHERE path = ?", (row[PATH],)).fetchone()
            if found and found[0] and found[0] < row[CREATED]:
                return (*row[:CREATED], found[0], *row[CREATED + 1 :])
        return row

    def below(self, prefixes: list[str]) -> Iterator[Entry]:
        """The pages in folders that cannot be listed now."""
        if self.db is None:
            return
        for prefix in prefixes:
            with suppress(sqlite3.Error):
                for (page,) in self.db.execute(
                    "SELECT id FROM page WHERE substr(path, 1, ?) = ?", (len(prefix), prefix)
                ).fetchall():
                    yield stored_entry(self.db, page)

    def close(self) -> None:
        if self.db is not None:
            self.db.close()
            self.db = None


def _publish(aside: str, index: str) -> None:
    """Make the finished database the live one: by its name when there is none, else by copying its pages
    into the live one, in one transaction of that."""
    if not any(os.path.lexists(index + suffix) for suffix in ("", "-wal", "-shm", "-journal")):
        os.replace(aside, index)  # nobody can have opened it: databases are only made by builders
        connect(index, write=True).close()
        return
    source = sqlite3.connect(aside, isolation_level=None)
    try:
        try:
            live = connect(index, write=True)
        except sqlite3.Error as error:
            if is_busy(error):
                raise
            remove_index(index)  # no database at all
            live = connect(index, write=True)
        try:
            try:
                source.backup(live)
            except sqlite3.DatabaseError as error:
                if is_busy(error):
                    raise
                live.close()
                remove_index(index)  # one that can be opened and not written: of another page size, or broken
                live = connect(index, write=True)
                source.backup(live)
            live.execute("PRAGMA busy_timeout=0")
            with suppress(sqlite3.Error):
                live.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        finally:
            live.close()
    finally:
        source.close()


def remove_index(index: str) -> None:
    """Delete a broken index. Whoever has it open keeps what it opened, and finds the new one next time."""
    for suffix in ("", "-wal", "-shm", "-journal"):
        _remove(index + suffix, beside=False)


def _remove(path: str, *, beside: bool = True) -> None:
    for suffix in ("", "-journal", "-wal", "-shm") if beside else ("",):
        with suppress(FileNotFoundError):
            os.unlink(path + suffix)
