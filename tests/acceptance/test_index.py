"""Acceptance tests 7 to 12 and 19: the index answers, counts, filters, and can always be made again."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest


def test_index_build_and_query(memex: Any) -> None:
    memex.write(type="entity", title="Kettle", body="Boils water. Water for tea, water for coffee.")
    memex.write(type="entity", title="Teapot", body="Holds tea made with hot water.")
    memex.write(type="entity", title="Spoon", body="Stirs.")
    found = memex.recall("water")
    assert [hit["slug"] for hit in found["hits"]] == ["kettle", "teapot"]
    assert [hit["rank"] for hit in found["hits"]] == [1, 2]
    assert found["hits"][0]["score"] > found["hits"][1]["score"] > 0
    assert "<mark>water</mark>" in found["hits"][1]["snippet"]
    assert found["total_indexed"] == 3


def test_index_rebuild_from_wiki(memex: Any, root: Path, later: Any) -> None:
    for number in range(5):
        memex.write(type="entity", title=f"Page {number}", body=f"needle{number} in hay")
    memex.close()
    for file in root.glob("mem.db*"):
        file.unlink()
    later("2027-01-02T03:04:05Z")
    report = memex.rebuild_index(force=True)
    assert report["nodes_indexed"] == 5
    assert report["errors"] == []
    for number in range(5):
        assert [hit["slug"] for hit in memex.recall(f"needle{number}")["hits"]] == [f"page-{number}"]
    assert memex.info()["last_index_rebuild"] == "2027-01-02T03:04:05Z"


def test_bm25_scoring(memex: Any) -> None:
    filler = "plain words to make it about as long as the other page here"
    memex.write(type="entity", title="Once", body=f"quokka {filler}")
    memex.write(type="entity", title="Thrice", body=f"quokka quokka quokka {filler}")
    for number in range(3):
        memex.write(type="entity", title=f"None {number}", body=filler)
    hits = memex.recall("quokka")["hits"]
    assert [hit["slug"] for hit in hits] == ["thrice", "once"]
    assert hits[0]["score"] > hits[1]["score"]


def test_recall_increments_access(memex: Any, later: Any) -> None:
    memex.write(type="entity", title="Counted", body="abacus")
    later("2026-12-01T10:00:00Z")
    memex.recall("abacus")
    later("2026-12-02T11:00:00Z")
    memex.recall("abacus")
    memex.recall("abacus", no_count=True)
    page = memex.show("counted")
    assert page["access_count"] == 2
    assert page["last_access"] == "2026-12-02T11:00:00Z"
    assert "access_count" not in page["front_matter"]


def test_recall_filters(memex: Any, later: Any) -> None:
    later("2026-01-10T00:00:00Z")
    memex.write(type="entity", title="Old", body="walrus", tags=["sea", "cold"])
    later("2026-06-10T00:00:00Z")
    memex.write(type="preference", title="New", body="walrus", tags=["sea"])

    def slugs(query: str = "walrus", **filters: Any) -> list[str]:
        return sorted(hit["slug"] for hit in memex.recall(query, **filters)["hits"])

    assert slugs() == ["new", "old"]
    assert slugs(type="preference") == ["new"]
    assert slugs(tag=["sea", "cold"]) == ["old"]
    assert slugs(tag="sea") == ["new", "old"]
    assert slugs(after="2026-03-01") == ["new"]
    assert slugs(before="2026-03-01") == ["old"]
    assert slugs(after="2026-01-01", before="2026-02-01") == ["old"]
    assert slugs("walrus type:entity") == ["old"]
    assert slugs("walrus tag:cold after:2026-03-01") == []


def test_recall_snippet_source(memex: Any) -> None:
    memex.write(type="entity", title="Zanzibar journey", body="Nothing of that name below.")
    memex.write(type="entity", title="Other", body="A trip to Mombasa.")
    by_title = memex.recall("zanzibar")["hits"][0]
    assert by_title["snippet_source"] == "title"
    assert "<mark>Zanzibar</mark>" in by_title["snippet"]
    assert memex.recall("mombasa")["hits"][0]["snippet_source"] == "body"


def test_index_rebuild_command(memex: Any, cli: Any, root: Path) -> None:
    for number in range(4):
        memex.write(type="summary", title=f"Sum {number}", body="x")
    (root / "docs" / "loose.md").write_text("# Loose\n\nwritten by hand\n", encoding="utf-8")
    done = cli("rebuild-index", "--force", "--json")
    assert done.returncode == 0
    files = len(list((root / "docs").rglob("*.md")))
    assert done.json["nodes_indexed"] == files == 5
    assert cli("recall", "written by hand", "--json").json["hits"][0]["slug"] == "loose"


@pytest.mark.parametrize("top_k", [0, 5000])
def test_recall_refuses_a_senseless_limit(memex: Any, top_k: int) -> None:
    from memex_core.model.errors import BadInput

    with pytest.raises(BadInput, match="out of range"):
        memex.recall("x", k=top_k)
