"""memex's own JSONL, read back."""

from __future__ import annotations

from pathlib import Path

from tests.harness.writing import lines, read, tools

HEAD = {
    "type": "memex_session_header", "harness": "pi", "session_id": "sess-1",
    "started_at": "2026-03-04T10:00:00Z", "meta": {"cwd": "/w/boat", "git": "main", "models": ["m"]},
}  # fmt: skip
TURNS = [
    {"role": "user", "content": "Row", "ts": "2026-03-04T10:01:00Z", "turn": 1, "xid": "a", "name": "Odile"},
    {
        "role": "tool",
        "tool_name": "bash",
        "query": "ls",
        "result": "hull",
        "content": "",
        "xid": "b",
        "trust": "recall",
    },
    {"role": "agent", "content": "Rowed."},
]


def test_a_file_with_a_header_keeps_its_session(tmp_path: Path) -> None:
    found = read(lines(tmp_path / "other.jsonl", HEAD, *TURNS, {"role": "robot"}))
    assert (found.session_id, found.agent) == ("sess-1", "pi")
    assert [turn["content"] for turn in found.turns] == ["Row", "", "Rowed."]
    assert [turn["xid"] for turn in found.turns][:2] == ["a", "b"]
    assert (found.turns[0]["name"], found.turns[1]["trust"]) == ("Odile", "recall")
    assert tools(found) == [("bash", "ls", "hull", None)]
    assert found.meta()["cwd"] == "/w/boat"
    assert found.memo["unknown"] == {"robot": 1}


def test_a_file_without_one_is_named_after_the_file(tmp_path: Path) -> None:
    found = read(lines(tmp_path / "sess-9.jsonl", *TURNS))
    assert (found.session_id, found.agent) == ("sess-9", "memex")
    assert len(found.turns) == 3
