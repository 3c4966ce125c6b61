"""Labels of a drawn graph keep off each other, however many there are."""

from __future__ import annotations

import random

from memex_core.model.graph_svg import _LINE, _Labels

Box = tuple[float, float, float]


def overlaps(one: Box, other: Box) -> bool:
    return abs(one[2] - other[2]) < _LINE - 1 and one[0] < other[1] and other[0] < one[1]


def test_a_label_takes_the_nearest_free_place_of_all() -> None:
    """Said once more the slow way: every place is compared with every label."""
    chance = random.Random(7)
    labels, boxes, moved = _Labels(), [], 0
    for _ in range(600):
        left, y = chance.uniform(-700, 700), chance.uniform(-150, 150)
        right = left + chance.choice([0, 7.2, 100, 230.4, 900])
        places = [(left, right, y + step * _LINE) for step in (0, 1, -1, 2, -2, 3, -3)]
        free = [place for place in places if not any(overlaps(place, box) for box in boxes)]
        wanted = free[0] if free else places[0]
        assert labels.free(left, right, y) == wanted[2]
        boxes.append(wanted)
        moved += wanted != places[0]
    assert moved > 50
