"""How a line of Markdown is coloured in the editor, and what keys do to lists."""

from __future__ import annotations

import time

import pytest

from memex_tui.screens.page.colours import LineStates, coloured, next_state
from memex_tui.screens.page.typing_rules import after_enter, indented


def names(line: str, state: str = "", number: int = 5) -> list[tuple[str, str]]:
    return [(line[piece.start : piece.end], piece.name) for piece in coloured(line, state, number)]


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("## Head", [("## Head", "h2"), ("##", "faint")]),
        ("#tag is none at #1", [("#tag", "tag")]),
        ("a **b** c", [("**b**", "strong"), ("**", "faint"), ("**", "faint")]),
        ("`[[x]]` [[y]]", [("`[[x]]`", "code"), ("[[y]]", "link"), ("[[", "faint"), ("]]", "faint")]),
        ("[[a|b]]", [("[[a|b]]", "link"), ("[[", "faint"), ("]]", "faint"), ("a|", "target")]),
        ("[t](u.md)", [("[t]", "link"), ("(u.md)", "url")]),
        ("- [x] done", [("-", "bullet"), ("[x]", "task-done"), (" done", "done")]),
        ("- [ ] open", [("-", "bullet"), ("[ ]", "task")]),
        ("> said", [("said", "quote"), ("> ", "faint")]),
        ("text ^block", [("^block", "faint")]),
        ("snake_case_name", []),
        ("\\*not\\*", [("\\", "faint"), ("\\", "faint")]),
        (
            "***b*** `c` \\*",
            [
                ("***b***", "strong"),
                ("**", "faint"),
                ("**", "faint"),
                ("*b*", "em"),
                ("*", "faint"),
                ("*", "faint"),
                ("`c`", "code"),
                ("\\", "faint"),
            ],
        ),
        ("*a \\* b", [("\\", "faint")]),
        ("---", [("---", "faint")]),
        ("", []),
    ],
)
def test_a_line(line: str, found: list[tuple[str, str]]) -> None:
    assert names(line) == found


def test_front_matter() -> None:
    assert names("title: Rate limits", "yaml") == [
        ("title", "key"),
        (":", "faint"),
        (" Rate limits", "value"),
    ]
    assert names("# note", "yaml") == [("# note", "comment")]
    assert names("---", "", 0) == [("---", "faint")]


def test_states_of_lines() -> None:
    lines = [
        "---",
        "a: 1",
        "---",
        "text",
        "```py",
        "# no heading",
        "```",
        "$$",
        "x",
        "$$",
        "<!--",
        "c",
        "-->",
        "end",
    ]
    states = LineStates(lines)
    assert [states.at(number) for number in range(14)] == [
        "", "yaml", "yaml", "", "", "```", "```", "", "$$", "$$", "", "<!--", "<!--", "",
    ]  # fmt: skip
    assert states.front_lines() == 3


def test_a_rule_at_the_top_is_no_front_matter() -> None:
    states = LineStates(["---", "text", "more"])
    assert states.at(2) == ""
    assert states.front_lines() == 0


def test_a_changed_line_changes_what_follows() -> None:
    lines = ["text", "more", "last"]
    states = LineStates(lines)
    assert states.at(2) == ""
    lines[0] = "````"
    states.changed(0)
    assert states.at(2) == "````"
    assert next_state("````", "```", 1) == "````"
    assert next_state("````", "````", 1) == ""


@pytest.mark.parametrize("sign", ["[", "*", "`", "_a", "**a", "[[a", "$a", "==a", "~~a", "<a:", "![", "#a"])
def test_hostile_lines_are_quick(sign: str) -> None:
    began = time.process_time()
    coloured((sign * 20_000)[:20_000], "", 3)
    assert time.process_time() - began < 1


@pytest.mark.parametrize(
    ("line", "text", "remove"),
    [
        ("- one", "\n- ", 0),
        ("  * one", "\n  * ", 0),
        ("3. one", "\n4. ", 0),
        ("- [x] one", "\n- [ ] ", 0),
        ("> said", "\n> ", 0),
        ("- ", "", 2),
        ("> ", "", 2),
        ("> - ", "> ", 4),
        ("    code", "\n    ", 0),
        ("plain", "\n", 0),
        ("**bold** x", "\n", 0),
    ],
)
def test_enter(line: str, text: str, remove: int) -> None:
    assert after_enter(line, len(line)) == (text, remove)


def test_enter_inside_the_marker_or_in_code_is_plain() -> None:
    assert after_enter("- one", 0) == ("\n", 0)
    assert after_enter("  - one", 7, in_code=True) == ("\n  ", 0)


def test_tab_moves_items_by_their_marker() -> None:
    assert indented("- one", 4) == "  - one"
    assert indented("1. one", 4) == "   1. one"
    assert indented("text", 4) == "    text"
    assert indented("  - one", 4, less=True) == "- one"
    assert indented("\t- one", 4, less=True) == "- one"
    assert indented("- one", 4, less=True) == "- one"
