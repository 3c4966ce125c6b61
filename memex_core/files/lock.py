"""The one lock of a store: a writer waits for another live writer, never for a dead one.

The operating system holds the lock for the open file, so it is free the moment its holder dies,
however that happens; the file itself stays and means nothing. It holds the number of the process
that took it last, only to name it in a message.
"""

from __future__ import annotations

import errno
import os
import sys
import time
from _thread import RLock  # without the whole of threading, which takes half a millisecond

from memex_core.model.errors import Locked, MemexError

from .atomic import OWN, failure
from .opening import regular

_WITHOUT_FLOCK = (errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP, errno.EINVAL)
_FIRST_PAUSE, _LONGEST_PAUSE = 0.001, 0.02  # seconds between two tries


class StoreLock:
    """``with StoreLock(layout.lock):`` — alone among processes and among threads.

    A thread that holds the lock may take it again. ``timeout`` is in seconds (0: do not wait);
    after it Locked is raised, which names the holder. The folder of ``path`` must exist. Raises
    WriteFailed where the lock file cannot be made.
    """

    def __init__(self, path: str, timeout: float = 15.0) -> None:
        self.path = path
        self.timeout = timeout
        self._place = _spelt.get(path) or _place_of(path)

    def __enter__(self) -> StoreLock:
        place = self._place
        until = time.monotonic() + self.timeout
        wait = self.timeout > 0
        if not (place.threads.acquire(timeout=self.timeout) if wait else place.threads.acquire(False)):
            raise _locked(self.path, os.getpid())
        try:
            if place.depth == 0:
                place.descriptor = _take(self.path, until)
            place.depth += 1
        except BaseException:
            place.threads.release()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        place = self._place
        place.depth -= 1
        if place.depth == 0:
            os.close(place.descriptor)  # which gives the lock back
            place.descriptor = -1
        place.threads.release()


class _Place:
    """What this process knows of one lock file: which thread is in, how deep, on what descriptor."""

    __slots__ = ("depth", "descriptor", "threads")

    def __init__(self) -> None:
        self.threads = RLock()
        self.depth = 0
        self.descriptor = -1


_places: dict[str, _Place] = {}  # by the real path
_spelt: dict[str, _Place] = {}  # by a path as it was given: real paths take longer to find than the lock


def _place_of(path: str) -> _Place:
    place = _places.setdefault(os.path.realpath(path), _Place())
    if os.path.isabs(path):
        _spelt[path] = place
    return place


def _forget_after_fork() -> None:
    """A child starts without its parent's locks: they belong to the parent's open files."""
    for place in _places.values():
        if place.descriptor >= 0:
            os.close(place.descriptor)
    _places.clear()
    _spelt.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_after_fork)


def _take(path: str, until: float) -> int:
    """Open and lock the file. Raises Locked at ``until`` (monotonic seconds)."""
    pause = _FIRST_PAUSE
    while True:
        descriptor = _open(path)
        try:
            if not _try(descriptor, path):
                left = until - time.monotonic()
                if left <= 0:
                    raise _locked(path, _holder(descriptor))
                time.sleep(min(pause, left))
                pause = min(pause * 2, _LONGEST_PAUSE)
            elif _still_named(path, descriptor):
                _sign(descriptor)
                return descriptor
        except BaseException:
            os.close(descriptor)
            raise
        os.close(descriptor)


def _open(path: str) -> int:
    try:
        return regular(path, os.O_RDWR | os.O_CREAT | OWN)
    except OSError as error:
        raise failure(path, error) from error


def _still_named(path: str, descriptor: int) -> bool:
    """Whether the locked file is the one others will open: a restore may have swapped the folder."""
    try:
        return os.path.samestat(os.stat(path), os.fstat(descriptor))
    except FileNotFoundError:
        return False


if sys.platform == "win32":
    import msvcrt

    _FAR = 1 << 30  # Windows keeps others from reading locked bytes: lock some that hold nothing

    def _try(descriptor: int, path: str) -> bool:
        os.lseek(descriptor, _FAR, os.SEEK_SET)
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError as error:
            if error.errno in (errno.EACCES, errno.EDEADLK):
                return False
            raise failure(path, error) from error
        return True

else:
    import fcntl

    def _try(descriptor: int, path: str) -> bool:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        except OSError as error:
            if error.errno not in _WITHOUT_FLOCK:
                raise failure(path, error) from error
            return _try_record_lock(descriptor, path)
        return True

    def _try_record_lock(descriptor: int, path: str) -> bool:
        """Some network file systems have only the other kind of lock."""
        try:
            fcntl.lockf(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except (BlockingIOError, PermissionError):
            return False
        except OSError as error:
            raise failure(path, error) from error
        return True


def _sign(descriptor: int) -> None:
    """Leave our number in the file, padded so that no digit of a longer one stays."""
    text = f"{os.getpid():<12}\n".encode()
    os.lseek(descriptor, 0, os.SEEK_SET)
    try:
        os.write(descriptor, text)
    except OSError:
        pass  # a full disk must not keep a writer from freeing space


def _holder(descriptor: int) -> int:
    try:
        os.lseek(descriptor, 0, os.SEEK_SET)
        return int(os.read(descriptor, 32).split()[0])
    except (OSError, ValueError, IndexError):
        return 0


def _locked(path: str, process: int) -> MemexError:
    who = f"process {process}" if process else "another process"
    if process == os.getpid():
        who = "another thread of this process"
    return Locked(f"{who} is writing to {os.path.dirname(path)}", hint="wait for it, or end it if it hangs")
