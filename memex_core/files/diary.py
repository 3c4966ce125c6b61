"""The diary: what happened, and when. ``diary/2026-11-30.md``, a ``## HH:MM`` section an event.

memex only adds entries, each at its place in time, and leaves every other byte of the day as it
was; people edit the files as they like. What the ``<!-- wikimem: … -->`` line under an entry says
(who, from where, when) belongs to the entry, not to its text.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from datetime import date as calendar_date
from datetime import datetime, tzinfo
from itertools import zip_longest
from typing import TYPE_CHECKING, NamedTuple

from memex_core.files import atomic, provenance
from memex_core.files.layout import Layout
from memex_core.files.lock import StoreLock
from memex_core.files.turns import sound
from memex_core.model import clock
from memex_core.model.errors import BadInput, NotFound

if TYPE_CHECKING:
    from memex_core.files.scrubbing import Scrubber

_DAY = re.compile(r"(\d{4}-\d{2}-\d{2})\.md\Z")
_SECTION = re.compile(
    rb"(?:\A\xef\xbb\xbf|^)##[ \t]+(\d{1,2}:\d{2})(?![\d:])[ \t]*([^\r\n]*)\r?$", re.MULTILINE
)
_SECTION_LINE = re.compile(r"^(\\*)(##[ \t]+\d{1,2}:\d{2}(?![\d:]))", re.MULTILINE)
_ESCAPED = re.compile(r"^\\(\\*##[ \t]+\d{1,2}:\d{2}(?![\d:]))", re.MULTILINE)
_TIME = re.compile(r"(\d{1,2}):(\d{2})\Z")
_BOM = b"\xef\xbb\xbf"


class DiaryEntry(NamedTuple):
    """One event. ``time`` is ``HH:MM``, empty for text that stands above a day's first event.

    ``date`` and ``time`` are the writer's own calendar and clock; ``ts`` is the instant (UTC stamp)
    or empty. ``heading`` is what a person wrote behind the time. ``at`` and ``size`` are the
    section's bytes in the file, ``line`` its first line, from 1. ``more`` holds unknown keys.
    """

    date: str
    time: str
    content: str
    owner: str = ""
    source: str = ""
    ts: str = ""
    heading: str = ""
    line: int = 0
    at: int = 0
    size: int = 0
    more: tuple[tuple[str, str], ...] = ()


def file_of(layout: Layout, day: str) -> str:
    """Absolute path of a day's file, there or not. Raises BadInput for what is no date."""
    return os.path.join(layout.diary, f"{check_date(day)}.md")


def dates(layout: Layout) -> list[str]:
    """Every day that has a file, ascending."""
    try:
        with os.scandir(layout.diary) as there:
            found = [(_DAY.match(entry.name), entry) for entry in there]
            return sorted(name[1] for name, entry in found if name and _is_date(name[1]) and entry.is_file())
    except (FileNotFoundError, NotADirectoryError):
        return []


def day(layout: Layout, date: str) -> list[DiaryEntry]:
    """The entries of one day in the order of its file; empty when it has none."""
    try:
        data = atomic.read_file(file_of(layout, date))
    except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
        return []
    return [entry for entry in entries(data, date) if entry.time]


def window(layout: Layout, start: str, end: str) -> list[DiaryEntry]:
    """The entries from day ``start`` to day ``end`` inclusive, in time order; a reversed pair is swapped."""
    start, end = sorted((check_date(start), check_date(end)))
    return [entry for date in dates(layout) if start <= date <= end for entry in day(layout, date)]


def show(layout: Layout, days: str = "") -> list[DiaryEntry]:
    """The entries of ``DATE`` or ``DATE..DATE``; of the last day that has any when empty.

    Raises NotFound when there is no entry.
    """
    first, dots, last = days.strip().partition("..")
    if first and first == last:
        dots = ""  # one day, said as a range
    if not first and not dots:
        known = dates(layout)
        first = known[-1] if known else ""
        found = day(layout, first) if first else []
    elif dots:
        found = window(layout, first or "0001-01-01", last or "9999-12-31")
    else:
        found = day(layout, first)
    if not found:
        if not days.strip():
            raise NotFound("the diary is empty")
        raise NotFound(f"no diary entry {'in' if dots else 'on'} {days.strip() if dots else first}")
    return found


# -- one file ----------------------------------------------------------------------------------


def entries(data: bytes, date: str) -> list[DiaryEntry]:
    """All of a day's file as entries, text above the first event included (``time`` is empty)."""
    spans = _spans(data)
    out = []
    before = data[: spans[0][0] if spans else len(data)]
    preamble = before.decode("utf-8", "replace").replace("\r\n", "\n").lstrip("\ufeff \t\n")
    preamble = re.sub(rf"\A#[ \t]+{re.escape(date)}[ \t]*(?:\n|\Z)", "", preamble).strip()
    if preamble:
        out.append(DiaryEntry(date, "", preamble, line=1, at=0, size=len(before)))
    line, counted = 1, 0
    for start, end, time, heading, body in spans:
        line += data.count(b"\n", counted, start)
        counted = start
        out.append(_entry(date, time, heading, data[body:end], line, start, end - start))
    return out


def text_of(entry: DiaryEntry) -> str:
    """All that an entry says, as it is searched."""
    return f"{entry.heading}\n{entry.content}" if entry.heading else entry.content


