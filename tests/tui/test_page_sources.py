"""Provenance in the Page area: signs beside sentences, the way to the turns, citations while editing."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import cast

import pytest

from memex_core import Memex
from memex_core.files import frontmatter
from memex_tui.messages import Place
from memex_tui.screens.page.turn_card import QuoteCard, TurnCard
from memex_tui.screens.sources.screen import SourcesScreen
from tests.tui import sources_store
from tests.tui.frames import NARROW, WIDE, check_frame, text_frame
from tests.tui.page_store import NOW, Page, page_area, put

PROVED = "summaries/proved.md"
BARE = "notes/bare.md"
TEXT = """\
---
type: summary
title: Proved limits
created: 2026-11-22T09:00:00Z
sources:
  - id: s1
    resource: memex:limits#4
    lane: evidence
    quote: honour retry-after first, then the retry policy.
  - id: s2
    resource: memex:limits#2
    title: what the client does
    lane: context
  - id: s3
    resource: memex:limits#4
    lane: evidence
    quote: raise the limit to 50 rps
  - id: s4
    resource: https://example.org/limits
    lane: context
---
Each key has a bucket.
A 429 carries retry-after, and the client honours it before it falls back to its own policy, which has
three tries with jitter.[^s1] It sleeps, as one can read in the code of the client that sends it.[^s2]

- Raised to 50 rps.[^s3]
- The provider says so too.[^s4]
- Nobody knows why.[^nowhere]

