"""What is in the page folder: one walk, no file opened.

The rules of :mod:`memex_core.files.ignore` and the rule about links are applied here, for the
walk (:func:`scan`) and for a single path (:func:`is_page`), and nowhere else.
"""

# No `from __future__ import annotations` here: with it each NamedTuple's first field costs a process 1 ms.

import gc
import os
import stat
from typing import NamedTuple

from memex_core.model.errors import Unreachable

from .ignore import (
    GENERATED,
    IGNORE_NAME,
    Rules,
    ignored,
    is_asset_name,
    is_page_name,
    is_text,
    read_rules,
)
from .layout import Layout, unreachable

_KIND, _REGULAR = 0o170000, 0o100000  # stat.S_IFMT and S_IFREG, without a call a file
_ALL = 1 << 16  # longer than any name
_LONGEST_GENERATED = max(map(len, GENERATED))
_LINK_REFUSED = {
    "file": "the link leads out of the page folder or to nothing",
    "folder": "linked folders are not followed",
}


class Stat(NamedTuple):
    """A page file as the folder shows it; of a link, what it points to."""

    path: str
    mtime_ns: int
    size: int
    inode: int


class ScanProblem(NamedTuple):
    """Something that was passed by, and why, for ``verify`` and ``status``."""

    path: str
    message: str


class Scan(NamedTuple):
    """The result of a walk. Paths are POSIX and relative to the page folder.

    ``dirs`` maps every folder that was walked ("" is the page folder) to the mtime in ns it had
    before it was listed, so that a change during the walk shows as a difference later.
    ``unread`` holds prefixes ("sub/") of folders that could not be read: pages under them are
    unknown, not deleted.
    """

    pages: dict[str, Stat]
    assets: list[str]
    dirs: dict[str, int]
    problems: list[ScanProblem]
    unread: list[str]

    def may_be_deleted(self, path: str) -> bool:
        """Whether the absence of ``path`` from ``pages`` proves that the file is gone."""
        return not any(path.startswith(prefix) for prefix in self.unread)


def scan(layout: Layout) -> Scan:
    """Walk the page folder. Raises Unreachable when it is gone, unmounted or unreadable."""
    walk = _Walk(layout)
    collecting = gc.isenabled()
    gc.disable()  # thousands of new tuples and no garbage: the collector would only slow the walk
    try:
        walk.all()
    finally:
        if collecting:
            gc.enable()
    return Scan(walk.pages, walk.assets, walk.dirs, walk.problems, walk.unread)


def is_page(layout: Layout, path: str) -> bool:
    """Whether :func:`scan` would list ``path``, were there a regular file of that name.

    True for a page that was deleted a moment ago; false for a name that is no page's, a link out
    of the page folder, and a folder, socket or device that has a page's name.
    """
    if not path or path[0] == "/":
        return False
    *folders, name = path.split("/")
    chain: list[Rules] = []
    prefix, directory = "", layout.pages
    for folder in folders:
        _extend(chain, directory, prefix)
        if not folder or folder[0] == "." or not is_text(folder):
            return False
        prefix += folder
        directory = os.path.join(directory, folder)
        if ignored(chain, prefix, is_folder=True) or os.path.islink(directory):
            return False
        prefix += "/"
    if not name or not is_page_name(name, folder=layout.folder):
        return False
    _extend(chain, directory, prefix)
    if ignored(chain, path, is_folder=False):
        return False
    file_path = os.path.join(directory, name)
    try:
        mode = os.lstat(file_path).st_mode
    except OSError:
        return True
    if stat.S_ISLNK(mode):
        return linked_file(layout, file_path) is not None
    return stat.S_ISREG(mode)


def linked_file(layout: Layout, file_path: str) -> str | None:
    """The real path a linked page points to; None unless it is a regular file of the page folder.

    A target in a dot folder (``.git/config``) counts as outside: it is not meant to be read.
    """
    target = os.path.realpath(file_path)
    root = os.path.realpath(layout.pages)
    prefix = root if root.endswith(os.sep) else root + os.sep
    if not target.startswith(prefix):
        return None
    if any(part.startswith(".") for part in target[len(prefix) :].split(os.sep)):
        return None
    return target if os.path.isfile(target) else None


def _extend(chain: list[Rules], directory: str, prefix: str) -> None:
    rules = read_rules(directory, prefix)
    if rules is not None:
        chain.append(rules)


