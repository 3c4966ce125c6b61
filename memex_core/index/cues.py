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
_MAYBE_TIME = frozenset("last next this past few couple ago may".split())
_NUMBERS = frozenset(
    """one two three four five six seven eight nine ten eleven twelve twenty thirty forty fifty hundred
    thousand million once twice dozen half couple""".split()
)
_ONESELF = frozenset("i my mine me we our us".split())


class _Patterns(NamedTuple):
    word: re.Pattern[str]
    digit: re.Pattern[str]
    time: re.Pattern[str]
    place: re.Pattern[str]


@cache
def _patterns() -> _Patterns:
    units = r"(?:days?|nights?|weeks?|weekends?|months?|years?)"
    time = (
        rf"\b(?:(?:last|next|this|past|few|couple of)\s+(?:\w+\s+)?(?:{units}"
        rf"|morning|afternoon|evening|spring|summer|autumn|fall|winter)|{units}\s+ago"
        r"|in\s+may|may\s+\d+|(?:19|20)\d\d|\d{1,2}:\d\d|\d{1,2}\s*(?:am|pm))\b"
    )
    # No word boundary in front: without one the engine skips to the first letters of these words.
    place = r"(?:in|at|to|from|near|around|visited|toward)\s+(?:the\s+|my\s+)?[A-Z][a-z]+"
    return _Patterns(re.compile(r"\w+"), re.compile(r"\d"), re.compile(time), re.compile(place))


def row_cues(text: str) -> int:
    """The bits of one row's text."""
    patterns = _patterns()
    lowered = text.lower()
    # Most is told by single words. One look at each is ten times as fast as patterns of alternatives.
    words = set(patterns.word.findall(lowered))
    digit = patterns.digit.search(text) is not None
    bits = QUESTION if text.rstrip().endswith(("?", "？", "؟")) else 0
    if not words.isdisjoint(_OF_TIME) or (
        (digit or not words.isdisjoint(_MAYBE_TIME)) and patterns.time.search(lowered)
    ):
        bits |= TIME
    if digit or not words.isdisjoint(_NUMBERS):
        bits |= NUMBER
    if any(_begins_word(text, found.start()) for found in patterns.place.finditer(text)):
        bits |= PLACE
    if not words.isdisjoint(_ONESELF):
        bits |= FIRST_PERSON
    return bits


def _begins_word(text: str, at: int) -> bool:
    return at == 0 or not (text[at - 1].isalnum() or text[at - 1] == "_")
