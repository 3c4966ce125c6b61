"""Reading a page: what is shown, where links lead, and how one comes back."""

from __future__ import annotations

import os
import threading
from pathlib import Path
from typing import Any

import pytest

from memex_core.memex import Memex
from memex_tui.doings import Doings
from memex_tui.messages import PagesChanged, Place
from memex_tui.screens.overlays.peek import PeekCard
from memex_tui.screens.page import loading
from memex_tui.screens.page.dialogs import MeaningCard, NewPageCard
from tests.tui.brackets import BRACKETS
from tests.tui.frames import NARROW, WIDE, frame, text_frame
from tests.tui.page_store import NOW, make_store, page_area, pending, put


@pytest.fixture(autouse=True)
def docs(root: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("MEMEX_NOW", NOW)
    return make_store(root)


async def test_what_stands_beside_the_page(root: Path) -> None:
    async with page_area(root) as page:
        screen = page.screen
        assert str(screen.reader.border_title) == "Rate limits"
        assert [row.title for row in screen.outline] == ["Why", "How it is set"]
        await page.later()
        shown = [(entry.kind, entry.title) for entry in screen.entries]
        assert shown == [
            ("link", "HTTP client"),
            ("link", "Retry policy"),
            ("link", "Incident"),
            ("mention", "Budget"),
        ]
        assert screen.entries[0].marked == "Rate limits"
        assert [one.key for one in screen.reader.document.properties] == ["description", "aliases", "tags"]
        assert page.said == []


async def test_links_are_found_missing_or_embedded(root: Path) -> None:
    async with page_area(root) as page:
        reader = page.screen.reader
        states = {
            span.link.target: span.link.state for _, span in reader.document.links(0, reader.document.height)
        }
        assert states["HTTP client"] == "resolved"
        assert states["Winter menu"] == "unresolved"
        text = "\n".join(
            "".join(part for part, _ in row.runs)
            for y in range(60)
            if (row := reader.document.row(y)) is not None
        )
        assert "1. wait" in text
        assert "None." not in text  # only the section is embedded


async def test_following_a_hint_and_coming_back(root: Path) -> None:
    put(root, "long.md", ("word\n\n" * 200 + "see [[Rate limits]]\n").encode())
    async with page_area(root, "long.md") as page:
        await page.press("G")
        y = page.screen.reader.scroll_y
        assert y > 100
        await page.press("f")
        assert page.screen.reader.hinting
        await page.press("a")
        assert page.screen.path == "entities/rate-limits.md"
        await page.press("backspace")
        assert page.screen.path == "long.md"
        assert page.screen.reader.scroll_y == y
        await page.press("ctrl+t")
        assert page.screen.path == "entities/rate-limits.md"


async def test_choosing_a_link_and_following_it(root: Path) -> None:
    async with page_area(root) as page:
        await page.press("l", "l")
        link = page.screen.reader.current_link
        assert link is not None
        assert link.target == "Retry policy"
        item = page.screen.current_item()
        assert item is not None
        assert item.path == "procedures/retry-policy.md"
        await page.press("K")
        assert isinstance(page.app.screen, PeekCard)
        await page.press("escape")
        await page.press("enter")
        assert page.screen.path == "procedures/retry-policy.md"


async def test_a_link_to_a_heading_arrives_there(root: Path) -> None:
    put(root, "long.md", ("x\n\n" * 90 + "# A\n\n## Deep *place*\n\ntext\n\n" + "y\n\n" * 90).encode())
    async with page_area(root) as page:
        await page.go("long.md", heading="A#Deep place")
        reader = page.screen.reader
        assert reader.document.lines[reader.top_line - 1] == "## Deep *place*"
        await page.go("long.md", line=5)
        assert reader.top_line <= 5
        await page.go("procedures/retry-policy.md", block="again")
        assert page.screen.path == "procedures/retry-policy.md"


async def test_a_search_marks_what_it_found(root: Path) -> None:
    async with page_area(root) as page:
        await page.go("entities/rate-limits.md", query="dashboard")
        assert [match.line for match in page.screen.reader.matches] == [30]
        assert page.screen.allowed("page.next-match")


async def test_finding_on_the_page(root: Path) -> None:
    async with page_area(root) as page:
        await page.press("/", "type:batch")
        assert len(page.screen.reader.matches) == 3
        await page.press("escape", "n")
        assert page.screen.reader.current_match == 1
        assert page.screen.reader.has_focus


async def test_an_unwritten_page_is_offered_to_be_written(root: Path) -> None:
    async with page_area(root) as page:
        reader = page.screen.reader
        span = next(
            span
            for _, span in reader.document.links(0, reader.document.height)
            if span.link.target == "Winter menu"
        )
        reader.follow(span.link)
        await page.settle()
        assert isinstance(page.app.screen, NewPageCard)
        await page.press("down", "enter")
        assert page.screen.path == "preferences/winter-menu.md"
        assert page.screen.mode == "edit"
        assert b"title: Winter menu" in page.bytes("preferences/winter-menu.md")


async def test_a_name_of_several_pages_asks_which(root: Path) -> None:
    put(root, "a/same.md", b"one")
    put(root, "b/same.md", b"two")
    put(root, "from.md", b"[[same]]")
    async with page_area(root, "from.md") as page:
        await page.press("l", "enter")
        assert isinstance(page.app.screen, MeaningCard)
        await page.press("down", "enter")
        assert page.screen.path in ("a/same.md", "b/same.md")


async def test_the_lists_beside_the_page_are_walked_by_keys(root: Path) -> None:
    async with page_area(root, size=(80, 24)) as page:
        assert not page.screen.outline_list.region
        await page.press("g", "o")
        assert page.screen.outline_list.has_focus
        await page.press("down", "enter")
        assert page.screen.reader.has_focus
        reader = page.screen.reader
        shown = range(reader.top_line, reader.top_line + reader.size.height)
        assert 22 in shown  # “How it is set”
        await page.press("g", "b", "enter")
        assert page.screen.path == "entities/http-client.md"


async def test_an_unlinked_mention_becomes_a_link(root: Path) -> None:
    async with page_area(root) as page:
        await page.later()
        await page.press("g", "b", "end")
        assert page.screen.entry is not None
        assert page.screen.entry.path == "summaries/budget.md"
        await page.press("L")
        await page.later()
        assert page.bytes("summaries/budget.md").endswith(b"against the [[rate limits]] of a key.\n")
        assert [entry.kind for entry in page.screen.entries] == ["link"] * 4
        await page.press("u")
        assert page.bytes("summaries/budget.md").endswith(b"against the rate limits of a key.\n")


async def test_what_others_write_is_shown_in_place(root: Path) -> None:
    long = "---\ntitle: Long\n---\n" + "\n\n".join(f"paragraph {n}" for n in range(200)) + "\n"
    put(root, "long.md", long.encode())
    async with page_area(root, "long.md") as page:
        await page.press("pagedown", "pagedown")
        reader = page.screen.reader
        top = reader.document.lines[reader.top_line - reader.document.first_line]
        await page.outside("long.md", long.replace("paragraph 3\n", "paragraph 3\n\nnew\n\nnewer\n").encode())
        assert reader.document.lines[reader.top_line - reader.document.first_line] == top
        assert "newer" in reader.document.lines
        before = reader.scroll_y
        await page.outside("summaries/budget.md", b"nothing about this page")
        assert reader.scroll_y == before
        assert page.said == []


async def test_links_and_backlinks_follow_other_pages(root: Path) -> None:
    async with page_area(root) as page:
        await page.outside("winter-menu.md", b"# Winter menu\n\nSoup with [[Rate limits]].\n")
        reader = page.screen.reader
        states = {
            span.link.target: span.link.state for _, span in reader.document.links(0, reader.document.height)
        }
        assert states["Winter menu"] == "resolved"
        assert "Winter menu" in [entry.title for entry in page.screen.entries]
        await page.outside(
            "procedures/retry-policy.md", b"---\ntitle: Retry policy\n---\n## Steps\n\nchanged\n"
        )
        texts = ["".join(part for part, _ in row.runs) for y in range(60) if (row := reader.document.row(y))]
        assert any("changed" in text for text in texts)


async def test_a_page_renamed_outside_stays_open(root: Path) -> None:
    async with page_area(root) as page:
        (page.docs / "entities/rate-limits.md").rename(page.docs / "entities/limits.md")
        page.app.post_message(PagesChanged(renamed={"entities/limits.md": "entities/rate-limits.md"}))
        await page.later()
        assert page.screen.path == "entities/limits.md"
        assert page.said == []


async def test_a_page_deleted_outside_keeps_its_last_text(root: Path) -> None:
    async with page_area(root) as page:
        await page.outside("entities/rate-limits.md", None)
        assert page.screen.gone
        assert page.screen.note.display
        assert "Each API key" in page.screen.reader.document.text
        assert not page.screen.allowed("page.rename")


async def test_an_empty_memory_says_what_to_do(tmp_path: Path) -> None:
    Memex(tmp_path / "empty", create=True).close()
    async with page_area(tmp_path / "empty", "") as page:
        await page.until(lambda: "No page is open" in page.screen.reader.document.text)
        assert page.screen.place() is None
        assert not page.screen.allowed("page.edit")
        await page.go("no such page")
        assert "no such page" in page.screen.reader.document.text


async def test_the_newest_page_opens_when_none_was_read(root: Path) -> None:
    file = put(root, "new.md", b"# New\n")
    os.utime(file)
    async with page_area(root, "") as page:
        await page.until(lambda: page.screen.path == "new.md")


async def test_a_page_read_last_that_is_gone_is_passed_over(root: Path) -> None:
    async with page_area(root, "", recent=["gone.md", "entities/api-keys.md"]) as page:
        await page.until(lambda: page.screen.path == "entities/api-keys.md")
        assert page.said == []


async def test_brackets_are_text_everywhere(root: Path) -> None:
    for number, text in enumerate(BRACKETS):
        body = f"---\ntitle: '{text.replace(chr(39), '')}'\ntags: ['{text[:3]}']\n---\n# {text}\n\n{text} [[x|{text}]]\n"
        put(root, f"odd/p{number}.md", body.encode())
    async with page_area(root, "") as page:
        for number in range(len(BRACKETS)):
            await page.go(f"odd/p{number}.md")
            assert page.screen.path == f"odd/p{number}.md"
        await page.press("e", "escape", "p", "escape", "r", "escape", "g", "h", "escape")
        assert page.said == []


async def test_fifty_equal_headings_lead_to_fifty_places(root: Path) -> None:
    put(root, "same.md", "".join(f"# Same\n\ntext {n}\n\n" for n in range(50)).encode())
    async with page_area(root, "same.md") as page:
        await page.press("g", "o", "g", "g")
        for _ in range(30):
            page.screen.outline_list.move(1)
        await page.press("enter")
        assert page.screen.reader.top_line == 121


async def test_place_and_state_bring_one_back(root: Path) -> None:
    put(root, "long.md", ("word\n\n" * 200).encode())
    async with page_area(root, "long.md", keep_state=True) as page:
        await page.press("pagedown", "pagedown")
        y = page.screen.reader.scroll_y
        place = page.screen.place()
        assert place is not None
        assert place.extra == {"y": round(y)}
        page.app.save_state()
    async with page_area(root, "", keep_state=True) as page:
        await page.later()
        assert page.screen.path == "long.md"
        assert page.screen.reader.scroll_y == y


async def test_a_page_that_takes_its_time_says_so(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    go_on, open_page = threading.Event(), loading.open_page

    def slowly(memex: Memex, name: str) -> Any:
        assert go_on.wait(60)
        return open_page(memex, name)

    async with page_area(root) as page:
        monkeypatch.setattr(loading, "open_page", slowly)
        await page.app.go(Place("page", "summaries/incident.md"))
        await page.until_drawn(lambda: "opening …" in text_frame(page.app))
        go_on.set()
        await page.until(lambda: page.screen.path == "summaries/incident.md")
        assert "opening …" not in text_frame(page.app)


async def test_a_change_of_the_page_that_is_left_does_not_hold_one_back(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    go_on, open_page = threading.Event(), loading.open_page

    def slowly(memex: Memex, name: str) -> Any:
        assert go_on.wait(60)
        return open_page(memex, name)

    async with page_area(root) as page:
        monkeypatch.setattr(loading, "open_page", slowly)
        await page.app.go(Place("page", "summaries/incident.md"))
        page.app.post_message(PagesChanged(changed=("entities/rate-limits.md",)))
        await page.until_drawn(lambda: page.screen._timer is not None and not pending(page.screen))
        go_on.set()
        await page.until(lambda: page.screen.path == "summaries/incident.md")
        assert str(page.screen.reader.border_title) == "Incident"


async def test_a_code_block_is_copied(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    copied: list[tuple[str, str]] = []

    async def copy(self: Doings, text: str, what: str) -> None:
        copied.append((text, what))

    monkeypatch.setattr(Doings, "copy", copy)
    put(root, "code.md", b"---\ntitle: Code\n---\n```sh\nmake\n```\n\n```\nplain [b]\n```\n")
    put(root, "text.md", b"no code")
    async with page_area(root, "code.md") as page:
        await page.press("y", "c")
        assert page.screen.reader.hinting and copied == []
        await page.press("s")
        assert copied == [("plain [b]", "code")]
        await page.go("text.md")
        await page.press("y", "c")
        assert len(copied) == 1
        assert any("No code block begins in sight" in said for said in page.said)


async def test_the_key_that_saves_is_shown_while_text_is_unsaved(root: Path) -> None:
    for size in (WIDE, NARROW):
        async with page_area(root, size=size) as page:
            assert "^s save" not in frame(page.app)[-1]
            await page.press("e", "x", "escape")
            assert "^s save" in frame(page.app)[-1] and page.screen.mode == "read"
            await page.press("ctrl+s")
            await page.later()
            assert "^s save" not in frame(page.app)[-1]
