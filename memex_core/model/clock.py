"""The one clock. Times are ISO 8601 UTC, whole seconds and ``Z``; dates are ``YYYY-MM-DD``.

``MEMEX_NOW`` (an ISO time) freezes it, so that tests and pictures are reproducible. It stays a year away from
both ends of the calendar, so that a zone, a week or a month can be counted from the present without a check.
"""

from __future__ import annotations

import os
from datetime import UTC, date, datetime, timedelta

_FIRST, _LAST = datetime(2, 1, 1, tzinfo=UTC), datetime(9998, 12, 31, 23, 59, 59, tzinfo=UTC)


def now() -> datetime:
    """The present, aware, in UTC, without microseconds."""
    frozen = os.environ.get("MEMEX_NOW")
    if frozen:
        at = parse(frozen)
        if at is not None:
            return min(max(at, _FIRST), _LAST)
    return datetime.now(UTC).replace(microsecond=0)


def stamp(at: datetime | None = None) -> str:
    """``at`` (default: now) as ``2026-11-30T06:16:02Z``. A naive time is taken as UTC."""
    at = at or now()
    if at.tzinfo is not None:
        at = at.astimezone(UTC)
    return at.isoformat(timespec="seconds")[:19] + "Z"


def today() -> str:
    """The UTC date of :func:`now`."""
    return now().strftime("%Y-%m-%d")


def parse(text: str) -> datetime | None:
    """Read a time as people and tools write them; None when it is not one.

    Accepts ISO 8601 with ``T`` or a space, with or without seconds, fraction and zone, a bare
    date (midnight UTC: it keeps its day in every zone), and epoch seconds or milliseconds.
    A time without a zone is taken as UTC, so that a store reads alike on every machine.
    """
    text = text.strip()
    if text.isdigit() and len(text) in (10, 13):
        try:
            return datetime.fromtimestamp(int(text) / (1000 if len(text) == 13 else 1), UTC)
        except (ValueError, OverflowError, OSError):
            return None
    if len(text) < 8 or not text[:4].isdigit():
        return None
    try:
        at = datetime.fromisoformat(text)
        return at.replace(tzinfo=UTC) if at.tzinfo is None else at.astimezone(UTC)
    except (ValueError, OverflowError):  # in UTC the year may be 0 or 10000
        return None


def normal(text: str) -> str:
    """``text`` as a sortable stamp, a bare date kept as it is; empty when it is no time."""
    text = text.strip()
    if len(text) == 10 and text[4:5] == "-" and text[7:8] == "-":
        try:
            date.fromisoformat(text)
        except ValueError:
            return ""
        return text
    if len(text) == 20 and text[19] == "Z" and _is_stamp(text[:19]):
        return text
    at = parse(text)
    return stamp(at) if at else ""


def _is_stamp(text: str) -> bool:
    """Whether it is ``2026-11-30T06:16:02``: most times are, and need no rewriting."""
    try:
        return datetime.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def after_days(days: float, at: datetime | None = None) -> str:
    """The stamp of ``days`` days (fractions allowed) after ``at`` (default: now), or the calendar's end."""
    try:
        return stamp((at or now()) + timedelta(days=days))
    except OverflowError:
        return stamp(datetime.max if days > 0 else datetime.min)


def local() -> datetime:
    """The present on this machine's own calendar and clock: what today is for the person at it."""
    return now().astimezone()


def midnight(day: str) -> str:
    """The stamp at which the day ``YYYY-MM-DD`` begins on this machine's calendar.

    Where clocks go on at midnight the day begins at one; ``timestamp`` knows that, ``astimezone`` does not.
    """
    start = datetime.fromisoformat(day)
    try:
        return stamp(datetime.fromtimestamp(start.timestamp(), UTC))
    except (ValueError, OverflowError):  # the first and the last day of the calendar
        return stamp(start.replace(tzinfo=UTC))
