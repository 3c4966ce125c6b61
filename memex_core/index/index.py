"""``Index``: the searchable, disposable image of a store.

Opening one gives a usable index whatever was there: a missing, broken or foreign one is built. Every
face holds one of these a thread; :meth:`Index.interrupt` alone may be called from another.
"""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from memex_core.files.layout import Layout
from memex_core.index import connection, freshness, schema
from memex_core.index.connection import connect, is_busy, is_damaged, is_read_only, transaction
from memex_core.index.failing import failure
from memex_core.index.freshness import Refresh
from memex_core.index.questions import Questions
from memex_core.model.errors import Locked, MemexError, SearchFailed

if TYPE_CHECKING:
    from memex_core.index.analyse import Analyser
    from memex_core.index.entries import File
    from memex_core.model.results import RebuildReport

Progress = Callable[[int, int], None]

WATCH_LOCK = ".watch"
"""Ends the name of the file, beside the index, that a process holds while it follows the folder. Not in the
state folder: a folder that is only read has none."""


class Behind(MemexError):
    """So much has changed in the folder that reading it takes longer than the caller has."""

    code = "indexing"


class Index(Questions):
    """An open index. ``db`` is its connection, ``path`` its file.

    ``built`` is the report when opening had to build it. ``read_only`` is true where the file cannot be
    written: then it answers from what it has, and :meth:`refresh` says ``stale``.
    """

    def __init__(self, layout: Layout, path: str, db: sqlite3.Connection, *, read_only: bool = False) -> None:
        self.layout = layout
        self.path = path
        self.db = db
        self.read_only = read_only
        self.built: RebuildReport | None = None
        self.progress: Progress | None = None  # told of builds that nobody asked for
        self.busy_ms = connection.BUSY_MS
        self._unchecked = False
        self._analyser: Analyser | None = None

    @classmethod
    def open(cls, layout: Layout, *, write: bool = True, progress: Progress | None = None) -> Index:
        """The index of ``layout``, built first if there is none of this version that can be read.

        Two processes that find none build one: the second waits for the first. With ``write`` false the
        connection refuses to change the database (it is still built when missing). Raises Unreachable
        when it has to be built and the page folder cannot be read, Locked when it stays busy.
        """
        index = cls.existing(layout, write=write)
        if index is not None:
            return index
        from memex_core.index.rebuild import building, rebuild

        path = layout.index
        with building(path):
            index = cls.existing(layout, write=write)  # another process may have built it while we waited
            report = None if index is not None else rebuild(layout, path, progress=progress)
            index = index or cls.existing(layout, write=write)
        if index is None:
            raise SearchFailed(f"{path} cannot be used as an index", hint="delete it and try again")
        index.built = report
        index._unchecked = report is not None
        return index

    @classmethod
    def existing(cls, layout: Layout, *, write: bool = True, busy_ms: int | None = None) -> Index | None:
        """As :meth:`open`; None where the index would have to be built first. It waits ``busy_ms`` at most
        for another process that holds the file."""
        path = layout.index
        found = _usable(path, write=write, busy_ms=busy_ms)
        if found is not None and os.path.lexists(path + ".new"):
            from memex_core.index.rebuild import sweep

            sweep(path)
        if found is None:
            return None
        index = cls(layout, path, found[0], read_only=found[1])
        index.busy_ms = connection.BUSY_MS if busy_ms is None else busy_ms
        return index

    def wait_at_most(self, busy_ms: int | None) -> None:
        """For another process that holds the file, from now on; None: as long as usual."""
        self.busy_ms = connection.BUSY_MS if busy_ms is None else busy_ms
        connection.wait_at_most(self.db, self.busy_ms)

    def __enter__(self) -> Index:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self.db.close()

    def interrupt(self) -> None:
        """Make the statement that is running in another thread fail with Interrupted, soon; nothing where the
        index is being replaced."""
        with suppress(sqlite3.ProgrammingError):  # closed by the other thread meanwhile
            self.db.interrupt()

    # -- keeping in step -------------------------------------------------------------------

    def refresh(self, budget_ms: float | None = None, *, at_most: int | None = None) -> Refresh:
        """Bring the index in step with the folder.

        ``budget_ms`` limits what is spent on looking at the files of a large store (over
        ``freshness.FULL_CHECK_UP_TO`` pages) when nobody watches it; without it every file is looked at.
        More differences than a third of the pages mean building anew. Raises Unreachable when the folder
        cannot be read, and Behind where more than ``at_most`` files differ: the index is kept.
        """
        if self._unchecked:  # it was built just now, maybe while pages were written
            self._unchecked = False
            return self.refresh()._replace(first=True)
        glanced = budget_ms is not None and self.total() > freshness.FULL_CHECK_UP_TO
        if glanced:
            watched = watcher_alive(self.layout)
            difference = freshness.glance(self.db, self.layout, 0 if watched else budget_ms or 0)
            if watched:
                difference = difference._replace(complete=True)
        else:
            difference = freshness.compare(self.db, self.layout)
            again = freshness.unread_again(self.db, self.layout)
            if again:
                known = {stat.path for stat in difference.read}
                difference.read.extend(stat for stat in again if stat.path not in known)
        if at_most is not None and difference.size > at_most:
            raise Behind(
                f"{difference.size:,} files changed since the index was made", hint="memex rebuild-index"
            )
        if self._is_much(difference):
            self.rebuild(self.progress)
            return Refresh(first=True)
        return self._writing(lambda: self._all(difference, budget_ms))

    def update(
        self, paths: Iterable[str], *, moved: Mapping[str, str] | None = None, held: Sequence[File] = ()
    ) -> Refresh:
        """Read just these pages again; a path with no page is taken out. ``moved`` maps new paths to old
        ones for pages that were renamed, so that they stay the same page; ``held`` are files of which the
        caller knows what they say. Of many pages the index is built anew, as in :meth:`refresh`: that is
        faster."""
        paths = [*paths, *(moved or {}), *(moved or {}).values()]
        difference = freshness.looked_at(paths, self.layout) if paths else freshness.Difference([], [])
        if not moved and self._is_much(difference, len(held)):
            self.rebuild(self.progress)
            return Refresh(first=True)
        return self._writing(lambda: self._apply(difference, moved, held))

    def _is_much(self, difference: freshness.Difference, more: int = 0) -> bool:
        size = difference.size + more
        return size > freshness.REBUILD_FROM and size > self.total() // 3 and not self.read_only

    def follow_conversations(self) -> None:
        """Read what is new in the transcripts and the diary; pages are not looked at."""
        from memex_core.index import passages

        def act() -> Refresh:
            return Refresh(stale=bool(passages.refresh(self.db, self.layout).pending))

        self._writing(act)

    def _apply(
        self,
        difference: freshness.Difference,
        moved: Mapping[str, str] | None = None,
        held: Sequence[File] = (),
    ) -> Refresh:
        if not difference.size and difference.seen is None and not held:
            return Refresh(stale=not difference.complete)
        from memex_core.index.analyse import Analyser
        from memex_core.index.apply import apply

        self._analyser = self._analyser or Analyser(learn=True)
        return apply(self.db, self.layout, difference, moved=moved, analyser=self._analyser, held=held)

    def _all(self, difference: freshness.Difference, budget_ms: float | None) -> Refresh:
        """Pages, then conversations and the diary."""
        from memex_core.index import passages

        done = self._apply(difference)
        spoken = passages.refresh(self.db, self.layout, budget_ms=budget_ms)
        return done._replace(stale=True) if spoken.pending else done

    def _writing(self, act: Callable[[], Refresh]) -> Refresh:
        """Run what may have to write; a disk or file that cannot be written makes the answer stale."""
        try:
            return act()
        except sqlite3.Error as error:
            if is_read_only(error):
                self.read_only = True
                return Refresh(stale=True, warnings=("the index cannot be written; it may be out of date",))
            if is_busy(error):
                raise Locked(f"{self.path} is being written", hint="try again in a moment") from error
            if is_damaged(error):
                self.rebuild(self.progress)
                return Refresh(first=True)
            raise failure(error, "the index") from error

    def rebuild(self, progress: Progress | None = None) -> RebuildReport:
        """Build the index anew from the folders and publish it; whoever reads keeps the old one till then."""
        from memex_core.index.rebuild import building, rebuild

        self.db.close()
        try:
            with building(self.path):
                return rebuild(self.layout, self.path, progress=progress)
        finally:
            self._reopen()

    def renew(self, progress: Progress | None = None) -> RebuildReport:
        """Check every file and read again what changed; the report counts as :meth:`rebuild`'s does."""
        start = time.perf_counter()
        change = self.refresh()
        touched = len(change.added) + len(change.changed) + len(change.renamed)
        if progress is not None:
            progress(self.total(), self.total())
        failed = self.db.execute("SELECT path, problems FROM page WHERE digest = ''").fetchall()
        return {
            "nodes_indexed": touched if not change.first else self.total(),
            "nodes_skipped": self.total() - touched if not change.first else 0,
            "nodes_errored": len(failed),
            "duration_ms": round((time.perf_counter() - start) * 1000, 1),
            "errors": [
                {"file": path, "line": 0, "message": _first_problem(problems)} for path, problems in failed
            ],
        }

    def _reopen(self) -> None:
        found = _usable(self.path, write=not self.read_only)
        if found is None:
            raise SearchFailed(f"{self.path} cannot be read", hint="memex rebuild-index --force")
        self.db, self.read_only = found

    def touch(self, paths: Sequence[str], stamp: str) -> bool:
        """Count a use of each page; false when the index cannot be written now. Never waits for long."""
        try:
            connection.wait_at_most(self.db, 200)
            with transaction(self.db):
                self.db.executemany(
                    "UPDATE page SET access_count = access_count + 1, last_access = ? WHERE path = ?",
                    [(stamp, path) for path in paths],
                )
        except sqlite3.Error:
            return False
        finally:
            connection.wait_at_most(self.db, self.busy_ms)
        return True


