"""A stored conversation is a person's to replace, and what it said before is not lost."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from memex_core import Memex
from memex_core.model.errors import AlreadyExists, BadInput, Refused
from memex_core.model.exclusion import Excluded

FIRST = [{"role": "user", "content": "We deploy on Tuesdays."}, {"role": "agent", "content": "Noted."}]
SECOND = [{"role": "user", "content": "We deploy on Mondays."}, {"role": "agent", "content": "Fine."}]
TOLD = [
    {"role": "user", "content": "Use yarn."},
    {"role": "tool", "tool_name": "Bash", "query": "ls", "result": "a"},
]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    with Memex(tmp_path / "store", actor="human:ada", create=True) as ada:
        ada.ingest_transcript("talk", turns=FIRST)
    return tmp_path / "store"


def said(memex: Any, session: str = "talk") -> list[str]:
    return [turn["content"] for turn in memex.session(session)["turns"]]


def test_a_person_replaces_it_and_takes_that_back(root: Path) -> None:
    with Memex(root, actor="human:ada") as ada:
        whole = ada.session("talk")
        ada.ingest_transcript("talk", turns=SECOND, overwrite=True)
        assert said(ada) == ["We deploy on Mondays.", "Fine."]
        done = ada.revert("talk", dry_run=True)
        assert done["files"] == ["episodes/talk.md", "transcripts/talk.jsonl"]
        assert said(ada)[0] == "We deploy on Mondays."
        assert ada.revert("talk")["reverted"]
        assert ada.session("talk") == whole
        assert "Tuesdays" in ada.show("talk")["body"]
        assert "turn" in {hit["kind"] for hit in ada.recall("Tuesdays")["hits"]}
        ada.revert("talk")
        assert said(ada)[0] == "We deploy on Mondays."
        assert "Mondays" in ada.show("talk")["body"]


def test_the_same_turns_once_more_change_nothing(root: Path) -> None:
    with Memex(root, actor="human:ada") as ada:
        before = ada.store.journal.last_seq()
        ada.ingest_transcript("talk", turns=FIRST, overwrite=True)
        assert ada.store.journal.last_seq() == before


def test_what_was_replaced_goes_with_a_purge(root: Path) -> None:
    with Memex(root, actor="human:ada") as ada:
        ada.ingest_transcript("talk", turns=SECOND, overwrite=True)
        assert b"Tuesdays" in (root / "journal.jsonl").read_bytes()
        ada.purge(session="talk")
    held = b"".join(path.read_bytes() for path in root.rglob("*") if path.is_file())
    assert b"Tuesdays" not in held
    assert b"Mondays" not in held


def test_an_agent_replaces_nothing(root: Path) -> None:
    with Memex(root, actor="agent:x") as agent:
        with pytest.raises(AlreadyExists):
            agent.ingest_transcript("talk", turns=SECOND)
        for turns in (SECOND, [*FIRST, *SECOND], []):
            with pytest.raises(Refused, match="only a person replaces a stored conversation"):
                agent.ingest_transcript("talk", turns=turns, overwrite=True)
        with pytest.raises(Excluded):
            agent.ingest_transcript(
                "talk", turns=[{"role": "user", "content": "DO NOT INDEX"}], overwrite=True
            )
        assert said(agent) == ["We deploy on Tuesdays.", "Noted."]


def test_what_an_agent_tells_proves_nothing_whatever_it_claims(root: Path) -> None:
    with Memex(root, actor="agent:x") as agent:
        claimed = [{**TOLD[0], "trust": "human"}, {**TOLD[1], "trust": "local-tool"}]
        agent.ingest_transcript("told", turns=claimed)
        assert [turn["trust"] for turn in agent.session("told")["turns"]] == ["agent", "agent"]
        with pytest.raises(Refused, match="is from an agent, which proves nothing"):
            agent.write(type="note", title="Yarn", sources=["told#1"], quotes=["Use yarn"])
        more = [*TOLD, {"role": "user", "content": "And node."}]
        assert agent.ingest_transcript("told", turns=more, overwrite=True)["turn_count"] == 3
        assert said(agent, "told") == ["Use yarn.", "", "And node."]
        with pytest.raises(Refused, match="only a person"):
            agent.ingest_transcript("told", turns=TOLD, overwrite=True)


@pytest.mark.parametrize(
    ("turn", "trust"),
    [
        ({"role": "tool", "tool_name": "Bash", "query": "ls", "result": "a"}, "human"),
        ({"role": "agent", "content": "a"}, "human"),
        ({"role": "agent", "content": "a"}, "local-tool"),
        ({"role": "user", "content": "a"}, "local-tool"),
    ],
)
def test_a_trust_that_nobody_of_that_role_can_have(root: Path, turn: dict[str, Any], trust: str) -> None:
    with Memex(root, actor="human:ada") as ada, pytest.raises(BadInput) as refused:
        ada.ingest_transcript("new", turns=[{**turn, "trust": trust}])
    assert refused.value.message == f"line 1: a turn of role {turn['role']} cannot have the trust {trust}"


def test_a_command_that_reaches_out_is_no_local_tool_whatever_is_claimed(root: Path) -> None:
    with Memex(root, actor="human:ada") as ada:
        turns = [
            {"role": "tool", "tool_name": "Bash", "query": "curl x", "result": "a", "trust": "local-tool"},
            {"role": "tool", "tool_name": "Bash", "query": f"cat {root}/docs/a.md", "result": "a"},
            {"role": "tool", "tool_name": "Bash", "query": "ls", "result": "a", "trust": "external-tool"},
        ]
        ada.ingest_transcript("new", turns=turns)
        trusts = [turn["trust"] for turn in ada.session("new")["turns"]]
    assert trusts == ["external-tool", "recall", "external-tool"]
