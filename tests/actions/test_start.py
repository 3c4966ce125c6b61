"""Building the index on demand."""

from __future__ import annotations

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
