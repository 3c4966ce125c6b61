"""The Search area as it is used: typing, moving, previews, completion, opening, changes underneath."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from memex_core.memex import Memex
from memex_core.model.errors import SearchFailed
from memex_tui.app import MemexApp
from memex_tui.messages import Go, PagesChanged, Peek, Place
from memex_tui.screens.page.dialogs import NewPageCard
from memex_tui.screens.search import screen as module
from memex_tui.screens.search.screen import SearchScreen
from memex_tui.screens.search.widgets import Choices, WhyPanel
from tests.tui.brackets import BRACKETS
from tests.tui.frames import NARROW, WIDE, frame, press, running, settle, until


def opened(root: Path, **options: Any) -> MemexApp:
    return MemexApp(str(root), area="search", keep_state=False, watch=False, **options)


def area(app: MemexApp) -> SearchScreen:
    screen = app.current_area
    assert isinstance(screen, SearchScreen)
    return screen


async def typed(pilot: Pilot[Any], text: str) -> SearchScreen:
    """Type a query and wait until its results are there."""
    await pilot.press(*("space" if letter == " " else letter for letter in text))
    await until(pilot, lambda: area(pilot.app)._asked == area(pilot.app).input.value)  # type: ignore[arg-type]
    await settle(pilot)
    return area(pilot.app)  # type: ignore[arg-type]


def titles(screen: SearchScreen) -> list[str]:
    return [row.title for row in screen._rows]


def quiet(app: MemexApp) -> bool:
    """No notice was shown: nothing went wrong behind the scenes."""
    return not list(app._notifications)


class Taken:
    """Messages of some kinds that reached the app."""

    def __init__(self, *kinds: type) -> None:
        self.kinds = kinds
        self.messages: list[Any] = []

    def __call__(self, message: Any) -> None:
        if isinstance(message, self.kinds) and message not in self.messages:
            self.messages.append(message)


async def test_the_newest_are_listed_before_anything_is_typed(store: Path) -> None:
    async with running(opened(store), WIDE) as pilot:
        screen = area(pilot.app)  # type: ignore[arg-type]
        await settle(pilot)
        assert len(screen._rows) >= 6
        assert screen.results.border_subtitle == "newest first"
        assert screen.focused is screen.input
        assert quiet(pilot.app)  # type: ignore[arg-type]


async def test_typing_narrows_the_list_and_shows_the_page_with_its_matches(store: Path) -> None:
    async with running(opened(store), WIDE) as pilot:
        screen = await typed(pilot, "bucket req")
        assert titles(screen)[0] == "Rate limits"
        assert "Each API key" in screen.view.document.text
        assert len(screen.view.matches) == 2
        assert any("preview · Rate limits" in line for line in frame(pilot.app))
        assert any("bucket 1 page" in line for line in frame(pilot.app))
        assert quiet(pilot.app)  # type: ignore[arg-type]


async def test_only_the_last_of_many_quick_keys_counts(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    real = module.find

    def slow(memex: Memex, query: str, k: int, **options: Any) -> Any:
        asked.append(query)
        import time

        time.sleep(0.05)
        return real(memex, query, k, **options)

    monkeypatch.setattr(module, "find", slow)
    monkeypatch.setattr(module, "DEBOUNCE", 0.6)  # however long a busy machine takes between two keys
    async with running(opened(store), WIDE) as pilot:
        asked.clear()
        screen = area(pilot.app)  # type: ignore[arg-type]
        for size in range(1, 13):
            screen.input.value = "health probe"[:size]
            await asyncio.sleep(0.005)
        await until(pilot, lambda: screen._asked == "health probe")
        assert asked[-1] == "health probe"
        assert len(asked) <= 5
        assert titles(screen)[0] == "Incident 2026-03"


async def test_results_stay_until_the_next_ones_are_there(
    store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with running(opened(store), WIDE) as pilot:
        screen = await typed(pilot, "retry")
        before = titles(screen)
        assert before
        release = threading.Event()
        monkeypatch.setattr(module, "find", lambda *_, **__: release.wait(90) and {})
        screen.input.value = "retry pol"
        await pilot.pause(0.1)
        assert (screen._asked, titles(screen)) == ("retry", before)
        monkeypatch.undo()
        screen.input.value = "retry poli"
        release.set()
        await until(pilot, lambda: screen._asked == "retry poli")


async def test_arrows_go_into_the_results_and_back(store: Path) -> None:
    async with running(opened(store), WIDE) as pilot:
        screen = area(pilot.app)  # type: ignore[arg-type]
        await press(pilot, ["down"])
        assert screen.focused is screen.results
        assert screen.results.cursor == 1
        await press(pilot, ["j", "k", "up"])
        assert (screen.results.cursor, screen.focused) == (0, screen.results)
        await press(pilot, ["up"])
        assert screen.focused is screen.input
        await press(pilot, ["escape"])
        assert screen.focused is screen.results
        await press(pilot, ["slash"])
        assert screen.focused is screen.input
        assert screen.input.value == ""


async def test_enter_opens_what_is_under_the_cursor(store: Path) -> None:
    sent = Taken(Go)
    app = opened(store)
    async with app.run_test(size=WIDE, message_hook=sent) as pilot:
        await settle(pilot)
        await typed(pilot, "bucket")
        await pilot.press("enter")
        await pilot.pause()
        assert sent.messages[0].place.path == "entities/rate-limits.md"
        assert sent.messages[0].place.line > 0
        assert area_of(app, "search").queries == ["bucket"]


def area_of(app: MemexApp, name: str) -> Any:
    return next(screen for screen in app.area_screens() if name == screen.AREA)


async def test_turns_and_days_open_in_their_areas(store: Path) -> None:
    sent = Taken(Go)
    async with opened(store).run_test(size=WIDE, message_hook=sent) as pilot:
        await settle(pilot)
        screen = await typed(pilot, "in:transcripts crawler")
        assert "crawler gets 429s" in screen.view.document.text
        await pilot.press("enter")
        await pilot.pause()
        place = sent.messages[0].place
        assert (place.area, place.session, place.turn) == ("sessions", "sess-limits", 1)


async def test_the_preview_of_a_day_shows_the_day(store: Path) -> None:
    async with running(opened(store), WIDE) as pilot:
        screen = await typed(pilot, "in:diary batch")
        assert [row.kind for row in screen._rows] == ["diary"]
        assert "batch key" in screen.view.document.text
        assert quiet(pilot.app)  # type: ignore[arg-type]


async def test_without_a_hit_enter_writes_a_page(store: Path) -> None:
    sent = Taken(Go)
    async with opened(store).run_test(size=WIDE, message_hook=sent) as pilot:
        await settle(pilot)
        screen = await typed(pilot, "zebra crossing tag:none")
        assert screen._rows == []
        assert any("new page “zebra crossing”" in line for line in frame(pilot.app))
        await pilot.press("enter")
        await pilot.pause()
        assert (sent.messages[0].place.purpose, sent.messages[0].place.title) == ("new", "zebra crossing")


async def test_a_new_page_that_is_not_written_leaves_a_person_where_they_were(store: Path) -> None:
    app = opened(store)
    async with running(app, WIDE) as pilot:
        await typed(pilot, "zebra crossing")
        before = list(app.history.places)
        await press(pilot, ["enter"])
        assert isinstance(app.screen, NewPageCard)
        assert "❯ zebra crossing" in frame(app)[2], "the card lies over the search"
        await press(pilot, ["escape"])
        assert app.screen is area(app) and area(app).focused is area(app).input
        assert app.history.places == before, "no breadcrumb leads to a page that is none"
        await press(pilot, ["enter", "enter"])
        await until(pilot, lambda: app.history.here is not None and app.history.here.area == "page")
        assert [one.area for one in app.history.places] == ["search", "page"]


async def test_the_keys_shown_are_those_that_do_something(store: Path) -> None:
    async with running(opened(store), WIDE) as pilot:
        await typed(pilot, "zebra crossing")
        assert frame(pilot.app)[-1].startswith(" ⏎ new page  ^k pages")
        await press(pilot, ["escape"])
        await typed(pilot, " tag:none")
        await press(pilot, ["ctrl+u"])
        await typed(pilot, "tag:none")
        assert "new page" in frame(pilot.app)[-1] and "⏎" not in frame(pilot.app)[-1]
        await press(pilot, ["enter"])
        assert pilot.app.screen is area(pilot.app), "there is no title to write a page with"  # type: ignore[arg-type]


async def test_one_frame_only_shows_where_the_focus_is(store: Path) -> None:
    app = opened(store)
    async with running(app, WIDE) as pilot:
        screen = area(app)

        def lit() -> list[bool]:
            edge = screen.query_one("#query-top").get_component_styles("bar--frame").color
            sign = screen.query_one("#query-sign").styles.color
            other = screen.view.styles.border_top[1]
            assert (edge == other) == (sign.a < 1), "the sign goes with the frame"
            return [edge != other, screen.results.styles.border_top[1] != other]

        assert lit() == [True, False]
        for key, expected in (("down", [False, True]), ("escape", [True, False]), ("down", [False, True])):
            await press(pilot, [key])
            assert lit() == expected
            await press(pilot, ["ctrl+k", "escape"])  # and behind what came and went
            assert lit() == expected


async def test_values_of_an_operator_are_chosen_from_a_list(store: Path) -> None:
    async with running(opened(store), WIDE) as pilot:
        await until(pilot, lambda: bool(area(pilot.app)._values))  # type: ignore[arg-type]
        screen = await typed(pilot, "tag:")
        choices = screen.query_one(Choices)
        assert choices.display
        assert choices.offer.choices[0] == "api"
        await press(pilot, ["down", "tab"])
        assert screen.input.value == f"tag:{choices_second(screen)} "
        assert not choices.display
        screen.input.clear()
        await typed(pilot, "tag:py")
        await press(pilot, ["tab"])
        await settle(pilot)
        assert screen.input.value == "tag:python "
        assert screen.focused is screen.input
        await until(pilot, lambda: titles(screen) == ["HTTP client"])


def choices_second(screen: SearchScreen) -> str:
    return screen._values["tag"][1]


async def test_tab_moves_on_when_there_is_nothing_to_complete(store: Path) -> None:
    async with running(opened(store), WIDE) as pilot:
        screen = await typed(pilot, "retry")
        await press(pilot, ["tab"])
        assert screen.focused is screen.results
        await press(pilot, ["tab"])
        assert screen.focused is screen.view
        await press(pilot, ["shift+tab"])
        assert screen.focused is screen.results


async def test_the_hint_of_an_operator_can_be_clicked(store: Path) -> None:
    async with running(opened(store), WIDE) as pilot:
        screen = area(pilot.app)  # type: ignore[arg-type]
        top = frame(pilot.app)[1]
        await pilot.click(offset=(top.index("type:"), 1))
        await settle(pilot)
        assert screen.input.value == "type:"
        await pilot.click(offset=(top.index('"phrase"'), 1))
        await settle(pilot)
        assert screen.input.value == 'type: ""'
        assert screen.input.cursor_position == 7


async def test_a_click_moves_and_a_double_click_opens(store: Path) -> None:
    sent = Taken(Go)
    app = opened(store)
    async with app.run_test(size=WIDE, message_hook=sent) as pilot:
        await settle(pilot)
        screen = area(app)
        await pilot.click("#results", offset=(10, 5))
        await settle(pilot)
        assert screen.results.cursor == 1
        await pilot.click("#results", offset=(10, 5), times=2)
        await pilot.pause()
        assert sent.messages and sent.messages[0].place.title == screen._rows[1].title


async def test_mouse_events_outside_do_no_harm(store: Path) -> None:
    from textual import events

    app = opened(store)
    async with running(app, NARROW) as pilot:
        for x, y in ((-1, -1), (0, 0), (79, 23), (80, 24), (500, 500), (5, -3)):
            for kind in (events.MouseDown, events.MouseMove, events.MouseUp):
                app.post_message(kind(None, x, y, 0, 0, 1, False, False, False, x, y, None))
        await settle(pilot)
        assert app.is_running and app._exception is None


async def test_why_and_preview_can_be_put_away(store: Path) -> None:
    async with running(opened(store), NARROW) as pilot:
        screen = await typed(pilot, "retry")
        await press(pilot, ["escape"])
        assert not screen.query_one(WhyPanel).display
        await press(pilot, ["w"])
        assert screen.query_one(WhyPanel).display and not screen.view.display
        await until(pilot, lambda: any("matched" in line for line in frame(pilot.app)))
        await press(pilot, ["w", "p"])
        assert not screen.query_one("#preview-side").display
        await press(pilot, ["p"])
        assert screen.query_one("#preview-side").display


async def test_matches_are_walked_through(store: Path) -> None:
    async with running(opened(store), WIDE) as pilot:
        screen = await typed(pilot, "bucket requests key")
        await press(pilot, ["escape"])
        count = len(screen.view.matches)
        assert count > 1
        first = screen.view.current_match
        await press(pilot, ["right_square_bracket"])
        assert screen.view.current_match == (first + 1) % count
        assert f"{screen.view.current_match + 1}/{count} matches" in str(screen.view.border_subtitle)
        await press(pilot, ["left_square_bracket"])
        assert screen.view.current_match == first


async def test_similar_recent_and_cleared_queries(store: Path) -> None:
    async with running(opened(store), WIDE) as pilot:
        screen = await typed(pilot, "bucket")
        await press(pilot, ["escape", "s"])
        assert screen.input.value == "Rate OR limits"
        await press(pilot, ["escape", "c"])
        assert screen.input.value == ""
        await press(pilot, ["ctrl+r"])
        assert any("bucket" in line for line in frame(pilot.app))
        await press(pilot, ["enter"])
        assert screen.input.value == "bucket"
        await until(pilot, lambda: titles(screen) == ["Rate limits"])


async def test_peeking_needs_a_page(store: Path) -> None:
    sent = Taken(Peek)
    async with opened(store).run_test(size=WIDE, message_hook=sent) as pilot:
        await settle(pilot)
        screen = await typed(pilot, "in:transcripts header")
        await press(pilot, ["escape", "K"])
        assert sent.messages == []
        assert screen.current_item() is None
        await press(pilot, ["c"])
        await typed(pilot, "bucket")
        await press(pilot, ["escape", "K"])
        assert sent.messages[0].path == "entities/rate-limits.md"


async def test_a_failing_search_does_not_look_like_no_hits(
    store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: Any, **__: Any) -> Any:
        raise SearchFailed("the index is [/broken]", hint="memex rebuild-index --force")

    async with running(opened(store), WIDE) as pilot:
        monkeypatch.setattr(module, "find", fail)
        screen = await typed(pilot, "retry")
        shown = "\n".join(frame(pilot.app))
        assert "The search failed: the index is [/broken]" in shown
        assert "memex rebuild-index --force" in shown
        assert "Nothing found" not in shown
        monkeypatch.undo()
        await typed(pilot, " ")
        assert "Retry policy" in titles(screen)
        assert "failed" not in "\n".join(frame(pilot.app))


async def test_without_a_memory_it_says_what_to_do(root: Path) -> None:
    async with running(opened(root), WIDE) as pilot:
        shown = "\n".join(frame(pilot.app))
        assert "Nothing is remembered yet" in shown and "memex demo" in shown
        assert "no memory yet" in frame(pilot.app)[0]
        assert not root.exists()


async def test_changes_keep_the_cursor_on_its_page(store: Path) -> None:
    app = opened(store)
    async with running(app, WIDE) as pilot:
        screen = area(app)
        await press(pilot, ["down", "down"])
        title, place = screen.results.row.title, screen.results.cursor  # type: ignore[union-attr]
        await app.gateway.write(lambda memex: memex.write("entity", "Newest of all", "Hello."))
        await until(pilot, lambda: "Newest of all" in titles(screen))
        assert screen.results.row.title == title  # type: ignore[union-attr]
        assert screen.results.cursor == place + 1
        assert screen.focused is screen.results


async def test_a_changed_page_is_read_anew_in_the_preview(store: Path) -> None:
    app = opened(store)
    async with running(app, WIDE) as pilot:
        screen = await typed(pilot, "jitter")
        page = store / "docs" / "procedures" / "retry-policy.md"
        page.write_text(page.read_text() + "\nFour tries with jitter.\n")
        await app.gateway.ask("test", lambda memex: memex.store.index.refresh())
        app.post_message(PagesChanged(changed=("procedures/retry-policy.md",)))
        await until(pilot, lambda: "Four tries" in screen.view.document.text)
        assert titles(screen)[0] == "Retry policy"


async def test_the_query_survives(store: Path) -> None:
    state: dict[str, Any] = {}
    async with running(opened(store), WIDE) as pilot:
        screen = await typed(pilot, "limit")
        await press(pilot, ["down"])
        state = dict(screen.save_state())
        key = screen.results.key
    app = opened(store)
    app.saved.set_area("search", state)
    async with running(app, WIDE) as pilot:
        screen = area(app)
        await until(pilot, lambda: screen._asked == "limit")
        await settle(pilot)
        assert screen.results.key == key
        assert screen.focused is screen.results


@pytest.mark.parametrize(
    "state",
    [{}, {"query": 7, "caret": "x", "row": [], "queries": "q"}, {"query": "a", "caret": 99, "queries": [1]}],
)
async def test_any_saved_state_is_taken(store: Path, state: dict[str, Any]) -> None:
    app = opened(store)
    app.saved.set_area("search", state)
    async with running(app, WIDE) as pilot:
        await settle(pilot)
        assert app.is_running and quiet(app)


async def test_a_place_of_the_history_brings_the_query_back(store: Path) -> None:
    app = opened(store)
    async with running(app, WIDE) as pilot:
        screen = await typed(pilot, "retry")
        place = screen.place()
        assert (place.query, place.title) == ("retry", "“retry”")
        await app.go(Place("search", query="bucket"))
        await until(pilot, lambda: titles(screen) == ["Rate limits"])
        await app.go(place)
        await until(pilot, lambda: screen._asked == "retry")


async def test_brackets_anywhere_are_text(root: Path) -> None:
    with Memex(root, create=True) as memex:
        for number, text in enumerate(BRACKETS):
            memex.write("entity", f"{text} {number}", f"Body with {text} in it.\n\n## {text}\n", tags=["odd"])
    app = opened(root)
    async with running(app, WIDE) as pilot:
        screen = await typed(pilot, "body tag:odd")
        assert len(screen._rows) == len(BRACKETS) <= module.FIRST
        await press(pilot, ["escape"])
        for _ in range(len(BRACKETS)):
            await press(pilot, ["down"])
        for text in BRACKETS[:6]:
            screen.input.value = text
            await until(pilot, lambda text=text: screen._asked == text)  # type: ignore[misc]
        assert app.is_running and quiet(app)


async def test_more_hits_come_when_typing_stops(pages: Callable[[int], Path]) -> None:
    async with running(opened(pages(80)), WIDE) as pilot:
        screen = area(pilot.app)  # type: ignore[arg-type]
        screen.input.value = "topic"
        await until(pilot, lambda: screen._asked == "topic" and len(screen._rows) == module.FIRST)
        await until(pilot, lambda: len(screen._rows) == 80)
        assert any("80 found" in line for line in frame(pilot.app))


async def test_links_of_the_preview_are_followed_by_hints_and_clicks(store: Path) -> None:
    sent = Taken(Go)
    app = opened(store)
    async with app.run_test(size=WIDE, message_hook=sent) as pilot:
        await settle(pilot)
        screen = await typed(pilot, "bucket")
        await press(pilot, ["escape", "f"])
        assert screen.view.hinting
        await press(pilot, ["a"])
        assert sent.messages[-1].place.path == "entities/http-client.md"
        await app.show_area("search")
        link = next(span for _, span in screen.view.visible_links() if span.link.target == "Retry policy")
        row = next(y for y, span in screen.view.visible_links() if span.link.target == "Retry policy")
        await pilot.click("#preview", offset=(link.x0 + 3, row + 1))
        await settle(pilot)
        assert sent.messages[-1].place.path == "procedures/retry-policy.md"
