"""Lists and maps of front matter changed in a few places: all else in them stays byte for byte."""

from __future__ import annotations

from copy import deepcopy
from difflib import ndiff

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memex_core.files import frontmatter
from memex_core.files.surgeon import set_keys

PAGE = """---
type: entity
sources:
  # the first, by hand
  - id: s1   # mine
    resource: 'memex:s-1#1'
    quote: "250 度 🍞"   # said twice

  - {id: s2, resource: "memex:s-1#2"}  # in a line
  - id: s3
    resource: memex:s-1#3
title: Oven
---
Body.
"""
DOUBT = {"by": "human:ada", "at": "2026-11-30T10:00:00Z", "why": "a: typo, [x]"}
WRITTEN = 'disputed: {by: human:ada, at: "2026-11-30T10:00:00Z", why: "a: typo, [x]"}'


def sources(data: bytes) -> list:
    return deepcopy(frontmatter.read(data).fields["sources"])


def moved(before: bytes, after: bytes) -> list[str]:
    """The lines that went and came."""
    rows = ndiff(before.decode().splitlines(), after.decode().splitlines())
    return [row for row in rows if row[0] in "+-"]


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize(
    ("place", "lines"),
    [
        (0, [f"+     {WRITTEN}"]),
        (
            1,
            [
                '-   - {id: s2, resource: "memex:s-1#2"}  # in a line',
                f'+   - {{id: s2, resource: "memex:s-1#2", {WRITTEN}}}  # in a line',
            ],
        ),
        (2, [f"+     {WRITTEN}"]),
    ],
)
def test_a_key_of_one_entry_comes_and_goes(place: int, lines: list[str], newline: str) -> None:
    data = PAGE.replace("\n", newline).encode()
    known = sources(data)
    doubted = deepcopy(known)
    doubted[place]["disputed"] = DOUBT
    out = set_keys(data, {"sources": doubted})
    assert moved(data, out) == lines
    assert sources(out) == doubted
    assert set_keys(out, {"sources": known}) == data


def test_a_text_in_one_entry_is_replaced_with_its_quotes_and_comment() -> None:
    data = PAGE.encode()
    changed = sources(data)
    changed[0]["quote"] = "200"
    changed[2]["resource"] = "memex:s-1#4"
    assert moved(data, set_keys(data, {"sources": changed})) == [
        '-     quote: "250 度 🍞"   # said twice',
        '+     quote: "200"   # said twice',
        "-     resource: memex:s-1#3",
        "+     resource: memex:s-1#4",
    ]


def test_an_entry_more_leaves_the_others() -> None:
    data = PAGE.encode()
    out = set_keys(
        data, {"sources": [*sources(data), {"id": "s4", "resource": "memex:s-2#1", "quote": "x: y"}]}
    )
    assert moved(data, out) == ["+   - id: s4", "+     resource: memex:s-2#1", '+     quote: "x: y"']


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("gone", [(0,), (1,), (2,), (0, 1), (1, 2), (0, 2)])
def test_entries_that_go_leave_the_others(gone: tuple[int, ...], newline: str) -> None:
    data = PAGE.replace("\n", newline).encode()
    known = sources(data)
    out = set_keys(data, {"sources": [one for place, one in enumerate(known) if place not in gone]})
    rows = moved(data, out)
    assert {row[0] for row in rows} == {"-"}
    assert len(rows) == sum((3, 1, 2)[place] for place in gone)


def test_what_is_not_plainly_laid_out_is_written_anew() -> None:
    """A text over lines, an entry that moved: the values are right, the layout is ours."""
    data = PAGE.encode()
    turned = sources(data)[::-1]
    assert sources(set_keys(data, {"sources": turned})) == turned
    folded = PAGE.replace(
        "resource: memex:s-1#3", "resource: memex:s-1#3\n    quote: >\n      all\n      of it"
    ).encode()
    doubted = sources(folded)
    doubted[2]["disputed"] = DOUBT
    out = set_keys(folded, {"sources": doubted})
    assert sources(out) == doubted
    assert out.endswith(b"title: Oven\n---\nBody.\n")


NAMES = st.sampled_from(["id", "resource", "quote", "lane", "disputed", "no", "1"])
WORDS = st.text(st.sampled_from("ab 度#:-'\"[]{},\n🍞"), max_size=6)
ENTRIES = st.dictionaries(
    NAMES, st.one_of(WORDS, st.none(), st.dictionaries(NAMES, WORDS, max_size=2)), max_size=4
)
LISTS = st.lists(st.one_of(WORDS, ENTRIES), max_size=4)


@settings(max_examples=300, deadline=None)
@given(LISTS, LISTS, st.integers(0, 3), st.booleans())
def test_from_any_list_to_any_other(one: list, other: list, kept: int, named: bool) -> None:
    """Lists that share a beginning, written by memex, changed and changed back: always what was meant."""
    key = "sources" if named else "more"
    first, second = [*one[:kept], *one[kept:]], [*one[:kept], *other]
    data = set_keys(b"---\ntitle: x\n---\nBody.\n", {key: first})
    told = frontmatter.read(data).fields.get(key)
    out = set_keys(data, {key: second})
    assert out.endswith(b"---\nBody.\n")
    fresh = set_keys(b"---\ntitle: x\n---\nBody.\n", {key: second})
    assert frontmatter.read(out).fields == frontmatter.read(fresh).fields
    assert frontmatter.read(set_keys(out, {key: first})).fields.get(key) == told
