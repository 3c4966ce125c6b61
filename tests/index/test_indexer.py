"""What one page becomes in the tables, and that changes leave what building anew would make."""

from __future__ import annotations

import json
import os
import random
from pathlib import Path

import pytest

from memex_core.files.reading import read_page
from memex_core.files.scan import Stat
from memex_core.index.analyse import Analyser
from memex_core.index.entries import ENTRY_COLUMNS, MTIME, entry_of, held, make
from memex_core.index.index import Index
from tests.index.folders import hits, put, same_as_built, vault

PAGE = """---
type: entity
title: "Rye: a loaf"
aliases: [Black bread]
tags: [bread, Baking/Slow]
description: Dark and sour.
created: 2024-05-01
importance: 0.8
id: 11111111-2222-4333-8444-555555555555
keeper: Odile Brandt
code: 0815-x
---
# Rye: a loaf

Needs a [[Starter|sour starter]] and http_client.send. #grain

## Oven heat

See [the list](../lists/flours.md), [[Nowhere]] and naïve übung.
"""


@pytest.fixture
def index(tmp_path: Path) -> Index:
    layout = vault(
        tmp_path / "v",
        {
            "bread/Rye loaf.md": PAGE,
            "bread/Starter.md": "# Starter\n\nFlour and water.\n",
            "lists/flours.md": "Just text about grain.\n",
        },
    )
    return Index.open(layout)


def test_a_page_becomes_a_row(index: Index) -> None:
    row = index.row("bread/Rye loaf.md")
    assert row is not None
    assert (row.title, row.slug, row.type, row.status, row.scope) == (
        "Rye: a loaf",
        "rye-loaf",
        "entity",
        "stable",
        "global",
    )
    assert (row.created, row.importance, row.description) == ("2024-05-01", 0.8, "Dark and sour.")
    assert row.aliases == ["Black bread"]
    assert [tag.casefold() for tag in row.tags] == ["bread", "baking/slow"]
    assert row.uid == "11111111-2222-4333-8444-555555555555"
    assert len(row.digest) == 32
    tags = {tag for (tag,) in index.db.execute("SELECT tag FROM tag WHERE page = ?", (row.id,))}
    assert tags == {"bread", "baking/slow", "grain"}
    (front,) = index.db.execute("SELECT front FROM page WHERE id = ?", (row.id,)).fetchone()
    assert json.loads(front)["keeper"] == "Odile Brandt"


def test_every_part_of_a_page_is_found(index: Index) -> None:
    for word in (
        "rye",
        "black",
        "loaf",
        "slow",
        "sour",
        "grain",
        "starter",
        "odil",
        "oven",
        "http_client.send",
        "naïve",
    ):
        assert hits(index, word) == ["bread/Rye loaf.md"] or "bread/Rye loaf.md" in hits(index, word), word
    assert hits(index, "0815-x") == []  # identifiers in unknown keys are asked for with prop:
    assert hits(index, "flour") == ["bread/Rye loaf.md", "bread/Starter.md", "lists/flours.md"]  # its name


def test_titles_fall_back(index: Index) -> None:
    assert index.row("lists/flours.md").title == "flours"  # type: ignore[union-attr]


def test_an_untouched_page_keeps_what_is_not_its_text(index: Index) -> None:
    index.touch(["bread/Rye loaf.md"], "2026-01-02T03:04:05Z")
    before = index.row("bread/Rye loaf.md")
    put(Path(index.layout.pages), "bread/Rye loaf.md", PAGE.replace("sour starter", "sweet starter"))
    assert index.update(["bread/Rye loaf.md"]).changed == ("bread/Rye loaf.md",)
    after = index.row("bread/Rye loaf.md")
    assert before is not None
    assert after is not None
    assert (after.id, after.access_count, after.last_access) == (before.id, 1, "2026-01-02T03:04:05Z")
    assert hits(index, "sweet") == ["bread/Rye loaf.md"]
    assert after.digest != before.digest


def test_old_words_are_gone(index: Index, tmp_path: Path) -> None:
    """FT-09: no ghost rows after an edit or a deletion."""
    folder = Path(index.layout.pages)
    put(folder, "lists/flours.md", "Nothing of the kind.\n")
    (folder / "bread/Starter.md").unlink()
    index.refresh()
    assert hits(index, "water") == []
    assert hits(index, "grain") == ["bread/Rye loaf.md"]
    rows = index.db.execute("SELECT count(*) FROM page_fts").fetchone()[0]
    assert rows == index.total() == 2
    same_as_built(index, tmp_path / "other.db")


