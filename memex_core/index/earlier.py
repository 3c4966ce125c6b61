"""The last known text of pages, so that an edit made outside memex becomes a version with its text before.

``texts.db`` in the state folder holds a compressed copy of what memex wrote, or found, last; it goes into the
journal when the file is another one. Losing it loses no page: the next outside edit then has no earlier text.
What is deleted from it is overwritten.
"""

from __future__ import annotations

import os
import sqlite3
import time
import zlib
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing, suppress
from typing import TYPE_CHECKING, NamedTuple

from memex_core.files.atomic import read
from memex_core.model.errors import NotFound

if TYPE_CHECKING:
    from memex_core.files.commit import Edit, Written
    from memex_core.files.layout import Layout

LARGEST = 64 * 1024
"""Bytes of a page above which no copy is kept."""

BURST = 120.0
"""Seconds in which a page's further outside edits count as one: an editor saves while one types."""

_TABLE = (
    "CREATE TABLE IF NOT EXISTS text(path TEXT PRIMARY KEY, data BLOB NOT NULL, noted REAL NOT NULL) "
    "WITHOUT ROWID"
)


class Earlier(NamedTuple):
    """A page's last known text, and when an outside edit of it was last journalled with text (0: never since
    memex wrote it)."""

    data: bytes
    noted: float

    def in_burst(self, now: float) -> bool:
        return 0 <= now - self.noted < BURST


def file_of(layout: Layout) -> str:
    return os.path.join(layout.state, "texts.db")


def known(layout: Layout, paths: Iterable[str]) -> dict[str, Earlier]:
    """The last known texts of these pages, where there are any. Never raises."""
    if not os.path.exists(file_of(layout)):
        return {}
    found: dict[str, Earlier] = {}
    try:
        with closing(_open(layout)) as db:
            for path in paths:
                row = db.execute("SELECT data, noted FROM text WHERE path = ?", (path,)).fetchone()
                if row is not None:
                    found[path] = Earlier(zlib.decompress(row[0]), row[1])
    except (sqlite3.Error, zlib.error, OSError) as error:
        _give_up(layout, error)
    return found


class Copies:
    """``texts.db`` held open by who writes page after page: opening it takes as long as keeping a text."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self._db: sqlite3.Connection | None = None
        self._file: tuple[int, int] | None = None

    def connection(self) -> sqlite3.Connection:
        """Open on the file of that name now: it may have been begun anew. Raises ``sqlite3.Error``."""
        if self._db is None or self._file != _identity(self._layout):
            self.close()
            self._db = _open(self._layout)
            self._file = _identity(self._layout)
        return self._db

    def close(self) -> None:
        if self._db is not None:
            self._db.close()
        self._db = self._file = None


def keep(
    layout: Layout,
    texts: Mapping[str, bytes | None],
    noted: Mapping[str, float] | None = None,
    *,
    copies: Copies | None = None,
) -> None:
    """Make these the last known texts; None: there is no page by that name any more. Never raises.

    ``noted`` as in :class:`Earlier`. A text that is too large is not kept, and the one before it goes too.
    ``copies`` is left open, for the next time.
    """
    if not os.path.isdir(layout.state):
        return
    rows = [
        (path, zlib.compress(data, 1), (noted or {}).get(path, 0.0))
        for path, data in texts.items()
        if data is not None and len(data) <= LARGEST
    ]
    gone = [(path,) for path, data in texts.items() if data is None or len(data) > LARGEST]
    if not rows and not os.path.exists(file_of(layout)):
        return
    held = copies or Copies(layout)
    try:
        with held.connection() as db:
            db.executemany("DELETE FROM text WHERE path = ?", gone)
            db.executemany("INSERT OR REPLACE INTO text VALUES(?, ?, ?)", rows)
    except (sqlite3.Error, OSError) as error:
        held.close()
        _give_up(layout, error)
    finally:
        if copies is None:
            held.close()


def keep_acts(
    layout: Layout, edits: Sequence[Edit], written: Mapping[str, Written], *, copies: Copies | None = None
) -> None:
    """Keep what pages say after an act, for the day when one is edited outside memex.

    ``written`` is what the act made of files: a scrubbed text is another one than was asked for.
    """
    texts: dict[str, bytes | None] = {edit.moved_from: None for edit in edits if edit.moved_from}
    for edit in edits:
        file = written.get(edit.path)
        texts[edit.path] = file.data if file is not None else _on_disk(layout, edit)
    keep(layout, texts, copies=copies)


def _on_disk(layout: Layout, edit: Edit) -> bytes | None:
    if edit.after is None:
        return None
    try:
        return read(layout.pages, edit.path)
    except NotFound:
        return None


def begin_anew(layout: Layout) -> None:
    """Forget all copies: many files are others now, and none of them by an edit."""
    try:
        os.unlink(file_of(layout))
    except FileNotFoundError:
        pass
    except OSError:  # Windows removes no file that somebody has open
        with suppress(sqlite3.Error, OSError), closing(_open(layout)) as db, db:
            db.execute("DELETE FROM text")


def now() -> float:
    """The present in the seconds that ``noted`` counts."""
    return time.time()


def _identity(layout: Layout) -> tuple[int, int] | None:
    try:
        at = os.stat(file_of(layout))
    except OSError:
        return None
    return at.st_dev, at.st_ino


def _open(layout: Layout) -> sqlite3.Connection:
    # Whichever thread closes a store may close this: as with the index, only one uses it at a time.
    db = sqlite3.connect(file_of(layout), timeout=2.0, check_same_thread=False)
    try:
        db.execute("PRAGMA synchronous = OFF")  # a copy of what is on the disk elsewhere
        db.execute("PRAGMA journal_mode = TRUNCATE")
        db.execute("PRAGMA secure_delete = ON")
        db.execute(_TABLE)
    except BaseException:
        db.close()
        raise
    return db


def _give_up(layout: Layout, error: Exception) -> None:
    """A damaged file begins anew; one that is in use, or cannot be written, is left for the next time."""
    if isinstance(error, sqlite3.OperationalError | OSError):
        return
    begin_anew(layout)
