"""Bytes to disk: whole or not at all. The only place that writes a file people may read.

A file is written beside its target under a dot name, flushed, and moved over it in one step, so
that a reader, a crash or a full disk leaves the old bytes or the new ones, never a mixture.
"""

# No `from __future__ import annotations` here: with it each NamedTuple's first field costs a process 1 ms.

import errno
import itertools
import os
import re
import stat
import time
from collections.abc import Iterable
from functools import cache
from typing import NamedTuple

try:
    from _blake2 import blake2b  # hashlib would load OpenSSL as well: 2 ms at every start
except ImportError:
    from hashlib import blake2b

from memex_core.files.flushing import flush_file
from memex_core.files.flushing import sync_folders as sync_folders
from memex_core.files.opening import regular
from memex_core.model.errors import AlreadyExists, NotFound, Refused, Unreachable, WriteFailed

_WORDS = {
    errno.ENOSPC: "the disk is full",
    errno.EDQUOT: "the disk quota is used up",
    errno.EFBIG: "the file is larger than allowed here",
    errno.EROFS: "the disk is read-only",
    errno.EACCES: "no permission",
    errno.EPERM: "no permission",
    errno.ENAMETOOLONG: "the name is too long",
    errno.EXDEV: "it would have to move to another disk",
    errno.EISDIR: "no regular file is in its place",
    errno.ENXIO: "no regular file is in its place",
    errno.ENOTDIR: "a file is in the way of a folder",
    errno.ELOOP: "a link is in the way",
}
_TEMPORARY = r"\.memex-([0-9a-f]{8})-(\d+)-\d+\.tmp"  # compiled when used: importing must be cheap
_CLOEXEC: int = getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
OWN: int = _CLOEXEC | getattr(os, "O_NOFOLLOW", 0)
"""Flags to open a file of memex's own: a folder from elsewhere may hold a link in its place, and what
that points to is not ours to write."""
_FOREIGN_AGE = 24 * 3600.0  # seconds after which another machine's temporary file counts as left over
_counter = itertools.count()


class Staged(NamedTuple):
    """Bytes that are on disk under ``temporary`` and wait to become ``target``; ``at`` is the stat that the
    file takes along when it gets that name."""

    temporary: str
    target: str
    at: os.stat_result | None = None


def digest(data: bytes) -> str:
    """BLAKE2b of ``data``, 16 bytes as 32 hex digits: the identity of a file's content."""
    return blake2b(data, digest_size=16).hexdigest()


def read(root: str, path: str) -> bytes:
    """The bytes of ``path`` (POSIX, relative) in ``root``.

    Raises Refused as :func:`inside` does, NotFound when there is no such file, and Unreachable
    when the disk does not give it.
    """
    file_path = inside(root, path)
    try:
        return read_file(file_path)
    except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
        raise NotFound(f"no file {path} in {root}") from None
    except OSError as error:
        why = _WORDS.get(error.errno or 0) or (error.strerror or "unknown error").lower()
        raise Unreachable(f"{path} cannot be read: {why}") from error


def read_file(file_path: str) -> bytes:
    """The bytes of a regular file. Raises OSError; a pipe or device is not waited for."""
    descriptor = regular(file_path, os.O_RDONLY | _CLOEXEC)
    try:
        parts = [os.read(descriptor, os.fstat(descriptor).st_size + 1)]
        while parts[-1]:
            parts.append(os.read(descriptor, 1 << 20))
        return b"".join(parts)
    finally:
        os.close(descriptor)


def write(
    path: str, data: bytes | Iterable[bytes], *, mode: int | None = None, sync: bool = True, new: bool = False
) -> None:
    """Make ``data``, whole or in parts, the content of ``path`` (absolute), atomically.

    A link is written through to its target; whether that may be is asked of :func:`inside` before.
    The mode bits of an existing file are kept unless ``mode`` gives others. ``sync`` flushes the
    file and its folder to the disk before returning. With ``new`` an existing file is left alone
    and AlreadyExists raised. Raises WriteFailed: then the old file is intact and nothing is left.
    """
    staged = stage(path, data, mode=mode, sync=sync)
    publish(staged, new=new)
    if sync:
        sync_folders([staged.target])


