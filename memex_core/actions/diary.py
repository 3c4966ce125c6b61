"""The diary: one file a day, one section an event."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memex_core.files import diary
from memex_core.model import clock
from memex_core.model.errors import BadInput

if TYPE_CHECKING:
    from datetime import datetime

    from memex_core.actions.store import Store


def append(
    store: Store,
    text: str,
    *,
    date: str | None = None,
    time: str | None = None,
    tz: str | None = None,
    dry_run: bool = False,
) -> dict[str, Any]:
    """Add an entry; the day and minute are now unless given: ``{date, time, text, file_path}``."""
    from memex_core.files.journal import Journal
    if not text.strip():
        raise BadInput("the entry is empty", hint="say what happened")
    here = _local(tz)
    day, minute = date or here.strftime("%Y-%m-%d"), time or here.strftime("%H:%M")
    if not dry_run:
        store.layout.ensure_state()
        diary.append(store.layout, day, minute, text)
        Journal(store.layout).append(
            [
                {
                    "ts": clock.stamp(),
                    "action": "diary",
                    "file": f"diary/{day}.md",
                    "item": day,
                    "actor": store.actor,
                    "before": None,
                    "detail": {"time": minute},
                }
            ]
        )
        store.look_again()
    return {
        "date": day,
        "time": minute,
        "text": text.strip(),
        "file_path": diary.file_of(store.layout, day),
        "dry_run": dry_run,
    }


def show(store: Store, date: str | None = None) -> dict[str, Any]:
    """``{entries: [{date, time, text, …}], start, end}`` of a day or ``A..B``; the last day by default."""
    start, dots, end = (date or "").partition("..")
    if not date:
        days = diary.dates(store.layout)
        start = days[-1] if days else clock.today()
    start = start or "0001-01-01"
    end = (end or "9999-12-31") if dots else start
    for day in (start, end):
        if len(clock.normal(day)) != 10:
            raise BadInput(f"{day!r} is no day", hint="write YYYY-MM-DD or YYYY-MM-DD..YYYY-MM-DD")
    if end < start:
        start, end = end, start
    return {"start": start, "end": end, "entries": diary.window(store.layout, start, end)}


def dates(store: Store) -> dict[str, Any]:
    """``{dates: [YYYY-MM-DD], total}``."""
    days = diary.dates(store.layout)
    return {"dates": days, "total": len(days)}


def _local(tz: str | None) -> datetime:
    """Now, in the given zone or the machine's: a diary is kept in the time its owner lives in."""
    if not tz:
        return clock.now().astimezone()
    from zoneinfo import ZoneInfo

    try:
        return clock.now().astimezone(ZoneInfo(tz))
    except (ValueError, OSError, KeyError):
        raise BadInput(f"{tz!r} is no time zone", hint="write one such as Europe/Berlin") from None
