"""The note of an act in progress: what to finish or take back if its writer dies.

It holds the journal lines that the act will add, and these hold the bytes from before. So whoever
finds the note of a dead process knows everything: if every file is as the lines say, only the lines
are missing from the journal; if not, there is the text to go back to.
"""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple, cast

from memex_core.model.errors import Refused
from memex_core.model.slug import fold

from . import atomic
from .journal import Journal, bytes_before, event_of, line_of
from .layout import Layout
from .opening import regular

if TYPE_CHECKING:
    from memex_core.model.results import Event


_IDLE = 1  # bytes of a note that says nothing: truncating to 0 makes ext4 flush at the next close


class Intent(NamedTuple):
    """``made`` are folders the act needed and that were not there, outermost first."""

    events: list[Event]
    made: list[str]


def write(layout: Layout, intent: Intent, lines: bytes) -> None:
    """Put the note down, before the first file changes. ``lines`` are the encoded events.

    One file alone is replaced in one step, so its note may be lost in a power cut; of several
    it must be on the disk first. Raises WriteFailed.
    """
    head = {"memex_intent": 1, "lines": len(intent.events), "made": intent.made}
    data = b"\n" + json.dumps(head).encode() + b"\n" + lines
    try:
        descriptor = regular(layout.pending, os.O_WRONLY | os.O_CREAT | atomic.OWN)
        try:
            rest = memoryview(data)
            while rest:
                rest = rest[os.write(descriptor, rest) :]
            if len(intent.events) > 1:
                os.fsync(descriptor)
        finally:
            os.close(descriptor)
    except BaseException as error:
        clear(layout)
        if isinstance(error, OSError):
            raise atomic.failure(layout.pending, error) from error
        raise
    if len(intent.events) > 1:
        atomic.sync_folders([layout.pending])


def clear(layout: Layout) -> None:
    """Make the note say nothing. Raises WriteFailed."""
    try:
        descriptor = regular(layout.pending, os.O_WRONLY | atomic.OWN)
        try:
            os.ftruncate(descriptor, _IDLE)
        finally:
            os.close(descriptor)
    except FileNotFoundError:
        pass
    except OSError as error:
        raise atomic.failure(layout.pending, error) from error


def settle(layout: Layout) -> list[Event]:
    """Bring files and journal together again after a crash; returns the events that were added.

    The caller holds the store's lock. Raises WriteFailed; the note then stays.
    """
    intent = _read(layout)
    added: list[Event] = []
    folders = {layout.state}
    if intent is not None and intent.events:
        names = [name for event in intent.events for name in _names(event)]
        folders |= {os.path.dirname(layout.file_path(name)) for name in names}
        journal = Journal(layout)
        last = journal.end()
        begun = journal.holds(intent.events[0])
        if begun or _all_done(layout, intent.events):
            # A journal that someone wrote to meanwhile has used the numbers up.
            shift = 0 if begun else max(0, last + 1 - intent.events[0]["seq"])
            added = [_shifted(event, shift) for event in intent.events if event["seq"] + shift > last]
            if added:
                journal.append_lines(b"".join(line_of(event, event["seq"]) for event in added))
        else:
            undo(layout, intent)
    for folder in folders:
        atomic.remove_leftovers(folder)
    clear(layout)
    return added


def undo(layout: Layout, intent: Intent) -> None:
    """Bring back, last first, every file that still is what its event made of it.

    A file that is neither as before nor as after (someone edited it meanwhile) is left alone.
    Raises WriteFailed.
    """
    for event in reversed(intent.events):
        target = layout.file_path(event["file"])
        try:
            _undo_one(layout, event, target)
        except OSError as error:
            raise atomic.failure(target, error) from error
    for folder in reversed(intent.made):
        try:
            os.rmdir(layout.file_path(folder))
        except OSError:
            pass  # not made yet, or in use by now


