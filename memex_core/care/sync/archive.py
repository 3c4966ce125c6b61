"""One device's generation: everything that it shares, in one file that is read whole or not at all.

``manifest.json`` comes first and tells each file's size and SHA-256; the files follow under their hash.
So no name in the archive is a place on a disk; paths stand in the manifest, and are checked there.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import os
import tarfile
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import IO, Any, NamedTuple

from memex_core.files import atomic
from memex_core.model.errors import Damaged, NotFound, Refused, Unreachable

VERSION = 1
SUFFIX = ".memexsync"
MANIFEST = "manifest.json"
LARGEST_MANIFEST = 256 * 1024 * 1024  # bytes
ROOMY, RATIO = 256 * 1024 * 1024, 100  # bytes; times its own size that an archive may hold beyond them
_BROKEN = (EOFError, OSError, ValueError, KeyError, TypeError, RecursionError)
_FOLDER = "files/"
_HINT = "nothing was changed; export it anew on the other device"


class Generation(NamedTuple):
    """A verified archive. ``blob`` gives a file's bytes by its SHA-256."""

    file: str
    manifest: dict[str, Any]
    blob: Callable[[str], bytes]

    @property
    def device(self) -> str:
        return str(self.manifest["device"])

    @property
    def name(self) -> str:
        return str(self.manifest["name"])

    @property
    def number(self) -> int:
        """The device's last change that is in it."""
        return int(self.manifest["count"])


def write(target: str, manifest: dict[str, Any], files: Iterable[tuple[str, bytes]]) -> int:
    """Put an archive at ``target``, in one step, once it has been read back; its size in bytes.

    ``manifest["files"]`` maps each file's SHA-256 to its size. The same content makes the same bytes.
    """
    atomic.remove_leftovers(os.path.dirname(target))  # of an export that was killed
    part = os.path.join(os.path.dirname(target), atomic.temporary_name())
    try:
        with open(part, "xb") as raw:
            with (
                gzip.GzipFile(filename="", mode="wb", fileobj=raw, compresslevel=6, mtime=0) as packed,
                tarfile.open(fileobj=packed, mode="w|", format=tarfile.GNU_FORMAT) as tar,
            ):
                _add(tar, MANIFEST, json.dumps(manifest, ensure_ascii=False, sort_keys=True).encode())
                for name, data in files:
                    _add(tar, _FOLDER + name, data)
            raw.flush()
            os.fsync(raw.fileno())
        with opened(part, shown=target):
            pass
        size = os.path.getsize(part)
        os.replace(part, target)
        atomic.sync_folders([target])
    except OSError as error:
        raise atomic.failure(target, error) from error
    finally:
        if os.path.lexists(part):
            os.unlink(part)
    return size


