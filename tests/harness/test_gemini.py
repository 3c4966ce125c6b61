"""Gemini CLI's session files: one document before, lines that patch each other since."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from memex_core.harness.places import conversations
from memex_core.harness.talk import Talk
from tests.harness.writing import Record, at, lines, read, said, tools

HEAD: Record = {
    "sessionId": "3333-c",
    "projectHash": "9f9f",
    "startTime": at(0),
    "lastUpdated": at(0),
    "kind": "main",
}


def user(id: str, text: Any) -> Record:
    return {"id": id, "timestamp": at(1), "type": "user", "content": text}


def agent(id: str, text: str, tokens: tuple[int, ...] | None = None, **more: Any) -> Record:
    made = {"id": id, "timestamp": at(2), "type": "gemini", "content": text, "model": "g-1", **more}
    if tokens is not None:
        made["tokens"] = dict(
            zip(("input", "output", "cached", "thoughts", "tool", "total"), tokens, strict=True)
        )
    return made


CALL = {"id": "t1", "name": "run_shell_command", "args": {"command": "scales"}, "status": "executing"}
ANSWER = [{"functionResponse": {"id": "t1", "response": {"output": "900 g"}}}]


def test_the_same_id_again_replaces(tmp_path: Path) -> None:
    path = lines(
        tmp_path / "session-1.jsonl",
        HEAD,
        user("g1", [{"text": "Weigh it"}]),
        agent("g2", "", (10, 1, 0, 0, 0, 11), toolCalls=[CALL]),
        agent("g2", "900 g.", (10, 21, 4, 6, 0, 37), toolCalls=[{**CALL, "result": ANSWER, "status": "success"}],
              thoughts=[{"subject": "Scales", "description": "Find them."}]),
        {"$set": {"summary": "Weighing", "lastUpdated": at(9)}},
    )  # fmt: skip
    found = read(path)
    assert said(found, "user") == ["Weigh it"]
    assert said(found, "agent") == ["900 g."]
    assert tools(found) == [("run_shell_command", '{"command": "scales"}', "900 g", False)]
    assert found.turns[1]["thinking"] == "Scales: Find them."
    assert found.usage() == {"input": 10, "output": 21, "cached": 4, "thoughts": 6, "tool": 0}
    assert found.memo["facts"]["title"] == "Weighing"
    assert found.memo["facts"]["ended_at"] == "2026-03-04T10:09:00Z"


def left(talk: Talk) -> list[str]:
    return [turn["content"] for turn in talk.turns if turn.get("abandoned")]


def test_rewinding_marks_a_message_and_all_behind_it(tmp_path: Path) -> None:
    path = lines(
        tmp_path / "session-1.jsonl",
        HEAD,
        user("g1", "Weigh it"),
        user("g2", "In stones"),
        agent("g3", "0.14 st", (20, 5, 0, 0, 0, 25)),
        {"$rewindTo": "g2"},
        user("g4", "In pounds"),
        {"id": "g5", "timestamp": at(3), "type": "info", "content": "Cancelled."},
    )
    found = read(path)
    assert [turn["content"] for turn in found.turns] == ["Weigh it", "In stones", "0.14 st", "In pounds"]
    assert left(found) == ["In stones", "0.14 st"]
    assert found.usage() is None
    assert [(e["kind"], e["text"]) for e in found.memo["events"]] == [("info", "Cancelled.")]
    unknown = read(
        lines(tmp_path / "b" / "session-1.jsonl", HEAD, user("g1", "a"), {"$rewindTo": "?"}, user("g2", "b"))
    )
    assert said(unknown, "user") == ["a", "b"]
    assert left(unknown) == ["a"]


def test_a_message_told_again_after_a_rewind_counts_again(tmp_path: Path) -> None:
    told = (user("g1", "Weigh it"), agent("g2", "900 g.", (10, 5, 0, 0, 0, 15)))
    found = read(lines(tmp_path / "session-1.jsonl", HEAD, *told, {"$rewindTo": "g1"}, *told))
    assert [turn["content"] for turn in found.turns] == ["Weigh it", "900 g."]
    assert left(found) == []
    usage = found.usage()
    assert usage is not None and usage["output"] == 5


def test_a_patch_may_carry_messages(tmp_path: Path) -> None:
    path = lines(
        tmp_path / "session-1.jsonl", HEAD, {"$set": {"messages": [user("g1", "One"), agent("g2", "Two")]}}
    )
    assert [turn["content"] for turn in read(path).turns] == ["One", "Two"]


def test_the_document_of_before(tmp_path: Path) -> None:
    path = tmp_path / "session-1.json"
    messages = [user("g1", "One"), agent("g2", "Two"), user("g3", "/quit"), 7, user("g4", None)]
    path.write_text(json.dumps({**HEAD, "messages": messages}))
    (found,) = conversations(str(path), [])
    assert (found.session_id, found.agent) == ("3333-c", "gemini")
    assert [turn["content"] for turn in found.turns] == ["One", "Two"]


def test_what_the_person_saw_is_what_was_typed(tmp_path: Path) -> None:
    message = {
        **user("g1", "Explain @hull.py\n--- content of hull.py ---"),
        "displayContent": "Explain @hull.py",
    }
    assert said(read(lines(tmp_path / "session-1.jsonl", HEAD, message)), "user") == ["Explain @hull.py"]
