"""Days and stretches of days as English text names them, counted from today."""

# No postponed annotations here: they make each named tuple's fields a compilation at start-up.

import re
from datetime import date

from memex_core.model.dates.days import Days, latest, until_today, weekday, whole
from memex_core.model.dates.grammar import Grammar

WEEKDAYS = "monday tuesday wednesday thursday friday saturday sunday".split()
_NUMBERS = "one two three four five six seven eight nine ten eleven twelve".split()
_COUNT = rf"\d{{1,3}}|an?|{'|'.join(_NUMBERS)}"
_EXACTLY = "".join(
    rf"(?<!\b{word}\s)"
    for word in [
        "over",
        "about",
        "around",
        "almost",
        "nearly",
        "least",
        "most",
        "some",
        "half",
        "or",
        "to",
        *_NUMBERS,
    ]
)
_OFFSETS = {"yesterday": -1, "today": 0, "tonight": 0, "tomorrow": 1}

PATTERN = re.compile(
    rf"""(?<![A-Za-z0-9_/@\#$`=.-]) (?:
        (?:the\s+)? day\s+ (?P<beyond>before\s+yesterday | after\s+tomorrow)
      | (?P<day>yesterday | today | tonight | tomorrow)
      | (?P<part>last\s+night | this\s+(?:morning|afternoon|evening))
      | {_EXACTLY} (?P<count>{_COUNT}) \s+ (?P<ago>day|week|month|year)s? \s+ ago
      | (?:the\s+)? (?:last|past) \s+ (?P<many>{_COUNT}) \s+ (?P<units>day|week|month|year)s
      | (?:the\s+(?:last|past)|past) \s+ (?P<rolling>week|month|year)
      | (?P<which>last|this|next) \s+ (?P<unit>week|month|year|weekend|{"|".join(WEEKDAYS)})
    ) (?![A-Za-z0-9_/@(`=]|[-.][A-Za-z0-9_])""",
    re.VERBOSE | re.IGNORECASE,
)


def read(found: re.Match[str], today: date) -> Days | None:
    """The days that a match of :data:`PATTERN` means."""
    said = {name: value.lower() for name, value in found.groupdict().items() if value}
    if "beyond" in said:
        return whole(today, -2 if said["beyond"].startswith("before") else 2, "day")
    if "day" in said:
        return whole(today, _OFFSETS[said["day"]], "day")
    if "part" in said:
        return whole(today, -1 if said["part"].startswith("last") else 0, "day")
    if "ago" in said:
        return whole(today, -_number(said["count"]), said["ago"])
    if "many" in said:
        return until_today(today, _number(said["many"]), said["units"])
    if "rolling" in said:
        return until_today(today, 1, said["rolling"])
    return _named(today, said["unit"], {"last": -1, "this": 0, "next": 1}[said["which"]])


def _named(today: date, unit: str, weeks: int) -> Days:
    if unit == "weekend":
        return Days(weekday(today, 5, weeks).start, weekday(today, 6, weeks).end)
    if unit not in WEEKDAYS:
        return whole(today, weeks, unit)
    number = WEEKDAYS.index(unit)
    return latest(today, number) if weeks < 0 else weekday(today, number, weeks)


def _number(word: str) -> int:
    if word.isdigit():
        return int(word)
    return 1 if word in ("a", "an") else _NUMBERS.index(word) + 1


_VERBS = "to|will|would|can|could|should|might|may|must|cannot"  # a last that follows is a verb
_LIMITS = (
    "before|after|until|till|by|than|not|except|but|besides|every|each|half|or|as\\s+of|and\\s+a"
    rf"|between\s+(?:{_COUNT})\s+and"
)
GRAMMAR = Grammar(
    PATTERN,
    read,
    joined=re.compile(
        r"\s+(?:to|until|till|through|up\s+to|(and))\s+|\s*(?:\.\.|[–—~])\s*|\s+-\s+", re.IGNORECASE
    ),
    opened=re.compile(r"\b(?:from|between)\s+\Z", re.IGNORECASE),
    until_before=re.compile(
        rf"(?:\b(?:(?:{_VERBS})(?:\s+(?:it|this|that|they|we|he|she))?|{_LIMITS}|(?:day|week|month|year)s?\s+from)|n['’]t|\w\s?[-–~])\s*\Z",
        re.IGNORECASE,
    ),
    until_behind=re.compile(r"\s+of\b|\s+(?:on|onwards?|forward)\s*(?:[,.;!?]|\Z)", re.IGNORECASE),
    since_before=re.compile(r"\bsince\s+\Z", re.IGNORECASE),
    tail=re.compile(
        rf"\s+(?:(?P<to>to|through|until|till|-)|(?P<also>and)|or)\s+(?P<weekday>{'|'.join(WEEKDAYS)})\b",
        re.IGNORECASE,
    ),
    weekdays={name: number for number, name in enumerate(WEEKDAYS)},
    particle=re.compile("['’]s\\b", re.IGNORECASE),
    cased=True,
)
