"""Small signs in a turn that tell what kind of question it could answer.

Computed once, when a row is indexed, and kept as bits. Language tables: English, and neutral
elsewhere (no sign is found, nothing is lost); question marks of other scripts count everywhere.
"""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

QUESTION, TIME, NUMBER, PLACE, FIRST_PERSON = 1, 2, 4, 8, 16
"""Ends with a question mark, tells a time, a number, a place, speaks of oneself."""

_OF_TIME = frozenset(
    """january february april june july august september october november december jan feb mar apr jun jul
    aug sept sep oct nov dec monday tuesday wednesday thursday friday saturday sunday mondays tuesdays
    wednesdays thursdays fridays saturdays sundays today tonight yesterday tomorrow since recently""".split()
)
_MAYBE_TIME = frozenset("last next this past few couple ago".split())
_STRETCHES = frozenset(
    """day days night nights week weeks weekend weekends month months year years
    morning afternoon evening spring summer autumn fall winter""".split()
)
_NUMBERS = frozenset(
    """one two three four five six seven eight nine ten eleven twelve twenty thirty forty fifty hundred
    thousand million once twice dozen half couple""".split()
)
_ONESELF = frozenset("i my mine me we our us".split())
_TO_PLACES = frozenset("in at to from near around visited toward".split())

_LETTERS = bytes(code if chr(code).isalnum() or code == 95 else 32 for code in range(128)) + b" " * 128
_NO_DIGITS = bytes(code for code in range(256) if not 48 <= code <= 57)


class _Patterns(NamedTuple):
    word: re.Pattern[str]
    digit: re.Pattern[str]
    stretch: re.Pattern[str]
    time: re.Pattern[str]
    name: re.Pattern[str]
    leading: re.Pattern[str]


@cache
def _patterns() -> _Patterns:
    units = r"(?:days?|nights?|weeks?|weekends?|months?|years?)"
    stretch = (
        rf"\b(?:(?:last|next|this|past|few|couple of)\s+(?:\w+\s+)?(?:{units}"
        rf"|morning|afternoon|evening|spring|summer|autumn|fall|winter)|{units}\s+ago"
        r"|in\s+may|may\s+\d+)\b"
    )
    # It begins with what it begins with, not with a boundary: so the engine skips to the digits.
    time = r"\d(?<!\w\d)(?:(?<=1)9\d\d|(?<=2)0\d\d|\d?(?::\d\d|\s*(?:am|pm)))\b"
    return _Patterns(
        re.compile(r"\w+"),
        re.compile(r"\d"),
        re.compile(stretch),
        re.compile(time),
        re.compile(r"\s[A-Z][a-z]"),
        re.compile(rf".*?\b(?:{'|'.join(_TO_PLACES)})\Z", re.DOTALL),
    )


def row_cues(text: str) -> int:
    """The bits of one row's text."""
    patterns = _patterns()
    lowered = text.lower()
    # Most is told by single words. One look at each is ten times as fast as patterns of alternatives, and
    # bytes are cut into words four times as fast as text is searched for them.
    if text.isascii():
        data = lowered.encode()
        words = set(data.translate(_LETTERS).decode().split())
        digit = bool(data.translate(None, _NO_DIGITS))
    else:
        words = set(patterns.word.findall(lowered))
        digit = patterns.digit.search(text) is not None
    bits = QUESTION if text.rstrip().endswith(("?", "？", "؟")) else 0
    if (
        not words.isdisjoint(_OF_TIME)
        or (digit and patterns.time.search(lowered))
        or (
            ("may" in words or not (words.isdisjoint(_MAYBE_TIME) or words.isdisjoint(_STRETCHES)))
            and patterns.stretch.search(lowered)
        )
    ):
        bits |= TIME
    if digit or not words.isdisjoint(_NUMBERS):
        bits |= NUMBER
    if not words.isdisjoint(_TO_PLACES) and text != lowered and _names_place(text, patterns):
        bits |= PLACE
    if not words.isdisjoint(_ONESELF):
        bits |= FIRST_PERSON
    return bits


def _names_place(text: str, patterns: _Patterns) -> bool:
    """Whether a name comes after one of :data:`_TO_PLACES`, or after that and ``the`` or ``my``."""
    for found in patterns.name.finditer(text):
        before = text[: found.start()].rsplit(None, 2)
        if len(before) > 1 and before[-1] in ("the", "my"):
            before.pop()
        if before and patterns.leading.match(before[-1]):
            return True
    return False
