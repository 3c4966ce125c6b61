"""Events: added, read, never changed."""

from __future__ import annotations

import os
from datetime import UTC, timedelta, timezone
from pathlib import Path

import pytest

from memex_core import Memex
from memex_core.wikimem import Diary, DiaryItem, Journal, MemoryStore, RecallItem, as_recall_item


def test_a_diary_can_stand_alone(tmp_path: Path) -> None:
    diary = Diary(str(tmp_path / "alone"))
    assert not (tmp_path / "alone").exists()
    diary.append("x", date="2026-07-21", time="10:00")
    assert [line["action"] for line in Journal(tmp_path / "alone" / "journal.jsonl").entries()] == ["diary"]
    other = Journal(tmp_path / "other.jsonl")
    Diary(tmp_path / "alone", journal=other).append("y", date="2026-07-21", time="11:00")
    assert len(other.entries()) == 1


def test_append_returns_the_entry_and_files_it_by_day(store: MemoryStore) -> None:
    entry = store.diary.append(
        " 他说换了工作，语气很兴奋。[[work:current-job]] \n",
        ts="2026-07-21T06:30:00Z",
        owner="user:xnne",
        source_conv="conv_20260721",
        tz="Asia/Shanghai",
    )
    assert entry == DiaryItem(
        "2026-07-21",
        "14:30",
        "他说换了工作，语气很兴奋。[[work:current-job]]",
        "user:xnne",
        "conv_20260721",
        "2026-07-21T06:30:00+00:00",
    )
    assert (store.root / "diary" / "2026-07-21.md").read_text("utf-8") == (
        "# 2026-07-21\n\n## 14:30\n\n他说换了工作，语气很兴奋。[[work:current-job]]\n\n"
        "<!-- wikimem: owner=user:xnne | source=conv_20260721 | ts=2026-07-21T06:30:00+00:00 -->\n"
    )
    assert store.diary.day("2026-07-21") == [entry]


def test_ts_defaults_to_now_and_day_and_time_to_ts_in_the_zone(store: MemoryStore, later) -> None:  # type: ignore[no-untyped-def]
    later("2026-12-31T23:30:00Z")
    east = store.diary.append("a", tz=timezone(timedelta(hours=2)))
    assert (east.date, east.time, east.ts) == ("2027-01-01", "01:30", "2026-12-31T23:30:00+00:00")
    utc = store.diary.append("b", tz=UTC)
    assert (utc.date, utc.time) == ("2026-12-31", "23:30")
    given = store.diary.append("c", date="2026-07-21", time="09:05", tz="UTC")
    assert (given.date, given.time, given.ts) == ("2026-07-21", "09:05", "2026-12-31T23:30:00+00:00")


def test_the_zone_defaults_to_the_systems(store: MemoryStore, monkeypatch: pytest.MonkeyPatch, later) -> None:  # type: ignore[no-untyped-def]
    import time

    later("2026-07-21T20:00:00Z")
    try:
        with monkeypatch.context() as there:
            there.setenv("TZ", "Asia/Tokyo")
            time.tzset()
            entry = store.diary.append("x")
    finally:
        time.tzset()
    assert (entry.date, entry.time) == ("2026-07-22", "05:00")


def test_ts_is_stored_in_utc_with_whole_seconds(store: MemoryStore) -> None:
    assert store.diary.append("x", ts="2026-07-21T14:30:00.999+08:00").ts == "2026-07-21T06:30:00+00:00"


@pytest.mark.parametrize(
    "wrong",
    [
        {"ts": "yesterday"},
        {"ts": ""},
        {"ts": "1753000000"},
        {"date": "2026-7-1"},
        {"date": "2026-02-30"},
        {"date": ""},
        {"date": "../x"},
        {"time": "9:05"},
        {"time": "24:00"},
        {"time": "12:60"},
        {"time": ""},
        {"tz": "Mars/Olympus"},
    ],
)
def test_a_malformed_date_time_or_ts_raises_and_writes_nothing(
    store: MemoryStore, wrong: dict[str, str]
) -> None:
    with pytest.raises(ValueError):
        store.diary.append("x", **wrong)  # type: ignore[arg-type]
    assert not store.root.exists()


@pytest.mark.parametrize("content", ["", " \n\t "])
def test_empty_content_raises(store: MemoryStore, content: str) -> None:
    with pytest.raises(ValueError):
        store.diary.append(content)
    assert not store.root.exists()


def test_entries_are_only_ever_added(store: MemoryStore) -> None:
    public = {name for name in dir(Diary) if not name.startswith("_")}
    assert public == {"append", "day", "window", "dates"}
    store.diary.append("first", date="2026-07-21", time="10:00", ts="2026-07-21T10:00:00Z")
    before = (store.root / "diary" / "2026-07-21.md").read_text()
    store.diary.append("second", date="2026-07-21", time="10:05")
    assert (store.root / "diary" / "2026-07-21.md").read_text().startswith(before)


