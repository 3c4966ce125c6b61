"""Three texts side by side: nothing that anyone wrote is lost."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from memex_tui.screens.page.merging import changes, clashes, merge, merged

BASE = ["one", "two", "three", "four", "five"]


def test_changes_in_different_places_go_together() -> None:
    mine = ["one", "TWO", "three", "four", "five"]
    theirs = ["one", "two", "three", "four", "five", "six"]
    chunks = merge(BASE, mine, theirs)
    assert clashes(chunks) == []
    assert merged(chunks, {}) == ["one", "TWO", "three", "four", "five", "six"]


def test_the_same_change_on_both_sides_is_no_clash() -> None:
    both = ["one", "2", "three", "four", "five"]
    chunks = merge(BASE, both, both)
    assert [chunk.kind for chunk in chunks] == ["same", "both", "same"]
    assert merged(chunks, {}) == both


def test_a_clash_is_chosen() -> None:
    mine = ["one", "mine", "three", "four", "five"]
    theirs = ["one", "theirs", "three", "four"]
    chunks = merge(BASE, mine, theirs)
    (clash,) = clashes(chunks)
    assert chunks[clash].mine == ("mine",)
    assert chunks[clash].theirs == ("theirs",)
    assert chunks[clash].line == 2
    assert merged(chunks, {clash: "mine"}) == ["one", "mine", "three", "four"]
    assert merged(chunks, {clash: "theirs"}) == ["one", "theirs", "three", "four"]
    assert merged(chunks, {clash: "both"}) == ["one", "mine", "theirs", "three", "four"]
    assert merged(chunks, {clash: "base"}) == ["one", "two", "three", "four"]


LINES = st.lists(st.sampled_from(["a", "b", "c", "", "d"]), max_size=8)


@given(LINES, LINES, LINES)
def test_picking_one_side_everywhere_gives_that_side(
    base: list[str], mine: list[str], theirs: list[str]
) -> None:
    chunks = merge(base, mine, theirs)
    every = changes(chunks)
    assert merged(chunks, dict.fromkeys(every, "mine")) == (mine or [""])
    assert merged(chunks, dict.fromkeys(every, "theirs")) == (theirs or [""])
    assert merged(chunks, dict.fromkeys(every, "base")) == (base or [""])


@given(LINES, LINES)
def test_nobody_elses_change_leaves_mine(base: list[str], mine: list[str]) -> None:
    chunks = merge(base, mine, base)
    assert clashes(chunks) == []
    assert merged(chunks, {}) == (mine or [""])


def test_many_blank_lines_are_no_trouble() -> None:
    base = ["", "text"] * 6_000
    chunks = merge(base, ["x", *base], [*base, "y"])
    assert merged(chunks, {}) == ["x", *base, "y"]
