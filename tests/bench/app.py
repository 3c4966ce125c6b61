"""The app's table: each budget of the screens beside what this machine needs for the least app that does it.

CPU is measured without a terminal (drawing included), bytes and start-up in a real pseudo-terminal.
"""

from __future__ import annotations

import asyncio
import os
import tempfile
from pathlib import Path

from memex_core import Memex
from tests.bench import app_headless, app_terminal, corpus
from tests.bench.clock import percentile, spread
from tests.bench.store import line

BIG, HUB, WATCHED = "big.md", "hub.md", "watched.md"
MEGABYTE = 1_000_000
NODES = 60


def run(pages: int) -> None:
    """Print the table for a memory of so many pages."""
    with tempfile.TemporaryDirectory(prefix="memex-bench-") as folder:
        home = Path(folder)
        os.environ["XDG_CACHE_HOME"] = str(home / "cache")
        root = home / "vault"
        root.mkdir()
        corpus.write(root, pages - 3)
        for name, text in ((BIG, big()), (HUB, hub(pages)), (WATCHED, "# Watched\n\nNothing yet.\n")):
            (root / name).write_text(text, encoding="utf-8")
        (root / ".memex").mkdir()
        with Memex(root) as memex:
            memex.rebuild_index(force=True)
            total = memex.list(limit=1)["total"]
        print(f"\nthe app on {total:,} pages", flush=True)
        asyncio.run(headless(root))
        terminal(root)


async def headless(root: Path) -> None:
    """What costs CPU."""
    floor = await app_headless.empty_keys()
    cursor = await app_headless.cursor(root)
    row("cursor move, key to frame", "16 ms CPU", cursor, "key in an empty app", floor)
    typed, core = await app_headless.typing(root)
    row("letter typed to results", "50 ms CPU", typed.cpu, "the core alone", core.cpu)
    row("the same, waiting", "50 ms", typed.wall, "the core alone", core.wall)
    opened, parsed = await app_headless.opening(root, BIG)
    row("open a 1 MB page", "500 ms", opened, "markdown-it parses it", parsed)
    caret, letters = await app_headless.editing(root, BIG)
    stock = await app_headless.stock_editor((root / BIG).read_text(encoding="utf-8"))
    row("caret key in a 1 MB page", "30 ms CPU", caret, "stock TextArea", stock)
    row("letter typed in a 1 MB page", "30 ms CPU", letters, "stock TextArea", stock)
    moved, panned, nodes = await app_headless.graph(root, HUB)
    row(f"graph of {nodes} nodes, selection", "16 ms CPU", moved, "key in an empty app", floor)
    row(f"graph of {nodes} nodes, pan", "16 ms CPU", panned, "key in an empty app", floor)
    seen, told = await app_headless.outside(root, WATCHED)
    row("outside edit visible", "500 ms", seen, "watchfiles alone", told)


def terminal(root: Path) -> None:
    """What goes over the wire, and how long the first frame takes."""
    ours, empty = app_terminal.starts(root)
    row("start to first useful frame", "1200 ms CPU", ours.cpu, "an empty app", empty.cpu)
    row("the same, waiting", "1200 ms", ours.wall, "an empty app", empty.wall)
    keys, floor = app_terminal.cursor_bytes(root)
    least = percentile(floor.first, 0.5)
    for what, written in (
        ("cursor move (≤ 1024 bytes)", keys.first),
        ("the same with its preview", keys.every),
    ):
        low, high = percentile(written, 0.5), percentile(written, 0.99)
        shown = f"p50 {low:,.0f} · p99 {high:,.0f} bytes"
        line(what.ljust(48), shown, f"an empty app {least:,.0f} bytes", low / least)


def row(what: str, budget: str, ours: list[float], name: str, floor: list[float]) -> None:
    """A line of the table: milliseconds beside their floor, compared by the median."""
    ratio = percentile(ours, 0.5) / max(percentile(floor, 0.5), 0.001)
    line(f"{what} (≤ {budget})".ljust(48), spread(ours), f"{name} {spread(floor)}", ratio)


def big() -> str:
    """A page of one megabyte with everything that a page has."""
    words = corpus.vocabulary(7).all
    parts, size, number = ["# A large page\n"], 0, 0
    while size < MEGABYTE:
        number += 1
        say = [words[(number * 97 + at * 31) % 5000] for at in range(90)]
        part = (
            f"\n## {' '.join(say[:4])}\n\n{' '.join(say)}, see [[{say[5]}]] and **{say[6]}**.\n\n"
            f"- {' '.join(say[10:20])}\n- [ ] {' '.join(say[20:30])}\n\n"
            f"| {say[1]} | {say[2]} |\n|---|---:|\n| {say[3]} | {number} |\n\n"
            f"```python\nvalue = {say[4]!r} * {number}\n```\n"
        )
        parts.append(part)
        size += len(part.encode())
    return "".join(parts)


def hub(pages: int) -> str:
    """A page that links to so many others that its neighbourhood is as large as one is drawn."""
    words = corpus.vocabulary(7)
    titles = dict.fromkeys(corpus.title_of(number, 7, words) for number in range(min(pages - 3, NODES * 3)))
    return "# Hub\n\n" + "\n".join(f"- [[{title}]]" for title in list(titles)[: NODES - 1]) + "\n"
