import time
from datetime import UTC, datetime, timedelta

import pytest

from memex_core.model import clock


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2022-04-25T12:34:52Z", "2022-04-25T12:34:52Z"),
        (" 2022-04-25T12:34:52Z ", "2022-04-25T12:34:52Z"),
        ("2022-04-25T12:34:52.9Z", "2022-04-25T12:34:52Z"),
        ("2022-04-25 12:34", "2022-04-25T12:34:00Z"),
        ("2022-04-25T12:34:52-07:00", "2022-04-25T19:34:52Z"),
        ("0999-04-25T12:34:52+00:00", "0999-04-25T12:34:52Z"),
        ("1700000000", "2023-11-14T22:13:20Z"),
        ("1700000000123", "2023-11-14T22:13:20Z"),
        ("2022-04-25", "2022-04-25"),
        ("2022-02-30", ""),
        ("2022-02-30T00:00:00Z", ""),
        ("2022-04-25T12:34:60Z", ""),
        ("2022-04-25T12-34-52Z", ""),
        ("soon", ""),
        ("", ""),
    ],
)
def test_a_time_becomes_a_stamp_and_a_date_stays_one(text: str, expected: str) -> None:
    assert clock.normal(text) == expected


@pytest.mark.parametrize("text", ["0001-01-01T00:00:00+10:00", "9999-12-31T23:59:59-05:00"])
def test_a_time_whose_year_does_not_exist_in_utc_is_none(text: str) -> None:
    assert clock.parse(text) is None
    assert clock.normal(text) == ""


@pytest.mark.parametrize("zone", ["UTC", "Asia/Tokyo", "America/Anchorage"])
@pytest.mark.parametrize(
    ("frozen", "present"),
    [
        ("9999-12-31T23:59:59Z", "9998-12-31T23:59:59Z"),
        ("9998-12-31T23:59:59Z", "9998-12-31T23:59:59Z"),
        ("0001-01-01T00:00:00Z", "0002-01-01T00:00:00Z"),
    ],
)
def test_the_present_leaves_room_for_what_is_counted_from_it(
    monkeypatch: pytest.MonkeyPatch, zone: str, frozen: str, present: str
) -> None:
    with monkeypatch.context() as patch:
        patch.setenv("MEMEX_NOW", frozen)
        patch.setenv("TZ", zone)
        time.tzset()
        assert clock.stamp() == present
        assert clock.stamp(clock.local()) == present
        assert clock.now() - timedelta(days=31) < clock.now() < clock.now() + timedelta(days=31)
    time.tzset()


@pytest.mark.parametrize(
    ("days", "expected"),
    [
        (1.5, "2026-12-01T12:00:00Z"),
        (1e7, "9999-12-31T23:59:59Z"),
        (1e300, "9999-12-31T23:59:59Z"),
        (-1e7, "0001-01-01T00:00:00Z"),
    ],
)
def test_days_end_with_the_calendar(days: float, expected: str) -> None:
    assert clock.after_days(days, datetime(2026, 11, 30, tzinfo=UTC)) == expected
