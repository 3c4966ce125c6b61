"""Where the app cannot be shown, it names the stream that is to blame."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import IO

import pytest

from memex_tui.app import unfit


@pytest.fixture
def terminal() -> Iterator[IO[str]]:
    ours, theirs = os.openpty()
    with open(theirs, "w") as stream:
        yield stream
    os.close(ours)


def test_the_stream_that_is_no_terminal_is_named(terminal: IO[str], tmp_path: Path) -> None:
    xterm = {"TERM": "xterm-256color"}
    assert unfit(terminal, terminal, xterm) == ""
    with open(tmp_path / "log", "w") as file:
        assert "and its standard error, which it draws on, is none" in unfit(terminal, file, xterm)
        assert "and its standard input is none" in unfit(file, terminal, xterm)
    assert "and its standard input is closed" in unfit(file, terminal, xterm)
    assert "and its standard input is none" in unfit(None, terminal, xterm)
    assert "TERM=dumb" in unfit(terminal, terminal, {"TERM": "dumb"})
