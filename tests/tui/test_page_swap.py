"""Unsaved text on disk."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from memex_tui.screens.page.filetext import FileText
from memex_tui.screens.page.swap import Swap, drop, find, forget, keep, left_behind, set_aside, swap_paths

BASE = b"one\r\n\xff two\n"


def test_it_comes_back_as_it_was(memex: Any) -> None:
    layout = memex.store.layout
    lines = [*FileText(BASE).lines, "日本語 [red]"]
    assert keep(layout, Swap("a/b.md", BASE, lines, (1, 2)))
    found = find(layout, "a/b.md")
    assert found is not None
    assert (found.path, found.base, found.lines, found.caret) == ("a/b.md", BASE, lines, (1, 2))
    assert found.stamp.endswith("Z")
    drop(layout, "a/b.md")
    assert find(layout, "a/b.md") is None


def test_a_page_without_a_file_has_no_base(memex: Any) -> None:
    keep(memex.store.layout, Swap("new.md", None, ["text"]))
    found = find(memex.store.layout, "new.md")
    assert found is not None
    assert found.base is None


def test_only_texts_whose_program_is_gone_are_offered(memex: Any) -> None:
    layout = memex.store.layout
    keep(layout, Swap("mine.md", b"", ["x"], stamp="2026-01-01T00:00:00Z"))
    keep(layout, Swap("alive.md", b"", ["x"], pid=os.getppid()))
    keep(layout, Swap("dead.md", b"", ["x"], pid=2**22 + 1, stamp="2026-02-01T00:00:00Z"))
    assert [swap.path for swap in left_behind(layout)] == ["dead.md", "mine.md"]


@pytest.mark.parametrize("data", [b"", b"{", b"[]", b'{"path": 1}', b"\xff\xff", b"[" * 5000])
def test_a_damaged_one_counts_as_none(memex: Any, data: bytes) -> None:
    layout = memex.store.layout
    keep(layout, Swap("a.md", b"", ["x"]))
    Path(swap_paths(layout, "a.md")[0]).write_bytes(data)
    assert find(layout, "a.md") is None
    assert left_behind(layout) == []


def test_a_store_that_takes_nothing_loses_no_text(memex: Any, root: Path) -> None:
    layout = memex.store.layout
    (root / "swap").write_text("a file is in the way")
    assert keep(layout, Swap("a.md", b"", ["x"]))
    found = find(layout, "a.md")
    assert found is not None and found.lines == ["x"]
    assert Path(found.file).parent == Path(layout.cache.removesuffix(".db") + ".swap")
    (root / "swap").unlink()
    assert keep(layout, Swap("a.md", b"", ["newer"]))
    assert not Path(found.file).exists()
    drop(layout, "a.md")
    assert find(layout, "a.md") is None


def test_a_disk_that_cannot_be_written_is_no_failure(memex: Any, root: Path) -> None:
    layout = memex.store.layout
    (root / "swap").write_text("a file is in the way")
    away = Path(layout.cache.removesuffix(".db") + ".swap")
    away.parent.mkdir(parents=True, exist_ok=True)
    away.write_text("and here")
    assert not keep(layout, Swap("a.md", b"", ["x"]))
    assert find(layout, "a.md") is None


def test_one_set_aside_is_not_overwritten(memex: Any) -> None:
    layout = memex.store.layout
    keep(layout, Swap("a.md", b"", ["first"], stamp="2026-01-01T00:00:00Z"))
    first = find(layout, "a.md")
    assert first is not None
    aside = set_aside(layout, first)
    assert set_aside(layout, aside) == aside
    keep(layout, Swap("a.md", b"", ["second"], stamp="2026-01-02T00:00:00Z"))
    assert sorted(swap.lines[0] for swap in left_behind(layout)) == ["first", "second"]
    newest = find(layout, "a.md")
    assert newest is not None
    assert newest.lines == ["second"]
    drop(layout, "a.md")
    assert find(layout, "a.md") == aside
    forget(aside)
    assert find(layout, "a.md") is None