def test_a_word_at_the_end_of_a_large_page_is_found(index: Index) -> None:
    """FT-08."""
    put(Path(index.layout.pages), "big.md", "filler words here\n" * 60_000 + "needle\n")
    index.refresh()
    assert hits(index, "needl") == ["big.md"]


def test_odd_bytes_are_indexed_and_left_alone(index: Index) -> None:
    folder = Path(index.layout.pages)
    odd = {
        "nul.md": b"before\0after needle1\n",
        "latin.md": b"caf\xe9 needle2\n",
        "empty.md": b"",
        "broken.md": b"---\ntitle: [never closed\n---\nneedle3 body\n",
        "surrogate.md": b'---\ntitle: "half \\ud800 pair"\n---\nneedle4\n',
        "stamp.md": b"---\ntitle: 2024-06-01\n---\nneedle5\n",
        "crlf.md": b"\xef\xbb\xbf---\r\ntitle: Windows\r\ntags: [a]\r\n---\r\nneedle6\r\n",
    }
    for name, data in odd.items():
        put(folder, name, data)
    change = index.refresh()
    assert sorted(change.added) == sorted(odd)
    for number, name in (
        (1, "nul.md"),
        (2, "latin.md"),
        (3, "broken.md"),
        (4, "surrogate.md"),
        (5, "stamp.md"),
    ):
        assert hits(index, f"needle{number}") == [name]
    assert index.row("stamp.md").title == "2024-06-01"  # type: ignore[union-attr]
    assert index.row("crlf.md").title == "Windows"  # type: ignore[union-attr]
    assert {name: (folder / name).read_bytes() for name in odd} == odd


def test_a_fresh_mtime_is_not_trusted(index: Index) -> None:
    folder = Path(index.layout.pages)
    file = put(folder, "young.md", "one\n", age=0)
    stat = file.stat()
    found = make(index.layout, [Stat("young.md", stat.st_mtime_ns, stat.st_size, stat.st_ino)], Analyser())
    assert found[0][0][MTIME] == -stat.st_mtime_ns
    old = put(folder, "old.md", "one\n", age=5).stat()
    found = make(index.layout, [Stat("old.md", old.st_mtime_ns, old.st_size, old.st_ino)], Analyser())
    assert found[0][0][MTIME] == old.st_mtime_ns


def test_an_entry_of_a_page_just_written_is_that_of_its_file(index: Index) -> None:
    path = "bread/Rye loaf.md"
    file = Path(index.layout.pages, path)
    data, at = file.read_bytes(), file.stat()
    page = read_page(path, data)
    known = entry_of(index.layout, held(path, data, at, page), Analyser())
    parsed = entry_of(index.layout, held(path, data, at, None), Analyser())
    (read,) = make(index.layout, [Stat(path, at.st_mtime_ns, at.st_size, at.st_ino)], Analyser())
    assert known == parsed
    assert known[1:] == read[1:]
    assert known[0][MTIME] == -at.st_mtime_ns  # whoever was at it in the same moment must be found
    assert [*known[0][:MTIME], *known[0][MTIME + 1 :]] == [*read[0][:MTIME], *read[0][MTIME + 1 :]]


def test_an_edit_is_one_segment(index: Index) -> None:
    def segments() -> int:
        found: int = index.db.execute("SELECT count(DISTINCT segid) FROM page_fts_idx").fetchone()[0]
        return found

    before = segments()
    put(Path(index.layout.pages), "bread/Rye loaf.md", "# Rye: a loaf\n\nrowan\n")
    assert index.update(["bread/Rye loaf.md"]).changed == ("bread/Rye loaf.md",)
    assert segments() == before + 1
    assert hits(index, "rowan") == ["bread/Rye loaf.md"]


def test_a_vanished_file_is_no_entry(index: Index) -> None:
    assert make(index.layout, [Stat("gone.md", 1, 1, 1)], Analyser()) == []


def test_entries_have_the_columns_they_say(index: Index) -> None:
    stat = Stat("bread/Rye loaf.md", 1, 1, 1)
    (entry,) = make(index.layout, [stat], Analyser())
    assert len(entry[0]) == len(ENTRY_COLUMNS)
    assert entry[0][ENTRY_COLUMNS.index("title")] == "Rye: a loaf"
    assert len(entry[1]) == 7


WORDS = "ash birch cedar elm fir hazel larch maple oak pine rowan spruce willow yew".split()


