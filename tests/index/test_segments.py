"""The one segment of a full-text table, and the level on which it stands."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from memex_core.index import schema, segments
from memex_core.index.indexer import INSERT_FTS, INSERT_TEXT


def loaded(path: Path, pages: int = 40, flushes: int = 3) -> sqlite3.Connection:
    """A table filled as a load does it, its postings in several segments on the lowest level."""
    db = sqlite3.connect(path, isolation_level=None)
    schema.create(db)
    schema.configure(db, "page_fts", "automerge", 0)
    for flush in range(flushes):
        db.execute("BEGIN")
        for page in range(flush * pages, (flush + 1) * pages):
            only = " ".join(f"only{page}x{number}" for number in range(60))
            row = (page + 1, f"title{page}", "", "", "", "", f"kettle word{page % 7} {only}", "")
            db.execute(INSERT_TEXT, row)
            db.execute(INSERT_FTS, row)
        db.execute("COMMIT")
    return db


def found(db: sqlite3.Connection, word: str) -> int:
    count: int = db.execute("SELECT count(*) FROM page_fts WHERE page_fts MATCH ?", (word,)).fetchone()[0]
    return count


def record(db: sqlite3.Connection) -> bytes:
    block: bytes = db.execute("SELECT block FROM page_fts_data WHERE id = 10").fetchone()[0]
    return block


def test_all_segments_become_one_high_enough(tmp_path: Path) -> None:
    db = loaded(tmp_path / "a.db")
    assert segments.segment_levels(db, "page_fts") == [3]
    segments.merge(db, "page_fts")
    db.close()
    db = sqlite3.connect(tmp_path / "a.db", isolation_level=None)
    assert segments.segment_levels(db, "page_fts") == [0, 0, 0, 1]
    assert (found(db, "kettle"), found(db, "word3")) == (120, 17)
    db.execute("INSERT INTO page_fts(page_fts) VALUES('integrity-check')")
    row = (500, "late", "", "", "", "", "kettle", "")
    db.execute(INSERT_TEXT, row)
    db.execute(INSERT_FTS, row)
    assert segments.segment_levels(db, "page_fts") == [1, 0, 0, 1]
    assert found(db, "kettle") == 121
    db.execute("INSERT INTO page_fts(page_fts) VALUES('optimize')")
    db.execute("INSERT INTO page_fts(page_fts) VALUES('integrity-check')")
    assert found(db, "kettle") == 121


def test_a_segment_alone_is_not_written_again(tmp_path: Path) -> None:
    db = loaded(tmp_path / "a.db", flushes=1)
    pages = db.execute("SELECT id, block FROM page_fts_data WHERE id > 10 ORDER BY id").fetchall()
    segments.merge(db, "page_fts")
    assert db.execute("SELECT id, block FROM page_fts_data WHERE id > 10 ORDER BY id").fetchall() == pages
    assert segments.segment_levels(db, "page_fts") == [0, 0, 0, 1]


def test_an_empty_table_stays_as_it_is(tmp_path: Path) -> None:
    db = loaded(tmp_path / "a.db", flushes=0)
    before = record(db)
    segments.merge(db, "page_fts")
    assert record(db) == before


def deny(action: int, table: str | None, *_: str | None) -> int:
    refused = action == sqlite3.SQLITE_UPDATE and table == "page_fts_data"
    return sqlite3.SQLITE_DENY if refused else sqlite3.SQLITE_OK


@pytest.mark.parametrize(
    "hinder",
    [
        lambda db, patch: db.set_authorizer(deny),  # as where SQLite guards the tables of its modules
        lambda db, patch: patch.setattr(segments, "raised", lambda block: None),  # a record of another kind
    ],
)
def test_where_the_record_cannot_be_written_merging_does_it(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    hinder: Callable[[sqlite3.Connection, pytest.MonkeyPatch], None],
) -> None:
    db = loaded(tmp_path / "a.db")
    hinder(db, monkeypatch)
    db.execute("BEGIN")
    segments.merge(db, "page_fts")
    db.execute("COMMIT")
    assert segments.segment_levels(db, "page_fts") == [0, 0, 0, 1]
    assert found(db, "kettle") == 120
    db.execute("INSERT INTO page_fts(page_fts) VALUES('integrity-check')")


COOKIE = b"\0\0\0\7"
ONE = b"\1\1\x83\x10" + b"\0\1" + b"\1\1\x81\0"  # one level, one segment, 400 writes; the segment's pages


def test_empty_levels_are_put_below() -> None:
    assert segments.raised(COOKIE + ONE) == COOKIE + b"\4" + ONE[1:4] + b"\0\0" * 3 + ONE[4:]


@pytest.mark.parametrize(
    "block",
    [
        COOKIE + b"\4" + ONE[1:4] + b"\0\0" * 3 + ONE[4:],  # high enough
        COOKIE + b"\0\0\0",  # nothing there
    ],
)
def test_what_is_well_stays(block: bytes) -> None:
    assert segments.raised(block) == block


@pytest.mark.parametrize(
    "block",
    [
        b"",
        COOKIE,
        COOKIE + b"\xff\0\0\1" + ONE,  # how later versions begin a record of another kind
        COOKIE + ONE + b"\0",  # more in it than is known
        COOKIE + ONE[:-2],
        COOKIE + b"\1\2\1" + b"\0\2" + b"\1\1\1" + b"\2\1\1",  # two segments
        COOKIE + b"\2" + ONE[1:],  # a level is missing
    ],
)
def test_a_record_of_another_kind_is_left_alone(block: bytes) -> None:
    assert segments.raised(block) is None
