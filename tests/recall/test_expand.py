"""One hop along the links: behind their hit, within the budget, never hidden ones, never twice."""

from __future__ import annotations

from typing import Any

import pytest

from tests.recall.conftest import Vault


@pytest.fixture
def web(vault: Vault) -> Vault:
    vault.write(
        "tides", "The tides turn. See [[harbour]], [[moon]] and [[moon|it]] again, [[tides]], [[gone]]."
    )
    vault.write("harbour", "Where boats lie.")
    vault.write("moon", "It shines.", description="Around the earth.")
    vault.write("almanac", "All about [[tides]].")
    vault.write("draft", "Also about [[tides]].", status="draft")
    vault.write("far", "About [[harbour]].")
    return vault


def test_links_then_backlinks_behind_their_hit(web: Vault) -> None:
    hits = web.hits("turn", expand=True)
    assert [hit["slug"] for hit in hits] == ["tides", "harbour", "moon", "almanac"]
    assert [hit["rank"] for hit in hits] == [1, 2, 3, 4]
    assert "route" not in hits[0]["why"]
    assert [hit["why"]["route"] for hit in hits[1:]] == [
        ["tides", "harbour"],
        ["tides", "moon"],
        ["tides", "almanac"],
    ]
    assert [hit["why"]["via"] for hit in hits[1:]] == ["link", "link", "backlink"]
    assert hits[0]["score"] > hits[1]["score"] > 0
    assert hits[2]["snippet"] == "Around the earth."
    assert [hit["slug"] for hit in web.hits("turn")] == ["tides"]


def test_each_page_comes_once_and_after_the_first_that_leads_to_it(web: Vault) -> None:
    slugs = [hit["slug"] for hit in web.hits("about", expand=True, k=3)]
    assert len(slugs) == len(set(slugs))
    assert slugs.index("tides") == slugs.index("almanac") + 1
    both = [hit["slug"] for hit in web.hits("turn OR shines", expand=True)]
    assert both.count("moon") == 1


def test_hidden_pages_are_no_neighbours_unless_asked_for(web: Vault) -> None:
    assert "draft" not in web.slugs("turn", expand=True)
    assert "draft" in web.slugs("turn", expand=True, include_inactive=True)


@pytest.mark.parametrize(
    ("query", "options", "found"),
    [
        ("turn", {}, ["tides", "shared", "ours", "other"]),
        ("turn", {"project": "a"}, ["tides", "shared", "ours"]),
        ("turn project:a", {}, ["tides", "shared", "ours"]),
        ("turn -project:b", {}, ["tides", "shared", "ours"]),
        ("turn", {"reach": ("a", "")}, ["tides", "shared", "ours"]),
    ],
)
def test_a_link_leads_into_no_project_that_was_not_asked_for(
    vault: Vault, query: str, options: dict[str, Any], found: list[str]
) -> None:
    def of(name: str) -> dict[str, str]:
        return {"scope": "project", "project": name}

    vault.write("tides", "The tides turn. See [[shared]], [[ours]], [[other]].", **of("a"))
    vault.write("shared", "For everybody.")
    vault.write("ours", "Of this project.", **of("a"))
    vault.write("other", "Of another.", **of("b"))
    assert vault.slugs(query, expand=True, **options) == found
    assert vault.slugs(query, **options) == ["tides"]


def test_without_a_budget_there_are_at_most_k_more(web: Vault) -> None:
    result = web.recall("turn", expand=True, k=1)
    assert [hit["slug"] for hit in result["hits"]] == ["tides", "harbour"]
    assert result["omitted"] == 2


def test_neighbours_take_what_is_left_of_the_budget(web: Vault) -> None:
    every = web.recall("turn", expand=True)["hits"]
    room = sum(hit["tokens"] for hit in every[:2])
    result = web.recall("turn", expand=True, budget=room)
    assert [hit["slug"] for hit in result["hits"]][:2] == ["tides", "harbour"]
    assert result["budget_used"] <= room
    assert result["omitted"] == 4 - len(result["hits"])
    alone = web.recall("turn", expand=True, budget=every[0]["tokens"])
    assert [hit["slug"] for hit in alone["hits"]] == ["tides"]
    assert alone["omitted"] == 3


def test_neighbours_are_no_use_of_the_page(web: Vault) -> None:
    web.recall("turn", expand=True, count=True)
    counts = {slug: row.access_count for slug in ("tides", "harbour") if (row := web.index.row(f"{slug}.md"))}
    assert counts == {"tides": 1, "harbour": 0}


def test_filters_limit_the_hits_not_their_neighbours(web: Vault) -> None:
    web.write("tagged", "One more, see [[harbour]].", tags="[mine]")
    assert web.slugs("tag:mine", expand=True) == ["tagged", "harbour"]
