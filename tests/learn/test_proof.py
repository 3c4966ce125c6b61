"""A note is proved by words that stand in a turn, of somebody who may prove."""

from __future__ import annotations

from typing import Any

import pytest

from memex_core import Memex
from memex_core.learn.answer import read
from memex_core.learn.proof import Proof, prove, words_in
from tests.chat_server import ChatServer
from tests.learn.conftest import Talk, choose, note, said

TURNS: list[dict[str, Any]] = [
    {
        "turn": 1,
        "role": "user",
        "content": "I prefer ruff\nover  flake8, always.",
        "trust": "human",
        "xid": "a",
    },
    {"turn": 2, "role": "agent", "content": "You prefer ruff over flake8.", "trust": "agent", "xid": "b"},
    {
        "turn": 3,
        "role": "tool",
        "tool_name": "Bash",
        "query": "python -V",
        "result": "Python 3.11.9",
        "trust": "local-tool",
        "xid": "c",
    },
    {
        "turn": 4,
        "role": "tool",
        "tool_name": "WebFetch",
        "result": "Python 3.14 is out",
        "trust": "external-tool",
    },
    {"turn": 5, "role": "user", "content": "우리는 탭을 쓰지 않는다", "trust": "human", "xid": "e"},
    {"turn": 6, "role": "tool", "tool_name": "mcp__memex__recall", "result": "old memory", "trust": "recall"},
    {"turn": 7, "role": "user", "content": "yes, and we never deploy on Fridays", "xid": "g"},
]


def proof(**values: Any) -> Proof:
    (one,) = read(said(note(**values))).notes
    return prove(one, TURNS)


def test_words_are_found_whatever_the_blanks_between_them() -> None:
    found = proof(quotes=[{"turn": 1, "quote": "prefer ruff over flake8"}])
    assert (found.reason, found.grounding) == ("", "explicit")
    assert [(one.turn, one.xid, one.lane) for one in found.cited] == [(1, "a", "evidence")]


def test_a_tool_proves_by_what_it_gave_back_not_by_what_it_was_asked() -> None:
    shown = proof(quotes=[{"turn": 3, "quote": "Python 3.11.9"}], grounding="verified")
    assert (shown.grounding, shown.cited[0].turn) == ("verified", 3)
    asked = proof(quotes=[{"turn": 3, "quote": "python -V"}])
    assert asked.reason == "turn 3 does not say what it quotes"


@pytest.mark.parametrize(
    "quote",
    ["prefers ruff over flake8", "prefer Ruff over flake8", "refer ruff over", "prefer ruff … flake8"],
)
def test_words_that_are_not_exact_are_invented(quote: str) -> None:
    assert proof(quotes=[{"turn": 1, "quote": quote}]).reason == "turn 1 does not say what it quotes"


@pytest.mark.parametrize(
    ("quote", "exact"),
    [
        ("“I don't like tabs”", "I don’t like tabs"),
        ("I don't  like\ntabs", "I don’t like tabs"),
        ("I’ll use 'four - spaces'", "I'll use ‘four – spaces"),
        ("I don't like tabs...", "I don’t like tabs"),
        ("…don’t like tabs, and", "don’t like tabs, and"),
        ("i don't like tabs", ""),
        ("I don't like … spaces", ""),
        ("I don't like tab", ""),
        ("I do not like tabs", ""),
        ("“…”", ""),
    ],
)
def test_another_form_of_a_mark_is_no_other_word_and_what_stands_there_is_cited(
    quote: str, exact: str
) -> None:
    text = "Well, I don’t like tabs, and I'll use ‘four – spaces’ instead."
    assert words_in(quote, text) == exact