def _usable(path: str, *, write: bool, busy_ms: int | None = None) -> tuple[sqlite3.Connection, bool] | None:
    """A connection to a finished index of this version, and whether it can only be read; None: build it."""
    if not os.path.exists(path):
        return None
    db: sqlite3.Connection | None = None
    try:
        try:
            db = connect(path, write=write, busy_ms=busy_ms)
            read_only = not write
        except sqlite3.OperationalError as error:
            if is_busy(error):
                raise
            db = connect(path, busy_ms=busy_ms)
            read_only = True
        if schema.is_current(db):
            db.execute("SELECT 1 FROM page_fts_config LIMIT 1").fetchone()
            return db, read_only
    except sqlite3.Error as error:
        if is_busy(error):  # held for longer than we wait: no reason to build it anew
            if db is not None:
                db.close()
            raise Locked(f"{path} is being written", hint="try again in a moment") from error
    if db is not None:
        db.close()
    return None


def watcher_alive(layout: Layout) -> bool:
    """Whether a process follows the folder now: it holds the index's :data:`WATCH_LOCK`."""
    path = layout.index + WATCH_LOCK
    if not os.path.exists(path):
        return False
    from memex_core.files.lock import StoreLock

    try:
        with StoreLock(path, timeout=0):
            return False
    except Locked:
        return True


def _first_problem(problems: str) -> str:
    import json

    found = json.loads(problems) if problems else []
    return str(found[0][0]) if found else ""
