"""The settings of the editor: what ``[editor]`` of memex.toml says is followed, at once."""

from __future__ import annotations

from pathlib import Path

import pytest

from memex_tui.messages import Place
from tests.tui.frames import frame
from tests.tui.page_store import NOW, Page, make_store, page_area, put

LONG = "word " * 60


@pytest.fixture(autouse=True)
def docs(root: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("MEMEX_NOW", NOW)
    docs = make_store(root)
    put(root, "wide.md", f"a\tb 日本語\n{LONG}\nshort\n".encode())
    return docs


def shown(page: Page) -> list[str]:
    """The first rows of the editor, without its frame."""
    return [line[1:-1].rstrip() for line in frame(page.app)[3:7]]


async def test_long_lines_go_on_in_the_next_row_unless_told_otherwise(root: Path) -> None:
    async with page_area(root, "wide.md", (80, 24)) as page:
        await page.press("e")
        rows = shown(page)
        assert rows[0] == "1  a   b 日本語"
        assert rows[1].startswith("2  word word")
        assert rows[2].startswith("   word word")
        assert page.screen.editor.virtual_size.height > 4


async def test_the_file_is_followed_from_the_start(root: Path) -> None:
    (root / "memex.toml").write_text("[editor]\ntab_width = 8\nwrap = false\n")
    async with page_area(root, "wide.md", (80, 24)) as page:
        await page.press("e")
        assert shown(page)[0] == "1  a       b 日本語"
        assert shown(page)[2:] == ["3  short", "4"]
        await page.press("down", "end")
        editor = page.screen.editor
        assert editor.scroll_x > 200
        assert shown(page)[1].rstrip().endswith("word")
        await page.press("down", "home", "type:ab", "tab", "type:c")
        assert editor.scroll_x == 0
        assert editor.lines[2] == "ab      cshort"


async def test_what_settings_change_is_followed_at_once(root: Path) -> None:
    async with page_area(root, "wide.md", (80, 24)) as page:
        await page.press("e", "down", "end")
        caret = page.caret
        (root / "memex.toml").write_text("[editor]\ntab_width = 2\nwrap = false\n")
        await page.app.go(Place("settings"))
        await page.settle()
        await page.go("wide.md", purpose="edit")
        assert page.caret == caret
        assert page.screen.editor.virtual_size.height == 4
        await page.press("home", "up")
        assert shown(page)[0] == "1  a b 日本語"
        assert page.said == []


async def test_a_damaged_file_is_named_in_the_place_of_the_page(root: Path) -> None:
    (root / "memex.toml").write_text("[editor\n")
    async with page_area(root, "wide.md", (80, 24)) as page:
        text = "".join(line.strip("│ ") for line in frame(page.app)[3:12])
        assert text.startswith("It cannot be opened")
        assert "memex.toml, line 1: Expected ']' at the end" in text
        assert page.screen.mode == "read"
