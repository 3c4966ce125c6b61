"""The diary: one file a day, one section an event."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memex_core.files import diary

if TYPE_CHECKING:
    from memex_core.actions.store import Store
    from memex_core.files.diary import DiaryEntry


def append(
    store: Store,
    text: str,
    *,
    date: str | None = None,
    time: str | None = None,
    tz: str | None = None,
    dry_run: bool = False,
) -> dict[str, Any]:
    """Add an entry; the day and minute are now, in ``tz`` or the machine's zone, unless given."""
    scrub = store.scrubber()
    entry = diary.append(store.layout, text, date=date, time=time, tz=tz, scrubber=scrub, dry_run=dry_run)
    if not dry_run:
        event = {
            "action": "diary",
            "file": f"diary/{entry.date}.md",
            "item": entry.date,
            "actor": store.actor,
            "detail": {"time": entry.time, **({"redacted": scrub.counts} if scrub.counts else {})},
        }
        store.journal.append([event])
        store.look_again()
    return {
        **_shown(entry),
        "file_path": diary.file_of(store.layout, entry.date),
        "warnings": scrub.notes(),
        "dry_run": dry_run,
    }


def show(store: Store, date: str | None = None) -> dict[str, Any]:
    """``{entries: [{date, time, text, …}]}`` of a day or ``A..B``; of the last day by default."""
    return {"entries": [_shown(entry) for entry in diary.show(store.layout, date or "")]}


def _shown(entry: DiaryEntry) -> dict[str, Any]:
    return {
        "date": entry.date,
        "time": entry.time,
        "text": diary.text_of(entry),
        "owner": entry.owner,
        "source": entry.source,
        "ts": entry.ts,
        "line": entry.line,
    }


def dates(store: Store) -> dict[str, Any]:
    """``{dates: [YYYY-MM-DD], total}``."""
    days = diary.dates(store.layout)
    return {"dates": days, "total": len(days)}
