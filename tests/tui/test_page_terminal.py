"""The Page area in a real pseudo-terminal: another editor, a kill in the middle, bytes on disk."""

from __future__ import annotations

import json
import os
import signal
from pathlib import Path

import pytest

from tests.tui.page_store import LIMITS, make_store
from tests.tui.terminal import Terminal, app

OPEN = "from memex_tui.app import run; import sys; sys.exit(run({root!r}, 'page'))"


@pytest.fixture(autouse=True)
def docs(root: Path) -> Path:
    docs = make_store(root)
    (root / "tui.json").write_text(
        '{"area": "page", "recent": ["entities/rate-limits.md"]}', encoding="utf-8"
    )
    return docs


@pytest.fixture(autouse=True)
def size_of_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a test runner says of its own terminal is not that of ours."""
    for name in ("COLUMNS", "LINES"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def editor(tmp_path: Path) -> Path:
    """An editor that writes on the screen, adds a line to the file, and ends."""
    script = tmp_path / "my editor.sh"
    script.write_text(
        '#!/bin/sh\nfor f in "$@"; do :; done\nprintf "EDITING\\n"\nsleep 0.3\necho "from outside" >> "$f"\n'
    )
    script.chmod(0o755)
    return script


def opened(terminal: Terminal) -> None:
    terminal.wait("Each API key has a bucket")
    terminal.quiet()


def kept(root: Path) -> str:
    """The unsaved texts that are on disk."""
    texts = [json.loads(file.read_text())["text"] for file in (root / "swap").glob("*.json")]
    return "\n".join(texts)


def test_another_editor_and_back(root: Path, docs: Path, editor: Path) -> None:
    with app(root, script=OPEN.format(root=str(root)), EDITOR=f"'{editor}'") as terminal:
        opened(terminal)
        terminal.send("E")
        terminal.wait("EDITING")
        terminal.wait(
            lambda: not terminal.shows("EDITING") and terminal.shows("2 Page")
        )  # all is drawn again
        terminal.quiet()
        terminal.send("G")
        terminal.wait("from outside")
        assert (docs / "entities/rate-limits.md").read_bytes() == LIMITS.encode() + b"from outside\n"
        terminal.send("\x11")
        assert terminal.end() == 0
        assert terminal.restored


def test_a_missing_editor_is_a_message(root: Path) -> None:
    with app(root, script=OPEN.format(root=str(root)), EDITOR="no-such-editor") as terminal:
        opened(terminal)
        terminal.send("E")
        terminal.wait("no-such-editor")
        terminal.send("\x11")
        assert terminal.end() == 0


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL])
def test_unsaved_text_survives_a_kill(root: Path, docs: Path, how: signal.Signals) -> None:
    with app(root, script=OPEN.format(root=str(root))) as terminal:
        opened(terminal)
        terminal.send("e")
        terminal.wait("edit · Rate limits")
        terminal.send("precious ")
        terminal.wait("precious Each API key")
        terminal.wait(lambda: "precious Each" in kept(root))
        assert terminal.end(how) == (0 if how == signal.SIGTERM else -9)
        if how == signal.SIGTERM:
            assert terminal.shows("unsaved text of entities/rate-limits.md is kept")
    assert (docs / "entities/rate-limits.md").read_bytes() == LIMITS.encode()
    with app(root, script=OPEN.format(root=str(root))) as terminal:
        terminal.wait("Unsaved text kept")
        terminal.send("R")
        terminal.wait("precious Each API key")
        terminal.send("\x13")
        terminal.wait("✓ saved")
        assert (docs / "entities/rate-limits.md").read_bytes() == LIMITS.replace(
            "Each", "precious Each"
        ).encode()
        terminal.send("\x11")
        assert terminal.end() == 0
        assert os.listdir(root / "swap") == []


def test_alt_letters_are_commands_and_letters_are_text(root: Path) -> None:
    with app(root, script=OPEN.format(root=str(root))) as terminal:
        opened(terminal)
        terminal.send("e")
        terminal.wait("names API keys")
        terminal.send("\x1bl")
        terminal.wait("Each [[API key]] has a bucket")
        terminal.send("\x13")
        terminal.wait("✓ saved")
        terminal.send("\x12")
        terminal.wait("replace")
        terminal.send("batch")
        terminal.wait("1/3")
        terminal.send("\t")
        terminal.quiet()
        terminal.send("bulk")
        terminal.wait("replace  bulk")
        terminal.send("\x1ba")  # in a text field too
        terminal.wait("3 places replaced")
        assert terminal.shows("bulk key on 2026-11-21")
        assert not terminal.shows("bulka")


def test_a_caret_move_writes_little(root: Path) -> None:
    with app(root, script=OPEN.format(root=str(root))) as terminal:
        opened(terminal)
        terminal.send("e")
        terminal.wait("names API keys")
        for column in (2, 3):
            terminal.send("\x1b[C")
            terminal.wait(f"9:{column} ")
        terminal.quiet()
        before = len(terminal.written)
        for column in range(4, 9):
            terminal.send("\x1b[C")
            terminal.wait(f"9:{column} ")
        assert (len(terminal.written) - before) / 5 < 1_300  # its line, its place, nothing else
