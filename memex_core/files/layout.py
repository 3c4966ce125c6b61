"""Where things lie: a store of memex's own, or a folder of Markdown opened as it is.

A store keeps its pages in ``docs/`` and everything else beside it. A folder opened as it is
(a vault, a project) is the page folder itself, and memex's own files go to ``.memex/`` in it.
A store of items (``wiki/<file>.md`` beside ``diary/<day>.md``) is opened as it is too: its item files
are the pages, its diary is the diary.
Nothing here creates a file except :func:`create_store`.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Mapping

from memex_core.files.opening import regular
from memex_core.model.errors import Refused, StoreMissing, Unreachable, WriteFailed

STATE_FOLDER = ".memex"
PAGE_FOLDER = "docs"
CONFIG_NAME = "memex.toml"
INDEX_NAME = "mem.db"

_STORE_MARKS = (CONFIG_NAME, "journal.jsonl", INDEX_NAME, "transcripts")
STARTER = """\
# memex configuration. Every key is optional, and so is this file.
"""
_ITEMS, _DIARY = "wiki", "diary"
_BESIDE_ITEMS = frozenset({_ITEMS, _DIARY, "diary-vectors"})
_LOOKED_AT = 20_000  # entries looked at before a folder counts as one without Markdown


class Layout:
    """The places of one memory; all are absolute paths of this system.

    ``root`` is what the person named, ``pages`` holds the Markdown, ``state`` what memex keeps
    itself (it need not exist while only reading). ``folder`` is true when ``root`` is opened as
    it is: then ``pages`` is ``root`` and no file name is reserved in it. Not to be changed once made.
    """

    __slots__ = ("folder", "pages", "root", "state")

    def __init__(self, root: str, pages: str, state: str, folder: bool) -> None:
        self.root = root
        self.pages = pages
        self.state = state
        self.folder = folder

    def __repr__(self) -> str:
        return f"Layout({self.root!r}, {self.pages!r}, {self.state!r}, {self.folder!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Layout) and repr(self) == repr(other)

    def __hash__(self) -> int:
        return hash((self.root, self.pages, self.state, self.folder))

    @property
    def items(self) -> bool:
        """Whether it is a store of items opened as it is."""
        return self.folder and self.pages != self.root

    @property
    def diary(self) -> str:
        return os.path.join(self.root if self.items else self.state, _DIARY)

    @property
    def transcripts(self) -> str:
        return os.path.join(self.state, "transcripts")

    @property
    def journal(self) -> str:
        return os.path.join(self.state, "journal.jsonl")

    @property
    def config(self) -> str:
        return os.path.join(self.state, CONFIG_NAME)

    @property
    def rules(self) -> str:
        return os.path.join(self.state, "rules")

    @property
    def sync(self) -> str:
        return os.path.join(self.state, "sync")

    @property
    def logs(self) -> str:
        return os.path.join(self.state, "logs")

    @property
    def lock(self) -> str:
        """One for all who write here: of items, the library face too, which needs no ``.memex/``."""
        return os.path.join(self.root if self.items else self.state, ".lock")

    @property
    def pending(self) -> str:
        """The note of the write in progress; see :meth:`interrupted`."""
        return os.path.join(self.state, ".pending.jsonl")

    @property
    def interrupted(self) -> bool:
        """Whether a write is in progress, or its writer died: then ``commit.recover`` mends it.

        Costs one stat. Between writes the note stays, as a single line end: making and removing a
        file each time would cost a tenth of a millisecond.
        """
        try:
            note = os.lstat(self.pending)
        except OSError:
            return False
        return stat.S_ISREG(note.st_mode) and note.st_size > 1  # a link is nobody's note

    @property
    def index(self) -> str:
        """The index file: in ``state`` where that exists and can be written, else in the user's
        cache folder under a name of this root's own, so that reading needs no right to write.

        The folder of a cache file may have to be made by whoever opens it.
        """
        if os.access(self.state, os.W_OK | os.X_OK):
            return os.path.join(self.state, INDEX_NAME)
        return self.cache

    @property
    def cache(self) -> str:
        """The file in the user's cache folder that is this root's own, in use or not."""
        return _cache_file(self.root)

    def file_path(self, path: str) -> str:
        """The absolute path of the page ``path`` (POSIX, relative to the page folder)."""
        return os.path.join(self.pages, path if os.sep == "/" else path.replace("/", os.sep))

    def page_path(self, file_path: str) -> str | None:
        """The page path of an absolute path; None when it lies outside the page folder."""
        prefix = self.pages if self.pages.endswith(os.sep) else self.pages + os.sep
        if not file_path.startswith(prefix):
            return None
        path = file_path[len(prefix) :]
        return path if os.sep == "/" else path.replace(os.sep, "/")

    def ensure_state(self) -> None:
        """Make the state folder: the first step of a first write. Raises WriteFailed."""
        if not os.path.isdir(self.state):
            _make(self.state)


def current() -> str:
    """The folder that this process works in; empty where it was removed."""
    try:
        return os.getcwd()
    except OSError:
        return ""


def find_root(option: str | None, environ: Mapping[str, str], cwd: str) -> str:
    """The root to use, absolute; it need not exist.

    ``--root``, else ``MEMEX_HOME``, else its older name ``MEMEX_DATA_DIR``, else the nearest
    folder from ``cwd`` upwards with ``.memex/`` or ``memex.toml``, else ``~/.memex`` (or what
    ``[data_dir] path`` in its ``memex.toml`` says). Raises Unreachable when it depends on ``cwd`` and that is
    empty: the folder is gone.
    """
    home_store = os.path.join(_home(environ), STATE_FOLDER)
    for named in (option, environ.get("MEMEX_HOME"), environ.get("MEMEX_DATA_DIR")):
        if named:
            path = os.path.join(cwd, _expand(named, environ))
            if cwd or os.path.isabs(path):
                return os.path.abspath(path)
            break
    if not cwd:
        raise Unreachable("the current folder is gone", hint="cd into another, or give --root a whole path")
    folder = os.path.abspath(cwd)
    while True:
        if os.path.isdir(os.path.join(folder, STATE_FOLDER)) or os.path.isfile(
            os.path.join(folder, CONFIG_NAME)
        ):
            root = _rightful(folder, home_store)
            return _moved(root, environ) if root == home_store else root
        parent = os.path.dirname(folder)
        if parent == folder:
            return _moved(home_store, environ)
        folder = parent


def open_layout(root: str) -> Layout:
    """The layout of an existing root; creates nothing.

    Raises StoreMissing when there is no folder, or one with neither a store nor Markdown in it,
    and Unreachable when the folder is there but cannot be listed.
    """
    root = _rightful(os.path.abspath(root), os.path.join(_home(os.environ), STATE_FOLDER))
    names = _listing(root)
    if _holds_items(root, names):
        return of_items(root)
    if STATE_FOLDER in names and os.path.isdir(os.path.join(root, STATE_FOLDER)):
        return _folder_layout(root)
    has_docs = PAGE_FOLDER in names and os.path.isdir(os.path.join(root, PAGE_FOLDER))
    if any(mark in names for mark in _STORE_MARKS) or (has_docs and not _has_page(names)):
        return _store_layout(root)
    if has_docs or ".obsidian" in names or holds_markdown(root):
        return _folder_layout(root)
    raise StoreMissing(f"no memory and no Markdown in {root}", hint=f"create one: memex init {_quoted(root)}")


def plan(root: str) -> Layout:
    """The layout :func:`create_store` would make of ``root``: ``.memex/`` in a folder of Markdown,
    else a store with ``docs/``. Creates nothing. Raises Unreachable, or Refused for a file."""
    root = os.path.abspath(root)
    try:
        return open_layout(root)
    except StoreMissing:
        if os.path.lexists(root) and not os.path.isdir(root):
            raise Refused(f"{root} is not a folder", hint="name a folder") from None
        return _store_layout(root)


def is_store(root: str) -> bool:
    """Whether ``root`` has what memex keeps: a state folder or a store. A bare folder of Markdown
    can be read and is none."""
    try:
        layout = open_layout(root)
    except (StoreMissing, Unreachable):
        return False
    if layout.folder:
        return os.path.isdir(layout.state)
    return os.path.isdir(layout.pages)


def create_store(root: str) -> Layout:
    """Make ``root`` a memory, as :func:`plan` says. Safe to repeat: what exists is kept.

    Raises WriteFailed, Refused for a file, or Unreachable for a folder that cannot be listed.
    """
    layout = plan(root)
    _make(layout.pages)
    _make(layout.state)
    if not layout.folder and not os.path.lexists(layout.config):
        try:
            with open(layout.config, "x", encoding="utf-8", newline="\n") as file:
                file.write(STARTER)
        except FileExistsError:
            pass  # another process made it a moment ago
        except OSError as error:
            raise WriteFailed(f"cannot write {layout.config} ({error.strerror})") from error
    return layout


def holds_markdown(root: str) -> bool:
    """Whether a ``.md`` file lies in ``root`` at any depth, dot folders left out."""
    folders, seen = [root], 0
    for folder in folders:
        try:
            with os.scandir(folder) as entries:
                for entry in entries:
                    seen += 1
                    if entry.name.startswith("."):
                        continue
                    if entry.is_dir(follow_symlinks=False):
                        folders.append(entry.path)
                    elif entry.name.lower().endswith(".md"):
                        return True
        except OSError:
            continue
        if seen > _LOOKED_AT:
            return False
    return False


def of_items(root: str) -> Layout:
    """The layout of a store of items, there or not."""
    return Layout(root, os.path.join(root, _ITEMS), os.path.join(root, STATE_FOLDER), True)


def _holds_items(root: str, names: set[str]) -> bool:
    """A store of items: ``wiki/`` with a diary, a journal or vectors beside it, and nothing else that
    could be a vault's or a store's."""
    if _ITEMS not in names or not names & {_DIARY, "journal.jsonl", "vectors.keys.jsonl"}:
        return False
    if CONFIG_NAME in names or INDEX_NAME in names or ".obsidian" in names:
        return False
    if any(name.lower().endswith(".md") and name.lower() != "readme.md" for name in names):
        return False
    others = (name for name in names - _BESIDE_ITEMS if not name.startswith("."))
    return os.path.isdir(os.path.join(root, _ITEMS)) and not any(
        os.path.isdir(os.path.join(root, name)) for name in others
    )


def _store_layout(root: str) -> Layout:
    return Layout(root, os.path.join(root, PAGE_FOLDER), root, False)


def _folder_layout(root: str) -> Layout:
    return Layout(root, root, os.path.join(root, STATE_FOLDER), True)


def _rightful(folder: str, home_store: str) -> str:
    """Tell a ``.memex`` that is a store of its own from the state folder of the folder around it.

    Without this, ``~/.memex`` would make the whole home folder a vault, and a command run inside
    ``vault/.memex/`` would take that for a store.
    """
    inner = os.path.join(folder, STATE_FOLDER)
    if os.path.isdir(inner) and (inner == home_store or os.path.isdir(os.path.join(inner, PAGE_FOLDER))):
        return inner
    if (
        os.path.basename(folder) == STATE_FOLDER
        and folder != home_store
        and not os.path.isdir(os.path.join(folder, PAGE_FOLDER))
        and any(os.path.lexists(os.path.join(folder, mark)) for mark in _STORE_MARKS)
    ):
        return os.path.dirname(folder)
    return folder


def _moved(home_store: str, environ: Mapping[str, str]) -> str:
    """The home store, or where its ``[data_dir] path`` points."""
    try:
        with open(os.path.join(home_store, CONFIG_NAME), "rb", opener=regular) as file:
            data = file.read()
    except OSError:
        return home_store
    if b"data_dir" not in data:
        return home_store
    from .config import data_dir  # only a config file that names the table costs the parser

    path = data_dir(data)
    return os.path.abspath(os.path.join(home_store, _expand(path, environ))) if path else home_store


def _listing(root: str) -> set[str]:
    try:
        return set(os.listdir(root))
    except FileNotFoundError:
        raise StoreMissing(f"no folder {root}", hint=f"create one: memex init {_quoted(root)}") from None
    except NotADirectoryError:
        raise StoreMissing(f"{root} is a file, not a folder") from None
    except OSError as error:
        raise unreachable(root, error) from error


def unreachable(folder: str, error: OSError) -> Unreachable:
    """The error for a folder that cannot be listed now."""
    if error.errno in (errno.EACCES, errno.EPERM):
        return Unreachable(f"no permission to read {folder}", hint="the index is kept; check its rights")
    reason = (error.strerror or "unknown error").lower()
    return Unreachable(f"{folder} cannot be read ({reason})", hint="the index is kept; is the drive mounted?")


def _has_page(names: set[str]) -> bool:
    return any(name.lower().endswith(".md") and not name.startswith(".") for name in names)


def _make(folder: str) -> None:
    try:
        os.makedirs(folder, exist_ok=True)
    except OSError as error:
        raise WriteFailed(f"cannot create {folder} ({(error.strerror or '').lower()})") from error


def _home(environ: Mapping[str, str]) -> str:
    return environ.get("HOME") or os.path.expanduser("~")


def _expand(path: str, environ: Mapping[str, str]) -> str:
    if path == "~" or path.startswith(("~/", "~" + os.sep)):
        return _home(environ) + path[1:]
    return os.path.expanduser(path)


def _cache_file(root: str) -> str:
    from _blake2 import blake2b

    real = os.path.realpath(root)
    key = blake2b(real.encode("utf-8", "surrogateescape"), digest_size=8).hexdigest()
    base = os.environ.get("XDG_CACHE_HOME", "")
    if not os.path.isabs(base):
        local = os.environ.get("LOCALAPPDATA") if os.name == "nt" else None
        base = local or os.path.join(_home(os.environ), ".cache")
    return os.path.join(base, "memex", f"{key}.db")


def _quoted(path: str) -> str:
    import shlex

    return shlex.quote(path)
