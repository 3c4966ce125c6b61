"""What a question asks for, and what a row has to answer with."""

import pytest

from memex_core.index.cues import FIRST_PERSON, NUMBER, PLACE, QUESTION, TIME, row_cues
from memex_core.recall.cues import question_cues


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
