"""Receipts, read by a person: what was given, and why a page was not."""

from __future__ import annotations

from typing import Any

import pytest

from memex_core.actions.agents.receipts import explained
from memex_core.model.errors import BadInput

ASK = "how do we deploy the ferry?"


@pytest.fixture
def asked(memex: Any, tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.chdir(tmp_path)
    memex.write(type="procedure", title="Deploy the ferry", body="Pull, migrate, restart.")
    memex.write(type="entity", title="Harbour", body="The ferry lies in it. Nobody may deploy here.")
    for sid, prompt in (("s1", ASK), ("s1", "thanks"), ("s1", ASK), ("s2", "where does the ferry lie?")):
        memex.hook("prompt", {"session_id": sid, "prompt": prompt, "agent": "claude"})
    return memex


def test_all_of_them_newest_first(asked: Any) -> None:
    rows = asked.receipts()["receipts"]
    assert [(row["session"], row["state"]) for row in rows] == [
        ("s2", "emitted"),
        ("s1", "nothing"),
        ("s1", "nothing"),
        ("s1", "emitted"),
    ]
    assert [row["agent"] for row in rows] == ["claude"] * 4
    assert len(asked.receipts(limit=2)["receipts"]) == 2
    assert len(asked.receipts(session="s1")["receipts"]) == 3
    assert asked.receipts(session="s9")["receipts"] == []


def test_why_something_was_not_given_with_a_past_prompt(asked: Any) -> None:
    again, first = asked.receipts(prompt=f" {ASK}\n", session="s1")["receipts"]
    assert "deploy-the-ferry: given" in first["why"]
    assert "deploy-the-ferry: in the agent's context already" in again["why"]
    assert again["why"][0].startswith("gate: retrieve: ") or again["why"][0].startswith("gate: ambiguous: ")
    (skipped,) = asked.receipts(prompt="thanks")["receipts"]
    assert skipped["why"] == [
        "gate: skip: it only acknowledges (ack.en.words)",
        "outcome: memory was not looked at",
    ]
    assert asked.receipts(prompt="never said")["receipts"] == []


def test_every_reason_has_words() -> None:
    row = {
        "state": "prepared",
        "outcome": "injected",
        "pages": [{"slug": "a"}, {"slug": "b"}],
        "updated": ["b"],
        "withdrawn": ["c"],
        "withheld": [
            {"slug": "d", "reason": "below the floor"},
            {"slug": "e", "reason": "over budget"},
            {"slug": "f", "reason": "too many"},
            {"slug": "g", "reason": "disputed"},
            {"slug": "i", "reason": "an episode"},
            {"slug": "h", "reason": "something newer"},
        ],
        "work": True,
    }
    assert explained(row) == [
        "outcome: pages were given",
        "it was made ready and not printed: the agent went away, or the prompt was broken off",
        "a: given",
        "b: given again, since it changed",
        "c: withdrawn, it no longer holds",
        "d: not close enough to what the prompt is about",
        "e: no room in the block; it comes with a later one",
        "f: better pages came first",
        "g: one of its sources is disputed",
        "i: a conversation, of which better pages tell",
        "h: something newer",
        "the state of the work was given back",
    ]


def test_a_limit_is_at_least_one(memex: Any) -> None:
    with pytest.raises(BadInput, match="too small"):
        memex.receipts(limit=0)
