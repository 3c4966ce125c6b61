"""The first question about a large folder: indexing it is told while it is done, to people only."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest


@pytest.fixture
def many(root: Path) -> Path:
    root.mkdir(parents=True)
    for number in range(2_000):
        (root / f"p{number}.md").write_text(f"# P{number}\nzebra\n")
    return root


def test_a_person_sees_it(many: Path, terminal: Callable[..., tuple[int, str]]) -> None:
    code, shown = terminal("recall", "zebra", "-k", "1")
    assert code == 0
    assert shown.index("indexing pages") < shown.index("1 hit")
    assert "\x1b[?25h" in shown, "the cursor stays hidden"


def test_a_program_does_not(many: Path, memex: Callable[..., Any]) -> None:
    done = memex("recall", "zebra", "-k", "1")
    assert (done.code, done.err) == (0, "")
    assert done.json["total_indexed"] == 2_000
