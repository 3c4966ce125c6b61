"""A store that a command made and then had nothing to put into: it goes again.

Only ``init``, ``demo`` and the first write that succeeds make a store. A command cannot know beforehand
whether its write will succeed, so it makes the store first and takes it back when nothing came of it.
"""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING

from memex_core.files import layout as layouts
from memex_core.files.lock import StoreLock
from memex_core.model.errors import Locked, WriteFailed

if TYPE_CHECKING:
    from memex_core.actions.store import Store
    from memex_core.files.layout import Layout

_FILES = frozenset(
    (
        layouts.CONFIG_NAME,
        layouts.INDEX_NAME,
        f"{layouts.INDEX_NAME}.lock",
        "texts.db",
        "texts.db-journal",
        ".lock",
        ".pending.jsonl",
    )
)
_LOGS = "logs"
_FOLDERS = frozenset({layouts.PAGE_FOLDER, _LOGS, "diary", "transcripts", "sync", "unfinished"})


def made(kind: type[Store], root: str, actor: str) -> Store:
    """The store at ``root``, made there; it may be taken back."""
    missing, folder = [], root
    while not os.path.lexists(folder):
        missing.append(folder)
        folder = os.path.dirname(folder)
    store = kind(layouts.create_store(root), actor=actor)
    store.newborn = missing
    return store


def unmake(store: Store) -> None:
    """Close a store, and remove it again where opening has made it and nothing came of that."""
    store.close()
    if store.newborn is not None and os.path.isdir(store.layout.state):
        _take_back(store.layout, store.newborn)


def _take_back(layout: Layout, made: list[str]) -> None:
    """What a person or another process put into it stays, and then so does the store."""
    try:
        with StoreLock(layout.lock, timeout=0):
            files = _files(layout)
            if files is None:
                return
            for file in files:
                os.unlink(file)
    except (OSError, ValueError, Locked, WriteFailed):
        return
    for folder in (*(os.path.join(layout.state, name) for name in _FOLDERS), *made):
        with suppress(OSError):
            os.rmdir(folder)


def _files(layout: Layout) -> list[str] | None:
    """The files of a store without content; None where there is anything more.

    An index with a write-ahead log beside it is open in another process, which may be about to write.
    """
    if os.path.lexists(layout.config):
        with open(layout.config, encoding="utf-8") as file:
            if file.read() != layouts.STARTER:
                return None
    found: list[str] = []
    for folder, folders, names in os.walk(layout.state):
        if folder == layout.state:
            if set(folders) - _FOLDERS or set(names) - _FILES:
                return None
        elif folder != layout.logs and (folders or names):
            return None
        found += [os.path.join(folder, name) for name in names]
    return found
