"""Whatever a link can mean has the link's key: the index resolves among those only."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memex_core.model.names import (
    NameTable,
    folder_of,
    key_of_target,
    keys_of,
    keys_of_asset,
    stem_of,
    without_ending,
)
from memex_core.model.resolve import resolve


def keys(path: str, *aliases: str, title: str = "") -> set[str]:
    return {key for _, key in keys_of(path, aliases, title)}


def test_parts_of_a_path() -> None:
    assert (stem_of("a/b c.v2.md"), stem_of("x.MD"), stem_of("y.markdown")) == ("b c.v2", "x", "y")
    assert (folder_of("a/b/c.md"), folder_of("c.md")) == ("a/b", "")
    assert (without_ending(".md"), without_ending("a.md.md"), without_ending("a.txt")) == (
        ".md",
        "a.md",
        "a.txt",
    )


@pytest.mark.parametrize(
    ("target", "path", "aliases", "title"),
    [
        ("kitchen/Rye Loaf.md", "kitchen/rye-loaf.md", (), ""),
        ("../rye-loaf", "kitchen/Rye loaf.md", (), ""),
        ("Rye loaf/", "kitchen/Rye loaf.md", (), ""),
        ("kitchen\\Rye loaf", "kitchen/Rye loaf.md", (), ""),
        ("The Black One", "kitchen/Rye loaf.md", ("the black one",), ""),
        ("Tide/Tables", "Tide___Tables.md", (), ""),
        ("food/soup", "food.soup.md", (), ""),
        ("Enable/Disable", "enable-disable.md", (), "Enable/Disable"),
        ("index-page", "a/index.md", (), ""),
        ("STRASSE", "straße.md", (), ""),
        ("A\u030ase", "\u00e5se.md", (), ""),
        ("🚀", "🚀.md", (), ""),
        ("notes.md", "notes.md.md", (), ""),
    ],
)
def test_a_link_and_its_page_share_a_key(
    target: str, path: str, aliases: tuple[str, ...], title: str
) -> None:
    assert key_of_target(target) in keys(path, *aliases, title=title)
    table = NameTable()
    table.add(path, aliases, title)
    assert resolve(target, "wiki", "kitchen/x.md", table).path == path


def test_assets_have_the_key_of_their_name() -> None:
    assert keys_of_asset("a/my pot.png") == [("asset", key_of_target("b/My Pot.PNG"))]


def test_every_key_once_and_with_its_kind() -> None:
    found = keys_of("food.soup.md", ["Soup", "the soup"], "Food soup")
    assert found == [("stem", "foodsoup"), ("space", "soup"), ("alias", "thesoup")]


NAME = st.text(alphabet="aAbBßéE\u0301İıſ-_ .1/🚀Ǆ漢々", min_size=1, max_size=8)
PAGE = st.tuples(st.lists(NAME, min_size=1, max_size=2).map("/".join), st.lists(NAME, max_size=2), NAME)


@settings(max_examples=600, deadline=None)
@given(
    st.lists(PAGE, max_size=6),
    NAME,
    st.sampled_from(["wiki", "markdown"]),
    st.sampled_from(["", "a/", "b/a/"]),
)
def test_resolving_among_those_with_the_key_is_resolving_among_all(
    pages: list[tuple[str, list[str], str]], target: str, form: str, folder: str
) -> None:
    """The property the index relies on."""
    everything, some = NameTable(), NameTable()
    key = key_of_target(target)
    for name, aliases, title in pages:
        path = "/".join(part for part in name.split("/") if part.strip(".")) + ".md"
        everything.add(path, aliases, title)
        if key in keys(path, *aliases, title=title):
            some.add(path, aliases, title)
    source = f"{folder}source.md"
    assert resolve(target, form, source, some) == resolve(target, form, source, everything)
