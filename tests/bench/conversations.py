"""A long session: capturing it beside reading its lines as JSON, and opening its replay.

Capture runs as the command it is; its memory is the most the process ever held.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, NamedTuple

from memex_core import Memex
from memex_tui.messages import Place
from tests.bench import app_headless
from tests.bench.clock import ENV
from tests.bench.store import line
from tests.harness.writing import Claude, use

MEGABYTE = 1_000_000
SESSION = "5e551000-0000-4000-8000-000000000001"
_WORDS = (
    "keel plank rivet oakum mast stay shroud cleat halyard boom tiller rudder hull deck bilge pump".split()
)
_READ = "import json, sys\nfor line in open(sys.argv[1], 'rb'):\n    json.loads(line)\n"
_STORE = """
import sys
from memex_core.files.layout import open_layout
from memex_core.files.scrubbing import Scrubber
from memex_core.harness.following import follow
from memex_core.harness.places import reader_of

follow(open_layout(sys.argv[1]), sys.argv[2], reader_of(sys.argv[2]), scrubber=Scrubber())
"""


class Ran(NamedTuple):
    """CPU seconds and the most memory in MB of a process."""

    cpu: float
    peak: float


def run(megabytes: int) -> None:
    """Print the table for a session of so many megabytes."""
    with tempfile.TemporaryDirectory(prefix="memex-bench-") as folder:
        home = Path(folder)
        session = home / f"{SESSION}.jsonl"
        size = write(session, megabytes * MEGABYTE) / MEGABYTE
        root = home / "store"
        Memex.init(root)
        print(f"\na session of {size:,.0f} MB")
        floor = process([sys.executable, "-c", _READ, str(session)])
        stored = process([sys.executable, "-c", _STORE, str(root), str(session)])
        line(
            "reading and storing",
            told(stored, size),
            f"json.loads {told(floor, size)}",
            stored.cpu / floor.cpu,
        )
        memex = [sys.executable, "-m", "memex_core.cli", "--root", str(root), "--quiet"]
        captured = process([*memex, "capture", str(session)])
        line("episode page and index", told(captured, size))
        again = process([*memex, "capture", str(session)])
        line("capture again, nothing new", f"{again.cpu * 1000:.0f} ms CPU, {again.peak:.0f} MB peak")
        line("its replay opens", f"{asyncio.run(replay(root)):.0f} ms")


def told(ran: Ran, size: float) -> str:
    return f"{ran.cpu * 1000 / size:.2f} ms CPU a MB, {ran.peak:.0f} MB peak"


def write(path: Path, size: int) -> int:
    """A session of questions, tool calls with long results and answers; its size in bytes."""
    chance, talk, number = random.Random(4), Claude(SESSION), 0

    def said(words: int) -> str:
        return " ".join(chance.choices(_WORDS, k=words))

    with open(path, "w", encoding="utf-8") as file:
        while file.tell() < size:
            number += 1
            call = f"toolu_{number}"
            for record in (
                talk.user(f"u{number}", f"{said(20)}?"),
                talk.agent(f"a{number}", said(30), use(call, command=said(6)), usage=(9, 4, 1, 30)),
                talk.result(f"r{number}", call, said(700)),
                talk.agent(f"b{number}", said(120), usage=(5, 4, 1, 120)),
            ):
                file.write(json.dumps(record) + "\n")
        return file.tell()


def process(words: list[str]) -> Ran:
    """Run it, and what it took. Raises CalledProcessError when it fails."""
    with subprocess.Popen(words, stdout=subprocess.DEVNULL, env=ENV) as child:
        _, status, used = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        raise subprocess.CalledProcessError(child.returncode, words)
    return Ran(used.ru_utime + used.ru_stime, peak_mb(used))


def peak_mb(used: resource.struct_rusage) -> float:
    unit = 1 if sys.platform == "darwin" else 1024
    return used.ru_maxrss * unit / MEGABYTE


async def replay(root: Path) -> float:
    """Wall milliseconds from asking for a turn in the middle to the frame that shows it."""
    with Memex(root) as memex:
        middle = memex.session(SESSION, turns="1-1")["turn_count"] // 2
    app = app_headless.memex_app(root)
    async with app_headless.running(app):
        began = time.perf_counter()
        await app.go(Place("sessions", session=SESSION, turn=middle))
        screen: Any = app.current_area
        await app_headless.until(app, lambda: screen.replay.number == middle and screen.replay.turn)
        return (time.perf_counter() - began) * 1000
