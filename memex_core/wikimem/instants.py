"""Times as item files and their journal spell them: UTC, whole seconds, ``+00:00``."""

from __future__ import annotations

from datetime import UTC, datetime, tzinfo

from memex_core.model import clock


def utc_stamp(at: datetime | None = None) -> str:
    """``at`` (default: now) as ``2026-11-30T06:16:02+00:00``."""
    return (at or clock.now()).astimezone(UTC).isoformat(timespec="seconds")


def instant(ts: str) -> datetime:
    """The instant that ``ts`` names, in UTC where it says no zone. Raises ValueError."""
    at = clock.parse(ts) if isinstance(ts, str) and not ts.strip().isdigit() else None
    if at is None:
        raise ValueError(f"ts {ts!r} is no ISO 8601 time")
    return at


def zone(tz: tzinfo | str | None) -> tzinfo | None:
    """A zone by its name, or as it is; None is this machine's. Raises ValueError."""
    if not isinstance(tz, str):
        return tz
    from zoneinfo import ZoneInfo

    try:
        return ZoneInfo(tz)
    except (OSError, ValueError, KeyError):
        raise ValueError(f"{tz!r} is no time zone") from None
