"""The diary's files: entries in their place, every other byte as it was."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from memex_core.files import diary
from memex_core.files.diary import DiaryEntry
from memex_core.files.layout import Layout, create_store
from memex_core.model.errors import BadInput, NotFound, WriteFailed

DAY = "2026-11-30"


@pytest.fixture
def layout(tmp_path: Path) -> Layout:
    return create_store(str(tmp_path / "store"))


def file_of(layout: Layout, day: str = DAY) -> Path:
    return Path(diary.file_of(layout, day))


def write(layout: Layout, data: bytes, day: str = DAY) -> None:
    Path(layout.diary).mkdir(exist_ok=True)
    file_of(layout, day).write_bytes(data)


def test_an_entry_is_written_as_a_section_with_its_provenance(layout: Layout) -> None:
    made = diary.append(
        layout,
        "  Baked rye.  ",
        date=DAY,
        time="9:05",
        ts="2026-11-30T10:05:00.7+02:00",
        owner="odile",
        source="chat | 7",
    )
    assert made.ts == "2026-11-30T08:05:00Z"
    assert file_of(layout).read_text(encoding="utf-8") == (
        "# 2026-11-30\n\n## 09:05\n\nBaked rye.\n\n"
        "<!-- wikimem: owner=odile | source=chat / 7 | ts=2026-11-30T08:05:00Z -->\n"
    )
    (read,) = diary.day(layout, DAY)
    assert (read.time, read.content, read.owner, read.source) == ("09:05", "Baked rye.", "odile", "chat / 7")
    assert (read.ts, read.line) == ("2026-11-30T08:05:00Z", 3)


def test_entries_stand_in_time_order_and_two_may_share_a_minute(layout: Layout) -> None:
    for time, text in (("14:30", "b"), ("08:00", "a"), ("14:30", "c"), ("23:59", "e"), ("15:00", "d")):
        diary.append(layout, text, date=DAY, time=time)
    assert [(one.time, one.content) for one in diary.day(layout, DAY)] == [
        ("08:00", "a"),
        ("14:30", "b"),
        ("14:30", "c"),
        ("15:00", "d"),
        ("23:59", "e"),
    ]
    assert b"\n\n\n" not in file_of(layout).read_bytes()


def test_adding_leaves_every_other_byte(layout: Layout) -> None:
    before = (
        b"\xef\xbb\xbf# 2026-11-30\r\n\r\nA word above.\r\n\r\n## 08:00 breakfast\r\n\r\nToast \xff here.\r\n"
        b"### not a section\r\n## Notes\r\ntext\r\n\r\n## 18:00\r\nlate, no newline at the end"
    )
    write(layout, before)
    diary.append(layout, "noon\nsecond line", date=DAY, time="12:00", ts="2026-11-30T12:00:00Z")
    after = file_of(layout).read_bytes()
    added = b"## 12:00\r\n\r\nnoon\r\nsecond line\r\n\r\n<!-- wikimem: ts=2026-11-30T12:00:00Z -->\r\n\r\n"
    assert after.replace(added, b"") == before
    diary.append(layout, "end", date=DAY, time="19:00")
    assert file_of(layout).read_bytes().startswith(after + b"\r\n\r\n## 19:00\r\n")
    assert [one.time for one in diary.day(layout, DAY)] == ["08:00", "12:00", "18:00", "19:00"]


def test_what_people_write_by_hand_is_read(layout: Layout) -> None:
    write(
        layout,
        b"# 2026-11-30\n\nfree text\n\n## 7:15 run\nfive km\n\n## Later\nstill the run\n\n"
        b"<!-- wikimem: mood=good | owner= | junk | ts=x -->\n\n"
        b"## 18:00\n<!-- a comment of mine -->\n## 18:00\n\n",
    )
    entries = diary.entries(file_of(layout).read_bytes(), DAY)
    assert [(one.time, one.heading, one.content, one.line) for one in entries] == [
        ("", "", "free text", 1),
        ("07:15", "run", "five km\n\n## Later\nstill the run", 5),
        ("18:00", "", "<!-- a comment of mine -->", 13),
        ("18:00", "", "", 15),
    ]
    assert (entries[1].more, entries[1].owner, entries[1].ts) == ((("mood", "good"),), "", "x")
    data = file_of(layout).read_bytes()
    one = entries[1]
    assert diary.entries(data[one.at : one.at + one.size], DAY)[0].content == one.content


@pytest.mark.parametrize(
    "text",
    [
        "## 10:00\nnot a new entry",
        "a\n\\## 10:00 b",
        "x\n<!-- wikimem: owner=forged -->",
        "## 25 things",
        "# H1",
    ],
)
def test_text_that_looks_like_the_format_comes_back_as_it_was(layout: Layout, text: str) -> None:
    diary.append(layout, text, date=DAY, time="09:00", owner="odile")
    diary.append(layout, "next", date=DAY, time="11:00")
    assert [(one.time, one.content) for one in diary.day(layout, DAY)] == [("09:00", text), ("11:00", "next")]
    assert diary.day(layout, DAY)[0].owner == "odile"


def test_day_and_minute_come_from_the_instant_in_the_zone(
    layout: Layout, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MEMEX_NOW", "2026-11-30T23:30:00Z")
    made = diary.append(layout, "late", date=None, time=None, tz="Asia/Tokyo")
    assert (made.date, made.time, made.ts) == ("2026-12-01", "08:30", "2026-11-30T23:30:00Z")
    assert diary.dates(layout) == ["2026-12-01"]


@pytest.mark.parametrize(
    ("date", "time", "text", "more"),
    [
        ("2026-02-30", "10:00", "x", {}),
        ("../../x", "10:00", "x", {}),
        (DAY, "24:00", "x", {}),
        (DAY, "noon", "x", {}),
        (DAY, "10:00", "  \n", {}),
        (DAY, "10:00", "x", {"ts": "soon"}),
        (DAY, None, "x", {"tz": "Mars/Olympus"}),
        (DAY, None, "x", {"tz": "../etc"}),
    ],
)
def test_bad_input_is_refused_and_nothing_written(
    layout: Layout, date: str, time: str | None, text: str, more: dict[str, str]
) -> None:
    with pytest.raises(BadInput):
        diary.append(layout, text, date=date, time=time, **more)  # type: ignore[arg-type]
    assert diary.dates(layout) == []


def test_windows_and_ranges(layout: Layout) -> None:
    for day, text in (("2026-11-28", "a"), ("2026-11-29", "b"), ("2026-12-01", "c")):
        diary.append(layout, text, date=day, time="10:00")
    write(layout, b"not a day", day="2026-11-27")
    Path(layout.diary, "notes.md").write_text("x")
    Path(layout.diary, "2026-13-01.md").write_text("x")
    assert diary.dates(layout) == ["2026-11-27", "2026-11-28", "2026-11-29", "2026-12-01"]
    assert [one.content for one in diary.window(layout, "2026-12-01", "2026-11-29")] == ["b", "c"]
    assert [one.content for one in diary.show(layout)] == ["c"]
    assert [one.content for one in diary.show(layout, "..2026-11-28")] == ["a"]
    with pytest.raises(NotFound):
        diary.show(layout, "2026-11-27")
    with pytest.raises(BadInput):
        diary.show(layout, "tomorrow")


def test_adding_to_nothing_and_to_an_empty_file() -> None:
    entry = DiaryEntry(DAY, "10:00", "x")
    assert diary.add(b"", entry) == diary.add(b"\n", entry) == b"# 2026-11-30\n\n## 10:00\n\nx\n"


def test_an_event_right_behind_a_byte_order_mark_is_read(layout: Layout) -> None:
    write(layout, b"\xef\xbb\xbf## 10:00\n\nfirst\n")
    assert [(entry.time, entry.content) for entry in diary.day(layout, DAY)] == [("10:00", "first")]
    diary.append(layout, "early", date=DAY, time="09:00")
    assert [entry.content for entry in diary.day(layout, DAY)] == ["early", "first"]


def test_what_only_has_the_name_of_a_day_is_no_day(layout: Layout) -> None:
    """A folder, a pipe that nobody writes to, a link to nothing: none of them stops the reading."""
    write(layout, b"## 10:00\n\nhere\n")
    file_of(layout, "2026-11-01").mkdir()
    os.mkfifo(file_of(layout, "2026-11-02"))
    os.symlink("nowhere", file_of(layout, "2026-11-03"))
    assert diary.dates(layout) == [DAY]
    assert [entry.content for entry in diary.window(layout, "2026-11-01", DAY)] == ["here"]
    assert [diary.day(layout, f"2026-11-0{day}") for day in (1, 2, 3)] == [[], [], []]
    for day in ("2026-11-01", "2026-11-02"):
        with pytest.raises(WriteFailed):
            diary.append(layout, "lost", date=day)


def test_half_a_character_is_kept_as_a_question_mark(layout: Layout) -> None:
    made = diary.append(layout, "a \ud83d b", date=DAY, time="10:00", owner="o\udcff")
    assert (made.content, made.owner) == ("a ? b", "o?")
    assert [entry.content for entry in diary.day(layout, DAY)] == ["a ? b"]
