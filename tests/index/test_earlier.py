"""Copies of what pages said last: kept, moved, forgotten for good, and no matter when they are lost."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from memex_core.files.commit import Edit, Written
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


def test_of_an_act_what_became_of_its_files_is_kept(layout: Layout) -> None:
    here = Path(layout.pages)
    (here / "c.md").write_bytes(b"moved")
    (here / "d.md").write_bytes(b"as it was")
    earlier.keep(layout, {"b.md": b"old", "old.md": b"moved"})
    edits = [
        Edit("a.md", None, b"asked for"),
        Edit("b.md", b"old", None),
        Edit("c.md", b"moved", b"moved", "old.md"),
        Edit("d.md", b"as it was", b"as it was"),
        Edit("e.md", b"gone", b"gone"),
    ]
    at = (here / "d.md").stat()
    earlier.keep_acts(layout, edits, {"a.md": Written(b"scrubbed", at)})
    assert texts(layout) == {"a.md": b"scrubbed", "c.md": b"moved", "d.md": b"as it was"}


def test_nothing_is_made_for_nothing(layout: Layout, tmp_path: Path) -> None:
    earlier.keep(layout, {"a.md": None})
    assert not Path(earlier.file_of(layout)).exists()
    bare = Layout(str(tmp_path), str(tmp_path), str(tmp_path / "none"), True)
    earlier.keep(bare, {"a.md": b"x"})
    assert not (tmp_path / "none").exists()


def test_copies_held_open_follow_a_file_that_was_begun_anew(layout: Layout) -> None:
    held = earlier.Copies(layout)
    earlier.keep(layout, {"a.md": b"one"}, copies=held)
    earlier.keep(layout, {"b.md": b"by another"})
    earlier.keep(layout, {"c.md": b"three"}, copies=held)
    assert texts(layout) == {"a.md": b"one", "b.md": b"by another", "c.md": b"three"}
    earlier.begin_anew(layout)
    earlier.keep(layout, {"a.md": b"two"}, copies=held)
    assert texts(layout) == {"a.md": b"two"}
    Path(earlier.file_of(layout)).write_bytes(b"no database, and longer than the head of one" * 99)
    earlier.keep(layout, {"a.md": b"lost"}, copies=held)
    earlier.keep(layout, {"a.md": b"three"}, copies=held)
    assert texts(layout) == {"a.md": b"three"}
    held.close()


def test_all_are_forgotten_where_an_open_file_cannot_be_removed(
    layout: Layout, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError("the file is in use")

    held = earlier.Copies(layout)
    earlier.keep(layout, {"a.md": b"one"}, copies=held)
    with monkeypatch.context() as patch:
        patch.setattr("os.unlink", refuse)
        earlier.begin_anew(layout)
    assert texts(layout) == {}
    earlier.keep(layout, {"b.md": b"two"}, copies=held)
    held.close()
    assert texts(layout) == {"b.md": b"two"}


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
