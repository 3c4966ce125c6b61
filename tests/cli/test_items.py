"""``memex items``: a store of items from the shell."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from memex_core.wikimem import MemoryStore


@pytest.fixture
def assistant(root: Path) -> MemoryStore:
    store = MemoryStore(root)
    store.add("preferences", "likes-the-sea", "喜欢海边。[[daily_life:beach-trip-plan]]")
    store.add("daily_life", "beach-trip-plan", "坐火车旅行。[[missing:gone]]")
    store.diary.append("晚上吃了拉面。", date="2026-07-22", time="19:00")
    return store


Run = Callable[..., Any]


def test_ls(assistant: MemoryStore, cli: Run) -> None:
    files = [{"file": "daily_life", "items": 1}, {"file": "preferences", "items": 1}]
    assert cli("items", "ls", "--json", check=True).json == {"files": files, "total": 2}
    assert cli("items", "ls", "--jsonl", check=True).stdout.count("\n") == 2
    assert [line.split() for line in cli("items", "ls", "--text", check=True).stdout.splitlines()] == [
        ["items", "file"],
        ["1", "daily_life"],
        ["1", "preferences"],
    ]


def test_show(assistant: MemoryStore, cli: Run) -> None:
    shown = cli("items", "show", "preferences", "likes-the-sea", "--json", check=True).json
    assert shown["items"][0]["content"] == "喜欢海边。[[daily_life:beach-trip-plan]]"
    assert shown["text"].startswith("## likes-the-sea\n\n喜欢海边。")
    text = cli("items", "show", "preferences", "--text", check=True).stdout
    assert text.startswith("# preferences\n\n## likes-the-sea\n")
    missing = cli("items", "show", "nothing", "--json")
    assert (missing.returncode, missing.json["error"]["code"]) == (1, "not-found")


def test_grep(assistant: MemoryStore, cli: Run) -> None:
    line = {"file": "daily_life", "name": "beach-trip-plan", "line": "坐火车旅行。[[missing:gone]]"}
    assert cli("items", "grep", "火车", "--json", check=True).json == {"matches": [line]}
    assert cli("items", "grep", "-i", "BEACH-trip-plan$", "--json", check=True).json == {"matches": [line]}
    assert "daily_life:beach-trip-plan:坐火车" in cli("items", "grep", "火车", "--text", check=True).stdout
    assert cli("items", "grep", "zzz", "--json", check=True).json == {"matches": []}
    assert cli("items", "grep", "(").returncode == 2


def test_explain(assistant: MemoryStore, cli: Run) -> None:
    answer = cli("items", "explain", "海边", "--json", check=True).json
    assert [(one["item"]["name"], one["source"]) for one in answer["items"]] == [
        ("likes-the-sea", "hit"),
        ("beach-trip-plan", "link"),
    ]
    assert (answer["tokens"], answer["time_range"]) == (["海边"], None)
    gated = cli(
        "items", "explain", "拉面", "--time-range", "2026-07-22", "--no-links", "--limit", "1", "--json"
    )
    assert gated.json["time_range"] == ["2026-07-22", "2026-07-22"]
    assert [one["item"]["file"] for one in gated.json["items"]] == ["2026-07-22"]
    text = cli("items", "explain", "海边", "--text", check=True).stdout
    assert "time gate: none (whole store)" in text and "links to nothing: " not in text
    assert cli("items", "explain", "x", "--time-range", "soon").returncode == 2


def test_graph(assistant: MemoryStore, cli: Run) -> None:
    graph = cli("items", "graph", "--json", check=True).json
    assert len(graph["nodes"]) == 3 and len(graph["edges"]) == 2
    assert cli("items", "graph", "--format", "json", "--text", check=True).json == graph
    assert cli("items", "graph", "--format", "mermaid", check=True).stdout.startswith("flowchart LR\n")
    text = cli("items", "graph", "--text", check=True).stdout
    assert "→ missing:gone" in text and "2 items, 2 links" in text


def test_a_folder_that_is_not_there_is_named_and_not_made(cli: Run, root: Path) -> None:
    done = cli("items", "ls", "--json")
    assert (done.returncode, done.json["error"]["code"]) == (1, "no-store")
    assert not root.exists()
