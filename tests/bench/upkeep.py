"""A store that has grown: status, doctor and verify as whole commands, beside reading every file once."""

from __future__ import annotations

import os
import sys
import tempfile
import time
from pathlib import Path

from memex_core import Memex
from tests.bench import corpus
from tests.bench.clock import process_ms
from tests.bench.store import COMMAND, line

TURNS = 20
_SCAN = """
import os, sys
for folder, _, names in os.walk(sys.argv[1]):
    for name in names:
        with open(os.path.join(folder, name), "rb") as file:
            file.read()
"""


def run(pages: int) -> None:
    """Print the table for a store of so many pages and a tenth as many conversations."""
    sessions = max(1, pages // 10)
    with tempfile.TemporaryDirectory(prefix="memex-bench-") as folder:
        home = Path(folder)
        os.environ["XDG_CACHE_HOME"] = str(home / "cache")
        root = home / "memory"
        with Memex(root, create=True) as memex:
            size = corpus.write(root / "docs", pages)
            converse(memex, sessions)
            memex.rebuild_index()
        print(f"\n{pages:,} pages ({size / 1e6:.1f} MB), {sessions:,} sessions of {TURNS} turns", flush=True)
        floor = process_ms([sys.executable, "-c", _SCAN, str(root)], runs=5)
        for name in ("status", "doctor", "verify"):
            spent = process_ms([COMMAND, "--root", str(root), name], runs=5)
            line(f"memex {name}", f"{spent:.0f} ms CPU", f"plain scan {floor:.0f} ms", spent / floor)
        served = process_ms([COMMAND, "--root", str(root), "serve-mcp", "--read-only"], runs=5)
        library = process_ms([sys.executable, "-c", "import mcp.shared.message"], runs=5)
        line(
            "  of doctor: the server",
            f"{served:.0f} ms CPU",
            f"its library {library:.0f} ms",
            served / library,
        )


def converse(memex: Memex, sessions: int) -> None:
    began = time.perf_counter()
    texts = [text for _, text in corpus.queries(sessions * TURNS)]
    for number in range(sessions):
        said = texts[number * TURNS : (number + 1) * TURNS]
        turns = [
            {
                "role": "agent" if at % 2 else "user",
                "content": text,
                "ts": f"2026-{number % 11 + 1:02}-{number % 28 + 1:02}T10:{at:02}:00Z",
            }
            for at, text in enumerate(said)
        ]
        memex.ingest_transcript(f"sess-{number:05}", turns=turns)
    each = (time.perf_counter() - began) * 1000 / sessions
    line("one session taken in", f"{each:.1f} ms")
