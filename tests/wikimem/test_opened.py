"""memex opens a store of items as it is: item files are pages, its diary is the diary."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from memex_core import Memex
from memex_core.files.layout import create_store, of_items, open_layout
from memex_core.wikimem import MemoryStore


def files_of(root: Path) -> dict[str, bytes]:
    return {str(path.relative_to(root)): path.read_bytes() for path in root.rglob("*") if path.is_file()}


def test_its_folders_are_where_they_are(seaside: MemoryStore) -> None:
    layout = open_layout(str(seaside.root))
    assert layout == of_items(str(seaside.root))
    assert layout.items and layout.folder
    root = str(seaside.root)
    assert (layout.pages, layout.diary, layout.state) == (f"{root}/wiki", f"{root}/diary", f"{root}/.memex")
    assert layout.lock == f"{root}/.lock"


@pytest.mark.parametrize(
    "beside", ["README.md", ".gitignore", "notes.txt", ".git/config", ".memex/journal.jsonl"]
)
def test_what_people_keep_beside_it_changes_nothing(seaside: MemoryStore, beside: str) -> None:
    path = seaside.root / beside
    path.parent.mkdir(exist_ok=True)
    path.write_text("x")
    assert open_layout(str(seaside.root)).items


@pytest.mark.parametrize("beside", ["page.md", "notes/page.md", "memex.toml", ".obsidian/app.json"])
def test_a_vault_or_a_store_of_memex_is_none(seaside: MemoryStore, beside: str) -> None:
    path = seaside.root / beside
    path.parent.mkdir(exist_ok=True)
    path.write_text("")
    assert not open_layout(str(seaside.root)).items


def test_a_folder_called_wiki_alone_is_a_vaults(tmp_path: Path) -> None:
    (tmp_path / "wiki").mkdir()
    (tmp_path / "wiki" / "page.md").write_text("text")
    assert not open_layout(str(tmp_path)).items


def test_a_memex_store_with_items_in_it_stays_one(tmp_path: Path) -> None:
    create_store(str(tmp_path / "s"))
    MemoryStore(tmp_path / "s").add("work", "job", "x")
    layout = open_layout(str(tmp_path / "s"))
    assert not layout.items and layout.pages.endswith("docs")
    assert layout.lock == of_items(layout.root).lock


def test_opening_reads_items_and_diary_and_writes_nothing(seaside: MemoryStore) -> None:
    seaside.diary.append("晚上吃了拉面。[[work:current-job]]", date="2026-07-22", time="19:00")
    before = files_of(seaside.root)
    with Memex(seaside.root) as memex:
        titles = {
            page["title"] for page in memex.list()["pages"]
        }  # newest first: a second may turn between them
        assert titles == {"daily_life", "preferences", "work"}
        shown = memex.show("preferences")
        assert "喜欢海边。" in shown["body"] and [one["text"] for one in shown["outline"]] == [
            "preferences",
            "likes-the-sea",
            "手冲咖啡",
        ]
        assert memex.diary_dates()["dates"] == ["2026-07-22"]
        assert [one["text"] for one in memex.diary_show()["entries"]] == [
            "晚上吃了拉面。[[work:current-job]]"
        ]
        hits = memex.recall("拉面", no_count=True)["hits"]
        assert [(hit["kind"], hit["date"]) for hit in hits] == [("diary", "2026-07-22")]
        assert [hit["title"] for hit in memex.recall("robots", no_count=True)["hits"]] == ["work"]
        assert memex.info()["total_indexed"] == 3
    assert files_of(seaside.root) == before


def test_links_to_items_lead_to_their_files(seaside: MemoryStore) -> None:
    with Memex(seaside.root) as memex:
        answer = memex.links("preferences")
        assert [(link["slug"], link["hops"]) for link in answer["links"]] == [("daily-life", 1)]
        assert answer["unresolved"] == ["missing:gone"]
        assert [link["slug"] for link in memex.links("daily_life", back=True)["links"]] == ["preferences"]
        checks = {check["name"]: check for check in memex.verify()["checks"]}
        assert [one["message"] for one in checks["links-resolve"]["files"]] == ["no page 'missing:gone'"]


def test_an_item_added_later_answers_to_links_that_were_there(seaside: MemoryStore) -> None:
    with Memex(seaside.root) as memex:
        assert memex.links("preferences")["unresolved"] == ["missing:gone"]
        seaside.add("missing", "gone", "here now")
        memex.store.look_again()
        assert memex.links("preferences")["unresolved"] == []


def test_both_write_one_diary_under_one_lock(seaside: MemoryStore) -> None:
    with Memex(seaside.root) as memex:
        memex.diary_append("from memex", date="2026-07-22", time="10:00")
        seaside.diary.append("from the face", date="2026-07-22", time="09:00")
        assert [entry.content for entry in seaside.diary.day("2026-07-22")] == ["from the face", "from memex"]
        assert memex.store.layout.lock == str(seaside.root / ".lock")
    assert "from memex" not in (seaside.root / "journal.jsonl").read_text()
    assert os.path.exists(seaside.root / ".memex" / "journal.jsonl")


def test_an_edit_of_an_item_file_keeps_its_items(seaside: MemoryStore) -> None:
    with Memex(seaside.root) as memex:
        memex.edit("work", append="A line more.")
    item = seaside.get("work", "current-job")
    assert item is not None and item.content.startswith("Builds robots") and "A line more." in item.content
    assert [one.file for one in seaside.items()] == ["daily_life", "preferences", "preferences", "work"]


def test_a_backup_brings_items_and_diary_back(seaside: MemoryStore, tmp_path: Path) -> None:
    seaside.diary.append("x", date="2026-07-22", time="19:00")
    before = {
        name: data for name, data in files_of(seaside.root).items() if name.startswith(("wiki", "diary"))
    }
    with Memex(seaside.root) as memex:
        memex.backup(tmp_path / "a.tar.gz")
        os.unlink(seaside.root / "diary" / "2026-07-22.md")
        os.unlink(seaside.root / "wiki" / "work.md")
        memex.store.look_again()
        memex.restore(tmp_path / "a.tar.gz")
    after = files_of(seaside.root)
    assert {name: after.get(name) for name in before} == before
