"""Acceptance tests 16 to 18: conversations are kept, linked to their episode, and traced back to."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

TURNS = [
    {"role": "user", "content": "I prefer ruff for linting, never flake8.", "ts": "2026-09-15T10:00:00Z",
     "turn": 1},
    {"role": "agent", "content": "Configured ruff as the linter.", "ts": "2026-09-15T10:00:01Z", "turn": 2},
    {"role": "tool", "content": "shell", "tool_name": "shell", "query": "pip install ruff", "result": "ok",
     "ts": "2026-09-15T10:00:02Z", "turn": 3},
]  # fmt: skip


def test_transcript_ingest_and_link(memex: Any, cli: Any, root: Path, tmp_path: Path) -> None:
    turns = tmp_path / "turns.jsonl"
    turns.write_text("".join(json.dumps(turn) + "\n" for turn in TURNS), encoding="utf-8")
    done = cli("ingest-transcript", "--session-id", "sess-abc", "--turns-file", str(turns), "--json")
    assert done.returncode == 0, done.stderr
    report = done.json
    assert (report["turn_count"], report["user_turns"], report["agent_turns"], report["tool_turns"]) == (
        3,
        1,
        1,
        1,
    )
    assert report["new_turns"] == 3
    stored = [
        json.loads(line) for line in Path(report["transcript_file"]).read_text("utf-8").split("\n") if line
    ]
    said = [turn for turn in stored if turn.get("type") != "memex_session_header"]
    assert [turn["content"] for turn in said] == [turn["content"] for turn in TURNS]
    meta = json.loads(Path(report["meta_file"]).read_text("utf-8"))
    assert (meta["session_id"], meta["turn_count"]) == ("sess-abc", 3)
    assert Path(report["transcript_file"]) == root / "transcripts" / "sess-abc.jsonl"
    episode = memex.show(report["episode_node"])
    assert episode["node_type"] == "episode"
    assert episode["transcript_ref"] == "transcripts/sess-abc.jsonl"
    assert Path(report["episode_file_path"]) == root / "docs" / "episodes" / "sess-abc.md"

    again = cli("ingest-transcript", "--session-id", "sess-abc", "--turns-file", str(turns), "--json")
    assert again.returncode == 1
    assert again.json["error"]["code"] == "exists"


def test_transcript_provenance_trace(memex: Any) -> None:
    memex.write(type="preference", title="User prefers ruff", body="Said in [[sess-abc]].")
    memex.ingest_transcript("sess-abc", turns=TURNS)
    report = memex.trace("user-prefers-ruff")
    assert report["confidence"] == "inferred"
    assert report["linked_episodes"] == ["sess-abc"]
    assert [Path(file).name for file in report["transcript_files"]] == ["sess-abc.jsonl"]
    assert report["direct_transcript_ref"] is None
    assert memex.trace("sess-abc")["confidence"] == "direct"
    memex.write(type="entity", title="Unrelated", body="x")
    assert memex.trace("unrelated")["confidence"] == "none"

    memex.write(
        type="preference", title="Ruff, proven", body="x", sources=["sess-abc#1", "sess-abc#3:context"]
    )
    proven = memex.trace("ruff-proven")
    assert proven["confidence"] == "direct"
    assert [(entry["session"], entry["turn"], entry["found"]) for entry in proven["evidence"]] == [
        ("sess-abc", 1, True)
    ]
    assert [entry["turn"] for entry in proven["context"]] == [3]


def test_transcript_list_sessions(memex: Any) -> None:
    for number, day in enumerate(("03", "01", "02"), 1):
        turns = [{**turn, "ts": turn["ts"].replace("-15T", f"-{day}T")} for turn in TURNS[: number + 0]]
        memex.ingest_transcript(f"sess-{number}", turns=turns)
    found = memex.sessions()
    assert [(s["session_id"], s["turn_count"]) for s in found["sessions"]] == [
        ("sess-1", 1),
        ("sess-3", 3),
        ("sess-2", 2),
    ]
    assert [s["started_at"][:10] for s in found["sessions"]] == ["2026-09-03", "2026-09-02", "2026-09-01"]
    assert [s["episode_slug"] for s in found["sessions"]] == ["sess-1", "sess-3", "sess-2"]
    assert found["sessions"][1]["tool_turns"] == 1