def test_what_is_cited_is_found_by_the_strict_check(memex: Memex, talk: Talk, server: ChatServer) -> None:
    talk("sess-1", "I don’t like tabs, and never will.")
    choose(memex, server)
    server.says = [said(note(title="No tabs", quotes=[{"turn": 1, "quote": "'I don't like tabs'"}]))]
    assert [row["slug"] for row in memex.consolidate()["nodes_created"]] == ["no-tabs"]
    (evidence,) = memex.trace("no-tabs")["evidence"]
    assert (evidence["quote"], evidence["found"]) == ("I don’t like tabs", True)


def test_one_invented_quote_spoils_the_note() -> None:
    quotes = [{"turn": 1, "quote": "I prefer ruff"}, {"turn": 7, "quote": "we always deploy on Fridays"}]
    assert "turn 7 does not say" in proof(quotes=quotes).reason


def test_words_of_the_assistant_are_context() -> None:
    quotes = [{"turn": 1, "quote": "I prefer ruff"}, {"turn": 2, "quote": "You prefer ruff over flake8"}]
    assert [one.lane for one in proof(quotes=quotes).cited] == ["evidence", "context"]
    assert "proves nothing" in proof(quotes=quotes[1:]).reason


@pytest.mark.parametrize("turn", [4, 6])
def test_what_came_from_elsewhere_or_from_memory_was_not_shown(turn: int) -> None:
    assert "was not shown" in proof(quotes=[{"turn": turn, "quote": "Python 3.14 is out"}]).reason


@pytest.mark.parametrize(
    ("turns", "grounding", "reason"),
    [
        ((1,), "explicit", ""),
        ((3,), "explicit", "it claims that the person says so, and quotes no turn of the person"),
        ((3,), "verified", ""),
        ((1,), "verified", "it claims that a tool shows it, and quotes no output of a local tool"),
        ((1, 3), "inferred", ""),
        ((1, 1), "inferred", "it is inferred, which takes two turns that prove"),
        ((1, 2), "inferred", "it is inferred, which takes two turns that prove"),
        ((1,), "certain", "its grounding is none of explicit, verified, inferred"),
    ],
)
def test_a_grounding_is_what_it_claims(turns: tuple[int, ...], grounding: str, reason: str) -> None:
    words = {1: "I prefer ruff", 2: "You prefer ruff over flake8", 3: "Python 3.11.9"}
    found = proof(quotes=[{"turn": turn, "quote": words[turn]} for turn in turns], grounding=grounding)
    assert found.reason == reason


@pytest.mark.parametrize(
    ("turn", "quote", "grounding"), [(1, "I prefer ruff", "explicit"), (3, "3.11.9", "verified")]
)
def test_a_grounding_that_is_not_said_follows_from_the_turns(turn: int, quote: str, grounding: str) -> None:
    quote = "Python 3.11.9" if turn == 3 else quote
    assert proof(quotes=[{"turn": turn, "quote": quote}], grounding="").grounding == grounding


@pytest.mark.parametrize(("turn", "quote", "short"), [(7, "yes", True), (7, "on", True), (5, "탭을", False)])
def test_a_word_that_stands_anywhere_proves_nothing(turn: int, quote: str, short: bool) -> None:
    reason = proof(quotes=[{"turn": turn, "quote": quote}]).reason
    assert reason == (f"its quote of turn {turn} is too short to prove anything" if short else "")


def test_what_is_not_durable_or_quotes_nothing_is_refused_first() -> None:
    assert proof(durable=False).reason == "it is not said to be durable"
    assert proof(quotes=[]).reason == "it quotes no turn"


def test_memory_that_a_host_put_beside_the_words_proves_nothing() -> None:
    memory = "=== memex memory: 1 page ===\nWe deploy only on Mondays.\n=== end of memex memory ==="
    turns = [{"turn": 1, "role": "user", "content": f"{memory}\nAlways use four spaces.", "trust": "human"}]
    for quote, reason in (
        ("We deploy only on Mondays", "turn 1 does not say what it quotes"),
        ("Always use four spaces", ""),
    ):
        (one,) = read(said(note(quotes=[{"turn": 1, "quote": quote}]))).notes
        assert prove(one, turns).reason == reason
