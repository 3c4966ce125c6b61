"""The log of changes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from memex_core import Memex
from memex_core.wikimem import Diary, Journal, MemoryStore


def test_it_is_an_append_only_log_of_json_lines(tmp_path: Path, later) -> None:  # type: ignore[no-untyped-def]
    later("2026-07-10T03:00:00Z")
    path = tmp_path / "new" / "log.jsonl"
    for journal in (Journal(path), Journal(str(path))):
        journal.append("add", file="preferences", name="海边", owner="user:x", source_conv="c", detail="why")
    journal.append("remove", file="preferences", name="海边")
    journal.append_diary(date="2026-07-21", time="14:30", owner="user:x", source_conv="c")
    journal.append_diary(date="2026-07-21", time="15:30")
    full = (
        '{"ts": "2026-07-10T03:00:00+00:00", "action": "add", "file": "preferences", "item": "海边", '
        '"owner": "user:x", "source_conv": "c", "detail": "why"}\n'
    )
    assert path.read_text("utf-8") == full * 2 + (
        '{"ts": "2026-07-10T03:00:00+00:00", "action": "remove", "file": "preferences", "item": "海边"}\n'
        '{"ts": "2026-07-10T03:00:00+00:00", "action": "diary", "date": "2026-07-21", "time": "14:30", '
        '"owner": "user:x", "source_conv": "c"}\n'
        '{"ts": "2026-07-10T03:00:00+00:00", "action": "diary", "date": "2026-07-21", "time": "15:30"}\n'
    )


def test_entries_are_every_line_oldest_first(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "journal.jsonl")
    assert journal.entries() == []
    for name in ("a", "b"):
        journal.append("add", file="f", name=name)
    assert [line["item"] for line in journal.entries()] == ["a", "b"]


def test_it_is_shared_by_items_and_diary(store: MemoryStore) -> None:
    store.add("a", "b", "c")
    store.diary.append("x", date="2026-07-21", time="10:00")
    Diary(store.root).append("y", date="2026-07-21", time="11:00")
    store.remove("a", "b")
    assert [line["action"] for line in store.journal.entries()] == ["add", "diary", "diary", "remove"]


def test_a_torn_last_line_is_dropped_and_a_whole_one_without_its_end_kept(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    for torn, kept in (('{"action": "ad', 0), ('{"action": "add", "item": "whole"}', 1)):
        path.write_text('{"action": "add", "item": "first"}\nno json\n[1]\n' + torn)
        journal = Journal(path)
        journal.append("remove", file="f", name="last")
        assert [line["item"] for line in journal.entries()] == ["first", *["whole"] * kept, "last"]


@pytest.mark.parametrize("detail", [None, "because"])
def test_in_a_store_that_memex_keeps_its_lines_are_events_too(memex: Memex, detail: str | None) -> None:
    memex.write(type="entity", title="A page", body="text")
    store = MemoryStore(memex.root)
    store.add("work", "job", "robots", owner="me")
    store.journal.append("update", file="work", name="job", detail=detail)
    store.diary.append("something happened", date="2026-07-21", time="10:00")
    events = list(memex.store.journal.read())
    assert [event["seq"] for event in events] == list(range(1, len(events) + 1))
    assert [event["action"] for event in events[-3:]] == ["add", "update", "diary"]
    assert memex.store.journal.problems() == []
    lines = (Path(memex.root) / "journal.jsonl").read_text().splitlines()
    assert all(json.loads(line)["seq"] for line in lines)
    assert [page["title"] for page in memex.list()["pages"]] == ["A page"]
    memex.write(type="entity", title="Another", body="text")
    assert memex.store.journal.last_seq() == len(events) + 1
