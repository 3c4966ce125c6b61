"""Failures: one line for the person, the whole story for the log."""

from __future__ import annotations

import os
import time
import traceback

from memex_core.model.errors import MemexError

LOG = "app.log"
KEPT = 1_000_000  # bytes; a longer log is begun anew


class Broken(MemexError):
    """The program itself is at fault."""


def describe(error: BaseException, root: str | None) -> MemexError:
    """The error as one that can be shown: ours as it is, anything else named and logged."""
    if isinstance(error, MemexError):
        return error
    path = record(error, root)
    what = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    return Broken(
        f"something went wrong inside memex ({what})", hint=f"details are in {path}" if path else ""
    )


def record(error: BaseException, root: str | None) -> str:
    """Append the traceback to the log of the store (of the cache folder where there is none).

    Returns the log's path, empty when it cannot be written.
    """
    path = os.path.join(_folder(root), LOG)
    text = "".join(traceback.format_exception(error))
    try:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        fresh = os.path.exists(path) and os.path.getsize(path) > KEPT
        with open(path, "w" if fresh else "a", encoding="utf-8", errors="backslashreplace") as file:
            file.write(f"{time.strftime('%Y-%m-%dT%H:%M:%SZ', time.gmtime())}\n{text}\n")
    except OSError:
        return ""
    return path


def _folder(root: str | None) -> str:
    from memex_core.files.layout import find_root, open_layout

    try:
        layout = open_layout(find_root(root, os.environ, os.getcwd()))
    except (MemexError, OSError):
        layout = None
    if layout is not None and os.path.isdir(layout.state):
        return layout.logs
    base = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return os.path.join(base, "memex")
