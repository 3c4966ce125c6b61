"""The journal: every change as one line of ``journal.jsonl``, with what is needed to undo it.

Lines are only ever added, under the store's lock, and flushed before an append returns; purging is
the one thing that rewrites them. A line ends in ``\n`` and nothing else does: what a crash left
of a last line is no line, is passed by when reading, and is cut off by the next append.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, cast

from memex_core.model import clock
from memex_core.model.errors import NotFound, Unreachable

from .atomic import OWN, Staged, digest, failure, publish, sync_folders, temporary_name
from .layout import Layout
from .lock import StoreLock
from .opening import regular

if TYPE_CHECKING:
    from memex_core.model.results import Event


_FIRST_CHUNK, _LARGEST_CHUNK = 1 << 12, 1 << 20  # bytes read at once from the end, doubling
_BINARY: int = getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
_SEQ = re.compile(rb'\{"seq": ?(\d+)[,}]')
_LINE_ENDS_ELSEWHERE = (("\x85", "\\u0085"), ("\u2028", "\\u2028"), ("\u2029", "\\u2029"))
_PLAIN = re.compile(r"[ !#-\[\]-~]+")  # ASCII that JSON writes as it is
_KEPT_BY_PURGE = ("group", "after", "from", "ident")


class Journal:
    """The journal of one memory. Reading needs no lock and never waits for a writer."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.path = layout.journal

    def append(self, events: Iterable[Mapping[str, Any]]) -> int:
        """Write events, flushed to the disk; returns the last sequence number.

        An event needs ``action``; ``seq`` is given here, ``ts`` defaults to now, the others to
        empty. Takes the store's lock; costs the same whatever the journal's size. Raises
        WriteFailed: then no part of the events is in the journal.
        """
        self.layout.ensure_state()
        with StoreLock(self.layout.lock):
            seq = self.end()
            lines: list[bytes] = []
            for event in events:
                seq += 1
                lines.append(line_of(event, seq))
            if lines:
                self.append_lines(b"".join(lines))
        return seq

    def append_lines(self, data: bytes, *, sync: bool = True) -> None:
        """Add whole encoded lines. The caller holds the lock and has called :meth:`end`.

        Raises WriteFailed, after cutting off what was written of them.
        """
        try:
            descriptor = regular(self.path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | OWN)
        except OSError as error:
            raise failure(self.path, error) from error
        try:
            size = os.fstat(descriptor).st_size
            try:
                rest = memoryview(data)
                while rest:
                    rest = rest[os.write(descriptor, rest) :]
                if sync:
                    os.fsync(descriptor)
            except BaseException as error:
                os.ftruncate(descriptor, size)
                if isinstance(error, OSError):
                    raise failure(self.path, error) from error
                raise
        finally:
            os.close(descriptor)
        if sync and not size:
            sync_folders([self.path])

    def end(self) -> int:
        """Repair a torn last line and return the last sequence number. The caller holds the lock."""
        return next((seq for seq in map(_seq_of, self._mended()) if seq), 0)

    def last_line(self) -> bytes:
        """Repair a torn last line and return the last whole one, empty without any. As :meth:`end`."""
        return next(self._mended(), b"")

    def _mended(self) -> Iterator[bytes]:
        """The lines backwards, once the last one is whole."""
        try:
            descriptor = regular(self.path, os.O_RDWR | OWN)
        except FileNotFoundError:
            return
        except OSError as error:
            raise failure(self.path, error) from error
        try:
            size = os.fstat(descriptor).st_size
            if size and _read_at(descriptor, size - 1, 1) != b"\n":
                _repair(descriptor, size)
            yield from _backwards(descriptor, os.fstat(descriptor).st_size)
        except OSError as error:
            raise failure(self.path, error) from error
        finally:
            os.close(descriptor)

    def read(
        self,
        reverse: bool = False,
        file: str | None = None,
        item: str | None = None,
        after: int = 0,
        holding: tuple[bytes, ...] = (),
    ) -> Iterator[Event]:
        """The events with ``seq`` above ``after``, oldest first, or with ``reverse`` newest first.

        ``file`` and ``item`` keep only events of that file or item (a rename counts for both of
        its names), ``holding`` only lines in which one of these texts stands. Lines are read as they
        are asked for, and lines that are no events are passed by. Raises Unreachable when the journal is
        there and cannot be read.
        """
        wanted = [written(name) for name in (file, item) if name]
        for line in self._lines(reverse):
            seq = _seq_of(line)
            if seq and seq <= after:
                if reverse:
                    return
                continue
            if any(name not in line for name in wanted):
                continue  # cheaper than parsing a line that holds a whole page
            if holding and not any(text in line for text in holding):
                continue
            event = event_of(line)
            if event is None or event["seq"] <= after:
                continue
            if file is not None and file not in (event["file"], event["detail"].get("from")):
                continue
            if item is not None and item != event["item"]:
                continue
            yield event

    def get(self, seq: int) -> Event:
        """The event of that number. Raises NotFound."""
        for line in self._lines(reverse=True):
            number = _seq_of(line)
            if number == seq:
                event = event_of(line)
                if event is not None:
                    return event
            elif 0 < number < seq:
                break
        raise NotFound(f"the journal has no event {seq}")

    def last_seq(self) -> int:
        """The newest event's number; 0 for an empty journal."""
        return next((seq for seq in map(_seq_of, self._lines(reverse=True)) if seq), 0)

    def holds(self, event: Event) -> bool:
        """Whether this very event is in the journal. Reads no further back than its number."""
        for line in self._lines(reverse=True):
            seq = _seq_of(line)
            if seq == event["seq"]:
                return event_of(line) == event
            if 0 < seq < event["seq"]:
                break
        return False

    def problems(self) -> list[tuple[int, str]]:
        """What ``verify`` says about the journal: ``(line, message)``, lines counting from 1."""
        found: list[tuple[int, str]] = []
        last = 0
        for number, line in enumerate(self._lines(reverse=False), 1):
            event = event_of(line)
            if event is None:
                if line.strip():
                    found.append((number, "the line is no event"))
                continue
            if event["seq"] <= last:
                found.append((number, f"event {event['seq']} follows event {last}"))
            last = event["seq"]
        return found

    def rewrite_without(self, paths: Collection[str], only: Collection[int] | None = None) -> int:
        """Purge: take the text of these files out of every earlier line; returns how many changed.

        With ``only`` just the lines of these numbers are emptied, for a name that two files have had.

        A line keeps its number, time, action and actor; of the text a digest stays.
        """
        wanted = set(paths)

        def without(event: Event) -> Mapping[str, Any] | None:
            named = wanted & {event["file"], event["detail"].get("from")}
            return _emptied(event) if named and (only is None or event["seq"] in only) else None

        return self.rewrite(without)

    def rewrite(self, change: Callable[[Event], Mapping[str, Any] | None]) -> int:
        """Write lines anew, those for which ``change`` gives another event; returns how many. Only a purge
        may do that. The new journal replaces the old in one step."""
        staged = Staged(os.path.join(os.path.dirname(self.path), temporary_name()), self.path)
        changed = 0
        with StoreLock(self.layout.lock):
            if not self.end():
                return 0
            mode = os.stat(self.path).st_mode & 0o7777
            try:
                with open(staged.temporary, "xb") as out:
                    os.chmod(staged.temporary, mode)
                    for line in self._lines(reverse=False):
                        event = event_of(line)
                        other = change(event) if event is not None else None
                        if event is not None and other is not None:
                            line = line_of(other, event["seq"])[:-1]
                            changed += 1
                        out.write(line + b"\n")
                    out.flush()
                    os.fsync(out.fileno())
            except OSError as error:
                _remove(staged.temporary)
                raise failure(self.path, error) from error
            if not changed:
                _remove(staged.temporary)
                return 0
            publish(staged)
            sync_folders([self.path])
        return changed

    def lines(self, reverse: bool = False) -> Iterator[bytes]:
        """Whole lines as they stand, oldest first: those of other programs too."""
        return self._lines(reverse)

    def _lines(self, reverse: bool) -> Iterator[bytes]:
        """Whole lines without their end."""
        try:
            descriptor = regular(self.path, os.O_RDONLY | _BINARY)
        except FileNotFoundError:
            return
        except OSError as error:
            reason = (error.strerror or "unknown error").lower()
            raise Unreachable(f"{self.path} cannot be read ({reason})") from error
        try:
            if reverse:
                yield from _backwards(descriptor, os.fstat(descriptor).st_size)
            else:
                with os.fdopen(os.dup(descriptor), "rb") as file:
                    for line in file:
                        if line.endswith(b"\n"):
                            yield line[:-1]
        finally:
            os.close(descriptor)


