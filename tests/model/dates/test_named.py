"""Dates that a question names, in part or in full."""

import pytest

from memex_core.model.dates.named import named_dates


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
