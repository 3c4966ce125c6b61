"""A store of items of its own for each test."""

from __future__ import annotations

from pathlib import Path

import pytest

from memex_core.wikimem import MemoryStore


@pytest.fixture
def store(tmp_path: Path) -> MemoryStore:
    return MemoryStore(tmp_path / "memory")


@pytest.fixture
def seaside(store: MemoryStore) -> MemoryStore:
    """Items in two languages with links among them, one of which leads nowhere."""
    store.add("preferences", "likes-the-sea", "喜欢海边。[[daily_life:beach-trip-plan]]", owner="user:xnne")
    store.add("preferences", "手冲咖啡", "只喝手冲咖啡，从不加糖。[[missing:gone]]")
    store.add("daily_life", "beach-trip-plan", "夏天坐火车旅行，看日出。")
    store.add("work", "current-job", "Builds robots in a small workshop near the harbour.")
    return store
