"""A text that is a time and nothing else: what is typed where a time is asked for.

Here more is understood than within a question (:mod:`.parse`), since nothing else can be
meant: ``7d``, ``May 2023``, ``tuesday``, ``2023``.
"""

# No postponed annotations here: they make each named tuple's fields a compilation at start-up.

import re
from datetime import date, datetime, timedelta

from memex_core.model import clock
from memex_core.model.dates.days import UNITS, Days, day_of_year, latest, one, until_today, whole
from memex_core.model.dates.english import WEEKDAYS
from memex_core.model.dates.named import MONTHS, NamedDate, named_dates
from memex_core.model.dates.parse import parse_time_range
from memex_core.model.errors import BadInput

_BACK = re.compile(r"(\d{1,4})\s*(d|w|mo?|y)")
_SHORT_DAY = re.compile(r"\b(?:mon|tue|wed|thu|fri|sat|sun)\b")
_SHORT = {unit[0]: unit for unit in UNITS}
_GERMAN_DATE = re.compile(r"(\d{1,2})\.\s?(\d{1,2})\.\s?((?:19|20)\d\d)")
_LEADING = re.compile(r"(?:(?:on|in|during|at|from|of|am|im|the)\s+)+")
_SINCE = re.compile(r"(?:since|seit(?:\s+de[mr])?)\s+(.+)", re.IGNORECASE)
_RANGE = re.compile(r"\s*\.\.\s*|\s+(?:to|until|bis)\s+|\s*(?:到|至)\s*")


def parse_when(text: str, now: datetime) -> Days | None:
    """The days that ``text`` means, None when it is no time. ``now`` is the person's own clock.

    All of :func:`parse_time_range`; ``2023``, ``2023-05``, ``May 2023``, ``7 May`` (the last one), ``June``,
    ``7.5.2023``, ``tuesday`` (the last one, or today); ``7d`` ``2w`` ``3m`` ``3mo`` ``1y`` (since then
    until today), ``A..B`` of these, ``A..`` and ``since A``
    until today.
    """
    value = " ".join(text.replace("_", " ").split())
    try:
        return _since(value, now) or _between(value, now) or _one(value, now)
    except (ValueError, OverflowError):
        return None


def asked(text: str, now: datetime) -> Days:
    """The same; BadInput when it is no time."""
    days = parse_when(text, now)
    if days is None:
        raise BadInput(
            f"{text!r} is no time",
            hint="write yesterday, last week, 7d, 2026-11, 2026-11-30 or 2026-11-01..2026-11-07",
        )
    return days


def first_moment(text: str, now: datetime) -> str | None:
    """Where the time that ``text`` means begins: ``YYYY-MM-DD``, a stamp for an ISO time."""
    stripped = text.strip()
    if len(stripped) > 10 and (at := clock.parse(stripped)):
        return clock.stamp(at)
    days = parse_when(stripped, now)
    return days.start.isoformat() if days else None


def _since(value: str, now: datetime) -> Days | None:
    found = _SINCE.fullmatch(value)
    days = _one(found[1], now) if found else None
    return _between(f"{days.start}..", now) if days and days.start <= now.date() else None


def _between(value: str, now: datetime) -> Days | None:
    ends = _RANGE.split(value)
    if len(ends) != 2 or not any(ends):
        return None
    first = _one(ends[0], now) if ends[0] else Days(date.min, date.min)
    last = _one(ends[1], now) if ends[1] else one(now.date())
    if not first or not last:
        return None
    first, last = sorted((first, last))
    return Days(first.start, max(first.end, last.end))


def _one(value: str, now: datetime) -> Days | None:
    today = now.date()
    if len(value) > 10 and (at := clock.parse(value)):
        return one(at.astimezone(now.tzinfo).date())
    value = _SHORT_DAY.sub(
        lambda found: next(day for day in WEEKDAYS if day.startswith(found[0])), value.lower()
    )
    value = _LEADING.sub("", value)
    if value == "now":
        return one(today)
    if back := _BACK.fullmatch(value):
        return until_today(today, int(back[1]), _SHORT[back[2][0]])
    for spelt in (value, f"the {value}", value.replace("-", " ")):  # "last 7 days" is said with "the"
        found = parse_time_range(spelt, now)
        if found and len(found.spans) == 1 and found.words == spelt.strip(" .,;:!?"):
            return Days(found.start, found.end)
    if digits := _GERMAN_DATE.fullmatch(value):
        return one(date(int(digits[3]), int(digits[2]), int(digits[1])))
    words = value.replace(",", " ").replace(".", " ").split()
    if len(words) == 1 and (weekday := _weekday(words[0], today)):
        return weekday
    named = named_dates(f"in {value}")
    alone = all(word in MONTHS or word in ("of", "the") or word[0].isdigit() for word in words)
    return _calendar(named[0], today) if len(named) == 1 and alone else None


def _weekday(word: str, today: date) -> Days | None:
    """The last day of that name, today included."""
    return latest(today + timedelta(1), WEEKDAYS.index(word)) if word in WEEKDAYS else None


def _calendar(named: NamedDate, today: date) -> Days:
    """A date said in part: without a year the last one that has begun."""
    year, month, day = named
    if month is None:
        return whole(date(year or today.year, 1, 1), 0, "year")
    if day is not None:
        return day_of_year(today, year or 0, month, day)
    start = date(year or today.year, month, 1)
    return whole(start if year or start <= today else start.replace(year=start.year - 1), 0, "month")