def test_every_append_is_one_diary_line_in_the_journal(store: MemoryStore) -> None:
    store.diary.append("x", date="2026-07-21", time="10:00", owner="o", source_conv="s")
    store.diary.append("y", date="2026-07-21", time="10:00")
    lines = [{key: line[key] for key in line if key != "ts"} for line in store.journal.entries()]
    assert lines == [
        {"action": "diary", "date": "2026-07-21", "time": "10:00", "owner": "o", "source_conv": "s"},
        {"action": "diary", "date": "2026-07-21", "time": "10:00"},
    ]


def test_two_events_of_one_minute_are_both_kept(store: MemoryStore) -> None:
    for text in ("one", "two", "two"):
        store.diary.append(text, date="2026-07-21", time="10:00")
    assert [entry.content for entry in store.diary.day("2026-07-21")] == ["one", "two", "two"]


def test_a_day_is_in_order_of_time_whatever_the_order_of_writing(store: MemoryStore) -> None:
    for time in ("22:10", "08:00", "14:30", "08:00"):
        store.diary.append(f"at {time}", date="2026-07-21", time=time)
    assert [entry.time for entry in store.diary.day("2026-07-21")] == ["08:00", "08:00", "14:30", "22:10"]
    assert store.diary.day("2026-07-22") == []
    with pytest.raises(ValueError):
        store.diary.day("today")


def test_a_window_holds_both_its_ends_and_may_be_given_backwards(store: MemoryStore) -> None:
    for day in (19, 20, 22, 23):
        store.diary.append(str(day), date=f"2026-07-{day}", time="10:00")
        store.diary.append(f"{day} early", date=f"2026-07-{day}", time="01:00")
    wanted = ["20 early", "20", "22 early", "22"]
    assert [entry.content for entry in store.diary.window("2026-07-20", "2026-07-22")] == wanted
    assert [entry.content for entry in store.diary.window("2026-07-22", "2026-07-20")] == wanted
    assert store.diary.window("2026-07-21", "2026-07-21") == []
    with pytest.raises(ValueError):
        store.diary.window("2026-07-20", "later")


def test_dates_are_the_days_that_have_a_file(store: MemoryStore) -> None:
    for day in ("2026-07-21", "2025-01-01"):
        store.diary.append("x", date=day, time="10:00")
    (store.root / "diary" / "2026-13-01.md").write_text("")
    (store.root / "diary" / "notes.md").write_text("")
    assert store.diary.dates() == ["2025-01-01", "2026-07-21"]


def test_what_people_write_by_hand_is_read(store: MemoryStore) -> None:
    (store.root / "diary").mkdir(parents=True)
    (store.root / "diary" / "2026-07-21.md").write_text(
        "# my day\n\n## 9:05 lunch\nby hand\n\n## 9:05\nagain\n"
    )
    assert store.diary.day("2026-07-21") == [
        DiaryItem("2026-07-21", "09:05", "lunch\nby hand"),
        DiaryItem("2026-07-21", "09:05", "again"),
    ]


def test_an_entry_is_bridged_to_an_item_of_its_day() -> None:
    entry = DiaryItem("2026-07-21", "14:30", "text", "me", "conv", "2026-07-21T06:30:00+00:00")
    assert as_recall_item(entry) == RecallItem(
        "2026-07-21", "14:30", "text", "me", "conv", "2026-07-21T06:30:00+00:00"
    )


def test_memex_and_the_face_write_one_diary(memex: Memex) -> None:
    memex.diary_append("from memex", date="2026-07-21", time="10:00")
    store = MemoryStore(memex.root)
    store.diary.append("from the face", date="2026-07-21", time="09:00")
    assert [entry.content for entry in store.diary.day("2026-07-21")] == ["from the face", "from memex"]
    assert [one["text"] for one in memex.diary_show("2026-07-21")["entries"]] == [
        "from the face",
        "from memex",
    ]
    assert [hit["snippet"] for hit in memex.recall("face")["hits"]] == ["from the <mark>face</mark>"]


def test_in_a_store_that_memex_keeps_secrets_are_left_out(memex: Memex) -> None:
    secret = "AKIA" + "IOSFODNN7EXAMPLQ"
    store = MemoryStore(memex.root)
    assert secret not in store.diary.append(f"the key is {secret}", date="2026-07-21", time="10:00").content
    assert secret not in store.add("keys", "aws", f"the key is {secret}").content
    kept = [path.read_text() for folder in ("wiki", "diary") for path in (store.root / folder).iterdir()]
    assert len(kept) == 2 and all("REDACTED" in text and secret not in text for text in kept)


def test_a_store_of_items_alone_holds_what_it_was_given(store: MemoryStore) -> None:
    secret = "AKIA" + "IOSFODNN7EXAMPLQ"
    assert store.diary.append(secret, date="2026-07-21", time="10:00").content == secret
    assert store.add("keys", "aws", secret).content == secret
    assert ".memex" not in os.listdir(store.root)
