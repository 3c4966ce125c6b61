"""Editing a page: what reaches the disk, byte for byte, and what never gets lost."""

from __future__ import annotations

from pathlib import Path

import pytest

from memex_core.memex import Memex
from memex_tui.messages import PagesChanged
from memex_tui.screens.page import swap
from memex_tui.screens.page.conflict import ConflictView
from tests.tui.page_store import LIMITS, NOW, Page, make_store, page_area, put

ODD = b"\xef\xbb\xbf---\r\ntitle: Odd   # kept\r\n---\r\nfirst  \r\nsecond \xff byte\nthird\tTAB\x0cfeed\r\nlast without end"


@pytest.fixture(autouse=True)
def docs(root: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("MEMEX_NOW", NOW)
    return make_store(root)


async def test_only_the_edited_line_changes_on_disk(root: Path) -> None:
    put(root, "odd.md", ODD)
    async with page_area(root, "odd.md") as page:
        await page.press("e")
        page.to_line("first", -1)
        await page.press("type:!", "ctrl+s")
        assert page.bytes("odd.md") == ODD.replace(b"first  \r\n", b"first  !\r\n")
        page.to_line("second", 0)
        await page.press("type:x", "enter", "ctrl+s")
        assert page.bytes("odd.md") == ODD.replace(b"first  \r\n", b"first  !\r\n").replace(
            b"second", b"x\r\nsecond"
        )
        assert not page.screen.dirty
        assert page.said == []


async def test_an_undone_edit_leaves_the_very_bytes(root: Path) -> None:
    put(root, "odd.md", ODD)
    async with page_area(root, "odd.md") as page:
        await page.press("e")
        page.to_line("third", 3)
        await page.press("backspace", "enter", "type:abc", "ctrl+s")
        assert page.bytes("odd.md") != ODD
        for _ in range(6):
            await page.press("ctrl+z")
        await page.press("ctrl+s")
        assert page.bytes("odd.md") == ODD


async def test_twenty_saves_leave_the_caret_alone(root: Path) -> None:
    async with page_area(root) as page:
        await page.press("e")
        page.to_line("Raised", 6)
        for number in range(20):
            await page.press("type:x", "ctrl+s")
            assert page.caret == (12, 7 + number)
        assert page.bytes() == LIMITS.replace("Raised", "Raised" + "x" * 20).encode()
        assert page.said == []
        with Memex(root) as memex:
            assert memex.history("entities/rate-limits.md")["total"] >= 20


async def test_a_key_that_memex_renews_does_not_disturb(root: Path) -> None:
    text = b"---\ntitle: Made\ngenerated: {by: human:me, at: 2026-01-01T00:00:00Z}\n---\nbody\n"
    put(root, "made.md", text)
    async with page_area(root, "made.md") as page:
        await page.press("e")
        page.to_line("body", 4)
        await page.press("type: more", "ctrl+s")
        assert b"at: 2026-11-30T09:00:00Z" in page.bytes("made.md")
        assert page.bytes("made.md").endswith(b"---\nbody more\n")
        assert page.caret == (4, 9)
        assert not page.screen.dirty
        await page.press("ctrl+z")
        assert page.screen.editor.lines[4] == "body"
        await page.press("ctrl+s")
        assert page.bytes("made.md").endswith(b"---\nbody\n")


async def test_unsaved_text_is_shown_and_survives_a_walk(root: Path) -> None:
    async with page_area(root) as page:
        await page.press("e")
        page.to_line("Raised")
        await page.press("type:Unsaved words. ", "escape")
        assert page.screen.mode == "read"
        assert "Unsaved words. Raised" in page.screen.reader.document.text
        assert page.screen.dirty
        await page.go("entities/http-client.md")
        assert not page.screen.dirty
        await page.go("entities/rate-limits.md")
        assert "Unsaved words. Raised" in page.screen.reader.document.text
        await page.press("e")
        assert page.caret == (12, 15)
        for _ in range(4):
            await page.press("ctrl+z")
        assert not page.screen.dirty
        assert page.bytes() == LIMITS.encode()


async def test_an_outside_edit_is_taken_over_while_nothing_is_unsaved(root: Path) -> None:
    async with page_area(root) as page:
        await page.press("e")
        page.to_line("Raised", 4)
        await page.outside(
            "entities/rate-limits.md", LIMITS.replace("Each API", "New line.\n\nEach API").encode()
        )
        assert page.caret == (14, 4)
        assert page.screen.editor.lines[8] == "New line."
        assert not page.screen.dirty
        await page.press("type:x", "ctrl+s")
        assert (
            page.bytes()
            == LIMITS.replace("Each API", "New line.\n\nEach API").replace("Raised", "Raisxed").encode()
        )


THEIRS = LIMITS.replace("to [[Retry policy]].", "to [[Retry policy]] at last.") + "\nWritten outside.\n"


async def _clash(page: Page) -> None:
    """Mine: a word in front of “to [[Retry policy]]”; theirs: two words behind it, and a last line."""
    await page.press("e")
    page.to_line("to [[Retry")
    await page.press("type:back ")
    await page.outside("entities/rate-limits.md", THEIRS.encode())


async def test_an_outside_edit_while_typing_loses_neither_text(root: Path) -> None:
    async with page_area(root) as page:
        await _clash(page)
        assert page.screen.note.display
        assert page.screen.editor.lines[10] == "back to [[Retry policy]]."
        assert page.caret == (10, 5)
        await page.press("ctrl+s")
        assert page.bytes() == THEIRS.encode()  # nothing is written before a choice
        layout = page.app.layout
        assert layout is not None
        kept = swap.find(layout, "entities/rate-limits.md")
        assert kept is not None
        assert "back to [[Retry policy]]." in kept.lines
        assert page.screen.mode == "conflict"
        await page.press("escape")
        assert page.screen.mode == "edit"
        assert page.screen.editor.lines[10] == "back to [[Retry policy]]."


@pytest.mark.parametrize(
    ("keys", "line", "more"),
    [
        ("m", b"back to [[Retry policy]].\n", True),
        ("t", b"to [[Retry policy]] at last.\n", True),
        ("b", b"back to [[Retry policy]].\nto [[Retry policy]] at last.\n", True),
        ("M", b"back to [[Retry policy]].\n", False),
        ("T", b"to [[Retry policy]] at last.\n", True),
    ],
)
async def test_what_was_chosen_is_written(root: Path, keys: str, line: bytes, more: bool) -> None:
    async with page_area(root) as page:
        await _clash(page)
        await page.press("alt+c")
        view = page.screen.query_one(ConflictView)
        assert [view.comparison.chunks[number].kind for number in view.comparison.changes] == [
            "clash",
            "theirs",
        ]
        await page.press(keys, "enter")
        assert page.screen.mode == "edit"
        assert page.bytes() == THEIRS.encode()
        await page.press("ctrl+s")
        want = LIMITS.encode().replace(b"to [[Retry policy]].\n", line)
        assert page.bytes() == want + (b"\nWritten outside.\n" if more else b"")
        assert not page.screen.dirty


async def test_a_file_that_changes_once_more_is_compared_again(root: Path) -> None:
    async with page_area(root) as page:
        await _clash(page)
        await page.press("alt+c", "M")
        await page.outside("entities/rate-limits.md", THEIRS.encode() + b"And again.\n")
        await page.press("enter")
        assert page.screen.mode == "conflict"
        assert "once more" in page.said[-1]
        await page.press("m", "enter", "ctrl+s")
        assert page.bytes().endswith(b"\nWritten outside.\nAnd again.\n")
        assert b"back to [[Retry policy]].\n" in page.bytes()


async def test_an_undecided_place_is_not_taken(root: Path) -> None:
    async with page_area(root) as page:
        await _clash(page)
        await page.press("alt+c", "enter")
        assert page.screen.mode == "conflict"
        assert "1 places are not decided yet" in page.said[-1]


async def test_changes_in_other_places_go_together(root: Path) -> None:
    async with page_area(root) as page:
        await page.press("e")
        page.to_line("Raised")
        await page.press("type:My ")
        await page.outside("entities/rate-limits.md", THEIRS.encode())
        await page.press("alt+c", "enter", "ctrl+s")
        assert page.bytes() == THEIRS.replace("Raised", "My Raised").encode()
        await page.press("escape")
        assert page.screen.mode == "read"


async def test_a_file_deleted_while_edited_is_written_anew(root: Path) -> None:
    async with page_area(root) as page:
        await page.press("e")
        page.to_line("Raised")
        await page.press("type:My ")
        await page.outside("entities/rate-limits.md", None)
        assert "My Raised" in page.screen.editor.lines[12]
        assert page.screen.note.display
        await page.press("ctrl+s")
        assert page.bytes() == LIMITS.replace("Raised", "My Raised").encode()
        assert not page.screen.dirty
        assert not page.screen.note.display


async def test_a_file_deleted_unseen_is_written_anew_too(root: Path) -> None:
    async with page_area(root) as page:
        await page.press("e")
        page.to_line("Raised")
        await page.press("type:My ")
        (page.docs / "entities/rate-limits.md").unlink()
        await page.press("ctrl+s")
        assert page.bytes() == LIMITS.replace("Raised", "My Raised").encode()


async def test_a_file_that_changed_unseen_is_noticed_at_the_save(root: Path) -> None:
    async with page_area(root) as page:
        await page.press("e")
        page.to_line("to [[Retry")
        await page.press("type:back ")
        put(root, "entities/rate-limits.md", THEIRS.encode())
        await page.press("ctrl+s")
        assert page.bytes() == THEIRS.encode()
        assert page.screen.mode == "conflict"


async def test_a_rename_outside_takes_unsaved_text_along(root: Path) -> None:
    async with page_area(root) as page:
        await page.press("e")
        page.to_line("Raised")
        await page.press("type:My ")
        (page.docs / "entities/rate-limits.md").rename(page.docs / "limits.md")
        page.app.post_message(PagesChanged(renamed={"limits.md": "entities/rate-limits.md"}))
        await page.later()
        assert page.screen.path == "limits.md"
        await page.press("ctrl+s")
        assert page.bytes("limits.md") == LIMITS.replace("Raised", "My Raised").encode()
        assert not (page.docs / "entities/rate-limits.md").exists()


async def test_unsaved_text_is_offered_after_a_crash(root: Path) -> None:
    async with page_area(root) as page:
        await page.press("e")
        page.to_line("Raised")
        await page.press("type:My ")  # and the app ends without a save
    assert (root / "docs/entities/rate-limits.md").read_bytes() == LIMITS.encode()
    async with page_area(root) as page:
        assert page.screen.note.display
        assert page.screen.found_swap is not None
        await page.press("R")
        assert page.screen.mode == "edit"
        assert page.screen.editor.lines[12].startswith("My Raised")
        await page.press("ctrl+s")
        assert page.bytes() == LIMITS.replace("Raised", "My Raised").encode()
        layout = page.app.layout
        assert layout is not None
        assert swap.left_behind(layout) == []


async def test_text_kept_from_a_crash_meets_a_file_that_changed(root: Path) -> None:
    async with page_area(root) as page:
        await page.press("e")
        page.to_line("Raised")
        await page.press("type:My ")
    put(root, "entities/rate-limits.md", THEIRS.encode())
    async with page_area(root) as page:
        await page.press("R", "alt+c", "enter", "ctrl+s")
        assert page.bytes() == THEIRS.replace("Raised", "My Raised").encode()


async def test_kept_text_is_not_overwritten_by_new_unsaved_text(root: Path) -> None:
    async with page_area(root) as page:
        await page.press("e")
        page.to_line("Raised")
        await page.press("type:First ")
    async with page_area(root) as page:
        await page.press("e")
        page.to_line("Raised")
        await page.press("type:Second ")
        page.screen.keep_swaps()
        layout = page.app.layout
        assert layout is not None
        kept = {swap_.lines[12].split()[0] for swap_ in swap.left_behind(layout)}
        assert kept == {"First", "Second"}


async def test_unsaved_text_can_be_thrown_away(root: Path) -> None:
    async with page_area(root) as page:
        await page.press("e")
        page.to_line("Raised")
        await page.press("type:My ", "escape")
        page.screen.run_command("page.discard")
        await page.settle()
        assert not page.screen.dirty
        assert "My Raised" not in page.screen.reader.document.text
        await page.press("e", "ctrl+z")
        assert "My Raised" in page.screen.editor.lines[12]


async def test_a_page_too_large_for_the_editor_says_so(root: Path) -> None:
    put(root, "huge.md", b"word " * 600_000)
    async with page_area(root, "huge.md") as page:
        await page.press("e")
        assert page.screen.mode == "read"
        assert "3.0 MB" in page.said[-1]


async def test_ten_megabytes_open_as_plain_text(root: Path) -> None:
    put(root, "huge.md", b"a line of words\n" * 650_000)
    async with page_area(root, "huge.md") as page:
        assert page.screen.reader.document.plain
        await page.press("pagedown", "G", "e")
        assert page.screen.mode == "read"


async def test_lists_go_on_and_tab_indents(root: Path) -> None:
    put(root, "list.md", b"- one\n")
    async with page_area(root, "list.md") as page:
        await page.press("e", "end", "enter", "type:two", "tab", "enter", "enter", "type:x", "ctrl+s")
        assert page.bytes("list.md") == b"- one\n  - two\nx\n"


async def test_quitting_says_that_no_disk_keeps_the_text(root: Path) -> None:
    async with page_area(root) as page:
        layout = page.app.layout
        assert layout is not None
        (root / "swap").write_text("a file is in the way")
        away = Path(layout.cache.removesuffix(".db") + ".swap")
        away.parent.mkdir(parents=True, exist_ok=True)
        away.write_text("and here")
        await page.press("e")
        page.to_line("Raised")
        await page.press("type:Lost? ", "ctrl+q")
        assert page.app._exit is False
        (toast,) = page.app._notifications
        assert "No disk keeps the unsaved text of entities/rate-limits.md" in toast.message
        await page.press("ctrl+q")
        assert page.app._exit is True
