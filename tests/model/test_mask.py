"""Code, comments and math are blanked, everything else stays, whatever the text."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memex_core.model.mask import mask

HIDDEN = [
    "`code X`",
    "``a ` X``",
    "```\nX\n```",
    "```sh\nif [ X ]; then\n```\n",
    "````\n```\nX\n```\n````",
    "~~~\nX\n~~~",
    "~~~\n```\nX\n~~~",
    "```\nX and no end",
    "text\n\n    X indented",
    "# H\n    X below a heading",
    "\tX behind a tab",
    "<!-- X -->",
    "<!--\nX\n\nX\n-->",
    "<!-- X never closed",
    "words <!-- X --> words",
    "%% X %%",
    "%%\nX\n\nX\n%%",
    "words %%X%% words",
    "$$ X $$",
    "$$\nX\n\nX\n$$",
    "so $$X$$ is",
    "> ```\n> X\n> ```",
    "- item\n  ```\n  X\n  ```",
    "- ```\n  X\n  ```",
    "1. item\n\n   ~~~\n   X\n   ~~~",
    "- a\n\n      X code in an item",
    ">     X code in a quote",
    "a `line\nX break` b",
]
SHOWN = [
    "X",
    "a ` b X",
    "\\`X\\`",
    "``X`",
    "`a`X`b`",
    "line\n    X goes on",
    "- a\n    - X",
    "- a\n\n    X second paragraph of the item",
    "- a\n\n\t- X",
    "1. a\n\n   X",
    "[^1]: note\n\n    X more of the note",
    "- a ` b\n- X ` c",
    "a ` b\n\nX ` c",
    "# a ` b\nX ` c",
    "| a ` b |\n| X ` c |",
    "100%% X, no pair",
    "it costs $5 X $6",
    "%% never closed X",
    "<!-- a --> X",
    "```\na\n```\nX",
    "> ```\n> a\n\nX outside the quote",
    "- ```\n  a\nX outside the item",
    "~~ X ~~",
    "```a`b X",
    "<!- X ->",
    "a --> X",
    "> quoted\n    X lazily",
]


@pytest.mark.parametrize("text", HIDDEN)
def test_what_is_not_prose_is_blanked(text: str) -> None:
    assert "X" in text
    assert "X" not in mask(text)


@pytest.mark.parametrize("text", SHOWN)
def test_prose_stays(text: str) -> None:
    assert mask(text).count("X") == text.count("X")


def test_only_the_code_goes_and_every_character_keeps_its_place() -> None:
    text = "one `two` three\n```\nfour\n```\nfive"
    assert mask(text) == "one       three\n   \n    \n   \nfive"


def test_a_text_without_signs_is_returned_itself() -> None:
    text = "# Plain\n\n- a [[link]]\n- 5 % and $5 and a < b\n"
    assert mask(text) is text


def test_carriage_returns_do_not_hide_the_end_of_a_fence() -> None:
    text = "```\r\ncode\r\n```\r\nX\r\n"
    assert "X" in mask(text)
    assert "code" not in mask(text)


PIECES = st.sampled_from(
    [
        "`",
        "``",
        "```",
        "~~~",
        "<!--",
        "-->",
        "%%",
        "$$",
        "\\",
        "\n",
        "\n\n",
        "    ",
        "\t",
        "> ",
        "- ",
        "1. ",
        "|",
        "# ",
        "[[",
        "]]",
        "a",
        "é",
        "\r\n",
        "[^1]:",
        "---",
        "***",
        " ",
    ]
)


@settings(max_examples=400, deadline=None)
@given(st.lists(PIECES, max_size=60).map("".join))
def test_length_and_line_ends_never_change(text: str) -> None:
    masked = mask(text)
    assert len(masked) == len(text)
    assert all(new in (old, " ") for old, new in zip(text, masked, strict=True))
    assert masked.count("\n") == text.count("\n")


@pytest.mark.parametrize(
    "text",
    [
        "[" * 200_000,
        "*" * 200_000,
        ">" * 100_000,
        "> " * 100_000 + "`",
        "[[" * 500_000,
        "` `` " * 100_000,
        "<!-- " * 100_000,
        "\n<!-- x" * 50_000,
        "$$ x\n\n" * 50_000,
        "- " * 100_000 + "`",
        "1. " * 50_000 + "`",
        "- ```\n" * 50_000,
        "```\n" + "a\n" * 200_000,
        "%% " * 100_001,
        "- " * 50_000 + "a\n" + "*a\n    *a\n" * 20_000 + "`",
        "\\" * 200_000 + "`",
        "\n".join(" " * (2 * depth) + "- `" for depth in range(600)),
    ],
    ids=range(17),
)
def test_hostile_texts_terminate(text: str) -> None:
    assert len(mask(text)) == len(text)


def test_random_heaps_of_signs_terminate() -> None:
    chance = random.Random(5)
    signs = "`~%$<!->\\ \n\t#*1.)[]|a"
    for _ in range(2_000):
        text = "".join(chance.choice(signs) for _ in range(chance.randint(0, 80)))
        assert len(mask(text)) == len(text)
