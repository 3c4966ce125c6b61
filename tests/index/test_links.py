"""Links between pages: resolved when indexed, and again whenever a page comes, goes or is renamed."""

from __future__ import annotations

from pathlib import Path

import pytest

from memex_core.index.index import Index
from tests.index.folders import put, same_as_built, vault


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "v"


@pytest.fixture
def index(folder: Path) -> Index:
    layout = vault(
        folder,
        {
            "Harbour.md": "---\naliases: [Old Port]\nrelated: '[[Loaf]]'\n---\n# The quay\n\n"
            "Line with [[Loaf|bread]] and ![[map.png]].\n\n[rel](bread/Loaf.md#crumb) [[Nowhere]]\n",
            "bread/Loaf.md": "# Loaf\n\n[[old port]] [[#crumb]] [[Loaf]]\n",
            "a/Same.md": "# one\n",
            "b/Same.md": "# two\n",
            "b/near.md": "[[Same]]\n",
            "far.md": "| [[Same\\|x]] |\n`[[Loaf]]` <!-- [[Loaf]] -->\n",
        },
    )
    (folder / "map.png").write_bytes(b"\x89PNG")
    opened = Index.open(layout)
    opened.refresh()
    return opened


def meant(index: Index, path: str) -> dict[str, str | None]:
    return {link.target: link.dst for link in index.links_from(path)}


def test_links_of_a_page(index: Index) -> None:
    found = [
        (link.target, link.form, link.dst, link.alias, link.heading)
        for link in index.links_from("Harbour.md")
    ]
    assert ("Loaf", "wiki", "bread/Loaf.md", "bread", None) in found
    assert ("Loaf", "front-matter", "bread/Loaf.md", None, None) in found
    assert ("bread/Loaf.md", "markdown", "bread/Loaf.md", "rel", "crumb") in found
    assert ("Nowhere", "wiki", None, None, None) in found
    assert meant(index, "bread/Loaf.md") == {
        "old port": "Harbour.md",
        "": "bread/Loaf.md",
        "Loaf": "bread/Loaf.md",
    }


def test_a_file_that_is_no_page_is_no_broken_link(index: Index) -> None:
    assert [(link.source, link.target) for link in index.unresolved()] == [("Harbour.md", "Nowhere")]
    (asset,) = index.db.execute("SELECT asset FROM link WHERE target = 'map.png'").fetchone()
    assert asset == "map.png"


def test_backlinks_with_their_line(index: Index) -> None:
    found = {(link.source, link.form, link.line, link.text) for link in index.links_to("bread/Loaf.md")}
    assert ("Harbour.md", "wiki", 7, "Line with [[Loaf|bread]] and ![[map.png]].") in found
    assert ("Harbour.md", "markdown", 9, "[rel](bread/Loaf.md#crumb) [[Nowhere]]") in found
    sources = {link.source for link in index.links_to("bread/Loaf.md")}
    assert sources == {"Harbour.md", "bread/Loaf.md"}  # code and comments are no links
    assert {(link.slug, link.title) for link in index.links_to("Harbour.md")} == {("loaf", "Loaf")}


def test_a_long_line_is_cut_around_the_link(index: Index, folder: Path) -> None:
    put(folder, "long.md", "x " * 5_000 + "[[Loaf]]" + " y" * 5_000 + "\n")
    index.refresh()
    (text,) = (link.text for link in index.links_to("bread/Loaf.md") if link.source == "long.md")
    assert "[[Loaf]]" in text
    assert len(text) <= 320


def test_ambiguity_is_kept_and_the_nearest_wins(index: Index) -> None:
    found = {link.source: (link.dst, sorted(link.ambiguous)) for link in index.ambiguous()}
    assert found == {
        "b/near.md": ("b/Same.md", ["a/Same.md", "b/Same.md"]),
        "far.md": ("a/Same.md", ["a/Same.md", "b/Same.md"]),
    }


def test_a_new_page_catches_the_links_that_waited(index: Index, folder: Path, tmp_path: Path) -> None:
    put(folder, "deep/Nowhere.md", "here now\n")
    index.refresh()
    assert meant(index, "Harbour.md")["Nowhere"] == "deep/Nowhere.md"
    assert index.unresolved() == []
    (folder / "deep/Nowhere.md").unlink()
    index.refresh()
    assert meant(index, "Harbour.md")["Nowhere"] is None
    same_as_built(index, tmp_path / "other.db")


