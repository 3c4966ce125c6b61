"""The app in a real pseudo-terminal: what it writes, what a screen would show, how it ends."""

from __future__ import annotations

import os
import re
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pexpect
import pyte

# What must have been written last of each: mouse off, paste off, cursor shown, main screen back.
RESETS = {"\x1b[?1000l", "\x1b[?1003l", "\x1b[?2004l", "\x1b[?25h", "\x1b[?1049l"}
PATIENCE = 90.0  # seconds; only a failure takes so long, a busy machine may take some of it
_MODE = re.compile(r"\x1b\[\?(1000|1003|1006|1015|2004|1049)([hl])")


class Terminal:
    """A program in a terminal of ``size`` (columns, rows)."""

    def __init__(self, words: list[str], size: tuple[int, int], env: dict[str, str]) -> None:
        columns, rows = size
        self.screen = pyte.Screen(columns, rows)
        self.stream = pyte.Stream(self.screen)
        self.written = ""
        kept = {**os.environ, "TERM": "xterm-256color", "COLORTERM": "truecolor", **env}
        for name in ("COLUMNS", "LINES"):  # of the terminal that the tests run in
            kept.pop(name, None)
        self.child = pexpect.spawn(
            words[0],
            words[1:],
            dimensions=(rows, columns),
            encoding="utf-8",
            codec_errors="replace",
            env=kept,
        )

    def read(self, seconds: float = 0.05) -> str:
        """Take what was written, for so long at least; what is new."""
        end = time.monotonic() + seconds
        new = ""
        while True:
            try:
                part = self.child.read_nonblocking(65536, timeout=max(end - time.monotonic(), 0.01))
            except pexpect.TIMEOUT:
                part = ""
            except pexpect.EOF:
                break
            new += part
            if time.monotonic() >= end:
                break
        self.written += new
        self.stream.feed(re.sub(r"\x1b\[[>=<?][0-9;]*[a-zA-Z$]", _kept, new))
        return new

    @property
    def lines(self) -> list[str]:
        return [line.rstrip() for line in self.screen.display]

    def shows(self, text: str) -> bool:
        return any(text in line for line in self.lines)

    def wait(self, fits: str | Callable[[], bool], seconds: float = PATIENCE) -> None:
        """Read until a text is on the screen, or a condition holds."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self.read()
            if self.shows(fits) if isinstance(fits, str) else fits():
                return
        raise AssertionError(f"{fits!r} is not on the screen:\n" + "\n".join(self.lines))

    def quiet(self, seconds: float = 0.3) -> None:
        """Read until nothing was written for so long."""
        end = time.monotonic() + PATIENCE
        while self.read(seconds):
            assert time.monotonic() < end, "it never stops writing"

    def send(self, keys: str) -> None:
        self.child.send(keys)

    def resize(self, columns: int, rows: int) -> None:
        self.screen.resize(rows, columns)
        self.child.setwinsize(rows, columns)

    def end(self, sent: int | None = None) -> int:
        """Wait for the end (after a signal, if given); the exit code, negative for a signal's death."""
        if sent is not None:
            os.kill(self.child.pid, sent)
        end = time.monotonic() + PATIENCE
        while self.child.isalive() and time.monotonic() < end:
            self.read()
        self.read(0.2)
        assert not self.child.isalive(), "still running"
        self.child.close()
        return (
            self.child.exitstatus if self.child.exitstatus is not None else -int(self.child.signalstatus or 0)
        )

    @property
    def restored(self) -> bool:
        """Whether every mode that was set is off again, and the cursor shown."""
        last = dict(_MODE.findall(self.written))
        return all(state == "l" for state in last.values()) and self.written.rfind(
            "\x1b[?25h"
        ) > self.written.rfind("\x1b[?25l")


def _kept(match: re.Match[str]) -> str:
    """Only modes that the screen emulator knows."""
    return match[0] if match[0].startswith("\x1b[?") and match[0][-1] in "hl" else ""


@contextmanager
def app(
    root: Path, *words: str, size: tuple[int, int] = (120, 40), script: str = "", **env: str
) -> Iterator[Terminal]:
    """``memex --root ROOT tui …`` in a terminal, or a Python ``script`` in its place; killed at the end."""
    command = [sys.executable, "-m", "memex_core.cli", "--root", str(root), "tui", *words]
    terminal = Terminal([sys.executable, "-c", script] if script else command, size, env)
    try:
        yield terminal
    finally:
        if terminal.child.isalive():
            os.kill(terminal.child.pid, signal.SIGKILL)
            terminal.child.wait()
        terminal.child.close()
