"""``memex import --from wikimem``: nothing is lost on the way, and twice changes nothing."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from memex_core import Memex
from memex_core.model.errors import BadInput, NotFound, Refused
from memex_core.wikimem import MemoryStore


@pytest.fixture
def source(tmp_path: Path) -> MemoryStore:
    store = MemoryStore(tmp_path / "assistant")
    store.add(
        "preferences",
        "likes the sea",
        "喜欢海边。[[daily_life:beach-trip-plan]]\n\n- a list\n- of two",
        owner="user:xnne",
        source_conv="conv_1",
        ts="2026-07-10T03:00:00+00:00",
    )
    store.add(
        "preferences", "Likes: nothing".replace(":", ""), "---\nnot front matter", ts="2026-07-11T03:00:00Z"
    )
    store.add(
        "daily_life", "beach-trip-plan", "[[preferences:likes the sea]] [[missing:gone]]", ts="2026-07-12"
    )
    store.diary.append(
        "one", date="2026-07-22", time="19:00", owner="me", source_conv="c", ts="2026-07-22T11:00:00Z"
    )
    store.diary.append("two", date="2026-07-22", time="19:00")
    store.diary.append("two", date="2026-07-22", time="19:00", ts="2026-07-22T11:00:00Z")
    store.diary.append("three [[daily_life:beach-trip-plan]]", date="2026-07-23", time="08:00")
    return store


def state(root: Any) -> dict[str, bytes]:
    return {
        str(path.relative_to(root)): path.read_bytes()
        for path in Path(root).rglob("*")
        if path.suffix in (".md", ".jsonl")
    }


def test_items_become_pages_with_everything_they_say(memex: Memex, source: MemoryStore) -> None:
    result = memex.import_from("wikimem", source.root)
    assert (result["imported"], result["unchanged"], result["skipped"], result["diary"]) == (3, 0, [], 4)
    page = memex.show("likes-the-sea")
    assert page["title"] == "likes the sea"
    assert page["body"].strip() == "喜欢海边。[[daily_life:beach-trip-plan]]\n\n- a list\n- of two"
    assert page["created"] == "2026-07-10T03:00:00Z"
    assert page["tags"] == ["preferences"]
    assert page["aliases"] == ["preferences:likes the sea"]
    assert (page["front_matter"]["owner"], page["front_matter"]["source_conv"]) == ("user:xnne", "conv_1")
    assert page["file_path"].endswith("docs/preferences/likes-the-sea.md")
    assert memex.show("likes-nothing")["body"].strip() == "---\nnot front matter"
    assert memex.show("beach-trip-plan")["created"] == "2026-07-12"


def test_links_lead_where_they_led(memex: Memex, source: MemoryStore) -> None:
    memex.import_from("wikimem", source.root)
    assert [link["slug"] for link in memex.links("likes-the-sea")["links"]] == ["beach-trip-plan"]
    back = memex.links("beach-trip-plan")
    assert [link["slug"] for link in back["links"]] == ["likes-the-sea"]
    assert back["unresolved"] == ["missing:gone"]


def test_the_diary_comes_along_to_the_last_word(memex: Memex, source: MemoryStore) -> None:
    memex.diary_append("mine", date="2026-07-22", time="12:00")
    memex.import_from("wikimem", source.root)
    mine = MemoryStore(memex.root).diary
    assert [entry.content for entry in mine.day("2026-07-22")] == ["mine", "one", "two", "two"]
    assert mine.day("2026-07-22")[1:] == source.diary.day("2026-07-22")
    assert mine.day("2026-07-23") == source.diary.day("2026-07-23")
    assert [hit["date"] for hit in memex.recall("three")["hits"]] == ["2026-07-23"]


def test_twice_changes_nothing(memex: Memex, source: MemoryStore) -> None:
    memex.import_from("wikimem", source.root)
    before = state(memex.root)
    again = memex.import_from("wikimem", source.root)
    assert (again["imported"], again["unchanged"], again["skipped"]) == (0, 3, [])
    assert (again["diary"], again["diary_unchanged"]) == (0, 4)
    assert state(memex.root) == before


def test_what_is_new_in_the_source_comes_and_what_was_changed_here_stays(
    memex: Memex, source: MemoryStore
) -> None:
    memex.import_from("wikimem", source.root)
    memex.edit("beach-trip-plan", body="my own words")
    source.add("work", "job", "robots")
    source.diary.append("four", date="2026-07-23", time="09:00")
    result = memex.import_from("wikimem", source.root)
    assert (result["imported"], result["unchanged"], result["diary"]) == (1, 2, 1)
    assert result["skipped"] == [{"path": "daily_life/beach-trip-plan.md", "reason": "another text is there"}]
    assert memex.show("beach-trip-plan")["body"].strip() == "my own words"


def test_names_that_would_be_one_file_name_are_two_pages(memex: Memex, tmp_path: Path) -> None:
    source = MemoryStore(tmp_path / "a")
    source.add("f", "Same name", "first")
    source.add("f", "same-name", "second")
    for expected in (2, 0):
        assert memex.import_from("wikimem", source.root)["imported"] == expected
    assert [memex.show(slug)["body"].strip() for slug in ("same-name", "same-name-2")] == ["first", "second"]


def test_secrets_stay_behind_and_are_told(memex: Memex, tmp_path: Path) -> None:
    secret = "AKIA" + "IOSFODNN7EXAMPLQ"
    source = MemoryStore(tmp_path / "a")
    source.add("keys", "aws", f"it is {secret}")
    source.diary.append(f"typed {secret}", date="2026-07-22", time="19:00")
    result = memex.import_from("wikimem", source.root)
    assert len(result["warnings"]) == 2
    assert not any(secret.encode() in data for data in state(memex.root).values())
    again = memex.import_from("wikimem", source.root)
    assert (again["imported"], again["diary"]) == (0, 0)


def test_trying_it_writes_nothing(memex: Memex, source: MemoryStore) -> None:
    before = state(memex.root)
    result = memex.import_from("wikimem", source.root, dry_run=True)
    assert (result["imported"], result["diary"], result["dry_run"]) == (3, 4, True)
    assert state(memex.root) == before


def test_what_cannot_be_imported_is_refused(memex: Memex, tmp_path: Path) -> None:
    with pytest.raises(NotFound):
        memex.import_from("wikimem", tmp_path / "nothing")
    with pytest.raises(BadInput):
        memex.import_from("elsewhere", tmp_path)
    memex.diary_append("x")
    with pytest.raises(Refused):
        memex.import_from("wikimem", memex.root)


def test_the_command(cli: Callable[..., Any], source: MemoryStore) -> None:
    done = cli("import", "--from", "wikimem", str(source.root), "--json", check=True)
    assert (done.json["imported"], done.json["diary"]) == (3, 4)
    assert (
        "imported 0 pages"
        in cli("import", "--from", "wikimem", str(source.root), "--text", check=True).stdout
    )
    for words in (
        ("import",),
        ("import", "--from", "wikimem"),
        ("import", str(source.root)),
        ("import", "-i", "x", "y"),
    ):
        assert cli(*words).returncode == 2, words
