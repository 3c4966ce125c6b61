"""Days that a text names. Today is Friday, 24 July 2026, unless a test says otherwise."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone

import pytest

from memex_core.wikimem import parse_time_range

TODAY = "2026-07-24"


def day(number: int) -> tuple[str, str]:
    return (f"2026-07-{number:02}",) * 2  # type: ignore[return-value]


@pytest.mark.parametrize(
    ("text", "window"),
    [
        ("今天吃了什么", day(24)),
        ("昨天", day(23)),
        ("前天晚上吃了什么", day(22)),
        ("大前天", day(21)),
        ("明天", day(25)),
        ("后天", day(26)),
        ("5天前", day(19)),
        ("三天前", day(21)),
        ("3 days ago", day(21)),
        ("上周三", day(15)),
        ("这周五", day(24)),
        ("上周", ("2026-07-13", "2026-07-19")),
        ("这周", ("2026-07-20", "2026-07-26")),
        ("2周前", ("2026-07-06", "2026-07-12")),
        ("上个月", ("2026-06-01", "2026-06-30")),
        ("这个月", ("2026-07-01", "2026-07-31")),
        ("2026-07-21", day(21)),
        ("2026/7/1", day(1)),
        ("7月21号", day(21)),
        ("what about yesterday?", day(23)),
        ("Today", day(24)),
        ("tomorrow evening", day(25)),
    ],
)
def test_the_expressions_of_the_contract(text: str, window: tuple[str, str]) -> None:
    assert parse_time_range(text, today=TODAY) == window


@pytest.mark.parametrize(
    "text", ["最近", "前几天", "以前", "吃了什么", "", "yesterdays", "todayish", "2026-13-45"]
)
def test_without_a_clear_boundary_there_is_none(text: str) -> None:
    assert parse_time_range(text, today=TODAY) is None


@pytest.mark.parametrize(
    "today",
    [TODAY, date(2026, 7, 24), datetime(2026, 7, 24, 23, 59), datetime(2026, 7, 24, 12, tzinfo=UTC)],
)
def test_today_pins_now(today: object) -> None:
    assert parse_time_range("昨天", today=today, tz="UTC") == day(23)  # type: ignore[arg-type]


def test_the_zone_is_the_calendar_that_words_count_in(later) -> None:  # type: ignore[no-untyped-def]
    later("2026-07-23T20:00:00Z")
    assert parse_time_range("today", tz=UTC) == day(23)
    assert parse_time_range("today", tz="Asia/Tokyo") == day(24)
    assert parse_time_range("today", tz=timezone(timedelta(hours=5))) == day(24)
    with pytest.raises(ValueError):
        parse_time_range("today", tz="Mars/Olympus")
