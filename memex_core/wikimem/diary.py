"""The face's side of the diary: events are added and read, never changed."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import tzinfo
from pathlib import Path

from memex_core.files import diary, layout, provenance
from memex_core.model import clock
from memex_core.model.errors import BadInput
from memex_core.wikimem.instants import instant, utc_stamp, zone
from memex_core.wikimem.journal import Journal
from memex_core.wikimem.models import DiaryItem, RecallItem
from memex_core.wikimem.scrubbed import scrubbed

_TIME = re.compile(r"(?:[01]\d|2[0-3]):[0-5]\d")


class Diary:
    """The diary under ``root``. Making one touches no file; ``journal`` defaults to the root's own."""

    def __init__(self, root: Path | str, *, journal: Journal | None = None) -> None:
        self.root = Path(root)
        self.journal = journal if journal is not None else Journal(self.root / "journal.jsonl")
        self._layout = layout.of_items(os.path.abspath(root))

    def append(
        self,
        content: str,
        *,
        ts: str | None = None,
        date: str | None = None,
        time: str | None = None,
        owner: str | None = None,
        source_conv: str | None = None,
        tz: tzinfo | str | None = None,
    ) -> DiaryItem:
        """Add an event. ``date`` and ``time`` default to ``ts``, and ``ts`` to now, as read in ``tz``.

        Raises ValueError for empty content, and for a date, time, ts or zone that is none.
        """
        if not isinstance(content, str) or not content.strip():
            raise ValueError("a diary entry cannot be empty")
        at = clock.now() if ts is None else instant(ts)
        local = at.astimezone(zone(tz))
        if time is not None and not (isinstance(time, str) and _TIME.fullmatch(time)):
            raise ValueError(f"time {time!r} is not HH:MM")
        content, owner, source_conv = scrubbed(self._layout.root, content, owner, source_conv)
        with _value_errors():
            entry = diary.DiaryEntry(
                local.strftime("%Y-%m-%d") if date is None else diary.check_date(date),
                local.strftime("%H:%M") if time is None else time,
                content.replace("\r\n", "\n").strip(),
                provenance.value(owner),
                provenance.value(source_conv),
                utc_stamp(at),
            )
        diary.put(self._layout, entry.date, [entry])
        self.journal.append_diary(date=entry.date, time=entry.time, owner=owner, source_conv=source_conv)
        return _item(entry)

    def day(self, date: str) -> list[DiaryItem]:
        """The entries of one day in the order of its file. Raises ValueError for what is no date."""
        with _value_errors():
            return [_item(entry) for entry in diary.day(self._layout, date)]

    def window(self, start: str, end: str) -> list[DiaryItem]:
        """The entries from day ``start`` to day ``end``, both included; a reversed pair is swapped."""
        with _value_errors():
            return [_item(entry) for entry in diary.window(self._layout, start, end)]

    def dates(self) -> list[str]:
        """Every day that has a file, ascending."""
        return diary.dates(self._layout)


def as_recall_item(entry: DiaryItem) -> RecallItem:
    """The entry as retrieval knows it: its day is its file, its time its name."""
    return RecallItem(entry.date, entry.time, entry.content, entry.owner, entry.source_conv, entry.ts)


def _item(entry: diary.DiaryEntry) -> DiaryItem:
    return DiaryItem(
        entry.date,
        entry.time,
        diary.text_of(entry),
        entry.owner or None,
        entry.source or None,
        entry.ts or None,
    )


@contextmanager
def _value_errors() -> Iterator[None]:
    """What the core calls bad input is a ValueError to users of a library."""
    try:
        yield
    except BadInput as error:
        raise ValueError(str(error)) from error
