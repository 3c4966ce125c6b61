from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.widgets import Input

from memex_core import Memex
from memex_tui.app import MemexApp
from memex_tui.messages import PagesChanged, Place
from memex_tui.render.line import line_text
from memex_tui.screens.note_bar import NoteBar
from memex_tui.screens.sources.dialogs import CiteCard, CitedInCard, DisputeCard
from memex_tui.screens.sources.screen import SourcesScreen
from tests.tui.brackets import BRACKETS
from tests.tui.frames import NARROW, WIDE, check_frame, press, running, settle, text_frame
from tests.tui.sources_store import PLAIN, POLICY, RATES, make_store


@pytest.fixture
def rates(root: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("MEMEX_ACTOR", "human:ada")
    return make_store(root)


def app_on(root: Path, area: str = "sources") -> MemexApp:
    return MemexApp(str(root), area=area, keep_state=False, watch=False)


async def at(pilot: Pilot[Any], place: Place | None = None) -> SourcesScreen:
    """Go to a place and wait until its turns are there."""
    await pilot.app.go(place or Place("sources", RATES))  # type: ignore[attr-defined]
    await ready(pilot)
    screen = pilot.app.screen
    assert isinstance(screen, SourcesScreen)
    return screen


async def ready(pilot: Pilot[Any]) -> None:
    for _ in range(4):  # the page, its conversation, the turns and who else cites them
        await settle(pilot)


def here(screen: SourcesScreen) -> tuple[str, int]:
    row = screen.statement
    return (row.id if row is not None else "", screen.transcript.number)


def listen(app: MemexApp) -> list[Place]:
    heard: list[Place] = []

    async def go(place: Place, *, remember: bool = True) -> None:
        heard.append(place)

    app.go = go  # type: ignore[method-assign]
    return heard


def copies(app: MemexApp) -> list[tuple[str, str]]:
    heard: list[tuple[str, str]] = []

    async def copy(text: str, what: str) -> None:
        heard.append((text, what))

    app.copy = copy  # type: ignore[method-assign]
    return heard


def note(screen: SourcesScreen) -> str:
    bar = screen.query_one(NoteBar)
    return line_text(bar._left(200)) if bar.display else ""


STATES = {
    "proved": (Place("sources", RATES), []),
    "context": (Place("sources", RATES), ["n", "enter"]),
    "not-found": (Place("sources", RATES), ["n", "n"]),
    "not-kept": (Place("sources", RATES), ["n", "n", "n"]),
    "no-turn": (Place("sources", RATES), ["n", "n", "n", "n"]),
    "nobody": (Place("sources", RATES), ["G"]),
    "also": (Place("sources", RATES), ["tab", "tab"]),
    "tools": (Place("sources", RATES), ["tab", "t", "g", "g"]),
    "dispute": (Place("sources", RATES), ["!"]),
    "cite": (Place("sources", RATES), ["c"]),
    "conversation": (Place("sources", session="limits", turn=4), []),
    "no-source": (Place("sources", PLAIN), []),
}


@pytest.mark.parametrize("size", [WIDE, NARROW])
@pytest.mark.parametrize("state", STATES)
async def test_sources_as_they_look(rates: Path, state: str, size: tuple[int, int]) -> None:
    place, keys = STATES[state]
    async with running(app_on(rates), size) as pilot:
        await at(pilot, place)
        for key in keys:
            await press(pilot, [key])
            await ready(pilot)
        check_frame(f"sources/{state}-{size[0]}x{size[1]}", text_frame(pilot.app))


@pytest.mark.parametrize("size", [WIDE, NARROW])
async def test_without_pages_and_without_a_memory(tmp_path: Path, size: tuple[int, int]) -> None:
    bare = tmp_path / "bare"
    bare.mkdir()
    (bare / "a.md").write_text("# A\n")
    keys = ["n", "p", "N", "P", "enter", "tab", "enter", "o", "s", "z", "t", "x", "!", "c", "C", "a", "r"]
    async with running(app_on(bare), size) as pilot:
        await ready(pilot)
        assert "No page names a source yet" in text_frame(pilot.app)
        await press(pilot, keys)
        assert not pilot.app._notifications
    async with running(app_on(tmp_path / "none"), size) as pilot:
        await ready(pilot)
        assert "There is no memory here yet: 1 goes to" in text_frame(pilot.app)
        await press(pilot, keys)


async def test_the_area_begins_with_the_page_read_last(rates: Path) -> None:
    app = app_on(rates, "page")
    async with running(app, WIDE) as pilot:
        app.saved.read_page(POLICY)
        await press(pilot, ["4"])
        await ready(pilot)
        screen = app.screen
        assert isinstance(screen, SourcesScreen)
        assert screen._loaded.path == POLICY
        assert here(screen) == ("s1", 4)
        assert app.history.here is not None
        assert app.history.here.title == "Retry policy · sources"
        await press(pilot, ["2"])
        app.saved.read_page(RATES)
        await press(pilot, ["4"])
        await ready(pilot)
        assert screen._loaded.path == RATES


async def test_from_each_statement_to_its_turn_and_back(rates: Path) -> None:
    async with running(app_on(rates), WIDE) as pilot:
        screen = await at(pilot)
        assert here(screen) == ("s1", 4)
        await press(pilot, ["n"])
        assert here(screen) == ("s2", 2)
        assert note(screen) == ""
        await press(pilot, ["n"])
        assert here(screen) == ("s3", 4)
        assert "✗ not in this turn: “raise the limit to 50 rps”" in text_frame(pilot.app)
        await press(pilot, ["n"])
        await ready(pilot)
        assert here(screen) == ("s4", 0)
        await press(pilot, ["n", "n"])
        await ready(pilot)
        assert here(screen) == ("s6", 5)
        assert note(screen) == "✗ there is no turn 99: the conversation ends at turn 5"
        await press(pilot, ["p", "p", "p", "p", "p", "enter"])
        await ready(pilot)
        assert screen.focused is screen.transcript
        assert here(screen) == ("s1", 4)
        await press(pilot, ["k", "k"])
        assert here(screen) == ("s2", 2)
        await press(pilot, ["enter"])
        assert screen.focused is screen.statements
        assert not pilot.app._notifications


async def test_the_cursor_comes_back_from_the_turn_to_the_same_statement(rates: Path) -> None:
    """Two statements rest on turn 4; coming back from the turn keeps the one that led there."""
    async with running(app_on(rates), WIDE) as pilot:
        screen = await at(pilot)
        await press(pilot, ["n", "n", "enter", "enter"])
        assert here(screen) == ("s3", 4)
        assert screen.focused is screen.statements


async def test_the_next_turn_that_any_page_cites(rates: Path) -> None:
    with Memex(rates) as memex:
        memex.write("entity", "Other", "x", sources=["limits#1"])
    async with running(app_on(rates), WIDE) as pilot:
        screen = await at(pilot)
        await press(pilot, ["P"])
        assert here(screen) == ("s2", 2)
        await press(pilot, ["P"])
        assert here(screen) == ("s2", 1)
        assert [one.page for one in screen._citing if one.turn == 1] == ["Other"]
        assert "also cited in" in text_frame(pilot.app)
        await press(pilot, ["N", "N", "N"])
        assert screen.transcript.number == 4


async def test_a_page_without_sources_cites_nothing_elsewhere(rates: Path) -> None:
    async with running(app_on(rates), WIDE) as pilot:
        screen = await at(pilot)
        assert screen.also.count == 1
        await pilot.app.go(Place("sources", PLAIN))  # type: ignore[attr-defined]
        await ready(pilot)
        assert screen._loaded.path == PLAIN
        assert screen.also.count == 0
        assert "also cited in" not in text_frame(pilot.app)


async def test_a_turn_shows_the_other_pages_that_cite_it_and_leads_to_them(rates: Path) -> None:
    async with running(app_on(rates), NARROW) as pilot:
        screen = await at(pilot)
        assert [row.page for row in screen._citing if row.turn == 4] == [
            "Retry policy",
            "Rate limits",
            "Rate limits",
        ]
        assert screen.also.count == 1
        screen.also.focus()
        await press(pilot, ["enter"])
        await ready(pilot)
        assert screen._loaded.path == POLICY
        assert screen.also.count == 2
        await press(pilot, ["backspace"])
        await ready(pilot)
        assert screen._loaded.path == RATES


async def test_enter_on_a_turn_that_only_another_page_cites(rates: Path) -> None:
    with Memex(rates) as memex:
        memex.write("entity", "Other", "x", sources=["limits#1"])
    async with running(app_on(rates), WIDE) as pilot:
        screen = await at(pilot)
        screen.transcript.focus()
        await press(pilot, ["g", "g", "enter"])
        assert screen.focused is screen.also
        assert here(screen) == ("s1", 1)
        screen.transcript.focus()
        await press(pilot, ["G", "enter"])
        assert [one.message for one in pilot.app._notifications] == ["No page cites turn 5\nc cites it"]


async def test_free_sides_move_alone(rates: Path) -> None:
    async with running(app_on(rates), WIDE) as pilot:
        screen = await at(pilot)
        await press(pilot, ["z", "n"])
        assert here(screen) == ("s2", 4)
        assert "free" in text_frame(pilot.app).split("\n")[1]
        screen.transcript.focus()
        await press(pilot, ["g", "g"])
        assert here(screen) == ("s2", 1)
        screen.statements.focus()
        await press(pilot, ["enter"])
        assert here(screen) == ("s2", 2)
        await press(pilot, ["p"])
        screen.statements.focus()
        await press(pilot, ["z"])
        assert here(screen) == ("s1", 4)


async def test_pages_and_sessions_are_opened_where_one_stands(rates: Path) -> None:
    app = app_on(rates)
    async with running(app, WIDE) as pilot:
        await at(pilot)
        heard = listen(app)
        await press(pilot, ["n", "o", "s", "a"])
        assert [(one.area, one.path, one.line, one.session, one.turn) for one in heard] == [
            ("page", RATES, 28, "", 0),
            ("sessions", "", 0, "limits", 2),
            ("sources", "", 0, "limits", 2),
        ]


async def test_citations_are_copied(rates: Path) -> None:
    app = app_on(rates)
    async with running(app, WIDE) as pilot:
        await at(pilot)
        heard = copies(app)
        await press(pilot, ["y", "c", "y", "r", "y", "y"])
        await settle(pilot)
        assert heard == [
            ("“honour retry-after first, then the retry policy.” (memex:limits#4, 2026-11-21)", "citation"),
            ("limits#4", "turn"),
            ("[[Rate limits]]", "link"),
        ]


async def test_a_source_is_disputed_with_a_reason_and_u_takes_it_back(rates: Path) -> None:
    file = rates / "docs" / RATES
    before = file.read_bytes()
    app = app_on(rates)
    async with running(app, WIDE) as pilot:
        screen = await at(pilot)
        await press(pilot, ["n", "!"])
        card = app.screen
        assert isinstance(card, DisputeCard)
        await press(pilot, [*"he joked"[:2], "enter"])
        await ready(pilot)
        assert 'disputed: {by: human:ada, at: "2026-11-30T12:00:00Z", why: he}' in file.read_text()
        assert here(screen) == ("s2", 2)
        assert note(screen) == "! disputed by human:ada on 2026-11-30: he"
        await press(pilot, ["u"])
        await ready(pilot)
        assert file.read_bytes() == before
        assert note(screen) == ""
        await press(pilot, ["!", "escape"])
        assert file.read_bytes() == before
        await press(pilot, ["!", "enter"])
        await ready(pilot)
        assert file.read_bytes() != before
        await press(pilot, ["!"])
        await ready(pilot)
        assert file.read_bytes() == before


async def test_what_has_no_source_cannot_be_disputed(rates: Path) -> None:
    app = app_on(rates)
    async with running(app, WIDE) as pilot:
        screen = await at(pilot)
        await press(pilot, ["G", "!"])
        assert here(screen) == ("nowhere", 0)
        assert app.screen is screen


async def test_a_turn_is_cited_in_the_page(rates: Path) -> None:
    app = app_on(rates)
    async with running(app, WIDE) as pilot:
        screen = await at(pilot, Place("sources", POLICY))
        await press(pilot, ["tab"])
        screen.transcript.focus()
        await press(pilot, ["k", "c"])
        card = app.screen
        assert isinstance(card, CiteCard)
        words, says = card.query(Input)
        assert words.value == "def send():"
        words.value = "wait(retry_before)"
        says.value = "The client waits."
        await press(pilot, ["enter"])
        await settle(pilot)
        assert app.screen is card
        assert "does not say" in str(card.card.border_subtitle)
        words.value = "wait(retry_after)"
        words.focus()
        await press(pilot, ["enter", "enter"])
        await ready(pilot)
        assert app.screen is screen
        assert (rates / "docs" / POLICY).read_text().endswith("\n\nThe client waits.[^s2]\n")
        assert [(one.id, one.turn, one.lane, one.found) for one in screen._loaded.statements] == [
            ("s1", 4, "evidence", True),
            ("s2", 3, "evidence", True),
        ]


async def test_a_turn_is_cited_in_a_page_that_is_chosen(rates: Path) -> None:
    app = app_on(rates)
    async with running(app, NARROW) as pilot:
        screen = await at(pilot, Place("sources", session="limits", turn=5))
        assert not screen.allowed("sources.cite")
        assert screen.transcript.number == 5
        await press(pilot, ["C"])
        picker = app.screen
        assert isinstance(picker, CitedInCard)
        picker.query_one(Input).value = "plain"
        await settle(pilot)
        await press(pilot, ["enter"])
        assert isinstance(app.screen, CiteCard)
        await press(pilot, ["enter"])
        await ready(pilot)
        text = (rates / "docs" / PLAIN).read_text()
        assert "lane: context" in text
        assert "Done. I noted both in the wiki.[^s1]" in text
        assert any(one.path == PLAIN and one.turn == 5 for one in screen._loaded.statements)


async def test_all_statements_of_a_conversation_follow_its_turns(rates: Path) -> None:
    async with running(app_on(rates), WIDE) as pilot:
        screen = await at(pilot, Place("sources", session="limits", turn=4))
        assert [(one.page, one.turn) for one in screen._loaded.statements] == [
            ("Rate limits", 2),
            ("Retry policy", 4),
            ("Rate limits", 4),
            ("Rate limits", 4),
            ("Rate limits", 99),
        ]
        assert here(screen) == ("s1", 4)
        await press(pilot, ["p"])
        assert here(screen) == ("s2", 2)
        assert screen.current_item() == (RATES, "Rate limits", "")


async def test_outside_changes_are_followed_and_the_cursor_stays(rates: Path) -> None:
    app = app_on(rates)
    file = rates / "docs" / RATES
    async with running(app, WIDE) as pilot:
        screen = await at(pilot)
        await press(pilot, ["n", "n"])
        file.write_text(file.read_text().replace("raise the limit to 50 rps", "raise the limit to 40 rps"))
        app.post_message(PagesChanged(changed=(RATES,)))
        await ready(pilot)
        assert here(screen) == ("s3", 4)
        assert "not in this turn" not in text_frame(app)
        row = screen.statement
        assert row is not None
        assert row.found
        file.rename(rates / "docs/summaries/limits-new.md")
        with Memex(rates) as memex:
            memex.look_again()
            assert memex.store.index.row("summaries/limits-new.md") is not None
        app.post_message(PagesChanged(renamed={"summaries/limits-new.md": RATES}))
        await ready(pilot)
        assert screen._loaded.path == "summaries/limits-new.md"
        (rates / "docs/summaries/limits-new.md").unlink()
        with Memex(rates) as memex:
            memex.look_again()
            assert memex.store.index.row("summaries/limits-new.md") is None
        app.post_message(PagesChanged(removed=("summaries/limits-new.md",)))
        await ready(pilot)
        assert screen._loaded.path == ""
        assert "no page is called" in text_frame(app)
        await press(pilot, ["r"])
        await ready(pilot)
        assert screen._loaded.path == POLICY


async def test_a_grown_conversation_is_read_again(rates: Path) -> None:
    from memex_core.actions.conversations.sessions import ingest_transcript
    from tests.tui.sources_store import TALK

    async with running(app_on(rates), WIDE) as pilot:
        screen = await at(pilot)
        assert len(screen.transcript.talk.numbers) == 5
        with Memex(rates) as memex:
            more = [*TALK, {"role": "user", "content": "thanks"}]
            ingest_transcript(memex.store, session_id="limits", turns=more, overwrite=True)
        await press(pilot, ["r"])
        await ready(pilot)
        assert len(screen.transcript.talk.numbers) == 6
        assert here(screen) == ("s1", 4)


async def test_where_one_was_is_kept_and_odd_states_are_overlooked(rates: Path) -> None:
    app = app_on(rates)
    async with running(app, WIDE) as pilot:
        screen = await at(pilot)
        await press(pilot, ["n", "z", "t"])
        kept = dict(screen.save_state())
        assert (kept["path"], kept["turn"], kept["locked"], kept["tools"]) == (RATES, 2, False, True)
        screen.restore_state({"path": 3, "turn": "x", "row": [], "session": None, "locked": 0})
        assert screen._wanted.path == ""
        screen.restore_state(kept)
        assert screen._wanted.extra == {"row": kept["row"]}
        assert not screen._locked
    app = app_on(rates)
    app.saved.set_area("sources", kept)
    async with running(app, WIDE) as pilot:
        await ready(pilot)
        screen = app.screen  # type: ignore[assignment]
        assert screen._loaded.path == RATES
        assert screen.statements.row is not None
        assert screen.statements.row.id == "s2"
        assert screen.transcript.talk.all_open


async def test_one_tool_call_is_unfolded(rates: Path) -> None:
    app = app_on(rates)
    async with running(app, WIDE) as pilot:
        screen = await at(pilot)
        screen.transcript.focus()
        await press(pilot, ["k", "x"])
        assert screen.transcript.number == 3
        assert "▾ read_file" in text_frame(app)
        await press(pilot, ["x", "k", "x"])
        assert "▸ read_file" in text_frame(app)
        assert [one.message for one in app._notifications] == ["This turn has no tool call"]


async def test_what_is_said_is_text(tmp_path: Path) -> None:
    pages: dict[str, str] = {}
    with Memex(tmp_path / "odd", create=True) as memex:
        for number, said in enumerate(BRACKETS):
            talk = f"talk-{number}"
            memex.ingest_transcript(talk, turns=[{"role": "user", "name": said, "content": said}])
            page = memex.write(
                "entity", f"Odd {number}", f"{said} [^s1]", sources=[f"{talk}#1"], quotes=[said]
            )
            pages[said] = page["path"]
    async with running(app_on(tmp_path / "odd"), NARROW) as pilot:
        for said, path in pages.items():
            screen = await at(pilot, Place("sources", path))
            assert screen.transcript.number == 1
            assert said in text_frame(pilot.app)
            await press(pilot, ["!", "escape", "c", "escape", "a"])
            await ready(pilot)
            assert not pilot.app._notifications, said
