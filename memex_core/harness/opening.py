"""An agent's session file as a stream of bytes, compressed or not, that can begin where it was left."""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
from contextlib import contextmanager
from typing import TYPE_CHECKING, BinaryIO, cast

from memex_core.files.atomic import digest
from memex_core.model.errors import NotFound, Unreachable

if TYPE_CHECKING:
    from collections.abc import Iterator

COMPRESSED = ".zst"
_TAIL = 1024  # bytes before a place that must be the same for the place to be the same


@contextmanager
def opened(path: str) -> Iterator[BinaryIO]:
    """The file's bytes. Raises NotFound, and Unreachable where nothing is there to unpack a ``.zst`` file."""
    try:
        if not stat.S_ISREG(os.stat(path).st_mode):  # a pipe may never end, and cannot be read again
            raise Unreachable(f"{path} is not a file")
        if not path.endswith(COMPRESSED):
            with open(path, "rb", buffering=0) as file:
                yield cast(BinaryIO, file)
            return
    except FileNotFoundError:
        raise NotFound(f"no file {path}") from None
    except OSError as error:
        raise Unreachable(f"{path} cannot be read: {(error.strerror or 'unknown error').lower()}") from error
    with _unpacked(path) as stream:
        yield stream


@contextmanager
def _unpacked(path: str) -> Iterator[BinaryIO]:
    """A Zstandard file through the first of: the standard library, ``zstandard``, the ``zstd`` program."""
    try:
        from compression import zstd  # type: ignore[import-not-found, unused-ignore]  # Python 3.14
    except ImportError:
        pass
    else:
        with zstd.open(path, "rb") as stream:
            yield stream
        return
    try:
        import zstandard  # type: ignore[import-not-found, unused-ignore]
    except ImportError:
        pass
    else:
        with open(path, "rb") as raw, zstandard.ZstdDecompressor().stream_reader(raw) as stream:
            yield stream
        return
    program = shutil.which("zstd")
    if program is None:
        raise Unreachable(
            f"{path} is compressed, and nothing here unpacks it",
            hint="pip install zstandard, or install the zstd program",
        )
    with subprocess.Popen(
        [program, "-dcq", "--", path], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as child:
        assert child.stdout is not None
        try:
            yield cast(BinaryIO, child.stdout)
        finally:
            child.stdout.close()
            if child.poll() is None:
                child.kill()


class Bytes:
    """Reads on from any place, and tells the digest of what stands before a place just read."""

    def __init__(self, file: BinaryIO) -> None:
        self.file = file
        self.at = 0
        self._seekable = file.seekable()
        self._kept = b""  # of a stream: the last bytes before ``at``

    def read(self, size: int) -> bytes:
        data = self.file.read(size)
        self.at += len(data)
        if not self._seekable:
            self._kept = self._kept[-_TAIL:] + data
        return data

    def go_to(self, at: int, tail: str) -> bool:
        """Move to byte ``at`` if the bytes before it have the digest ``tail``; else it is another file."""
        if self._seekable:
            if self.file.seek(0, os.SEEK_END) < at or self.before(at) != tail:
                return False
            self.at = self.file.seek(at)
            return True
        while self.at < at:
            if not self.read(min(at - self.at, 1 << 20)):
                return False
        return self.before(at) == tail

    def before(self, at: int) -> str:
        """The digest of the bytes before ``at``."""
        low = max(0, at - _TAIL)
        if not self._seekable:
            start = self.at - len(self._kept)
            return digest(self._kept[low - start : at - start])
        back = self.file.tell()
        self.file.seek(low)
        found = b""
        while len(found) < at - low and (part := self.file.read(at - low - len(found))):
            found += part
        self.file.seek(back)
        return digest(found)
