"""The time that a text speaks of. Today is Friday, 24 July 2026."""

from datetime import datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memex_core.model.dates.parse import blanked, parse_time_range

NOW = datetime(2026, 7, 24, 9, 30)


def days(text: str) -> tuple[str, str] | None:
    """The first and the last day."""
    found = parse_time_range(text, NOW)
    return (found.start.isoformat(), (found.end - timedelta(1)).isoformat()) if found else None


def day(number: int) -> tuple[str, str]:
    return (f"2026-07-{number:02}", f"2026-07-{number:02}")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("today", day(24)),
        ("What did I eat yesterday?", day(23)),
        ("tomorrow", day(25)),
        ("tonight", day(24)),
        ("last night", day(23)),
        ("this morning", day(24)),
        ("yesterday evening", day(23)),
        ("Yesterday we met", day(23)),
        ("yesterday's deploy", day(23)),
        ("YESTERDAY", day(23)),
        ("the day before yesterday", day(22)),
        ("day after tomorrow", day(26)),
        ("3 days ago", day(21)),
        ("a day ago", day(23)),
        ("three days ago", day(21)),
        ("2 weeks ago", ("2026-07-06", "2026-07-12")),
        ("a month ago", ("2026-06-01", "2026-06-30")),
        ("two years ago", ("2024-01-01", "2024-12-31")),
        ("what did we do last Tuesday", day(21)),
        ("last friday", day(17)),
        ("last Saturday", day(18)),
        ("this monday", day(20)),
        ("next Monday", day(27)),
        ("last week", ("2026-07-13", "2026-07-19")),
        ("what we did last week", ("2026-07-13", "2026-07-19")),
        ("this week", ("2026-07-20", "2026-07-26")),
        ("next week", ("2026-07-27", "2026-08-02")),
        ("last month", ("2026-06-01", "2026-06-30")),
        ("this year", ("2026-01-01", "2026-12-31")),
        ("last weekend", ("2026-07-18", "2026-07-19")),
        ("over the last 7 days", ("2026-07-17", "2026-07-24")),
        ("in the past month", ("2026-06-24", "2026-07-24")),
        ("since yesterday", ("2026-07-23", "2026-07-24")),
        ("since last Monday", ("2026-07-20", "2026-07-24")),
        ("between Monday and yesterday", day(23)),
        ("between yesterday and today", ("2026-07-23", "2026-07-24")),
        ("from last monday to yesterday", ("2026-07-20", "2026-07-23")),
        ("yesterday and today", ("2026-07-23", "2026-07-24")),
        ("yesterday, yes, yesterday", day(23)),
        ("to whom did I talk yesterday", day(23)),
    ],
)
def test_english(text: str, expected: tuple[str, str]) -> None:
    assert days(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("今天", day(24)),
        ("昨天", day(23)),
        ("前天晚上吃了什么", day(22)),
        ("大前天", day(21)),
        ("大大前天", day(20)),
        ("大大大后天", day(29)),
        ("明天", day(25)),
        ("后天", day(26)),
        ("大后天", day(27)),
        ("昨晚", day(23)),
        ("3天前", day(21)),
        ("３天前", day(21)),
        ("三天前", day(21)),
        ("十二天前", day(12)),
        ("3天以前", day(21)),
        ("上周三", ("2026-07-15", "2026-07-15")),
        ("上周日", day(19)),
        ("这周五", day(24)),
        ("本周一", day(20)),
        ("星期三", None),
        ("上个星期三", day(15)),
        ("下周一", day(27)),
        ("上周", ("2026-07-13", "2026-07-19")),
        ("这周", ("2026-07-20", "2026-07-26")),
        ("上上周", ("2026-07-06", "2026-07-12")),
        ("上周末", ("2026-07-18", "2026-07-19")),
        ("2周前", ("2026-07-06", "2026-07-12")),
        ("两个星期前", ("2026-07-06", "2026-07-12")),
        ("上个月", ("2026-06-01", "2026-06-30")),
        ("这个月", ("2026-07-01", "2026-07-31")),
        ("上个月21号", ("2026-06-21", "2026-06-21")),
        ("两个月前", ("2026-05-01", "2026-05-31")),
        ("去年", ("2025-01-01", "2025-12-31")),
        ("7月21号", day(21)),
        ("7月21日", day(21)),
        ("七月二十一日", day(21)),
        ("2025年7月21日", ("2025-07-21", "2025-07-21")),
        ("12月25号", ("2025-12-25", "2025-12-25")),
        ("2026年5月", ("2026-05-01", "2026-05-31")),
        ("上週三", day(15)),
        ("這個月", ("2026-07-01", "2026-07-31")),
        ("7月1号到7月5号", ("2026-07-01", "2026-07-05")),
        ("上周一到上周三", ("2026-07-13", "2026-07-15")),
        ("昨天和今天", ("2026-07-23", "2026-07-24")),
        ("从昨天起", ("2026-07-23", "2026-07-24")),
        ("昨天前端崩了", day(23)),
    ],
)
def test_chinese(text: str, expected: tuple[str, str] | None) -> None:
    assert days(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("오늘", day(24)),
        ("어제 뭐 했지?", day(23)),
        ("어제는", day(23)),
        ("그저께", day(22)),
        ("내일", day(25)),
        ("모레", day(26)),
        ("3일 전에", day(21)),
        ("이틀 전", day(22)),
        ("지난주", ("2026-07-13", "2026-07-19")),
        ("지난주 화요일", day(14)),
        ("이번 주", ("2026-07-20", "2026-07-26")),
        ("지난달", ("2026-06-01", "2026-06-30")),
        ("2주 전", ("2026-07-06", "2026-07-12")),
        ("작년", ("2025-01-01", "2025-12-31")),
        ("7월 21일", day(21)),
        ("어제부터", ("2026-07-23", "2026-07-24")),
        ("heute", day(24)),
        ("Was haben wir gestern gemacht?", day(23)),
        ("vorgestern", day(22)),
        ("das machen wir morgen", day(25)),
        ("übermorgen", day(26)),
        ("gestern Morgen", day(23)),
        ("vor 3 Tagen", day(21)),
        ("vor zwei Wochen", ("2026-07-06", "2026-07-12")),
        ("vor einem Monat", ("2026-06-01", "2026-06-30")),
        ("letzte Woche", ("2026-07-13", "2026-07-19")),
        ("letzten Dienstag", day(21)),
        ("diesen Monat", ("2026-07-01", "2026-07-31")),
        ("seit gestern", ("2026-07-23", "2026-07-24")),
        ("von gestern bis heute", ("2026-07-23", "2026-07-24")),
    ],
)
def test_korean_and_german(text: str, expected: tuple[str, str]) -> None:
    assert days(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2026-07-21", day(21)),
        ("2026/7/1", day(1)),
        ("on 2026-07-21, at noon", day(21)),
        ("2026-07-21吃了什么", day(21)),
        ("2026-07-21T23:59:00Z", day(21)),
        ("2026-07-01..2026-07-05", ("2026-07-01", "2026-07-05")),
        ("from 2026-07-05 to 2026-07-01", ("2026-07-01", "2026-07-05")),
        ("2026-07-01 - 2026-07-05", ("2026-07-01", "2026-07-05")),
        ("2026-07-01到2026-07-05", ("2026-07-01", "2026-07-05")),
        ("since 2026-07-20", ("2026-07-20", "2026-07-24")),
    ],
)
def test_digits(text: str, expected: tuple[str, str]) -> None:
    assert days(text) == expected


