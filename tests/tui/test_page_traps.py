"""What has broken other readers and editors: tiny windows, mice outside, long pages, files that vanish."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from textual import events

from memex_tui.messages import PagesChanged
from tests.tui.frames import NARROW, text_frame
from tests.tui.page_store import LIMITS, NOW, Page, make_store, page_area, put

PATH = "entities/rate-limits.md"
MEGABYTE = "A line with **bold** words, a [[Rate limits]] link and `code` in it.\n\n" * 14_500


@pytest.fixture(autouse=True)
def docs(root: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("MEMEX_NOW", NOW)
    return make_store(root)


@pytest.mark.parametrize("size", [(1, 1), (20, 5), (40, 12), (60, 15), (61, 200)])
async def test_every_mode_lives_in_a_window_of_any_size(root: Path, size: tuple[int, int]) -> None:
    async with page_area(root) as page:
        for keys in (
            ["f", "escape"],
            ["e", "type:x [[re"],
            ["escape", "escape"],
            ["g", "h"],
            ["escape", "p"],
        ):
            await page.press(*keys)
            await page.pilot.resize_terminal(*size)
            await page.settle()
            assert text_frame(page.app).count("\n") == size[1]
            await page.pilot.resize_terminal(80, 24)
            await page.settle()
        await page.press("escape")
        assert page.screen.editor.lines[8].startswith("x [[reEach")
        assert page.said == []


async def test_a_mouse_outside_harms_nothing(root: Path) -> None:
    async with page_area(root, size=NARROW) as page:
        for keys in ([], ["e"], ["escape", "g", "h"], ["escape", "g", "b"]):
            await page.press(*keys)
            for x, y in ((-1, -1), (0, 0), (79, 23), (80, 24), (500, 500), (-500, 12)):
                for kind in (events.MouseDown, events.MouseMove, events.MouseUp, events.MouseScrollDown):
                    event = kind(None, x, y, 0, 0, 1, False, False, False, screen_x=x, screen_y=y)
                    page.app.post_message(event)
                await page.settle()
        assert page.app.is_running
        assert page.bytes() == LIMITS.encode()


async def test_a_long_page_is_laid_out_only_where_it_is_looked_at(root: Path) -> None:
    put(root, "long.md", MEGABYTE.encode())
    async with page_area(root, "long.md") as page:
        document = page.screen.reader.document
        assert len(document.blocks) == 14_500
        assert sum(document._exact) < 200
        await page.press("G", "pageup")
        assert sum(document._exact) < 400
        assert document.line_at(document.height - 1) == 28_999


async def test_a_key_in_a_long_page_wraps_one_line(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(root, "long.md", MEGABYTE.encode())
    async with page_area(root, "long.md") as page:
        await page.press("e")
        wrap = page.screen.editor.wrapped_document
        wrapped: list[str] = []
        measure = wrap._wrapped

        def counted(line: str) -> tuple[list[int], list[int]]:
            wrapped.append(line)
            return measure(line)

        monkeypatch.setattr(wrap, "_wrapped", counted)
        await page.press("type:x", "enter", "backspace", "right")
        assert len(wrapped) < 10
        assert all(line in ("", "x") or line.startswith(("A line", "xA")) for line in wrapped)
        await page.press("ctrl+s")
        assert page.bytes("long.md") == f"x{MEGABYTE}".encode()


async def test_a_file_that_is_away_for_a_moment_is_not_lost(root: Path) -> None:
    async with page_area(root) as page:
        await page.press("e")
        page.to_line("Raised", 4)
        data = page.bytes()
        (page.docs / PATH).unlink()
        page.app.post_message(PagesChanged(changed=(PATH,)))
        await page.later()
        put(root, PATH, data)
        page.app.post_message(PagesChanged(changed=(PATH,)))
        await page.later()
        assert not page.screen.gone
        assert not page.screen.dirty
        assert not page.screen.note.display
        assert page.caret == (12, 4)


async def test_a_page_deleted_and_written_again_outside_is_shown_again(root: Path) -> None:
    async with page_area(root) as page:
        await page.outside(PATH, None)
        assert page.screen.gone
        await page.outside(PATH, LIMITS.replace("Raised", "Lifted").encode())
        assert not page.screen.gone
        assert "Lifted to 40" in page.screen.reader.document.text
        assert not page.screen.note.display


async def _typed(page: Page) -> None:
    await page.press("e")
    page.to_line("Raised")
    await page.press("type:My ")


@pytest.mark.parametrize("written", [False, True], ids=["first write", "later write"])
async def test_a_memory_that_vanishes_takes_no_text_along(root: Path, written: bool) -> None:
    away = root.with_name("away")
    async with page_area(root) as page:
        if written:
            await page.press("e", "ctrl+end", "type:x", "ctrl+s", "backspace", "ctrl+s", "escape")
        await _typed(page)
        root.rename(away)
        page.app.post_message(PagesChanged(changed=(PATH,)))
        await page.later()
        await page.press("ctrl+s")
        assert page.screen.editor.lines[12].startswith("My Raised")
        assert page.screen.dirty
        assert any(str(root) in text for text in page.said)
        assert (away / "docs" / PATH).read_bytes() == LIMITS.encode()
        assert not (root / "docs").exists()  # and no memory is made in its place
        shutil.rmtree(root, ignore_errors=True)  # what keeps unsaved text may be there
        away.rename(root)
        await page.press("ctrl+s")
        await page.until(lambda: not page.screen.dirty)
        assert page.bytes() == LIMITS.replace("Raised", "My Raised").encode()


async def test_a_folder_that_vanishes_outside_keeps_the_text(root: Path) -> None:
    async with page_area(root) as page:
        await _typed(page)
        moved = page.docs / "things"
        (page.docs / "entities").rename(moved)
        names = [f"entities/{file.name}" for file in moved.iterdir()]
        page.app.post_message(
            PagesChanged(renamed={name.replace("entities", "things"): name for name in names})
        )
        await page.later()
        assert page.screen.path == "things/rate-limits.md"
        assert page.screen.editor.lines[12].startswith("My Raised")
        await page.press("ctrl+s")
        assert page.bytes("things/rate-limits.md") == LIMITS.replace("Raised", "My Raised").encode()
        assert not (page.docs / "entities").exists()
