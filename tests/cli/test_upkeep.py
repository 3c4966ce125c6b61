"""Diary, conversations, upkeep, archives and the demo as processes."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

from memex_core import Memex
from memex_core.cli import archive, main
from memex_core.model.errors import NotFound
from tests.cli.conftest import Runner
from tests.cli.test_pages import pages_of

TURNS = [
    {"role": "user", "content": "Use ruff, never flake8.", "ts": "2026-11-27T09:00:00Z"},
    {"role": "agent", "content": "Done."},
]


@pytest.fixture
def turns(tmp_path: Path) -> Path:
    path = tmp_path / "turns.jsonl"
    path.write_text("".join(json.dumps(turn) + "\n" for turn in TURNS), encoding="utf-8")
    return path


# -- diary ---------------------------------------------------------------------------------


def test_diary(memex: Runner, store: Path) -> None:
    assert memex("diary", "append", "Dry.", "--dry-run").code == 0
    assert memex("diary", "dates").json["dates"] == []
    done = memex("diary", "append", "Rain", "all", "day.", "--date", "2026-11-26", "--time", "19:40")
    assert done.code == 0, done.err
    memex("diary", "append", "-", "--date", "2026-11-27", stdin="Sonne über 東京.\n".encode())
    shown = memex("diary", "show", "2026-11-26").json["entries"]
    assert [(entry["date"], entry["time"], entry["text"]) for entry in shown] == [
        ("2026-11-26", "19:40", "Rain all day.")
    ]
    assert "東京" in memex("diary", "show").json["entries"][0]["text"]
    assert len(memex("diary", "show", "2026-11-01..2026-11-30").json["entries"]) == 2
    assert len(memex("diary", "dates").json["dates"]) == 2
    assert memex("recall", "rain", "--in", "diary").json["hits"][0]["kind"] == "diary"


@pytest.mark.parametrize(
    "words",
    [
        ("diary", "append", ""),
        ("diary", "append", "x", "--date", "yesterday-ish"),
        ("diary", "append", "x", "--time", "25:99"),
        ("diary", "append", "x", "--tz", "Mars/Olympus"),
        ("diary", "show", "2026-13-45"),
    ],
)
def test_diary_refuses(memex: Runner, store: Path, words: tuple[str, ...]) -> None:
    done = memex(*words)
    assert done.code == 2, done
    assert done.err.count("\n") == 1
    assert not list(store.rglob("diary/*.md"))


# -- conversations -------------------------------------------------------------------------


def test_conversations(memex: Runner, store: Path, turns: Path) -> None:
    assert memex("ingest-transcript", "--session-id", "s1", "--turns-file", str(turns), "--dry-run").code == 0
    assert memex("sessions").json["sessions"] == []
    done = memex("ingest-transcript", "--session-id", "s1", "--turns-file", str(turns))
    assert done.code == 0, done.err
    assert (done.json["turn_count"], done.json["user_turns"], done.json["new_turns"]) == (2, 1, 2)
    assert memex("ingest-transcript", "--session-id", "s1", "--turns-file", str(turns)).code == 1
    piped = memex("ingest-transcript", "--session-id", "s2", "--turns-file", "-", stdin=turns.read_bytes())
    assert (piped.code, piped.json["turn_count"]) == (0, 2), piped.err
    assert {one["session_id"] for one in memex("sessions").json["sessions"]} == {"s1", "s2"}
    assert [turn["content"] for turn in memex("session", "s1").json["turns"]] == [
        "Use ruff, never flake8.",
        "Done.",
    ]
    assert [turn["turn"] for turn in memex("session", "s1", "--turns", "2-2").json["turns"]] == [2]
    done = memex("write", "--type", "preference", "--title", "Sourced", "--body", "x", "--source", "s1#1")
    assert done.code == 0, done.err
    traced = memex("trace", "sourced").json
    assert (traced["confidence"], traced["evidence"][0]["turn"], traced["evidence"][0]["found"]) == (
        "direct",
        1,
        True,
    )
    assert memex("trace", "shop").json["confidence"] == "none"
    bare = memex("clear-transcripts")
    assert (bare.code, bare.json["cleared"], bare.json["sessions"]) == (1, False, 2)
    assert memex("clear-transcripts", "--dry-run").code == 0
    assert memex("session", "s1").code == 0
    assert memex("clear-transcripts", "--yes").json["cleared"] is True
    assert memex("session", "s1").code == 1


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("ingest-transcript", "--session-id", "../x", "--turns-file", "turns.jsonl"), (1, 2)),
        (("ingest-transcript", "--session-id", "s", "--turns-file", "missing"), (1,)),
        (("ingest-transcript", "--session-id", "s", "--turns-file", "bad.jsonl"), (1, 2)),
        (("ingest-transcript", "--session-id", "s"), (2,)),
        (("session", "nope"), (1,)),
        (("session", "nope", "--turns", "9-1"), (1, 2)),
        (("trace", "nope"), (1,)),
    ],
)
def test_conversations_refuse(
    memex: Runner, store: Path, turns: Path, tmp_path: Path, words: tuple[str, ...], code: tuple[int, ...]
) -> None:
    (tmp_path / "bad.jsonl").write_text('{"role": "user", "content": "x"}\nnot json\n')
    done = memex(*words)
    assert done.code in code, done
    assert done.err.count("\n") == 1
    assert memex("sessions").json["sessions"] == []


# -- upkeep --------------------------------------------------------------------------------


def test_doctor_says_what_is_wrong_by_its_exit_code(
    memex: Runner, bare: Runner, store: Path, terminal: Any, tmp_path: Path
) -> None:
    done = memex("doctor")
    assert (done.code, done.json["ok"]) == (0, True), done.text
    assert {"store", "journal", "index", "mcp", "agents", "terminal"} <= {
        check["name"] for check in done.json["checks"]
    }
    (store / "memex.toml").write_text("[pages\n")
    broken = memex("doctor")
    assert (broken.code, broken.json["result"]) == (1, "FAIL")
    code, shown = terminal("doctor", NO_COLOR="1")
    assert code == 1
    shown = re.sub(r"\x1b\[[0-9;]*m", "", shown)
    assert "✗ settings" in shown
    assert shown.rstrip().endswith("FAIL")
    gone = bare("--root", str(tmp_path / "nowhere"), "doctor")
    assert (gone.code, gone.json["checks"][0]["fix"]) == (1, "memex init")
    assert not (tmp_path / "nowhere").exists()


def test_activity_is_asked_for_by_a_build(memex: Runner, store: Path) -> None:
    assert memex("verify", "--require-write").code == 2
    assert memex("verify", "--since", "2001-01-01", "--require-write").code == 0
    assert memex("verify", "--since", "2001-01-01", "--require-recall").code == 1
    assert memex("recall", "ruff").code == 0
    assert memex("verify", "--since", "2001-01-01", "--require-recall", "--require-write").code == 0
    assert memex("verify", "--since", "2099-01-01", "--require-write").code == 1


def test_status_and_info(memex: Runner, store: Path) -> None:
    status = memex("status").json
    assert (status["root"], status["pages"]) == (str(store), 3)
    assert memex("info").json["root"] == str(store)


def test_verify_fails_on_a_page_that_does_not_parse(memex: Runner, store: Path) -> None:
    assert memex("verify").code == 0
    (store / "docs" / "broken.md").write_text("---\ntitle: ok\nbad: a: b\n---\nneedle\n")
    done = memex("verify")
    assert (done.code, done.json["ok"]) == (1, False)
    found = [
        entry for check in done.json["checks"] for entry in check["files"] if entry["file"] == "broken.md"
    ]
    assert found[0]["line"] == 3
    assert memex("verify", "--text").text.count("broken.md:3") >= 1
    assert memex("recall", "needle").json["hits"][0]["slug"] == "broken"


def test_rebuild_index(memex: Runner, store: Path) -> None:
    (store / "docs" / "more.md").write_text("hand made\n")
    done = memex("rebuild-index", "--force")
    assert (done.code, done.json["nodes_indexed"], done.err) == (0, 4, "")
    assert memex("recall", "hand").json["hits"][0]["slug"] == "more"


def test_watch_says_what_changed_and_ends_well(script: str, environ: dict[str, str], store: Path) -> None:
    words = [script, "--root", str(store), "watch", "--json"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environ) as process:
        assert process.stdout is not None
        assert json.loads(process.stdout.readline())["ready"] is True
        (store / "docs" / "fresh.md").write_text("outside\n")
        assert json.loads(process.stdout.readline())["added"] == ["fresh.md"]
        process.send_signal(signal.SIGTERM)
        _, err = process.communicate(timeout=10)
        assert process.returncode == 0
    assert b"Traceback" not in err


def test_watch_interrupted_by_hand_is_130(script: str, environ: dict[str, str], store: Path) -> None:
    words = [script, "--root", str(store), "watch"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environ) as process:
        assert process.stdout is not None
        process.stdout.readline()
        process.send_signal(signal.SIGINT)
        began = time.monotonic()
        _, err = process.communicate(timeout=10)
        assert time.monotonic() - began < 5
    assert process.returncode == 130
    assert err.decode().endswith("memex: interrupted\n")


# -- archives ------------------------------------------------------------------------------


def test_backup_and_restore(memex: Runner, store: Path, tmp_path: Path) -> None:
    before = pages_of(store)
    assert memex("backup", "-o", "x.tar.gz", "--dry-run").code == 0
    assert not (tmp_path / "x.tar.gz").exists()
    done = memex("backup", "-o", "my backup.tar.gz")
    assert done.code == 0, done.err
    assert (tmp_path / "my backup.tar.gz").stat().st_size == done.json["size_bytes"]
    memex("forget", "ruff")
    assert memex("restore", "-i", "my backup.tar.gz", "--dry-run").code == 0
    assert pages_of(store) != before
    assert memex("restore", "-i", "my backup.tar.gz").code == 0
    assert {name: text for name, text in pages_of(store).items() if name in before} == before
    target = tmp_path / "else where"
    assert memex("restore", "-i", "my backup.tar.gz", "--target", str(target)).code == 0
    assert set(pages_of(target)) >= set(before)


@pytest.mark.parametrize(
    "words",
    [
        ("backup", "-o", "no/such/folder/x.tar.gz"),
        ("restore", "-i", "missing.tar.gz"),
        ("restore", "-i", "junk"),
        ("import", "-i", "missing.json"),
        ("import", "-i", "junk"),
        ("import", "-i", "number"),
        ("export", "-o", "."),
    ],
)
def test_archives_refuse(memex: Runner, store: Path, tmp_path: Path, words: tuple[str, ...]) -> None:
    (tmp_path / "junk").write_bytes(b"\x00not an archive")
    (tmp_path / "number").write_bytes(b"7")
    before = pages_of(store)
    done = memex(*words)
    assert done.code in (1, 2), done
    assert done.err.startswith("memex: ")
    assert done.err.count("\n") == 1
    assert pages_of(store) == before


def test_an_export_among_the_pages_is_refused(
    memex: Runner, bare: Runner, store: Path, tmp_path: Path
) -> None:
    vault = tmp_path / "vault"
    vault.mkdir()
    (vault / "Note.md").write_text("x\n")
    for root, target in ((store, store / "docs" / "pages.json"), (vault, vault / "pages.md")):
        for more in ((), ("--dry-run",)):
            done = bare("--root", str(root), "export", "-o", str(target), *more)
            assert (done.code, done.err) == (
                1,
                f"memex: {target} would lie among this memory's own files; put it elsewhere: -o ~/{target.name}\n",
            )
        assert not target.exists()
    assert bare("--root", str(store), "export", "-o", str(store / "pages.json")).code == 0  # beside the pages
    assert bare("--root", str(vault), "export", "-o", str(tmp_path / "pages.json")).code == 0


def test_export_and_import(memex: Runner, bare: Runner, store: Path, tmp_path: Path) -> None:
    exported = memex("export")
    assert len(exported.json["nodes"]) == 3
    assert memex("export", "-o", "pages.json", "--dry-run").json["nodes"] == 3
    assert not (tmp_path / "pages.json").exists()
    assert memex("export", "-o", "pages.json").json["nodes"] == 3
    saved = json.loads((tmp_path / "pages.json").read_text(encoding="utf-8"))
    assert saved["nodes"] == exported.json["nodes"]
    other = ("--root", str(tmp_path / "other"))
    assert bare(*other, "import", "-i", "pages.json", "--dry-run").code in (0, 1)
    done = bare(*other, "import", "-i", "-", stdin=exported.out)
    assert (done.code, done.json["imported"]) == (0, 3), done.err
    assert bare(*other, "import", "-i", "pages.json").json["imported"] == 0
    assert {page["slug"] for page in bare(*other, "list").json["pages"]} == {"ruff", "shop", "ada-park"}


def test_an_export_in_parts_is_whole(
    store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with Memex(store) as opened:
        whole = opened.export()["nodes"]
    assert len(whole) == 3
    for at_once in (1, 2, 3):
        monkeypatch.setattr(archive, "_AT_ONCE", at_once)
        assert main(["--root", str(store), "--json", "export"]) == 0
        printed = capsys.readouterr().out
        assert json.loads(printed)["nodes"] == whole
        assert printed.count("\n") == 1
        assert main(["--root", str(store), "--json", "export", "-o", str(tmp_path / "pages.json")]) == 0
        assert json.loads(capsys.readouterr().out)["nodes"] == 3
        assert json.loads((tmp_path / "pages.json").read_text(encoding="utf-8"))["nodes"] == whole


def test_an_export_that_fails_half_way_says_only_that(
    store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(archive, "_AT_ONCE", 1)
    (tmp_path / "pages.json").write_text("of yesterday")
    export = Memex.export

    def failing(self: Memex, after: str | None = None, limit: int | None = None) -> Any:
        if after:
            raise NotFound("the page is gone")
        return export(self, after=after, limit=limit)

    monkeypatch.setattr(Memex, "export", failing)
    for words in ([], ["-o", str(tmp_path / "pages.json")]):
        assert main(["--root", str(store), "--json", "export", *words]) == 1
        assert json.loads(capsys.readouterr().out)["error"]["message"] == "the page is gone"
    assert (tmp_path / "pages.json").read_text() == "of yesterday"
    assert [file.name for file in tmp_path.iterdir() if "pages" not in file.name and file.is_file()] == []


# -- demo ----------------------------------------------------------------------------------


def test_demo(bare: Runner, tmp_path: Path) -> None:
    planned = bare("demo", "show me", "--dry-run").json
    assert planned["dry_run"] is True
    assert not (tmp_path / "show me").exists()
    done = bare("demo", "show me")
    assert planned["pages"] == done.json["pages"]
    assert bare("demo", str(tmp_path / "home"), "--dry-run").code == 0  # empty
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "mine.txt").write_text("mine")
    assert bare("demo", "other", "--dry-run").code == bare("demo", "other").code == 1
    assert done.code == 0, done.err
    assert done.json["recall"]["hits"][0]["slug"] == done.json["page"]["slug"] == "ruff-not-flake8"
    root = str(tmp_path / "show me")
    assert bare("--root", root, "trace", "ruff-not-flake8").json["confidence"] == "direct"
    assert bare("--root", root, "trace", "incident-double-orders").json["confidence"] == "direct"
    for slug in ("ruff-not-flake8", "incident-double-orders", "checks-before-the-commit", "order-service"):
        proof = bare("--root", root, "trace", slug).json
        assert proof["evidence"] and all(turn["found"] for turn in proof["evidence"] + proof["context"]), slug
    checks = bare("--root", root, "verify").json["checks"]
    found = {entry["message"] for check in checks for entry in check["files"]}
    assert found == {
        "no page 'Winter menu'",  # not written yet
        "no page 'Delivery bike'",
        "no page 'Roll back the deploy'",  # the three that start-here speaks of
        "'Menu' could be summaries/autumn-menu.md, summaries/spring-menu.md",
        "duplicate key: tags",
        "source s3 is disputed by human:ben: the provider's log says 31 s",  # Review has it too
    }
    waiting = bare("--root", root, "review").json["items"]
    assert {one["kind"] for one in waiting} == {"draft", "change", "conflict", "dispute"}
    assert done.json["remove"] == f"rm -r '{root}'"
    again = bare("demo", "show me")
    assert (again.code, again.json["created"]) == (0, False)


def test_demo_takes_a_folder_of_its_own(bare: Runner, tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "note.md").write_text("mine\n")
    assert bare("demo", "mine").code == 1
    assert sorted(os.listdir(tmp_path / "mine")) == ["note.md"]
    done = bare("demo", env={"TMPDIR": str(tmp_path)})
    assert done.code == 0
    assert done.json["root"].startswith(str(tmp_path))


def test_a_dry_run_leaves_outside_edits_to_the_next_command(memex: Runner, store: Path) -> None:
    memex("write", "--type", "entity", "--title", "Tide", "--body", "one")
    page = store / "docs" / "entities" / "tide.md"
    page.write_text(page.read_text() + "by hand\n")
    journal = (store / "journal.jsonl").read_bytes()
    for _ in range(2):
        assert memex("edit", "tide", "--append", "more", "--dry-run").code == 0
        assert (store / "journal.jsonl").read_bytes() == journal
    page.write_text(page.read_text() + "and again\n")
    assert memex("forget", "tide", "--dry-run").code == 0
    assert (store / "journal.jsonl").read_bytes() == journal
    events = memex("history", "tide").json["events"]
    assert [event["action"] for event in events] == ["hand", "add"]
    assert "+and again" in memex("diff", "tide").json["diff"]
    assert len(memex("history", "tide").json["events"]) == 2
