"""A command that fails leaves no store behind: only init, demo and a write that succeeds make one."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Runner


@pytest.mark.parametrize(
    "words",
    [
        ["restore", "-i", "nothere.tar.gz"],
        ["restore", "-i", "refused.tar.gz"],
        ["capture", "nothere.jsonl"],
        ["capture", "--all"],
        ["sync", "import", "nothere"],
        ["import", "-i", "nothere.json"],
        ["ingest-transcript", "--session-id", "s", "--turns-file", "nothere.jsonl"],
        ["write", "--type", "entity", "--title", "A", "--status", "odd"],
        ["diary", "append", "x", "--date", "never"],
    ],
)
def test_a_failed_command_leaves_nothing(memex: Runner, root: Path, tmp_path: Path, words: list[str]) -> None:
    (tmp_path / "refused.tar.gz").write_bytes(b"no archive")
    done = memex(*words)
    assert (done.code == 0) == ("--all" in words)
    assert not root.parent.exists()


def test_what_succeeds_stays(memex: Runner, bare: Runner, root: Path, tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    assert bare("init", str(empty)).code == 0
    assert bare("--root", str(empty), "backup", "-o", str(tmp_path / "b.tar.gz")).code == 0
    assert memex("restore", "-i", str(tmp_path / "b.tar.gz")).code == 0
    assert (root / "docs").is_dir()
    copy = tmp_path / "copy"
    done = bare(
        "--root",
        str(tmp_path / "un made"),
        "restore",
        "-i",
        str(tmp_path / "b.tar.gz"),
        "--target",
        str(copy),
    )
    assert done.code == 0 and (copy / "docs").is_dir()
    assert not (tmp_path / "un made").exists()


def test_nor_does_a_refused_write_leave_anything_in_a_folder_of_markdown(
    bare: Runner, tmp_path: Path
) -> None:
    vault = tmp_path / "vault"
    vault.mkdir()
    (vault / "a.md").write_text("# A\n")
    for words in (["write", "--type", "note", "--title", "A", "--body", "x"], ["forget", "nothing"]):
        assert bare("--root", str(vault), *words).code == 1
    assert [entry.name for entry in vault.iterdir()] == ["a.md"]
    assert bare("--root", str(vault), "write", "--type", "note", "--title", "B", "--body", "x").code == 0
    assert (vault / ".memex" / "journal.jsonl").exists()
