"""The log of runs: one line each, without text, never in the way, and never large."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from memex_core.files import runs
from memex_core.model.errors import BadInput


def lines(memex: Any) -> list[dict[str, Any]]:
    path = Path(runs.path_of(memex.store.layout))
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def test_a_line_a_run(memex: Any, later: Any) -> None:
    later("2026-11-02T08:00:00Z")
    with runs.Run(memex.store.layout, "hook", event="prompt", session="s-1") as run:
        run.note(pages=3, agent="codex/1.4", outcome="given")
    (line,) = lines(memex)
    assert line.pop("ms") >= 0
    assert line == {
        "ts": "2026-11-02T08:00:00Z",
        "ok": True,
        "kind": "hook",
        "event": "prompt",
        "session": "s-1",
        "pages": 3,
        "agent": "codex/1.4",
        "outcome": "given",
    }


def test_a_failure_is_a_line_and_still_a_failure(memex: Any) -> None:
    with pytest.raises(BadInput), runs.Run(memex.store.layout, "mcp", tool="memex_show"):
        raise BadInput("no page is called 'my secret plan'")
    (line,) = lines(memex)
    assert (line["ok"], line["error"]) == (False, BadInput("").code)
    assert "secret" not in json.dumps(line)


def test_never_text(memex: Any) -> None:
    runs.log(memex.store.layout, kind="hook", agent="a\nb", event="x" * 81, outcome="Où est-il?", who=["a"])
    (line,) = lines(memex)
    assert set(line) == {"ts", "kind"}


def test_the_file_is_put_aside_when_large(memex: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runs, "LARGEST", 1000)
    for number in range(60):
        runs.log(memex.store.layout, kind="mcp", number=number)
    logs = Path(memex.store.layout.logs)
    assert sorted(os.listdir(logs)) == ["runs.1.jsonl", "runs.jsonl"]
    assert all(path.stat().st_size < 1100 for path in logs.iterdir())
    assert [run["number"] for run in runs.read(memex.store.layout, "mcp")][:3] == [59, 58, 57]
    assert list(runs.read(memex.store.layout, "hook")) == []


def test_what_cannot_be_written_is_not_logged(memex: Any, tmp_path: Path) -> None:
    layout = memex.store.layout
    elsewhere = tmp_path / "mine"
    elsewhere.write_text("mine")
    os.makedirs(layout.logs, exist_ok=True)
    os.symlink(elsewhere, runs.path_of(layout))
    runs.log(layout, kind="hook")
    assert elsewhere.read_text() == "mine"
    os.unlink(runs.path_of(layout))
    os.rmdir(layout.logs)
    Path(layout.logs).write_text("a file")
    runs.log(layout, kind="hook")
    assert list(runs.read(layout)) == []


def test_damaged_lines_are_passed_by(memex: Any) -> None:
    runs.log(memex.store.layout, kind="hook")
    with open(runs.path_of(memex.store.layout), "ab") as file:
        file.write(b'\xff\n[]\n{}\n{"ts": ')
    assert [run["kind"] for run in runs.read(memex.store.layout)] == ["hook"]


def test_hooks_are_logged(memex: Any) -> None:
    memex.hook(
        "prompt", {"session_id": "s-1", "prompt": "my very secret question", "cwd": "/"}, agent="codex"
    )
    (line,) = lines(memex)
    assert (line["kind"], line["event"], line["agent"], line["session"], line["ok"]) == (
        "hook",
        "prompt",
        "codex",
        "s-1",
        True,
    )
    assert "secret" not in json.dumps(line)


def fails() -> None:
    raise KeyError("my very secret plan")


def test_what_nobody_foresaw_is_logged_with_its_place(memex: Any, root: Path, later: Any) -> None:
    later("2026-11-02T08:00:00Z")
    layout = memex.store.layout

    def fail() -> str:
        with pytest.raises(KeyError), runs.Run(layout, "mcp", tool="memex_show"):
            fails()
        log = Path(layout.logs, "memex.log")
        return log.read_text() if log.exists() else ""

    assert fail().startswith("2026-11-02T08:00:00Z ERROR mcp: KeyError at tests/files/test_runs.py:")
    assert "secret" not in fail()
    assert fail().count("\n") == 3
    elsewhere = root / "elsewhere" / "a.log"
    (root / "memex.toml").write_text(f'[logging]\nfile = "{elsewhere}"\n')
    fail()
    assert elsewhere.read_text().count("KeyError") == 1


def test_the_log_of_failures_is_put_aside_when_large(memex: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memex_core.files.log.LARGEST", 50)
    for _ in range(4):
        with pytest.raises(KeyError), runs.Run(memex.store.layout, "mcp"):
            fails()
    logs = Path(memex.store.layout.logs)
    assert {"memex.log", "memex.log.1"} <= set(os.listdir(logs))
    assert (logs / "memex.log").read_text().count("\n") == 1
