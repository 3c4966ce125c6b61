"""The window of time that a query is about, and the diary's entries in it."""

from __future__ import annotations

from datetime import date, timedelta, tzinfo
from typing import NamedTuple

from memex_core.wikimem.diary import Diary, as_recall_item
from memex_core.wikimem.models import RecallItem
from memex_core.wikimem.timeparse import TimeRange, named


class Window(NamedTuple):
    """Two days, both included. ``source`` is ``explicit`` or ``parsed``; ``rest`` is the query without the
    words that named the days; ``widened``: those days had no entry, and a day on each side was added."""

    days: TimeRange
    source: str
    rest: str
    entries: list[RecallItem]
    widened: bool


def window_of(
    query: str, time_range: TimeRange | None, tz: tzinfo | str | None, diary: Diary
) -> Window | None:
    """The window that a caller gives or a query names; None for any time.

    Raises ValueError for a given one that is no pair of dates.
    """
    found = named(query, tz=tz)
    rest = query if found is None else found[1]
    if time_range is not None:
        days, source = _ordered(time_range), "explicit"
    elif found is not None:
        days, source = found[0], "parsed"
    else:
        return None
    entries = diary.window(*days)
    widened = not entries
    if widened:
        days = _moved(days[0], -1), _moved(days[1], 1)
        entries = diary.window(*days)
    return Window(days, source, rest, [as_recall_item(entry) for entry in entries], widened)


def _ordered(days: TimeRange) -> TimeRange:
    try:
        start, end = days
        return (start, end) if start <= end else (end, start)
    except (TypeError, ValueError):
        raise ValueError(f"{days!r} is no pair of dates") from None


def _moved(day: str, by: int) -> str:
    try:
        return (date.fromisoformat(day) + timedelta(days=by)).isoformat()
    except OverflowError:
        return day
