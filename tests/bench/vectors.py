"""Speed of the vectors' two tiers, beside numpy's product with a matrix that is in memory already."""

from __future__ import annotations

import importlib
import os
import random
import sys
import tempfile
import time
from array import array
from pathlib import Path
from typing import Any

from memex_core.files.layout import create_store
from memex_core.index.vectors.nearest import background, coarse, nearest
from memex_core.index.vectors.numbers import unit
from memex_core.index.vectors.store import Place, Space, Vectors
from tests.bench.clock import cpu_ms, process_ms, spread

WIDTH = 384
QUESTIONS = 20
POOL = 200
_BUNCHES = 200  # things that the texts are about


def run(size: int) -> None:
    """Fill a store with ``size`` vectors in bunches, as texts on a few hundred things are; print a table."""
    draw = random.Random(size)
    middles = [[draw.gauss(0, 1) for _ in range(WIDTH)] for _ in range(_BUNCHES)]
    noises = [[draw.gauss(0, 1) for _ in range(WIDTH)] for _ in range(500)]
    with tempfile.TemporaryDirectory() as folder:
        vectors, _ = Vectors.make(create_store(str(Path(folder, "store"))))
        space = vectors.make_space("bench", WIDTH)
        began = time.perf_counter()
        for at in range(0, size, 1000):
            numbers = range(at, min(size, at + 1000))
            vectors.put(space, [(_key(n), _near(middles[n % _BUNCHES], noises, draw)) for n in numbers])
            vectors.put_places(
                "page", f"{at}.md", [Place("page", f"{at}.md", n, 0, _key(n), _key(n)) for n in numbers]
            )
        filled = time.perf_counter() - began
        asked = [_near(draw.choice(middles), noises, draw) for _ in range(QUESTIONS)]
        _print(vectors, space, asked, size, filled)
        vectors.close()


def _near(middle: list[float], noises: list[list[float]], draw: random.Random) -> array[float]:
    one, two = draw.choice(noises), draw.choice(noises)
    return unit([m + 0.5 * a + 0.5 * b for m, a, b in zip(middle, one, two, strict=True)])


def _key(number: int) -> bytes:
    return (number * 0x9E3779B97F4A7C15 % (1 << 64)).to_bytes(16, "big")


def _print(vectors: Vectors, space: Space, asked: list[array[float]], size: int, filled: float) -> None:
    draw = random.Random(1)
    pool = [_key(draw.randrange(size)) for _ in range(POOL)]
    print(
        f"\n{size:,} vectors of {WIDTH} numbers, {os.path.getsize(vectors.path) / 1e6:.0f} MB, filled in {filled:.0f} s"
    )
    rows = [
        ("a pool of 200 by its prints", lambda one: dict(vectors.by_print(space, pool))),
        ("the background", lambda one: background(vectors, space, one)),
        ("coarse tier alone, 200 best", lambda one: coarse(vectors, space, one, 200)),
        ("coarse, then exact: 10 best", lambda one: nearest(vectors, space, one, 10, exact_up_to=0)),
    ]
    for name, act in rows:
        print(f"  {name:<34}{spread([cpu_ms(lambda o=one, a=act: a(o)) for one in asked])}")  # type: ignore[misc]
    exact = [nearest(vectors, space, one, 10, exact_up_to=size) for one in asked[:3]]
    costs = [cpu_ms(lambda o=one: nearest(vectors, space, o, 10, exact_up_to=size)) for one in asked[:3]]  # type: ignore[misc]
    print(f"  {'exact tier: 10 best':<34}{spread(costs)}")
    met = 0
    for one, best in zip(asked, exact, strict=False):
        near = nearest(vectors, space, one, 10, exact_up_to=0)
        met += len({each.id for each in near} & {each.id for each in best})
    print(f"  {'both tiers agree on':<34}{met} of {sum(map(len, exact))}")
    _numpy(vectors, space, asked)


def _numpy(vectors: Vectors, space: Space, asked: list[array[float]]) -> None:
    try:
        numpy: Any = importlib.import_module("numpy")
    except ModuleNotFoundError:
        print("  numpy is not installed: nothing to compare with")
        return
    began = time.process_time()
    matrix = numpy.array([vector for _, vector in vectors.all(space)], dtype="float32")
    loaded = (time.process_time() - began) * 1000

    def ten(one: array[float]) -> Any:
        near = matrix @ numpy.array(one, dtype="float32")
        return numpy.argpartition(-near, 10)[:10]

    print(f"  {'numpy dot, matrix in memory':<34}{spread([cpu_ms(lambda o=one: ten(o)) for one in asked])}")  # type: ignore[misc]
    started = process_ms([sys.executable, "-c", "import numpy"]) - process_ms([sys.executable, "-c", "pass"])
    print(f"  {'numpy: import, loading the matrix':<34}{started:.0f} ms, {loaded:.0f} ms")
