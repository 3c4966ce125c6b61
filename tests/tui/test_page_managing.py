"""Whole pages: properties, renames, types, deletion, history, other editors."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.widgets import Input

from memex_tui.screens.overlays.rename import RenameCard
from memex_tui.screens.page.dialogs import NewPageCard, TypeCard
from memex_tui.screens.page.form import PropertiesCard
from memex_tui.screens.page.history import HistoryView
from tests.tui.page_store import LIMITS, NOW, PAGES, Page, make_store, page_area, put


@pytest.fixture(autouse=True)
def docs(root: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("MEMEX_NOW", NOW)
    return make_store(root)


def everything(page: Page) -> dict[str, bytes]:
    return {str(file.relative_to(page.docs)): file.read_bytes() for file in page.docs.rglob("*.md")}


ORIGINAL = {path: text.encode() for path, text in PAGES.items()}


async def test_a_property_is_set_and_nothing_else_moves(root: Path) -> None:
    async with page_area(root) as page:
        await page.press("p")
        assert isinstance(page.app.screen, PropertiesCard)
        await page.press("j", "j", "j", "enter", "type:, keys", "enter", "ctrl+s")
        assert page.bytes() == LIMITS.replace("tags: [api, limits]", "tags: [api, limits, keys]").encode()
        assert [one.key for one in page.screen.reader.document.properties] == [
            "description",
            "aliases",
            "tags",
        ]
        assert page.screen.opened is not None
        assert page.screen.opened.front["tags"] == ["api", "limits", "keys"]


async def test_choices_new_keys_and_removal(root: Path) -> None:
    async with page_area(root) as page:
        await page.press("p")
        await page.press("j", "j", "j", "j", "j", "right")  # status: stable
        await page.press("a", "type:valid_until", "enter", "type:2027-01-01", "enter")
        form = page.app.screen
        assert isinstance(form, PropertiesCard)
        form.list.move_to_key("description")
        await page.press("x", "ctrl+s")
        want = LIMITS.replace("description: How many requests a key may make\n", "").encode()
        got = page.bytes()
        assert b"status: stable\n" in got
        assert b"valid_until: 2027-01-01\n" in got
        assert got.replace(b"status: stable\n", b"").replace(b"valid_until: 2027-01-01\n", b"") == want


async def test_a_wrong_value_is_not_taken(root: Path) -> None:
    async with page_area(root) as page:
        await page.press("p", "a", "type:valid_until", "enter", "type:soon", "enter")
        form = page.app.screen
        assert isinstance(form, PropertiesCard)
        assert "is no date" in str(form.card.border_subtitle)
        await page.press("escape", "escape", "escape")
        assert page.bytes() == LIMITS.encode()


async def test_properties_of_unsaved_text_stay_unsaved(root: Path) -> None:
    async with page_area(root) as page:
        await page.press("e")
        page.to_line("Raised")
        await page.press("type:My ", "escape", "p", "j", "enter", "type:x", "enter", "ctrl+s")
        assert page.bytes() == LIMITS.encode()
        assert page.screen.dirty
        await page.press("ctrl+s")
        want = LIMITS.replace("Raised", "My Raised").replace("type: entity", "type: entityx")
        assert page.bytes() == want.encode()


async def test_rename_shows_the_links_and_writes_nothing_before_enter(root: Path) -> None:
    async with page_area(root) as page:
        await page.press("r", "end", "type: of keys")
        card = page.app.screen
        assert isinstance(card, RenameCard)
        wanted = [  # each letter is previewed on its own
            ("entities/http-client.md", "[[Rate limits]]", "[[Rate limits of keys]]"),
            ("procedures/retry-policy.md", "[[Rate limits]]", "[[Rate limits of keys]]"),
            ("summaries/incident.md", "[[Rate limits|it]]", "[[Rate limits of keys|it]]"),
        ]
        await page.until(
            lambda: (
                wanted == [(row.path, row.before, row.after) for row in card.list._provider.rows(0, 9) if row]
            )
        )
        assert everything(page) == ORIGINAL
        await page.press("escape")
        assert everything(page) == ORIGINAL


async def test_rename_rewrites_the_links_and_u_takes_it_back(root: Path) -> None:
    async with page_area(root) as page:
        await page.press("r", "end", "type: of keys", "enter")
        await page.until(lambda: page.screen.path == "entities/rate-limits-of-keys.md")
        await page.until(lambda: page.screen.title_of_page == "Rate limits of keys")
        assert (
            page.bytes("entities/rate-limits-of-keys.md")
            == LIMITS.replace("title: Rate limits", "title: Rate limits of keys").encode()
        )
        assert b"[[Rate limits of keys|it]]" in page.bytes("summaries/incident.md")
        assert str(page.screen.reader.border_title) == "Rate limits of keys"
        await page.press("u")
        await page.until(lambda: page.screen.path == "entities/rate-limits.md")
        assert everything(page) == ORIGINAL


async def test_unsaved_text_comes_before_a_rename(root: Path) -> None:
    async with page_area(root) as page:
        await page.press("e")
        page.to_line("Raised")
        await page.press("type:My ", "escape", "r")
        assert not isinstance(page.app.screen, RenameCard)
        assert page.said == ["Save first: ^s"]


async def test_another_type_moves_the_page(root: Path) -> None:
    async with page_area(root) as page:
        await page.press("M")
        assert isinstance(page.app.screen, TypeCard)
        await page.press("type:procedure", "enter")
        await page.until(lambda: page.screen.path == "procedures/rate-limits.md")
        assert (
            page.bytes("procedures/rate-limits.md")
            == LIMITS.replace("type: entity", "type: procedure").encode()
        )


async def test_delete_and_undo_give_equal_bytes(root: Path) -> None:
    async with page_area(root) as page:
        await page.press("D")
        await page.until(lambda: page.screen.gone)
        assert not (page.docs / "entities/rate-limits.md").exists()
        assert "Each API key" in page.screen.reader.document.text
        await page.press("u")
        await page.until(lambda: not page.screen.gone)
        assert everything(page) == ORIGINAL
        assert not page.screen.note.display


async def test_a_new_page_opens_in_the_editor(root: Path) -> None:
    async with page_area(root) as page:
        await page.press("ctrl+n")
        assert isinstance(page.app.screen, NewPageCard)
        await page.press("type:Müsli [red]", "enter")
        await page.until(lambda: page.screen.mode == "edit")
        assert page.screen.title_of_page == "Müsli [red]"
        await page.press("type:Oats.", "ctrl+s")
        assert page.bytes(page.screen.path).endswith(b"---\nOats.")


async def test_history_shows_versions_and_goes_back_to_one(root: Path) -> None:
    async with page_area(root) as page:
        await page.press("e")
        page.to_line("Raised")
        await page.press("type:First ", "ctrl+s", "type:Second ", "ctrl+s", "escape", "g", "h")
        view = page.screen.query_one(HistoryView)
        await page.press("v")
        await page.until(lambda: view.diff.count > 2)
        assert [version.act for version in view.list._provider.rows(0, 9) if version is not None] == [
            "edited",
            "edited",
            "as it was before",
        ]
        assert page.screen.mode == "history"
        lines = [
            "".join(text for text, _ in row.runs)
            for row in view.diff._provider.rows(0, 30)
            if row is not None
        ]
        assert any(text.startswith("+ First Second Raised") for text in lines)
        await page.press("j", "R")
        await page.until(lambda: page.screen.mode == "read")
        assert page.bytes() == LIMITS.replace("Raised", "First Raised").encode()
        await page.press("u")
        await page.until(lambda: b"Second" in page.bytes())
        assert page.bytes() == LIMITS.replace("Raised", "First Second Raised").encode()


async def test_history_of_a_page_that_memex_never_changed(root: Path) -> None:
    async with page_area(root) as page:
        await page.press("g", "h")
        assert page.screen.mode == "history"
        await page.press("R", "d", "escape")
        assert page.screen.mode == "read"
        assert page.said == []


async def test_a_missing_editor_is_named(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EDITOR", "no-such-editor --wait")
    async with page_area(root) as page:
        await page.press("E")
        assert "$EDITOR names 'no-such-editor'" in page.said[-1]
        assert page.screen.mode == "read"


async def test_front_matter_that_does_not_parse_has_no_form(root: Path) -> None:
    put(root, "bad.md", b"---\ntitle: [x\n  : y\n---\nbody\n")
    async with page_area(root, "bad.md") as page:
        await page.press("p")
        assert not isinstance(page.app.screen, PropertiesCard)
        await page.press("e", "ctrl+end", "type:more", "ctrl+s")
        assert page.bytes("bad.md") == b"---\ntitle: [x\n  : y\n---\nbody\nmore"


async def test_the_title_to_rename_is_marked_typing_replaces_it_and_an_arrow_keeps_it(root: Path) -> None:
    async with page_area(root) as page:
        await page.press("r")
        field = page.app.screen.query_one(Input)
        await page.until(lambda: field.selected_text == "Rate limits")
        await page.press("type:Quotas")
        assert field.value == "Quotas"
        await page.press("escape", "r")
        field = page.app.screen.query_one(Input)
        await page.until(lambda: field.selected_text == "Rate limits")
        await page.press("right", "type:!")
        assert field.value == "Rate limits!"
        await page.press("escape")
        assert everything(page) == ORIGINAL
