"""The most important pages that a filter lets through."""

from __future__ import annotations

from typing import Any

from memex_core.recall.foremost import foremost
from memex_core.recall.options import Options


def test_the_most_important_first_and_the_newest_of_equals(memex: Any, later: Any) -> None:
    for day, title, importance in ((1, "Old", 0.5), (2, "New", 0.5), (3, "Low", 0.1), (1, "High", 0.9)):
        later(f"2026-03-0{day}T10:00:00Z")
        memex.write(type="preference", title=title, body="x", importance=importance)
    memex.write(type="preference", title="Draft", body="x", importance=1.0, status="draft")
    memex.write(type="entity", title="Other", body="x", importance=1.0)
    index = memex.store.index
    slugs = [hit["slug"] for hit in foremost(index, Options(3, types=("preference",)))]
    assert slugs == ["high", "new", "old"]
    assert foremost(index, Options(3, types=("nothing",))) == []
