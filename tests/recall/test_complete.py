"""Completion of what is being typed in a query."""

import pytest

from memex_core.recall.complete import Completion, complete


@pytest.mark.parametrize(
    ("text", "context"),
    [
        ("ta", Completion("operator", "", "ta", 0, 2, ("tag:",))),
        ("foo -st", Completion("operator", "", "st", 5, 7, ("status:",))),
        ("in", Completion("operator", "", "in", 0, 2, ("in:",))),
        ("in:", Completion("value", "in", "", 3, 3, ("pages", "diary", "transcripts"))),
        ("x is:DR", Completion("value", "is", "DR", 5, 7, ("draft",))),
        ("tag:fo", Completion("value", "tag", "fo", 4, 6)),
        ('path:"My N', Completion("value", "path", "My N", 5, 10)),
        ("since:tod", Completion("value", "after", "tod", 6, 9, ("today",))),
        ("foo:b", Completion("word", "", "foo:b", 0, 5)),
        ("needle", Completion("word", "", "needle", 0, 6)),
        ("needle ", Completion("", "", "", 7, 7)),
        ("", Completion("", "", "", 0, 0)),
    ],
)
def test_at_the_end(text, context):
    assert complete(text, len(text)) == context


def test_in_the_middle_and_outside():
    assert complete("tag:fo rust", 5) == Completion("value", "tag", "f", 4, 5)
    assert complete("tag", 99).end == 3
    assert complete("tag", -5) == Completion("", "", "", 0, 0)


def test_inside_a_quoted_phrase_nothing_is_offered():
    assert complete('"a tag:x b"', 7).kind == ""
