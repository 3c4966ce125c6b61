"""What a rule of the gate may recognise, and what a rule is.

A rule is asked in two steps: is one of its needles in the text, which costs next to nothing, and only
then its expression, which is compiled when first needed. Few prompts compile more than three.
"""

from __future__ import annotations

import re

INTENTS = {
    "memory": "asks for something remembered",
    "trace": "asks why, since when or from whom",
    "impact": "decides or changes something large",
    "ack": "only acknowledges",
    "continue": "only says to go on",
    "correction": "begins like a small correction",
}
"""Intent -> what a prompt of it does."""

LEXICONS = ("ack", "continue", "filler")
"""Lists of words: a prompt made of nothing else is an acknowledgement or a continuation."""

FAR = 4_000
"""Characters of a prompt that are looked at."""


class Rule:
    """A built-in rule on the folded text (lower case, NFKC). An empty ``source``: a needle is enough."""

    __slots__ = ("_compiled", "id", "intent", "needles", "source")

    def __init__(self, id: str, needles: str, source: str = "") -> None:
        """``needles`` are separated by ``|``; the intent is the first part of ``id``."""
        self.id = id
        self.intent = id.partition(".")[0]
        self.needles = tuple(needles.split("|"))
        self.source = source
        self._compiled: re.Pattern[str] | None = None

    def fires(self, folded: str) -> bool:
        if not any(needle in folded for needle in self.needles):
            return False
        if not self.source:
            return True
        if self._compiled is None:
            self._compiled = re.compile(self.source)
        return self._compiled.search(folded) is not None
