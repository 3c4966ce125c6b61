"""A store that was made for a write which then failed is taken back; one with anything in it stays."""

from __future__ import annotations

from pathlib import Path

import pytest

from memex_core import Memex
from memex_core.actions.newborn import unmake


def test_an_empty_store_goes_with_the_folders_made_for_it(tmp_path: Path) -> None:
    memex = Memex(tmp_path / "a" / "b", create=True)
    assert memex.list()["total"] == 0
    assert (tmp_path / "a" / "b" / "mem.db").exists()
    unmake(memex.store)
    assert not (tmp_path / "a").exists()


def test_a_folder_that_was_there_stays(tmp_path: Path) -> None:
    (tmp_path / "s").mkdir()
    memex = Memex(tmp_path / "s", create=True)
    assert (tmp_path / "s" / "docs").is_dir()
    unmake(memex.store)
    assert list((tmp_path / "s").iterdir()) == []


@pytest.mark.parametrize("name", ["docs/page.md", "memex.toml", "notes.txt", "diary/2026-11-30.md", "x/y"])
def test_what_was_put_there_keeps_the_store(tmp_path: Path, name: str) -> None:
    memex = Memex(tmp_path / "s", create=True)
    file = tmp_path / "s" / name
    file.parent.mkdir(exist_ok=True)
    file.write_text("mine\n")
    unmake(memex.store)
    assert file.read_text() == "mine\n"
    assert (tmp_path / "s" / "docs").is_dir() and (tmp_path / "s" / "memex.toml").exists()


def test_a_store_that_was_there_is_left_alone(tmp_path: Path) -> None:
    Memex.init(tmp_path / "s")
    unmake(Memex(tmp_path / "s", create=True).store)
    assert (tmp_path / "s" / "docs").is_dir()


def test_a_folder_of_markdown_gets_nothing_from_a_write_that_failed(tmp_path: Path) -> None:
    (tmp_path / "v").mkdir()
    (tmp_path / "v" / "a.md").write_text("# A\n")
    memex = Memex(tmp_path / "v")
    with memex.store.alone():
        assert memex.list()["total"] == 1
    assert (tmp_path / "v" / ".memex").is_dir()
    unmake(memex.store)
    assert [entry.name for entry in (tmp_path / "v").iterdir()] == ["a.md"]
    memex = Memex(tmp_path / "v")
    memex.write(type="note", title="B", body="x")
    unmake(memex.store)
    assert (tmp_path / "v" / ".memex" / "journal.jsonl").exists()


def test_taking_back_what_was_never_made_makes_nothing(tmp_path: Path) -> None:
    """Not even a lock, which a store of items has beside its pages."""
    (tmp_path / "i" / "wiki").mkdir(parents=True)
    (tmp_path / "i" / "diary").mkdir()
    memex = Memex(tmp_path / "i")
    assert memex.list()["total"] == 0
    unmake(memex.store)
    assert sorted(entry.name for entry in (tmp_path / "i").iterdir()) == ["diary", "wiki"]
