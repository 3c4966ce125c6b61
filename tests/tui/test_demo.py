"""``memex demo`` where a person sits: the app with the tour, then where the store is and how it goes away."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.tui.terminal import Terminal

MEMEX = [sys.executable, "-m", "memex_core.cli"]


@contextmanager
def demo(*words: str, **env: str) -> Iterator[Terminal]:
    terminal = Terminal([*MEMEX, "demo", *words], (80, 24), env)
    try:
        yield terminal
    finally:
        terminal.child.close(force=True)


def test_it_opens_the_app_with_the_tour_and_remembers_its_end(tmp_path: Path) -> None:
    place = tmp_path / "a demo"
    with demo(str(place)) as terminal:
        terminal.wait("tour 1 of 5")
        terminal.wait("Ben calls: the list")
        terminal.send("\x1bOR")  # f3
        terminal.wait(lambda: not terminal.shows("tour 1 of 5"))
        terminal.send("\x11")
        assert terminal.end() == 0
        assert terminal.restored
        tail = re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", terminal.written.rpartition("\x1b[?1049l")[2])
        assert f"The demo store is in {place}" in tail
        assert f"rm -r '{place}'" in tail
    with demo(str(place)) as terminal:
        terminal.wait("Ben calls: the list")
        terminal.quiet()
        assert not terminal.shows("tour ")
        terminal.send("\x11")
        assert terminal.end() == 0


def test_without_a_name_it_makes_a_temporary_folder(tmp_path: Path) -> None:
    with demo(TMPDIR=str(tmp_path)) as terminal:
        terminal.wait("tour 1 of 5")
        terminal.send("\x11")
        assert terminal.end() == 0
    (made,) = [name for name in os.listdir(tmp_path) if name.startswith("memex-demo-")]
    assert (tmp_path / made / "docs" / "summaries" / "start-here.md").is_file()


@pytest.mark.parametrize("words", [(), ("--json",)], ids=["dumb", "json"])
def test_a_terminal_that_cannot_draw_gets_text(tmp_path: Path, words: tuple[str, ...]) -> None:
    term = "dumb" if not words else "xterm-256color"
    with demo(str(tmp_path / "d"), *words, TERM=term) as terminal:
        assert terminal.end() == 0
        assert "ruff-not-flake8" in terminal.written
        assert "\x1b[?1049h" not in terminal.written
    assert (tmp_path / "d" / "docs").is_dir()


def test_a_folder_of_something_else_stays_as_it_is(tmp_path: Path) -> None:
    mine = tmp_path / "mine"
    mine.mkdir()
    (mine / "note.md").write_text("mine\n")
    with demo(str(mine)) as terminal:
        assert terminal.end() == 1
        assert "holds something else" in terminal.written
    assert os.listdir(mine) == ["note.md"]
    assert (mine / "note.md").read_text() == "mine\n"
