"""What ``memex doctor`` finds, and that looking changes nothing."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from memex_core.care import doctor_agents, doctor_machine
from memex_core.care.doctor import doctor
from memex_core.files import atomic, runs
from memex_core.model.errors import StoreMissing
from memex_core.recall.gate import quarantine

DEAD = 2**22 + 1  # no process has this number


def one(result: dict[str, Any], name: str) -> dict[str, Any]:
    return next(check for check in result["checks"] if check["name"] == name)


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the server: starting it costs seconds and one test does it."""
    monkeypatch.setattr(doctor_agents, "CHECKS", (doctor_agents.hooks, doctor_agents.receipts))


def files(root: Path) -> dict[str, bytes]:
    return {
        str(path): path.read_bytes()
        for path in root.rglob("*")
        if path.is_file() and not path.name.startswith("mem.db")
    }


def test_a_store_that_is_well(memex: Any, root: Path, quick: None) -> None:
    memex.write(type="entity", title="Oven", body="Hot.")
    before = files(root)
    result = memex.doctor()
    names = [check["name"] for check in result["checks"]]
    assert (
        names
        == (
            "store rights disk journal index leftovers clock settings rules learning hooks receipts agents versions terminal"
        ).split()
    )
    machine = ("disk", "terminal")  # may be small where the tests run
    wrong = [check for check in result["checks"] if check["level"] != "ok" and check["name"] not in machine]
    assert wrong == []
    assert (result["ok"], result["fixed"]) == (True, [])
    levels = {check["level"] for check in result["checks"]}
    assert result["result"] == {True: "PASS", False: "PARTIAL"}[levels == {"ok"}]
    assert one(result, "store")["detail"].endswith("a store, 1 page")
    assert one(result, "index")["detail"] == "1 page"
    assert all(set(check) == {"name", "ok", "level", "detail", "files", "fix"} for check in result["checks"])
    assert files(root) == before


def test_the_server_answers(memex: Any) -> None:
    found = doctor_agents.server(memex.store.layout, dict(os.environ))
    assert found["level"] in ("ok", "warn"), found  # slow is a warning, and this machine may be
    assert found["detail"].startswith("answers with ")


