"""Commands of the Page area that no other test presses, by key and by mouse."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from memex_tui.screens.page.commands import COMMANDS
from memex_tui.screens.page.conflict import ConflictView
from memex_tui.screens.page.history import HistoryView
from memex_tui.screens.page.screen import PageScreen
from tests.tui.page_store import LIMITS, NOW, make_store, page_area, put

LONG = "".join(f"# Part {n}\n\n" + "text\n\n" * 20 for n in range(1, 9))


@pytest.fixture(autouse=True)
def docs(root: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("MEMEX_NOW", NOW)
    return make_store(root)


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.id)
def test_every_command_says_what_it_does_and_is_done(command: object) -> None:
    found = next(one for one in COMMANDS if one is command)
    assert found.id.startswith("page.")
    assert found.title[0].isupper()
    assert found.help.endswith(".")
    assert callable(getattr(PageScreen, "do_" + found.id.replace(".", "_").replace("-", "_")))


async def test_matches_and_links_are_walked_backwards(root: Path) -> None:
    async with page_area(root) as page:
        reader = page.screen.reader
        await page.press("/", "type:batch", "escape", "n", "N", "N")
        assert reader.current_match == 2
        await page.press("l", "l", "l", "h")
        assert reader.current_link is not None
        assert reader.current_link.target == "Retry policy"


async def test_the_lists_are_put_away_and_come_back(root: Path) -> None:
    async with page_area(root) as page:
        screen = page.screen
        assert screen.outline_list.region
        await page.press("\\")
        assert not screen.outline_list.region
        await page.press("\\")
        assert screen.outline_list.region
        await page.pilot.resize_terminal(80, 24)
        await page.settle()
        assert not screen.outline_list.region
        await page.press("\\")
        assert screen.outline_list.region
        assert not screen.reader.region


async def test_an_undone_edit_is_done_again(root: Path) -> None:
    async with page_area(root) as page:
        await page.press("e")
        page.to_line("Raised")
        await page.press("type:My ", "ctrl+z", "ctrl+y", "ctrl+s")
        assert page.bytes() == LIMITS.replace("Raised", "My Raised").encode()


async def test_changes_of_two_texts_are_walked_both_ways(root: Path) -> None:
    async with page_area(root) as page:
        await page.press("e")
        page.to_line("Raised")
        await page.press("type:My ")
        theirs = LIMITS.replace("Raised", "Lifted").replace("[x] honour", "[x] heed")
        await page.outside("entities/rate-limits.md", theirs.encode())
        await page.press("alt+c")
        view = page.screen.query_one(ConflictView)
        assert len(view.comparison.changes) == 2
        await page.press("n", "N", "m", "n", "m", "enter", "ctrl+s")
        assert page.bytes() == LIMITS.replace("Raised", "My Raised").encode()


@contextmanager
def lent() -> Iterator[None]:
    """The terminal, lent to another program."""
    yield


async def test_the_text_goes_to_another_editor_once_it_is_saved(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = tmp_path / "vim"
    script.write_text('#!/bin/sh\necho "at $1" >> "$2"\n')
    script.chmod(0o755)
    monkeypatch.setenv("EDITOR", f"'{script}'")
    async with page_area(root) as page:
        monkeypatch.setattr(page.app, "suspend", lent)
        await page.press("e")
        page.to_line("Raised")
        await page.press("type:My ", "alt+e")
        assert page.said == ["Save first: ^s, then E"]
        assert page.bytes() == LIMITS.encode()
        await page.press("ctrl+s", "alt+e")
        await page.later()
        assert page.bytes() == LIMITS.replace("Raised", "My Raised").encode() + b"at +13\n"
        assert page.screen.editor.lines[-2] == "at +13"
        assert page.caret == (12, 3)


async def test_the_outline_goes_along_with_the_reader(root: Path) -> None:
    put(root, "long.md", LONG.encode())
    async with page_area(root, "long.md") as page:
        outline = page.screen.outline_list
        assert outline.row is not None
        assert outline.row.title == "Part 1"
        await page.press("G")
        assert outline.row.title == "Part 8"
        page.screen.reader.scroll_to_line(60)
        await page.settle()
        assert outline.row.title == "Part 2"
        await page.go("procedures/retry-policy.md")
        assert outline.row.title == "Steps"


async def test_one_click_goes_where_a_row_of_a_list_leads(root: Path) -> None:
    put(root, "long.md", LONG.encode())
    async with page_area(root, "long.md") as page:
        await page.pilot.click("#outline", offset=(5, 4))
        await page.settle()
        reader = page.screen.reader
        assert reader.document.lines[reader.top_line - 1] == "# Part 4"
        await page.go("entities/rate-limits.md")
        await page.pilot.click("#backlinks", offset=(5, 3))
        await page.settle()
        assert page.screen.path == "procedures/retry-policy.md"


async def test_a_page_without_a_past_has_nothing_to_restore(root: Path) -> None:
    async with page_area(root) as page:
        await page.press("g", "h")
        view = page.screen.query_one(HistoryView)
        assert not view.diff.display
        assert not page.screen.allowed("page.history-revert")
        assert not page.screen.allowed("page.history-against")
