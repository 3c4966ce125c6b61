"""Days and stretches of days as Chinese text names them (simplified and traditional), counted from today.

Chinese has no spaces, so a word of time is looked for inside its neighbours too: those in which it is
part of another word (说明天气, 基本周期, 三天前端) are named one by one.
"""

# No postponed annotations here: they make each named tuple's fields a compilation at start-up.

import re
from datetime import date

from memex_core.model.dates.days import Days, day_of_year, one, weekday, whole
from memex_core.model.dates.grammar import Grammar

_DIGITS = "零一二三四五六七八九"
_COUNT = r"\d{1,3}|[一二两兩三四五六七八九十]{1,3}"
_OFFSETS = {
    "大前天": -3, "前天": -2, "前晚": -2, "昨天": -1, "昨日": -1, "昨晚": -1, "今天": 0, "今早": 0, "今晚": 0,
    "明天": 1, "明晚": 1, "后天": 2, "後天": 2, "大后天": 3, "大後天": 3,
}  # fmt: skip
_YEARS = {"大前年": -3, "前年": -2, "去年": -1, "今年": 0, "明年": 1, "后年": 2, "後年": 2}
_WHICH = {"上上": -2, "上": -1, "这": 0, "這": 0, "本": 0, "下": 1, "下下": 2}

PATTERN = re.compile(
    rf"""(?P<day>大+前天 | 大+[后後]天 | (?<![以之目先从從提年月周週个個日大])前[天晚](?![天线線窗空])
        | 昨[天日晚] | (?<![如至当當])今[天早晚]
        | (?<![说說声聲证證表透光文发發聪聰黎清分申阐闡查注标標鲜鮮])明[天晚]
        | (?<![以之先今然最落大])(?<!先天)[后後]天(?![天性]))
      | (?<![\d.第{_DIGITS}十百千几幾数數多-])(?P<count>{_COUNT})\s*
        (?P<ago>天|[个個]?[周週]|[个個]?(?:星期|[礼禮]拜)|[个個]月|年)(?:以|之)?前(?![端后後台臺沿缀綴提往])
      | (?<![以晚早网網线線身路街地桌墙牆上])(?P<week>上上|上)(?:[个個一])?(?:[周週]|星期|[礼禮]拜)
        (?:(?P<last>六(?!日)|[一二三四五日天末])(?![二三四五六])|(?![期围圍边邊岁歲年转轉密长長]))
      | (?<![基根样樣版成以地如楼樓手当當下])(?P<now>下下|下|[这這本])(?:[个個一])?(?:[周週]|星期|[礼禮]拜)
        (?:(?P<when>六(?!日)|[一二三四五日天末])(?![二三四五六])|(?![期围圍边邊岁歲年转轉密长長]))
      | (?<![以晚早网網线線身路街地基根日文样樣版成如当當上下])(?P<month>上上|上|[这這本下])(?:一?[个個])?月
        (?:(?P<of>\d{{1,2}})[号號日])?(?![亮球饼餅经經色光台臺])
      | (?P<year>大+前年 | (?<![之以目])前年 | 去年 | 今年 | 明年 | (?<![以之今])[后後]年)
        (?:(?P<year_m>\d{{1,2}}|十?[一二三四五六七八九十])月(?:(?P<year_d>\d{{1,2}}|[一二三四五六七八九十]{{1,3}})[号號日](?!线|線))?)?
      | (?<![\d.])(?:(?P<y>(?:19|20)\d\d)年)?(?P<m>\d{{1,2}}|十?[一二三四五六七八九十])月
        (?P<d>\d{{1,2}}|[一二三四五六七八九十]{{1,3}})[号號日](?!线|線)
      | (?<![\d.])(?P<y_of>(?:19|20)\d\d)年(?P<m_of>\d{{1,2}})月(?:份)?""",
    re.VERBOSE,
)


def read(found: re.Match[str], today: date) -> Days | None:
    """The days that a match of :data:`PATTERN` means; None for a day that no calendar has."""
    said = found.groupdict()
    if said["day"]:
        return whole(today, _offset(said["day"], _OFFSETS), "day")
    if said["ago"]:
        return whole(today, -_number(said["count"]), _unit(said["ago"]))
    if said["week"] or said["now"]:
        return _week(today, _WHICH[said["week"] or said["now"]], said["last"] or said["when"])
    if said["month"]:
        days = whole(today, _WHICH[said["month"]], "month")
        return one(days.start.replace(day=int(said["of"]))) if said["of"] else days
    if said["year"]:
        days = whole(today, _offset(said["year"], _YEARS), "year")
        if not said["year_m"]:
            return days
        month = days.start.replace(month=_number(said["year_m"]))
        return one(month.replace(day=_number(said["year_d"]))) if said["year_d"] else whole(month, 0, "month")
    if said["y_of"]:
        return whole(date(int(said["y_of"]), int(said["m_of"]), 1), 0, "month")
    return day_of_year(today, int(said["y"] or 0), _number(said["m"]), _number(said["d"]))


def _offset(said: str, offsets: dict[str, int]) -> int:
    """Days or years from now: each 大 before the first one goes one further."""
    further = max(0, said.count("大") - 1)
    near = offsets[said[further:]]
    return near + further if near > 0 else near - further


def _week(today: date, weeks: int, day: str | None) -> Days:
    if not day:
        return whole(today, weeks, "week")
    if day == "末":
        return Days(weekday(today, 5, weeks).start, weekday(today, 6, weeks).end)
    return weekday(today, "一二三四五六日".index("日" if day == "天" else day), weeks)


def _unit(word: str) -> str:
    return {"天": "day", "月": "month", "年": "year"}.get(word[-1], "week")


def _number(text: str) -> int:
    """A number in digits or in Chinese, up to 99. ValueError for what is none, and for 两三: two or three."""
    if text.isdigit():
        return int(text)
    text = text.replace("两", "二").replace("兩", "二")
    tens, ten, ones = text.rpartition("十")
    if len(tens) > 1 or len(ones) > 1:
        raise ValueError(text)
    if not ten:
        return _DIGITS.index(ones)
    return (_DIGITS.index(tens) if tens else 1) * 10 + (_DIGITS.index(ones) if ones else 0)


GRAMMAR = Grammar(
    PATTERN,
    read,
    joined=re.compile(r"\s*(?:到|至|[~～–—]|\.\.|-|([和与與跟]))\s*"),
    until_before=re.compile(r"(?:[比除]|除了|不是|不只|直到)\Z"),
    until_behind=re.compile(r"[之以][前后後]|[前后後](?![来來端台面])|为止|為止"),
    opened=re.compile(r"(?:自从|自從|[从從自])\Z"),
    tail=re.compile(
        r"\s*(?:(?P<to>到|至|[-~～–—])|(?P<also>[和与與跟、])|或者?|[还還]是)\s*"
        r"(?:(?:[周週]|星期|[礼禮]拜)(?P<weekday>[一二三四五六日天])|(?P<day>\d{1,2})[号號日])"
    ),
    weekdays={**{name: number for number, name in enumerate("一二三四五六日")}, "天": 6},
    particle=re.compile("的"),
    since_behind=re.compile(r"(?:起|开始|開始|以[来來]|到现在|到現在|至今)"),
)
