"""Copies of what pages said last: kept, moved, forgotten for good, and no matter when they are lost."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from memex_core.files.layout import Layout, create_store
from memex_core.index import earlier


@pytest.fixture
def layout(tmp_path: Path) -> Layout:
    return create_store(str(tmp_path / "store"))


def texts(layout: Layout) -> Mapping[str, bytes]:
    with closing(sqlite3.connect(earlier.file_of(layout))) as db:
        paths = [path for (path,) in db.execute("SELECT path FROM text")]
    return {path: found.data for path, found in earlier.known(layout, paths).items()}


def test_the_last_text_counts_and_none_forgets(layout: Layout) -> None:
    assert earlier.known(layout, ["a.md"]) == {}
    earlier.keep(layout, {"a.md": b"one", "b.md": b"caf\xe9"}, {"a.md": 5.0})
    assert earlier.known(layout, ["a.md", "c.md"]) == {"a.md": earlier.Earlier(b"one", 5.0)}
    earlier.keep(layout, {"a.md": b"two", "b.md": None})
    assert earlier.known(layout, ["a.md", "b.md"]) == {"a.md": earlier.Earlier(b"two", 0.0)}


def test_a_large_text_is_not_kept_and_takes_the_one_before_with_it(layout: Layout) -> None:
    earlier.keep(layout, {"a.md": b"small"})
    earlier.keep(layout, {"a.md": b"x" * (earlier.LARGEST + 1)})
    assert earlier.known(layout, ["a.md"]) == {}
    earlier.keep(layout, {"a.md": b"x" * earlier.LARGEST})
    assert len(earlier.known(layout, ["a.md"])["a.md"].data) == earlier.LARGEST


def test_nothing_is_made_for_nothing(layout: Layout, tmp_path: Path) -> None:
    earlier.keep(layout, {"a.md": None})
    assert not Path(earlier.file_of(layout)).exists()
    bare = Layout(str(tmp_path), str(tmp_path), str(tmp_path / "none"), True)
    earlier.keep(bare, {"a.md": b"x"})
    assert not (tmp_path / "none").exists()


def test_a_burst_ends(layout: Layout) -> None:
    one = earlier.Earlier(b"", 1_000.0)
    assert [one.in_burst(at) for at in (999.0, 1_000.0, 1_119.0, 1_121.0)] == [False, True, True, False]
    assert not earlier.Earlier(b"", 0.0).in_burst(1_000.0)


def test_they_follow_a_page_and_a_purge_leaves_none(memex: Any, root: Path) -> None:
    done = memex.write(type="entity", title="Tide", body="xyzzy")
    memex.rename("tide", "Ebb")
    assert list(texts(memex.store.layout)) == ["entities/ebb.md"]
    path = root / "docs" / "entities" / "ebb.md"
    path.write_bytes(path.read_bytes() + b"by hand\n")
    memex.look_again()
    memex.list()
    assert texts(memex.store.layout)["entities/ebb.md"] == path.read_bytes()
    memex.purge("ebb", id=done["id"])
    assert texts(memex.store.layout) == {}
    assert b"xyzzy" not in (root / "journal.jsonl").read_bytes()


def test_a_small_store_is_known_from_its_first_index_on(tmp_path: Path) -> None:
    from memex_core import Memex

    (tmp_path / ".memex").mkdir()
    page = tmp_path / "page.md"
    page.write_text("before\n")
    with Memex(tmp_path) as memex:
        assert memex.list()["total"] == 1
        page.write_text("after, by another tool\n")
        memex.look_again()
        assert "-before" in memex.diff("page")["diff"]
        memex.revert("page")
    assert page.read_text() == "before\n"
