"""From a transcript or a diary day to rows: the pieces of text that are searched as one.

A turn is one row; a long one is several, cut between words, each with the end of the piece before
it so that a phrase across the cut is found. So no text is too long to be found, and a tool's output
of a megabyte weighs no more in ranking than any other piece of its length.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from typing import Any, BinaryIO, NamedTuple

from memex_core.files import diary
from memex_core.files.turns import Line, is_header, number_of, read_lines, sound, text_of
from memex_core.index.analyse import Analyser
from memex_core.index.cues import row_cues
from memex_core.model import clock
from memex_core.model.prompts import one_line, typed

PIECE = 2_000  # characters of text in a row, at most
OVERLAP = 100  # characters of the piece before that are repeated
AT_ONCE = 1 << 20  # bytes of a transcript that are read whatever time it is

Row = tuple[int, str, str, str, str, int, int, int, int, int, int, str, str]
"""turn, role, speaker, date, time, flags, length in tokens, at, size, start, end, body, whole.

``at`` and ``size`` are the bytes of the line or section in the file, ``start`` and ``end`` the
piece's characters in the text of it.
"""


class Reader:
    """Reads the rows of one document and notes what is said of the document as a whole.

    ``started`` dates turns that have no time. ``done`` is the byte after the last line that was read,
    ``turn`` its number, ``people`` the speakers met in this reading, ``stopped`` whether time was up before
    the end.
    """

    __slots__ = (
        "agent",
        "analyser",
        "damaged",
        "date",
        "done",
        "first",
        "last",
        "people",
        "prompt",
        "stopped",
        "turn",
    )

    def __init__(self, analyser: Analyser, started: str = "") -> None:
        self.analyser = analyser
        self.turn = 0
        self.date = clock.normal(started)[:10]
        self.done = 0
        self.damaged = 0
        self.first = ""
        self.last = ""
        self.prompt = ""
        self.agent = ""
        self.people: set[str] = set()
        self.stopped = False
        if self.date:
            self._dated(clock.normal(started))

    def resume(self, noted: Mapping[str, Any]) -> None:
        """Go on where an earlier reading ended; ``noted`` is the document's row of the index."""
        for name in ("turn", "date", "done", "damaged", "first", "last", "prompt", "agent"):
            setattr(self, name, noted[name])

    def transcript(self, file: BinaryIO, at: int = 0, until: float | None = None) -> Iterator[Row]:
        """The rows of the turns from byte ``at`` on, up to the time ``until`` of the monotonic clock. A last
        line still being written is left alone."""
        for line in read_lines(file, at):
            if line.record is None and not line.ended:
                return
            if until is not None and self.done - at > AT_ONCE and time.monotonic() > until:
                self.stopped = True
                return
            self.done = line.at + line.size + line.ended
            if line.record is None:
                self.damaged += 1
            elif is_header(line.record):
                self.agent = self.agent or _text(line.record.get("harness"))
                started = clock.normal(_text(line.record.get("started_at")))
                if started and not self.date:
                    self.date = started[:10]
                    self._dated(started)
            else:
                yield from self._turn(line, line.record)

    def _turn(self, line: Line, record: dict[str, Any]) -> Iterator[Row]:
        self.turn = number_of(record, self.turn)
        stamp = clock.normal(_text(record.get("ts")))
        if stamp:
            self.date = stamp[:10]
            self._dated(stamp)
        role, speaker = str(record["role"]), sound(_text(record.get("name")))
        if speaker:
            self.people.add(speaker)
        text = sound(text_of(record))
        if not self.prompt and role == "user":
            self.prompt = one_line(typed(text))
        for start, end in pieces(text):
            yield self._row(self.turn, role, speaker, stamp[11:16], line.at, line.size, text, start, end)

    def diary(self, data: bytes, day: str) -> Iterator[Row]:
        """The rows of a day: its entries numbered from 1, 0 being the text above the first."""
        self.date = day
        self.done = len(data)
        for entry in diary.entries(data, day):
            if entry.time:
                self.turn += 1
            self._dated(f"{day}T{entry.time}" if entry.time else day)
            if entry.owner:
                self.people.add(entry.owner)
            text = diary.text_of(entry)
            self.prompt = self.prompt or one_line(text)
            turn = self.turn if entry.time else 0
            for start, end in pieces(text):
                yield self._row(turn, "", entry.owner, entry.time, entry.at, entry.size, text, start, end)

    def _dated(self, stamp: str) -> None:
        self.first = min(self.first or stamp, stamp)
        self.last = max(self.last, stamp)

    def _row(
        self,
        turn: int,
        role: str,
        speaker: str,
        time: str,
        at: int,
        size: int,
        text: str,
        start: int,
        end: int,
    ) -> Row:
        piece = text[start:end]
        body, whole = self.analyser.fields(piece)
        length = body.count(" ") + 1 if body else 0
        return (
            turn,
            role,
            speaker,
            self.date,
            time,
            row_cues(piece),
            length,
            at,
            size,
            start,
            end,
            body,
            whole,
        )


class Piece(NamedTuple):
    """Characters ``start`` to ``end`` of a text."""

    start: int
    end: int


def pieces(text: str) -> Iterator[Piece]:
    """The pieces of a text, one for most; an empty text is one empty piece."""
    start = 0
    while len(text) - start > PIECE:
        end = _cut(text, start + PIECE // 2, start + PIECE)
        yield Piece(start, end)
        start = _word_start(text, end - OVERLAP, end)
    yield Piece(start, len(text))


def _cut(text: str, low: int, high: int) -> int:
    """The best place in ``text[low:high]`` to cut: after a line, else after a word, else at the end."""
    for mark in ("\n", " "):
        at = text.rfind(mark, low, high)
        if at >= 0:
            return at + 1
    return high


def _word_start(text: str, low: int, high: int) -> int:
    for at in range(low, high):
        if text[at - 1].isspace():
            return at
    return low


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""
