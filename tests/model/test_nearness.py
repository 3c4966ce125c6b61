"""Which page a name that leads nowhere may have meant."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memex_core.model.nearness import NEAR, distance, nearness


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("Order service", "order-service"),
        ("OrderService", "Order service"),
        ("Odrer servce", "Order service"),
        ("service order", "Order service"),
        ("Order services", "Order service"),
        ("Service", "Order service"),
        ("ruff", "ruff-not-flake8"),
        ("Tets", "Test"),
        ("Appel", "Apple"),
        ("Häuser", "Hauser"),
        ("パン焼き", "パン焼"),
        ("面包", "面包 烘焙"),
        ("Rate limit", "Rate limits"),
        ("🍞", "🍞"),
    ],
)
def test_near(written: str, name: str) -> None:
    assert nearness(written, name) >= NEAR


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("Winter menu", "Spring menu"),
        ("Meeting 2024", "Meeting 2025"),
        ("v1.2", "v1.3"),
        ("Anna", "Hana"),
        ("cat", "car park"),
        ("API", "Apple pie"),
        ("Ben", "Bread"),
        ("Tom", "Tim and others"),
        ("Delivery bike", "Delivery terms of the mill"),
        ("", "Order service"),
        ("🍞", "🥖"),
        ("面包", "黑面包"),
        ("a", "ab"),
    ],
)
def test_far(written: str, name: str) -> None:
    assert nearness(written, name) < NEAR


def test_what_is_nearer_is_more() -> None:
    names = ["Order service", "Order services", "Old order service of the shop", "Order", "Spring menu"]
    scores = [nearness("Order service", name) for name in names]
    assert scores == sorted(scores, reverse=True)
    assert scores[0] == 1.0


def test_letters() -> None:
    assert [distance("teh", "the"), distance("", "abc"), distance("abc", "abd"), distance("ab", "ab")] == [
        1,
        3,
        1,
        0,
    ]


@given(st.text(max_size=12), st.text(max_size=12))
def test_always_between_nothing_and_one(one: str, other: str) -> None:
    assert 0 <= nearness(one, other) <= 1
    assert distance(one, other) == distance(other, one)
