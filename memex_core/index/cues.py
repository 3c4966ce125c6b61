"""Small signs in a turn that tell what kind of question it could answer.

Computed once, when a row is indexed, and kept as bits. Language tables: English, and neutral
elsewhere (no sign is found, nothing is lost); question marks of other scripts count everywhere.
"""

from __future__ import annotations

import re
from functools import cache

QUESTION, TIME, NUMBER, PLACE, FIRST_PERSON = 1, 2, 4, 8, 16
"""Ends with a question mark, tells a time, a number, a place, speaks of oneself."""


@cache
def _patterns() -> tuple[tuple[int, re.Pattern[str]], ...]:
    months = (
        "january|february|april|june|july|august|september|october|november|december"
        "|jan|feb|mar|apr|jun|jul|aug|sept|sep|oct|nov|dec"
    )
    units = r"(?:days?|nights?|weeks?|weekends?|months?|years?)"
    time = (
        rf"\b(?:{months}|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|today|tonight|yesterday|tomorrow"
        rf"|(?:last|next|this|past|few|couple of)\s+(?:\w+\s+)?(?:{units}"
        rf"|morning|afternoon|evening|spring|summer|autumn|fall|winter)|{units}\s+ago"
        r"|since|recently|in\s+may|may\s+\d+|(?:19|20)\d\d|\d{1,2}:\d\d|\d{1,2}\s*(?:am|pm))\b"
    )
    number = (
        r"\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty"
        r"|hundred|thousand|million|once|twice|dozen|half|couple)\b"
    )
    return (
        (TIME, re.compile(time, re.IGNORECASE)),
        (NUMBER, re.compile(number, re.IGNORECASE)),
        (PLACE, re.compile(r"\b(?:in|at|to|from|near|around|visited|toward)\s+(?:the\s+|my\s+)?[A-Z][a-z]+")),
        (FIRST_PERSON, re.compile(r"\b(?:i|my|mine|me|we|our|us)\b", re.IGNORECASE)),
    )


def row_cues(text: str) -> int:
    """The bits of one row's text."""
    bits = QUESTION if text.rstrip().endswith(("?", "？", "؟")) else 0
    for bit, pattern in _patterns():
        if pattern.search(text):
            bits |= bit
    return bits