def line_of(event: Mapping[str, Any], seq: int) -> bytes:
    """One line, with its end. ``seq`` comes first, so that it is found without parsing the line."""
    whole = {
        "seq": seq,
        "ts": event.get("ts") or clock.stamp(),
        "action": event["action"],
        "file": event.get("file", ""),
        "item": event.get("item", ""),
        "actor": event.get("actor", ""),
        "before": event.get("before"),
        "detail": event.get("detail") or {},
    }
    text = json.dumps(whole, ensure_ascii=False)
    if not text.isascii():
        # Other tools take these for line ends; inside JSON strings they can be written escaped.
        for char, escaped in _LINE_ENDS_ELSEWHERE:
            text = text.replace(char, escaped)
        try:
            return text.encode() + b"\n"
        except UnicodeEncodeError:  # a lone surrogate out of a broken name
            text = json.dumps(whole)
    return text.encode() + b"\n"


def before_of(data: bytes | None) -> dict[str, str] | None:
    """A file's bytes as an event keeps them: ``{"text"}``, ``{"b64"}`` if not UTF-8, None without."""
    if data is None:
        return None
    try:
        return {"text": data.decode("utf-8")}
    except UnicodeDecodeError:
        import base64

        return {"b64": base64.b64encode(data).decode("ascii")}