class _Walk:
    """The state of one walk; folders still to list wait in ``todo``."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.pages: dict[str, Stat] = {}
        self.assets: list[str] = []
        self.dirs: dict[str, int] = {}
        self.problems: list[ScanProblem] = []
        self.unread: list[str] = []
        self.todo: list[tuple[str, str, int, list[Rules]]] = []

    def all(self) -> None:
        """Walk everything. Raises Unreachable; a folder inside that cannot be read is noted."""
        pages = self.layout.pages
        try:
            root = os.stat(pages)
            self.folder("", pages, root.st_mtime_ns, [])
        except OSError as error:
            raise unreachable(pages, error) from error
        while self.todo:
            prefix, directory, mtime, chain = self.todo.pop()
            try:
                self.folder(prefix, directory, mtime, chain)
            except (FileNotFoundError, NotADirectoryError):
                pass  # gone, or a file by now: the next walk sees it so
            except OSError as error:
                self.unread.append(prefix)
                reason = (error.strerror or "unknown error").lower()
                self.problems.append(ScanProblem(prefix, f"the folder cannot be read ({reason})"))
        # A drive that was unmounted meanwhile must not look like a folder that was emptied.
        try:
            still = os.path.samestat(root, os.stat(pages))
        except OSError:
            still = False
        if not still:
            raise Unreachable(f"{pages} went away while it was read", hint="the index is kept")

    def folder(self, prefix: str, directory: str, mtime: int, chain: list[Rules]) -> None:
        """List one folder. Raises OSError when it cannot be listed."""
        taken, marks = len(self.pages), (len(self.assets), len(self.problems), len(self.todo))
        if self._list(prefix, directory, chain):
            # An ignore file came along in the listing: what was taken so far is decided anew.
            # (Asking for the file in each folder beforehand would cost every walk 3 %.)
            del self.assets[marks[0] :], self.problems[marks[1] :], self.todo[marks[2] :]
            while len(self.pages) > taken:
                self.pages.popitem()
            _extend(chain := chain.copy(), directory, prefix)
            self._list(prefix, directory, chain)
        # Only now: a folder that failed half way must look changed to the next freshness check.
        self.dirs[prefix[:-1]] = mtime

    def _list(self, prefix: str, directory: str, chain: list[Rules]) -> bool:
        """Take one folder's names; True when an ignore file of its own is among them."""
        own_rules = False
        pages, new, kinds, regular = self.pages, tuple.__new__, _KIND, _REGULAR
        # A name with nothing special to it is decided here, everything else in _other. This loop is
        # what "is anything new?" costs: 10,000 times a little. ``new`` halves the price of a Stat.
        shortest = _ALL if chain else (0 if self.layout.folder else _LONGEST_GENERATED)
        with os.scandir(directory) as entries:
            for entry in entries:
                name = entry.name
                if name[-3:] != ".md" or name[0] == "." or not name.isascii() or len(name) <= shortest:
                    own_rules = own_rules or name == IGNORE_NAME
                    self._other(prefix, name, entry, chain)
                    continue
                try:
                    at = entry.stat(follow_symlinks=False)
                except FileNotFoundError:
                    continue
                path = prefix + name
                if at.st_mode & kinds == regular:
                    pages[path] = new(Stat, (path, at.st_mtime_ns, at.st_size, at.st_ino))
                else:
                    self._not_a_file(path, entry, chain)
        return own_rules

    def _other(self, prefix: str, name: str, entry: os.DirEntry[str], chain: list[Rules]) -> None:
        """What is not plainly a page: folders, pictures, dot names, names in other scripts …"""
        path = prefix + name
        if name[0] == ".":
            return
        if not is_text(name):
            self._unnameable(prefix, name)
        elif chain and ignored(chain, path, is_folder=entry.is_dir(follow_symlinks=False)):
            return
        elif not entry.is_file(follow_symlinks=False):
            self._not_a_file(path, entry, chain)
        elif is_page_name(name, folder=self.layout.folder):
            try:
                at = entry.stat(follow_symlinks=False)
            except FileNotFoundError:
                return
            self.pages[path] = Stat(path, at.st_mtime_ns, at.st_size, at.st_ino)
        elif is_asset_name(name):
            self.assets.append(path)

    def _not_a_file(self, path: str, entry: os.DirEntry[str], chain: list[Rules]) -> None:
        """A folder to walk later, a link to look through, or a device to pass by."""
        if entry.is_symlink():
            self._linked(path, entry)
        elif entry.is_dir(follow_symlinks=False):
            try:
                mtime = entry.stat(follow_symlinks=False).st_mtime_ns
            except FileNotFoundError:
                return
            self.todo.append((path + "/", entry.path, mtime, chain))

    def _linked(self, path: str, entry: os.DirEntry[str]) -> None:
        target = linked_file(self.layout, entry.path)
        if target is None:
            kind = "folder" if os.path.isdir(entry.path) else "file"
            self.problems.append(ScanProblem(path, _LINK_REFUSED[kind]))
        elif is_page_name(entry.name, folder=self.layout.folder):
            try:
                at = os.stat(target)
            except FileNotFoundError:
                return
            self.pages[path] = Stat(path, at.st_mtime_ns, at.st_size, at.st_ino)
        elif is_asset_name(entry.name):
            self.assets.append(path)

    def _unnameable(self, prefix: str, name: str) -> None:
        shown = name.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
        self.problems.append(ScanProblem(prefix + shown, "the name is not UTF-8; rename it to use it"))
