"""``logs/memex.log``: a line for each thing done, with how it ended. ``[logging]`` says what and where.

A line holds no text of a person: no query, title, slug or message, so that a purge has nothing to take out
and no secret can get in. Like the log of runs it is put aside when it has grown large.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from memex_core.files.opening import regular
from memex_core.model import clock

if TYPE_CHECKING:
    from .config import Logging
    from .layout import Layout

LARGEST = 1 << 20  # bytes
_LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR")


def kept(settings: Logging, level: str) -> bool:
    """Whether lines of that level are wanted."""
    return _LEVELS.index(level) >= _LEVELS.index(settings.level)


def add(layout: Layout, settings: Logging, level: str, text: str) -> None:
    """Add a line; in a store that is not there yet, or cannot be written, nothing is logged."""
    if not kept(settings, level) or not os.path.isdir(layout.state):
        return
    path = os.path.expanduser(settings.file) or os.path.join(layout.logs, "memex.log")
    try:
        descriptor = _opened(path)
        if os.fstat(descriptor).st_size > LARGEST:
            os.close(descriptor)
            os.replace(path, f"{path}.1")
            descriptor = _opened(path)
        try:
            os.write(descriptor, f"{clock.stamp()} {level} {text}\n".encode())
        finally:
            os.close(descriptor)
    except OSError:  # the act is done, or its failure told elsewhere
        pass


def _opened(path: str) -> int:
    flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_NOFOLLOW", 0)
    try:
        return regular(path, flags, 0o600)
    except FileNotFoundError:
        os.makedirs(os.path.dirname(os.path.abspath(path)), exist_ok=True)
        return regular(path, flags, 0o600)
