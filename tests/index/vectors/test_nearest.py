"""Two tiers find the same; the background says what near means."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from memex_core.files.layout import create_store
from memex_core.index.vectors.nearest import background, coarse, nearest
from memex_core.index.vectors.numbers import cosine, unit
from memex_core.index.vectors.store import Space, Vectors

WIDTH = 64


@pytest.fixture
def filled(tmp_path: Path) -> Iterator[tuple[Vectors, Space, list[list[float]]]]:
    """1,500 vectors in thirty bunches, as texts on thirty things are."""
    vectors, _ = Vectors.make(create_store(str(tmp_path / "store")))
    draw = random.Random(3)
    middles = [[draw.gauss(0, 1) for _ in range(WIDTH)] for _ in range(30)]
    made = [[value + draw.gauss(0, 0.4) for value in middles[number % 30]] for number in range(1500)]
    space = vectors.make_space("m", WIDTH)
    vectors.put(space, [(number.to_bytes(16, "big"), unit(one)) for number, one in enumerate(made)])
    yield vectors, space, middles
    vectors.close()


def test_the_exact_tier_is_exact(filled: tuple[Vectors, Space, list[list[float]]]) -> None:
    vectors, space, middles = filled
    asked = unit(middles[4])
    found = nearest(vectors, space, asked, 10, exact_up_to=10_000)
    every = sorted(((cosine(asked, vector), number) for number, vector in vectors.all(space)), reverse=True)
    assert [one.id for one in found] == [number for _, number in every[:10]]
    assert [one.cosine for one in found] == [near for near, _ in every[:10]]


def test_the_coarse_tier_finds_what_the_exact_one_finds(
    filled: tuple[Vectors, Space, list[list[float]]],
) -> None:
    vectors, space, middles = filled
    same = 0
    for middle in middles[:10]:
        asked = unit(middle)
        exact = {one.id for one in nearest(vectors, space, asked, 10, exact_up_to=10_000)}
        quick = nearest(vectors, space, asked, 10)  # 1,500 is above what is compared in full
        assert [one.cosine for one in quick] == sorted((one.cosine for one in quick), reverse=True)
        same += len(exact & {one.id for one in quick})
    assert same >= 98


def test_the_coarse_tier_looks_at_sign_bits_alone(
    filled: tuple[Vectors, Space, list[list[float]]],
) -> None:
    vectors, space, middles = filled
    vectors.db.execute("UPDATE vector SET data = zeroblob(length(data))")  # no vector is whole any more
    found = coarse(vectors, space, unit(middles[2]), 50)
    assert len(found) == 50
    assert all((number - 1) % 30 == 2 for number in found)
    assert nearest(vectors, space, unit(middles[2]), 10) == []


def test_places_that_no_vector_has_are_not_passed_on(tmp_path: Path) -> None:
    """With a model whose numbers are mostly positive, an empty place would look near."""
    vectors, _ = Vectors.make(create_store(str(tmp_path / "few")))
    space = vectors.make_space("m", 16)
    vectors.put(space, [(bytes([n] * 16), unit([n, *[-1] * 15])) for n in range(1, 6)])
    assert sorted(coarse(vectors, space, unit([1] * 16), 200)) == [1, 2, 3, 4, 5]
    vectors.close()


def test_torn_vectors_are_left_out(filled: tuple[Vectors, Space, list[list[float]]]) -> None:
    vectors, space, middles = filled
    best = nearest(vectors, space, unit(middles[0]), 1)[0].id
    vectors.db.execute("UPDATE vector SET sum = sum + 1 WHERE id = ?", (best,))
    assert best not in {one.id for one in nearest(vectors, space, unit(middles[0]), 100)}


def test_the_background_is_the_cosine_with_any_text(tmp_path: Path) -> None:
    """Models that find all texts alike (no cosine under 0.9) have a high one."""
    vectors, _ = Vectors.make(create_store(str(tmp_path / "narrow")))
    draw = random.Random(5)
    space = vectors.make_space("m", WIDTH)
    made = [unit([1.0] + [draw.gauss(0, 0.03) for _ in range(WIDTH - 1)]) for _ in range(200)]
    vectors.put(space, [(number.to_bytes(16, "big"), one) for number, one in enumerate(made)])
    level, spread = background(vectors, space, made[0])
    assert 0.9 < level < 0.99
    assert 0 < spread < 0.02
    empty = vectors.make_space("n", WIDTH)
    assert background(vectors, empty, made[0]) == (0.0, 0.0)
    vectors.close()
