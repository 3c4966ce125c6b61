"""Hooks while another process holds the index: they wait for a moment, and answer of what they know or not."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from memex_core.index import connection
from memex_core.model.errors import Locked

_HOLD = """
import sqlite3, sys, time
db = sqlite3.connect(sys.argv[1], isolation_level=None)
if sys.argv[2] == "readers too":
    db.execute("PRAGMA locking_mode=EXCLUSIVE")
db.execute("BEGIN EXCLUSIVE")
db.execute("UPDATE page SET access_count = access_count")
print("held", flush=True)
time.sleep(60)
"""
ASK = {"session_id": "s1", "prompt": "tell me about the tide table of the harbour"}


@contextmanager
def held(index: str, how: str) -> Iterator[None]:
    """The index, held by another process for longer than any test of it takes."""
    with subprocess.Popen([sys.executable, "-c", _HOLD, index, how], stdout=subprocess.PIPE) as other:
        try:
            assert other.stdout is not None and other.stdout.readline() == b"held\n"
            yield
        finally:
            other.kill()


@pytest.fixture
def harbour(memex: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A store with a page; whoever waits for its index as long as usual waits for the other's end."""
    memex.write(type="entity", title="Tide table", body="Of the harbour: high at noon.")
    memex.close()
    monkeypatch.setattr(connection, "BUSY_MS", 120_000)
    return memex


def test_an_index_that_nobody_may_read_gives_nothing(harbour: Any) -> None:
    with held(harbour.store.layout.index, "readers too"), pytest.raises(Locked):
        harbour.hook("prompt", ASK)
    assert harbour.hook("prompt", ASK)["pages"] == ["tide-table"]


@pytest.mark.parametrize("opened", [False, True])
def test_an_index_that_is_written_answers_of_what_it_has(harbour: Any, opened: bool) -> None:
    if opened:
        assert harbour.recall("tide", no_count=True)["hits"]
    new = Path(harbour.store.layout.file_path("entities/tide-times.md"))
    new.write_text("---\ntype: entity\ntitle: Tide table of the harbour\n---\nLow at six.\n")
    harbour.look_again()
    with held(harbour.store.layout.index, "writers only"):
        assert harbour.hook("prompt", ASK)["pages"] == ["tide-table"]
        assert harbour.store.opened
    assert harbour.store.index.db.execute("PRAGMA busy_timeout").fetchone() == (120_000,)
    assert harbour.hook("prompt", ASK)["pages"] == ["tide-times"]
