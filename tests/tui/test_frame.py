"""The frame: tabs, keys, menu, palette, switcher, help, themes, peek, history, counters, areas to come."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from memex_core.memex import Memex
from memex_core.model.errors import Refused
from memex_tui.areas import AREAS
from memex_tui.keys import Keymap
from memex_tui.messages import Go, PagesChanged, Peek, Place, Watching
from memex_tui.screens.chrome import Crumbs, KeyMenu
from memex_tui.screens.overlays.palette import CommandPalette
from memex_tui.screens.overlays.peek import PeekCard
from memex_tui.screens.overlays.switcher import PageSwitcher
from memex_tui.themes import OWN
from tests.tui.brackets import BRACKETS
from tests.tui.frames import NARROW, WIDE, frame, press, running, settle
from tests.tui.test_search_screen import Taken, area, opened, typed, until


def shown(app: Any) -> str:
    return "\n".join(frame(app))


async def test_what_waits_is_no_bare_number_where_there_is_little_room(store: Path) -> None:
    app = opened(store)
    async with running(app, NARROW) as pilot:
        for pending, wanted in (
            (0, "index ok"),
            (5, "  5 pending"),
            (999, " 999 pending"),
            (12345, " 1k+ pending"),
        ):
            app.counters.pending = pending
            app.counters_changed()
            await settle(pilot)
            assert frame(app)[0].rstrip().endswith(wanted)


async def test_a_failure_that_is_told_again_is_shown_once(store: Path) -> None:
    app = opened(store)
    async with running(app, NARROW) as pilot:
        for text in ("No [way]", "Another", "No [way]"):
            app.report(Refused(text, hint="try it"))
        await settle(pilot)
        assert [one.message for one in app._notifications] == ["Another\ntry it", "No [way]\ntry it"]
        assert shown(app).count("No [way]") == 1


async def test_what_keeps_the_watcher_from_working_is_told_once(store: Path) -> None:
    app = opened(store)
    async with running(app, NARROW) as pilot:
        app.report(Refused("memex.toml, line 3: no ]", hint="correct the line"))
        await settle(pilot)
        for problem in ("memex.toml, line 3: no ]", "The folder is gone"):
            app.post_message(Watching(problem=problem))
            await settle(pilot)
        told = [one.message for one in app._notifications]
        assert told == ["memex.toml, line 3: no ]\ncorrect the line", "The folder is gone"]
        assert app.counters.problem == "The folder is gone"


async def test_the_tabs_fit_both_sizes(store: Path) -> None:
    for size, name in ((WIDE, "9 Settings"), (NARROW, "9Set")):
        app = opened(store)
        async with running(app, size) as pilot:
            await settle(pilot)
            line = frame(app)[0]
            assert name in line and "index ok" in line.replace("idx", "index")
            assert len(line) <= size[0]


def test_breadcrumbs_drop_old_places_before_they_cut_the_present_one() -> None:
    crumbs = Crumbs()
    crumbs._trail = ["Back up the database · sources", "Review", "2026-11-30", "Sessions"]
    shown = {cells: "".join(text for text, _ in crumbs.lines(cells)[0]).rstrip() for cells in range(20, 76)}
    assert shown[75] == " ← Back up the database · sour… › Review › 2026-11-30 › Sessions"
    assert shown[50] == " ← … › Review › 2026-11-30 › Sessions"
    assert shown[36] == " ← … › 2026-11-30 › Sessions"
    assert shown[20] == " ← … › Sessions"
    assert all(line.endswith("Sessions") and len(line) <= cells for cells, line in shown.items())
    crumbs._trail, crumbs._right = ["Review", "Sessions"], [("15 turns in 2 conversations", ())]
    assert "".join(text for text, _ in crumbs.lines(46)[0]).startswith(" ← … › Sessions ")
    assert "".join(text for text, _ in crumbs.lines(50)[0]).startswith(" ← Review › Sessions ")


async def test_a_tiny_window_says_what_is_needed(store: Path) -> None:
    for size in ((59, 20), (80, 14), (20, 5), (1, 1)):
        app = opened(store)
        async with running(app, size) as pilot:
            await settle(pilot)
            if size[0] > 40:
                assert "memex needs 60×15 cells" in shown(app)
            await pilot.resize_terminal(80, 24)
            await settle(pilot)
            assert "❯" in shown(app)


async def test_the_footer_shows_keys_that_work_now(store: Path) -> None:
    app = opened(store)
    async with running(app, WIDE) as pilot:
        await settle(pilot)
        assert "^p commands" in frame(app)[-1] and "/ query" not in frame(app)[-1]
        await press(pilot, ["escape"])
        line = frame(app)[-1]
        assert "/ query" in line and "K peek" in line and "? help" in line
        await pilot.click(offset=(line.index("? help"), 39))
        await settle(pilot)
        assert "help · Search" in shown(app)


async def test_space_opens_a_menu_and_its_keys_work(store: Path) -> None:
    app = opened(store)
    async with running(app, NARROW) as pilot:
        await settle(pilot)
        await press(pilot, ["escape", "space"])
        menu = area(app).query_one(KeyMenu)
        assert menu.display
        assert "Choose a theme" in shown(app) and "g  Go …" in shown(app)
        await press(pilot, ["g"])
        assert "Go to Search" in shown(app)
        await press(pilot, ["escape"])
        assert not menu.display
        await press(pilot, ["space", "p"])
        assert isinstance(app.screen, CommandPalette)
        assert not menu.display


async def test_the_menu_can_be_clicked(store: Path) -> None:
    app = opened(store)
    async with running(app, NARROW) as pilot:
        await settle(pilot)
        await press(pilot, ["escape", "space"])
        lines = frame(app)
        y = next(number for number, line in enumerate(lines) if "All commands" in line)
        await pilot.click(offset=(lines[y].index("All commands"), y))
        await settle(pilot)
        assert isinstance(app.screen, CommandPalette)


async def test_space_in_a_text_field_is_a_space(store: Path) -> None:
    app = opened(store)
    async with running(app, WIDE) as pilot:
        await typed(pilot, "a b?")
        assert area(app).input.value == "a b?"
        assert not area(app).query_one(KeyMenu).display


async def test_the_palette_runs_a_command(store: Path) -> None:
    app = opened(store)
    async with running(app, WIDE) as pilot:
        await typed(pilot, "retry")
        await press(pilot, ["ctrl+p", *"new query"])
        assert "New query" in shown(app)
        await press(pilot, ["enter"])
        await until(pilot, lambda: area(app).input.value == "")
        await press(pilot, ["escape", "colon"])
        assert isinstance(app.screen, CommandPalette)
        await press(pilot, [*"zzzz"])
        assert "No command is called that" in shown(app)
        await press(pilot, ["enter"])
        assert isinstance(app.screen, CommandPalette)
        await press(pilot, ["escape"])
        assert app.screen is area(app)


async def test_the_palette_lists_every_command_valid_now(store: Path) -> None:
    app = opened(store)
    async with running(app, WIDE) as pilot:
        await settle(pilot)
        await press(pilot, ["escape", "ctrl+p"])
        listed = {app.screen.rows._provider.key(row) for row in app.screen.rows._provider.rows(0, 999)}  # type: ignore[attr-defined]
        assert {"search.open", "item.peek", "go.pages", "app.quit", "search.recent"} <= listed
        assert not {"pane.down", "search.to-results"} & listed
        assert not any(id.startswith(("page.", "graph.")) for id in listed)


async def test_the_switcher_goes_from_recent_pages_to_titles_to_a_new_page(store: Path) -> None:
    sent = Taken(Go)
    app = opened(store)
    app.saved.recent = ["entities/http-client.md", "procedures/retry-policy.md", "gone.md"]
    async with app.run_test(size=WIDE, message_hook=sent) as pilot:
        await settle(pilot)
        await press(pilot, ["ctrl+k"])
        await until(pilot, lambda: app.screen.rows.count > 2)  # type: ignore[attr-defined]
        titles = [row.title for row in app.screen.rows._provider.rows(0, 99)]  # type: ignore[attr-defined]
        assert titles[:2] == ["Retry policy", "HTTP client"], "Enter goes to the page before this one"
        assert len(titles) == len(set(titles))
        await press(pilot, [*"limits"])
        await until(pilot, lambda: app.screen.rows.row.title == "Rate limits")  # type: ignore[attr-defined]
        assert "+ new page “limits”" in shown(app)
        await press(pilot, ["enter"])
        assert sent.messages[-1].place.path == "entities/rate-limits.md"
        await app.show_area("search")
        await press(pilot, ["ctrl+k", *"Brand new"])
        await until(pilot, lambda: app.screen.rows.count == 1)  # type: ignore[attr-defined]
        await press(pilot, ["enter"])
        assert (sent.messages[-1].place.purpose, sent.messages[-1].place.title) == ("new", "Brand new")


async def test_an_exact_title_is_not_offered_for_creation(store: Path) -> None:
    app = opened(store)
    async with running(app, WIDE) as pilot:
        await press(pilot, ["ctrl+k", *"retry policy"])
        await until(pilot, lambda: app.screen.rows.count == 1)  # type: ignore[attr-defined]
        assert "new page" not in shown(app).replace("alt+n new page", "")


async def test_the_switcher_works_without_a_memory(root: Path) -> None:
    app = opened(root)
    async with running(app, WIDE) as pilot:
        await press(pilot, ["ctrl+k", *"first"])
        await until(pilot, lambda: "+ new page “first”" in shown(app))


async def test_a_peek_shows_the_page_and_stacks(store: Path) -> None:
    sent = Taken(Go)
    app = opened(store)
    async with app.run_test(size=WIDE, message_hook=sent) as pilot:
        await settle(pilot)
        app.post_message(Peek("entities/rate-limits.md"))
        await until(pilot, lambda: isinstance(app.screen, PeekCard) and "Each API key" in shown(app))
        await press(pilot, ["K"])
        hints = app.screen.query_one("MarkdownView")
        await until(pilot, lambda: hints.hinting)  # type: ignore[attr-defined]
        await press(pilot, ["a"])
        await until(pilot, lambda: "headers are read in one place" in shown(app))
        assert sum(isinstance(screen, PeekCard) for screen in app.screen_stack) == 2
        await press(pilot, ["escape"])
        assert sum(isinstance(screen, PeekCard) for screen in app.screen_stack) == 1
        await press(pilot, ["enter"])
        assert sent.messages[-1].place.path == "entities/rate-limits.md"


async def test_a_peek_at_nothing_says_so(store: Path) -> None:
    app = opened(store)
    async with running(app, WIDE) as pilot:
        app.post_message(Peek("no/such.md"))
        await until(pilot, lambda: "no page is called" in shown(app))
        await press(pilot, ["enter", "escape"])
        assert app.screen is area(app)


async def test_help_tells_the_keys_of_the_pane(store: Path) -> None:
    app = opened(store)
    async with running(app, WIDE) as pilot:
        await settle(pilot)
        await press(pilot, ["f1"])
        assert "SEARCH, INPUT" in shown(app) and "Type to search" in shown(app)
        await press(pilot, ["f1", "escape", "question_mark"])
        assert "SEARCH, INPUT" not in shown(app) and "LISTS AND PAGES" in shown(app)
        await press(pilot, ["q"])
        assert app.screen is area(app)


async def test_themes_are_tried_and_taken_back(store: Path) -> None:
    app = opened(store)
    async with running(app, WIDE) as pilot:
        await settle(pilot)
        before = app.theme
        await press(pilot, ["escape", "space", "t"])
        await press(pilot, ["down"])
        assert app.theme != before
        assert app.chosen_theme == before
        await press(pilot, ["escape"])
        assert app.theme == before
        await press(pilot, ["space", "t", *"memex-light"])
        await press(pilot, ["enter"])
        assert app.theme == app.chosen_theme == "memex-light"


@pytest.mark.parametrize("theme", [theme.name for theme in OWN] + ["textual-dark", "ansi-dark", "dracula"])
async def test_every_area_can_be_drawn_in_a_theme(store: Path, theme: str) -> None:
    app = opened(store)
    async with running(app, WIDE) as pilot:
        app.theme = theme
        await press(pilot, ["escape", "down"])
        assert "Rate limits" in shown(app)


async def test_back_and_forward_walk_through_places(store: Path) -> None:
    app = opened(store)
    async with running(app, WIDE) as pilot:
        await app.go(Place("search", query="retry"))
        app.history.visit(Place("diary", date="2026-11-29"))
        await app.go(Place("search", query="bucket"))
        await settle(pilot)
        await press(pilot, ["escape", "ctrl+o"])
        assert app.current_mode == "diary"
        await press(pilot, ["ctrl+o"])
        await until(pilot, lambda: area(app).input.value == "retry")
        await press(pilot, ["ctrl+t", "ctrl+t"])
        await until(pilot, lambda: area(app).input.value == "bucket")
        await press(pilot, ["escape", "backspace"])
        assert app.current_mode == "diary"


async def test_the_counters_follow_what_happens(store: Path) -> None:
    app = opened(store)
    async with running(app, WIDE) as pilot:
        await settle(pilot)
        assert "pending" not in frame(app)[0]
        await app.gateway.write(lambda memex: memex.write("entity", "Draft", "x", status="draft"))
        await until(pilot, lambda: "1 pending" in frame(app)[0])
        app.post_message(Watching(polling=True))
        await until(pilot, lambda: "polling" in frame(app)[0])
        app.post_message(Watching(problem="the folder [/x] is gone"))
        await until(pilot, lambda: "not watching" in frame(app)[0])
        assert any("[/x]" in note.message for note in app._notifications)
        app.post_message(Watching())
        await until(pilot, lambda: "index ok" in frame(app)[0])


async def test_the_last_action_is_undone(store: Path) -> None:
    app = opened(store)
    page = store / "docs" / "entities" / "http-client.md"
    before = page.read_bytes()
    async with running(app, WIDE) as pilot:
        await app.gateway.write(lambda memex: memex.edit("http-client", append="More."))
        assert page.read_bytes() != before
        await press(pilot, ["escape", "u"])
        await until(pilot, lambda: page.read_bytes() == before)
        said = "Undone: edited entities/http-client.md"
        await until(pilot, lambda: any(said in note.message for note in app._notifications))
        await press(pilot, ["u"])
        await until(pilot, lambda: any("Nothing to undo" in note.message for note in app._notifications))
        assert page.read_bytes() == before


async def test_w_leads_from_a_page_to_what_proves_it(store: Path) -> None:
    app = opened(store)
    async with running(app, WIDE) as pilot:
        await app.go(Place("graph", "entities/rate-limits.md"))
        await until(pilot, lambda: app.screen.current_item() is not None)  # type: ignore[attr-defined]
        await press(pilot, ["w"])
        await until(pilot, lambda: app.history.here is not None and app.history.here.area == "sources")
        assert app.history.here is not None and app.history.here.path == "entities/rate-limits.md"


async def test_keys_of_memex_toml_are_in_force(store: Path) -> None:
    (store / "memex.toml").write_text('[keys]\n"go.pages" = "alt+p"\n"no.such" = "x"\n')
    app = opened(store)
    async with running(app, WIDE) as pilot:
        await settle(pilot)
        assert any("no.such" in note.message for note in app._notifications)
        await press(pilot, ["escape", "ctrl+k"])
        assert app.screen is area(app)
        await press(pilot, ["alt+p"])
        assert isinstance(app.screen, PageSwitcher)


async def test_the_emacs_preset_types_sequences_from_a_text_field(store: Path) -> None:
    (store / "memex.toml").write_text('[keys]\npreset = "emacs"\n')
    app = opened(store)
    async with running(app, WIDE) as pilot:
        await typed(pilot, "ab")
        await press(pilot, ["ctrl+x", "b"])
        assert isinstance(app.screen, PageSwitcher)
        await press(pilot, ["escape"])
        assert area(app).input.value == "ab"


async def test_a_damaged_config_is_said_and_the_app_lives(store: Path) -> None:
    (store / "memex.toml").write_text("[keys\n")
    app = opened(store)
    async with running(app, WIDE) as pilot:
        await settle(pilot)
        assert any("memex.toml" in note.message for note in app._notifications)
        assert app.is_running


async def test_a_lost_folder_is_told_and_the_app_lives(store: Path) -> None:
    app = opened(store)
    async with running(app, WIDE) as pilot:
        await typed(pilot, "retry")
        store.rename(store.with_name("elsewhere"))
        area(app).input.value = "retry pol"
        await settle(pilot)
        await press(pilot, ["escape", "down", "up"])
        app.post_message(PagesChanged(removed=("x.md",)))
        await settle(pilot)
        assert app.is_running
        store.with_name("elsewhere").rename(store)


async def test_brackets_in_notices_and_names_are_text(store: Path) -> None:
    with Memex(store) as memex:
        for text in BRACKETS:
            memex.write("entity", f"{text} page", text, new=True)
    app = opened(store)
    async with running(app, WIDE) as pilot:
        app.saved.recent = ["entities/rate-limits.md"]
        for text in BRACKETS:
            app.toast(text, hint=text)
            await press(pilot, ["ctrl+k"])
            await until(pilot, lambda: app.screen.rows.count > 1)  # type: ignore[attr-defined]
            app.screen.query_one("Input").value = text  # type: ignore[attr-defined]
            await settle(pilot)
            await press(pilot, ["escape"])
            app.post_message(Peek(f"{text} page"))
            await settle(pilot)
            assert app.is_running and app._exception is None, text
            assert text in shown(app), text
            await press(pilot, ["escape"])
            assert len(app.screen_stack) == 1, text
            app.clear_notifications()


@pytest.mark.parametrize("area", ["health", "search"])
async def test_a_pop_up_that_is_just_opening_may_be_left(store: Path, area: str) -> None:
    app = opened(store)
    async with running(app, WIDE) as pilot:
        app.push_screen(PageSwitcher())  # ctrl+k and the key of an area, in one breath
        await app.show_area(area)
        await settle(pilot)
        assert app._exception is None
        assert (app.current_mode, len(app.screen_stack)) == (area, 1)


async def test_presets_have_help_for_everything() -> None:
    from memex_tui.commands import every_command

    for preset in ("default", "vim", "emacs"):
        keymap = Keymap(every_command(), preset)
        assert keymap.warnings == []


async def test_style_sheets_stay_few(store: Path) -> None:
    app = opened(store)
    async with running(app, WIDE) as pilot:
        for one in AREAS:
            await app.show_area(one.id)
            await settle(pilot)
        assert len(app.stylesheet.source) <= 64, "past 64 every mount parses all of them again"
