"""The app in a real pseudo-terminal: how long it takes to show something, how much a key makes it write."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import NamedTuple

from tests.tui.terminal import PATIENCE, Terminal, app

EMPTY = """
from textual.app import App
from textual.widgets import Static

class Empty(App):
    count = 0
    def compose(self):
        yield Static("here 0")
    def on_key(self, event):
        if event.key == "down":
            self.count += 1
            self.query_one(Static).update(f"here {self.count}")

Empty().run()
"""
RUNS = 7
MOVES = 60
DOWN = "\x1b[B"


class Start(NamedTuple):
    """Milliseconds until the first useful frame: of CPU in the program, and of waiting."""

    cpu: list[float]
    wall: list[float]


def starts(root: Path) -> tuple[Start, Start]:
    """From the command to the list of pages, and to the text of an empty app."""
    ours, least = Start([], []), Start([], [])
    for number in range(RUNS):  # by turns, so that both have the same machine
        for start, script, words, text in (
            (ours, "", ("--screen", "search"), "newest first"),
            (least, EMPTY, (), "here 0"),
        ):
            began = time.perf_counter()
            with app(root, *words, script=script) as terminal:
                terminal.wait(text)
                if number:
                    start.wall.append((time.perf_counter() - began) * 1000)
                    start.cpu.append(spent(terminal.child.pid))
    return ours, least


def spent(process: int) -> float:
    """CPU milliseconds of a running process, by Linux's book; 0 elsewhere."""
    try:
        with open(f"/proc/{process}/stat", encoding="utf-8") as file:
            fields = file.read().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) * 1000 / os.sysconf("SC_CLK_TCK")


class Written(NamedTuple):
    """Bytes after each key: those of its first frame, and all until nothing more comes."""

    first: list[float]
    every: list[float]


def cursor_bytes(root: Path) -> tuple[Written, Written]:
    """What a cursor move writes, and what a number that changes writes in an empty app."""
    with app(root, "--screen", "search") as terminal:
        terminal.wait("newest first")
        terminal.send(DOWN)
        terminal.quiet()
        ours = moved(terminal)
    with app(root, script=EMPTY) as terminal:
        terminal.wait("here 0")
        terminal.quiet()
        return ours, moved(terminal)


def moved(terminal: Terminal) -> Written:
    """A key again and again. A frame is one write; the preview comes some hundredths of a second later."""
    written = Written([], [])
    for _ in range(MOVES):
        before = len(terminal.written)
        terminal.send(DOWN)
        end = time.monotonic() + PATIENCE
        while len(terminal.written) == before and time.monotonic() < end:
            terminal.read(0.002)
        written.first.append(float(len(terminal.written[before:].encode())))
        terminal.quiet(0.12)
        written.every.append(float(len(terminal.written[before:].encode())))
    return written
