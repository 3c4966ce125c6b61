"""The Page area in its main states as stored text frames, wide and narrow."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from memex_core.memex import Memex
from memex_tui.screens.overlays.rename import RenameCard
from memex_tui.screens.page.history import HistoryView
from tests.tui.frames import NARROW, WIDE, check_frame, text_frame
from tests.tui.page_store import LIMITS, NOW, Page, make_store, page_area, put

THEIRS = LIMITS.replace("to [[Retry policy]].", "to [[Retry policy]] at last.") + "\nWritten outside.\n"


@pytest.fixture(autouse=True)
def docs(root: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("MEMEX_NOW", NOW)
    monkeypatch.setenv("TZ", "UTC")
    return make_store(root)


async def read(page: Page) -> None:
    """Wait until all is read: names elsewhere, and what is embedded."""
    await page.until(
        lambda: page.screen.unlinked and page.screen.links._embeds and not page.screen.links.wanted
    )
    await page.later()
    reader = page.screen.reader
    for index in range(len(reader.document.blocks)):  # heights that are guesses move the scrollbar's thumb
        reader.document.rows_of(index)
    reader.scroll_rows(0)
    await page.settle()


async def beside(page: Page) -> None:
    await read(page)
    await page.press("g", "b")


async def hints(page: Page) -> None:
    await read(page)
    await page.press("f")


async def edit(page: Page) -> None:
    await read(page)
    await page.press("e")
    await page.until(lambda: page.screen.hint.display)


async def popup(page: Page) -> None:
    await read(page)
    await page.press("e")
    page.to_line("Raised")
    await page.until(lambda: page.screen.hint.display)
    await page.press("type:See [[re")
    await page.until(lambda: page.screen.popup.display)


async def preview(page: Page) -> None:
    await read(page)
    await page.press("v")
    page.to_line("## Why", -1)
    await page.press("type: so")
    await page.until(lambda: "Why so" in page.screen.preview.document.text)
    await page.until(lambda: page.screen.hint.display)


async def find(page: Page) -> None:
    await read(page)
    await page.press("e", "ctrl+r", "type:batch", "tab", "type:bulk")


async def outside(page: Page) -> None:
    await read(page)
    await page.press("e")
    page.to_line("to [[Retry")
    await page.press("type:back ")
    await page.outside("entities/rate-limits.md", THEIRS.encode())
    await page.until(lambda: page.screen.hint.display)


async def conflict(page: Page) -> None:
    await outside(page)
    await page.press("alt+c")


async def history(page: Page) -> None:
    await page.press("e")
    page.to_line("Raised")
    await page.press("type:First ", "ctrl+s")
    await page.until(lambda: not page.screen.dirty)
    await page.press("escape", "g", "h")
    view = page.screen.query_one(HistoryView)
    await page.press("v")
    await page.until(lambda: view.diff.count > 2)


async def rename(page: Page) -> None:
    await read(page)
    await page.press("r", "end", "type: of keys")
    card = page.app.screen
    assert isinstance(card, RenameCard)
    await page.until(
        lambda: ["of keys" in row.after for row in card.list._provider.rows(0, 9) if row] == [True] * 3
    )


async def properties(page: Page) -> None:
    await read(page)
    await page.press("p", "j", "j", "j", "enter", "type:, keys", "enter")


async def deleted(page: Page) -> None:
    await read(page)
    await page.outside("entities/rate-limits.md", None)


STATES = [
    read,
    beside,
    hints,
    edit,
    popup,
    preview,
    find,
    outside,
    conflict,
    history,
    rename,
    properties,
    deleted,
]


@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "narrow"])
@pytest.mark.parametrize("state", STATES, ids=lambda state: state.__name__)
async def test_frame(root: Path, state: Callable[[Page], Awaitable[None]], size: tuple[int, int]) -> None:
    if state is preview and size == NARROW:
        pytest.skip("there the preview is reading")
    async with page_area(root, size=size) as page:
        await state(page)
        check_frame(f"page/{state.__name__}-{size[0]}x{size[1]}", text_frame(page.app))


@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "narrow"])
async def test_empty(tmp_path: Path, size: tuple[int, int]) -> None:
    Memex(tmp_path / "empty", create=True).close()
    async with page_area(tmp_path / "empty", "", size) as page:
        await page.until(lambda: "No page is open" in page.screen.reader.document.text)
        check_frame(f"page/empty-{size[0]}x{size[1]}", text_frame(page.app))


async def test_no_memory_yet(tmp_path: Path) -> None:
    async with page_area(tmp_path / "nothing", "", NARROW) as page:
        await page.until(lambda: "no memory" in page.screen.reader.document.text)
        check_frame("page/no-memory-80x24", text_frame(page.app))
        await page.press("ctrl+n", "type:First", "enter")
        await page.until(lambda: page.screen.mode == "edit")
        assert (tmp_path / "nothing/docs/entities/first.md").is_file()


async def test_kept_text(root: Path) -> None:
    async with page_area(root) as page:
        await page.press("e")
        page.to_line("Raised")
        await page.press("type:My ")
    async with page_area(root, size=NARROW) as page:
        await read(page)
        check_frame("page/kept-80x24", text_frame(page.app))


async def test_odd_characters_keep_the_columns(root: Path) -> None:
    text = "---\ntitle: 日本語 [bold]\n---\n# 日本語\n\n👩‍👩‍👧 family [[Rate limits|制限]] \x1b[31mred\x1b[0m\u202eover\u200bzero\n"
    put(root, "odd.md", text.encode())
    async with page_area(root, "odd.md", NARROW) as page:
        check_frame("page/odd-80x24", text_frame(page.app))
        await page.press("e")
        check_frame("page/odd-edit-80x24", text_frame(page.app))
