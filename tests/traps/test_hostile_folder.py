"""A folder of Markdown from elsewhere brings its own ``.memex/``: nothing outside it is ours to write."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest


@pytest.fixture
def vault(root: Path) -> Path:
    (root / ".memex").mkdir(parents=True)
    (root / "a.md").write_text("# A\n")
    return root


def note(*events: dict[str, Any], made: tuple[str, ...] = ()) -> str:
    head = {"memex_intent": 1, "lines": len(events), "made": list(made)}
    return "\n" + "".join(json.dumps(each) + "\n" for each in (head, *events))


def event(seq: int, file: str, **detail: Any) -> dict[str, Any]:
    return {
        "seq": seq,
        "ts": "2026-11-30T00:00:00Z",
        "action": "update",
        "file": file,
        "item": "x",
        "actor": "x",
        "before": {"text": "evil"},
        "detail": {"group": 1, "after": None, **detail},
    }


@pytest.mark.parametrize("name", [".pending.jsonl", ".lock", "journal.jsonl", "mem.db", "mem.db.lock"])
def test_a_link_in_place_of_a_state_file_is_not_written_through(
    vault: Path, cli: Callable[..., Any], tmp_path: Path, name: str
) -> None:
    mine = tmp_path / "mine.txt"
    mine.write_text("keep me please\n")
    (vault / ".memex" / name).symlink_to(mine)
    for words in (
        ("list",),
        ("write", "--type", "entity", "--title", "T"),
        ("edit", "a.md", "--append", "x"),
    ):
        done = cli(*words)
        assert done.returncode in (0, 1)
        assert "unexpected" not in done.stderr
    assert mine.read_text() == "keep me please\n"


def test_a_note_of_an_act_cannot_name_a_file_outside(
    vault: Path, cli: Callable[..., Any], tmp_path: Path
) -> None:
    pending = vault / ".memex" / ".pending.jsonl"
    pending.write_text(note(event(1, "../owned.txt"), event(2, "a.md", after="0" * 32)))
    assert cli("list").returncode == 0
    assert not (tmp_path / "owned.txt").exists()
    assert (vault / "a.md").read_text() == "# A\n"
    assert pending.stat().st_size == 1


@pytest.mark.parametrize(
    "text",
    [
        "x",
        "\n{}\n",
        note({}),
        note({"seq": 1, "file": "a.md", "detail": {}}),
        note(event(1, "a\0.md")),
        note(event(1, "a.md", after=5)),
        note(event(1, "a.md", after="0" * 32), made=("../../x",)),
        note({**event(1, "a.md"), "before": {"b64": 5}}),
    ],
)
def test_a_damaged_note_stops_nobody(vault: Path, cli: Callable[..., Any], text: str) -> None:
    (vault / ".memex" / ".pending.jsonl").write_text(text)
    assert cli("list").returncode == 0
    done = cli("edit", "a.md", "--append", "more")
    assert (done.returncode, done.stderr) == (0, "")
    assert (vault / "a.md").read_text() == "# A\nmore\n"
