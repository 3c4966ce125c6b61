"""Days and stretches of days as Korean text names them, counted from today."""

# No postponed annotations here: they make each named tuple's fields a compilation at start-up.

import re
from datetime import date

from memex_core.model.dates.days import Days, day_of_year, weekday, whole
from memex_core.model.dates.grammar import Grammar

_OFFSETS = {"그끄저께": -3, "그저께": -2, "그제": -2, "어제": -1, "오늘": 0, "내일": 1, "모레": 2, "글피": 3}
_COUNTS = {"하루": 1, "이틀": 2, "사흘": 3, "나흘": 4, "한": 1, "두": 2, "세": 3, "네": 4, "일": 1}
_YEARS = {"작년": -1, "올해": 0, "내년": 1}
_WHICH = {"지지난": -2, "지난": -1, "저번": -1, "이번": 0, "다음": 1}
_PARTICLES = "에서는|에서|에는|에도|엔|에|은|는|이|가|을|를|의|도|만|까지|부터|과|와|이랑|랑|하고"
_HOURS = "밤|아침|점심|저녁|오전|오후"

PATTERN = re.compile(
    rf"""(?<![가-힣A-Za-z0-9_]) (?:
        (?P<day>그끄저께|그저께|그제|어제|오늘|내일|모레|글피)
      | (?<!하루\s)(?<!이틀\s)(?<!사흘\s)(?P<whole>하루|이틀|사흘|나흘)\s*전
      | (?<![한두세]\s)(?P<count>\d{{1,3}}|한|두|세|네|일)\s*(?P<ago>일|주일?|개월|달|년)\s*전
      | (?P<which>지지난|지난|저번|이번|다음)\s*(?P<unit>주말|주|달|해)(?:\s*(?P<on>[월화수목금토일])요일)?
      | (?P<year>작년|올해|내년)
      | (?:(?P<y>(?:19|20)\d\d)년\s*)?(?P<m>\d{{1,2}})월\s*(?P<d>\d{{1,2}})일
    ) (?=(?:{_PARTICLES}|{_HOURS})?(?![가-힣A-Za-z0-9_]))""",
    re.VERBOSE,
)


def read(found: re.Match[str], today: date) -> Days | None:
    """The days that a match of :data:`PATTERN` means."""
    said = found.groupdict()
    if said["day"]:
        return whole(today, _OFFSETS[said["day"]], "day")
    if said["whole"]:
        return whole(today, -_COUNTS[said["whole"]], "day")
    if said["ago"]:
        count = int(said["count"]) if said["count"].isdigit() else _COUNTS[said["count"]]
        unit = {"일": "day", "주": "week", "주일": "week", "년": "year"}.get(said["ago"], "month")
        return whole(today, -count, unit)
    if said["year"]:
        return whole(today, _YEARS[said["year"]], "year")
    if said["m"]:
        return day_of_year(today, int(said["y"] or 0), int(said["m"]), int(said["d"]))
    weeks = _WHICH[said["which"]]
    if said["on"]:
        return weekday(today, "월화수목금토일".index(said["on"]), weeks) if said["unit"] == "주" else None
    if said["unit"] == "주말":
        return Days(weekday(today, 5, weeks).start, weekday(today, 6, weeks).end)
    return whole(today, weeks, {"주": "week", "달": "month"}.get(said["unit"], "year"))


GRAMMAR = Grammar(
    PATTERN,
    read,
    joined=re.compile(r"부터\s*|\s*[~–—]\s*|에서\s+|\s*(과|와|이랑|랑|하고)\s+"),
    until_before=re.compile(r"(?:약|거의|[\d가-힣]\s?[-~])\s*\Z"),
    until_behind=re.compile(r"까지|\s*(?:이전|이후|[전후])(?:에|에는)?(?![가-힣])"),
    since_behind=re.compile(r"부터"),
    particle=re.compile(rf"(?:{_PARTICLES})(?![가-힣A-Za-z0-9_])"),
    tail=re.compile(
        r"(?:(?P<to>부터\s*|\s*[~–—]\s*|에서\s+)|\s*(?P<also>과|와|이랑|랑|하고)\s+|(?:이나|나|\s*또는)\s+)"
        r"(?:(?P<weekday>[월화수목금토일])요일|(?P<day>\d{1,2})일)(?:까지)?"
    ),
    weekdays={name: number for number, name in enumerate("월화수목금토일")},
)