`[^s1]` in code is none.
"""
NONE = "---\ntype: note\ntitle: Bare\ncreated: 2026-11-22T09:00:00Z\n---\nOne sentence.\n\nAnother.\n"


@pytest.fixture(autouse=True)
def store(root: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("MEMEX_NOW", NOW)
    monkeypatch.setenv("TZ", "UTC")
    sources_store.make_store(root)
    put(root, PROVED, TEXT.encode())
    put(root, BARE, NONE.encode())
    with Memex(root) as memex:
        memex.list()
    return root


async def proved(page: Page) -> None:
    await page.until(lambda: page.screen._proofs)
    await page.later()


def signs(page: Page) -> dict[str, str]:
    """The sign before each row that has one, by the text of the row."""
    reader = page.screen.reader
    found = {}
    for y in range(reader.size.height):
        text = reader.render_line(y).text
        if text[:1].strip() and text[1:2] == " ":
            found[text[2:].strip()] = text[0]
    return found


def sources_at(page: Page) -> tuple[str, str, int, int]:
    """Page, footnote, line and turn that the Sources area shows."""
    screen = cast(SourcesScreen, page.app.current_area)
    assert screen.AREA == "sources"
    one = screen.statement
    assert one is not None
    return one.path, one.id, one.line, one.turn


# -- reading --------------------------------------------------------------------------------------


async def test_each_footnote_has_the_sign_of_its_source_beside_its_row(root: Path) -> None:
    async with page_area(root, PROVED) as page:
        await proved(page)
        found = {row[-10:]: sign for row, sign in signs(page).items()}
        assert set(found.values()) == {"E", "C", "✗", "?"}
        assert {row: found[row] for row in found if row.endswith(("rps.[s3]", "too.[s4]", "[nowhere]"))} == {
            "50 rps.[s3]"[-10:]: "✗",
            "so too.[s4]"[-10:]: "C",
            "why.[nowhere]"[-10:]: "?",
        }
        text = "\n".join(page.screen.reader.render_line(y).text for y in range(20))
        assert "[s1]" in text
        assert "E " in text


async def test_a_page_without_sources_keeps_its_width(root: Path) -> None:
    async with page_area(root, BARE) as page:
        await page.later()
        assert page.screen.reader._gutter == 0
        wide = page.screen.reader.document.cells
        await page.go(PROVED)
        assert page.screen.reader._gutter == 2  # before anything is known of the sources
        await proved(page)
        await page.go(BARE)
        assert page.screen.reader._gutter == 0
        assert page.screen.reader.document.cells == wide
        assert page.screen._proofs == {}


async def test_the_page_stands_there_before_its_sources_are_looked_up(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import threading

    from memex_tui.screens.page import proofs

    go_on = threading.Event()
    load = proofs.load

    def slow(memex: Memex, path: str) -> dict[str, proofs.Proof]:
        assert go_on.wait(60)
        return load(memex, path)

    monkeypatch.setattr(proofs, "load", slow)
    async with page_area(root, "") as page:
        try:
            await page.app.go(Place("page", PROVED))
            while page.screen.path != PROVED:
                await page.pilot.pause(0.01)
            assert "Each key" in page.screen.reader.document.text
            assert signs(page) == {}
        finally:
            go_on.set()
        await proved(page)
        assert "✗" in signs(page).values()


async def test_a_click_on_a_sign_goes_to_its_statement(root: Path) -> None:
    async with page_area(root, PROVED) as page:
        await proved(page)
        reader = page.screen.reader
        y = next(y for y in range(reader.size.height) if "[s3]" in reader.render_line(y).text)
        await page.pilot.click(reader, offset=(reader.content_region.x - reader.region.x, y + 1))
        await page.settle()
        assert sources_at(page) == (PROVED, "s3", 26, 4)


async def test_a_footnote_without_text_leads_to_its_source(root: Path) -> None:
    async with page_area(root, PROVED) as page:
        await proved(page)
        reader = page.screen.reader
        while (link := reader.next_link()) is not None and link.target != "s2":
            pass
        await page.press("enter")
        assert sources_at(page) == (PROVED, "s2", 24, 2)


async def test_a_footnote_with_a_text_of_its_own_leads_there(root: Path) -> None:
    put(root, PROVED, (TEXT + "\n[^s1]: as said in the talk\n").encode())
    async with page_area(root, PROVED) as page:
        await proved(page)
        reader = page.screen.reader
        while (link := reader.next_link()) is not None and link.target != "s1":
            pass
        await page.press("enter")
        assert page.app.current_area is page.screen
        assert page.screen.AREA == "page"


async def test_g_t_shows_the_sources_of_the_first_statement_in_sight_or_the_chosen(root: Path) -> None:
    async with page_area(root, PROVED) as page:
        await proved(page)
        await page.press("g", "t")
        assert sources_at(page) == (PROVED, "s1", 24, 4)
        await page.press("backspace")
        reader = page.screen.reader
        while (link := reader.next_link()) is not None and link.target != "nowhere":
            pass
        await page.press("g", "t")
        assert sources_at(page) == (PROVED, "nowhere", 28, 0)


async def test_g_t_on_a_page_without_sources_still_goes_there(root: Path) -> None:
    async with page_area(root, BARE) as page:
        await page.press("g", "t")
        screen = cast(SourcesScreen, page.app.current_area)
        assert screen.AREA == "sources"
        assert screen._loaded.path == BARE


async def test_signs_follow_a_change_outside(root: Path) -> None:
    async with page_area(root, PROVED) as page:
        await proved(page)
        await page.outside(
            PROVED, TEXT.replace("raise the limit to 50 rps", "raise the limit to 40 rps").encode()
        )
        await page.until(lambda: page.screen._proofs["s3"].sign == "E")
        assert "✗" not in signs(page).values()


async def test_a_page_whose_sentences_have_no_footnotes_shows_the_signs_of_its_sources(root: Path) -> None:
    put(root, PROVED, (TEXT[: TEXT.index("Each key")] + "Nothing is footnoted.\n").encode())
    async with page_area(root, PROVED) as page:
        await proved(page)
        assert [*signs(page).values()] == ["E", "C", "✗", "C"]
        reader = page.screen.reader
        await page.pilot.click(reader, offset=(reader.content_region.x - reader.region.x, 4))
        await page.settle()
        assert sources_at(page) == (PROVED, "s3", 0, 4)


async def test_a_source_in_the_panel_is_a_link_to_its_turn(root: Path) -> None:
    async with page_area(root, PROVED) as page:
        await proved(page)
        reader = page.screen.reader
        shown = [reader.render_line(y).text for y in range(8)]
        assert any("limits, turn 4 “honour retry-after first" in line for line in shown)
        assert "".join(line[0] for line in shown) == "E C✗C   "  # the first takes two rows
        while (link := reader.next_link()) is not None and link.target != "memex-source:2":
            pass
        await page.press("enter")
        assert sources_at(page) == (PROVED, "s3", 26, 4)


async def test_a_source_is_reached_before_anything_is_known_of_it(root: Path) -> None:
    async with page_area(root, PROVED) as page:
        await proved(page)
        page.screen._know_proofs(PROVED, {})
        for _ in range(3):  # back from the end, where the sources come after the page's own links
            page.screen.reader.next_link(-1)
        await page.press("enter")
        assert sources_at(page) == (PROVED, "s2", 24, 2)


async def test_a_source_that_is_an_address_is_opened(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []
    async with page_area(root, PROVED) as page:
        monkeypatch.setattr(page.app, "open_url", opened.append)
        while (
            link := page.screen.reader.next_link()
        ) is not None and link.text != "https://example.org/limits":
            pass
        await page.press("enter")
        assert opened == ["https://example.org/limits"]


# -- editing --------------------------------------------------------------------------------------


async def test_the_editor_shows_the_signs_before_its_line_numbers(root: Path) -> None:
    async with page_area(root, PROVED) as page:
        await proved(page)
        await page.press("e")
        editor = page.screen.editor
        rows = {}
        for y in range(editor.size.height):
            text = editor.render_line(y).text
            if text[:2].strip() and not text[:1].isdigit():
                rows[text[2:].split()[0]] = text[0]
        assert rows == {"24": "E", "26": "✗", "27": "C", "28": "?"}
        await page.press("escape")
        await page.go(BARE, purpose="edit")
        assert page.screen.editor.gutter_width == 3


async def test_alt_t_goes_to_the_sources_of_the_line_and_keeps_the_text(root: Path) -> None:
    async with page_area(root, PROVED) as page:
        await proved(page)
        await page.press("e")
        page.to_line("Raised to")
        await page.press("type:Now ", "alt+t")
        assert sources_at(page) == (PROVED, "s3", 26, 4)
        await page.press("backspace")
        assert page.screen.dirty
        assert any(line.startswith("Now - Raised") for line in page.screen.editor.lines)


async def cite(page: Page, typed: str) -> None:
    await page.press("alt+i")
    card = page.app.screen
    assert isinstance(card, TurnCard)
    await page.until(lambda: card.rows.count == 5)  # the newest turns
    await page.press(f"type:{typed}")
    await page.until(lambda: card.rows.count == 1)
    await page.press("enter")
    assert isinstance(page.app.screen, QuoteCard)


async def test_a_citation_goes_to_the_caret_and_its_source_into_the_front_matter(root: Path) -> None:
    async with page_area(root, BARE) as page:
        await page.press("e")
        page.to_line("One sentence", -1)
        await cite(page, "raise")
        field = page.app.screen.query_one("Input")
        field.value = "raise the limit to 40 rps."  # type: ignore[attr-defined]
        await page.press("enter")
        editor = page.screen.editor
        line, column = editor.cursor_location
        assert editor.lines[line] == "One sentence.[^s1]"
        assert column == len("One sentence.[^s1]")
        assert page.bytes(BARE) == NONE.encode()  # nothing is written before a save
        assert page.screen.sign_of_line("[^s1]") == ("E", "evidence")
        await page.press("ctrl+s")
        await page.until(lambda: not page.screen.dirty)
        front = frontmatter.read(page.bytes(BARE))
        assert front.fields["sources"] == [
            {
                "id": "s1",
                "resource": "memex:limits#4",
                "title": "limits, turn 4",
                "lane": "evidence",
                "quote": "raise the limit to 40 rps.",
            }
        ]
        assert "One sentence.[^s1]\n" in front.body
        await page.press("escape", "g", "t")
        assert sources_at(page)[1::2] == ("s1", 4)


async def test_one_undo_takes_mark_and_source_away(root: Path) -> None:
    async with page_area(root, BARE) as page:
        await page.press("e")
        page.to_line("Another", -1)
        await cite(page, "sleeps")
        await page.press("enter")
        assert "Another.[^s1]" in page.screen.editor.lines
        assert "sources:" in page.screen.editor.lines
        await page.press("ctrl+z")
        assert page.screen.editor.lines == NONE.split("\n")
        assert not page.screen.dirty
        assert page.caret == (7, len("Another."))


async def test_words_that_the_turn_does_not_say_are_refused_and_nothing_changes(root: Path) -> None:
    async with page_area(root, BARE) as page:
        await page.press("e")
        page.to_line("Another", -1)
        await cite(page, "raise")
        card = page.app.screen
        card.query_one("Input").value = "raise it to the sky"  # type: ignore[attr-defined]
        await page.press("enter")
        assert page.app.screen is card
        assert "does not say" in str(cast(QuoteCard, card).card.border_subtitle)
        await page.press("escape")
        assert page.screen.editor.lines == NONE.split("\n")
        assert page.screen.editor.has_focus


async def test_a_source_that_the_page_has_is_cited_again(root: Path) -> None:
    async with page_area(root, PROVED) as page:
        await page.press("e")
        page.to_line("Each key", -1)
        await cite(page, "raise")
        card = page.app.screen
        card.query_one("Input").value = "honour retry-after first, then the retry policy."  # type: ignore[attr-defined]
        await page.press("enter")
        assert "Each key has a bucket.[^s1]" in page.screen.editor.lines
        assert page.screen.editor.lines[:21] == TEXT.split("\n")[:21]


async def test_no_citation_in_front_matter(root: Path) -> None:
    async with page_area(root, PROVED) as page:
        await page.press("e")
        page.to_line("title: Proved", -1)
        await page.press("alt+i")
        assert page.app.screen is page.screen
        assert page.said == ["A citation goes into the text, not into front matter or code"]


# -- frames -----------------------------------------------------------------------------------------


async def state_proved(page: Page) -> None:
    await proved(page)


async def state_proved_edit(page: Page) -> None:
    await proved(page)
    await page.press("e")


async def state_cite(page: Page) -> None:
    await page.press("e")
    page.to_line("Each key", -1)
    await page.press("alt+i")
    card = page.app.screen
    assert isinstance(card, TurnCard)
    await page.until(lambda: card.rows.count == 5)


async def state_cite_words(page: Page) -> None:
    await state_cite(page)
    await page.press("type:raise")
    card = cast(TurnCard, page.app.screen)
    await page.until(lambda: card.rows.count == 1)
    await page.press("enter")


@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "narrow"])
@pytest.mark.parametrize(
    "state",
    [state_proved, state_proved_edit, state_cite, state_cite_words],
    ids=lambda state: state.__name__[6:],
)
async def test_frame(root: Path, state: Callable[[Page], Awaitable[None]], size: tuple[int, int]) -> None:
    async with page_area(root, PROVED, size) as page:
        await page.later()
        await state(page)
        name = state.__name__[6:].replace("_", "-")
        check_frame(f"page/{name}-{size[0]}x{size[1]}", text_frame(page.app))
