"""A pipe, socket or folder where a file of the store should be: one line that names it, or passed by."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import Runner

ALWAYS = (("recall", "shop"), ("history", "ruff"), ("status",), ("edit", "shop", "--append", "more"))
OWN = {  # what is asked of each file besides
    "memex.toml": ("models", "show"),
    "journal.jsonl": ("diary", "append", "hello"),
    "docs/pic.png": ("verify",),
    "docs/.memexignore": ("list",),
    "docs/procedures/odd.md": ("list",),
    "rules/gate.toml": ("gate", "show"),
    "rules/extract.toml": ("rules", "show"),
    "transcripts/s1.jsonl": ("session", "s1"),
    "transcripts/s1.meta.json": ("sessions",),
    "diary/2026-11-28.md": ("diary", "show", "2026-11-28"),
    "logs/runs.jsonl": ("verify", "--since", "2026-01-01"),
}


def pipe(path: Path) -> None:
    os.mkfifo(path)


def listening(path: Path) -> None:
    before = os.getcwd()
    os.chdir(path.parent)  # the name of a socket may not be long
    try:
        with socket.socket(socket.AF_UNIX) as made:
            made.bind(path.name)
    finally:
        os.chdir(before)


def put(make: Callable[[Path], None], path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.is_file():
        path.unlink()
    make(path)


@pytest.fixture
def full(memex: Runner, store: Path, tmp_path: Path) -> Path:
    """The store with a conversation, a day and a picture."""
    turns = tmp_path / "turns.jsonl"
    turns.write_text('{"role": "user", "content": "the shop bakes"}\n')
    ingested = memex("ingest-transcript", "--session-id", "s1", "--turns-file", str(turns))
    assert ingested.code == 0, ingested.err
    assert memex("diary", "append", "a day", "--date", "2026-11-28").code == 0
    return store


EVERY = [(pipe, name) for name in OWN]
SOME = [
    (make, name)
    for make in (listening, Path.mkdir)
    for name in ("memex.toml", "journal.jsonl", "diary/2026-11-28.md")
]


@pytest.mark.parametrize(("make", "name"), [*EVERY, *SOME])
def test_nothing_waits_and_nothing_breaks(
    memex: Runner, full: Path, make: Callable[[Path], None], name: str
) -> None:
    put(make, full / name)
    for words in (*ALWAYS, OWN[name]):
        try:
            done = memex(*words)
        except subprocess.TimeoutExpired:  # pragma: no cover - the failure this test is for
            pytest.fail(f"memex {' '.join(words)} waits for {name}")
        assert done.code in (0, 1), (words, done.err)
        assert "unexpected" not in done.err, (words, done.err)
        if done.code:
            last = done.err.splitlines()[-1]
            assert Path(name).name in last or "s1" in last or "2026-11-28" in last, (words, done.err)
    if name.startswith("docs/"):
        assert memex("list").json["total"] == 4  # with the conversation's own page


@pytest.mark.parametrize("make", [pipe, listening], ids=["pipe", "socket"])
def test_an_index_that_is_no_file_is_built_anew(
    memex: Runner, store: Path, make: Callable[[Path], None]
) -> None:
    for name in ("mem.db", "mem.db-wal", "mem.db-shm"):
        (store / name).unlink(missing_ok=True)
    put(make, store / "mem.db")
    assert memex("recall", "shop").json["hits"]
    assert (store / "mem.db").is_file()


def test_a_folder_where_the_index_should_be_is_named(memex: Runner, store: Path) -> None:
    for name in ("mem.db", "mem.db-wal", "mem.db-shm"):
        (store / name).unlink(missing_ok=True)
    (store / "mem.db").mkdir()
    done = memex("recall", "shop")
    assert done.code == 1
    assert "mem.db" in done.err and "unexpected" not in done.err
    shutil.rmtree(store / "mem.db")
    assert memex("recall", "shop").code == 0