def stage(
    path: str,
    data: bytes | Iterable[bytes],
    *,
    mode: int | None = None,
    sync: bool = True,
    like: str | None = None,
) -> Staged:
    """The first half of :func:`write`: all that can run out of space, nothing that is seen.

    ``like`` names the file whose mode and owner to take, where that is not ``path`` itself.
    """
    target = os.path.realpath(path) if os.path.islink(path) else path
    temporary = os.path.join(os.path.dirname(target), temporary_name())
    try:
        old = _stat(like or target)
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _CLOEXEC, 0o666)
        try:
            for part in (data,) if isinstance(data, bytes) else data:
                _write_all(descriptor, part)
            _dress(descriptor, old, mode)
            if sync:
                flush_file(descriptor)
            at = os.fstat(descriptor)
        finally:
            os.close(descriptor)
    except BaseException as error:
        _remove_quietly(temporary)
        if isinstance(error, OSError):
            raise failure(path, error) from error
        raise
    return Staged(temporary, target, at)


def flush(staged: Iterable[Staged]) -> None:
    """Bring the bytes of files staged without ``sync`` to the disk, several at a time: it takes many in
    little more time than one. Raises WriteFailed."""
    from concurrent.futures import ThreadPoolExecutor

    def one(content: Staged) -> None:
        try:
            descriptor = os.open(content.temporary, os.O_RDONLY | _CLOEXEC)
            try:
                os.fsync(descriptor)
            finally:
                os.close(descriptor)
        except OSError as error:
            raise failure(content.target, error) from error

    with ThreadPoolExecutor(8) as pool:
        for _ in pool.map(one, staged):
            pass


def publish(staged: Staged, *, new: bool = False) -> None:
    """The second half of :func:`write`: one rename. The temporary file is gone in any case."""
    temporary, target = staged.temporary, staged.target
    try:
        if new:
            _move_to_free_name(temporary, target)
        else:
            os.replace(temporary, target)
    except FileExistsError:
        _remove_quietly(temporary)
        raise AlreadyExists(f"{target} is there already", hint="nothing was written") from None
    except OSError as error:
        _remove_quietly(temporary)
        raise failure(target, error) from error


def discard(staged: Iterable[Staged]) -> None:
    """Drop staged bytes that will not be published."""
    for one in staged:
        _remove_quietly(one.temporary)


def temporary_name() -> str:
    """A fresh dot name; it tells machine and process, so that a dead one's can be removed."""
    return f".memex-{_machine()}-{os.getpid()}-{next(_counter)}.tmp"


def remove_leftovers(folder: str) -> list[str]:
    """Remove temporary files in ``folder`` whose writer died; returns their names."""
    removed = leftovers(folder)
    for name in removed:
        _remove_quietly(os.path.join(folder, name))
    return removed


def leftovers(folder: str) -> list[str]:
    """The names of the temporary files in ``folder`` whose writer died."""
    found_names: list[str] = []
    try:
        names = [name for name in os.listdir(folder) if name.startswith(".memex-")]
    except OSError:
        return found_names
    for name in names:
        found = re.fullmatch(_TEMPORARY, name)
        if found is None:
            continue
        path = os.path.join(folder, name)
        machine, process = found.group(1), int(found.group(2))
        if _is_old(path) if machine != _machine() else not alive(process):
            found_names.append(name)
    return found_names


def alive(process: int) -> bool:
    """Whether a process of that number runs on this machine (this one counts)."""
    if process <= 0:
        return False
    if os.name == "nt":
        return True  # asking there means ending it: leave the file to its age
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OverflowError:
        return False
    except OSError:
        return True
    return True


def failure(path: str, error: OSError) -> WriteFailed:
    """The error a person reads when the disk refuses ``path``."""
    why = _WORDS.get(error.errno or 0) or (error.strerror or "unknown error").lower()
    return WriteFailed(f"{path} was not written: {why}", hint="what was there before is intact")


