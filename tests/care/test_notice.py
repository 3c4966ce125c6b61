"""What was changed outside is journalled each time it happens, and what memex wrote never is."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from memex_core import Memex
from memex_core.care.notice import notice
from memex_core.files.atomic import digest
from memex_core.index.earlier import LARGEST
from memex_core.index.freshness import Refresh


@pytest.fixture
def page(tmp_path: Path) -> Path:
    page = tmp_path / "v" / "a.md"
    page.parent.mkdir()
    page.write_text("one\n")
    Memex.init(page.parent)
    return page


@pytest.fixture
def memex(page: Path) -> Iterator[Memex]:
    with Memex(page.parent) as memex:
        yield memex


def by_hand(memex: Memex) -> list[str]:
    """What was done to the page outside, the oldest first."""
    memex.look_again()
    memex.store.index  # noqa: B018 - asking for it is looking
    events = memex.history("a.md")["events"]
    return [event["detail"]["what"] for event in events if event["action"] == "hand"][::-1]


def test_a_page_deleted_twice_can_be_brought_back_twice(memex: Memex, page: Path) -> None:
    for times in (1, 2):
        memex.edit("a.md", append=f"edit {times}")
        text = page.read_bytes()
        page.unlink()
        assert by_hand(memex) == ["removed"] * times
        memex.revert("a.md")
        assert page.read_bytes() == text


def test_going_back_to_what_memex_wrote_once_is_a_change(memex: Memex, page: Path) -> None:
    memex.edit("a.md", append="two")
    text = page.read_bytes()
    page.write_text("by hand\n")
    assert by_hand(memex) == ["changed"]
    page.write_bytes(text)
    assert by_hand(memex) == ["changed", "changed"]


def test_a_page_too_large_for_a_copy_that_goes_back_is_a_change(memex: Memex, page: Path) -> None:
    memex.edit("a.md", append="long " * LARGEST)
    text = page.read_bytes()
    memex.edit("a.md", append="two")
    page.write_bytes(text)
    assert by_hand(memex) == ["changed"]


def test_what_memex_wrote_is_not_news_however_late_it_is_seen(memex: Memex, page: Path) -> None:
    memex.edit("a.md", append="two")
    seen = digest(page.read_bytes())
    memex.edit("a.md", append="three")
    for late in (seen, digest(page.read_bytes())):
        assert notice(memex.store.layout, Refresh(changed=("a.md",), digests={"a.md": late})) == 0
    memex.forget("a.md")
    memex.revert("a.md")
    assert notice(memex.store.layout, Refresh(removed=("a.md",))) == 0
    assert by_hand(memex) == []
