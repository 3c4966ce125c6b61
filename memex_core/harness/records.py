"""Lines of an agent's session file as records, from any byte on, whatever happened to the file.

Killed writers leave cut records, two records on a line, runs of NUL bytes and a last line half
written. What is whole is read, what is not is named, and reading goes on. Lines end at ``\\n`` only.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, NamedTuple, Protocol

CHUNK = 1 << 20
LONGEST = 64 << 20  # bytes of a line that is still read; a longer one is damage, not memory
_TRIES = 200  # places in one damaged line where a record is looked for
_BLANK = "\0 \t\r\n\ufeff"
_DEEP = "nested too deeply"
_START = re.compile(r'\{\s*"')


class Readable(Protocol):
    def read(self, size: int, /) -> bytes: ...


class Record(NamedTuple):
    """One record: where its line begins and ends in the file (bytes), and the line's number from 1.

    The second record on a line has an ``at`` of its own, one more.
    """

    value: dict[str, Any]
    at: int
    end: int
    line: int


class Damage(NamedTuple):
    """A line that could not be read whole; ``message`` says why. ``passing``: it may be yet.

    ``end`` is the byte where the next line begins, 0 when that is not known.
    """

    line: int
    message: str
    passing: bool = False
    end: int = 0


def _whole_number(digits: str) -> int | float:
    try:
        return int(digits)
    except ValueError:  # thousands of digits: Python refuses, and nobody's token count is that large
        return float(digits)


_decode = json.JSONDecoder().raw_decode
_decode_any = json.JSONDecoder(parse_int=_whole_number).raw_decode


def records(
    file: Readable, at: int = 0, line: int = 0, damaged: list[Damage] | None = None
) -> Iterator[Record]:
    """The records of ``file`` from byte ``at``, which follows line ``line``.

    ``file`` stands at ``at`` already: it may be a stream that cannot seek. A last line without its
    end is read when it is a whole object; else it is still being written, and is left for later.
    """
    for raw, start, size, ended in _lines(file, at):
        line += 1
        end = start + size + ended
        if raw is None:
            _note(
                damaged, line, f"a line of {size:,} bytes is too long to be read", end=end, passing=not ended
            )
            continue
        text = raw.decode("utf-8", "replace").strip(_BLANK)
        raw = None  # a line may be many megabytes: it is not kept beside its text, nor this beside its record
        if not text:
            continue
        try:
            value, stop = _decode(text)
        except (ValueError, RecursionError):
            value, stop = _decoded_whole(text)
        if stop == len(text):
            text = ""
            if isinstance(value, dict):
                yield Record(value, start, end, line)
            else:
                _note(damaged, line, "no JSON object", end=end)
        elif ended:
            for place, value in enumerate(_rescued(text, line, end, damaged)):
                yield Record(value, start + place, end, line)
        else:
            _note(damaged, line, "not finished yet; it is read when it is", passing=True)


def _decoded_whole(text: str) -> tuple[Any, int]:
    """A line that is whole but for numbers of thousands of digits; a stop of -1 when it is not."""
    try:
        return _decode_any(text)
    except (ValueError, RecursionError):
        return None, -1


def _lines(file: Readable, at: int) -> Iterator[tuple[bytes | None, int, int, bool]]:
    """Each line without its end (None when it is too long), where it begins, its size, whether it ends."""
    rest: list[bytes] = []
    held = 0
    while chunk := file.read(CHUNK):
        first, *more = chunk.split(b"\n")
        if held <= LONGEST:
            rest.append(first)
        held += len(first)
        for part in more:
            rest[:] = [b"".join(rest)] if held <= LONGEST else []
            yield rest.pop() if rest else None, at, held, True
            at += held + 1
            rest, held = [part], len(part)
    if held:
        yield b"".join(rest) if held <= LONGEST else None, at, held, False


def _rescued(text: str, line: int, end: int, damaged: list[Damage] | None) -> Iterator[dict[str, Any]]:
    """The whole records of a damaged line.

    A record is taken where an object begins that is followed by another one or by the end of the
    line: what lies inside a cut record is followed by its own punctuation.
    """
    found: list[dict[str, Any]] = []
    problem = ""
    place = 0
    for _ in range(_TRIES):
        start = _START.search(text, place)
        if start is None or problem == _DEEP:
            problem = problem or ("something that is no record" if text[place:].strip(_BLANK) else "")
            break
        if text[place : start.start()].strip(_BLANK):
            problem = problem or "a damaged record"
        try:
            value, stop = _decode_any(text, start.start())
        except RecursionError:
            problem = _DEEP
            continue
        except ValueError:
            problem, place = problem or "a damaged record", start.end()
            continue
        behind = text[stop : stop + 4096].lstrip(_BLANK)
        if isinstance(value, dict) and behind[:1] in ("", "{"):
            found.append(value)
            place = stop
        else:
            place = start.end()
        if not text[place:].strip(_BLANK):
            break
    if problem:
        told = f"; {len(found)} on the same line read" if found else ""
        _note(damaged, line, problem + told, end=end)
    yield from found


def _note(
    damaged: list[Damage] | None, line: int, message: str, *, passing: bool = False, end: int = 0
) -> None:
    if damaged is not None:
        damaged.append(Damage(line, message, passing, end))
