"""Long acts that a crash can break off: noted before they begin, and finished by whoever comes next.

A note is a file of ``unfinished/`` in the state folder, one a kind, and is gone when its act is done. It
tells what has to be done, never a text. While the act runs its process holds a lock beside the note, so
that a live one is left alone.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

from memex_core.files import atomic
from memex_core.files.lock import StoreLock
from memex_core.model.errors import Locked, WriteFailed

if TYPE_CHECKING:
    from memex_core.files.layout import Layout

FOLDER = "unfinished"
PURGE, RESTORE = KINDS = ("purge", "restore")

_running: set[str] = set()  # notes of this process' own acts


@contextmanager
def act(layout: Layout, kind: str, told: dict[str, Any]) -> Iterator[None]:
    """Note ``told`` for the time of an act. When the act fails the note stays, as when its process dies.

    Raises Locked while another process is at one of this kind, and WriteFailed.
    """
    folder = os.path.join(layout.state, FOLDER)
    note = os.path.join(folder, f"{kind}.json")
    try:
        os.makedirs(folder, exist_ok=True)
    except OSError as error:
        raise atomic.failure(folder, error) from error
    with StoreLock(_lock_of(layout, kind)):
        mine = note not in _running
        _running.add(note)
        try:
            os.makedirs(folder, exist_ok=True)  # another process, done with its own, has just removed it
            atomic.write(note, json.dumps(told).encode())
            yield
            _clear(note)
            tidy(layout)
        finally:
            if mine:
                _running.discard(note)
                _unlock(layout, kind)


@contextmanager
def left(layout: Layout, kind: str) -> Iterator[dict[str, Any] | None]:
    """What a dead process noted of an act of this kind; None when there is nothing, or it is alive.

    The note is gone after this, unless an error is raised.
    """
    note = os.path.join(layout.state, FOLDER, f"{kind}.json")
    if note in _running or not os.path.exists(note):
        yield None
        return
    try:
        lock = StoreLock(_lock_of(layout, kind), timeout=0)
        lock.__enter__()
    except (Locked, WriteFailed):
        yield None
        return
    _running.add(note)
    try:
        told = _read(note)
        yield told
        _clear(note)
    finally:
        _running.discard(note)
        _unlock(layout, kind)
        lock.__exit__()


def tidy(layout: Layout) -> None:
    """Remove the folder of the notes where nothing is in it but what was never finished."""
    folder = os.path.join(layout.state, FOLDER)
    atomic.remove_leftovers(folder)
    with suppress(OSError):
        os.rmdir(folder)


def sweep(layout: Layout) -> None:
    """Remove what writers that died left of their files: that is text too, and no purge would find it."""
    for place in {layout.pages, layout.state, layout.diary, layout.transcripts}:
        for folder, folders, names in os.walk(place):
            folders[:] = [name for name in folders if name not in (".git", "node_modules")]
            if any(name.startswith(".memex-") for name in names):
                atomic.remove_leftovers(folder)


def _lock_of(layout: Layout, kind: str) -> str:
    return os.path.join(layout.state, f".{kind}.lock")


def _unlock(layout: Layout, kind: str) -> None:
    """Remove the lock's file, which only its holder may: who waits for it sees that, and makes another."""
    with suppress(OSError):
        os.unlink(_lock_of(layout, kind))


def _read(note: str) -> dict[str, Any] | None:
    """None for a note that was never finished: then nothing had been done yet."""
    try:
        told = json.loads(atomic.read_file(note))
    except (OSError, ValueError, RecursionError):
        return None
    return told if isinstance(told, dict) else None


def _clear(note: str) -> None:
    try:
        with suppress(FileNotFoundError):
            os.unlink(note)
    except OSError as error:
        raise atomic.failure(note, error) from error
