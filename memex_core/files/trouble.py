"""A line of ``logs/memex.log`` for a failure that nobody foresaw, with its place in the program.

What the failure says of itself is left out: it may hold what a person wrote.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from memex_core.files import log

if TYPE_CHECKING:
    from .layout import Layout


def note(layout: Layout, doing: str, error: BaseException) -> None:
    """Add the line. What cannot be written is not logged: the failure itself is told elsewhere."""
    from .config import load

    try:
        settings = load(layout, os.environ).logging
        log.add(layout, settings, "ERROR", f"{doing}: {type(error).__name__} at {_place(error)}")
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
