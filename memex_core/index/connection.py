"""Opening ``mem.db``: the one place where a connection's settings are made.

Write-ahead log, so that reading never waits; a busy timeout on every connection; explicit
transactions that take the write lock at once (``BEGIN IMMEDIATE``: a plain ``BEGIN`` of two writers ends
in SQLITE_BUSY_SNAPSHOT whatever the timeout). Where the file system cannot hold a write-ahead log's
shared memory, the rollback journal serves.
"""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager

BUSY_MS = 5000
_RETRY_S = 0.005
CACHE_KIB = 32_768
CHECKPOINT_PAGES = 4000
"""Automatic checkpoints are rarer than SQLite's default (1,000 pages): each is a pause of one save."""

VFS = ""
"""SQLite's file access layer by name; empty is the system's. For disks that need another one."""


def connect(path: str, *, write: bool = False, busy_ms: int | None = None) -> sqlite3.Connection:
    """A connection to the database at ``path``, in autocommit mode.

    With ``write`` the file is made when missing. Without, the connection refuses to change the
    database, and the file must exist. Waits ``busy_ms`` (None: ``BUSY_MS``) for others that hold it.
    Raises ``sqlite3.Error`` when it cannot be opened or is no database.
    """
    # Turning the log on, recovering it and closing the last connection hold the file alone, and SQLite
    # does not call on its busy timeout there: two that open a new index at once met "database is locked".
    if os.path.exists(path) and not os.path.isfile(path):
        raise sqlite3.DatabaseError("not a regular file")  # SQLite would wait for the other end of a pipe
    busy_ms = BUSY_MS if busy_ms is None else busy_ms
    until = time.monotonic() + busy_ms / 1000
    while True:
        try:
            return _writing(path, busy_ms) if write else _reading(path, busy_ms)
        except sqlite3.OperationalError as error:
            if not is_busy(error) or time.monotonic() >= until:
                raise
        time.sleep(_RETRY_S)


def wait_at_most(db: sqlite3.Connection, busy_ms: int) -> None:
    """How long the connection waits from now on for another one that holds the database."""
    db.execute(f"PRAGMA busy_timeout={busy_ms}")


def _writing(path: str, busy_ms: int) -> sqlite3.Connection:
    db = _open(path, "rwc", busy_ms)
    try:
        _journal(db)
    except sqlite3.Error:
        db.close()
        raise
    return db


def _reading(path: str, busy_ms: int) -> sqlite3.Connection:
    try:
        db = _probed(path, "rw", busy_ms)
    except sqlite3.OperationalError as error:
        if is_busy(error):
            raise
        # A read-only or full disk cannot hold the shared memory of the log: read the file as it stands.
        db = _probed(path, "ro", busy_ms, immutable=not _log_size(path))
    db.execute("PRAGMA query_only=1")
    return db


def _probed(path: str, mode: str, busy_ms: int, *, immutable: bool = False) -> sqlite3.Connection:
    """An open connection that has answered: opening alone reads nothing."""
    db = _open(path, mode, busy_ms, immutable=immutable)
    try:
        db.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchone()
    except sqlite3.Error:
        db.close()
        raise
    return db


def _log_size(path: str) -> int:
    """Bytes of the write-ahead log; an empty one holds nothing that the file lacks."""
    try:
        return os.stat(path + "-wal").st_size
    except OSError:
        return 0


def _open(path: str, mode: str, busy_ms: int, *, immutable: bool = False) -> sqlite3.Connection:
    plain = os.path.abspath(path).replace("%", "%25").replace("?", "%3f").replace("#", "%23")
    if os.sep != "/":
        plain = "/" + plain.replace(os.sep, "/")
    uri = f"file:{plain}?mode={mode}"
    if immutable:
        uri += "&immutable=1"
    if VFS:
        uri += f"&vfs={VFS}"
    db = sqlite3.connect(
        uri,
        uri=True,
        timeout=busy_ms / 1000,
        isolation_level=None,
        check_same_thread=False,
        cached_statements=256,
    )
    try:
        # The timeout is set again in words: a wrapper that loses the argument must not lose it.
        wait_at_most(db, busy_ms)
        db.execute(f"PRAGMA cache_size=-{CACHE_KIB}")
        db.execute("PRAGMA temp_store=MEMORY")
    except sqlite3.Error:
        db.close()
        raise
    return db


def _journal(db: sqlite3.Connection) -> None:
    """The write-ahead log if the disk can hold one; NORMAL, because the index can be built again."""
    try:
        mode = db.execute("PRAGMA journal_mode=WAL").fetchone()[0]
    except sqlite3.OperationalError as error:
        if is_busy(error):
            raise
        mode = ""
    if mode != "wal":
        db.execute("PRAGMA journal_mode=TRUNCATE").fetchone()
    db.execute("PRAGMA synchronous=NORMAL")
    db.execute(f"PRAGMA wal_autocheckpoint={CHECKPOINT_PAGES}")


def _is(error: sqlite3.Error, *words: str) -> bool:
    text = str(error).lower()
    return any(word in text for word in words)


@contextmanager
def transaction(db: sqlite3.Connection) -> Iterator[sqlite3.Connection]:
    """``BEGIN IMMEDIATE`` … ``COMMIT``; rolled back on any exception, KeyboardInterrupt included."""
    db.execute("BEGIN IMMEDIATE")
    try:
        yield db
    except BaseException:
        if db.in_transaction:
            db.execute("ROLLBACK")
        raise
    db.execute("COMMIT")


def is_busy(error: sqlite3.Error) -> bool:
    """Whether another connection held the database for longer than the timeout."""
    return _is(error, "locked", "busy")


def is_read_only(error: sqlite3.Error) -> bool:
    """Whether the disk, not the statement, refused a write: read-only, full, or failing."""
    return _is(error, "readonly", "read-only", "unable to open", "disk is full", "disk i/o error")


def is_damaged(error: sqlite3.Error) -> bool:
    """Whether the file is no database of SQLite's, or a broken one: it has to be built again."""
    return _is(
        error, "malformed", "not a database", "corrupt", "disk image", "no such table", "no such column"
    )