def test_a_server_that_says_something_else(memex: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    for code, said in (
        ("print('hello')", "something else"),
        ("raise SystemExit('no mcp here')", "no mcp here"),
    ):
        program = memex.root + "/server"
        Path(program).write_text(f"#!{os.path.realpath('/usr/bin/env')} python3\n{code}\n")
        os.chmod(program, 0o755)
        monkeypatch.setattr(doctor_agents.sys, "executable", program)
        found = doctor_agents.server(memex.store.layout, dict(os.environ))
        assert found["level"] == "fail"
        assert said in found["detail"]


def test_no_store_is_a_finding(tmp_path: Path) -> None:
    result = doctor(None, os.environ, str(tmp_path), missing=StoreMissing("no folder x"))
    assert (result["result"], result["ok"]) == ("FAIL", False)
    assert one(result, "store")["fix"] == "memex init"
    assert one(result, "versions")["ok"] is True


def test_what_a_killed_writer_left(memex: Any, root: Path, quick: None) -> None:
    memex.write(type="entity", title="Oven", body="Hot.")
    name = os.path.basename(atomic.temporary_name()).replace(f"-{os.getpid()}-", f"-{DEAD}-")
    left = root / "docs" / "entities" / name
    left.write_bytes(b"half")
    mine = root / "docs" / "entities" / ".memex-notes.tmp"
    mine.write_bytes(b"mine")
    found = one(memex.doctor(), "leftovers")
    assert (found["level"], found["fix"]) == ("warn", "memex doctor --fix")
    assert name in found["detail"]
    assert left.exists()
    would = memex.doctor(fix=True, dry_run=True)
    assert (would["fixed"], left.exists()) == ([name], True)
    result = memex.doctor(fix=True)
    assert (result["fixed"], one(result, "leftovers")["ok"]) == ([name], True)
    assert (left.exists(), mine.exists()) == (False, True)


def test_a_damaged_journal_and_a_torn_tail(memex: Any, root: Path, quick: None) -> None:
    memex.write(type="entity", title="Oven", body="Hot.")
    journal = root / "journal.jsonl"
    whole = journal.read_bytes()
    journal.write_bytes(whole + b'{"seq": 2, "ts"')
    assert one(memex.doctor(), "journal")["detail"] == "the last line is cut off"
    journal.write_bytes(b"no event\n" + whole)
    found = one(memex.doctor(), "journal")
    assert (found["level"], found["files"][0]["line"]) == ("warn", 1)
    check = next(check for check in memex.verify()["checks"] if check["name"] == "journal-whole")
    assert (check["ok"], check["files"][0]["line"]) == (False, 1)


def test_an_index_that_is_behind(memex: Any, root: Path, quick: None) -> None:
    memex.write(type="entity", title="Oven", body="Hot.")
    (root / "docs" / "new.md").write_text("New.\n")
    found = one(memex.doctor(), "index")
    assert (found["level"], found["detail"], found["fix"]) == (
        "warn",
        "1 file newer than it",
        "memex rebuild-index",
    )


def test_settings_and_rules(memex: Any, root: Path, quick: None) -> None:
    config = root / "memex.toml"
    config.write_text('[pages]\nslug = 3\n[capture]\nscrub = "off"\n')
    found = one(memex.doctor(), "settings")
    assert (found["level"], len(found["files"])) == ("warn", 2)
    config.write_text("[pages\n")
    found = one(memex.doctor(), "settings")
    assert found["level"] == "fail"
    assert "memex.toml" in found["detail"]
    (root / "rules").mkdir()
    (root / "rules" / "gate.toml").write_text("not [ toml\n")
    result = memex.doctor()
    assert one(result, "rules")["level"] == "fail"
    slow = '[[pattern]]\nintent = "memory"\nsource = "^slow!$"\n'
    (root / "rules" / "gate.toml").write_text(slow)
    assert one(memex.doctor(), "rules")["level"] == "ok"
    quarantine.put(memex.store.layout, "slow", quarantine.hash_of("^slow!$", ""), 60.0, 50)
    found = one(memex.doctor(), "rules")
    assert (found["level"], found["fix"]) == ("fail", "memex gate quarantine")
    assert found["detail"].startswith("user.memory.")
    assert "took too long" in found["detail"]
    (root / "rules" / "gate.toml").write_text(slow.replace("slow!", "slow!?"))
    assert one(memex.doctor(), "rules")["level"] == "ok"  # another rule by now
    (root / "rules" / "extract.toml").write_text("[[never]]\npatern = 'x'\n")
    found = one(memex.doctor(), "rules")
    assert (found["level"], found["fix"], found["files"][0]["line"]) == ("fail", "memex rules validate", 1)
    assert result["result"] == "FAIL"


@pytest.mark.skipif(os.name == "nt", reason="rights are others there")
def test_an_api_key_that_others_can_read(memex: Any, root: Path, quick: None) -> None:
    config = root / "memex.toml"
    config.write_text('[llm]\napi_key = "x"\n')
    config.chmod(0o644)
    found = one(memex.doctor(), "rights")
    assert (found["level"], found["fix"]) == ("warn", f"chmod go-r '{config}'")
    config.chmod(0o600)
    assert one(memex.doctor(), "rights")["level"] == "ok"


def test_a_clock_that_went_back(memex: Any, later: Any, quick: None) -> None:
    later("2026-11-02T10:00:00Z")
    memex.write(type="entity", title="Oven", body="Hot.")
    later("2026-11-01T10:00:00Z")
    found = one(memex.doctor(), "clock")
    assert found["level"] == "warn"
    assert "2026-11-02T10:00:00Z" in found["detail"]


def test_hooks_that_run_and_fail(memex: Any, later: Any, quick: None) -> None:
    layout = memex.store.layout
    later("2026-11-01T10:00:00Z")
    runs.log(layout, kind="hook", ok=True)
    later("2026-11-20T10:00:00Z")
    assert one(memex.doctor(), "hooks")["detail"] == "no agent calls them"
    for ok in (True, True, True, False, False):
        runs.log(layout, kind="hook", ok=ok)
    found = one(memex.doctor(), "hooks")
    assert (found["level"], "5 ran in 7 days" in found["detail"]) == ("fail", True)


def test_memory_that_was_given_without_a_receipt(memex: Any, quick: None) -> None:
    runs.log(memex.store.layout, kind="hook", ok=True, pages=2)
    found = one(memex.doctor(), "receipts")
    assert (found["level"], found["detail"]) == ("fail", "memory was given 1 times, and none is on record")


def test_prompts_that_find_nothing_time_after_time(memex: Any, quick: None) -> None:
    memex.write(type="entity", title="Oven", body="Hot.")

    def ask(prompt: str, times: int) -> None:
        for number in range(times):
            memex.hook("prompt", {"session_id": f"s-{number}", "prompt": prompt})

    ask("do you remember the lighthouse keeper?", 7)
    ask("thanks", 7)  # memory was not looked at
    assert one(memex.doctor(), "receipts")["level"] == "ok"
    ask("do you remember the lighthouse keeper?", 1)
    found = one(memex.doctor(), "receipts")
    assert found["level"] == "warn"
    assert "nothing for the last 8 prompts" in found["detail"]
    ask("do you remember the oven?", 1)
    assert one(memex.doctor(), "receipts")["level"] == "ok"


def test_an_agent_whose_settings_cannot_be_read(memex: Any, tmp_path: Path, quick: None) -> None:
    home = tmp_path / "home" / ".claude"
    home.mkdir(parents=True)
    assert one(memex.doctor(), "agents")["detail"] == "none is connected; Claude Code would be"
    entry = {
        "hooks": {
            "UserPromptSubmit": [{"hooks": [{"type": "command", "command": "/gone/memex hook prompt"}]}]
        }
    }
    (home / "settings.json").write_text(json.dumps(entry))
    found = one(memex.doctor(), "agents")
    assert found["level"] in ("warn", "fail"), found
    assert found["fix"] == "memex install"


@pytest.mark.parametrize(
    ("environ", "detail"),
    [
        (
            {"TERM": "xterm-256color", "LANG": "C.UTF-8"},
            "not on a terminal, xterm-256color, 256 colours, Unicode",
        ),
        (
            {"TERM": "xterm", "COLORTERM": "truecolor", "LC_ALL": "C", "LANG": "C.UTF-8"},
            "not on a terminal, xterm, 16 million colours, no Unicode",
        ),
        ({"TERM": "dumb", "LC_CTYPE": "de_DE.utf8"}, "not on a terminal, dumb, no colours, Unicode"),
        ({"TERM": "xterm", "NO_COLOR": "1"}, "not on a terminal, xterm, no colours (NO_COLOR), no Unicode"),
        ({}, "not on a terminal, no TERM, no colours, no Unicode"),
    ],
)
def test_what_the_terminal_can_show(
    environ: dict[str, str], detail: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Piped:
        def isatty(self) -> bool:
            return False

    monkeypatch.setattr(doctor_machine.sys, "stdout", Piped())
    assert doctor_machine.terminal(environ)["detail"] == detail


def test_activity_counts_what_agents_did(memex: Any, root: Path, later: Any) -> None:
    from memex_core import Memex

    def seen() -> dict[str, tuple[bool, str]]:
        report = memex.verify(since="2026-11-02", require_recall=True, require_write=True)
        return {c["name"]: (c["ok"], c["detail"]) for c in report["checks"] if c["name"].endswith("-seen")}

    later("2026-11-01T10:00:00Z")
    memex.write(type="entity", title="Oven", body="Hot.")
    memex.recall("oven")
    later("2026-11-02T10:00:00Z")
    assert seen() == {
        "recall-seen": (False, "0 since 2026-11-02"),
        "write-seen": (False, "0 since 2026-11-02"),
    }
    assert memex.verify(since="2026-11-02")["ok"] is True
    assert memex.verify(since="2026-11-02", require_write=True)["ok"] is False
    with Memex(root, actor="codex/1.4") as agent:
        agent.write(type="entity", title="Door", body="x")
    runs.log(memex.store.layout, kind="mcp", tool="memex_recall", ok=True)
    memex.look_again()
    memex.write(type="entity", title="Wall", body="x")
    assert seen() == {
        "recall-seen": (True, "1 since 2026-11-02, 1 of them by agents"),
        "write-seen": (True, "2 since 2026-11-02, 1 of them by agents"),
    }


def test_status_is_complete(memex: Any, later: Any) -> None:
    later("2026-11-02T10:00:00Z")
    memex.write(type="entity", title="Oven", body="Hot.", project="bakery")
    memex.write(type="entity", title="Door", body="x", status="draft")
    memex.write(type="entity", title="Old", body="x")
    memex.forget("old", mode="archive")
    memex.ingest_transcript(
        session_id="s-1", turns=[{"role": "user", "content": "Hi.", "ts": "2026-11-01T08:00:00Z"}]
    )
    runs.log(memex.store.layout, kind="hook", ok=True, ms=12.5)
    status = memex.status()
    assert (status["pending"], status["archived"], status["disputed"], status["projects"]) == (1, 1, 0, 1)
    assert status["by_scope"] == {"global": 3, "project": 1}
    assert status["last_session"] == {"unknown": "2026-11-01T08:00:00Z"}
    assert status["last_runs"] == {"hook": {"ts": "2026-11-02T10:00:00Z", "ok": True, "ms": 12.5}}
