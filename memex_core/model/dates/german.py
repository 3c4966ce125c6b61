"""Days and stretches of days as German text names them, counted from today."""

# No postponed annotations here: they make each named tuple's fields a compilation at start-up.

import re
from datetime import date

from memex_core.model.dates.days import Days, latest, weekday, whole
from memex_core.model.dates.grammar import Grammar

_WEEKDAYS = "montag dienstag mittwoch donnerstag freitag samstag sonntag".split()
_NUMBERS = "zwei drei vier fünf sechs sieben acht neun zehn elf zwölf".split()
_OFFSETS = {"vorgestern": -2, "gestern": -1, "heute": 0, "morgen": 1, "übermorgen": 2}
_UNITS = {"t": "day", "w": "week", "m": "month", "j": "year"}

_NOT_THE_MORNING = "".join(rf"(?<!\b{word}\s)" for word in "heute gestern guten am jeden den der dem".split())

PATTERN = re.compile(
    rf"""(?<![\w/@\#$`=.-]) (?:
        (?P<day>vorgestern | gestern | heute | übermorgen
          | {_NOT_THE_MORNING}morgen)
      | vor\s+(?P<count>\d{{1,3}}|eine[mr]|{"|".join(_NUMBERS)})\s+(?P<ago>tag|woche|monat|jahr)(?:e?n|e)?
      | (?P<which>letzte|vorige|vergangene|diese|nächste|kommende)[nmsr]?\s+
        (?P<unit>woche(?!nend)|monat|jahr|wochenende|{"|".join(_WEEKDAYS)}|sonnabend)
    ) (?![\w/@(`=]|[-.]\w)""",
    re.VERBOSE | re.IGNORECASE,
)


def read(found: re.Match[str], today: date) -> Days | None:
    """The days that a match of :data:`PATTERN` means."""
    said = {name: value.lower() for name, value in found.groupdict().items() if value}
    if "day" in said:
        return whole(today, _OFFSETS[said["day"]], "day")
    if "ago" in said:
        return whole(today, -_number(said["count"]), _UNITS[said["ago"][0]])
    weeks = -1 if said["which"][0] in "lv" else 0 if said["which"] == "diese" else 1
    unit = said["unit"].replace("sonnabend", "samstag")
    if unit == "wochenende":
        return Days(weekday(today, 5, weeks).start, weekday(today, 6, weeks).end)
    if unit not in _WEEKDAYS:
        return whole(today, weeks, _UNITS[unit[0]])
    number = _WEEKDAYS.index(unit)
    return latest(today, number) if weeks < 0 else weekday(today, number, weeks)


def _number(word: str) -> int:
    if word.isdigit():
        return int(word)
    return 1 if word.startswith("eine") else _NUMBERS.index(word) + 2


GRAMMAR = Grammar(
    PATTERN,
    read,
    joined=re.compile(r"\s+(?:bis(?:\s+zum)?|(und))\s+|\s*(?:\.\.|[–—~])\s*|\s+-\s+", re.IGNORECASE),
    opened=re.compile(r"\b(?:von|vom|zwischen)\s+\Z", re.IGNORECASE),
    until_before=re.compile(
        r"(?:\b(?:vor|nach|bis|bis\s+zum|als|nicht|außer|ab|oder|etwa|fast|mindestens|jede[nrs]?)|\w\s?[-–~])\s*\Z",
        re.IGNORECASE,
    ),
    until_behind=re.compile(
        r"\s+(?:des|der|im)\s+(?:monats|jahres|woche)\b|\s+an\s*(?:[,.;!?]|\Z)", re.IGNORECASE
    ),
    since_before=re.compile(r"\bseit\s+(?:de[mr]\s+)?\Z", re.IGNORECASE),
    tail=re.compile(
        rf"\s+(?:(?P<to>bis(?:\s+zum)?|-)|(?P<also>und)|oder)\s+(?P<weekday>{'|'.join(_WEEKDAYS)})\b",
        re.IGNORECASE,
    ),
    weekdays={name: number for number, name in enumerate(_WEEKDAYS)},
    cased=True,
)
