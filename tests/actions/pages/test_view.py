"""Looking at pages: the links of one, near and far."""

from __future__ import annotations

from typing import Any


def rels(told: dict[str, Any]) -> list[tuple[str, str, int, list[str]]]:
    return [(one["slug"], one["rel"], one["hops"], one["route"]) for one in told["links"]]


def test_a_page_that_is_related_in_several_ways_is_named_for_each(memex: Any) -> None:
    memex.write(type="entity", title="Oven", body="Hot.")
    memex.write(type="entity", title="Rye", body="Dark.", links=["oven:supports"])
    wheat = ["oven:supports", "oven:contradicts", "rye:influences", "oven:supports"]
    memex.write(type="entity", title="Wheat", body="Light, in the [[oven]].", links=wheat)
    direct = [
        ("oven", "contradicts", 1, ["wheat", "oven"]),
        ("oven", "mentions", 1, ["wheat", "oven"]),
        ("oven", "supports", 1, ["wheat", "oven"]),
        ("rye", "influences", 1, ["wheat", "rye"]),
    ]
    assert sorted(rels(memex.links("wheat"))) == direct
    assert sorted(rels(memex.links("wheat", hops=2))) == direct  # the oven is reached, and not again from rye
    arrived = [one for one in rels(memex.links("oven", back=True)) if one[0] == "wheat"]
    assert sorted(rel for _, rel, *_ in arrived) == ["contradicts", "mentions", "supports"]
    edges = memex.graph(around="wheat")["edges"]
    assert sorted(edge["rel"] for edge in edges if edge["src"] == "entities/wheat.md") == sorted(
        rel for _, rel, *_ in direct
    )


def test_a_page_two_hops_away_tells_of_both_its_ways(memex: Any) -> None:
    memex.write(type="entity", title="Flour", body="Of grain.")
    memex.write(type="entity", title="Rye", body="Dark.", links=["flour:supports"])
    memex.write(type="entity", title="Wheat", body="Light.", links=["flour:contradicts"])
    memex.write(type="entity", title="Bread", body="Of [[rye]] and [[wheat]].")
    far = [one for one in rels(memex.links("bread", hops=2)) if one[2] == 2]
    assert sorted(far) == [
        ("flour", "contradicts", 2, ["bread", "wheat", "flour"]),
        ("flour", "supports", 2, ["bread", "rye", "flour"]),
    ]
