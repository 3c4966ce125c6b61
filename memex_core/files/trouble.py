"""``logs/memex.log``: a line for each failure that nobody foresaw, with its place in the program.

What the failure says of itself is left out: it may hold what a person wrote. ``[logging] file`` names
another file. Like the log of runs, it is put aside when it has grown large.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from memex_core.model import clock

if TYPE_CHECKING:
    from .layout import Layout

LARGEST = 1 << 20  # bytes


def note(layout: Layout, doing: str, error: BaseException) -> None:
    """Add the line. What cannot be written is not logged: the failure itself is told elsewhere."""
    from .config import load

    try:
        if not os.path.isdir(layout.state):
            return
        path = os.path.expanduser(load(layout, os.environ).logging.file) or os.path.join(
            layout.logs, "memex.log"
        )
        os.makedirs(os.path.dirname(os.path.abspath(path)), exist_ok=True)
        if os.path.exists(path) and os.path.getsize(path) > LARGEST:
            os.replace(path, f"{path}.1")
        with open(path, "a", encoding="utf-8") as file:
            file.write(f"{clock.stamp()} ERROR {doing}: {type(error).__name__} at {_place(error)}\n")
    except Exception:
        pass


def _place(error: BaseException) -> str:
    """The innermost line of memex's own in the traceback."""
    place = "unknown"
    step = error.__traceback__
    while step is not None:
        name = step.tb_frame.f_code.co_filename.replace("\\", "/")
        if "/memex_core/" in name or place == "unknown":
            place = f"{'/'.join(name.split('/')[-3:])}:{step.tb_lineno}"
        step = step.tb_next
    return place
