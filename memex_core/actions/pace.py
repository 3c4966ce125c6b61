"""How often the folder is compared with the index by a program that asks again and again."""

from __future__ import annotations

from time import monotonic

ALWAYS_UP_TO = 500
"""Pages up to which every operation looks at all files first: that takes a millisecond or two."""

REST = 20  # in larger stores looks may take a twentieth of the time, so that not one of 100 questions waits

PATIENCE = 2.0
"""Seconds after a look for which an edit needs no other: it reads the file of its page and tells by that
whether it was edited outside; of the others it needs the names. So few of many edits wait for a look."""

MOMENT = 1.0
"""Seconds after a look for which its answer counts as one of now: whoever asks twice in that time is told
the same, as if both had been asked at once."""


class Pace:
    """Of the last look: when it ended, the seconds it took, and the pages there were."""

    __slots__ = ("ended", "pages", "took")

    def __init__(self) -> None:
        self.ended, self.took, self.pages = 0.0, 0.0, 0

    def looked(self, begun: float, pages: int) -> None:
        self.ended = monotonic()
        self.took, self.pages = self.ended - begun, pages

    @property
    def past(self) -> bool:
        """Whether the last look is more than a moment ago."""
        return monotonic() - self.ended > MOMENT

    def due(self, *, patient: bool = False) -> bool:
        """Whether it is time to look again, for a ``patient`` caller not before :data:`PATIENCE` is over."""
        rest = max(REST * self.took, PATIENCE if patient else 0.0)
        return self.pages <= ALWAYS_UP_TO or monotonic() - self.ended >= rest
