"""Whatever happens on which device, and in whatever order they meet: all end with the same pages."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from hypothesis import HealthCheck, Phase, example, given, settings
from hypothesis import strategies as st

from tests.care.sync.devices import World

ACTS = """
    write write edit edit edit edit hand hand tags archive rename forget unlink purge revert decide decide
    sync sync tell tell hear hear
""".split()
MEMORY = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None  # a disk in memory, where there is one
# A history that fails is printed as it is: making it shorter would take minutes.
PHASES = (Phase.explicit, Phase.generate)
STEPS = st.lists(
    st.tuples(st.sampled_from(ACTS), st.integers(0, 2), st.integers(0, 11)), min_size=4, max_size=16
)


TAKEN = [
    ("unlink", 2, 0),
    ("rename", 2, 1),
    ("edit", 2, 10),
    ("edit", 0, 5),
    ("forget", 0, 1),
    ("purge", 0, 0),
]
"""A page takes the name of one that is purged then, and goes in the same import: its text is not erased."""


def run(count: int, steps: list[tuple[str, int, int]], seed: int) -> None:
    with tempfile.TemporaryDirectory(dir=MEMORY) as folder:
        world = World(Path(folder), count, seed)
        try:
            for pick in (0, 2):
                world.act("write", 0, pick)
            for device in range(count):
                world.act("sync", device, 0)
            for step in steps:
                world.act(*step)
            world.settle()
            world.check()
        finally:
            world.close()


@settings(max_examples=200, phases=PHASES, suppress_health_check=list(HealthCheck))
@given(steps=STEPS, seed=st.integers(0, 1000))
def test_two_devices_end_with_the_same_pages(steps: list[tuple[str, int, int]], seed: int) -> None:
    run(2, steps, seed)


@settings(max_examples=30, phases=PHASES, suppress_health_check=list(HealthCheck))
@given(steps=STEPS, seed=st.integers(0, 1000))
@example(steps=TAKEN, seed=560)
def test_three_devices_end_with_the_same_pages(steps: list[tuple[str, int, int]], seed: int) -> None:
    run(3, steps, seed)
