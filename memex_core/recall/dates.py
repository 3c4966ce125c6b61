"""Days and months as people name them, and the small signs that tell what an answer looks like.

Language tables: English, and neutral elsewhere (no cue is found, nothing is lost).
"""

# No postponed annotations here: they make each named tuple's fields a compilation at start-up.

import re
from datetime import date, timedelta
from typing import NamedTuple

from memex_core.index.cues import NUMBER, PLACE, TIME
from memex_core.model import clock

_MONTH_NAMES = """
    january jan; february feb; march mar; april apr; may; june jun; july jul; august aug;
    september sept sep; october oct; november nov; december dec
"""
MONTHS = {name: number for number, names in enumerate(_MONTH_NAMES.split(";"), 1) for name in names.split()}
"""Name or abbreviation -> 1 to 12."""
_ALSO_VERBS = frozenset(("may", "march"))
_PREPOSITIONS = "in of during on since until till by before after early late mid last this next from around"
_BEFORE_MONTH = frozenset(_PREPOSITIONS.split())
_PUNCTUATION = ".,;:!?()[]\"'“”‘’"
_TO_HYPHEN = str.maketrans("/", "-")

NamedDate = tuple[int | None, int | None, int | None]
"""(year, month, day), None where the text does not say."""


def named_dates(question: str) -> list[NamedDate]:
    """The dates a question names, in order: ``on 7 May``, ``May 2023``, ``in 2022``, ``2023-05-07``.

    ``may`` and ``march`` count only where they must be months: after ``in``, ``of``, ``during`` … or
    beside a day or a year.
    """
    words = [word.strip(_PUNCTUATION) for word in question.split()]
    found: list[NamedDate] = []
    i = 0
    while i < len(words):
        lower = words[i].lower()
        if lower in MONTHS:
            when, i = _around_month(words, i, found)
            if when:
                found.append(when)
            continue
        numeric = _numeric_date(words[i])
        if numeric:
            found.append(numeric)
        i += 1
    return list(dict.fromkeys(found))


def _around_month(words: list[str], i: int, found: list[NamedDate]) -> tuple[NamedDate | None, int]:
    """The date whose month stands at ``i``, and where to go on reading."""
    name = words[i].lower()
    before = words[i - 1].lower() if i else ""
    day = _day(before)
    if day is None and before == "of" and i > 1:
        day = _day(words[i - 2].lower())
    after = i + 1
    if day is None and after < len(words) and (day := _day(words[after].lower())) is not None:
        after += 1
    year = _year(words[after]) if after < len(words) else None
    if year is not None:
        after += 1
    elif before and _year(before) is not None and found and found[-1] == (_year(before), None, None):
        year = _year(before)
        found.pop()
    if name in _ALSO_VERBS and day is None and year is None and before not in _BEFORE_MONTH:
        return None, i + 1
    return (year, MONTHS[name], day), after


def _day(word: str) -> int | None:
    digits = word[:-2] if word[-2:] in ("st", "nd", "rd", "th") else word
    if digits.isascii() and digits.isdigit() and len(digits) <= 2 and 1 <= int(digits) <= 31:
        return int(digits)
    return None


def _year(word: str) -> int | None:
    if len(word) == 4 and word.isascii() and word.isdigit() and word[:2] in ("19", "20"):
        return int(word)
    return None


def _numeric_date(word: str) -> NamedDate | None:
    parts = word.translate(_TO_HYPHEN).split("-")
    year = _year(parts[0])
    if year is None or len(parts) > 3 or not all(part.isascii() and part.isdigit() for part in parts):
        return None
    month = int(parts[1]) if len(parts) > 1 and len(parts[1]) <= 2 else None
    day = int(parts[2]) if len(parts) > 2 and len(parts[2]) <= 2 else None
    if (len(parts) > 1 and not 1 <= (month or 0) <= 12) or (len(parts) > 2 and not 1 <= (day or 0) <= 31):
        return None
    return year, month, day


class Span(NamedTuple):
    """From ``start`` on, before ``end``: dates ``YYYY-MM-DD`` (or a stamp), comparable as text."""

    start: str
    end: str


