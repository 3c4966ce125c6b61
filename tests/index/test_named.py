"""Pages by the beginning or a part of a name."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from memex_core.index.named import named, resembling
from memex_core.memex import Memex


@pytest.fixture
def memex(root: Path) -> Iterator[Memex]:
    with Memex(root, create=True) as opened:
        opened.write("entity", "Rate limits", "x", aliases=["throttling", "Bucket rules"])
        opened.write("entity", "Rate", "x")
        opened.write("entity", "Accurate rates", "x")
        opened.write("procedure", "Retry policy", "x")
        opened.write("entity", "数据模型", "x")
        yield opened


def titles(memex: Memex, typed: str, limit: int = 50) -> list[str]:
    return [one.title for one in named(memex.store.index.db, typed, limit)]


def test_beginnings_come_first_and_short_names_before_long_ones(memex: Memex) -> None:
    assert titles(memex, "rate") == ["Rate", "Rate limits", "Accurate rates"]
    assert titles(memex, "RATE L") == ["Rate limits"]


def test_parts_of_a_name_fit_in_any_order(memex: Memex) -> None:
    assert titles(memex, "policy re") == ["Retry policy"]
    assert titles(memex, "curat") == ["Accurate rates"]
    assert titles(memex, "policy zebra") == []


def test_an_alias_is_named(memex: Memex) -> None:
    (found,) = named(memex.store.index.db, "throt")
    assert (found.title, found.alias, found.path) == ("Rate limits", "throttling", "entities/rate-limits.md")
    assert named(memex.store.index.db, "rate l")[0].alias == ""


def test_nothing_typed_gives_the_newest_and_only_signs_nothing(memex: Memex) -> None:
    assert len(titles(memex, "")) == 5
    assert len(titles(memex, "  ", 2)) == 2
    assert titles(memex, "***") == []
    assert titles(memex, "%") == titles(memex, "_") == []


def test_each_page_once_and_no_more_than_asked(memex: Memex) -> None:
    assert titles(memex, "r", 2) == ["Rate", "Rate limits"]
    found = titles(memex, "rate")
    assert len(found) == len(set(found))
    assert titles(memex, "数据") == ["数据模型"]


def test_names_with_a_slip_in_them_are_found(memex: Memex) -> None:
    def like(name: str) -> list[str]:
        return [one.title for one in resembling(memex.store.index.db, name)]

    assert like("Rate limts")[0] == "Rate limits"
    assert like("Rteyr polcy")[0] == "Retry policy"
    assert like("数模型")[0] == "数据模型"
    assert like("Bucketrule")[0] == "Rate limits"
    assert like("🍞") == like("") == []
