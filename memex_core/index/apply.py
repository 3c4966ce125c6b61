"""Working a difference between folder and index into the index.

Files are read and analysed outside of transactions, and rows written in short ones, so that a large
batch keeps nobody else from writing. What another process has done meanwhile is looked at again inside.
"""

# No postponed annotations here: they make each named tuple's fields a compilation at start-up.

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

from memex_core.files.layout import Layout
from memex_core.files.scan import Scan, Stat
from memex_core.index import schema
from memex_core.index.connection import transaction
from memex_core.index.freshness import Difference, Refresh, identity, present

if TYPE_CHECKING:
    from memex_core.index.analyse import Analyser
    from memex_core.index.entries import Entry, File
    from memex_core.index.indexer import Change

    _Worth = tuple[list[Entry], dict[str, str]]

_BATCH = 200  # pages a transaction


class _Known(NamedTuple):
    """A page as the index has it."""

    id: int
    path: str
    digest: str
    mtime_ns: int
    size: int
    inode: int
    uid: str
    title: str
    problems: str


_KNOWN = "SELECT id, path, digest, mtime_ns, size, inode, uid, title, problems FROM page"


_YOUNG = "SELECT path, -mtime_ns, size, inode, digest FROM page WHERE mtime_ns < 0 AND digest <> ''"
_SETTLE = "UPDATE page SET mtime_ns = ?1 WHERE path = ?2 AND mtime_ns = -?1"


def apply(
    db: sqlite3.Connection,
    layout: Layout,
    difference: Difference,
    *,
    moved: Mapping[str, str] | None = None,
    analyser: "Analyser | None" = None,
    held: Sequence["File"] = (),
) -> Refresh:
    """Write ``difference`` to the index. ``moved`` maps new to old paths where that is known for sure,
    ``analyser`` (with ``learn``) is one to use again, ``held`` are files that were read already."""
    work = _Work(db, layout, difference, moved or {}, analyser)
    if difference.size or held:
        work.run(held)
    if difference.seen is not None:
        note_folders(db, layout, difference.seen)
    return work.done(stale=not difference.complete)


