"""Days that a text names, as the window of the diary they mean."""

from __future__ import annotations

from datetime import date, datetime, timedelta, tzinfo
from typing import TypeAlias

from memex_core.model import clock
from memex_core.model.dates import parse as timeparse
from memex_core.wikimem.instants import zone

TimeRange: TypeAlias = tuple[str, str]
"""Two days ``YYYY-MM-DD``, both included."""


def parse_time_range(
    text: str, *, tz: tzinfo | str | None = None, today: date | datetime | str | None = None
) -> TimeRange | None:
    """The days that ``text`` names, both included; None where it names none that are sure.

    Words like "yesterday" count from ``today``, else from now in the zone ``tz`` (default: this
    machine's). Raises ValueError for a zone or a today that is none.
    """
    found = named(text, tz=tz, today=today)
    return found[0] if found else None


def named(
    text: str, *, tz: tzinfo | str | None = None, today: date | datetime | str | None = None
) -> tuple[TimeRange, str] | None:
    """The window of :func:`parse_time_range`, and the text without the words that say it."""
    found = timeparse.parse_time_range(text, _now(tz, today))
    if found is None:
        return None
    last = found.end - timedelta(days=1)  # the core's end is the first day after
    return (found.start.isoformat(), last.isoformat()), timeparse.blanked(text, found.spans)


def _now(tz: tzinfo | str | None, today: date | datetime | str | None) -> datetime:
    where = zone(tz)
    if today is None:
        return clock.now().astimezone(where)
    if isinstance(today, str):
        today = datetime.fromisoformat(today)
    if not isinstance(today, datetime):
        return datetime(today.year, today.month, today.day, 12, tzinfo=where)
    return today if today.tzinfo is None else today.astimezone(where)
