"""Which texts get a vector, and with what before them."""

from __future__ import annotations

from pathlib import Path

from memex_core import Memex
from memex_core.files.scrubbing import Scrubber
from memex_core.learn.embeddable import SECTION, SECTIONS, documents, sections, texts


def test_a_short_page_is_one_text() -> None:
    assert sections("## One\n\nText.\n") == [("", "## One\n\nText.")]
    assert sections("") == [("", "")]


def test_a_long_page_is_cut_at_its_headings_small_parts_together() -> None:
    body = "Before.\n\n" + "".join(f"## Part {n}\n\n{'word ' * 160}\n\n" for n in range(5))
    found = sections(body)
    assert [heading for heading, _ in found] == ["", "Part 2", "Part 4"]
    assert all(len(text) <= SECTION for _, text in found)
    assert "".join(text for _, text in found).count("word") == 800


def test_a_part_without_headings_is_cut_between_words_and_a_huge_page_has_an_end() -> None:
    found = sections("word " * 1000)
    assert len(found) == 3
    assert all(text.startswith("word") and text.endswith("word") for _, text in found)
    assert len(sections("word " * 100_000)) == SECTIONS


def test_a_heading_in_code_is_none() -> None:
    body = "x" * 1900 + "\n\n```\n# no heading\n```\n\n" + "y" * 300
    assert {heading for heading, _ in sections(body)} == {""}


def test_pages_come_newest_first_and_archived_ones_not_at_all(memex: Memex) -> None:
    for title, updated in (("Old", "2024-01-01"), ("New", "2026-01-01"), ("Gone", "2025-01-01")):
        path = Path(memex.root, "docs", f"{title.lower()}.md")
        status = "status: deprecated\n" if title == "Gone" else ""
        path.write_text(f"---\nupdated: {updated}\n{status}---\n# {title}\n\nText.\n")
    index = memex.store.index
    assert [one.name for one in documents(index.db, ["pages"])] == ["new.md", "old.md"]


def test_a_file_that_is_not_what_the_index_says_is_left_for_the_next_time(memex: Memex) -> None:
    memex.write(type="entity", title="Page", body="One.")
    (document,) = documents(memex.store.index.db, ["pages"])
    layout = memex.store.layout
    assert [
        one.text.splitlines()[-1] for one in texts(memex.store.index.db, layout, document, Scrubber())
    ] == ["One."]
    path = Path(layout.file_path(document.name))
    path.write_text(path.read_text().replace("One.", "Two."))
    assert texts(memex.store.index.db, layout, document, Scrubber()) == []
    path.unlink()
    assert texts(memex.store.index.db, layout, document, Scrubber()) == []


def test_the_description_goes_with_the_first_part(memex: Memex) -> None:
    memex.write(
        type="entity", title="Page", description="What it is.", body="Body.", occurred_at="2025-04-05"
    )
    (document,) = documents(memex.store.index.db, ["pages"])
    (one,) = texts(memex.store.index.db, memex.store.layout, document, Scrubber())
    assert one.text == "Page · 2025-04-05\nWhat it is.\nBody."


def test_a_long_turn_is_several_texts(memex: Memex) -> None:
    memex.ingest_transcript("s-1", turns=[{"role": "user", "name": "Ada", "content": "word " * 900}])
    (document,) = documents(memex.store.index.db, ["transcripts"])
    found = texts(memex.store.index.db, memex.store.layout, document, Scrubber())
    assert [one.place.at for one in found] == [0, 1, 2]
    assert all(one.text.split("\n")[0].endswith("Ada") for one in found)
    assert {(0, one.place.print) for one in found if one.place.at == 0} <= set(document.marks)
