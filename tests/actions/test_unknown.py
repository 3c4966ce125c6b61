"""Filters with a word that no page has: the answer is empty as it should be, and says why."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.fixture
def known(memex: Any) -> Any:
    memex.write(type="preference", title="Tea", body="Green tea.", tags=["drinks", "area/home"])
    memex.write(type="Überblick", title="All", body="All of it.")
    return memex


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"type": "prefrence"}, "no page has the type 'prefrence'; did you mean preference?"),
        ({"tag": "#Drink"}, "no page has the tag 'drink'; did you mean drinks?"),
        ({"tag": "zzz"}, "no page has the tag 'zzz'; known: area/home, drinks"),
        ({"status": "drft"}, "'drft' is no status; did you mean draft?"),
        ({"scope": "golbal"}, "'golbal' is no scope; did you mean global?"),
    ],
)
def test_a_misspelt_filter_is_named(known: Any, asked: dict[str, str], said: str) -> None:
    found = known.list(**asked)
    assert (found["pages"], found["total"], found["warnings"]) == ([], 0, [said])
    assert known.recall("tea", **asked)["warnings"] == [said]


def test_a_misspelt_project_is_named(known: Any) -> None:
    known.write(type="entity", title="Oven", body="Hot.", scope="project", project="bakery")
    found = known.list(project="bakry")
    assert found["warnings"] == ["no page has the project 'bakry'; did you mean bakery?"]


def test_no_hint_where_the_filters_are_known(known: Any) -> None:
    for asked in ({"type": "episode"}, {"type": "PREFERENCE", "status": "deprecated"}, {"scope": "branch"}):
        found = known.list(**asked)
        assert (found["total"], found["warnings"]) == (0, [])
    assert known.recall("tea", tag="area", type="preference")["warnings"] == []
    assert known.list(type="Überblick")["total"] == 1
    assert known.recall("all", type="Überblick")["hits"][0]["slug"] == "all"


def test_older_words_and_any_case_are_read_in_a_list_as_in_recall(known: Any) -> None:
    known.write(type="entity", title="New", body="x", status="draft")
    assert [page["slug"] for page in known.list(status="pending")["pages"]] == ["new"]
    assert known.list(scope="GLOBAL")["total"] == 3