@pytest.mark.parametrize(
    "text",
    """
    may|It may rain|march|They march on|a second|the second one|Monday|on Tuesday|the last word|it lasts
    how long will it last|will it last week after week|n't last week|to last week|recently|the other day|earlier
    a few days ago|a couple of days ago|some 3 days ago|2 or 3 days ago|2-3 days ago|over 3 days ago|half a year ago
    before yesterday|until yesterday|after last week|by tomorrow|5 days from today|every last week|not today
    more than last week|the last week of June|this year of the dragon|yesterday or today|yesterday and last week
    last week, as you said on 6 November|in March last year|the Today view|USA Today|I read Psychology Today
    use-today|today.md|src/today|@today|$today|today()|today=1|tomorrowland|yesterdays|lastweek|one day
    v2026-07-21|note 2026-07-21.md|2026-07-21-standup|a/2026/07/21|2026-13-01|2026-02-30|2026-07|2026|1.2.2026|2.5.1
    12026-07-21|before 2026-07-21|2026-07-21 or 2026-07-22|version 3.14|10 May|in May|14:30|3 days|week 3|99 bottles
    最近|前几天|以前|昨天之前|昨天以前|比昨天多|说明天气|基本周期|网上周边|以前天天来|3天前端开发|如今天气|周三|上周期|先天后天
    第3天前|一千天前|几天前|二月三十号|13月1号|这个月亮|엊그제|오늘날|이번 주제|다음 주소|내일까지|약 3일 전|며칠 전
    guten Morgen|heute oder morgen|bis gestern|vor gestern|ab heute|jeden Morgen|neulich|am Morgen|der letzte Tag
    """.replace("\n", "|").split("|"),
)
def test_no_window_rather_than_a_guess(text: str) -> None:
    assert days(text.strip()) is None