def inside(root: str, path: str) -> str:
    """The absolute path of ``path`` (POSIX, relative) in ``root``; raises Refused if it leads out.

    Refused are: empty, absolute, drive and UNC paths, ``~/``, ``.`` and ``..`` (plain or
    percent-encoded), empty parts, NUL, a linked folder on the way, and a link to a file outside.
    The file need not exist.
    """
    reason = _suspicious(path)
    if reason:
        raise Refused(f"{path!r} is not a path in the memory: {reason}")
    file_path = root
    *folders, name = path.split("/")
    for folder in folders:
        file_path = os.path.join(file_path, folder)
        if os.path.islink(file_path):
            raise Refused(f"{path!r} goes through a linked folder", hint="use the folder it points to")
    file_path = os.path.join(file_path, name)
    if os.path.islink(file_path):
        target, real_root = os.path.realpath(file_path), os.path.realpath(root)
        prefix = real_root if real_root.endswith(os.sep) else real_root + os.sep
        if not target.startswith(prefix) or os.path.islink(target):
            raise Refused(f"{path!r} is a link that leads out of {root}")
    return file_path


def _suspicious(path: str) -> str:
    """Why ``path`` cannot be a file of the store going by its text; empty when it can."""
    if not path:
        return "it is empty"
    decoded = path
    for _ in range(4):  # percent signs in names are common; only what they hide matters
        reason = _leads_out(decoded)
        if reason:
            return reason
        if "%" not in decoded:
            break
        decoded = re.sub(r"%([0-9A-Fa-f]{2})", _decode, decoded)
    if "." in path.split("/"):
        return "it has a part that is only a dot"
    if "" in path.split("/"):
        return "a part of it is empty"
    return ""


def _leads_out(path: str) -> str:
    if "\0" in path:
        return "it has a NUL character"
    if path[0] in "/\\":
        return "it is absolute"
    if _names_drive(path) or (os.name == "nt" and ":" in path):
        return "it names a drive"
    if path[0] == "~" and (len(path) == 1 or "/" in path or "\\" in path):
        return "it starts in a home folder"
    if ".." in path and ".." in re.split(r"[/\\]", path):
        return "it goes up"
    return ""


def _names_drive(path: str) -> bool:
    return path[1:2] == ":" and path[0].isascii() and path[0].isalpha() and path[2:3] in ("", "/", "\\")


def _decode(found: re.Match[str]) -> str:
    return chr(int(found.group(1), 16))


def _stat(path: str) -> os.stat_result | None:
    try:
        return os.stat(path)
    except FileNotFoundError:
        return None


def _write_all(descriptor: int, data: bytes) -> None:
    written = os.write(descriptor, data)
    if written < len(data):
        view = memoryview(data)
        while written < len(data):
            written += os.write(descriptor, view[written:])


def _dress(descriptor: int, old: os.stat_result | None, mode: int | None) -> None:
    """Give the new file the mode and, where that is allowed, the owner of the old one."""
    if mode is None and old is not None:
        mode = stat.S_IMODE(old.st_mode)
    if os.name == "nt":
        return
    if old is not None and (old.st_uid, old.st_gid) != (os.geteuid(), os.getegid()):
        try:
            os.fchown(descriptor, old.st_uid, old.st_gid)
        except OSError:
            pass  # not ours to give away; the content is what matters
    if mode is not None:
        os.fchmod(descriptor, mode)


def _move_to_free_name(temporary: str, target: str) -> None:
    """Rename without replacing. Raises FileExistsError when the name is taken."""
    try:
        os.link(temporary, target)
    except FileExistsError:
        raise
    except OSError:  # a file system without hard links
        if os.path.lexists(target):
            raise FileExistsError(errno.EEXIST, "exists", target) from None
        os.replace(temporary, target)
    else:
        os.unlink(temporary)


def _remove_quietly(path: str) -> None:
    try:
        os.unlink(path)
    except OSError:
        pass


def _is_old(path: str) -> bool:
    try:
        return time.time() - os.lstat(path).st_mtime > _FOREIGN_AGE
    except OSError:
        return False


@cache
def _machine() -> str:
    """Eight hex digits of this machine's name."""
    name = os.environ.get("COMPUTERNAME", "") if os.name == "nt" else os.uname().nodename
    return blake2b(name.encode("utf-8", "surrogateescape"), digest_size=4).hexdigest()
