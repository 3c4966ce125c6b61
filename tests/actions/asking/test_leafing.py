"""Leafing through the hits of a question: every hit once, whatever the length of a page."""

from __future__ import annotations

from pathlib import Path

import pytest

from memex_core import Memex


@pytest.fixture(scope="module")
def notes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """More pages than are judged for a short answer, in groups that rank differently."""
    folder = tmp_path_factory.mktemp("notes")
    for number in range(130):
        text = f"needle{' needle' * (number % 3)} thread{number % 7} {'hay ' * (number % 5)}\n"
        (folder / f"{number:03}.md").write_text(text)
    return folder


@pytest.mark.parametrize("k", [7, 10, 45])
@pytest.mark.parametrize("query", ["needle", "needle thread3"])
def test_every_hit_comes_once(notes: Path, query: str, k: int) -> None:
    with Memex(notes) as memex:
        first = memex.recall(query, k=k)["hits"]
        seen = [hit["slug"] for hit in first]
        ranks = [hit["rank"] for hit in first]
        while hits := memex.recall(query, k=k, start=len(seen))["hits"]:
            assert len(hits) <= k
            seen += [hit["slug"] for hit in hits]
            ranks += [hit["rank"] for hit in hits]
    assert sorted(seen) == [f"{number:03}" for number in range(130)]
    assert ranks == list(range(1, 131))


def test_leafing_counts_nobody_as_used(notes: Path) -> None:
    with Memex(notes) as memex:
        (hit,) = memex.recall("needle", k=1, start=64)["hits"]
        assert memex.show(hit["slug"])["access_count"] == 0
