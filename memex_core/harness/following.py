"""From an agent's session file to a stored conversation, as far as the file has grown.

The one place that knows of offsets: it reads on from where the last capture ended, begins at the top
when the file is another one or only the whole explains what was met, and writes in portions, each of
which is complete by itself, so that a capture broken off goes on from its last portion.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable
from typing import Any, NamedTuple

from memex_core.files import capturing, transcripts
from memex_core.files.capturing import Overtaken
from memex_core.files.layout import Layout
from memex_core.files.opening import regular
from memex_core.files.scrubbing import Scrubber
from memex_core.files.turns import is_header, read_lines
from memex_core.harness.opening import Bytes, opened
from memex_core.harness.records import Damage, records
from memex_core.harness.talk import Rewound, Talk
from memex_core.model.errors import Locked, Unreachable
from memex_core.model.exclusion import BY_USER, Excluded, marked

PORTION = 4 << 20  # bytes of the source that are read before turns are written
_ATTEMPTS = 8
_PAUSE = 0.05  # seconds before the second attempt, doubled for each later one
_ODD = (TypeError, KeyError, AttributeError, ValueError, IndexError, RecursionError)

Progress = Callable[[int, int], None]


class Followed(NamedTuple):
    """What a capture of one session brought. ``unchanged``: the file is as it was, nothing was read."""

    turns: int
    new: int
    damaged: list[Damage]
    unchanged: bool
    talk: Talk


def follow(
    layout: Layout,
    path: str,
    begin: Callable[[], Talk],
    *,
    scrubber: Scrubber,
    dry_run: bool = False,
    progress: Progress | None = None,
) -> Followed:
    """Capture the session in the file ``path``; ``begin`` makes a reader that has read nothing yet.

    ``progress`` is called with bytes read and bytes in all. Raises Unreachable when the file cannot be
    read, Excluded for a conversation that is not to be kept, and Locked when other processes capture
    the same session all the time.
    """
    whole = False
    for attempt in range(_ATTEMPTS):
        work = _Following(layout, path, begin(), scrubber, dry_run, progress)
        try:
            return work.run(whole)
        except Rewound:
            whole = True
        except Overtaken:  # let the other one get on
            time.sleep(_PAUSE * 2**attempt)
        except OSError as error:
            raise Unreachable(f"{path} cannot be read: {(error.strerror or 'error').lower()}") from error
    raise Locked(f"{path} is being captured by others", hint="try again in a moment")


def keep(layout: Layout, path: str, talk: Talk, *, scrubber: Scrubber, dry_run: bool = False) -> Followed:
    """Store a conversation that was read at once. What is stored of it stays; what is new is added."""
    return _Following(layout, path, talk, scrubber, dry_run, None).keep()


class _Following:
    def __init__(
        self,
        layout: Layout,
        path: str,
        talk: Talk,
        scrubber: Scrubber,
        dry_run: bool,
        progress: Progress | None,
    ) -> None:
        self.layout = layout
        self.path = path
        self.talk = talk
        self.scrubber = scrubber
        self.dry_run = dry_run
        self.progress = progress
        self.meta = transcripts.read_meta(layout, talk.session_id)
        self.seen = capturing.source_of(self.meta)
        self.damaged: list[Damage] = []
        self.new = 0
        self.since = 0
        self.at_once = False
        self.known: set[str] | None = None  # ids stored already, when a file is read again from the top
        self.file: Bytes

    def run(self, whole: bool) -> Followed:
        at = os.stat(self.path)
        there = transcripts.exists(self.layout, self.talk.session_id)
        same = (os.path.abspath(self.path), at.st_size, at.st_mtime_ns)
        if there and not whole and same == tuple(self.seen.get(key) for key in ("path", "size", "mtime")):
            return Followed(int(self.meta.get("turn_count") or 0), 0, [], True, self.talk)
        self.source: dict[str, Any] = dict(zip(("path", "size", "mtime"), same, strict=True))
        place = None if whole else capturing.position(self.layout, self.talk.session_id)
        start = (0, 0)
        if place is not None and place.offset:
            with opened(self.path) as raw:
                self.file = Bytes(raw)
                if self.file.go_to(place.offset, str(self.seen.get("tail"))):
                    self._go_on(place)
                    return self._read(place.offset, place.line)
        if there and not self.talk.at_large:
            if place is None or place.offset:
                self._again(os.stat(transcripts.file_of(self.layout, self.talk.session_id)).st_size)
            elif place.stored:  # an earlier reading from the top is not settled yet
                self._again(place.stored)
        with opened(self.path) as raw:
            self.file = Bytes(raw)
            return self._read(*start)

    def keep(self) -> Followed:
        self.at_once = True
        at = os.stat(self.path)
        self.source = {"path": os.path.abspath(self.path), "size": at.st_size, "mtime": at.st_mtime_ns}
        return Followed(self._write(0, 0), self.new, [], False, self.talk)

    def _go_on(self, place: capturing.Position) -> None:
        """Read on from where the last capture ended."""
        self.since = place.stored
        memo = place.memo
        if memo.get("again"):
            self._know(place.stored)
        self.talk.restore(memo)
        stored: set[str] | None = None

        def earlier(xid: str) -> bool:
            nonlocal stored
            if stored is None:
                stored = set(capturing.xids(self.layout, self.talk.session_id, place.stored))
            return xid in stored

        self.talk.earlier = earlier

    def _again(self, end: int) -> None:
        """Read a session from the top that is stored up to byte ``end``: what is there stays."""
        self.since = end
        self._know(end)
        self.talk.memo["again"] = True

    def _know(self, end: int) -> None:
        self.known = set()
        with open(transcripts.file_of(self.layout, self.talk.session_id), "rb", opener=regular) as file:
            for line in read_lines(file):
                if line.at >= end:
                    break
                if line.record is not None and not is_header(line.record):
                    self.known.add(str(line.record.get("xid")))
                    self.known.add(_said(line.record))

    def _read(self, at: int, line: int) -> Followed:
        talk = self.talk
        done, done_line, written = at, line, at
        for record in records(self.file, at, line, self.damaged):
            if done - written >= PORTION and record.at >= done and talk.closed:
                self._write(done, done_line, last=False)
                written = done
                if self.progress is not None:
                    self.progress(done, int(self.source["size"]))
            if marked(record.value):
                raise Excluded(BY_USER)
            try:
                talk.feed(record.value, record.at)
            except _ODD as error:
                self.damaged.append(Damage(record.line, f"a record of an unknown shape ({error})"))
            done, done_line = record.end, record.line
        for damage in self.damaged:  # a line that will never be read is not met again
            if damage.end > done and not damage.passing:
                done, done_line = damage.end, damage.line
        talk.finish()
        talk.memo["skipped"] = talk.memo.get("skipped", 0) + sum(not one.passing for one in self.damaged)
        count = self._write(done, done_line)
        if self.progress is not None:
            self.progress(int(self.source["size"]), int(self.source["size"]))
        return Followed(count, self.new, self.damaged, False, talk)

    def _write(self, offset: int, line: int, *, last: bool = True) -> int:
        """Write what was read; returns how many turns the session has now.

        Only the ``last`` portion notes what the file is: until then it counts as not captured.
        """
        talk = self.talk
        talk.admit(talk)
        turns = talk.take()
        if self.known is not None:
            turns = [t for t in turns if t["xid"] not in self.known and _said(t) not in self.known]
        if not turns and not transcripts.exists(self.layout, talk.session_id):
            return 0
        settled = talk.closed and not self.at_once
        memo = talk.remember() if settled else {}
        tail = self.file.before(offset) if settled else ""
        given = talk.meta()
        source = self.source if last else {"path": self.source["path"], "size": 0, "mtime": 0}
        given["source"] = {**source, "offset": offset, "line": line, "tail": tail, "memo": memo}
        done = capturing.store(
            self.layout,
            talk.session_id,
            turns,
            given,
            since=self.since,
            seen=self.seen,
            scrubber=self.scrubber,
            settled=settled,
            dry_run=self.dry_run,
        )
        self.new += done.new
        self.since, self.seen = done.end, done.source
        if self.dry_run:
            self.since = _PAST_ALL
            return int(self.meta.get("turn_count") or 0) + self.new
        return done.turns


_PAST_ALL = 1 << 62


def _said(turn: dict[str, Any]) -> str:
    """What a turn without its id is known by, where a file was rewritten with other ids."""
    parts = [turn.get(key) or "" for key in ("role", "ts", "content", "tool_name", "query")]
    return json.dumps(parts)
