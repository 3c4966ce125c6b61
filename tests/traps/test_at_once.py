"""Processes that write at once: no change is lost, and no page is made twice."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import Any

from tests.conftest import MEMEX


def together(root: Path, *commands: tuple[str, ...]) -> list[int]:
    """Start all commands, then wait for all; their exit codes."""
    running = [
        subprocess.Popen(
            [MEMEX, "--root", str(root), *words],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=dict(os.environ),
        )
        for words in commands
    ]
    return [process.wait(120) for process in running]


def test_every_append_to_one_page_is_there(memex: Any, root: Path) -> None:
    page = Path(memex.write(type="entity", title="Log", body="start")["file_path"])
    codes = together(root, *(("edit", "log", "--append", f"line {number};") for number in range(10)))
    assert codes == [0] * 10
    text = page.read_text()
    assert [text.count(f"line {number};") for number in range(10)] == [1] * 10


def test_one_title_makes_one_page_and_the_others_are_told(memex: Any, root: Path) -> None:
    words = ("write", "--type", "entity", "--title", "Same")
    codes = together(root, *[words] * 6)
    assert sorted(codes) == [0, 1, 1, 1, 1, 1]
    assert [path.name for path in (root / "docs" / "entities").iterdir()] == ["same.md"]
    assert together(root, *[(*words, "--new")] * 3) == [0, 0, 0]
    assert len(list((root / "docs" / "entities").iterdir())) == 4


def test_a_store_that_stays_open_sees_the_page_another_wrote(memex: Any, root: Path) -> None:
    from memex_core import Memex

    assert memex.list()["total"] == 0
    seen = memex.store.journal.last_seq()
    with Memex(root) as other:
        other.write(type="entity", title="Fast", body="x")
    assert memex.store.catch_up(seen) is True
    assert memex.store.catch_up(memex.store.journal.last_seq()) is False
    assert [page["slug"] for page in memex.list()["pages"]] == ["fast"]