_AGO = r"(\d{1,4})\s*(d|w|m|y)(?:ays?|eeks?|onths?|ears?)?(?:\s+ago)?"
_UNITS = ("day", "week", "month", "year")


def parse_day(text: str, today: str = "") -> Span | None:
    """The time that a filter value names; None when it names none.

    ``YYYY``, ``YYYY-MM``, ``YYYY-MM-DD``, an ISO time, ``today``, ``yesterday``, ``7d`` ``2w`` ``3m``
    ``1y`` (from that long ago until now), ``this week``, ``last month`` and the like (weeks begin on
    Monday), ``May 2023``, ``7 May 2023``. ``today`` (default: the clock's) is ``YYYY-MM-DD``.
    """
    value = " ".join(text.lower().replace("_", " ").split())
    now = date.fromisoformat(today or clock.today())
    try:
        return _relative(value, now) or _absolute(text.strip(), value)
    except (ValueError, OverflowError):
        return None


def _relative(value: str, now: date) -> Span | None:
    if value in ("today", "now"):
        return _days(now, now + timedelta(1))
    if value == "yesterday":
        return _days(now - timedelta(1), now)
    ago = re.fullmatch(_AGO, value)
    if ago and _year(value) is None:
        return _days(_back(now, int(ago[1]), ago[2]), now + timedelta(1))
    which, _, unit = value.replace("-", " ").partition(" ")
    if which in ("this", "last") and unit in _UNITS:
        start = _begin(now, unit)
        if which == "this":
            return _days(start, _begin(start + timedelta(_LONG[unit]), unit))
        return _days(_begin(start - timedelta(1), unit), start)
    return None


_LONG = {"day": 1, "week": 7, "month": 31, "year": 366}


def _back(now: date, count: int, unit: str) -> date:
    if unit in "dw":
        return now - timedelta(count * (7 if unit == "w" else 1))
    months = now.year * 12 + now.month - 1 - count * (12 if unit == "y" else 1)
    year, month = divmod(months, 12)
    for day in range(now.day, 27, -1):  # 31 March less a month is the last of February
        try:
            return date(year, month + 1, day)
        except ValueError:
            continue
    return date(year, month + 1, min(now.day, 28))


def _begin(day: date, unit: str) -> date:
    if unit == "week":
        return day - timedelta(day.weekday())
    if unit == "month":
        return day.replace(day=1)
    return day.replace(month=1, day=1) if unit == "year" else day


def _absolute(text: str, value: str) -> Span | None:
    if len(text) > 10 and (at := clock.parse(text)):
        stamp = clock.stamp(at)
        return Span(stamp, stamp)
    named = named_dates(value)
    year, month, day = named[0] if len(named) == 1 else (None, None, None)
    if year is None:
        return None
    if month is None:
        return Span(f"{year:04}-01-01", f"{year + 1:04}-01-01")
    if day is None:
        return _days(date(year, month, 1), _begin(date(year, month, 1) + timedelta(31), "month"))
    start = date(year, month, day)
    return _days(start, start + timedelta(1))


def _days(start: date, end: date) -> Span:
    return Span(start.isoformat(), end.isoformat())


_PLACE_NOUNS = "city country town state place area location village island street park region"
_TIME_NOUNS = "time date day year month week weekday weekend season"
_MEASURES = "many much old often long far tall big high large deep fast heavy"
_ASKED = {
    **dict.fromkeys((f"{which} {noun}" for which in ("what", "which") for noun in _TIME_NOUNS.split()), TIME),
    **dict.fromkeys(
        (f"{which} {noun}" for which in ("what", "which") for noun in _PLACE_NOUNS.split()), PLACE
    ),
    **dict.fromkeys((f"how {measure}" for measure in _MEASURES.split()), NUMBER),
    "when": TIME,
    "where": PLACE,
}


def question_cues(question: str) -> int:
    """What a question asks for: ``TIME`` (when), ``NUMBER`` (how many), ``PLACE`` (where); 0 for none."""
    words = [word.strip(_PUNCTUATION).lower().split("'")[0].split("’")[0] for word in question.split()]
    bits = 0
    for i, word in enumerate(words):
        bits |= _ASKED.get(word, 0) | _ASKED.get(" ".join(words[i : i + 2]), 0)
    return bits
