"""A store of items: the face's retrieve beside the core's recall of the same texts beside a plain scan."""

from __future__ import annotations

import os
import random
import tempfile
from pathlib import Path

from memex_core import Memex
from memex_core.wikimem import MemoryIndex, MemoryStore, tokenize
from tests.bench import corpus
from tests.bench.clock import cpu_ms, percentile, spread
from tests.bench.store import line

FILES = 100
WORDS = 30  # a text is three or four sentences


def run(items: int, questions: int) -> None:
    """Print the table for a store of so many items."""
    with tempfile.TemporaryDirectory(prefix="memex-bench-") as folder:
        home = Path(folder)
        os.environ["XDG_CACHE_HOME"] = str(home / "cache")
        root = home / "assistant"
        write(root, items)
        store = MemoryStore(root)
        print(f"\n{items:,} items in {FILES} files", flush=True)
        index = MemoryIndex(store)
        line("the face reads and indexes them", f"{cpu_ms(index.rebuild):.0f} ms CPU")
        with Memex(home / "pages", create=True) as memex:
            taken = cpu_ms(lambda: memex.import_from("wikimem", root))
            line("memex takes them in as pages", f"{taken:.0f} ms CPU")
            memex.recall("warm up", no_count=True)
            compare(store, index, memex, questions)


def compare(store: MemoryStore, index: MemoryIndex, memex: Memex, questions: int) -> None:
    texts = [f"{item.name}\n{item.content}".lower() for item in store.items()]
    asked = [text for _, text in corpus.queries(questions)]
    face = [cpu_ms(lambda text=text: index.retrieve(text)) for text in asked]
    core = [cpu_ms(lambda text=text: memex.recall(text, no_count=True)) for text in asked]
    floor = [cpu_ms(lambda text=text: scan(texts, text)) for text in asked]
    beside = f"plain scan {spread(floor)}"
    least = percentile(floor, 0.5)
    line("the face's retrieve", spread(face), beside, percentile(face, 0.5) / least)
    line("the core's recall", spread(core), beside, percentile(core, 0.5) / least)


def scan(texts: list[str], query: str) -> list[int]:
    """The ten texts that hold most of the words: what anyone would write first."""
    words = tokenize(query)
    counts = [(sum(word in text for word in words), -number) for number, text in enumerate(texts)]
    return [-number for count, number in sorted(counts, reverse=True)[:10] if count]


def write(root: Path, count: int, seed: int = 7) -> None:
    """Item files made at once: the store's own writer flushes each item to the disk."""
    r = random.Random(seed)
    words = corpus.vocabulary(seed)
    (root / "wiki").mkdir(parents=True)
    (root / "diary").mkdir()
    for file in range(FILES):
        parts = [f"# topic_{file}\n"]
        for number in range(file, count, FILES):
            topic = r.choice(words.topics)
            text = " ".join(
                r.choices(words.all, cum_weights=words.weights, k=WORDS - 10) + r.sample(topic, 10)
            )
            link = f"[[topic_{r.randrange(FILES)}:item {r.randrange(count)}]]"
            parts.append(
                f"\n## item {number}\n\n{text}. {link}\n\n<!-- wikimem: ts=2026-07-10T03:00:00+00:00 -->\n"
            )
        (root / "wiki" / f"topic_{file}.md").write_text("".join(parts), encoding="utf-8")
