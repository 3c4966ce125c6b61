"""Bringing names and bytes to the disk, and how long that takes here."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress

_CLOEXEC: int = getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
_SLOW = 0.001  # seconds: flushes as long as this take less time two at once than one after the other
_last_flush = _SLOW  # seconds that the last flush of a file took


def flush_file(descriptor: int) -> None:
    """Bring an open file's bytes to the disk. Raises OSError."""
    global _last_flush
    began = time.monotonic()
    os.fsync(descriptor)
    _last_flush = time.monotonic() - began


def sync_folders(file_paths: Iterable[str]) -> None:
    """Flush the folders of these files, so that names made or removed survive a power cut."""
    if os.name == "nt":
        return  # Windows cannot open a folder for this, and orders names itself
    for folder in {os.path.dirname(path) for path in file_paths}:
        try:
            descriptor = os.open(folder, os.O_RDONLY | _CLOEXEC)
        except OSError:
            continue
        try:
            os.fsync(descriptor)
        except OSError:
            pass  # some network file systems refuse; the file's own flush has been done
        finally:
            os.close(descriptor)


@contextmanager
def syncing_folders(file_paths: Iterable[str]) -> Iterator[None]:
    """:func:`sync_folders` while the caller flushes something else: a slow disk does both in the time of one.
    On a fast one a thread takes longer than the flush: there the folders come after."""
    import _thread  # threading would have the caller wait until the thread runs

    paths = list(file_paths)
    if _last_flush < _SLOW:
        try:
            yield
        finally:
            sync_folders(paths)
        return
    begun, done = _thread.allocate_lock(), _thread.allocate_lock()
    done.acquire()

    def flush() -> None:
        if begun.acquire(False):
            try:
                sync_folders(paths)
            finally:
                done.release()

    with suppress(RuntimeError):  # no thread is to be had: one after the other
        _thread.start_new_thread(flush, ())
    try:
        yield
    finally:
        if begun.acquire(False):  # the processors are busy: nobody waits for the thread
            sync_folders(paths)
        else:
            done.acquire()
