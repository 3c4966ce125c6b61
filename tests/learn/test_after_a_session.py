"""Learning behind an agent's back, when its session ends: only where the person has turned it on."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from memex_core import Memex
from memex_core.files import transcripts
from tests.chat_server import ChatServer
from tests.harness.writing import Claude, lines
from tests.learn.conftest import choose, note, said

SID = "5e551000-0000-4000-8000-000000000001"
RUFF = "For this project I prefer ruff over flake8 and always will."


@pytest.fixture
def file(tmp_path: Path) -> Path:
    one = Claude(SID)
    path = tmp_path / "home" / ".claude" / "projects" / "-w-boat" / f"{SID}.jsonl"
    return lines(path, one.user("u1", RUFF), one.agent("a1", "Understood."))


def ended(memex: Memex, file: Path, event: str = "session-end") -> dict[str, Any]:
    payload = {"session_id": SID, "transcript_path": str(file)}
    memex.store.forget_config()
    done: dict[str, Any] = memex.hook(event, payload, wait=True)
    memex.look_again()
    return done


def test_with_auto_the_session_is_read_when_it_ends(memex: Memex, file: Path, server: ChatServer) -> None:
    server.says = [said(note())]
    choose(memex, server, auto=True)
    assert ended(memex, file, "transcript")["outcome"] == "captured"
    assert server.requests == []  # it goes on: nothing is asked yet
    assert ended(memex, file)["outcome"] == "captured"
    assert len(server.requests) == 1
    assert memex.show("ruff-for-linting")["status"] == "draft"
    assert ended(memex, file)["outcome"] == "captured"
    assert len(server.requests) == 1


def test_without_auto_no_model_is_asked(memex: Memex, file: Path, server: ChatServer) -> None:
    choose(memex, server)
    assert ended(memex, file)["outcome"] == "captured"
    assert (server.requests, memex.jobs_list()["counts"]["done"]) == ([], 0)
    assert len(transcripts.read_turns(memex.store.layout, SID)) == 2


def test_what_holds_or_fails_costs_the_agent_nothing(memex: Memex, file: Path, server: ChatServer) -> None:
    choose(memex, server, auto=True)
    server.behave("refused")
    assert ended(memex, file)["outcome"] == "captured"
    assert memex.jobs_list()["held"]["code"] == "key-refused"
    assert ended(memex, file)["outcome"] == "captured"
    assert len(server.requests) == 1  # what was refused is not tried by itself
    Path(memex.root, "memex.toml").write_text("[consolidation]\nauto = true\n")
    assert ended(memex, file)["outcome"] == "captured"
    assert memex.jobs_list()["held"]["code"] == "no-model"


def test_a_session_that_asked_not_to_be_kept_is_not_read(
    memex: Memex, file: Path, server: ChatServer
) -> None:
    choose(memex, server, auto=True)
    one = Claude(SID)
    one.last, one.minute = "a1", 5
    lines(file, one.user("u2", "DO NOT INDEX this conversation."), mode="ab")
    ended(memex, file)
    assert server.requests == []
    assert "flake8" not in json.dumps(memex.jobs_list())