def test_a_page_without_md_links_answers_to_title_and_alias_changes(
    index: Index, folder: Path, tmp_path: Path
) -> None:
    put(folder, "quoting.md", "[[The quay]] [[New Port]]\n")
    index.refresh()
    assert meant(index, "quoting.md") == {"The quay": "Harbour.md", "New Port": None}
    put(folder, "Harbour.md", "---\naliases: [New Port]\n---\n# Another quay\n\n[[Loaf]]\n")
    index.refresh()
    assert meant(index, "quoting.md") == {"The quay": None, "New Port": "Harbour.md"}
    assert meant(index, "bread/Loaf.md")["old port"] is None
    same_as_built(index, tmp_path / "other.db")


def test_titles_with_the_same_letters_are_not_the_same(index: Index, folder: Path) -> None:
    put(folder, "x.md", "---\ntitle: A-B\n---\n")
    put(folder, "y.md", "[[A-B]] [[A B]]\n")
    index.refresh()
    assert meant(index, "y.md") == {"A-B": "x.md", "A B": None}
    put(folder, "x.md", "---\ntitle: A B\n---\n")
    index.refresh()
    assert meant(index, "y.md") == {"A-B": None, "A B": "x.md"}


def test_one_of_two_goes_and_ambiguity_with_it(index: Index, folder: Path, tmp_path: Path) -> None:
    (folder / "a/Same.md").unlink()
    index.refresh()
    assert index.ambiguous() == []
    assert meant(index, "far.md") == {"Same": "b/Same.md"}
    same_as_built(index, tmp_path / "other.db")


def test_a_picture_that_comes_and_goes(index: Index, folder: Path, tmp_path: Path) -> None:
    (folder / "map.png").unlink()
    index.refresh()
    assert ("Harbour.md", "map.png") in [(link.source, link.target) for link in index.unresolved()]
    (folder / "art").mkdir()
    (folder / "art/map.png").write_bytes(b"\x89PNG")
    index.refresh()
    (asset,) = index.db.execute("SELECT asset FROM link WHERE target = 'map.png'").fetchone()
    assert asset == "art/map.png"
    same_as_built(index, tmp_path / "other.db")


def test_a_label_may_be_the_target(index: Index, folder: Path, tmp_path: Path) -> None:
    put(folder, "notes/food.soup.md", "# soup\n")
    put(folder, "menu.md", "[[food.soup|today's soup]] [[our soup|food.soup]]\n")
    index.refresh()
    assert meant(index, "menu.md") == {"food.soup": "notes/food.soup.md", "our soup": "notes/food.soup.md"}
    (folder / "notes/food.soup.md").unlink()
    index.refresh()
    assert set(meant(index, "menu.md").values()) == {None}
    same_as_built(index, tmp_path / "other.db")


def test_resolving_without_an_indexed_link(index: Index) -> None:
    assert index.resolve("loaf", "wiki", "far.md") == "bread/Loaf.md"
    assert index.resolve("no such", "wiki", "far.md") is None
    found = index.resolve_full("Same", "wiki", "a/x.md")
    assert found.path == "a/Same.md"
    assert sorted(found.ambiguous) == ["a/Same.md", "b/Same.md"]
    assert index.resolve("Loaf.md", "markdown", "bread/x.md") == "bread/Loaf.md"


def test_whether_a_name_will_be_unique_after_a_move(index: Index) -> None:
    unique = index.unique_after_move("bread/Loaf.md", "bread/Rye.md")
    assert unique("Rye")
    assert not unique("Same")
    unique = index.unique_after_move("bread/Loaf.md", "bread/Same.md")
    assert not unique("Same")
    assert index.unique_after_move("a/Same.md", "a/Other.md")("Other")


def test_the_graph_around_a_page(index: Index) -> None:
    made = index.graph("Harbour.md", hops=1)
    nodes = {node.id: node for node in made.nodes}
    assert set(nodes) == {"Harbour.md", "bread/Loaf.md", "Nowhere"}
    assert nodes["Nowhere"].ghost
    assert not nodes["bread/Loaf.md"].ghost
    assert (nodes["Harbour.md"].distance, nodes["bread/Loaf.md"].distance) == (0, 1)
    assert ("Harbour.md", "bread/Loaf.md") in {(edge.src, edge.dst) for edge in made.edges}
    assert made.omitted == 0
    assert index.graph("Harbour.md", hops=1, limit=2).omitted == 1
    assert index.graph("no such page.md").nodes == ()
    everything = index.graph(None, limit=100)
    assert {node.id for node in everything.nodes} >= set(index.paths())


def test_fifty_thousand_links_on_one_page(index: Index, folder: Path) -> None:
    """LG-01."""
    put(folder, "hub.md", "".join(f"[[t{number}]]\n" for number in range(50_000)))
    index.refresh()
    assert len(index.links_from("hub.md")) == 50_000
    put(folder, "t49999.md", "last\n")
    index.refresh()
    assert [link.source for link in index.links_to("t49999.md")] == ["hub.md"]