def move(source: str, target: str) -> None:
    """Rename a file; by way of a third name where only the spelling changes. Raises OSError."""
    if only_spelling(source, target):
        between = _between(target)
        os.rename(source, between)
        os.rename(between, target)
    else:
        os.rename(source, target)


def only_spelling(one: str, other: str) -> bool:
    """Whether a disk that ignores case and composition takes the two names for one."""
    return one != other and fold(one) == fold(other)


def named(file_path: str) -> bool:
    """Whether exactly this name is in its folder, also on a disk that ignores case."""
    try:
        return os.path.basename(file_path) in os.listdir(os.path.dirname(file_path))
    except OSError:
        return False


def _undo_one(layout: Layout, event: Event, target: str) -> None:
    source, after = event["detail"].get("from"), event["detail"]["after"]
    before = bytes_before(event)
    if source and before is not None:
        _move_back(layout.file_path(source), target, before, after)
    elif _digest(layout, event["file"]) != after:
        return
    elif before is None:
        os.unlink(target)
    else:
        atomic.write(target, before)


def _move_back(source: str, target: str, before: bytes, after: str) -> None:
    spelling = only_spelling(source, target)
    there = named if spelling else os.path.lexists
    if spelling and os.path.lexists(_between(target)) and not there(source):
        os.rename(_between(target), source)
    elif there(target) and not there(source):
        data = atomic.read_file(target)
        if data != before and atomic.digest(data) == after:
            atomic.write(target, before)
        move(target, source)


def _between(target: str) -> str:
    """The third name of a move. It is no temporary file's: for a moment it is the page's only one."""
    name = atomic.digest(os.path.basename(target).encode("utf-8", "surrogateescape"))[:16]
    return os.path.join(os.path.dirname(target), f".memex-moving-{name}")


def _read(layout: Layout) -> Intent | None:
    """The note; None when it was never finished, which means that nothing had been done yet.

    None too for a note that no act of ours can have left: it came with a folder from elsewhere, and
    must not name a file outside the pages.
    """
    try:
        _, head, *lines, rest = atomic.read_file(layout.pending).split(b"\n")
        about = json.loads(head)
        events = [event_of(line) for line in lines]
        if about["lines"] != len(events) or rest:
            return None
        sound = [event for event in events if event is not None and _is_ours(event)]
        made = [str(folder) for folder in about["made"]]
        for path in [*made, *(name for event in sound for name in _names(event))]:
            atomic.inside(layout.pages, path)
        return Intent(sound, made) if len(sound) == len(events) else None
    except (OSError, ValueError, KeyError, TypeError, Refused):
        return None


def _is_ours(event: Event) -> bool:
    """Whether the event has all that an act's events have."""
    detail = event["detail"]
    return (
        type(detail.get("group")) is int
        and isinstance(detail["after"], str | None)
        and isinstance(detail.get("from", ""), str)
        and (event["before"] is None or bytes_before(event) is not None)
    )


def _all_done(layout: Layout, events: Sequence[Event]) -> bool:
    """Whether every file is as it should be after the last of the events."""
    wanted: dict[str, str | None] = {}
    for event in events:
        for name in _names(event):
            wanted[name] = None
        wanted[event["file"]] = event["detail"]["after"]
    return all(_digest(layout, path) == after for path, after in wanted.items())


def _names(event: Event) -> list[str]:
    source = event["detail"].get("from")
    return [event["file"], source] if source else [event["file"]]


def _shifted(event: Event, shift: int) -> Event:
    if not shift:
        return event
    detail = {**event["detail"], "group": event["detail"]["group"] + shift}
    return cast("Event", {**event, "seq": event["seq"] + shift, "detail": detail})


def _digest(layout: Layout, path: str) -> str | None:
    """The digest of a file's bytes now; None when there is no such file."""
    try:
        return atomic.digest(atomic.read_file(layout.file_path(path)))
    except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
        return None
    except OSError as error:
        if error.errno == errno.ENAMETOOLONG:  # this disk cannot have it, so the act never wrote it
            return None
        raise
