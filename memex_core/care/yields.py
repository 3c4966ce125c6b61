"""Whether consolidation brings anything: runs that asked a model and got no page, one after another."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memex_core.files import runs

if TYPE_CHECKING:
    from memex_core.files.layout import Layout

KIND = "consolidation"
MANY = 3
"""Runs in a row that are told as a warning."""


def zero_yield_streak(layout: Layout) -> int:
    """How many of the last consolidations, in a row, found nothing. One that asked nothing, because there was
    nothing to read, is passed by, and so is a dry run."""
    streak = 0
    for run in runs.read(layout, KIND):
        if run.get("mode") != "full" or not run.get("calls"):
            continue
        if any(run.get(key) for key in ("created", "updated", "known")):
            break
        streak += 1
    return streak


def warning(streak: int) -> str:
    """What to tell of it; empty while it may be chance."""
    if streak < MANY:
        return ""
    return f"the last {streak} consolidations found nothing: look at memex models test, and memex jobs list"
