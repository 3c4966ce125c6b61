"""Is the index in step with the folder? What differs is found by stat alone and read again.

A whole check walks the folder and compares every file's (mtime, size, inode) with what was stored. For a
large store with no time for that, folders are looked at first (their mtimes tell of files that came,
went or were replaced by an editor that saves by renaming), then the files last changed, as many as the
time allows; what was not looked at makes the answer ``stale``.

A row is only removed when its file is really gone. A page that cannot be read, is too large or has broken
front matter is recorded like any other, so that it is not found changed again at every check.
"""

# No postponed annotations here: they make each named tuple's fields a compilation at start-up.

import os
import sqlite3
import time
from collections.abc import Iterable, Mapping
from operator import itemgetter
from typing import NamedTuple

from memex_core.files.layout import Layout, unreachable
from memex_core.files.scan import Scan, Stat, is_page, scan
from memex_core.index import schema
from memex_core.model.errors import Unreachable

FULL_CHECK_UP_TO = 10_000
"""Pages up to which every check looks at every file: a save in place must be found by the next recall."""

REBUILD_FROM = 1_500
"""Fewer differences than this are always worked in one by one."""

Known = dict[str, tuple[str, int, int, int]]
"""Path -> (path, mtime_ns, size, inode) as stored."""

_MANY_FOLDERS = 200
_SUMMED_UP_TO = 4_000_000  # so many numbers of 40 bits have a sum that fits into 63
_LOW = (1 << 40) - 1
_STEP = 500


class Refresh(NamedTuple):
    """What a check found and did, in page paths.

    ``renamed`` maps new to old paths; ``digests`` gives the new content of all that was added, changed
    or renamed. ``first``: the index was built, or built anew, so that nothing is known of what changed.
    ``stale``: not all files could be looked at in time, or the index cannot be written.
    """

    added: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    renamed: Mapping[str, str] = {}
    digests: Mapping[str, str] = {}
    first: bool = False
    stale: bool = False
    warnings: tuple[str, ...] = ()


class Difference(NamedTuple):
    """What to read again and what is gone. ``seen`` is the whole walk, when there was one."""

    read: list[Stat]
    gone: list[str]
    seen: Scan | None = None
    complete: bool = True

    @property
    def size(self) -> int:
        return len(self.read) + len(self.gone)


def compare(db: sqlite3.Connection, layout: Layout, found: Scan | None = None) -> Difference:
    """Every file against the index; ``found`` is a walk made just now. Raises Unreachable, also for an empty
    mount point."""
    found = found or scan(layout)
    pages = found.pages
    if found.dirs == dict(db.execute("SELECT path, mtime_ns FROM dir").fetchall()) and _same(db, pages):
        return Difference([], [])
    known: Known = {row[0]: row for row in db.execute("SELECT path, mtime_ns, size, inode FROM page")}
    if pages == known:  # compared in C
        return Difference([], [], found)
    if not pages and known:
        _refuse_empty_mount(db, layout)
    read = [stat for path, stat in pages.items() if known.get(path) != stat]
    gone = []
    for path in known.keys() - pages.keys():
        if not found.may_be_deleted(path):
            continue
        stat = present(layout, path)
        if stat is None:
            gone.append(path)
        elif known[path] != stat:
            read.append(stat)  # it came back, or it was made, while the walk was elsewhere
    return Difference(read, gone, found)


def _same(db: sqlite3.Connection, pages: dict[str, Stat]) -> bool:
    """Whether no file changed in place, told by sums: reading rows takes ten times as long as summing them.

    Only asked when no folder changed, so that the names are the same.
    """
    if len(pages) > _SUMMED_UP_TO:
        return False
    query = (
        f"SELECT count(*), sum(mtime_ns & {_LOW}), sum(size), sum(inode & {_LOW}) FROM page WHERE path >= ''"
    )
    count, times, sizes, inodes = db.execute(query).fetchone()
    if count != len(pages):
        return False
    sums = [sum(map(itemgetter(at), pages.values())) for at in (1, 2, 3)]
    return not count or (
        sums[0] & _LOW == times & _LOW and sums[1] == sizes and sums[2] & _LOW == inodes & _LOW
    )


def present(layout: Layout, path: str) -> Stat | None:
    """The stat of a page that is there and not ignored; None otherwise.

    Raises Unreachable when a folder on the way cannot be looked into: then nothing is known.
    """
    file_path = layout.file_path(path)
    try:
        at = os.stat(file_path)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except PermissionError as error:
        raise unreachable(os.path.dirname(file_path), error) from error
    except OSError:
        return None
    return Stat(path, at.st_mtime_ns, at.st_size, at.st_ino) if is_page(layout, path) else None


def _refuse_empty_mount(db: sqlite3.Connection, layout: Layout) -> None:
    """All pages gone from a folder that is not the folder they were in: a drive that is not mounted."""
    before = schema.get_meta(db, "folder")
    if before and before != identity(layout):
        raise Unreachable(
            f"{layout.pages} is empty and not the folder that was indexed",
            hint="the index is kept; is the drive mounted?",
        )


def identity(layout: Layout) -> str:
    """What tells the page folder from another one mounted at, or left at, the same place."""
    try:
        at = os.stat(layout.pages)
    except OSError:
        return ""
    return f"{at.st_dev}:{at.st_ino}"


