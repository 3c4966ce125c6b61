"""A question about a day, asked as people ask it, through the command line, with a clock that stands still."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

NOW = "2026-11-30T09:00:00Z"  # a Monday


def memex(root: Path, *args: str, stdin: str = "") -> dict[str, Any]:
    env = {**os.environ, "MEMEX_NOW": NOW, "TZ": "UTC"}
    done = subprocess.run(
        [sys.executable, "-m", "memex_core.cli", "--root", str(root), *args, "--json"],
        input=stdin,
        capture_output=True,
        text=True,
        encoding="utf-8",
        env=env,
        check=True,
    )
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


def test_what_did_we_do_last_tuesday(tmp_path: Path) -> None:
    root = tmp_path / "store"
    memex(
        root, "diary", "append", "--date", "2026-11-24", "--time", "14:30", "Moved the server to Falkenstein."
    )
    memex(root, "diary", "append", "--date", "2026-11-23", "Painted the fence.")
    memex(
        root,
        "write",
        "--type",
        "decision",
        "--title",
        "Kettle 4",
        "--body",
        "Pinned.",
        "--occurred-at",
        "2026-11-24",
    )
    memex(root, "write", "--type", "fact", "--title", "Cores", "--body", "The server has four cores.")
    turns = tmp_path / "turns.jsonl"
    turns.write_text(
        json.dumps({"role": "user", "content": "Let us pin the kettle.", "ts": "2026-11-24T08:00:00Z"})
        + "\n"
        + json.dumps({"role": "agent", "content": "Pinned to 4.", "ts": "2026-11-24T08:01:00Z"})
        + "\n"
    )
    memex(root, "ingest-transcript", "--session-id", "tuesday", "--turns-file", str(turns))

    answer = memex(root, "recall", "what did we do last Tuesday")
    assert answer["time_range"] == {
        "start": "2026-11-24",
        "end": "2026-11-25",
        "source": "parsed",
        "words": "last Tuesday",
        "zone": "+00:00",
        "widened": False,
    }
    found = {(hit["kind"], hit["slug"]) for hit in answer["hits"]}
    assert {
        ("diary", "2026-11-24#1"),
        ("page", "kettle-4"),
        ("turn", "tuesday#1"),
        ("turn", "tuesday#2"),
    } <= found
    assert all(hit["date"].startswith("2026-11-24") for hit in answer["hits"] if hit["kind"] != "page")
    assert not found & {("diary", "2026-11-23#1"), ("page", "cores")}

    explicit = memex(root, "recall", "server", "--when", "上周二")
    assert [hit["slug"] for hit in explicit["hits"]] == ["2026-11-24#1"]
    assert explicit["time_range"]["source"] == "explicit"

    context = memex(root, "context", "which cores has the server we moved last Tuesday")
    assert context["time_range"]["start"] == "2026-11-24"
    assert "cores" in context["hits"]
    assert (
        memex(root, "diary", "show", "last Tuesday")["entries"][0]["text"]
        == "Moved the server to Falkenstein."
    )
