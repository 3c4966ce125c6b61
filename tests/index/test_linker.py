"""The short way to what links mean says what the long way says."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from memex_core.index import linker
from memex_core.index.entries import ENTRY_COLUMNS, Entry
from memex_core.index.linker import Named
from memex_core.index.links import outcome
from memex_core.model.resolve import NameTable, key_of_target, keys_of, label_target, resolve

FOLDERS = st.sampled_from(["", "Food/", "food/", "Food/Warm/", "log/"])
NAMES = st.sampled_from(
    ["Soup", "soup", "Rye loaf", "rye-loaf", "index", "Tide___Tables", "tide.tables", "🚀"]
)
TITLES = st.sampled_from(["", "Soup", "Rye Loaf", "Our daily bread", "A/B", "v1.2"])
PAGES = st.dictionaries(
    st.builds("{}{}.md".format, FOLDERS, NAMES), st.tuples(TITLES, st.lists(TITLES.filter(bool), max_size=2))
)
ASSETS = st.lists(
    st.builds("{}{}".format, FOLDERS, st.sampled_from(["Soup.png", "soup", "v1.2"])), unique=True
)
TARGETS = st.one_of(
    NAMES,
    TITLES,
    st.builds("{}{}{}".format, FOLDERS, NAMES, st.sampled_from(["", ".md", "/"])),
    st.sampled_from(
        ["..", ".", "../Soup", "./soup", "/Soup", " Soup ", "Tide/Tables", "a\\Soup", "Soup.png", "nobody"]
    ),
)
FORMS = st.sampled_from(["wiki", "embed", "markdown", "typed", "front-matter"])
ALIASES = st.sampled_from([None, "shown", "food.soup", "tide.tables", "Food/Soup"])


def entry(path: str, title: str, aliases: list[str]) -> Entry:
    row = dict.fromkeys(ENTRY_COLUMNS, "")
    row |= {"path": path, "title": title, "aliases": json.dumps(aliases) if aliases else ""}
    return tuple(row.values()), (), [], keys_of(path, aliases, title), []


def link(target: str, form: str, alias: str | None) -> tuple[Any, ...]:
    label = label_target(alias) if alias else None
    return (target, key_of_target(target), key_of_target(label) if label else None, form, "", alias)


@given(PAGES, ASSETS, st.lists(st.tuples(TARGETS, FORMS, ALIASES), max_size=12))
@example({"Soup.md": ("", []), "x.md": ("Soup", [])}, [], [("soup", "wiki", None)])
@example({"x.md": ("", [])}, ["Food/Soup.png", "v1.2"], [("Soup.png", "embed", None), ("v1.2", "wiki", None)])
@example({"a/x.md": ("v1.2", [])}, ["v1.2"], [("v1.2", "wiki", None)])
@example({"tide.tables.md": ("", [])}, [], [("nobody", form, "tide.tables") for form in ("wiki", "embed")])
@example({"x.md": ("", []), "tide.tables.md": ("", [])}, [], [("nobody", "wiki", "tide.tables")])
@example(
    {"rye-loaf.md": ("Our daily bread", [])},
    [],
    [("OUR DAILY BREAD", "wiki", None), ("ryeloaf", "wiki", None)],
)
def test_each_link_means_what_all_names_together_say(
    pages: dict[str, tuple[str, list[str]]], assets: list[str], links: list[tuple[str, str, str | None]]
) -> None:
    named, table = Named(), NameTable()
    ids = {path: number for number, path in enumerate(pages, 1)}
    for path, (title, aliases) in pages.items():
        named.add(ids[path], entry(path, title, aliases))
        table.add(path, aliases, title)
    named.add_assets(assets)
    for path in assets:
        table.add_asset(path)
    for path, number in ids.items():
        for target, form, alias in links:
            meant = outcome(resolve(target, form, path, table, alias=alias), ids, number, path)
            assert named.meaning(number, link(target, form, alias)) == meant


def test_what_was_forgotten_is_fetched_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(linker, "_REMEMBERED", 1)
    named = Named()
    for number, path in enumerate(("a/Soup.md", "b/Soup.md", "a/Tea.md", "b/Tea.md"), 1):
        named.add(number, entry(path, "", []))
    for page, soup, tea in ((1, 1, 3), (2, 2, 4)) * 4:
        assert named.meaning(page, link("Soup", "wiki", None))[0] == soup
        assert named.meaning(page, link("Tea", "wiki", None))[0] == tea
