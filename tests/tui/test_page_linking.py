"""What is completed inside ``[[``, and what a choice puts there."""

from __future__ import annotations

import pytest

from memex_tui.screens.page.linking import Asked, Choice, answer, asked, link_to, linkable

PAGE = Choice("page", "Retry policy", "Retry policy")


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("see [[Ret@", Asked("page", "", "Ret", 6, 9, False)),
        ("see [[@", Asked("page", "", "", 6, 6, False)),
        ("![[Ret@]] x", Asked("page", "", "Ret", 3, 6, True)),
        ("[[Re@try old|shown]]", Asked("page", "", "Re", 2, 11, True)),
        ("[[Re@ and [[Other]]", Asked("page", "", "Re", 2, 4, False)),
        ("[[Page#he@", Asked("heading", "Page", "he", 7, 9, False)),
        ("[[#he@]]", Asked("heading", "", "he", 3, 5, True)),
        ("[[Page#^b1@", Asked("block", "Page", "b1", 8, 10, False)),
        ("nothing here@", None),
        ("[[Done]] and@", None),
        ("[[Page|ali@", None),
        ("\\[[no@", None),
        ("`code [[x@", None),
        ("`code` [[x@", Asked("page", "", "x", 9, 10, False)),
    ],
)
def test_what_is_asked_at_the_caret(line: str, expected: Asked | None) -> None:
    column = line.index("@")
    assert asked(line.replace("@", ""), column) == expected


def put(line: str, choice: Choice, follow: str = "") -> str:
    """The line after the choice, with the caret shown as ``@``."""
    column = line.index("@")
    line = line.replace("@", "")
    question = asked(line, column)
    assert question is not None
    text, caret = answer(line, question, choice, follow)
    line = line[: question.start] + text + line[question.end :]
    return line[:caret] + "@" + line[caret:]


@pytest.mark.parametrize(
    ("line", "follow", "after"),
    [
        ("see [[Ret@", "", "see [[Retry policy]]@"),
        ("see [[Ret@]] x", "", "see [[Retry policy]]@ x"),
        ("see [[Ret@", "|", "see [[Retry policy|@]]"),
        ("see [[Ret@]]", "#", "see [[Retry policy#@]]"),
        ("[[Re@try old|shown]]", "", "[[Retry policy@|shown]]"),
        ("[[Re@|shown]]", "|", "[[Retry policy@|shown]]"),
    ],
)
def test_a_page_is_put_in(line: str, follow: str, after: str) -> None:
    assert put(line, PAGE, follow) == after


def test_a_heading_is_put_behind_the_hash() -> None:
    assert put("[[Page#he@", Choice("heading", "Here", "Here")) == "[[Page#Here]]@"
    assert put("[[Page#^b@]]", Choice("block", "b1", "b1")) == "[[Page#^b1]]@"


def test_names_that_brackets_cannot_hold() -> None:
    assert linkable("Retry policy")
    assert not linkable("a|b")
    assert not linkable("[x]")
    assert not linkable(" padded")
    assert not linkable("")


def test_a_mention_keeps_its_spelling() -> None:
    assert link_to("retry policy", "Retry policy") == "[[retry policy]]"
    assert link_to("retries", "Retry policy") == "[[Retry policy|retries]]"
