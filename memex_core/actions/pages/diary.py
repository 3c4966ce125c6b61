"""The diary: one file a day, one section an event."""

from __future__ import annotations

from datetime import date as calendar_date
from typing import TYPE_CHECKING, Any

from memex_core.actions.learning.keeping_out import check_words
from memex_core.files import diary
from memex_core.model import clock
from memex_core.model.dates.days import one
from memex_core.model.dates.when import asked

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
    check_words(store, text)
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
    """``{entries: [{date, time, text, …}]}`` of a day, ``A..B`` or a time in words (``last week``), else of
    the last day. NotFound when there is none."""
    return {"entries": [_shown(entry) for entry in diary.show(store.layout, _span(date))]}


def _span(date: str | None) -> str:
    """A time as the days ``A..B`` of its files; an ISO day or range as it is."""
    text = (date or "").strip()
    if not text or (text[-1] in "0123456789." and ("." in text or len(text) == 10)):
        return text
    days = asked(text, clock.local())
    return f"{days.start.isoformat()}..{days.last.isoformat()}"


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


def day(store: Store, date: str | None = None) -> dict[str, Any]:
    """One day: ``{date, entries, pages: [{path, title, type, what}], sessions: [{session, title, turns}]}``.

    ``date`` is a day or a time that is one (``yesterday``); today by default. ``what`` is written, changed or
    happened.
    """
    from memex_core.index.days import pages_between, sessions_between

    when = asked(date, clock.local()) if date else one(clock.local().date())
    start = when.start
    span = one(start)
    db = store.index.db
    return {
        "date": start.isoformat(),
        "entries": [_shown(entry) for entry in diary.day(store.layout, start.isoformat())],
        "pages": [found._asdict() for found in pages_between(db, *span)],
        "sessions": [found._asdict() for found in sessions_between(db, *span)],
    }


def month(store: Store, month: str) -> dict[str, Any]:
    """``{month, days: {YYYY-MM-DD: {entries, pages, sessions}}}``: what there is of each day that has any.

    ``month`` is ``YYYY-MM``; BadInput when it is none.
    """
    from memex_core.index.days import pages_between, sessions_between

    span = asked(month, clock.local())
    counts: dict[str, dict[str, int]] = {}

    def count(day: str, what: str, number: int = 1) -> None:
        of_day = counts.setdefault(day, {"entries": 0, "pages": 0, "sessions": 0})
        of_day[what] += number

    for date in diary.dates(store.layout):
        if span.start.isoformat() <= date < span.end.isoformat():
            count(date, "entries", len(diary.day(store.layout, date)))
    for page in pages_between(store.index.db, *span):
        count(page.day, "pages")
    for session in sessions_between(store.index.db, *span):
        count(session.day, "sessions")
    return {"month": month, "days": dict(sorted(counts.items()))}


def on_this_day(store: Store, date: str | None = None) -> dict[str, Any]:
    """``{date, entries}``: those of the same day in earlier months of the last year and in earlier years, the
    latest first. ``date`` as for :func:`day`."""
    at = asked(date, clock.local()).start if date else clock.local().date()
    found = []
    for known in reversed(diary.dates(store.layout)):
        then = calendar_date.fromisoformat(known)
        months = (at.year - then.year) * 12 + at.month - then.month
        if then.day == at.day and months > 0 and (months < 12 or months % 12 == 0):
            found += [_shown(entry) for entry in diary.day(store.layout, known)]
    return {"date": at.isoformat(), "entries": found}
