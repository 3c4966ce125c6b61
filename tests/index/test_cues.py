"""The signs of a turn, told by words and patterns."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memex_core.index.cues import FIRST_PERSON, NUMBER, PLACE, QUESTION, TIME, row_cues


@pytest.mark.parametrize(
    ("text", "bits"),
    [
        ("", 0),
        ("Ruff checks it.", 0),
        ("Which linter?  ", QUESTION),
        ("哪一个？", QUESTION),
        ("They met on TUESDAYS", TIME),
        ("the_monday_job", 0),
        ("a couple of long weeks", TIME | NUMBER),
        ("this is it", 0),
        ("This sunny morning", TIME),
        ("years ago", TIME),
        ("long ago", 0),
        ("it may rain", 0),
        ("It was in May", TIME | PLACE),
        ("may 5", TIME | NUMBER),
        ("built 1998", TIME | NUMBER),
        ("build 31998", NUMBER),
        ("at 9:30", TIME | NUMBER),
        ("at 9 pm", TIME | NUMBER),
        ("ninety-Nine, one", NUMBER),
        ("on the bus to Delft", PLACE),
        ("from the Hague", PLACE),
        ("to the moon", 0),
        ("again the Hague", 0),
        ("(in Delft)", PLACE),
        ("again Delft, in\nDelft", PLACE),
        ("My oven", FIRST_PERSON),
        ("I'd say", FIRST_PERSON),
        ("Mimi", 0),
    ],
)
def test_what_is_told(text: str, bits: int) -> None:
    assert row_cues(text) == bits


@given(
    st.lists(
        st.sampled_from(["today", "I", "two", "7", "in Delft", "ago", "week", "x", "?", "é"]), max_size=6
    )
)
def test_a_sign_stays_when_words_are_added(words: list[str]) -> None:
    text = " ".join(words)
    assert row_cues(text) & ~QUESTION & ~row_cues(f"{text} and more") == 0
