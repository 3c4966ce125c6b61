"""The Diary area: days, the calendar, a line for today, links. Today is 30 November 2026."""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from textual import events
from textual.pilot import Pilot
from textual.widgets import Input

from memex_core.memex import Memex
from memex_tui.app import MemexApp
from memex_tui.messages import Place
from memex_tui.screens.diary.jump import JumpCard
from memex_tui.screens.diary.screen import DiaryScreen
from tests.tui.frames import NARROW, WIDE, check_frame, frame, press, running, settle, text_frame, until


@pytest.fixture(autouse=True)
def utc(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


@pytest.fixture
def kept(root: Path) -> Path:
    with Memex(root, create=True) as memex:
        memex.write("entity", "Rate limits", "Each key has a bucket.")
        for day, at, text in (
            ("2026-11-29", "09:20", "Raised the limit, see [[Rate limits]] and [[Not yet]]."),
            ("2026-11-12", "10:00", "Dentist."),
            ("2026-11-30", "08:15", "Began the week with [brackets] [/b]."),
            ("2026-10-30", "07:00", "A month ago."),
            ("2025-11-30", "12:12", "A year ago."),
        ):
            memex.diary_append(text, date=day, time=at)
        turns = [
            {"role": "user", "content": "Which limit holds?", "ts": "2026-11-30T09:00:00Z"},
            {"role": "agent", "content": "Thirty.", "ts": "2026-11-30T09:01:00Z"},
        ]
        memex.ingest_transcript("talk-1", turns=turns)
    return root


def app_of(root: Path, **options: Any) -> MemexApp:
    return MemexApp(str(root), area="diary", keep_state=False, watch=False, **options)


def screen(app: MemexApp) -> DiaryScreen:
    found = app.current_area
    assert isinstance(found, DiaryScreen)
    return found


async def at(pilot: Pilot[Any], day: str) -> None:
    """Wait until a day is in view and read."""
    here = screen(pilot.app)  # type: ignore[arg-type]
    await until(
        pilot, lambda: here._shown is not None and here._shown.day == here.day == date.fromisoformat(day)
    )
    await settle(pilot)


def crumb(app: MemexApp) -> str:
    return frame(app)[1].strip().rpartition(" › ")[2]


@pytest.mark.parametrize(("name", "size"), [("narrow", NARROW), ("wide", WIDE)])
async def test_today(kept: Path, name: str, size: tuple[int, int]) -> None:
    app = app_of(kept)
    async with running(app, size) as pilot:
        await at(pilot, "2026-11-30")
        check_frame(f"diary/today-{name}", text_frame(app))
        await press(pilot, ["h"])
        await at(pilot, "2026-11-29")
        check_frame(f"diary/day-{name}", text_frame(app))


async def test_an_empty_memory(root: Path) -> None:
    app = app_of(root)
    async with running(app, NARROW) as pilot:
        await settle(pilot)
        assert "There is no memory here yet" in text_frame(app)


async def test_moving_by_day_week_month_and_entry(kept: Path) -> None:
    app = app_of(kept)
    async with running(app, NARROW) as pilot:
        here = screen(app)
        await app.go(Place("diary", date="2026-11-30"))
        await at(pilot, "2026-11-30")
        seen = []
        for key in ("h", "l", "left", "up", "down", "right", "[", "]", "N", "N", "n", "t"):
            await press(pilot, [key])
            seen.append(here.day.isoformat()[5:])
            await at(pilot, here.day.isoformat())
            assert crumb(app) == here.day.isoformat(), "the breadcrumbs name the day in view"
        assert len(app.history.places) == 1
        assert seen == [
            "11-29", "11-30", "11-29", "11-22", "11-29", "11-30", "10-30", "11-30", "11-29", "11-12", "11-29", "11-30"
        ]  # fmt: skip
        assert not app._notifications


async def test_a_line_for_today(kept: Path) -> None:
    app = app_of(kept)
    async with running(app, NARROW) as pilot:
        here = screen(app)
        here.show_day(date(2026, 11, 12))
        await at(pilot, "2026-11-12")
        await press(pilot, [*"i", *"ate q soup"])
        assert frame(app)[-1].startswith(" ⏎ keep  esc leave")
        await press(pilot, ["enter"])
        await at(pilot, "2026-11-30")
        text = (kept / "diary" / "2026-11-30.md").read_text(encoding="utf-8")
        assert "## 12:00\n\nate q soup\n" in text
        assert here.capture.value == ""
        await until(pilot, lambda: "ate q soup" in text_frame(app))
        assert here.focused is here.capture
        await press(pilot, ["escape", "h"])
        assert here.day == date(2026, 11, 29)


async def test_pasted_lines_become_one_and_none_is_lost(kept: Path) -> None:
    app = app_of(kept)
    async with running(app, NARROW) as pilot:
        await press(pilot, [*"i", *"a b"])
        screen(app).capture.cursor_position = 2
        app.post_message(events.Paste("first\n\n  second [x]\r\nthird "))
        await until(pilot, lambda: "third" in screen(app).capture.value)
        assert screen(app).capture.value == "a first second [x] thirdb"
        screen(app).capture.select_all()
        app.post_message(events.Paste("\nnew"))
        await until(pilot, lambda: "third" not in screen(app).capture.value)
        assert screen(app).capture.value == "new"


async def test_undo_says_that_the_diary_is_only_added_to(kept: Path) -> None:
    app = app_of(kept)
    async with running(app, NARROW) as pilot:
        await press(pilot, [*"i", *"stays", "enter"])
        await until(pilot, lambda: "stays" in text_frame(app))
        await press(pilot, ["escape", "u"])
        await until(pilot, lambda: bool(app._notifications))
        assert [note.message for note in app._notifications] == [
            "The diary is only added to\ntake the line out of diary/2026-11-30.md by hand"
        ]
        assert "stays" in (kept / "diary" / "2026-11-30.md").read_text(encoding="utf-8")


async def test_what_is_not_kept_yet_survives(kept: Path) -> None:
    app = app_of(kept)
    async with running(app, NARROW) as pilot:
        await press(pilot, [*"i", *"half a li"])
        state = screen(app).save_state()
    assert state == {"day": "2026-11-30", "draft": "half a li"}
    again = app_of(kept)
    async with running(again, NARROW) as pilot:
        screen(again).restore_state(state)
        await settle(pilot)
        assert screen(again).capture.value == "half a li"
        screen(again).restore_state({"draft": 3})
        assert screen(again).capture.value == "half a li"


async def test_a_day_is_named_as_people_say_it(kept: Path) -> None:
    app = app_of(kept)
    async with running(app, NARROW) as pilot:
        await at(pilot, "2026-11-30")
        await press(pilot, ["d", *"last thurs"])
        assert isinstance(app.screen, JumpCard)
        assert "no day yet" in text_frame(app)
        await press(pilot, ["enter"])
        assert isinstance(app.screen, JumpCard)
        await press(pilot, [*"day"])
        assert "Thursday, 26 November 2026 · 4 days ago" in text_frame(app)
        await press(pilot, ["enter"])
        await at(pilot, "2026-11-26")
        await press(pilot, ["d"])
        app.screen.query_one(Input).value = "上周四"
        await press(pilot, ["enter"])
        await at(pilot, "2026-11-26")


async def test_the_mouse_takes_a_day_and_a_month(kept: Path) -> None:
    app = app_of(kept)
    async with running(app, NARROW) as pilot:
        here = screen(app)
        await at(pilot, "2026-11-30")
        lines = text_frame(app).splitlines()
        row = next(y for y, line in enumerate(lines) if "12•" in line)
        await pilot.click(offset=(lines[row].index("12•") + 1, row))
        await at(pilot, "2026-11-12")
        assert "Dentist." in text_frame(app)
        head = next(y for y, line in enumerate(lines) if "‹ November" in line)
        await pilot.click(offset=(lines[head].index("‹"), head))
        await at(pilot, "2026-10-12")
        await pilot.click(offset=(lines[head].index("›"), head))
        await at(pilot, "2026-11-12")
        assert here.focused is here.calendar


async def test_links_of_an_entry_are_followed(kept: Path) -> None:
    app = app_of(kept)
    async with running(app, WIDE) as pilot:
        await app.go(Place("diary", date="2026-11-29"))
        await at(pilot, "2026-11-29")
        links = [span.link for _, span in screen(app).view.visible_links()]
        assert [link.target for link in links] == ["Rate limits", "Not yet"]
        screen(app)._follow(links[0])
        await until(pilot, lambda: app.current_area is not None and app.current_area.AREA == "page")
        await settle(pilot)
        assert "Each key has a bucket." in text_frame(app)
        await app.go(Place("diary", date="2026-11-30"))
        await at(pilot, "2026-11-30")
        talk = next(
            span.link for _, span in screen(app).view.visible_links() if span.link.target.startswith("memex:")
        )
        screen(app)._follow(talk)
        await until(pilot, lambda: app.current_area is not None and app.current_area.AREA == "sessions")
        await settle(pilot)
        assert not [note.message for note in app._notifications if note.severity == "error"]


async def test_searching_the_diary_opens_search(kept: Path) -> None:
    app = app_of(kept)
    async with running(app, NARROW) as pilot:
        await at(pilot, "2026-11-30")
        await press(pilot, ["/"])
        await until(pilot, lambda: app.current_area is not None and app.current_area.AREA == "search")
        await settle(pilot)
        assert app.screen.query_one(Input).value == "in:diary "


async def test_an_entry_written_elsewhere_appears(kept: Path) -> None:
    app = app_of(kept)
    async with running(app, NARROW) as pilot:
        await at(pilot, "2026-11-30")
        here = screen(app)
        here._look()
        await until(pilot, lambda: here._signature is not None)
        with Memex(kept) as other:
            other.diary_append("from elsewhere", time="11:11")
        await until(pilot, lambda: "from elsewhere" in text_frame(app))


async def test_the_entry_that_a_search_found_is_in_sight(kept: Path) -> None:
    with Memex(kept) as memex:
        for hour in range(10, 20):
            memex.diary_append(f"at {hour}", date="2026-11-28", time=f"{hour}:00")
        line = memex.diary_show("2026-11-28")["entries"][-1]["line"]
    app = app_of(kept)
    async with running(app, NARROW) as pilot:
        await app.go(Place("diary", date="2026-11-28", line=line))
        await at(pilot, "2026-11-28")
        await until(pilot, lambda: "at 19" in text_frame(app))
        assert "at 10" not in text_frame(app)
