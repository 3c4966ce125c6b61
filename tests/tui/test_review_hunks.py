"""Hunks: every choice of them gives a text, and none of them loses a line."""

from __future__ import annotations

import random

import pytest

from memex_tui.render.line import line_text
from memex_tui.screens.review import layout
from memex_tui.screens.review.hunks import Change, Piece

OLD = """Each key has a bucket of 30 requests.
A 429 means: wait a minute.

## Why

The old limiter starved the probe.
It did so twice.

## Who

Anna
Ben
Cleo
"""
NEW = """Each key has a bucket of 40 requests.
A 429 means: wait a minute.

## Why

The old limiter starved the probe.
It did so twice.

## Who

Anna
Cleo
Dora
"""


def shown(change: Change, cells: int = 60) -> list[str]:
    """The rows as text."""
    lines = []
    for row in layout.rows(change, cells):
        if row.kind == "@":
            lines.append("@ " + " | ".join(layout.head_of(change, row)))
        else:
            lines.append(line_text(layout.line_of(change, row, {})).rstrip())
    return lines


def test_all_hunks_give_the_new_text_and_none_the_old_one() -> None:
    change = Change(OLD, NEW)
    assert change.text() == NEW
    assert change.whole
    change.take_all("old")
    assert change.text() == OLD
    assert change.none
    assert not change.whole


def test_changes_far_apart_are_hunks_and_near_ones_are_one() -> None:
    change = Change(OLD, NEW)
    assert len(change.hunks) == 2
    assert len(change.hunks[1].pieces) == 2
    assert (change.added, change.removed) == (2, 2)
    assert shown(change) == [
        "@ hunk 1 of 2 | line 1 · +1 −1 | taken",
        "- Each key has a bucket of 30 requests.",
        "+ Each key has a bucket of 40 requests.",
        "  A 429 means: wait a minute.",
        "",
        "@ hunk 2 of 2 | line 12 · +1 −1 | taken",
        "",
        "  Anna",
        "- Ben",
        "  Cleo",
        "+ Dora",
        "",
    ]


def test_one_hunk_of_two_is_taken() -> None:
    change = Change(OLD, NEW)
    change.take(0, "old")
    assert change.text() == NEW.replace("40 requests", "30 requests")
    assert layout.summary(change) == "1 of 2 hunks taken · +2 −2"
    assert "left out" in shown(change)[0]


def test_a_hunk_is_split_where_lines_stay_and_then_line_by_line() -> None:
    change = Change("a\nb\nc\nd\n", "A\nB\nc\nD\n")
    assert len(change.hunks) == 1
    assert change.split(0)
    assert [hunk.pieces for hunk in change.hunks] == [(Piece(0, 2, 0, 2),), (Piece(3, 4, 3, 4),)]
    assert change.split(0)
    assert not change.split(0)
    assert not change.split(2)
    change.take(1, "old")
    assert change.text() == "A\nb\nc\nD\n"


def test_a_split_hunk_is_decided_as_the_whole_was() -> None:
    change = Change("a\nb\n", "A\nB\n")
    change.take(0, "old")
    assert change.split(0)
    assert [hunk.side for hunk in change.hunks] == ["old", "old"]


def test_a_new_page_is_split_by_paragraphs_then_by_lines() -> None:
    text = "# One\n\nfirst\n\n- two\n- three\n"
    change = Change("", text)
    assert (len(change.hunks), change.text()) == (1, text)
    assert change.split(0)
    assert [line_count(change, at) for at in range(3)] == [2, 2, 2]
    change.take(1, "old")
    assert change.text() == "# One\n\n- two\n- three\n"
    assert change.split(2)
    change.take(2, "old")
    assert change.text() == "# One\n\n- three\n"


def line_count(change: Change, number: int) -> int:
    return sum(one.j1 - one.j0 for one in change.hunks[number].pieces)


def test_a_removal_is_split_too() -> None:
    change = Change("keep\none\n\ntwo\nkeep\n", "keep\nkeep\n")
    assert change.split(0)
    change.take(0, "old")
    assert change.text() == "keep\none\n\nkeep\n"


