"""pi's session files: the list of version 1 and the tree of version 3."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.harness.writing import Record, at, lines, read, said, tools

ID = "22220000-bbbb-4000-8000-000000000007"
PARENT = "22220000-bbbb-4000-8000-000000000001"
HEAD: Record = {"type": "session", "version": 3, "id": ID, "timestamp": at(0), "cwd": "/w/boat"}


class Tree:
    """Entries of a session, each the child of the one before unless told otherwise."""

    def __init__(self) -> None:
        self.last: str | None = None

    def entry(self, id: str, kind: str, **more: Any) -> Record:
        made = {"type": kind, "id": id, "parentId": more.pop("parent", self.last), "timestamp": at(1), **more}
        self.last = id
        return made

    def user(self, id: str, text: str, **more: Any) -> Record:
        return self.entry(
            id, "message", message={"role": "user", "content": [{"type": "text", "text": text}]}, **more
        )

    def agent(
        self, id: str, *blocks: Record | str, usage: Any = None, stop: str = "stop", **more: Any
    ) -> Record:
        content = [{"type": "text", "text": b} if isinstance(b, str) else b for b in blocks]
        message = {"role": "assistant", "content": content, "model": "p-1", "stopReason": stop}
        if usage is not None:
            message["usage"] = dict(zip(("input", "output", "cacheRead", "cacheWrite"), usage, strict=True))
        return self.entry(id, "message", message=message, **more)


def test_a_session_of_version_three(tmp_path: Path) -> None:
    tree = Tree()
    call = {"type": "toolCall", "id": "c1", "name": "bash", "arguments": {"command": "ls"}}
    result = {
        "role": "toolResult",
        "toolCallId": "c1",
        "toolName": "bash",
        "content": "hull",
        "isError": True,
    }
    path = lines(
        tmp_path / f"2026_{ID}.jsonl",
        HEAD,
        tree.entry("e1", "model_change", modelId="p-1"),
        tree.user("e2", "Look"),
        tree.agent("e3", {"type": "thinking", "thinking": "Where?"}, "Looking.", call, usage=(10, 5, 1, 2)),
        tree.entry("e4", "message", message=result),
        tree.agent("e5", "A hull.", usage=(20, 4, 3, 0)),
        tree.entry("e6", "session_info", name="Hull talk"),
        tree.entry("e7", "label", targetId="e5", label="good"),
    )
    found = read(path)
    assert found.session_id == ID
    assert said(found, "user") == ["Look"]
    assert said(found, "agent") == ["Looking.", "A hull."]
    assert tools(found) == [("bash", '{"command": "ls"}', "hull", True)]
    assert found.turns[1]["thinking"] == "Where?"
    assert found.usage() == {"input": 30, "output": 9, "cache_read": 4, "cache_write": 2}
    spent = [(row["turn"], *row["usage"].values()) for row in found.meta()["turn_token_usage"]]
    assert spent == [(2, 10, 5, 1, 2), (4, 20, 4, 3, 0)]
    assert (found.memo["facts"]["title"], found.memo["facts"]["labels"]) == ("Hull talk", {"e5": "good"})
    assert found.memo["marks"] == []


def test_another_way_marks_what_was_left_and_summaries_are_no_prompts(tmp_path: Path) -> None:
    tree = Tree()
    path = lines(
        tmp_path / "s.jsonl",
        {**HEAD, "parentSession": f"/home/x/--w--/2026_{PARENT}.jsonl"},
        tree.user("e1", "Paint it"),
        tree.agent("e2", "How?"),
        tree.user("e3", "Red"),
        tree.agent("e4", "Painted red."),
        tree.entry("e5", "label", targetId="e4", label="red"),
        tree.entry("e6", "branch_summary", parent="e2", summary="Red was tried."),
        tree.user("e7", "Blue"),
        tree.agent("e8", "Painted bl", stop="aborted", usage=(1, 1, 1, 1)),
        tree.entry("e9", "compaction", summary="Half blue.", tokensBefore=5000),
        tree.entry("e10", "custom_message", content="It rains.", display=False),
        tree.user("e11", "Finish"),
    )
    found = read(path)
    assert said(found, "user") == ["Paint it", "Red", "Blue", "Finish"]
    assert found.memo["marks"] == [[3, 4]]
    assert [(e["kind"], e.get("text")) for e in found.memo["events"]] == [
        ("summary", "Red was tried."),
        ("aborted", None),
        ("compaction", "Half blue."),
        ("extension", None),
    ]
    assert found.turns[5]["stopped"] == "aborted"
    assert found.memo["facts"]["forked_from"] == PARENT


def test_a_command_by_hand_is_a_tool_turn(tmp_path: Path) -> None:
    shell = {"role": "bashExecution", "command": "wc -l tins", "output": "2 tins\n", "exitCode": 1}
    found = read(lines(tmp_path / "s.jsonl", HEAD, Tree().entry("e1", "message", message=shell)))
    assert tools(found) == [("user-shell", "wc -l tins", "2 tins\n", True)]
    assert (found.turns[0]["exit_code"], found.turns[0]["trust"]) == (1, "local-tool")


def test_the_list_of_version_one(tmp_path: Path) -> None:
    def message(role: str, text: str, minute: int) -> Record:
        return {"type": "message", "timestamp": at(minute), "message": {"role": role, "content": text}}

    head = {
        "type": "session",
        "id": ID,
        "timestamp": at(0),
        "cwd": "/w/boat",
        "provider": "p",
        "modelId": "p-0",
    }
    path = lines(
        tmp_path / "s.jsonl",
        {"type": "title", "title": "Padded   "},
        head,
        message("user", "Row", 1),
        message("assistant", "Rowed.", 2),
        message("user", "Row", 3),
        {"type": "tea-break"},
    )
    found = read(path)
    assert [turn["content"] for turn in found.turns] == ["Row", "Rowed.", "Row"]
    assert len({turn["xid"] for turn in found.turns}) == 3
    assert found.usage() is None
    assert found.meta()["models"] == ["p-0"]
    assert found.memo["unknown"] == {"tea-break": 1}


def test_two_clocks(tmp_path: Path) -> None:
    message = {"role": "user", "content": "Row", "timestamp": 1767603602000}
    found = read(
        lines(
            tmp_path / "s.jsonl", HEAD, {"type": "message", "id": "e1", "parentId": None, "message": message}
        )
    )
    assert found.turns[0]["ts"] == "2026-01-05T09:00:02Z"
