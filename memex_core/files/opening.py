"""Opening a file in a folder that others write to: a pipe or device in its place is not waited for."""

from __future__ import annotations

import errno
import os
import stat


def regular(path: str, flags: int, mode: int = 0o666) -> int:
    """The ``opener`` of an ``open()`` that takes regular files only. Raises IsADirectoryError for others."""
    descriptor = os.open(path, flags | getattr(os, "O_NONBLOCK", 0), mode)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise IsADirectoryError(errno.EISDIR, "not a regular file", path)
    return descriptor
