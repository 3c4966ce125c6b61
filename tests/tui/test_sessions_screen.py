"""The Sessions area as a person uses it: list, filter, replay, jumps, deleting, capturing."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.widgets import Input

from memex_core.files import transcripts
from memex_core.memex import Memex
from memex_core.model.errors import NotFound, SearchFailed
from memex_tui.app import MemexApp
from memex_tui.doings import Doings
from memex_tui.messages import PagesChanged, Place
from memex_tui.screens.sessions import presenter, replaying
from memex_tui.screens.sessions.dialogs import CaptureFileCard, DeleteCard, ReportCard
from memex_tui.screens.sessions.screen import SessionsScreen
from memex_tui.screens.sessions.widgets import FilterInput
from memex_tui.widgets.virtual_list import VirtualList
from tests.tui.frames import NARROW, WIDE, press, running, settle, text_frame
from tests.tui.sessions_store import claude_session, make_long, make_store


@pytest.fixture
def talks(root: Path) -> Path:
    return make_store(root)


@pytest.fixture
def copied(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    found: list[str] = []

    async def copy(self: Doings, text: str, what: str) -> None:
        found.append(text)

    monkeypatch.setattr(Doings, "copy", copy)
    return found


def opened(root: Path, **options: Any) -> MemexApp:
    return MemexApp(str(root), area="sessions", **{"keep_state": False, "watch": False, **options})


def area(app: Any) -> SessionsScreen:
    screen = app.current_area
    assert isinstance(screen, SessionsScreen)
    return screen


async def until(pilot: Pilot[Any], true: Callable[[], bool]) -> None:
    """Wait for something that comes by itself; fails when it has not come after ten seconds."""
    for _ in range(1_000):
        if true():
            await settle(pilot)
            return
        await asyncio.sleep(0.01)
    screen = area(pilot.app)
    at = (screen._session, screen._talk, screen.replay.number, screen.replay.turn, screen.sessions.key)
    raise AssertionError(f"it did not come: {at}, {told(pilot.app)}\n{text_frame(pilot.app)}")


async def ready(pilot: Pilot[Any]) -> SessionsScreen:
    """The list is there, and the turns of the conversation under the cursor."""
    screen = area(pilot.app)
    await until(pilot, lambda: screen.replay.turn is not None and bool(screen._fruit.pages))
    return screen


async def on(pilot: Pilot[Any], session: str, turn: int = 0) -> SessionsScreen:
    """Replay a conversation at a turn."""
    await pilot.app.go(Place("sessions", session=session, turn=turn))  # type: ignore[attr-defined]
    screen = area(pilot.app)
    await until(pilot, lambda: screen._session == session and screen.replay.turn is not None)
    return screen


def ids(screen: SessionsScreen) -> list[str]:
    return [one.id for one in screen._narrowed()]


def told(app: Any) -> list[str]:
    return [note.message for note in app._notifications]


def listen(app: MemexApp) -> list[Place]:
    heard: list[Place] = []

    async def go(place: Place, *, remember: bool = True) -> None:
        heard.append(place)

    app.go = go  # type: ignore[method-assign]
    return heard


# -- list and filter ---------------------------------------------------------------------------


async def test_the_conversation_under_the_cursor_is_replayed_beside_the_list(talks: Path) -> None:
    async with running(opened(talks), WIDE) as pilot:
        screen = await ready(pilot)
        assert ids(screen) == ["limits", "tables", "old-port"]
        assert (screen._session, screen.replay.number) == ("limits", 1)
        await press(pilot, ["j"])
        await until(pilot, lambda: screen._session == "tables" and screen.replay.turn is not None)
        text = text_frame(pilot.app)
        assert "tables [/red] with brackets [b] please" in text
        assert "Here they are." in text
        assert not told(pilot.app)


async def test_typing_narrows_the_list_and_keys_set_its_operators(talks: Path) -> None:
    async with running(opened(talks), WIDE) as pilot:
        screen = await ready(pilot)
        await press(pilot, ["slash", *"port"])
        assert ids(screen) == ["old-port"]
        assert "1 of 3" in text_frame(pilot.app)
        await press(pilot, ["enter", "escape"])
        assert ids(screen) == ["limits", "tables", "old-port"]
        field = screen.query_one(FilterInput)
        seen = []
        for key in ["a", "a", "a", "p", "p", "s", "escape"]:
            await press(pilot, [key])
            seen.append((field.value, len(ids(screen))))
        assert seen == [
            ("agent:claude", 1),
            ("agent:codex", 1),
            ("", 3),
            ("project:deploy", 1),
            ("project:infra", 1),
            ("since:7d project:infra", 1),
            ("", 3),
        ]
        await press(pilot, ["slash", *"since:whenever"])
        assert "since: whenever?" in text_frame(pilot.app)
        assert len(ids(screen)) == 3


async def test_the_replay_follows_the_filter_only_when_the_cursor_moves(talks: Path) -> None:
    async with running(opened(talks), WIDE) as pilot:
        screen = await ready(pilot)
        await press(pilot, ["slash", *"tables"])
        await until(pilot, lambda: screen._session == "tables")
        await press(pilot, [*"zzz"])
        assert "No conversation fits" in text_frame(pilot.app)
        assert screen._session == "tables"
        await press(pilot, ["escape", "escape"])
        assert (screen.sessions.key, screen._session) == ("tables", "tables")


async def test_activity_is_of_the_conversations_that_are_listed(talks: Path) -> None:
    async with running(opened(talks), WIDE) as pilot:
        await ready(pilot)
        assert "busiest day 5 turns" in text_frame(pilot.app)
        await press(pilot, ["a"])
        assert "busiest day 3 turns" in text_frame(pilot.app)


async def test_where_there_is_little_room_list_and_replay_take_turns(talks: Path) -> None:
    async with running(opened(talks), NARROW) as pilot:
        screen = await ready(pilot) if area(pilot.app).replay.size.height else area(pilot.app)
        await until(pilot, lambda: bool(screen._fruit.pages))
        assert "limits and retry" in text_frame(pilot.app)
        assert "honour retry-after" not in text_frame(pilot.app)
        await press(pilot, ["enter"])
        await until(pilot, lambda: screen.replay.turn is not None)
        assert "honour retry-after" in text_frame(pilot.app)
        await press(pilot, ["escape"])
        assert "honour retry-after" not in text_frame(pilot.app)
        assert screen.focused is screen.sessions
        await press(pilot, ["w"])
        assert "Retry policy" in text_frame(pilot.app)
        assert screen.focused is screen.pages
        await press(pilot, ["escape"])
        assert "activity" in text_frame(pilot.app)


# -- replay ------------------------------------------------------------------------------------


async def test_tool_calls_are_folded_until_they_are_asked_for(talks: Path) -> None:
    async with running(opened(talks), WIDE) as pilot:
        await ready(pilot)
        screen = await on(pilot, "limits", 3)
        assert "40: retry()" not in text_frame(pilot.app)
        await press(pilot, ["enter"])
        assert "40: retry()" in text_frame(pilot.app)
        await press(pilot, ["x", "t"])
        assert "40: retry()" in text_frame(pilot.app)
        await press(pilot, ["t"])
        assert "40: retry()" not in text_frame(pilot.app)
        screen.replay.move_to(0)
        await press(pilot, ["enter"])
        assert told(pilot.app)[-1].startswith("This turn has no tool call")


async def test_from_prompt_to_prompt(root: Path) -> None:
    make_long(root, 400)
    async with running(opened(root), WIDE) as pilot:
        screen = await on(pilot, "long", 20)
        seen = []
        for key in ["n", "n", "p", "p", "p"]:
            await press(pilot, [key])
            seen.append(screen.replay.number)
        assert seen == [51, 101, 51, 1, 1]
        assert told(pilot.app)[-1] == "No typed prompt above"
        screen.do_sessions_next_prompt()
        screen.do_sessions_next_prompt()
        screen.do_sessions_next_prompt()  # faster than the turns are read: none of the three is lost
        await until(pilot, lambda: screen.replay.number == 151)
        await press(pilot, ["G", "n"])
        assert told(pilot.app)[-1] == "No typed prompt below"


async def test_from_cited_turn_to_cited_turn(talks: Path) -> None:
    async with running(opened(talks), WIDE) as pilot:
        await ready(pilot)
        screen = await on(pilot, "limits", 1)
        assert set(screen.replay.talk.marked) == {3, 4}
        seen = []
        for key in ["N", "N", "N", "P"]:
            await press(pilot, [key])
            seen.append(screen.replay.number)
        assert seen == [3, 4, 4, 3]
        assert told(pilot.app)[-1] == "No page cites a turn below"


async def test_searching_in_the_turns(root: Path) -> None:
    make_long(root, 3_000)
    async with running(opened(root), WIDE) as pilot:
        screen = await on(pilot, "long", 1_500)
        await press(pilot, ["slash", *"prompt 2"])
        # 201, 251, 2001 to 2951: 2 + 20
        await until(pilot, lambda: screen._walk is not None and screen._walk.done and screen._aimed)
        assert screen.replay.number == 2_001
        assert "3 of 22" in text_frame(pilot.app)
        await press(pilot, ["enter"])
        assert screen.replay.number == 2_051
        await press(pilot, ["up", "up"])
        assert screen.replay.number == 251
        assert set(screen.replay.talk.marked) == {201, 251}  # those around the cursor
        await press(pilot, ["escape", "]"])
        assert screen.replay.number == 2_001
        await press(pilot, ["[", "["])
        assert screen.replay.number == 201
        await press(pilot, ["slash", *"loaf 203"])
        await until(pilot, lambda: screen.replay.number == 203)
        assert "loaf 203" in text_frame(pilot.app)  # a tool call that says it is unfolded
        await press(pilot, ["ctrl+u", *"nobody says"])
        await until(pilot, lambda: "no turn says this" in text_frame(pilot.app))
        await press(pilot, ["ctrl+u", "escape"])
        assert not screen.find_line.display
        assert screen.focused is screen.replay


async def test_a_search_ends_with_the_conversation_it_was_for(root: Path) -> None:
    make_store(root)
    make_long(root, 200)
    async with running(opened(root), WIDE) as pilot:
        screen = await on(pilot, "long", 1)
        await press(pilot, ["slash", *"prompt"])
        await until(pilot, lambda: screen._walk is not None and screen._walk.done)
        walk = screen._walk
        await on(pilot, "limits")
        assert walk is not None
        assert walk.stopped.is_set()
        assert screen._walk is None
        assert not screen.find_line.display


async def test_a_search_that_is_not_begun_yet_does_not_begin_in_the_next_conversation(root: Path) -> None:
    make_store(root)
    make_long(root, 200)
    async with running(opened(root), WIDE) as pilot:
        screen = await on(pilot, "long", 1)
        await press(pilot, ["slash"])
        screen.find_line.field.value = "prompt"
        await until(pilot, lambda: screen._find_timer is not None)
        timer = screen._find_timer
        screen._open("limits")
        assert timer is not None
        await until(pilot, lambda: timer._task is None or timer._task.done())  # it has fired, or never will
        await until(pilot, lambda: screen._session == "limits" and screen.replay.turn is not None)
        assert screen._walk is None


async def test_a_conversation_is_found_again_where_it_was_left(root: Path) -> None:
    make_store(root)
    make_long(root, 200)
    async with running(opened(root), WIDE) as pilot:
        screen = await on(pilot, "long", 120)
        await on(pilot, "limits", 4)
        await on(pilot, "long")
        assert screen.replay.number == 120


async def test_a_conversation_that_grew_stays_where_it_is(talks: Path) -> None:
    async with running(opened(talks), WIDE) as pilot:
        await ready(pilot)
        screen = await on(pilot, "limits", 4)
        with Memex(talks) as memex:
            transcripts.append(memex.store.layout, "limits", [{"role": "user", "content": "one more"}])
        await press(pilot, ["r"])
        await until(pilot, lambda: screen.replay.talk.count == 6 and screen.replay.turn is not None)
        assert screen.replay.number == 4
        assert "one more" in text_frame(pilot.app)


async def test_a_place_may_be_hidden_by_the_filter_or_not_be_kept(talks: Path) -> None:
    async with running(opened(talks), WIDE) as pilot:
        screen = await ready(pilot)
        await press(pilot, ["a"])
        assert ids(screen) == ["tables"]
        await on(pilot, "limits", 4)
        assert (screen.sessions.key, screen.replay.number, len(ids(screen))) == ("limits", 4, 3)
        await pilot.app.go(Place("sessions", session="gone", turn=3))  # type: ignore[attr-defined]
        await until(pilot, lambda: "The conversation gone is not kept here." in text_frame(pilot.app))
        assert not told(pilot.app)


async def test_only_turns_in_sight_are_read_of_a_long_one(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_long(root, 20_000)
    asked: list[tuple[int, int]] = []
    real = replaying.turns

    def turns(memex: Memex, session: str, first: int, last: int) -> Any:
        asked.append((first, last))
        return real(memex, session, first, last)

    monkeypatch.setattr(replaying, "turns", turns)
    async with running(opened(root), WIDE) as pilot:
        screen = await on(pilot, "long", 12_000)
        await press(pilot, ["G"])
        await until(pilot, lambda: screen.replay.turn is not None)
        assert screen.replay.number == 20_000
        assert asked
        assert all(last - first < 300 for first, last in asked)
        assert sum(last - first for first, last in asked) < 1_500


# -- pages, sources, copying ---------------------------------------------------------------------


async def test_the_pages_of_a_conversation_lead_to_them(talks: Path) -> None:
    async with running(opened(talks), WIDE) as pilot:
        screen = await ready(pilot)
        heard = listen(pilot.app)  # type: ignore[arg-type]
        await press(pilot, ["w", "G"])
        item = screen.current_item()
        assert item is not None
        assert (item.path, item.title) == ("procedures/retry-policy.md", "Retry policy")
        await press(pilot, ["enter"])
        assert [(place.area, place.path) for place in heard] == [("page", "procedures/retry-policy.md")]


async def test_from_a_turn_to_sources(talks: Path) -> None:
    async with running(opened(talks), WIDE) as pilot:
        await ready(pilot)
        await on(pilot, "limits", 4)
        heard = listen(pilot.app)  # type: ignore[arg-type]
        await press(pilot, ["s"])
        assert [(place.area, place.session, place.turn) for place in heard] == [("sources", "limits", 4)]


async def test_what_can_be_copied(talks: Path, copied: list[str]) -> None:
    async with running(opened(talks), WIDE) as pilot:
        screen = await ready(pilot)
        await press(pilot, ["y", "r", "y", "i"])
        await on(pilot, "limits", 3)
        await press(pilot, ["y", "y"])
        assert copied == ["cd '/w/infra shop' && codex resume limits", "limits", "limits#3"]
        await press(pilot, ["escape", "G"])
        await until(pilot, lambda: screen._session == "old-port")
        await press(pilot, ["y", "r"])
        assert len(copied) == 3
        assert told(pilot.app)[-1].startswith("Its agent cannot go on")


# -- deleting ------------------------------------------------------------------------------------


async def test_deleting_shows_what_goes_and_takes_only_that(talks: Path) -> None:
    async with running(opened(talks), WIDE) as pilot:
        screen = await ready(pilot)
        await press(pilot, ["D"])
        await until(pilot, lambda: isinstance(pilot.app.screen, DeleteCard))
        text = text_frame(pilot.app)
        assert "Takes 5 turns and 1 episode page." in text
        assert "− episodes/limits.md" in text
        assert "entities/rate-limits.md stays" in text
        await press(pilot, ["escape"])
        assert ids(screen) == ["limits", "tables", "old-port"]
        await press(pilot, ["D"])
        await until(pilot, lambda: isinstance(pilot.app.screen, DeleteCard))
        await press(pilot, ["enter"])
        await until(pilot, lambda: ids(screen) == ["tables", "old-port"])
        await until(pilot, lambda: screen._session == "tables")
    with Memex(talks) as memex:
        assert not transcripts.exists(memex.store.layout, "limits")
        assert memex.show("retry-policy")["title"] == "Retry policy"
        with pytest.raises(NotFound):
            memex.show("limits")


async def test_erasing_for_good_asks_twice(talks: Path) -> None:
    async with running(opened(talks), WIDE) as pilot:
        screen = await ready(pilot)
        await press(pilot, ["D"])
        await until(pilot, lambda: isinstance(pilot.app.screen, DeleteCard))
        await press(pilot, ["down", "enter"])
        assert "again erases it for good" in text_frame(pilot.app)
        await press(pilot, ["up", "down"])  # another choice forgets the first Enter
        await press(pilot, ["enter"])
        assert isinstance(pilot.app.screen, DeleteCard)
        await press(pilot, ["enter"])
        await until(pilot, lambda: ids(screen) == ["tables", "old-port"])
    with Memex(talks) as memex:
        journal = Path(memex.store.layout.journal).read_text(encoding="utf-8")
        assert "the crawler gets 429s" not in journal


async def test_deleting_all_conversations(talks: Path) -> None:
    async with running(opened(talks), WIDE) as pilot:
        screen = await ready(pilot)
        screen.run_command("sessions.clear")
        await until(pilot, lambda: isinstance(pilot.app.screen, DeleteCard))
        assert "Delete 3 conversations" in text_frame(pilot.app)
        await press(pilot, ["enter"])
        assert isinstance(pilot.app.screen, DeleteCard)
        await press(pilot, ["enter"])
        await until(pilot, lambda: not screen._listed)
        assert "No conversation is kept here yet." in text_frame(pilot.app)
    with Memex(talks) as memex:
        assert transcripts.session_ids(memex.store.layout) == []
        assert memex.show("limits")["node_type"] == "episode"


# -- capturing -----------------------------------------------------------------------------------


async def test_capturing_tells_what_came_of_it_and_makes_a_memory_where_there_is_none(
    root: Path, tmp_path: Path, copied: list[str]
) -> None:
    file = claude_session(tmp_path / "home")
    async with running(opened(root), WIDE) as pilot:
        screen = area(pilot.app)
        await until(pilot, lambda: "No conversation is kept here yet." in text_frame(pilot.app))
        await press(pilot, ["c"])
        await until(pilot, lambda: isinstance(pilot.app.screen, ReportCard) and bool(screen._listed))
        text = text_frame(pilot.app)
        assert "capture · 2 new turns from 1 session" in text
        assert "Fix the lid of the kettle" in text
        await press(pilot, ["escape"])
        assert ids(screen) == [file.stem]
        await press(pilot, ["y", "r"])
        assert copied == [f"cd /w/kettle && claude --resume {file.stem}"]
        await press(pilot, ["c"])
        await until(pilot, lambda: bool(told(pilot.app)))
        assert told(pilot.app) == ["Captured: nothing new · 1 as before"]
        assert screen._capture is None
        screen.run_command("sessions.report")
        await settle(pilot)
        assert "Nothing was new" in text_frame(pilot.app)


async def test_a_file_is_captured_by_its_path(talks: Path, tmp_path: Path) -> None:
    file = claude_session(tmp_path / "elsewhere")
    async with running(opened(talks), WIDE) as pilot:
        screen = await ready(pilot)
        await press(pilot, ["C"])
        assert isinstance(pilot.app.screen, CaptureFileCard)
        pilot.app.screen.query_one(Input).value = str(file)
        await press(pilot, ["enter"])
        await until(pilot, lambda: isinstance(pilot.app.screen, ReportCard) and len(screen._listed) == 4)
        await press(pilot, ["escape", "C"])
        pilot.app.screen.query_one(Input).value = str(tmp_path / "gone.jsonl")
        await press(pilot, ["enter"])
        await until(pilot, lambda: any("no file" in text for text in told(pilot.app)))
        assert screen._capture is None


async def test_a_capture_can_be_stopped(talks: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    begun, go_on = threading.Event(), threading.Event()

    def capture(self: Memex, *, progress: Callable[[int, int], None], **_: Any) -> Any:
        progress(30, 100)
        begun.set()
        assert go_on.wait(20)
        progress(40, 100)
        raise AssertionError("it went on")

    monkeypatch.setattr(Memex, "capture", capture)
    async with running(opened(talks), WIDE) as pilot:
        screen = await ready(pilot)
        screen.run_command("sessions.capture")
        await asyncio.to_thread(begun.wait, 20)
        screen._tell()
        await pilot.pause()
        assert "capturing 30 %" in text_frame(pilot.app)
        screen.run_command("sessions.capture")
        await pilot.press("escape")
        go_on.set()
        await until(pilot, lambda: screen._capture is None)
        assert [text.splitlines()[0] for text in told(pilot.app)] == [
            "A capture is running",
            "The capture was stopped",
        ]


# -- state and failures ----------------------------------------------------------------------------


async def test_everything_is_as_it_was_at_the_next_start(talks: Path) -> None:
    async with running(opened(talks, keep_state=True), WIDE) as pilot:
        await ready(pilot)
        await on(pilot, "tables", 2)
        await press(pilot, ["escape", "slash", *"since:7d", "enter", "enter"])
        pilot.app.save_state()  # type: ignore[attr-defined]
    async with running(opened(talks, keep_state=True), WIDE) as pilot:
        screen = area(pilot.app)
        await until(pilot, lambda: screen._session == "tables" and screen.replay.turn is not None)
        assert screen.replay.number == 2
        assert screen.query_one(FilterInput).value == "since:7d"
        assert ids(screen) == ["limits", "tables"]
        await until(pilot, lambda: screen.focused is screen.replay)


async def test_nonsense_in_the_state_does_no_harm(talks: Path) -> None:
    async with running(opened(talks), WIDE) as pilot:
        screen = await ready(pilot)
        screen.restore_state({"session": 3, "turn": "x", "filter": None, "side": [], "tools": 1})
        screen.restore_state({"session": "gone", "turn": -4})
        screen.do_sessions_reload()
        await settle(pilot)
        assert ids(screen) == ["limits", "tables", "old-port"]
        assert not told(pilot.app)


async def test_a_list_that_cannot_be_read_says_so_and_is_tried_again(
    talks: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = presenter.load

    def fail(_: Memex) -> Any:
        raise SearchFailed("the disk is gone", hint="put it back")

    monkeypatch.setattr(presenter, "load", fail)
    async with running(opened(talks), WIDE) as pilot:
        await until(pilot, lambda: bool(told(pilot.app)))
        assert "The list could not be read: the disk is gone" in text_frame(pilot.app)
        monkeypatch.setattr(presenter, "load", real)
        await press(pilot, ["r"])
        screen = await ready(pilot)
        assert len(ids(screen)) == 3


async def test_what_changes_elsewhere_is_seen(talks: Path) -> None:
    async with running(opened(talks), WIDE) as pilot:
        screen = await ready(pilot)
        with Memex(talks) as memex:
            memex.write("entity", "New one", "x", sources=["limits#1"])
            memex.ingest_transcript("fresh", turns=[{"role": "user", "content": "a fresh one"}])
        pilot.app.post_message(PagesChanged(added=("entities/new-one.md",)))
        await until(pilot, lambda: "fresh" in ids(screen) and 1 in set(screen.replay.talk.marked))
        assert "New one" in text_frame(pilot.app)
        assert (screen._session, screen.sessions.key) == ("limits", "limits")


async def test_the_mouse_opens_and_unfolds(talks: Path) -> None:
    async with running(opened(talks), WIDE) as pilot:
        screen = await ready(pilot)
        await pilot.click(VirtualList, offset=(10, 5), times=2)
        await until(pilot, lambda: screen._session == "tables")
        assert screen.focused is screen.replay


async def test_a_subagents_conversation_is_not_listed_but_can_be_replayed(talks: Path) -> None:
    with Memex(talks) as memex:
        said = [{"role": "agent", "content": "looking into it"}]
        transcripts.ingest(memex.store.layout, "agent-a1", said, meta={"harness": "claude", "subagent": "a1"})
    async with running(opened(talks), WIDE) as pilot:
        await ready(pilot)
        screen = await on(pilot, "agent-a1")
        assert "agent-a1" not in ids(screen)
        assert "looking into it" in text_frame(pilot.app)
        await press(pilot, ["r"])
        assert screen._session == "agent-a1"  # reading the list again does not take it away
        assert screen.here == "agent-a1"


async def test_a_search_does_not_outlive_the_app(root: Path) -> None:
    make_long(root, 100)
    async with running(opened(root), WIDE) as pilot:
        screen = await on(pilot, "long", 1)
        await press(pilot, ["slash", *"prompt"])
        await until(pilot, lambda: screen._walk is not None)
        walk, jump = screen._walk, screen._jump
    assert walk is not None
    assert walk.stopped.is_set()
    assert jump.is_set()
