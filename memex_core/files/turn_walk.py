"""Going through a stored conversation for the one turn that is wanted: a typed prompt, or words.

Conversations may be hundreds of megabytes: turns are read in windows from where one stands, one turn at
a time is in memory, and whoever waits may stop the walk.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from memex_core.files.layout import Layout
from memex_core.files.opening import regular
from memex_core.files.transcripts import file_of, iter_turns
from memex_core.files.turns import is_header, number_of, parse, text_of
from memex_core.model.prompts import typed

_WINDOW = 256  # turns read at once when walking back; each further window is twice as long
_SPACE = r"\s+"
_PLAIN = re.compile(r"[A-Za-z0-9]+|[^\W\x00-\x7f]+")
_TURN = b', "turn": '
_NUMBER = re.compile(rb"[0-9]{1,9}(?=[,}])")


class Stopped(Exception):
    """The walk was stopped from outside."""


class Said(NamedTuple):
    """A turn that says the words that were looked for; ``words`` as they stand there first."""

    turn: int
    words: str


def is_prompt(record: Mapping[str, Any]) -> bool:
    """Whether a person typed this turn, in this conversation and not to a subagent of it."""
    if record.get("role") != "user" or record.get("trust", "human") != "human":
        return False
    content = record.get("content")
    return (
        isinstance(content, str)
        and not (record.get("sidechain") or record.get("subagent"))
        and bool(typed(content))
    )


def next_prompt(layout: Layout, session: str, after: int, *, stop: Callable[[], bool] = bool) -> int:
    """The number of the first typed prompt after turn ``after``; 0 when there is none. Raises Stopped."""
    for record in _stoppable(iter_turns(layout, session, after + 1), stop):
        if is_prompt(record):
            return int(record["turn"])
    return 0


def previous_prompt(layout: Layout, session: str, before: int, *, stop: Callable[[], bool] = bool) -> int:
    """The number of the last typed prompt before turn ``before``; 0 when there is none. Raises Stopped."""
    size, end = _WINDOW, before - 1
    while end > 0:
        start = max(end - size + 1, 1)
        window = _stoppable(iter_turns(layout, session, start, end), stop)
        prompts = [int(record["turn"]) for record in window if is_prompt(record)]
        if prompts:
            return prompts[-1]
        end, size = start - 1, size * 2
    return 0


class Wanted(NamedTuple):
    """Words that are looked for: ``pattern`` finds them in a turn's text, and the bytes ``part`` (lower
    case) stand in each line of the file that can hold such a turn; empty when nothing is known of that."""

    pattern: re.Pattern[str]
    part: bytes


def wanted(words: str) -> Wanted | None:
    """How ``words`` are found: blanks and line ends count as one, capitals only where there are any; None
    for nothing."""
    parts = words.split()
    if not parts:
        return None
    pattern = re.compile(_SPACE.join(map(re.escape, parts)), 0 if words != words.lower() else re.IGNORECASE)
    # Letters with and without capitals are one only in ASCII, for bytes; others are left out.
    plain = [
        run for part in parts for run in _PLAIN.findall(part) if run.isascii() or run.lower() == run.upper()
    ]
    return Wanted(pattern, max(plain, key=len, default="").lower().encode())


def saying(layout: Layout, session: str, words: Wanted, *, stop: Callable[[], bool] = bool) -> Iterator[Said]:
    """The turns that say the words, in order. Raises Stopped.

    Only lines that may say them are decoded: a large conversation is read nearly as fast as its file.
    """
    try:
        file = open(file_of(layout, session), "rb", opener=regular)  # noqa: SIM115 - closed below, by the generator
    except FileNotFoundError:
        return
    number = 0
    with file:
        for raw in file:
            if stop():
                raise Stopped
            if words.part not in raw.lower() and b"\\u" not in raw and (told := _number_in(raw)):
                number = number_of({"turn": told}, number)
                continue
            record, _ = parse(raw)
            if record is None or is_header(record):
                continue
            number = number_of(record, number)
            found = words.pattern.search(text_of(record))
            if found is not None:
                yield Said(number, found[0])


def _number_in(raw: bytes) -> int:
    """The number of the turn in a line as they are written here; 0 for any other line."""
    at = raw.find(_TURN) if raw.startswith(b'{"role": "') else -1
    told = _NUMBER.match(raw, at + len(_TURN)) if at >= 0 else None
    return int(told[0]) if told is not None else 0


def _stoppable(records: Iterator[dict[str, Any]], stop: Callable[[], bool]) -> Iterator[dict[str, Any]]:
    for record in records:
        if stop():
            raise Stopped
        yield record
