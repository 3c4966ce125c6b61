"""A person's first ten minutes in a real terminal, on a memory of ten thousand pages."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from memex_core.memex import Memex
from tests.tui.terminal import Terminal, app

PAGES = 10_000
WORDS = "amber basalt cedar dune ember flint grove heath islet juniper kelp larch moss nettle opal".split()

# Everything that a careless writer would change: BOM, CRLF, comments, quotes, odd blanks, no last line end.
HARBOUR = (
    b"\xef\xbb\xbf---\r\ntype:   entity   # kept\r\ntitle: 'Zephyr harbour %s'\r\ntags: [ sea,sky ]\r\n"
    b"unknown: {a: 1,  b: two}\r\n---\r\nBoats wait here for the zephyr.  \r\n\r\n* one\r\n\t* two\r\nlast line"
)
LIGHTHOUSE = b"---\ntype: entity\ntitle: Zephyr lighthouse %s\n---\nThe zephyr lamp is %s tonight.\n"


@pytest.fixture(scope="module")
def vault(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of ten thousand small pages, indexed once for all walks."""
    root = tmp_path_factory.mktemp("walk") / "vault"
    for number in range(PAGES - 4):
        folder = root / f"area-{number % 50:02}"
        if number < 50:
            folder.mkdir(parents=True)
        words = " ".join(WORDS[number // step % len(WORDS)] for step in (1, 7, 97, 1009))
        link = f"[[page-{number * 31 % PAGES:05}]]"
        text = f"---\ntype: note\ntitle: Page {number:05}\n---\nAbout {words}, see {link}.\n"
        (folder / f"page-{number:05}.md").write_text(text, encoding="utf-8")
    for side in ("north", "south"):
        (root / f"harbour-{side}.md").write_bytes(HARBOUR % side.encode())
        (root / f"lighthouse-{side}.md").write_bytes(LIGHTHOUSE % (side.encode(), b"dark"))
    Memex.init(root)
    with Memex(root) as memex:
        assert memex.list(limit=1)["total"] == PAGES
    return root


def save(path: Path, data: bytes) -> None:
    """As an editor saves: another file, renamed into place."""
    part = path.with_suffix(".part")
    part.write_bytes(data)
    os.replace(part, path)


def begin(terminal: Terminal, side: str) -> None:
    """Type a query, open the first hit."""
    terminal.wait(f"{PAGES:,} pages")
    terminal.send(f"zephyr harbour {side}")
    terminal.wait(f"preview · Zephyr harbour {side}")
    terminal.send("\r")
    terminal.wait("Boats wait here")
    terminal.wait(lambda: "Zephyr harbour" in terminal.lines[1])


@pytest.mark.parametrize(("side", "way_out"), [("north", "ctrl+q"), ("south", "SIGTERM")])
def test_a_walk(vault: Path, side: str, way_out: str) -> None:
    harbour, lighthouse = vault / f"harbour-{side}.md", vault / f"lighthouse-{side}.md"
    edited = (HARBOUR % side.encode()).replace(b"Boats", b"Small Boats")
    (vault / ".memex" / "tui.json").unlink(missing_ok=True)
    others = {path: path.stat().st_mtime_ns for path in vault.rglob("*.md") if path != harbour}
    with app(vault) as terminal:
        begin(terminal, side)

        # Edit and save: the file is what it was but for the letters typed.
        terminal.send("e")
        terminal.wait("edit · Zephyr harbour")
        terminal.send("Small ")
        terminal.wait("Small Boats wait")
        terminal.send("\x13")
        terminal.wait(lambda: terminal.shows("saved") and not terminal.shows("unsaved"))
        assert harbour.read_bytes() == edited
        assert {path: path.stat().st_mtime_ns for path in others} == others
        terminal.send("\x1b")
        terminal.wait("f hints")

        # Another file changes outside: the result list knows.
        terminal.send("1")
        terminal.wait("❯ zephyr harbour")
        terminal.send("\x1b")
        terminal.wait("s similar")
        terminal.send("c")
        terminal.wait("Search pages, diary")
        terminal.send(f"zephyr lighthouse {side}")
        terminal.wait(f"preview · Zephyr lighthouse {side}")
        save(lighthouse, LIGHTHOUSE % (side.encode(), b"burning bright"))
        terminal.wait("is burning bright tonight")

        # So does the reader.
        terminal.send("\r")
        terminal.wait(lambda: f"Zephyr lighthouse {side}" in terminal.lines[1])
        save(lighthouse, LIGHTHOUSE % (side.encode(), b"broken"))
        terminal.wait("lamp is broken tonight")

        # A smaller window.
        terminal.resize(80, 24)
        terminal.wait(lambda: terminal.lines[0].startswith(" 1Search") and terminal.shows("lamp is broken"))
        terminal.wait(lambda: len(terminal.lines) == 24 and "? help" in terminal.lines[23])

        if way_out == "ctrl+q":
            terminal.send("\x11")
            assert terminal.end() == 0
        else:
            assert terminal.end(signal.SIGTERM) == 0
        assert terminal.restored
    assert harbour.read_bytes() == edited
    assert not [path.name for path in vault.iterdir() if path.suffix not in (".md", "")]
