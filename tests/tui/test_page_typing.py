"""Help while typing: links completed, names made links, find and replace."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual import events

from tests.tui.page_store import LIMITS, NOW, Page, make_store, page_area, put


@pytest.fixture(autouse=True)
def docs(root: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("MEMEX_NOW", NOW)
    put_after = make_store(root)
    put(root, "note.md", b"start\n")
    return put_after


async def _typing(page: Page, text: str) -> list[str]:
    """Type at the end of the first line of note.md; the labels that are offered."""
    await page.press("e", "end", f"type:{text}")
    popup = page.screen.popup
    return [choice.label for choice in popup._choices] if popup.display else []


def line(page: Page) -> str:
    """The first line with the caret shown as ``@``."""
    text = page.screen.editor.lines[0]
    return text[: page.caret[1]] + "@" + text[page.caret[1] :]


@pytest.mark.parametrize(
    ("typed", "keys", "after"),
    [
        (" [[Ret", ("enter",), "start [[Retry policy]]@"),
        (" [[ret", ("tab",), "start [[Retry policy]]@"),
        (" [[throt", ("enter",), "start [[throttling]]@"),
        (" [[Ret", ("type:|",), "start [[Retry policy|@]]"),
        (" [[Ret", ("type:#", "type:St", "enter"), "start [[Retry policy#Steps]]@"),
        (" [[Ret", ("type:#", "type:^", "enter"), "start [[Retry policy#^again]]@"),
        (" [[Ret", ("down", "enter"), "start [[Ret]]@"),
        (" [[Ret", ("escape", "type:r"), "start [[Retr@"),
        (" [[Ret", ("escape", "enter"), None),
        (" ![[budg", ("enter",), "start ![[Budget]]@"),
    ],
)
async def test_what_completion_puts_in(
    root: Path, typed: str, keys: tuple[str, ...], after: str | None
) -> None:
    async with page_area(root, "note.md") as page:
        await _typing(page, typed)
        await page.press(*keys)
        if after is None:
            assert page.screen.editor.lines[:2] == ["start [[Ret", ""]
        else:
            assert line(page) == after
        assert page.said == []


async def test_what_is_offered(root: Path) -> None:
    async with page_area(root) as page:
        await page.go("entities/http-client.md")
        await page.go("note.md")
        offered = await _typing(page, " [[")
        assert offered[:2] == ["HTTP client", "Rate limits"]  # the ones read last
        assert "note" not in offered
        await page.press("type:he")
        assert [choice.label for choice in page.screen.popup._choices] == ["health probe", "he"]
        assert page.screen.popup._choices[-1].kind == "create"


async def test_headings_of_this_page(root: Path) -> None:
    async with page_area(root) as page:
        await page.press("e")
        page.to_line("Raised")
        await page.press("type:[[#")
        assert [choice.label for choice in page.screen.popup._choices] == ["Why", "How it is set"]
        await page.press("type:how", "enter")
        assert page.screen.editor.lines[12].startswith("[[#How it is set]]Raised")


async def test_no_completion_in_code(root: Path) -> None:
    put(root, "code.md", b"```\nx\n```\n")
    async with page_area(root, "code.md") as page:
        await page.press("e")
        page.to_line("x", 1)
        await page.press("type: [[Ret")
        assert not page.screen.popup.display


async def test_a_click_takes_a_choice(root: Path) -> None:
    async with page_area(root, "note.md") as page:
        await _typing(page, " [[Ret")
        await page.pilot.click("#link-popup", offset=(4, 1))
        await page.settle()
        assert line(page) == "start [[Retry policy]]@"


async def test_a_typed_link_is_known_at_once(root: Path) -> None:
    async with page_area(root, "note.md") as page:
        await _typing(page, " [[Retry policy]] [[Nobody]]")
        await page.later()
        screen = page.screen
        assert screen.links.editor_state("[[Retry policy]]") == ""
        assert screen.links.editor_state("[[Nobody]]") == "missing"


async def test_names_become_links_one_by_one(root: Path) -> None:
    async with page_area(root) as page:
        await page.press("e")
        await page.later()
        assert page.screen.hint.display
        assert [name.name for name in page.screen._names] == ["API key", "health probe"]
        await page.press("alt+l")
        assert page.screen.editor.lines[8].startswith("Each [[API key]] has")
        await page.press("alt+l")
        assert "the [[health probe]], see" in page.screen.editor.lines[16]
        await page.press("ctrl+s")
        want = LIMITS.replace("API key", "[[API key]]").replace("health probe,", "[[health probe]],")
        assert page.bytes() == want.encode()


async def test_all_names_become_links_at_once(root: Path) -> None:
    async with page_area(root) as page:
        await page.press("e")
        await page.later()
        page.screen.run_command("page.link-names")
        await page.settle()
        await page.press("ctrl+s")
        want = LIMITS.replace("API key", "[[API key]]").replace("health probe,", "[[health probe]],")
        assert page.bytes() == want.encode()
        await page.press("ctrl+z", "ctrl+s")
        assert page.bytes() == LIMITS.encode()


async def test_following_the_link_at_the_caret_keeps_the_text(root: Path) -> None:
    async with page_area(root) as page:
        await page.press("e")
        page.to_line("to [[Retry", 6)
        await page.press("type:x", "backspace", "ctrl+g")
        assert page.screen.path == "procedures/retry-policy.md"
        await page.press("backspace")
        assert page.screen.path == "entities/rate-limits.md"
        assert page.screen.mode == "edit"
        assert page.caret == (10, 6)


async def test_find_marks_and_walks(root: Path) -> None:
    async with page_area(root) as page:
        await page.press("e", "ctrl+f", "type:batch")
        assert len(page.screen._matches) == 3
        assert page.caret == (12, 25)
        await page.press("enter")
        assert page.caret[0] == 26
        await page.press("up", "up")
        assert page.caret[0] == 29
        await page.press("escape")
        assert page.screen.editor.has_focus
        assert page.screen.editor.selected_text == "batch"
        assert page.screen.editor._found == {}


async def test_replace_one_then_all_then_undo(root: Path) -> None:
    async with page_area(root) as page:
        await page.press("e", "ctrl+r", "type:batch", "tab", "type:bulk", "alt+r")
        assert "for the bulk key" in page.screen.editor.lines[12]
        assert len(page.screen._matches) == 2
        await page.press("alt+a", "escape", "ctrl+s")
        assert page.bytes() == LIMITS.replace("batch", "bulk").encode()
        await page.press("ctrl+z", "ctrl+s")
        assert page.bytes() == LIMITS.replace("for the batch", "for the bulk", 1).encode()


async def test_patterns_case_and_words(root: Path) -> None:
    async with page_area(root) as page:
        await page.press("e", "ctrl+f", "type:the")
        every = len(page.screen._matches)
        await page.press("alt+w")
        words = len(page.screen._matches)
        await page.press("alt+c")
        exact = len(page.screen._matches)
        assert every > words > exact > 0
        await page.press("alt+w", "alt+c", "alt+x")
        field = page.screen.find_bar.query_one("#find-text")
        field.value = r"(\d+) rps"  # type: ignore[attr-defined]
        await page.settle()
        assert len(page.screen._matches) == 1
        field.value = "("  # type: ignore[attr-defined]
        await page.settle()
        assert page.said == []


async def test_preview_follows_what_is_typed(root: Path) -> None:
    async with page_area(root) as page:
        await page.press("v")
        assert page.screen.preview.display
        page.to_line("Raised")
        await page.press("type:**Bold** ")
        await page.later()
        assert "**Bold** Raised" in page.screen.preview.document.text
        await page.press("alt+v")
        assert not page.screen.preview.display


async def test_markdown_has_colours_in_every_theme(root: Path) -> None:
    async with page_area(root) as page:
        await page.press("e")
        editor = page.screen.editor
        for theme in ("memex-dark", "textual-light", "nord"):
            page.app.theme = theme
            await page.settle()
            line = next(number for number, text in enumerate(editor.lines) if "[[HTTP client]]" in text)
            spans = {
                editor.lines[line][span.start : span.end]: span.style for span in editor.get_line(line).spans
            }
            link, plain = spans["[[HTTP client]]"], editor.rich_style
            assert link.color != plain.color
            assert spans["*retry-after*"].italic
            drawn = [segment.style for segment in editor.render_line(2) if segment.style is not None]
            assert len({style.color for style in drawn}) > 2


async def test_the_caret_s_line_keeps_its_colours(root: Path) -> None:
    async with page_area(root) as page:
        await page.press("e")
        page.to_line("[[HTTP client]]")
        await page.settle()
        editor = page.screen.editor
        row = editor.wrapped_document.rows_of(page.caret[0])[0] - round(editor.scroll_y)
        colours = {segment.style.color for segment in editor.render_line(row) if segment.style is not None}
        assert len(colours) > 2


async def test_cut_copy_and_paste_keep_odd_characters(root: Path) -> None:
    data = b"one \xff\x1b[31m two\n"
    put(root, "odd.md", data)
    async with page_area(root, "odd.md") as page:
        await page.press("e", "shift+end", "ctrl+c", "end", "ctrl+v", "ctrl+s")
        assert page.bytes("odd.md") == data[:-1] * 2 + b"\n"
        await page.press("ctrl+x", "ctrl+s")
        assert page.bytes("odd.md") == b""


async def test_pasted_escapes_cannot_reach_the_terminal(root: Path) -> None:
    async with page_area(root, "note.md") as page:
        await page.press("e", "end")
        page.app.post_message(events.Paste("a\x1b]52;c;aGk=\x07b\r\nc"))
        await page.settle()
        editor = page.screen.editor
        assert len(editor.lines) == 3
        assert not any(char in line for line in editor.lines for char in "\x1b\x07\r")
        await page.press("ctrl+s")
        assert page.bytes("note.md") == b"starta\x1b]52;c;aGk=\x07b\nc\n"
