"""Dates as people name them, values of after: and before:, and cues."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memex_core.index.cues import FIRST_PERSON, NUMBER, PLACE, QUESTION, TIME, row_cues
from memex_core.recall.dates import Span, named_dates, parse_day, question_cues


@pytest.mark.parametrize(
    ("question", "dates"),
    [
        ("What happened on 7 May 2023?", [(2023, 5, 7)]),
        ("on May 7th, 2023", [(2023, 5, 7)]),
        ("the 3rd of June", [(None, 6, 3)]),
        ("in May", [(None, 5, None)]),
        ("during late March", [(None, 3, None)]),
        ("May 2023", [(2023, 5, None)]),
        ("2023 May", [(2023, 5, None)]),
        ("She may march in 2022", [(2022, None, None)]),
        ("You may. They march", []),
        ("between Jan 2 and Sept. 15, 2021", [(None, 1, 2), (2021, 9, 15)]),
        ("2023-05-07 or 2023/05", [(2023, 5, 7), (2023, 5, None)]),
        ("call 5550 or 1.5 or 2023-99", []),
        ("December or december", [(None, 12, None)]),
        ("", []),
    ],
)
def test_named_dates(question, dates):
    assert named_dates(question) == dates


@pytest.mark.parametrize(
    ("value", "start", "end"),
    [
        ("2024", "2024-01-01", "2025-01-01"),
        ("2024-05", "2024-05-01", "2024-06-01"),
        ("2024-12", "2024-12-01", "2025-01-01"),
        ("2024-05-07", "2024-05-07", "2024-05-08"),
        ("2024/05/07", "2024-05-07", "2024-05-08"),
        ("7 May 2024", "2024-05-07", "2024-05-08"),
        ("may 2024", "2024-05-01", "2024-06-01"),
        ("today", "2024-03-31", "2024-04-01"),
        ("Yesterday", "2024-03-30", "2024-03-31"),
        ("7d", "2024-03-24", "2024-04-01"),
        ("2w", "2024-03-17", "2024-04-01"),
        ("1m", "2024-02-29", "2024-04-01"),
        ("1y", "2023-03-31", "2024-04-01"),
        ("3 days ago", "2024-03-28", "2024-04-01"),
        ("this week", "2024-03-25", "2024-04-01"),
        ("last week", "2024-03-18", "2024-03-25"),
        ("last_month", "2024-02-01", "2024-03-01"),
        ("this month", "2024-03-01", "2024-04-01"),
        ("last year", "2023-01-01", "2024-01-01"),
        ("2024-05-07T10:00:00+02:00", "2024-05-07T08:00:00Z", "2024-05-07T08:00:00Z"),
    ],
)
def test_filter_values(value, start, end):
    assert parse_day(value, "2024-03-31") == Span(start, end)


@pytest.mark.parametrize("value", ["banana", "", "2024-13", "2024-02-30", "May", "7", "9999y", "last", "--"])
def test_what_is_no_date(value):
    assert parse_day(value, "2024-03-31") is None


@given(st.text(max_size=30) | st.from_regex(r"[0-9]{1,5}[ -/][0-9dwmy]{0,4}", fullmatch=True))
def test_no_value_raises(value):
    named_dates(value)
    span = parse_day(value, "2024-02-29")
    assert span is None or span.start <= span.end


@pytest.mark.parametrize(
    ("question", "cues"),
    [
        ("When did Ana move?", TIME),
        ("What date is it", TIME),
        ("How many cats", NUMBER),
        ("How does it work", 0),
        ("Where's the key?", PLACE),
        ("Which city did she visit and when", PLACE | TIME),
        ("什么时候", 0),
    ],
)
def test_question_cues(question, cues):
    assert question_cues(question) == cues


@pytest.mark.parametrize(
    ("row", "cues"),
    [
        ("I moved to Lisbon last week", FIRST_PERSON | PLACE | TIME),
        ("Do you like it?", QUESTION),
        ("几点了？", QUESTION),
        ("There were three of them", NUMBER),
        ("It was in June 2022", TIME | NUMBER | PLACE),
        ("It may rain", 0),
        ("plain words only", 0),
        ("", 0),
    ],
)
def test_row_cues(row, cues):
    assert row_cues(row) == cues
