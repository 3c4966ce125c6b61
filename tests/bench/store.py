"""The store's table: rebuild, questions, single updates, whole processes, sizes."""

from __future__ import annotations

import os
import resource
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from pathlib import Path

from memex_core import Memex
from tests.bench import corpus, floors, hooks
from tests.bench.clock import ENV, cpu_ms, pass_ms, percentile, process_ms, spread, wall_ms

COMMAND = str(Path(sys.executable).parent / "memex")
UPDATES = 2000


def line(what: str, measured: str, floor: str = "", ratio: float | None = None) -> None:
    beside = f"   floor {floor}" if floor else ""
    share = f"   = {ratio:.2f} x" if ratio is not None else ""
    print(f"  {what:34} {measured}{beside}{share}", flush=True)


def run(pages: int, questions: int) -> None:
    """Print the table for a store of so many pages."""
    with tempfile.TemporaryDirectory(prefix="memex-bench-") as folder:
        home = Path(folder)
        os.environ["XDG_CACHE_HOME"] = str(home / "cache")
        root = home / "vault"
        root.mkdir()
        size = corpus.write(root, pages)
        print(f"\n{pages:,} pages, {size / 1e6:.1f} MB", flush=True)
        Memex.init(root, dry_run=True)
        (root / ".memex").mkdir()
        plain = rebuild(root, home, pages)
        with Memex(root) as memex:
            recall(memex, plain, questions)
            sizes(memex, size)
            freshness(memex, root)
        plain.close()
        processes(root)
        updates(root, pages)


def rebuild(root: Path, home: Path, pages: int) -> sqlite3.Connection:
    began = time.process_time()
    plain = floors.plain_fts(root, home / "plain.db")
    floor = time.process_time() - began
    words = [
        sys.executable,
        "-m",
        "memex_core.cli",
        "--root",
        str(root),
        "rebuild-index",
        "--force",
        "--json",
    ]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    began = time.perf_counter()
    subprocess.run(words, stdout=subprocess.DEVNULL, env=ENV, check=True)
    wall = time.perf_counter() - began
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    rate = f"{pages / wall:,.0f} pages/s wall, {cpu:.2f} s CPU, {after.ru_maxrss / 1024:.0f} MB peak"
    line("rebuild", rate, f"{floor:.2f} s CPU (read + plain FTS5)", cpu / floor)
    return plain


def recall(memex: Memex, plain: sqlite3.Connection, questions: int) -> None:
    spent: dict[str, list[float]] = defaultdict(list)
    floor: dict[str, list[float]] = defaultdict(list)
    asked = list(corpus.queries(questions))
    memex.recall("warm up", no_count=True)
    for kind, text in asked:
        spent[kind].append(cpu_ms(lambda text=text: memex.recall(text, no_count=True)))
        floor[kind].append(cpu_ms(lambda text=text: floors.plain_or(plain, text.split())))
    for kind, ours in spent.items():
        ratio = percentile(ours, 0.5) / percentile(floor[kind], 0.5)
        line(f"recall, {kind}", spread(ours), f"OR + bm25 {spread(floor[kind])}", ratio)
    every, least = [x for v in spent.values() for x in v], [x for v in floor.values() for x in v]
    line(
        "recall, all kinds",
        spread(every),
        f"OR + bm25 {spread(least)}",
        percentile(every, 0.5) / percentile(least, 0.5),
    )
    typed, bare = [], []
    for _, text in asked[:60]:
        words = text.split()
        for letters in range(2, len(words[-1]) + 1):
            part = [*words[:-1], words[-1][:letters]]
            typed.append(cpu_ms(lambda part=part: memex.suggest(" ".join(part))))
            bare.append(cpu_ms(lambda part=part: floors.plain_prefix(plain, part)))
    line(
        "a letter typed",
        spread(typed),
        f"prefix + AND {spread(bare)}",
        percentile(typed, 0.99) / percentile(bare, 0.99),
    )


def sizes(memex: Memex, size: int) -> None:
    database = os.path.getsize(memex.store.index.path)
    line("mem.db", f"{database / 1e6:.1f} MB", f"{size / 1e6:.1f} MB of pages", database / size)


def freshness(memex: Memex, root: Path) -> None:
    index = memex.store.index
    ours = percentile([cpu_ms(index.refresh) for _ in range(5)], 0.5)
    floor = percentile([cpu_ms(lambda: floors.stat_all(root)) for _ in range(5)], 0.5)
    line("nothing-changed check", f"{ours:.1f} ms", f"scandir + stat {floor:.1f} ms", ours / floor)


def processes(root: Path) -> None:
    least = pass_ms()
    stat = percentile([cpu_ms(lambda: floors.stat_all(root)) for _ in range(5)], 0.5)
    line("python -c pass", f"{least:.1f} ms CPU")
    for name, words in (
        ("memex --version", ["--version"]),
        ("memex --help", ["--help"]),
        ("memex recall (process)", ["--root", str(root), "recall", "--no-count", "how do i best"]),
    ):
        spent = process_ms([COMMAND, *words])
        line(name, f"{spent:.1f} ms CPU", f"pass {least:.1f} ms", spent / least)
    line("its allowance", f"{4.5 * least + 1.5 * stat:.1f} ms", f"4.5 x pass + 1.5 x stat ({stat:.1f} ms)")
    for name, event, payload in hooks.payloads():
        spent = hooks.hook_ms(COMMAND, root, event, payload)
        line(name, f"{spent:.1f} ms CPU", f"pass {least:.1f} ms", spent / least)
    line("their allowance", f"{6 * least + 1.5 * stat:.1f} ms", f"6 x pass + 1.5 x stat ({stat:.1f} ms)")


def updates(root: Path, pages: int) -> None:
    """One page after another edited through memex: file, journal and index, all flushed. What the disk needs
    is measured in between: it is not the same from one second to the next."""
    spent: list[float] = []
    floor: list[float] = []
    disk: list[float] = []
    with Memex(root) as memex:
        paths = [row["path"] for row in memex.list(limit=200)["pages"]]
        file, log = root / ".memex" / "floor.md", root / ".memex" / "floor.log"
        for number in range(UPDATES if pages == 10_000 else 200):
            path = paths[number % len(paths)]
            spent.append(wall_ms(lambda path=path, number=number: memex.edit(path, append=f"line {number}")))
            if number % 10 == 0:
                data = (root / path).read_bytes()
                floor.append(wall_ms(lambda data=data: floors.write_file(file, data)))
                disk.append(wall_ms(lambda data=data: floors.write_and_log(file, data, log)))
    middle = percentile(spent, 0.5)
    least = f"write + fsync + rename {spread(floor)}"
    line("one page edited", spread(spent), least, middle / percentile(floor, 0.5))
    line("the same", spread(spent), f"and log + folder {spread(disk)}", middle / percentile(disk, 0.5))
    line("worst of those edits", f"{max(spent):.1f} ms of {len(spent)}")
