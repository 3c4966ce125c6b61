"""A disk without room: what was not written is said to be so, and what was written is not called failed."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

import pytest

from memex_core.index.index import Index
from memex_core.model.errors import SearchFailed


def full(*_: Any, **__: Any) -> Any:
    raise sqlite3.OperationalError("database or disk is full")


def test_a_write_is_done_although_the_index_cannot_follow(
    memex: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    memex.write(type="entity", title="Old", body="x")
    with monkeypatch.context() as broken:
        broken.setattr(Index, "_apply", full)
        done = memex.write(type="entity", title="New", body="y")
        renamed = memex.rename("old", "Older")
    assert Path(done["file_path"]).read_text().endswith("y\n")
    assert [note for note in done["warnings"] if "index cannot be written" in note]
    assert Path(renamed["file_path"]).exists()
    memex.look_again()
    assert sorted(page["slug"] for page in memex.list()["pages"]) == ["new", "older"]


def test_an_index_that_finds_no_room_is_an_error_of_ours(memex: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Index, "open", full)
    with pytest.raises(SearchFailed, match="disk is full"):
        memex.list()


def test_reading_goes_on_where_the_log_of_the_index_cannot_be_made(
    memex: Any, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from memex_core.index import connection

    memex.write(type="entity", title="Old", body="needle")
    memex.close()
    (root / "mem.db-wal").touch()
    real = connection._open

    def no_room(path: str, mode: str, *rest: Any, **options: Any) -> sqlite3.Connection:
        return real(path, mode, *rest, **options) if mode == "ro" else full()

    monkeypatch.setattr(connection, "_open", no_room)
    assert [hit["slug"] for hit in memex.recall("needle")["hits"]] == ["old"]
