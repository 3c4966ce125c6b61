"""Building the index on demand."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from memex_core import Memex
from memex_core.index import rebuild as building


@pytest.fixture
def loads(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """Every bulk load that is run."""
    seen: list[object] = []
    run = building.Load.run
    monkeypatch.setattr(building.Load, "run", lambda load: (seen.append(load), run(load)))
    return seen


@pytest.mark.parametrize("force", [True, False])
def test_an_index_that_is_missing_is_built_once(tmp_path: Path, loads: list[object], force: bool) -> None:
    (tmp_path / "a.md").write_text("# A\n")
    with Memex(tmp_path) as memex:
        assert memex.rebuild_index(force=force)["nodes_indexed"] == 1
        assert len(loads) == 1
        (tmp_path / "b.md").write_text("# B\n")
        assert memex.rebuild_index(force=True)["nodes_indexed"] == 2
        assert len(loads) == 2
        assert memex.list()["total"] == 2


def test_a_restored_memory_is_indexed_once(tmp_path: Path, loads: list[object]) -> None:
    with Memex(tmp_path / "one", create=True) as memex:
        memex.write(type="note", title="A", body="zebra")
        memex.backup(tmp_path / "b.tar.gz")
        loads.clear()
        memex.restore(tmp_path / "b.tar.gz", target=tmp_path / "two")
    assert len(loads) == 1
    with Memex(tmp_path / "two") as memex:
        assert [hit["title"] for hit in memex.recall("zebra")["hits"]] == ["A"]
    assert len(loads) == 1


def test_asked_for_after_the_first_question_it_is_built_again(tmp_path: Path, loads: list[object]) -> None:
    (tmp_path / "a.md").write_text("# A\n")
    with Memex(tmp_path) as memex:
        assert memex.list()["total"] == 1
        memex.rebuild_index(force=True)
    assert len(loads) == 2


def test_what_a_rebuild_would_read_is_told_and_nothing_made(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("# A\n")
    os.utime(tmp_path / "a.md", (1e9, 1e9))  # a file of this very moment is read once more
    with Memex(tmp_path) as memex:
        told = memex.rebuild_index(dry_run=True)
        assert (told["nodes_indexed"], told["nodes_skipped"]) == (1, 0)
        memex.rebuild_index()
        (tmp_path / "b.md").write_text("# B\n")
        for force, read in ((False, 1), (True, 2)):
            told = memex.rebuild_index(force=force, dry_run=True)
            assert (told["nodes_indexed"], told["nodes_skipped"]) == (read, 2 - read)
        assert memex.store.open_index().total() == 1


def test_opening_a_folder_tells_what_is_odd_in_it(tmp_path: Path) -> None:
    """Half of it may be odd: the rest is indexed all the same, and the act has not failed."""
    (tmp_path / "good.md").write_text("# Good\n")
    (tmp_path / "colon.md").write_text("---\ntitle: Fix: x\n---\nbody\n")
    (tmp_path / "latin.md").write_bytes(b"caf\xe9\n")
    (tmp_path / "out.md").symlink_to("/etc/hostname")
    done = Memex.init(tmp_path)
    assert done["indexed"] == 3
    assert done["warnings"] == [
        "out.md: the link leads out of the page folder or to nothing",
        "colon.md:2: mapping values are not allowed in this context",
        "latin.md:1: not UTF-8",
    ]


def test_of_much_that_is_odd_the_first_is_told(tmp_path: Path) -> None:
    for number in range(23):
        (tmp_path / f"p{number:02}.md").write_bytes(b"caf\xe9\n")
    warnings = Memex.init(tmp_path)["warnings"]
    assert warnings[-2:] == ["p19.md:1: not UTF-8", "and 3 more; `memex verify` lists them"]
    assert len(warnings) == 21
