import pytest

from memex_tui.render.line import Line, line_text
from memex_tui.render.transcript import (
    LONGEST,
    Quote,
    Turn,
    TurnMark,
    is_folding,
    lay_out,
    quote_spans,
    shown,
    turn_of,
)
from tests.tui.brackets import AWKWARD, BRACKETS


def texts(lines: list[Line]) -> list[str]:
    return [line_text(line).rstrip() for line in lines]


def styled(lines: list[Line], style: str) -> str:
    return " ".join(text for line in lines for text, names in line if style in names)


def test_a_turn_has_its_number_who_spoke_and_what_was_said() -> None:
    turn = Turn(41, "user", text="right: honour retry-after first,\nthen the retry policy.")
    assert texts(lay_out(turn, 40, 3, folded=True)) == [
        " 41 you     right: honour retry-after",
        "            first,",
        "            then the retry policy.",
        "",
    ]
    assert texts(lay_out(turn._replace(name="Ben Okafor"), 60, 2, folded=True))[0].startswith(
        "41 Ben Ok… right"
    )


def test_a_tool_call_is_one_line_until_it_is_unfolded() -> None:
    turn = Turn(3, "tool", tool="shell", query="ls -l\n| wc", result="one\ntwo\nthree")
    assert is_folding(turn)
    assert not is_folding(Turn(1, "user", text="x"))
    assert texts(lay_out(turn, 50, 1, folded=True)) == ["3 tool    ▸ shell  ls -l | wc  3 lines", ""]
    assert texts(lay_out(turn, 50, 1, folded=False)) == [
        "3 tool    ▾ shell",
        "            ls -l",
        "            | wc",
        "            one",
        "            two",
        "            three",
        "",
    ]
    long = texts(lay_out(turn._replace(query="x" * 200), 40, 1, folded=True))[0]
    assert len(long) == 40
    assert long.endswith("…  3 lines")
    assert texts(lay_out(Turn(3, "tool"), 40, 1, folded=True)) == ["3 tool    ▸ tool", ""]


def test_quotes_are_marked_over_line_ends_and_blanks() -> None:
    turn = Turn(1, "user", text="then the retry\n  policy. and raise the limit")
    mark = TurnMark("E", "turn--evidence", (Quote("the retry policy.", "turn--evidence-quote"),))
    lines = lay_out(turn, 60, 1, folded=True, mark=mark)
    assert styled(lines, "turn--evidence-quote") == "the retry   policy."
    assert styled(lay_out(turn, 22, 1, folded=True, mark=mark), "turn--evidence-quote").split() == [
        "the",
        "retry",
        "policy.",
    ]


def test_a_quote_of_a_tool_is_marked_in_what_it_answered() -> None:
    turn = Turn(3, "tool", tool="shell", query="ls", result="41 orders share a payment")
    mark = TurnMark("E", "turn--evidence", (Quote("41 orders", "turn--evidence-quote"),))
    assert styled(lay_out(turn, 60, 1, folded=False, mark=mark), "turn--evidence-quote") == "41 orders"


def test_a_quote_that_is_not_there_is_said_below() -> None:
    mark = TurnMark("E", "turn--doubtful", (Quote("raise it to [50]", "turn--evidence-quote", False),))
    lines = lay_out(Turn(1, "user", text="raise it"), 60, 1, folded=True, mark=mark)
    assert texts(lines)[1] == "          ✗ not in this turn: “raise it to [50]”"
    assert styled(lines, "turn--evidence-quote") == ""


def test_what_is_odd_about_a_turn_is_told() -> None:
    turn = turn_of(
        {"turn": 2, "role": "agent", "content": "x", "abandoned": True, "subagent": "id", "ts": None}
    )
    assert turn.aside == "taken back, by a subagent"
    assert texts(lay_out(turn, 60, 1, folded=True))[1].strip() == "(taken back, by a subagent)"


def test_a_very_long_turn_is_cut_and_the_rest_counted() -> None:
    lines = texts(lay_out(Turn(1, "tool", tool="cat", result="line\n" * 20_000), 60, 1, folded=False))
    assert len(lines) < LONGEST
    assert lines[-2].strip() == "… 40,000 more characters"


def test_composition_of_letters_does_not_hide_a_quote() -> None:
    text = shown("le cafe\u0301 est noir")
    assert [text[slice(*span)] for span in quote_spans("caf\u00e9  est", text)] == ["café est"]
    assert quote_spans("  ", text) == []


@pytest.mark.parametrize("said", [*BRACKETS, *AWKWARD])
def test_every_text_is_text_and_no_line_is_too_long(said: str) -> None:
    turn = Turn(1, "user", said, said, tool=said, query=said, result=said)
    mark = TurnMark("E", "turn--evidence", (Quote(said, "turn--evidence-quote"), Quote(said, "x", False)))
    for folded in (True, False):
        for line in lay_out(turn, 40, 1, folded=folded, mark=mark):
            text = line_text(line)
            assert "\x1b" not in text
            assert "\n" not in text
