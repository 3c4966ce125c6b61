"""A renamed page keeps its place on Obsidian's canvases, as it keeps its links."""

from __future__ import annotations

from pathlib import Path

import pytest

from memex_core.memex import Memex
from memex_core.model.errors import Conflict

BOARD = (
    '{\n\t"nodes":[\n'
    '\t\t{"id":"1","type":"file","file":"food/Rye loaf.md","x":-1.0},\n'
    '\t\t{"id":"2","type":"text","text":"\\u00fc [[Rye loaf|rye]]\\n![[food/Rye loaf]]"}\n'
    '\t],\n\t"edges":[]\n}'
)


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    vault = tmp_path / "vault"
    (vault / ".obsidian").mkdir(parents=True)
    (vault / "food").mkdir()
    (vault / "food" / "Rye loaf.md").write_text("# Rye loaf\n\nSour.\n", encoding="utf-8")
    (vault / "plans").mkdir()
    (vault / "plans" / "Board.canvas").write_text(BOARD, encoding="utf-8")
    (vault / "Damaged.canvas").write_bytes(b'{"nodes":[{"type":"file","file":"food/Rye loaf.md"}')
    (vault / "Empty.canvas").write_bytes(b"")
    return vault


def test_a_canvas_follows_and_comes_back_with_its_page(vault: Path) -> None:
    board = vault / "plans" / "Board.canvas"
    with Memex(vault) as memex:
        plan = memex.rename("Rye loaf", "Rye bread", dry_run=True)
        changes = [change for change in plan["rewritten"] if change["path"] == "plans/Board.canvas"]
        assert [(change["line"], change["after"]) for change in changes] == [
            (3, "food/Rye bread.md"),
            (4, "[[Rye bread|rye]]"),
            (4, "![[food/Rye bread]]"),
        ]
        assert plan["warnings"] == ["Damaged.canvas is no JSON, so what it says of the page stays"]
        assert board.read_text(encoding="utf-8") == BOARD
        done = memex.rename("Rye loaf", "Rye bread")
        assert done["rewritten"] == plan["rewritten"]
        assert board.read_text(encoding="utf-8") == BOARD.replace("Rye loaf", "Rye bread")
        assert "Board" not in {Path(page["path"]).stem for page in memex.list()["pages"]}
        assert memex.store.index.canvases() == ["Damaged.canvas", "Empty.canvas", "plans/Board.canvas"]
        memex.revert("Rye bread")
        assert board.read_text(encoding="utf-8") == BOARD
        memex.move("Rye loaf", folder="bread")
        assert '"file":"bread/Rye loaf.md"' in board.read_text(encoding="utf-8")
        assert "![[bread/Rye loaf]]" in board.read_text(encoding="utf-8")


def test_a_canvas_that_follows_is_no_page(vault: Path) -> None:
    with Memex(vault) as memex:
        memex.rename("Rye loaf", "Rye bread")
        assert memex.store.index.paths() == ["food/Rye bread.md"]
        memex.list()
        assert "hand" not in [event["action"] for event in memex.store.journal.read()]


def test_a_canvas_that_was_changed_since_is_not_written_over(vault: Path) -> None:
    board = vault / "plans" / "Board.canvas"
    with Memex(vault) as memex:
        memex.rename("Rye loaf", "Rye bread")
        moved = board.read_text(encoding="utf-8").replace("-1.0", "2.5")
        board.write_text(moved, encoding="utf-8")
        with pytest.raises(Conflict, match=r"plans/Board\.canvas changed"):
            memex.revert("Rye bread")
    assert board.read_text(encoding="utf-8") == moved
    assert (vault / "food" / "Rye bread.md").is_file()