class _Work:
    def __init__(
        self,
        db: sqlite3.Connection,
        layout: Layout,
        difference: Difference,
        moved: Mapping[str, str],
        analyser: "Analyser | None",
    ) -> None:
        self.db, self.layout, self.difference = db, layout, difference
        self.moved, self.analyser = moved, analyser
        self.lost: dict[int, _Known] = {}
        self.by_mark: dict[str | int, list[_Known]] | None = None
        self.added: list[str] = []
        self.changed: list[str] = []
        self.removed: list[str] = []
        self.renamed: dict[str, str] = {}
        self.digests: dict[str, str] = {}

    def run(self, held: Sequence["File"]) -> None:
        from memex_core.index.indexer import Change

        for path in self.difference.gone:
            known = self._known(path)
            if known is not None:
                self.lost[known.id] = known
        for entries, words in chain(self._held(held), self._parsed()):
            with transaction(self.db):
                change = Change(self.db)
                for entry in entries:
                    self._put(change, entry)
                change.finish(words)
        lost = list(self.lost.values())
        for at in range(0, len(lost), _BATCH):
            with transaction(self.db):
                change = Change(self.db)
                for known in lost[at : at + _BATCH]:
                    self._remove(change, known)
                change.finish({})

    def _held(self, held: Sequence["File"]) -> "Iterator[_Worth]":
        """The files that were read already, analysed, a transaction's worth at a time."""
        from memex_core.index.analyse import Analyser
        from memex_core.index.entries import entry_of

        analyser = self.analyser or Analyser(learn=True)
        for at in range(0, len(held), _BATCH):
            entries = [entry_of(self.layout, file, analyser) for file in held[at : at + _BATCH]]
            yield entries, analyser.take_words()

    def _parsed(self) -> "Iterator[_Worth]":
        """The files to read, analysed, a transaction's worth at a time."""
        read = self._unsettled()
        if not read:
            return
        from memex_core.index.worker import parse_all

        waiting: list[Entry] = []
        spelt: dict[str, str] = {}
        for entries, words, _ in parse_all(self.layout, read, analyser=self.analyser):
            waiting += entries
            spelt.update(words)
            if len(waiting) >= _BATCH:
                yield waiting, spelt
                waiting, spelt = [], {}
        if waiting:
            yield waiting, spelt

    def _unsettled(self) -> list[Stat]:
        """The files to read but for those that differ from their rows in one thing: when they were read, they
        were so young that they might have changed again unseen. They did not if the bytes are the same."""
        if not self.difference.read:
            return []
        from memex_core.index.entries import digest_of

        young = {row[0]: row for row in self.db.execute(_YOUNG)}
        unsettled: list[Stat] = []
        settled: list[tuple[int, str]] = []
        for stat in self.difference.read:
            known = young.get(stat.path)
            if known is not None and stat == known[:4]:
                digest, now = digest_of(self.layout, stat)
                if digest == known[4] and (abs(now.mtime_ns), *now[2:]) == stat[1:]:
                    if now.mtime_ns > 0:
                        settled.append((stat.mtime_ns, stat.path))
                    continue
            unsettled.append(stat)
        for at in range(0, len(settled), _BATCH):
            with transaction(self.db):
                self.db.executemany(_SETTLE, settled[at : at + _BATCH])
        return unsettled

    def _put(self, change: "Change", entry: "Entry") -> None:
        from memex_core.index.entries import DIGEST, INODE, MTIME, PATH, PROBLEMS, SIZE

        row = entry[0]
        path, digest = row[PATH], row[DIGEST]
        stat = (row[MTIME], row[SIZE], row[INODE])
        known = self._known(path)
        if known is None:
            before = self._before(entry)
            change.put(entry, before.id if before else None)
            if before is None:
                self.added.append(path)
            else:
                del self.lost[before.id]
                self.renamed[path] = before.path
        elif known.digest == digest and (digest or known.problems == row[PROBLEMS]):
            if stat != (known.mtime_ns, known.size, known.inode):
                change.put(entry, known.id)  # the same bytes: its times at most
            return
        else:
            change.put(entry, known.id)
            self.changed.append(path)
        self.digests[path] = digest

    def _before(self, entry: "Entry") -> _Known | None:
        """The page that this one was under another path, of those that are gone.

        Told by the caller, or the same id, the same bytes, or the same file (inode) when besides the size,
        the title or the file name is the same: a file system gives a new file the inode of a deleted one.
        """
        from memex_core.index.entries import DIGEST, ENTRY_COLUMNS, INODE, PATH, SIZE

        row = entry[0]
        uid, title = row[ENTRY_COLUMNS.index("uid")], row[ENTRY_COLUMNS.index("title")]
        path, name = row[PATH], _name(row[PATH])
        told = self.moved.get(path)
        if told is not None:
            return next((known for known in self.lost.values() if known.path == told), None)
        best: _Known | None = None
        most = 0
        for known in self._alike(uid, row[DIGEST], row[INODE]):
            if uid and known.uid:
                weight = 8 if uid == known.uid else 0
            elif row[DIGEST] and known.digest == row[DIGEST]:
                weight = 6
            else:
                same = known.size == row[SIZE] or known.title == title or _name(known.path) == name
                weight = 2 if known.inode == row[INODE] and same else 0
            if weight and (weight := weight + (_name(known.path) == name)) > most:
                best, most = known, weight
        return best

    def _alike(self, *marks: str | int) -> list[_Known]:
        """The pages that are gone and have one of ``marks`` (id, digest, inode) in common."""
        if self.by_mark is None:
            self.by_mark = {}
            for known in self.lost.values():
                for mark in (known.uid, known.digest, known.inode):
                    if mark:
                        self.by_mark.setdefault(mark, []).append(known)
        found = [known for mark in marks if mark for known in self.by_mark.get(mark, ())]
        return [known for known in found if known.id in self.lost]

    def _remove(self, change: "Change", known: _Known) -> None:
        if self._known(known.path) != known or present(self.layout, known.path) is not None:
            return  # another process has seen to it, or the file is back
        change.remove(known.id)
        self.removed.append(known.path)

    def _known(self, path: str) -> _Known | None:
        row = self.db.execute(f"{_KNOWN} WHERE path = ?", (path,)).fetchone()
        return _Known(*row) if row else None

    def done(self, *, stale: bool) -> Refresh:
        return Refresh(
            tuple(self.added),
            tuple(self.changed),
            tuple(self.removed),
            self.renamed,
            self.digests,
            stale=stale,
        )


def note_folders(db: sqlite3.Connection, layout: Layout, seen: Scan) -> None:
    """Keep the folders' mtimes and the files that are no pages; writes only what differs."""
    from memex_core.index.indexer import Change

    dirs = dict(db.execute("SELECT path, mtime_ns FROM dir").fetchall())
    now = {folder: settled(mtime_ns) for folder, mtime_ns in seen.dirs.items()}
    kept = {folder for folder in dirs if any(f"{folder}/".startswith(prefix) for prefix in seen.unread)}
    gone = [(folder,) for folder in dirs.keys() - now.keys() - kept]
    fresh = [pair for pair in now.items() if dirs.get(pair[0]) != pair[1]]
    assets = {path for (path,) in db.execute("SELECT path FROM asset")}
    here = schema.get_meta(db, "folder") == identity(layout)
    if not gone and not fresh and assets == set(seen.assets) and here:
        return
    with transaction(db):
        db.executemany("INSERT OR REPLACE INTO dir VALUES(?, ?)", fresh)
        db.executemany("DELETE FROM dir WHERE path = ?", gone)
        schema.set_meta(db, "folder", identity(layout))
        change = Change(db)
        if change.set_assets(seen.assets):
            change.finish({})


def settled(mtime_ns: int) -> int:
    """A folder's mtime, negated when it is so young that the folder may change again without a new one."""
    from time import time_ns

    from memex_core.index.entries import RACY_NS

    return -mtime_ns if time_ns() - mtime_ns < RACY_NS else mtime_ns


def _name(path: str) -> str:
    return path[path.rfind("/") + 1 :]


__all__: Sequence[Any] = ["apply", "note_folders", "settled"]