def bytes_before(event: Event) -> bytes | None:
    """The file's bytes before the event; None when there was no file, or its text was purged."""
    before = event["before"]
    if before is None:
        return None
    text, coded = before.get("text"), before.get("b64")
    if isinstance(text, str):
        return text.encode("utf-8", "surrogatepass")
    if not isinstance(coded, str):
        return None
    import base64  # needed once in a thousand pages, and no hook waits for it

    return base64.b64decode(coded)


def written(name: str) -> bytes:
    """What stands in each line that tells of ``name``: nothing but itself, where JSON writes it as it is."""
    return name.encode() if _PLAIN.fullmatch(name) else b""


def _emptied(event: Event) -> dict[str, Any]:
    before = event["before"]
    if before is not None and "purged" not in before:
        data = bytes_before(event)
        before = {"purged": digest(json.dumps(before).encode() if data is None else data)}
    detail = {key: event["detail"][key] for key in _KEPT_BY_PURGE if key in event["detail"]}
    return {**event, "before": before, "detail": detail}


def _seq_of(line: bytes) -> int:
    """The sequence number of a line; 0 when it is no event."""
    found = _SEQ.match(line)
    if found:
        return int(found.group(1))
    event = event_of(line)
    return event["seq"] if event else 0


def event_of(line: bytes) -> Event | None:
    """The event that a line holds; None when it is no event."""
    try:
        event = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if not isinstance(event, dict) or type(event.get("seq")) is not int or event["seq"] < 1:
        return None
    for key in ("ts", "action", "file", "item", "actor"):
        if not isinstance(event.setdefault(key, ""), str):
            return None
    if not isinstance(event.setdefault("before", None), dict | None):
        return None
    if not isinstance(event.setdefault("detail", {}), dict):
        return None
    return cast("Event", event)


def _is_object(line: bytes) -> bool:
    try:
        return isinstance(json.loads(line), dict)
    except (ValueError, RecursionError):
        return False


def _repair(descriptor: int, size: int) -> None:
    """Cut off a last line that has no end; complete it if only the end is missing."""
    start, step, parts = size, _FIRST_CHUNK, []
    while start:
        at = max(0, start - step)
        part = _read_at(descriptor, at, start - at)
        cut = part.rfind(b"\n")
        parts.append(part[cut + 1 :])
        start = at + cut + 1
        if cut >= 0:
            break
        step = min(step * 2, _LARGEST_CHUNK)
    if not _is_object(b"".join(reversed(parts))):
        os.ftruncate(descriptor, start)
    else:
        os.lseek(descriptor, 0, os.SEEK_END)
        os.write(descriptor, b"\n")


def _backwards(descriptor: int, size: int) -> Iterator[bytes]:
    """Whole lines from the last to the first, without their ends, holding one line and a chunk."""
    tail: list[bytes] = []  # pieces of the line that is being collected, last piece first
    ended = False  # what stands after the last line end is no line
    at, step = size, _FIRST_CHUNK
    while at:
        count = min(step, at)
        at -= count
        step = min(step * 2, _LARGEST_CHUNK)
        first, *rest = _read_at(descriptor, at, count).split(b"\n")
        for piece in reversed(rest):
            tail.append(piece)
            if ended:
                yield b"".join(reversed(tail))
            tail.clear()
            ended = True
        tail.append(first)
    if ended:
        yield b"".join(reversed(tail))


def _read_at(descriptor: int, offset: int, count: int) -> bytes:
    os.lseek(descriptor, offset, os.SEEK_SET)
    return os.read(descriptor, count)


def _remove(path: str) -> None:
    try:
        os.unlink(path)
    except OSError:
        pass
