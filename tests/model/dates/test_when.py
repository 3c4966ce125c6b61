"""What is typed where a time is asked for."""

from datetime import datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memex_core.model.dates.when import asked, first_moment, parse_when
from memex_core.model.errors import BadInput

NOW = datetime(2024, 3, 31, 12, 0)


@pytest.mark.parametrize(
    ("value", "start", "end"),
    [
        ("2024", "2024-01-01", "2025-01-01"),
        ("2024-05", "2024-05-01", "2024-06-01"),
        ("2024-12", "2024-12-01", "2025-01-01"),
        ("2024-05-07", "2024-05-07", "2024-05-08"),
        ("2024/05/07", "2024-05-07", "2024-05-08"),
        ("7.5.2023", "2023-05-07", "2023-05-08"),
        ("7 May 2024", "2024-05-07", "2024-05-08"),
        ("may 2024", "2024-05-01", "2024-06-01"),
        ("7 May", "2023-05-07", "2023-05-08"),
        ("29 February", "2024-02-29", "2024-03-01"),
        ("the 3rd of June", "2023-06-03", "2023-06-04"),
        ("March", "2024-03-01", "2024-04-01"),
        ("May", "2023-05-01", "2023-06-01"),
        ("since February", "2024-02-01", "2024-04-01"),
        ("since yesterday", "2024-03-30", "2024-04-01"),
        ("Since 2024-03-02", "2024-03-02", "2024-04-01"),
        ("seit dem 7.5.2023", "2023-05-07", "2024-04-01"),
        ("seit gestern", "2024-03-30", "2024-04-01"),
        ("today", "2024-03-31", "2024-04-01"),
        ("Yesterday", "2024-03-30", "2024-03-31"),
        ("7d", "2024-03-24", "2024-04-01"),
        ("2w", "2024-03-17", "2024-04-01"),
        ("1m", "2024-02-29", "2024-04-01"),
        ("1mo", "2024-02-29", "2024-04-01"),
        ("1y", "2023-03-31", "2024-04-01"),
        ("3 days ago", "2024-03-28", "2024-03-29"),
        ("last 7 days", "2024-03-24", "2024-04-01"),
        ("this week", "2024-03-25", "2024-04-01"),
        ("last week", "2024-03-18", "2024-03-25"),
        ("last_month", "2024-02-01", "2024-03-01"),
        ("this month", "2024-03-01", "2024-04-01"),
        ("last year", "2023-01-01", "2024-01-01"),
        ("tuesday", "2024-03-26", "2024-03-27"),
        ("last tue", "2024-03-26", "2024-03-27"),
        ("on Sun", "2024-03-31", "2024-04-01"),
        ("昨天", "2024-03-30", "2024-03-31"),
        ("letzte Woche", "2024-03-18", "2024-03-25"),
        ("지난주", "2024-03-18", "2024-03-25"),
        ("2024-01..2024-02", "2024-01-01", "2024-03-01"),
        ("2024-02-05..2024-02-01", "2024-02-01", "2024-02-06"),
        ("last monday..today", "2024-03-25", "2024-04-01"),
        ("2024-03-05..", "2024-03-05", "2024-04-01"),
        ("..2024-03-05", "0001-01-01", "2024-03-06"),
        ("2024-03-05T10:00:00Z", "2024-03-05", "2024-03-06"),
    ],
)
def test_times(value: str, start: str, end: str) -> None:
    days = parse_when(value, NOW)
    assert days is not None
    assert (days.start.isoformat(), days.end.isoformat()) == (start, end)


@pytest.mark.parametrize(
    "value",
    ["banana", "", "2024-13", "2024-02-30", "7", "9999y", "last", "--", "..", "yesterday lunch", "31 June"],
)
def test_what_is_no_time(value: str) -> None:
    assert parse_when(value, NOW) is None
    assert first_moment(value, NOW) is None
    with pytest.raises(BadInput):
        asked(value, NOW)


def test_an_instant_is_in_the_day_of_the_persons_own_clock() -> None:
    tokyo = datetime(2024, 4, 1, 9, 0, tzinfo=timezone(timedelta(hours=9)))
    days = parse_when("2024-03-30T20:00:00Z", tokyo)
    assert days is not None
    assert days.start.isoformat() == "2024-03-31"


def test_a_filter_takes_an_instant_as_it_is() -> None:
    assert first_moment("2024-05-07T10:00:00+02:00", NOW) == "2024-05-07T08:00:00Z"
    assert first_moment("2w", NOW) == "2024-03-17"


@given(st.text(max_size=30) | st.from_regex(r"[0-9]{1,5}[ -/][0-9dwmy]{0,4}", fullmatch=True))
def test_no_value_raises(value: str) -> None:
    days = parse_when(value, NOW)
    assert days is None or days.start < days.end
