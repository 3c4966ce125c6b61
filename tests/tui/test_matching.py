"""Fitting short lists to what is typed."""

from __future__ import annotations

from memex_tui.matching import rank, score

THINGS = ["Go to a page", "Go back", "Copy path", "Preview on or off", "Choose a theme"]


def names(thing: str) -> tuple[str, str]:
    return thing, "colour dark" if "theme" in thing else ""


def test_nothing_typed_keeps_everything_in_order() -> None:
    assert rank("", THINGS, names) == THINGS
    assert rank("  ", THINGS, names) == THINGS


def test_a_beginning_beats_a_word_beats_a_part() -> None:
    assert rank("p", THINGS, names)[0] == "Preview on or off"
    assert rank("pa", THINGS, names)[:2] == ["Go to a page", "Copy path"]
    assert score("pre", "Preview") > score("vie", "Preview") > 0


def test_every_word_must_fit() -> None:
    assert rank("go page", THINGS, names) == ["Go to a page"]
    assert rank("page zebra", THINGS, names) == []


def test_other_words_and_letters_in_order_fit_too() -> None:
    assert rank("dark", THINGS, names) == ["Choose a theme"]
    assert "Go back" in rank("gbk", THINGS, names)