def test_both_texts_can_be_kept() -> None:
    change = Change("same\nmine\nend\n", "same\ntheirs\nend\n")
    change.take_all("both")
    assert change.text() == "same\nmine\ntheirs\nend\n"


def test_blank_lines_around_a_text_are_no_change() -> None:
    assert Change("\nText.\n", "Text.").hunks == []
    assert Change("\nText.\n", "Other.\n\n").text() == "\nOther.\n"
    assert Change("", "Text.").text() == "Text."
    assert Change("Text.\n", "").text() == ""


def test_words_that_differ_stand_out() -> None:
    change = Change("wait a minute or two\n", "wait an hour or two\n")
    runs = [layout.line_of(change, row, {}) for row in layout.rows(change, 60) if row.kind in "+-"]
    marked = [
        [text for text, names in line if any(name.endswith("-word") for name in names)] for line in runs
    ]
    assert marked == [["a", "minute"], ["an", "hour"]]
    assert [line_text(line)[0] for line in runs] == ["-", "+"]


def test_long_lines_are_cut_and_say_their_sign_once() -> None:
    text = "one two three four five six seven eight nine ten"
    rows = [line for line in shown(Change("", text), 22) if not line.startswith("@")]
    assert rows == ["+ one two three four", "  five six seven eight", "  nine ten"]


def test_blanks_at_the_end_of_a_line_can_be_seen() -> None:
    assert shown(Change("a\n", "a  \n"))[1:3] == ["- a", "+ a··"]


def test_what_could_move_the_cursor_is_drawn_as_marks() -> None:
    text = "a\x1b[31mred\u202e [b]bold[/b]"
    assert shown(Change("", text))[1] == "+ a␛[31mred⟨RLO⟩ [b]bold[/b]"


def test_decisions_are_kept_as_plain_values() -> None:
    change = Change(OLD, NEW)
    change.split(1)
    change.take(2, "old")
    again = Change(OLD, NEW)
    again.choose(change.choices())
    assert again.hunks == change.hunks
    assert again.text() == change.text()


@pytest.mark.parametrize(
    "wrong",
    [
        None,
        [],
        "x",
        [["a"]],
        [[0, 1, 0, 1]],
        [[0, 1, 0, 1, "maybe"]],
        [[0, 1, 0, 99, "old"]],
        [[0, 1, 0, 1, "new"]],
        [[9, 1, 0, 1, "new"]],
    ],
)
def test_decisions_about_another_text_are_ignored(wrong: object) -> None:
    change = Change(OLD, NEW)
    before = list(change.hunks)
    change.choose(wrong)
    assert change.hunks == before


def test_any_texts_any_cuts_any_choice() -> None:
    """However a change is cut, all of it is the new text, nothing of it the old one, a part loses no line
    that stays."""
    chance = random.Random(5)
    for _ in range(300):
        old = "\n".join(chance.choice("abc ") for _ in range(chance.randrange(12)))
        new = "\n".join(chance.choice("abc ") for _ in range(chance.randrange(12)))
        change = Change(old, new)
        wanted = change.text()
        assert wanted.strip("\n") == new.strip("\n")
        for _ in range(chance.randrange(6)):
            if change.hunks:
                change.split(chance.randrange(len(change.hunks)))
        assert change.text() == wanted
        for number in range(len(change.hunks)):
            change.take(number, chance.choice(("new", "old", "both")))
        mixed = change.text()
        change.take_all("old")
        assert change.text() == old
        kept = Change(old, mixed)
        assert kept.text().strip("\n") == mixed.strip("\n")
        layout.rows(change, 30)


def test_a_megabyte_is_one_change() -> None:
    lines = [f"line {number} of a long text that somebody wrote" for number in range(22_000)]
    old = "\n".join(lines)
    lines[500] = "another line"
    lines[20_000:20_000] = ["a new line"]
    change = Change(old, "\n".join(lines))
    assert len(change.hunks) == 2
    assert len(old) > 900_000
    assert len(layout.rows(change, 80)) == 2 + 4 + 2 + 4 + 1
    assert len(layout.rows(Change("", old), 80)) == 22_001