def glance(db: sqlite3.Connection, layout: Layout, budget_ms: float) -> Difference:
    """Folders first, then files by how lately they changed, for about ``budget_ms``.

    Falls back to :func:`compare` when so many folders changed that a walk is cheaper.
    """
    until = time.monotonic() + budget_ms / 1000
    try:
        os.stat(layout.pages)
    except OSError as error:
        raise unreachable(layout.pages, error) from error
    changed, missing = _folders(db, layout)
    if len(changed) + len(missing) > _MANY_FOLDERS or "" in missing:
        return compare(db, layout)
    read: dict[str, Stat] = {}
    gone: set[str] = set()
    for folder in missing:
        gone.update(_below(db, folder, deep=True))
    for folder in changed:
        try:
            listed = _listed(db, layout, folder)
        except Unreachable:
            continue
        known = _below(db, folder)
        gone.update(path for path in known.keys() - listed.keys() if present(layout, path) is None)
        read.update((path, stat) for path, stat in listed.items() if known.get(path) != stat)
    complete = _recent(db, layout, until, read, gone)
    return Difference(list(read.values()), sorted(gone - read.keys()), None, complete)


def _folders(db: sqlite3.Connection, layout: Layout) -> tuple[list[str], list[str]]:
    """The known folders whose mtime is another, and those that are gone."""
    changed, missing = [], []
    for folder, mtime_ns in db.execute("SELECT path, mtime_ns FROM dir").fetchall():
        try:
            if os.stat(layout.file_path(folder) if folder else layout.pages).st_mtime_ns != mtime_ns:
                changed.append(folder)
        except (FileNotFoundError, NotADirectoryError):
            missing.append(folder)
        except OSError:
            continue
    return changed, missing


def _below(
    db: sqlite3.Connection, folder: str, *, deep: bool = False
) -> dict[str, tuple[str, int, int, int]]:
    """The known pages of a folder; with ``deep`` of those below it too."""
    prefix = folder + "/" if folder else ""
    inside = "path >= ? AND path < ?"
    bounds: list[str | int] = [prefix, folder + "0" if folder else chr(0x10FFFF)]
    if not deep:  # decided in the index of paths alone: the root's own pages are few among all there are
        inside = f"id IN (SELECT id FROM page WHERE {inside} AND instr(substr(path, ?), '/') = 0)"
        bounds.append(len(prefix) + 1)
    rows = db.execute(f"SELECT path, mtime_ns, size, inode FROM page WHERE {inside}", bounds)
    return {row[0]: row for row in rows}


def _listed(db: sqlite3.Connection, layout: Layout, folder: str) -> dict[str, Stat]:
    """The pages in a folder now, and in folders below it that are not known yet."""
    known = {path for (path,) in db.execute("SELECT path FROM dir")}
    found: dict[str, Stat] = {}
    todo = [folder]
    while todo:
        at = todo.pop()
        prefix = at + "/" if at else ""
        try:
            with os.scandir(layout.file_path(at) if at else layout.pages) as listing:
                entries = list(listing)
        except (FileNotFoundError, NotADirectoryError):
            continue
        except OSError as error:
            raise unreachable(layout.file_path(at), error) from error
        for entry in entries:
            path = prefix + entry.name
            if entry.name.startswith("."):
                continue
            if entry.is_dir(follow_symlinks=False):
                if path not in known:
                    todo.append(path)
            elif entry.name[-3:].lower() == ".md" and (stat := present(layout, path)) is not None:
                found[path] = stat
    return found


def _recent(
    db: sqlite3.Connection, layout: Layout, until: float, read: dict[str, Stat], gone: set[str]
) -> bool:
    """Stat files, those changed last first, until the time is used up; true when all were looked at."""
    stat, pages = os.stat, layout.pages + os.sep
    native = os.sep == "/"
    rows = db.execute("SELECT path, mtime_ns, size, inode FROM page ORDER BY mtime_ns DESC")
    while True:
        some = rows.fetchmany(_STEP)
        if not some:
            return True
        for row in some:
            path = row[0]
            try:
                at = stat(pages + path if native else layout.file_path(path))
            except OSError:
                continue  # its folder's mtime has told, or it cannot be looked at now
            if at.st_mtime_ns != row[1] or at.st_size != row[2] or at.st_ino != row[3]:
                read.setdefault(path, Stat(path, at.st_mtime_ns, at.st_size, at.st_ino))
        if time.monotonic() > until:
            rows.close()
            return len(some) < _STEP


def unread_again(db: sqlite3.Connection, layout: Layout) -> list[Stat]:
    """Pages that could not be read and may be now: new rights do not show in a file's mtime."""
    found = []
    for path, problems in db.execute("SELECT path, problems FROM page WHERE digest = ''").fetchall():
        if "cannot be read" in problems and os.access(layout.file_path(path), os.R_OK):
            stat = present(layout, path)
            if stat is not None:
                found.append(stat)
    return found


def looked_at(paths: Iterable[str], layout: Layout) -> Difference:
    """Just these paths, whatever the index says of them. Raises Unreachable when the root is gone."""
    if not os.path.isdir(layout.pages):
        raise Unreachable(f"{layout.pages} is not there", hint="the index is kept; is the drive mounted?")
    read, gone = [], []
    for path in dict.fromkeys(paths):
        stat = present(layout, path)
        if stat is None:
            gone.append(path)
        else:
            read.append(stat)
    return Difference(read, gone)