def random_page(rng: random.Random, names: list[str]) -> str:
    parts = []
    if rng.random() < 0.7:
        front = ["---"]
        if rng.random() < 0.6:
            front.append(f"title: {' '.join(rng.choices(WORDS, k=2)).title()}")
        if rng.random() < 0.5:
            front.append(f"aliases: [{rng.choice(WORDS)} {rng.choice(WORDS)}]")
        if rng.random() < 0.5:
            front.append(f"tags: [{rng.choice(WORDS)}, {rng.choice(WORDS).upper()}]")
        if rng.random() < 0.2:
            front.append("status: draft")
        parts.append("\n".join([*front, "---", ""]))
    for _ in range(rng.randrange(4)):
        kind = rng.randrange(5)
        name = rng.choice(names)
        stem = name.rsplit("/", 1)[-1][:-3]
        words = " ".join(rng.choices(WORDS, k=4))
        parts.append(
            [
                f"# {words}",
                f"{words} [[{stem}]]",
                f"[{words}](/{name.replace(' ', '%20')})",
                f"[[{words[:9]}|{stem}]]",
            ][kind % 4]
            if kind
            else f"[[{stem.upper()}#{words}]] http_{stem}.x"
        )
    return "\n\n".join(parts) + "\n"


@pytest.mark.parametrize("seed", range(6))
def test_any_sequence_of_edits_leaves_what_a_rebuild_makes(tmp_path: Path, seed: int) -> None:
    """The index equals the disk whatever happened, step by step: edits, moves, deletions, copies, links."""
    rng = random.Random(seed)
    folder = tmp_path / "v"
    names = [f"{rng.choice(['', 'a/', 'a/b/', 'C/'])}{rng.choice(WORDS)}{n}.md" for n in range(14)]
    layout = vault(folder, {name: random_page(rng, names) for name in names[:8]})
    age = 1_000_000.0
    with Index.open(layout) as index:
        for _ in range(14):
            for _ in range(rng.randrange(1, 4)):
                age -= 10
                here = sorted(str(path.relative_to(folder)) for path in folder.rglob("*.md"))
                kind = rng.randrange(6)
                if kind <= 2 or not here:
                    put(folder, rng.choice(names), random_page(rng, names), age=age)
                elif kind == 3:
                    (folder / rng.choice(here)).unlink()
                elif kind == 4:
                    target = folder / rng.choice(names)
                    target.parent.mkdir(parents=True, exist_ok=True)
                    (folder / rng.choice(here)).rename(target)
                else:
                    put(folder, rng.choice(names), (folder / rng.choice(here)).read_bytes(), age=age)
            if rng.random() < 0.5:
                index.refresh()
            else:
                index.update([*names, "never.md"])
        index.refresh()
        same_as_built(index, tmp_path / "other.db")
        assert index.refresh() == type(index.refresh())()


def created(index: Index, path: str) -> str:
    row = index.row(path)
    assert row is not None
    return row.created


def test_a_page_without_a_date_was_made_when_its_file_was_at_the_latest(tmp_path: Path) -> None:
    layout = vault(tmp_path / "v", {"plain.md": "# Plain\n", "said.md": "---\ncreated: 2024-05-01\n---\nx\n"})
    file, said = tmp_path / "v" / "plain.md", tmp_path / "v" / "said.md"
    os.utime(file, (1_600_000_000, 1_600_000_000))
    with Index.open(layout) as index:
        assert created(index, "plain.md") == "2020-09-13T12:26:40Z"
        put(tmp_path / "v", "plain.md", "# Plain\n\nChanged.\n")  # saved again, by whatever means
        put(tmp_path / "v", "said.md", "---\ncreated: 2025-05-01\n---\nx\n")
        index.refresh()
        assert index.row("plain.md").updated > "2026"  # type: ignore[union-attr]
        assert created(index, "plain.md") == "2020-09-13T12:26:40Z"
        assert created(index, "said.md") == "2025-05-01"  # what a page says counts
        file.rename(file.with_name("moved.md"))
        said.write_text("no date any more\n")
        index.refresh()
        assert created(index, "moved.md") == "2020-09-13T12:26:40Z"
        index.rebuild()
        assert created(index, "moved.md") == "2020-09-13T12:26:40Z"
        assert created(index, "said.md") == "2025-05-01"
        os.utime(file.with_name("moved.md"), (1_500_000_000, 1_500_000_000))
        index.refresh()
        assert created(index, "moved.md") == "2017-07-14T02:40:00Z"  # older than was known


def test_a_page_that_says_only_when_it_was_changed_was_made_no_later(tmp_path: Path) -> None:
    with Index.open(vault(tmp_path / "v", {"a.md": "---\nupdated: 2021-02-03\n---\nx\n"})) as index:
        assert created(index, "a.md") == "2021-02-03"
