"""Days of the diary, and what else there is of a day. Now is 30 November 2026, noon."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from memex_core.memex import Memex
from memex_core.model.errors import BadInput, NotFound


@pytest.fixture
def memex(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Memex]:
    monkeypatch.setenv("MEMEX_NOW", "2026-11-30T12:00:00Z")
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    with Memex(str(tmp_path / "store"), create=True) as memex:
        yield memex
    monkeypatch.undo()
    time.tzset()


def times(memex: Memex, date: str | None) -> list[tuple[str, str]]:
    return [(entry["date"], entry["time"]) for entry in memex.diary_show(date)["entries"]]


def test_entries_are_shown_for_a_day_a_range_and_a_time_in_words(memex: Memex) -> None:
    for date, at in (("2026-11-28", "08:00"), ("2026-11-29", "09:00"), ("2026-11-29", "07:00")):
        memex.diary_append("something", date=date, time=at)
    sunday = [("2026-11-29", "07:00"), ("2026-11-29", "09:00")]
    assert times(memex, None) == sunday
    assert times(memex, "2026-11-29") == sunday
    assert times(memex, "yesterday") == sunday
    assert times(memex, "前天") == [("2026-11-28", "08:00")]
    assert times(memex, "2026-11-01..2026-11-28") == [("2026-11-28", "08:00")]
    assert times(memex, "2026-11") == [("2026-11-28", "08:00"), *sunday]
    assert times(memex, "2026-11-29..") == sunday
    assert times(memex, "last week") == [("2026-11-28", "08:00"), *sunday]
    assert memex.diary_dates()["dates"] == ["2026-11-28", "2026-11-29"]
    for date, said in (
        ("today", "on 2026-11-30"),
        ("2026-11-30..2026-11-30", "on 2026-11-30"),
        ("2026-10", "in 2026-10-01..2026-10-31"),
    ):
        with pytest.raises(NotFound, match=f"no diary entry {said}$"):
            memex.diary_show(date)
    assert times(memex, "..") == [("2026-11-28", "08:00"), *sunday]
    with pytest.raises(BadInput):
        memex.diary_show("whenever")


def test_an_append_is_journalled_with_its_time_and_nothing_is_lost_by_another(memex: Memex) -> None:
    memex.diary_append("first", date="2026-11-29", time="09:00")
    file = Path(memex.diary_append("second", date="2026-11-29", time="08:00")["file_path"])
    text = file.read_text(encoding="utf-8")
    assert text.startswith("# 2026-11-29\n\n## 08:00\n\nsecond\n")
    assert text.index("second") < text.index("first")
    events = [event for event in memex.store.journal.read() if event["action"] == "diary"]
    assert [(event["file"], event["detail"]["time"]) for event in events] == [
        ("diary/2026-11-29.md", "09:00"),
        ("diary/2026-11-29.md", "08:00"),
    ]


def test_a_day_has_its_entries_pages_and_conversations(memex: Memex) -> None:
    memex.diary_append("Moved it.", date="2026-11-29", time="14:30")
    memex.write(type="fact", title="Now", body="x")
    memex.write(type="fact", title="Then", body="x", occurred_at="2026-11-29")
    turns = [
        {"role": "user", "content": "hello", "ts": "2026-11-29T23:30:00Z"},
        {"role": "agent", "content": "hello", "ts": "2026-11-30T00:10:00Z"},
        {"role": "user", "content": "more", "ts": "2026-11-30T00:11:00Z"},
    ]
    memex.ingest_transcript("night", turns=turns)
    found = memex.diary_day("yesterday")
    assert found["date"] == "2026-11-29"
    assert [entry["text"] for entry in found["entries"]] == ["Moved it."]
    assert ("Then", "happened") in [(page["title"], page["what"]) for page in found["pages"]]
    assert [(one["session"], one["turns"]) for one in found["sessions"]] == [("night", 1)]
    today = memex.diary_day()
    written = {page["title"]: page["what"] for page in today["pages"]}
    assert (written["Now"], written["Then"]) == ("written", "written")
    assert [(one["session"], one["turns"]) for one in today["sessions"]] == [("night", 2)]
    days = memex.diary_month("2026-11")["days"]
    assert days["2026-11-29"]["entries"] == 1
    assert days["2026-11-29"]["sessions"] == 1
    assert days["2026-11-30"]["entries"] == 0
    assert "2026-11-28" not in days


def test_on_this_day_goes_back_month_by_month_and_then_by_years(memex: Memex) -> None:
    for date in (
        "2026-10-30",
        "2026-10-29",
        "2026-08-30",
        "2025-11-30",
        "2025-10-30",
        "2019-11-30",
        "2026-11-30",
    ):
        memex.diary_append(f"of {date}", date=date, time="10:00")
    found = memex.diary_on_this_day()
    assert [entry["text"][3:] for entry in found["entries"]] == [
        "2026-10-30", "2026-08-30", "2025-11-30", "2019-11-30"
    ]  # fmt: skip
    assert memex.diary_on_this_day("2026-10-29") == {"date": "2026-10-29", "entries": []}


def test_a_diary_entry_is_no_change_of_a_page(memex: Memex) -> None:
    """A page may have the path that the journal gives a day: what joined the diary is not its past."""
    memex.diary_append("one", date="2026-07-21", time="10:00")
    for name in ("diary/2026-07-21.md", "2026-07-21"):
        with pytest.raises(NotFound):
            memex.revert(name)
    memex.write("note", "2026-07-21", "first")
    memex.move("2026-07-21", folder="diary")
    memex.edit("diary/2026-07-21.md", append="second")
    memex.diary_append("two", date="2026-07-21", time="11:00")
    assert memex.revert("diary/2026-07-21.md")["files"] == ["diary/2026-07-21.md"]
    assert memex.show("diary/2026-07-21.md")["body"].strip() == "first"
    assert [entry["text"] for entry in memex.diary_show("2026-07-21")["entries"]] == ["one", "two"]
