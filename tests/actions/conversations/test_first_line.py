"""A file of turns that says in its first line where it is from keeps that."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

HEAD = {
    "type": "memex_session_header",
    "harness": "codex",
    "session_id": "other",
    "meta": {"cwd": "/w/boat", "git": {"branch": "main"}, "provider": "lab"},
}
TURN = {"role": "user", "content": "Row", "ts": "2026-03-04T10:00:00Z"}


def test_agent_and_folder_of_an_ingested_file_are_kept(memex: Any, tmp_path: Path) -> None:
    file = tmp_path / "turns.jsonl"
    file.write_text("".join(json.dumps(line) + "\n" for line in (HEAD, TURN)))
    done = memex.ingest_transcript("sess-1", turns_file=str(file), metadata={"mood": "calm"})
    assert done["turn_count"] == 1
    meta = json.loads(Path(done["meta_file"]).read_text())
    assert (meta["harness"], meta["cwd"], meta["git_branch"]) == ("codex", "/w/boat", "main")
    assert meta["metadata"] == {"provider": "lab", "mood": "calm"}
    assert [one["agent"] for one in memex.sessions()["sessions"]] == ["codex"]
    first = json.loads(Path(done["transcript_file"]).read_text().split("\n")[0])
    assert (first["session_id"], first["harness"], first["meta"]["cwd"]) == ("sess-1", "codex", "/w/boat")
