"""Names of pages in running text, whole words only, and not where they are links already."""

from __future__ import annotations

import random
import re
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memex_core.index.mentions import MentionFinder

NAMES = [
    ("Rye loaf", "rye.md"),
    ("rye", "grain.md"),
    ("New York", "york.md"),
    ("New York Times", "times.md"),
    ("C++", "cpp.md"),
    ("数据", "data.md"),
    ("Åse & Søn", "ase.md"),
    ("v1.2 notes", "notes.md"),
    ("Kettle", "a/kettle.md"),
    ("Kettle", "b/kettle.md"),
    ("C", "c.md"),
    ("1984", "number.md"),
]


def found(text: str, skip: str = "") -> list[tuple[str, tuple[str, ...]]]:
    return [(text[m.start : m.end], m.paths) for m in MentionFinder(NAMES).find(text, skip=skip)]


@pytest.mark.parametrize(
    ("text", "mentions"),
    [
        ("A RYE LOAF, please", [("RYE LOAF", ("rye.md",))]),
        ("rye and rye loaf", [("rye", ("grain.md",)), ("rye loaf", ("rye.md",))]),
        ("the New York Times of New York", [("New York Times", ("times.md",)), ("New York", ("york.md",))]),
        ("rye\nloaf", [("rye\nloaf", ("rye.md",))]),
        ("in C++, not C", [("C++", ("cpp.md",))]),
        ("大数据库", [("数据", ("data.md",))]),
        ("by A\u030ase & Søn", [("A\u030ase & Søn", ("ase.md",))]),
        ("the v1.2 notes.", [("v1.2 notes", ("notes.md",))]),
        ("a kettle", [("kettle", ("a/kettle.md", "b/kettle.md"))]),
        ("rye-bread", [("rye", ("grain.md",))]),
        ("**rye**", [("rye", ("grain.md",))]),
    ],
)
def test_mentions(text: str, mentions: list[tuple[str, tuple[str, ...]]]) -> None:
    assert found(text) == mentions


@pytest.mark.parametrize(
    "text",
    [
        "stryed ryes",
        "[[Rye loaf]] [[x|rye]] [rye](a.md) ![rye](b.png) [rye][d]\n\n[d]: rye.md",
        "`rye` <!-- rye --> %% rye %%",
        "```\nrye\n```",
        "https://x.y/rye <https://rye.org> me@rye.org",
        "#rye @rye",
        "1984 C",
        "new, york",
        "new `x` york new\n\nyork new [[x]] york",
        "",
    ],
)
def test_no_mentions(text: str) -> None:
    assert found(text) == []


def test_a_page_does_not_mention_itself() -> None:
    assert found("rye loaf and rye", skip="rye.md") == [("rye", ("grain.md",))]
    assert found("kettle", skip="a/kettle.md") == []


def test_line_and_surrounding_text() -> None:
    (mention,) = MentionFinder(NAMES).find("x\n\n  - a rye day\n", first_line=5)
    assert (mention.line, mention.context) == (7, "- a rye day")


def test_very_long_names_and_empty_ones_are_passed_over() -> None:
    long = " ".join(f"word{number}" for number in range(60))
    assert MentionFinder([(long, "a.md"), ("", "b.md"), ("  ", "c.md")]).find(long) == []


def test_a_name_added_later() -> None:
    finder = MentionFinder()
    assert finder.find("rye") == []
    finder.add("Rye", "rye.md")
    assert [mention.paths for mention in finder.find("rye")] == [("rye.md",)]


WORDS = ["rye", "loaf", "new", "york", "times", "kettle", "tin", "lid", "and"]


@settings(max_examples=200, deadline=None)
@given(
    st.lists(st.lists(st.sampled_from(WORDS), min_size=1, max_size=3).map(" ".join), max_size=5),
    st.lists(st.sampled_from(WORDS), max_size=25).map(" ".join),
)
def test_as_the_longest_name_first_would_be_found_one_by_one(names: list[str], text: str) -> None:
    ordered = sorted(set(names), key=lambda name: -name.count(" "))
    pattern = "|".join(rf"\b{name}\b" for name in ordered)
    expected = [match.group() for match in re.finditer(pattern, text)] if ordered else []
    finder = MentionFinder((name, f"{name}.md") for name in names)
    assert [text[m.start : m.end] for m in finder.find(text)] == expected


def test_ten_thousand_names_and_a_large_text() -> None:
    chance = random.Random(3)
    words = [f"w{number}" for number in range(400)]
    names = [(" ".join(chance.choices(words, k=chance.randint(2, 4))), f"{n}.md") for n in range(10_000)]
    text = " ".join(chance.choices(words, k=100_000))
    mentions = MentionFinder(names).find(text)
    known = {name for name, _ in names}
    assert len(mentions) > 1_000
    assert all(text[m.start : m.end] in known for m in mentions)
    assert all(one.end <= two.start for one, two in pairwise(mentions))


@pytest.mark.parametrize(
    "text",
    [
        "word " * 100_000,
        "a" * 500_000,
        "數" * 200_000,
        "[" * 200_000,
        "a@" * 100_000,
        "a://" * 100_000,
        "x." * 100_000,
    ],
    ids=range(7),
)
def test_hostile_texts_terminate(text: str) -> None:
    assert MentionFinder([("word word x", "a.md"), ("數數x", "b.md")]).find(text) == []