def test_the_words_and_their_place() -> None:
    text = "what did we do last Tuesday with pnpm"
    found = parse_time_range(text, NOW)
    assert found is not None
    assert (found.words, found.spans) == ("last Tuesday", ((15, 27),))
    assert blanked(text, found.spans) == "what did we do              with pnpm"
    again = parse_time_range("yesterday, oh yesterday", NOW)
    assert again is not None
    assert again.spans == ((0, 9), (14, 23))


def test_a_week_is_counted_from_the_day_of_the_clock_that_is_given() -> None:
    monday = parse_time_range("this week", datetime(2026, 7, 20))
    sunday = parse_time_range("this week", datetime(2026, 7, 26, 23, 59))
    assert monday is not None
    assert sunday is not None
    assert monday[:2] == sunday[:2]
    leap = parse_time_range("2月29号", datetime(2026, 3, 1))
    assert leap is not None
    assert leap.start.isoformat() == "2024-02-29"


def test_the_ends_of_the_calendar() -> None:
    assert parse_time_range("999 years ago", datetime(500, 1, 1)) is None
    assert parse_time_range("tomorrow", datetime(9999, 12, 31)) is None
    assert parse_time_range("since yesterday", datetime(9999, 12, 31)) is None


def test_a_pasted_text_names_no_window() -> None:
    assert parse_time_range("yesterday " + "word " * 1000, NOW) is None


@given(st.text(alphabet="昨前天今上周三月0123456789号-/ .agolstdyr어제", max_size=40) | st.text(max_size=40))
def test_no_text_raises(text: str) -> None:
    found = parse_time_range(text, NOW)
    assert found is None or (found.start < found.end and found.words)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("上周三到周五", ("2026-07-15", "2026-07-17")),
        ("从上周三到周五", ("2026-07-15", "2026-07-17")),
        ("上周三和周四", ("2026-07-15", "2026-07-16")),
        ("7月21号到23号", ("2026-07-21", "2026-07-23")),
        ("7月2号、3号", ("2026-07-02", "2026-07-03")),
        ("2026-07-21~23", ("2026-07-21", "2026-07-23")),
        ("2026-07-21~08-03", ("2026-07-21", "2026-08-03")),
        ("2026/7/21 to 7/23", ("2026-07-21", "2026-07-23")),
        ("2026-07-21 – 10:00 meeting", day(21)),
        ("from 2026-07-21 to 23", ("2026-07-21", "2026-07-23")),
        ("지난주 화요일부터 목요일까지", ("2026-07-14", "2026-07-16")),
        ("지난주 화요일과 수요일", ("2026-07-14", "2026-07-15")),
        ("7월 1일부터 3일까지", ("2026-07-01", "2026-07-03")),
        ("letzten Montag bis Mittwoch", ("2026-07-20", "2026-07-22")),
        ("letzten Montag und Dienstag", ("2026-07-20", "2026-07-21")),
        ("from last Monday to Wednesday", ("2026-07-20", "2026-07-22")),
        ("between last Monday and Wednesday", ("2026-07-20", "2026-07-22")),
        ("last Monday and Tuesday", ("2026-07-20", "2026-07-21")),
        ("上周三四", ("2026-07-13", "2026-07-19")),
        ("上周六日", ("2026-07-13", "2026-07-19")),
        ("上周三天气", day(15)),
        ("去年7月", ("2025-07-01", "2025-07-31")),
        ("去年7月3号", ("2025-07-03", "2025-07-03")),
        ("今年三月五日", ("2026-03-05", "2026-03-05")),
    ],
)
def test_a_second_end_said_in_short_belongs_to_the_range(text: str, expected: tuple[str, str]) -> None:
    assert days(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        *("两三天前", "一两天前", "十二三天前", "两三个月前", "一二十天前"),
        *("上周三和周五", "上周三或周四", "7月21号和25号", "7月2号还是3号"),
        *("last Monday or Tuesday", "last Monday and Thursday", "as of yesterday"),
        *("two three days ago", "between 2 and 3 days ago"),
        *("2026-07-21 to 3 pm", "2026-07-21~40", "2026-07-21~07-20"),
        *("letzten Montag oder Dienstag", "하루 이틀 전", "한 두 달 전"),
    ],
)
def test_two_counts_or_a_choice_of_days_are_no_window(text: str) -> None:
    assert days(text) is None


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("어제에 뭐 했지", "    뭐 했지"),
        ("지난주 화요일에는 회의", "          회의"),
        ("어제저녁 회의", "  저녁 회의"),
        ("上周二的会议", "    会议"),
        ("yesterday's deploy", "            deploy"),
        ("yesterday’s deploy", "            deploy"),
    ],
)
def test_what_clings_to_the_words_goes_with_them(text: str, rest: str) -> None:
    found = parse_time_range(text, NOW)
    assert found is not None
    assert blanked(text, found.spans).split() == rest.split()
