"""The app in a real terminal: it starts, is used, is resized, and leaves the terminal as it was."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from memex_core.memex import Memex
from tests.tui.terminal import app

COLOUR = "\x1b[38;2;"


@pytest.fixture
def store(root: Path) -> Path:
    with Memex(root, create=True) as memex:
        memex.write(
            "entity", "Ada Park", "Bakes sourdough since 1998.\n\nRuns the [[Bakery]].", tags=["people"]
        )
        memex.write("entity", "Bakery", "A shop that sells sourdough bread.")
        memex.write("preference", "Tabs [/red] never", "Spaces, [b]always[/b].")
    return root


def test_it_starts_and_quits_clean(store: Path) -> None:
    with app(store) as terminal:
        terminal.wait("Ada Park")
        assert terminal.lines[0].startswith(" 1 Search  2 Page")
        terminal.wait("Tabs [/red] never")
        terminal.send("\x11")
        assert terminal.end() == 0
        assert terminal.restored


@pytest.mark.parametrize("sent", [signal.SIGTERM, signal.SIGHUP], ids=["SIGTERM", "SIGHUP"])
def test_a_signal_ends_it_in_good_order(store: Path, sent: int) -> None:
    with app(store) as terminal:
        terminal.wait("Ada Park")
        terminal.send("bakery")
        terminal.wait("❯ bakery")
        assert terminal.end(sent) == 0
        assert terminal.restored
    assert json.loads((store / "tui.json").read_text())["areas"]["search"]["query"] == "bakery"


def test_an_exception_in_a_handler_restores_the_terminal(store: Path) -> None:
    script = (
        "import sys\n"
        "from memex_tui.app import run\n"
        "from memex_tui.screens.search.screen import SearchScreen\n"
        "def fail(self, event): raise RuntimeError('[/bold] gone wrong')\n"
        "SearchScreen.on_mouse_scroll_down = fail\n"
        f"sys.exit(run({str(store)!r}))\n"
    )
    with app(store, script=script) as terminal:
        terminal.wait("Ada Park")
        terminal.send("\x1b[<65;30;3M")
        assert terminal.end() == 1
        assert terminal.restored
        tail = terminal.written.rpartition("\x1b[?1049l")[2]
    assert "memex stopped: RuntimeError: [/bold] gone wrong" in tail
    assert "Traceback" not in tail
    assert "gone wrong" in (store / "logs" / "app.log").read_text()


def test_alt_and_a_digit_goes_to_an_area_even_while_typing(store: Path) -> None:
    with app(store) as terminal:
        terminal.wait("Ada Park")
        terminal.send("\x1b3")
        terminal.wait("overview · by type")
        terminal.send("\x1b1")
        terminal.wait("preview · ")
        assert not terminal.shows("¡")
        terminal.send("\x11")
        assert terminal.end() == 0


def test_a_failing_command_is_a_notice_and_the_app_lives(store: Path) -> None:
    script = (
        "import sys\n"
        "from memex_tui.app import MemexApp, run\n"
        "def fail(self): raise RuntimeError('[/bold] gone wrong')\n"
        "MemexApp.do_app_redraw = fail\n"
        f"sys.exit(run({str(store)!r}))\n"
    )
    with app(store, script=script) as terminal:
        terminal.wait("Ada Park")
        terminal.send("\x0c")
        terminal.wait("(RuntimeError: [/bold]")
        terminal.send("sourdough")
        terminal.wait("❯ sourdough")
        terminal.send("\x11")
        assert terminal.end() == 0


def test_it_follows_the_size_of_the_terminal(store: Path) -> None:
    with app(store) as terminal:
        terminal.wait("why this result")
        terminal.resize(80, 24)
        terminal.wait(" 1Search")
        terminal.wait("preview · ")
        assert len(terminal.lines) == 24
        terminal.resize(50, 10)
        terminal.wait("memex needs 60×15 cells")
        terminal.resize(100, 30)
        terminal.wait("why this result")
        terminal.send("\x11")
        assert terminal.end() == 0


def test_it_begins_where_it_ended(store: Path) -> None:
    with app(store) as terminal:
        terminal.wait("Ada Park")
        terminal.send("sourdough")
        terminal.wait("2 found")
        terminal.wait("preview · Bakery")
        terminal.send("\x1b[B")
        terminal.wait("preview · Ada Park")
        terminal.send("\x11")
        assert terminal.end() == 0
    with app(store) as terminal:
        terminal.wait("❯ sourdough")
        terminal.wait("2 found")
        terminal.wait("preview · Ada Park")


def test_outside_edits_are_seen_without_a_key(store: Path) -> None:
    with app(store) as terminal:
        terminal.wait("Ada Park")
        (store / "docs" / "entities" / "crumb.md").write_text(
            "---\ntype: entity\ntitle: Crumb\n---\nFresh.\n"
        )
        terminal.wait("Crumb")


def test_strange_bytes_from_the_mouse_do_no_harm(store: Path) -> None:
    with app(store) as terminal:
        terminal.wait("Ada Park")
        os.write(terminal.child.child_fd, b"\x1b[M \xff\xfe\x1b[M\xa0\xa1\xa2\x1b[<0;999;999M\x1b[<35;-1;0M")

        def answered() -> bool:  # what comes in one breath with such bytes may be lost
            terminal.send("\x1b3")
            return terminal.shows("overview · by type")

        terminal.wait(answered)
        terminal.send("\x1b[<0;4;1M\x1b[<0;4;1m")
        terminal.wait("preview · ")
        terminal.send("\x11")
        assert terminal.end() == 0


def test_without_colours_nothing_is_coloured(store: Path) -> None:
    with app(store) as terminal:
        terminal.wait("Ada Park")
        assert COLOUR in terminal.written
    with app(store, NO_COLOR="1") as terminal:
        terminal.wait("preview · ")
        terminal.send("\x11")
        assert terminal.end() == 0
        colours = set()
        for code in terminal.written.split(COLOUR)[1:]:
            r, g, b = code.partition("m")[0].split(";")[:3]
            colours.add(len({r, g, b}))
        assert colours <= {1}, "only greys"


@pytest.mark.parametrize(
    ("words", "env"),
    [(("tui",), {}), (("tui",), {"TERM": "dumb"}), (("tui", "--screen", "graph"), {})],
    ids=["no terminal", "dumb", "no terminal, an area"],
)
def test_without_a_terminal_it_says_so(store: Path, words: tuple[str, ...], env: dict[str, str]) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "memex_core.cli", "--root", str(store), *words],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        env={**os.environ, **env},
        timeout=300,
    )
    assert done.returncode == 2
    assert done.stdout == ""
    assert "terminal" in done.stderr and "--dump" in done.stderr
    assert "\x1b" not in done.stderr


def test_a_dumb_terminal_is_not_drawn_on(store: Path) -> None:
    with app(store, TERM="dumb") as terminal:
        assert terminal.end() == 2
        assert "TERM=dumb" in terminal.written
        assert "\x1b" not in terminal.written


def test_a_frame_is_printed_as_text(store: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "memex_core.cli", "--root", str(store), "--dump", "search", "--size", "80x24"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert len(lines) == 24
    assert max(map(len, lines)) <= 80
    assert "Tabs [/red] never" in done.stdout
    assert not (store / "tui.json").exists()


def test_it_comes_back_whole_after_being_stopped(store: Path) -> None:
    with app(store) as terminal:
        terminal.wait("Ada Park")
        os.kill(terminal.child.pid, signal.SIGTSTP)
        terminal.wait(lambda: terminal.restored)
        terminal.screen.reset()
        os.kill(terminal.child.pid, signal.SIGCONT)
        terminal.wait("Ada Park")
        terminal.wait("why this result")
        assert terminal.lines[0].startswith(" 1 Search")
        terminal.send("\x11")
        assert terminal.end() == 0
