"""A page made ready for the reader."""

from __future__ import annotations

from pathlib import Path

import pytest

from memex_core.memex import Memex
from memex_core.model.errors import NotFound
from memex_tui.pages import properties_of, read
from memex_tui.render.markdown.model import Link


def test_a_page_comes_with_its_text_links_and_neighbours(store: Path) -> None:
    with Memex(store) as memex:
        page = read(memex, "entities/rate-limits.md")
        assert (page.title, page.type, page.tags) == ("Rate limits", "entity", ("api", "limits"))
        assert page.body.startswith("Each API key")
        lines = (store / "docs" / page.path).read_text().splitlines()
        assert lines[page.first_line - 1].startswith("Each API key")
        assert page.targets["HTTP client"].path == "entities/http-client.md"
        assert page.links_out == 3
        assert {one.title for one in read(memex, "http-client").backlinks} == {"Rate limits"}
        assert dict(page.properties)["tags"] == ["api", "limits"]


def test_links_to_nothing_are_told(store: Path) -> None:
    with Memex(store) as memex:
        page = read(memex, "Tabs [/red] never [b]")
        resolve = page.hooks().resolve
        assert resolve(Link("wiki", "Missing page")) == "unresolved"
        assert resolve(Link("wiki", "")) == "resolved"
        assert page.target(Link("wiki", "Missing page")).path == ""  # type: ignore[union-attr]
        assert page.target(Link("wiki", "never written")) is None


def test_a_file_that_is_there_is_no_page_that_is_missing(tmp_path: Path) -> None:
    (tmp_path / "paper.pdf").write_bytes(b"%PDF")
    (tmp_path / "Reading.md").write_text("![[paper.pdf#page=2]] and ![[lost.pdf]]\n")
    with Memex(tmp_path, create=True) as memex:
        resolve = read(memex, "Reading").hooks().resolve
        assert resolve(Link("wiki", "paper.pdf", "page=2")) == "resolved"
        assert resolve(Link("wiki", "lost.pdf")) == "unresolved"
        assert memex.links("reading")["unresolved"] == ["lost.pdf"]


def test_turns_that_prove_a_page_are_counted(store: Path) -> None:
    with Memex(store) as memex:
        memex.write("entity", "Proven", "x", sources=["sess-limits#1", "sess-limits#3"])
        assert read(memex, "proven").turns == (("sess-limits", 1), ("sess-limits", 3))


def test_no_page_is_an_error(store: Path) -> None:
    with Memex(store) as memex, pytest.raises(NotFound):
        read(memex, "nobody/knows.md")


def test_maps_of_the_front_matter_are_said_in_words() -> None:
    said = properties_of(
        {
            "links": [{"target": "shop", "rel": "supports"}, {"target": "ada"}],
            "sources": [{"id": "s1", "resource": "memex:x#1", "title": "x, turn 1", "quote": "use ruff"}],
            "verified": [{"by": "human:ada", "at": "2026-11-27T12:10:00Z"}],
            "extra": {"kind": "chat", "id": 7},
        }
    )
    assert [one.value for one in said] == [
        "supports [[shop]] · relates-to [[ada]]",
        "x, turn 1: “use ruff”",
        "human:ada 2026-11-27",
        "kind: chat, id: 7",
    ]
