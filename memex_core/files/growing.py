"""A transcript that grows: bytes added at its end, and the end repaired after a crash.

Adding is not atomic as a replacement is, so a process killed meanwhile may leave a cut line. Nobody
was told that it is stored, and the next addition removes it.
"""

from __future__ import annotations

import os
from typing import BinaryIO

from memex_core.files import atomic
from memex_core.files.opening import regular
from memex_core.files.turns import parse

_BEGINNINGS = (b'{"role"', b'{"type": "memex_session_header"')  # of every line that memex writes


def repaired_end(path: str) -> int:
    """Where the next line goes. A last line cut short by a crash is removed, another one ended."""
    try:
        with open(path, "rb+", opener=regular) as file:
            end = file.seek(0, os.SEEK_END)
            start = _last_line(file, end)
            file.seek(start)
            tail = file.read()
            if not tail:
                return end
            ours = any(tail.startswith(begins) or begins.startswith(tail) for begins in _BEGINNINGS)
            if ours and parse(tail)[0] is None:
                file.truncate(start)  # our own append, never reported as done
                return start
            file.seek(end)
            file.write(b"\n")
            return end + 1
    except OSError as error:
        raise atomic.failure(path, error) from error


def _last_line(file: BinaryIO, end: int) -> int:
    """Byte after the last ``\\n``."""
    while end > 0:
        start = max(0, end - 65_536)
        file.seek(start)
        found = file.read(end - start).rfind(b"\n")
        if found >= 0:
            return start + found + 1
        end = start
    return 0


def append_bytes(path: str, data: bytes) -> None:
    """Add ``data`` to the file and flush it. Raises WriteFailed; then the file is as it was."""
    try:
        with open(path, "ab", buffering=0, opener=regular) as file:
            end = file.tell()
            try:
                left = memoryview(data)
                while left:
                    left = left[file.write(left) or 0 :]
                os.fsync(file.fileno())
            except OSError:
                file.truncate(end)  # a full disk leaves the conversation as it was
                raise
    except OSError as error:
        raise atomic.failure(path, error) from error