def add(data: bytes, entry: DiaryEntry) -> bytes:
    """A day's file with ``entry`` put behind the last event that is not later; the rest unchanged."""
    newline = "\r\n" if b"\r\n" in data else "\n"
    if not data.strip():
        data = f"# {entry.date}{newline}".encode()
    place = None
    for start, end, time, _, _ in _spans(data):
        if time <= entry.time:
            place = end
        elif place is None:
            place = start
    at = len(data) if place is None else place
    before, after = data[:at], data[at:]
    gap = 2 - _trailing_newlines(before)
    text = newline * gap + _render(entry, newline) + (newline if after else "")
    return before + text.encode("utf-8", "replace") + after


def append(
    layout: Layout,
    content: str,
    *,
    date: str | None = None,
    time: str | None = None,
    ts: str | None = None,
    tz: str | None = None,
    owner: str = "",
    source: str = "",
    scrubber: Scrubber | None = None,
    dry_run: bool = False,
) -> DiaryEntry:
    """Add an event to its day's file, under the store lock, and return it.

    ``ts`` is the instant (default: now); ``date`` and ``time`` default to it in the zone ``tz``
    (default: this machine's). Secrets are taken out by ``scrubber``, which counts them. Raises BadInput
    for empty text and a malformed date, time, zone or ts.
    """
    if scrubber is None:
        from memex_core.files.scrubbing import Scrubber

        scrubber = Scrubber.load(layout)
    content, owner, source = (scrubber.text(sound(text)) for text in (content, owner, source))
    content = content.replace("\r\n", "\n").strip()
    if not content:
        raise BadInput("the diary entry is empty", hint="say what happened")
    at = _instant(ts)
    local = at.astimezone(_zone(tz))
    entry = DiaryEntry(
        check_date(date) if date else local.strftime("%Y-%m-%d"),
        _check_time(time) if time else local.strftime("%H:%M"),
        content,
        provenance.value(owner),
        provenance.value(source),
        clock.stamp(at),
    )
    if not dry_run:
        put(layout, entry.date, [entry])
    return entry


def put(layout: Layout, date: str, new: Sequence[DiaryEntry]) -> None:
    """Add events to one day's file, under the store's lock."""
    path = file_of(layout, date)
    try:
        os.makedirs(layout.diary, exist_ok=True)
    except OSError as error:
        raise atomic.failure(layout.diary, error) from error
    with StoreLock(layout.lock):
        try:
            data = atomic.read_file(path)
        except FileNotFoundError:
            data = b""
        except OSError as error:
            raise atomic.failure(path, error) from error
        for entry in new:
            data = add(data, entry)
        atomic.write(path, data)


def check_date(text: str) -> str:
    """``text`` itself if it is a date ``YYYY-MM-DD``; raises BadInput."""
    if not isinstance(text, str) or not _is_date(text):
        raise BadInput(f"{text!r} is no date", hint="write YYYY-MM-DD")
    return text


def _is_date(text: str) -> bool:
    try:
        return calendar_date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def _check_time(text: str) -> str:
    found = _TIME.match(text) if isinstance(text, str) else None
    if found is None or int(found[1]) > 23 or int(found[2]) > 59:
        raise BadInput(f"{text!r} is no time of day", hint="write HH:MM")
    return f"{int(found[1]):02}:{found[2]}"


def _instant(ts: str | None) -> datetime:
    if ts is None or ts == "":
        return clock.now()
    at = clock.parse(ts) if isinstance(ts, str) else None
    if at is None:
        raise BadInput(f"ts {ts!r} is no time", hint="write 2026-11-30T06:00:00Z")
    return at


def _zone(name: str | None) -> tzinfo | None:
    if not name:
        return None  # astimezone takes the machine's
    from zoneinfo import ZoneInfo

    try:
        return ZoneInfo(name)
    except (OSError, ValueError, KeyError):
        raise BadInput(f"{name!r} is no time zone", hint="write a name such as Europe/Berlin") from None


def _spans(data: bytes) -> list[tuple[int, int, str, str, int]]:
    """Sections as (start, end, HH:MM, heading text, start of the body), byte offsets in ``data``."""
    found = list(_SECTION.finditer(data))
    out = []
    for match, following in zip_longest(found, found[1:]):
        end = following.start() if following else len(data)
        hour, minute = match[1].decode().split(":")
        heading = match[2].decode("utf-8", "replace").strip()
        start = match.start() + match[0].startswith(_BOM) * len(_BOM)  # the mark is the file's
        out.append((start, end, f"{int(hour):02}:{minute}", heading, match.end()))
    return out


def _entry(date: str, time: str, heading: str, body: bytes, line: int, at: int, size: int) -> DiaryEntry:
    text = body.decode("utf-8", "replace").replace("\r\n", "\n")
    text, said = provenance.parted(text)
    content = _ESCAPED.sub(r"\1", text).strip()
    return DiaryEntry(
        date, time, content, said.owner, said.source, said.ts, heading, line, at, size, said.more
    )


def _render(entry: DiaryEntry, newline: str) -> str:
    """A section. A line of the text that reads as a section's head gets a backslash before it."""
    content = _SECTION_LINE.sub(r"\\\1\2", entry.content)
    comment = provenance.line_of(provenance.Provenance(entry.owner, entry.source, entry.ts, entry.more))
    text = f"## {entry.time}\n\n{content}\n"
    if comment:
        text += f"\n{comment}\n"
    return text.replace("\n", newline)


def _trailing_newlines(data: bytes) -> int:
    """How many of the two line ends before a new section are there already."""
    tail = data[-4:].replace(b"\r\n", b"\n")
    if tail.endswith(b"\n\n") or data in (b"", _BOM):
        return 2
    return 1 if tail.endswith(b"\n") else 0
