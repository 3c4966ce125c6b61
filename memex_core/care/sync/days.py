"""The diaries of two devices as one: entries come together, and what was struck out stays out."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any

from memex_core.care.sync.fields import canonical
from memex_core.care.sync.record import State
from memex_core.files import atomic, diary
from memex_core.files.atomic import digest
from memex_core.files.diary import DiaryEntry
from memex_core.files.layout import Layout
from memex_core.files.lock import StoreLock
from memex_core.model.errors import BadInput

_TEXTS = ("date", "time", "content", "owner", "source", "ts", "heading")


def name_of(entry: DiaryEntry) -> str:
    """A digest of what the entry says: the same entry has the same one on every device."""
    return digest(canonical([*(getattr(entry, name) for name in _TEXTS), entry.more]).encode())


def all_entries(layout: Layout) -> dict[str, DiaryEntry]:
    """Every entry by its name."""
    return {name_of(entry): entry for date in diary.dates(layout) for entry in diary.day(layout, date)}


def observe(layout: Layout, state: State) -> dict[str, DiaryEntry]:
    """Note which entries came and went since the last look; those that are here."""
    here = all_entries(layout)
    state.struck = (state.struck | (state.seen - set(here))) - set(here)
    state.seen = set(here)
    return here


def as_json(entry: DiaryEntry) -> dict[str, Any]:
    return {**{name: getattr(entry, name) for name in _TEXTS}, "more": [list(pair) for pair in entry.more]}


def of_json(told: Any) -> DiaryEntry:
    """The entry that a map tells. ValueError, KeyError or TypeError where it tells none."""
    texts = {name: told[name] for name in _TEXTS}
    if not all(type(text) is str for text in texts.values()):
        raise ValueError("an entry is text")
    try:
        diary.check_date(texts["date"])
    except BadInput as error:
        raise ValueError(error.message) from None
    hour, _, minute = texts["time"].partition(":")
    if len(texts["time"]) != 5 or not ("00" <= hour <= "23" and "00" <= minute <= "59"):
        raise ValueError(f"{texts['time']!r} is no time of day")
    return DiaryEntry(**texts, more=tuple((str(key), str(value)) for key, value in told["more"]))


def differences(
    here: dict[str, DiaryEntry], state: State, theirs: Iterable[DiaryEntry], struck: Iterable[str]
) -> tuple[list[DiaryEntry], list[DiaryEntry]]:
    """The entries to add, and those to take out."""
    out = set(struck)
    known = set(here) | state.struck | out
    new = {name_of(entry): entry for entry in theirs}
    added = [new[name] for name in sorted(new) if name not in known]
    return added, [here[name] for name in sorted(out & set(here))]


def apply(layout: Layout, added: list[DiaryEntry], removed: list[DiaryEntry]) -> None:
    """Write the days concerned, each in one step; all other bytes of them stay."""
    for date in sorted({entry.date for entry in (*added, *removed)}):
        path = diary.file_of(layout, date)
        os.makedirs(layout.diary, exist_ok=True)
        with StoreLock(layout.lock):
            data = atomic.read_file(path) if os.path.exists(path) else b""
            gone = {name_of(entry) for entry in removed if entry.date == date}
            data = _without(data, date, gone) if gone else data
            for entry in sorted((one for one in added if one.date == date), key=_order):
                data = _with(data, entry)
            atomic.write(path, data)


def _order(entry: DiaryEntry) -> tuple[str, str, str]:
    return entry.time, entry.ts, name_of(entry)


def _with(data: bytes, entry: DiaryEntry) -> bytes:
    """The day with the entry in its place; of one minute, the earlier instant comes first."""
    later = [
        one
        for one in diary.entries(data, entry.date)
        if one.time == entry.time and _order(one) > _order(entry)
    ]
    if not later:
        return diary.add(data, entry)
    at = later[0].at
    return diary.add(data[:at], entry).rstrip(b"\r\n") + b"\n\n" + data[at:]


def _without(data: bytes, date: str, names: set[str]) -> bytes:
    for entry in reversed(diary.entries(data, date)):
        if entry.time and name_of(entry) in names:
            data = data[: entry.at] + data[entry.at + entry.size :]
    return data
