"""Which folders are memory, for a session that worked here or there."""

from __future__ import annotations

import os
from pathlib import Path

from memex_core.files.layout import create_store, open_layout
from memex_core.files.memory_places import memory_of
from memex_core.model.trust import trust_of


def test_all_of_a_store_is_memory(tmp_path: Path) -> None:
    layout = create_store(str(tmp_path / "store"))
    memory = memory_of(layout, {"cwd": "/w/shop", "metadata": {"cwds": ["/w/shop", "/w/shop/api", 3]}})
    assert memory.places == (str(tmp_path / "store"),)
    assert (memory.vaults, memory.cwds) == ((), ("/w/shop", "/w/shop/api"))
    assert memory.home == os.path.expanduser("~")


def test_for_a_session_in_that_folder_only_the_stores_own_files_are(tmp_path: Path) -> None:
    layout = create_store(str(tmp_path / "store"))
    memory = memory_of(layout, {"cwd": str(tmp_path / "store")})
    assert str(tmp_path / "store") not in memory.places
    assert {os.path.basename(place) for place in memory.places} >= {
        "docs",
        "diary",
        "transcripts",
        "journal.jsonl",
    }


def test_of_a_folder_opened_as_it_is_the_pages_are(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("x", encoding="utf-8")
    memory = memory_of(open_layout(str(tmp_path)))
    assert memory.vaults == (str(tmp_path),)
    assert str(tmp_path / ".memex") in memory.places


def test_a_link_to_the_store_is_the_store(tmp_path: Path) -> None:
    create_store(str(tmp_path / "store"))
    os.symlink(tmp_path / "store", tmp_path / "link")
    memory = memory_of(open_layout(str(tmp_path / "link")))
    for name in ("store", "link"):
        query = f"cat {tmp_path}/{name}/docs/a.md"
        assert trust_of("tool", "Bash", "claude", query, memory=memory) == "recall"
