"""A store of items opened in the app: its files are pages, its diary is the diary."""

from __future__ import annotations

from pathlib import Path

import pytest

from memex_core.wikimem import MemoryStore
from memex_tui.app import MemexApp
from tests.tui.frames import WIDE, running, settle, text_frame, until


@pytest.fixture
def assistant(root: Path) -> MemoryStore:
    store = MemoryStore(root)
    store.add("preferences", "likes-the-sea", "Goes to the beach. [[daily_life:beach-trip]]")
    store.add("daily_life", "beach-trip", "By train in summer.")
    store.diary.append("Bought the tickets.", date="2026-11-30", time="09:20")
    return store


async def test_search_lists_item_files_and_diary_entries(assistant: MemoryStore) -> None:
    app = MemexApp(str(assistant.root), area="search", keep_state=False, watch=False)
    async with running(app, WIDE) as pilot:
        await until(pilot, lambda: "preferences" in text_frame(app))
        await settle(pilot)
        text = text_frame(app)
    assert "daily_life" in text
    assert "Bought the tickets." in text


async def test_the_diary_shows_its_entries(assistant: MemoryStore) -> None:
    app = MemexApp(str(assistant.root), area="diary", keep_state=False, watch=False)
    async with running(app, WIDE) as pilot:
        await until(pilot, lambda: "Bought the tickets." in text_frame(app))
        await settle(pilot)
        assert "09:20" in text_frame(app)
