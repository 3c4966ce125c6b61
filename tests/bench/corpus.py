"""A seeded corpus shaped like real stores: Zipf words, topics, links, rich and sometimes odd front matter."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from itertools import accumulate
from pathlib import Path
from typing import NamedTuple

COMMON = """
the of and to in a is that it for was on as with be at by this are from or have an not but had they
you we his her she he i were which one all there been their has would if what when will who so can
more no out up do how time other into them some could these two may then first any my now such like
our over man me even most made after also did many before must through back years where much your
way well down should because
""".split()
STARTS = "b c d f g h j k l m n p r s t v w z br cl dr fl gr pl pr sh sl st str th tr".split()
VOWELS = "a e i o u ai ea ee ou oo".split()
ENDS = ["", "", "", "n", "r", "s", "t", "l", "m", "nd", "st", "ck", "ng"]
SUFFIXES = [""] * 10 + ["ing", "ed", "er", "tion", "s", "s", "ly", "ment"]
TYPES = ["entity", "preference", "procedure", "summary", "note", "decision"]
QUESTIONS = [
    "what is the best way to", "how do i", "when did we", "who is the", "why was the", "where can i find the",
]  # fmt: skip


class Words(NamedTuple):
    """The vocabulary: all words, their cumulated weights, topics of 200 words each, and tags."""

    all: list[str]
    weights: list[float]
    topics: list[list[str]]
    topic_weights: list[float]
    tags: list[str]


def vocabulary(seed: int, size: int = 40_000) -> Words:
    r = random.Random(seed)
    words, seen = list(COMMON), set(COMMON)
    while len(words) < size:
        syllables = r.choice((1, 2, 2) if len(words) < 2000 else (2, 2, 3))
        word = (
            "".join(r.choice(STARTS) + r.choice(VOWELS) for _ in range(syllables))
            + r.choice(ENDS)
            + r.choice(SUFFIXES)
        )
        if len(word) > 3 and word not in seen:
            seen.add(word)
            words.append(word)
    topics = [
        [words[int(len(COMMON) * (size / len(COMMON)) ** r.random()) - 1] for _ in range(200)]
        for _ in range(200)
    ]
    return Words(
        words,
        list(accumulate(1 / (i + 2.7) for i in range(size))),
        topics,
        list(accumulate(1 / (i + 5) for i in range(200))),
        words[200:500],
    )


def title_of(number: int, seed: int, words: Words) -> str:
    r = random.Random(f"{seed}:title:{number}")
    topic = words.topics[number * 7919 % len(words.topics)]
    return " ".join(r.choices(topic, cum_weights=words.topic_weights, k=r.randint(2, 5))).capitalize()


def page(number: int, seed: int, words: Words, total: int) -> tuple[str, str]:
    """(front matter, body) of one page: 60 to 400 words, 0 to 6 links, a dozen keys, 3 % odd YAML."""
    r = random.Random(f"{seed}:{number}")
    title = title_of(number, seed, words)
    topic = words.topics[number * 7919 % len(words.topics)]
    count = int(r.triangular(60, 400, 110))
    tokens = r.choices(words.all, cum_weights=words.weights, k=count)
    for at in r.sample(range(count), count // 4):
        tokens[at] = r.choices(topic, cum_weights=words.topic_weights)[0]
    for _ in range(r.randint(0, 6)):
        tokens.insert(r.randrange(len(tokens)), f"[[{title_of(int(total * r.random() ** 2), seed, words)}]]")
    body, at = [f"# {title}\n"] if r.random() < 0.6 else [], 0
    while at < len(tokens):
        kind, size = r.random(), r.randint(20, 60)
        part = tokens[at : at + size]
        at += size
        if kind < 0.2:
            body.append("## " + " ".join(part[:4]).capitalize() + "\n\n" + " ".join(part[4:]) + ".\n")
        elif kind < 0.35:
            body.append("\n".join("- " + " ".join(part[i : i + 9]) for i in range(0, len(part), 9)) + "\n")
        else:
            body.append(" ".join(part).capitalize() + ".\n")
    return front_matter(r, number, title, words, total, seed), "\n".join(body)


def front_matter(r: random.Random, number: int, title: str, words: Words, total: int, seed: int) -> str:
    made = 1_640_995_200 + int(r.random() * 120_000_000)

    def iso(at: float) -> str:
        return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(at))

    odd = r.random()
    tags = r.choices(words.tags, k=r.randint(0, 5))
    lines = [
        f"id: {r.getrandbits(64):016x}-{number:x}",
        f"type: {TYPES[min(5, int(r.expovariate(0.6)))]}",
        f'title: "{title}: part {number % 9}"' if odd > 0.98 else f"title: {title}",
        f"description: {' '.join(r.choices(words.all, cum_weights=words.weights, k=12)).capitalize()}.",
        "tags:\n" + "\n".join(f"  - {tag}" for tag in tags)
        if tags and odd < 0.4
        else f"tags: [{', '.join(tags)}]",
        f"aliases: [{title_of(number * 31 % total, seed, words).lower()}]" if odd < 0.3 else "aliases: []",
        f"created: {iso(made)}",
        f"updated: {iso(made + r.random() ** 3 * 20_000_000)}",
        f"author: {r.choice(('me', 'claude-code', 'codex'))}",
        f"importance: {r.random():.2f}",
        f"status: {r.choice(('stable', 'stable', 'stable', 'stable', 'draft', 'deprecated'))}",
        f"pinned: {'true' if r.random() < 0.03 else 'false'}",
    ]
    if odd < 0.01:
        lines.append("note: >-\n  folded text\n  over two lines")
    elif odd < 0.02:
        lines.append("extra: {kind: chat, id: 7}")
    elif odd < 0.022:
        lines.append("broken: [never closed")
    return "---\n" + "\n".join(lines) + "\n---\n\n"


def write(root: Path, count: int, seed: int = 7) -> int:
    """Write ``count`` pages below ``root``; returns their bytes."""
    words, size = vocabulary(seed), 0
    for number in range(count):
        front, body = page(number, seed, words, count)
        folder = root / f"area-{number % 40:02}" / f"{number // 40 % 12 + 1:02}"
        if number < 480:
            folder.mkdir(parents=True, exist_ok=True)
        stem = "-".join(title_of(number, seed, words).lower().split())
        data = (front + body).encode()
        size += len(data)
        (folder / f"{stem}-{number:x}.md").write_bytes(data)
    return size


def queries(count: int, seed: int = 7) -> Iterator[tuple[str, str]]:
    """(kind, query): natural questions, topic words, rare words, and questions of common words only."""
    words, r = vocabulary(seed), random.Random(f"{seed}:queries")
    for number in range(count):
        topic = words.topics[r.randrange(len(words.topics))]
        kind = ("question", "topic", "mixed", "rare", "common")[number % 5]
        if kind == "question":
            text = f"{r.choice(QUESTIONS)} {' '.join(r.choices(topic[:60], k=3))}"
        elif kind == "topic":
            text = " ".join(r.choices(topic[:60], k=3))
        elif kind == "mixed":
            text = " ".join(r.choices(topic, k=3) + r.choices(words.all[120:3000], k=2))
        elif kind == "rare":
            text = r.choice(words.all[8000:])
        else:
            text = f"{r.choice(QUESTIONS)} {' '.join(r.choices(words.all[60:140], k=3))}"
        yield kind, text
