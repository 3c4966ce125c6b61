"""What a language brings to the reading of time: its phrases, and what before or behind one changes it."""

# No postponed annotations here: they make each named tuple's fields a compilation at start-up.

import re
from collections.abc import Callable, Mapping
from datetime import date
from typing import NamedTuple

from memex_core.model.dates.days import Days

NEVER = re.compile(r"(?!)")


class Grammar(NamedTuple):
    """``read`` gives the days that a match of ``phrase`` means, None or ValueError when there are none.

    The other patterns are tried on the text around a phrase: ``until_*`` make it say no stretch of days
    (``before yesterday``), either of ``since_*`` makes it last until today. ``joined`` is all that stands
    between the two ends of a range; where it has a group, that is an *and*, which needs ``opened`` before the
    first end unless the two touch. ``tail`` is a second end said in short (:mod:`time_tail`), its days named
    by ``weekdays`` (Monday is 0). ``particle`` is what clings to a
    phrase and says nothing by itself. ``cased``: a capital within a sentence makes it a name.
    """

    phrase: re.Pattern[str]
    read: Callable[["re.Match[str]", date], Days | None]
    joined: re.Pattern[str]
    opened: re.Pattern[str] = NEVER
    until_before: re.Pattern[str] = NEVER
    until_behind: re.Pattern[str] = NEVER
    since_before: re.Pattern[str] = NEVER
    since_behind: re.Pattern[str] = NEVER
    tail: re.Pattern[str] = NEVER
    weekdays: Mapping[str, int] = {}
    particle: re.Pattern[str] = NEVER
    cased: bool = False
