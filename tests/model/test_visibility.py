from __future__ import annotations

import sqlite3
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memex_core.model import clock
from memex_core.model.visibility import clause, visible

NOW = "2026-11-30T12:00:00Z"


@pytest.mark.parametrize(
    ("status", "valid_from", "valid_until", "shown"),
    [
        ("stable", "", "", True),
        ("draft", "", "", False),
        ("deprecated", "", "", False),
        ("stable", "2026-11-30T12:00:00Z", "", True),  # from ≤ now
        ("stable", "2026-11-30T12:00:01Z", "", False),
        ("stable", "", "2026-11-30T12:00:00Z", False),  # now < until
        ("stable", "", "2026-11-30T12:00:01Z", True),
        ("stable", "2026-11-30", "", True),
        ("stable", "2026-12-01", "", False),
        ("stable", "", "2026-11-30", False),
        ("stable", "", "2026-12-01", True),
        ("stable", None, None, True),
        (None, None, None, True),
    ],
)
def test_the_rule(status: str | None, valid_from: str | None, valid_until: str | None, shown: bool) -> None:
    assert visible(status, valid_from, valid_until, NOW) is shown


def test_what_lifts_the_rule() -> None:
    assert visible("draft", "", "", NOW, inactive=True)
    assert not visible("draft", "", "", NOW, expired=True)
    assert visible("stable", "2030-01-01", "", NOW, expired=True)
    assert visible("stable", "", "2020-01-01", NOW, expired=True)
    assert not visible("stable", "", "2020-01-01", NOW, inactive=True)
    assert visible("deprecated", "", "2020-01-01", NOW, expired=True, inactive=True)


def test_a_date_starts_at_midnight_utc_and_ends_before_it() -> None:
    assert visible("stable", "2026-11-30", "", "2026-11-30T00:00:00Z")
    assert not visible("stable", "", "2026-11-30", "2026-11-30T00:00:00Z")
    assert visible("stable", "", "2026-11-30", "2026-11-29T23:59:59Z")
    assert visible("stable", "2026-11-30T00:00:00Z", "", "2026-11-30")  # a date for now, too


def test_nothing_hidden_needs_no_condition() -> None:
    assert clause(NOW, expired=True, inactive=True) == ("1", [])


@pytest.fixture(scope="module")
def database() -> Iterator[sqlite3.Connection]:
    connection = sqlite3.connect(":memory:")
    connection.execute("CREATE TABLE page (id INTEGER PRIMARY KEY, status, valid_from, valid_until)")
    yield connection
    connection.close()


near = st.datetimes(
    min_value=clock.parse("2026-11-28").replace(tzinfo=None),  # type: ignore[union-attr]
    max_value=clock.parse("2026-12-02").replace(tzinfo=None),  # type: ignore[union-attr]
)
times = st.one_of(
    st.none(),
    st.just(""),
    st.sampled_from(["2026-11-29", "2026-11-30", "2026-12-01", NOW, "2026-11-30T00:00:00Z"]),
    near.map(clock.stamp),
)
statuses = st.sampled_from(["draft", "stable", "deprecated", "", None])


@settings(max_examples=400)
@given(
    statuses,
    times,
    times,
    st.sampled_from([NOW, "2026-11-30T00:00:00Z", "2026-11-30", "2026-12-01T00:00:00Z"]),
    st.booleans(),
    st.booleans(),
)
def test_python_and_sql_agree(
    database: sqlite3.Connection,
    status: str | None,
    valid_from: str | None,
    valid_until: str | None,
    now: str,
    expired: bool,
    inactive: bool,
) -> None:
    database.execute("DELETE FROM page")
    database.execute("INSERT INTO page VALUES (1, ?, ?, ?)", (status, valid_from, valid_until))
    condition, params = clause(now, expired=expired, inactive=inactive, table="p")
    found = database.execute(f"SELECT count(*) FROM page AS p WHERE {condition}", params).fetchone()[0]
    assert bool(found) is visible(status, valid_from, valid_until, now, expired=expired, inactive=inactive)
