"""``Index``: the searchable, disposable image of a store.

Opening one gives a usable index whatever was there: a missing, broken or foreign one is built. Every
face holds one of these a thread; :meth:`Index.interrupt` alone may be called from another.
"""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from memex_core.files.layout import Layout
from memex_core.index import freshness, lookup, schema
from memex_core.index.connection import BUSY_MS, connect, is_busy, is_damaged, is_read_only, transaction
from memex_core.index.freshness import Refresh
from memex_core.index.lookup import Row
from memex_core.model.errors import Locked, MemexError, SearchFailed

if TYPE_CHECKING:
    from memex_core.index.analyse import Analyser
    from memex_core.index.links import LinkRow
    from memex_core.model.graph_export import Graph
    from memex_core.model.resolve import Resolution
    from memex_core.model.results import RebuildReport

Progress = Callable[[int, int], None]

WATCH_LOCK = ".watch"
"""Ends the name of the file, beside the index, that a process holds while it follows the folder. Not in the
state folder: a folder that is only read has none."""


class Behind(MemexError):
    """So much has changed in the folder that reading it takes longer than the caller has."""

    code = "indexing"


class Index:
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
        self._unchecked = False
        self._analyser: Analyser | None = None

    @classmethod
    def open(cls, layout: Layout, *, write: bool = True, progress: Progress | None = None) -> Index:
        """The index of ``layout``, built first if there is none of this version that can be read.

        Two processes that find none build one: the second waits for the first. With ``write`` false the
        connection refuses to change the database (it is still built when missing). Raises Unreachable
        when it has to be built and the page folder cannot be read, Locked when it stays busy.
        """
        path = layout.index
        found = _usable(path, write=write)
        if found is not None:
            if os.path.lexists(path + ".new"):
                from memex_core.index.rebuild import sweep

                sweep(path)
            return cls(layout, path, found[0], read_only=found[1])
        from memex_core.index.rebuild import building, rebuild

        with building(path):
            found = _usable(path, write=write)  # another process may have built it while we waited
            report = None if found is not None else rebuild(layout, path, progress=progress)
            found = found or _usable(path, write=write)
        if found is None:
            raise SearchFailed(f"{path} cannot be used as an index", hint="delete it and try again")
        index = cls(layout, path, found[0], read_only=found[1])
        index.built = report
        index._unchecked = report is not None
        return index

    def __enter__(self) -> Index:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self.db.close()

    def interrupt(self) -> None:
        """Make the statement that is running in another thread fail with SearchFailed, soon."""
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
        if difference.size > max(freshness.REBUILD_FROM, self.total() // 3) and not self.read_only:
            self.rebuild(self.progress)
            return Refresh(first=True)
        return self._writing(lambda: self._all(difference, budget_ms))

    def update(self, paths: Iterable[str], *, moved: Mapping[str, str] | None = None) -> Refresh:
        """Read just these pages again; a path with no page is taken out. ``moved`` maps new paths to old
        ones for pages that were renamed, so that they stay the same page."""
        difference = freshness.looked_at([*paths, *(moved or {}), *(moved or {}).values()], self.layout)
        return self._writing(lambda: self._apply(difference, moved))

    def _apply(self, difference: freshness.Difference, moved: Mapping[str, str] | None = None) -> Refresh:
        if not difference.size and difference.seen is None:
            return Refresh(stale=not difference.complete)
        from memex_core.index.analyse import Analyser
        from memex_core.index.apply import apply

        self._analyser = self._analyser or Analyser(learn=True)
        return apply(self.db, self.layout, difference, moved=moved, analyser=self._analyser)

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
            raise SearchFailed(f"the index failed: {error}", hint="memex rebuild-index --force") from error

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
            self.db.execute("PRAGMA busy_timeout=200")
            with transaction(self.db):
                self.db.executemany(
                    "UPDATE page SET access_count = access_count + 1, last_access = ? WHERE path = ?",
                    [(stamp, path) for path in paths],
                )
        except sqlite3.Error:
            return False
        finally:
            self.db.execute(f"PRAGMA busy_timeout={BUSY_MS}")
        return True

    # -- questions -------------------------------------------------------------------------

    def total(self) -> int:
        """The number of pages."""
        return schema.count_pages(self.db)

    def schema(self) -> int:
        """The version of the tables and the analyser."""
        return schema.VERSION

    def get_meta(self, key: str) -> Any:
        return schema.get_meta(self.db, key)

    def set_meta(self, key: str, value: str | int | float | None) -> None:
        with transaction(self.db):
            schema.set_meta(self.db, key, value)

    def find(self, name: str, **options: Any) -> list[Row]:
        """The pages that ``name`` names; see :func:`memex_core.index.lookup.find`."""
        return lookup.find(self.db, name, **options)

    def suggest(self, name: str) -> list[str]:
        """Slugs like ``name``."""
        return lookup.suggest(self.db, name)

    def row(self, path: str) -> Row | None:
        """The page at that path."""
        return lookup.by_path(self.db, path)

    def rows(self, **options: Any) -> tuple[list[Row], int, str | None]:
        """A list of pages; the options of :func:`memex_core.index.lookup.rows`."""
        return lookup.rows(self.db, **options)

    def paths(self) -> list[str]:
        """The paths of all pages."""
        return [path for (path,) in self.db.execute("SELECT path FROM page ORDER BY path")]

    def digests(self) -> dict[str, str]:
        """Path -> digest of the bytes that were indexed; empty for a page that could not be read."""
        return dict(self.db.execute("SELECT path, digest FROM page").fetchall())

    def used_since(self, stamp: str) -> int:
        """How many pages were last used at or after that time."""
        found: int = self.db.execute("SELECT count(*) FROM page WHERE last_access >= ?", (stamp,)).fetchone()[
            0
        ]
        return found

    def counts(self) -> dict[str, Any]:
        """Pages by type and status, broken links, pages with problems."""
        return lookup.counts(self.db)

    def projects(self) -> set[str]:
        """The projects that pages name."""
        return lookup.projects(self.db)

    def tags(self) -> list[tuple[str, int]]:
        """Tags and how many pages have each."""
        return lookup.tags(self.db)

    def tagged(self, tag: str) -> list[str]:
        """Paths of the pages with that tag."""
        return lookup.tagged(self.db, tag)

    def links_from(self, path: str) -> list[LinkRow]:
        """The links of a page, in order."""
        from memex_core.index import links

        return links.links_from(self.db, path)

    def links_to(self, path: str) -> list[LinkRow]:
        """The links that reach a page, each with its line of text as the file has it now."""
        from memex_core.index import links

        return links.with_text(links.links_to(self.db, path), self.layout)

    def unresolved(self, path: str = "") -> list[LinkRow]:
        """Links to nothing, of one page or of all."""
        from memex_core.index import links

        return links.unresolved(self.db, path)

    def ambiguous(self) -> list[LinkRow]:
        """Links with several equal candidates."""
        from memex_core.index import links

        return links.ambiguous(self.db)

    def resolve_full(self, target: str, form: str, source: str, *, alias: str | None = None) -> Resolution:
        """What a link means, with the other candidates and the way it was found."""
        from memex_core.index import links

        return links.resolve_target(self.db, target, form, source, alias)

    def resolve(self, target: str, form: str, source: str) -> str | None:
        """The path a link means."""
        return self.resolve_full(target, form, source).path

    def unique_after_move(self, old: str, new: str) -> Callable[[str], bool]:
        """Whether a bare name will mean the page at ``new`` and no other, once it has moved from ``old``."""
        from memex_core.index import links

        return links.unique_after_move(self.db, old, new)

    def graph(self, focus: str | None = None, *, hops: int = 1, limit: int = 60) -> Graph:
        """Pages and links around ``focus``, or all of them."""
        from memex_core.index.neighbours import graph

        return graph(self.db, focus, hops=hops, limit=limit)


def usable(path: str) -> bool:
    """Whether there is a finished index of this version. Raises Locked when it stays busy."""
    found = _usable(path, write=False)
    if found is not None:
        found[0].close()
    return found is not None


def _usable(path: str, *, write: bool) -> tuple[sqlite3.Connection, bool] | None:
    """A connection to a finished index of this version, and whether it can only be read; None: build it."""
    if not os.path.exists(path):
        return None
    db: sqlite3.Connection | None = None
    try:
        try:
            db = connect(path, write=write)
            read_only = not write
        except sqlite3.OperationalError as error:
            if is_busy(error):
                raise
            db = connect(path)
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