def sha(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _add(tar: tarfile.TarFile, name: str, data: bytes) -> None:
    head = tarfile.TarInfo(name)
    head.size = len(data)
    tar.addfile(head, io.BytesIO(data))


@contextmanager
def opened(path: str, shown: str = "") -> Iterator[Generation]:
    """The generation in an archive, every byte of it checked before this yields.

    Raises NotFound, Unreachable, and Damaged or Refused naming the file.
    """
    shown = shown or path
    with _spool() as spool:
        try:
            with open(path, "rb") as raw:
                size = os.fstat(raw.fileno()).st_size
                if raw.read(4) != b"\x1f\x8b\x08\x00":
                    raise Damaged(f"{shown} is no archive of memex sync", hint=_HINT)
                raw.seek(0)
                with gzip.GzipFile(fileobj=raw, mode="rb") as packed:
                    whole = _Bounded(packed, LARGEST_MANIFEST + ROOMY + RATIO * size)
                    while whole.read(1 << 20):  # to its end, where the checksum stands
                        pass
                    packed.seek(0)
                    stream = _Bounded(packed, LARGEST_MANIFEST)
                    manifest, places = _read(shown, size, stream, spool)
        except FileNotFoundError:
            raise NotFound(f"no file {shown}", hint="check the path") from None
        except IsADirectoryError:
            raise Refused(f"{shown} is a folder", hint="name an archive in it") from None
        except PermissionError as error:
            raise Unreachable(f"{shown} cannot be read ({error.strerror})") from None
        except (tarfile.TarError, *_BROKEN) as error:
            reason = str(error) or type(error).__name__
            raise Damaged(f"{shown} cannot be read ({reason})", hint=_HINT) from None
        except _zlib_error() as error:
            raise Damaged(f"{shown} is damaged ({error})", hint=_HINT) from None

        def blob(name: str) -> bytes:
            at, length = places[name]
            spool.seek(at)
            return spool.read(length)

        yield Generation(shown, manifest, blob)


def _spool() -> IO[bytes]:
    """A file without a name for what is unpacked. Raises WriteFailed."""
    try:
        return tempfile.TemporaryFile(buffering=0)
    except OSError as error:
        raise atomic.failure(tempfile.gettempdir(), error) from error


def _spooled(spool: IO[bytes], data: bytes) -> None:
    """Add to the spool. A disk that is full here is no fault of the archive: WriteFailed."""
    rest = memoryview(data)
    try:
        while rest:
            rest = rest[spool.write(rest) :]
    except OSError as error:
        raise atomic.failure(tempfile.gettempdir(), error) from error


def _zlib_error() -> type[Exception]:
    import zlib

    return zlib.error


class _Bounded:
    """A stream that ends in an error after so many bytes, so that no bomb fills the memory."""

    def __init__(self, file: gzip.GzipFile, limit: int) -> None:
        self.file, self.left = file, limit

    def read(self, size: int = -1) -> bytes:
        data = self.file.read(min(size, self.left + 1) if size >= 0 else self.left + 1)
        self.left -= len(data)
        if self.left < 0:
            raise ValueError("it unpacks to far more than it says")
        return data


def _read(
    shown: str, packed_size: int, stream: _Bounded, spool: IO[bytes]
) -> tuple[dict[str, Any], dict[str, tuple[int, int]]]:
    with tarfile.open(fileobj=stream, mode="r|") as tar:  # type: ignore[call-overload]
        first = tar.next()
        file = tar.extractfile(first) if first is not None and first.isreg() else None
        if first is None or first.name != MANIFEST or file is None or first.size > LARGEST_MANIFEST:
            raise Damaged(f"{shown} is no archive of memex sync", hint=_HINT)
        manifest = _manifest(shown, json.loads(file.read()))
        wanted: dict[str, int] = dict(manifest["files"])
        total = sum(wanted.values())
        if total > ROOMY + RATIO * packed_size:
            raise Damaged(f"{shown} would unpack to {total:,} bytes", hint="that is nothing memex wrote")
        stream.left = total + 1024 * (len(wanted) + 64)  # a block of names each, and one to fill up
        places: dict[str, tuple[int, int]] = {}
        while (member := tar.next()) is not None:
            name = member.name.removeprefix(_FOLDER)
            if not member.isreg() or name == member.name or wanted.get(name) != member.size:
                raise Damaged(f"{shown}: {member.name!r} does not belong there", hint=_HINT)
            if name in places:
                raise Damaged(f"{shown}: {member.name!r} is there twice", hint=_HINT)
            places[name] = _kept(shown, tar.extractfile(member), name, spool), member.size
        missing = sorted(set(wanted) - set(places))
        if missing:
            raise Damaged(f"{shown}: {missing[0]} is missing", hint=_HINT)
    while data := stream.read(1 << 16):
        if data.strip(b"\0"):
            raise Damaged(f"{shown}: something follows its end", hint=_HINT)
    return manifest, places


def _kept(shown: str, file: IO[bytes] | None, name: str, spool: IO[bytes]) -> int:
    """Copy one file into the spool and check it; where it begins there."""
    at = spool.tell()
    found = hashlib.sha256()
    while file is not None and (data := file.read(1 << 20)):
        found.update(data)
        _spooled(spool, data)
    if found.hexdigest() != name:
        raise Damaged(f"{shown}: {name} is damaged", hint=_HINT)
    return at


def _manifest(shown: str, told: Any) -> dict[str, Any]:
    if not isinstance(told, dict) or "memex_sync" not in told:
        raise Damaged(f"{shown} is no archive of memex sync", hint=_HINT)
    if told["memex_sync"] != VERSION:
        raise Refused(f"{shown} is of version {told['memex_sync']}", hint="import it with a newer memex")
    kinds = {"device": str, "name": str, "count": int, "at": str, "pages": dict, "files": dict}
    for key, kind in {**kinds, "excluded": dict, "struck": list, "diary": str, "sessions": dict}.items():
        if type(told.get(key)) is not kind:
            raise Damaged(f"{shown}: its manifest has no sound {key!r}", hint=_HINT)
    for name, size in told["files"].items():
        if len(name) != 64 or type(size) is not int or size < 0:
            raise Damaged(f"{shown}: its manifest lists {name!r}", hint=_HINT)
    return told
