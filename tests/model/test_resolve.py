"""One order of names: path, folder, file name, slug, alias, title; case and composition never matter."""

from __future__ import annotations

import unicodedata

import pytest

from memex_core.model.resolve import NOWHERE, NameTable, Resolver, answers_alone, label_target, resolve

NFD_ASE = unicodedata.normalize("NFD", "people/Åse & Søn.md")


def vault() -> NameTable:
    table = NameTable()
    table.add("Harbour.md", ["The Quay", "Old Port"], "Harbour: a field guide")
    table.add("recipes/Rye loaf.md", ["Black loaf"], "Rye loaf")
    table.add("recipes/index.md", [], "Recipes")
    table.add("logbook/index.md", [], "Logbook")
    table.add("logbook/2024-05-01.md", [], "Fog")
    table.add(NFD_ASE, ["@ase"], "Åse & Søn")
    table.add("Tide___Tables.md", ["high water"], "Tide/Tables")
    table.add("notes/food.soup.md", [], "Soup")
    table.add("food.stew.md", [], "Stew")
    table.add("docs/entities/multi-agent-runs.md", [], "Multi-agent runs!")
    table.add("notes_(old).md", [], "")
    table.add("deep/Kitchen/Food/Salt.md", [], "")
    table.add("tricky.md", ["../x"], ".hidden")
    table.add_asset("assets/quay map.png")
    table.add_asset("recipes/assets/quay map.png")
    table.add_asset("logo.svg")
    return table


@pytest.mark.parametrize(
    ("target", "source", "path", "via"),
    [
        ("", "recipes/index.md", "recipes/index.md", "self"),
        ("Harbour", "recipes/index.md", "Harbour.md", "path"),
        ("harbour", "recipes/index.md", "Harbour.md", "path"),
        ("Harbour.md", "recipes/index.md", "Harbour.md", "path"),
        ("Harbour/", "recipes/index.md", "Harbour.md", "path"),
        (" Harbour ", "recipes/index.md", "Harbour.md", "path"),
        ("/Harbour", "recipes/index.md", "Harbour.md", "path"),
        ("/recipes/rye loaf.md", "x.md", "recipes/Rye loaf.md", "path"),
        ("../Harbour", "logbook/index.md", "Harbour.md", "relative"),
        ("./Rye loaf", "recipes/index.md", "recipes/Rye loaf.md", "relative"),
        ("recipes/Rye loaf", "x.md", "recipes/Rye loaf.md", "path"),
        ("recipes\\Rye loaf", "x.md", "recipes/Rye loaf.md", "path"),
        ("Food/Salt", "deep/Kitchen/a.md", "deep/Kitchen/Food/Salt.md", "folder"),
        ("Rye loaf", "recipes/index.md", "recipes/Rye loaf.md", "folder"),
        ("Rye loaf", "x.md", "recipes/Rye loaf.md", "stem"),
        ("Food/Salt", "x.md", "deep/Kitchen/Food/Salt.md", "suffix"),
        ("rye-loaf", "x.md", "recipes/Rye loaf.md", "slug"),
        ("recipes/rye-loaf", "x.md", "recipes/Rye loaf.md", "slug"),
        ("Multi agent runs", "x.md", "docs/entities/multi-agent-runs.md", "slug"),
        ("the quay", "x.md", "Harbour.md", "alias"),
        ("Recipes", "x.md", "recipes/index.md", "title"),
        ("harbour: A field guide", "x.md", "Harbour.md", "title"),
        ("Tide/Tables", "x.md", "Tide___Tables.md", "title"),
        ("food/stew", "x.md", "food.stew.md", "namespace"),
        ("food.soup", "x.md", "notes/food.soup.md", "stem"),
        ("Åse & Søn", "x.md", NFD_ASE, "stem"),
        ("quay map.png", "recipes/index.md", "recipes/assets/quay map.png", "asset"),
        ("logo.svg", "recipes/index.md", "logo.svg", "asset"),
        ("assets/quay map.png", "x.md", "assets/quay map.png", "path"),
        ("../x", "tricky.md", "tricky.md", "alias"),
        (".hidden", "x.md", "tricky.md", "title"),
    ],
)
def test_wiki_targets(target: str, source: str, path: str, via: str) -> None:
    found = resolve(target, "wiki", source, vault())
    assert (found.path, found.via) == (path, via)


@pytest.mark.parametrize(
    ("target", "source", "path", "via"),
    [
        ("Rye loaf.md", "recipes/index.md", "recipes/Rye loaf.md", "folder"),
        ("recipes/Rye loaf.md", "x.md", "recipes/Rye loaf.md", "folder"),
        ("recipes/Rye loaf.md", "logbook/index.md", "recipes/Rye loaf.md", "path"),
        ("HARBOUR.md", "x.md", "Harbour.md", "folder"),
        ("Harbour", "x.md", "Harbour.md", "folder"),
        ("../Harbour.md", "logbook/index.md", "Harbour.md", "relative"),
        ("/Harbour.md", "logbook/index.md", "Harbour.md", "path"),
        ("recipes\\Rye loaf.md", "x.md", "recipes/Rye loaf.md", "folder"),
        ("../wrong/Food/Salt.md", "a/b.md", None, ""),
        ("../Food/Salt.md", "a/b.md", "deep/Kitchen/Food/Salt.md", "suffix"),
        ("notes_(old).md", "x.md", "notes_(old).md", "folder"),
    ],
)
def test_markdown_targets(target: str, source: str, path: str | None, via: str) -> None:
    found = resolve(target, "markdown", source, vault())
    assert (found.path, found.via) == (path, via)


@pytest.mark.parametrize(
    ("target", "source"),
    [
        ("../Harbour", "x.md"),
        ("../../Harbour", "recipes/index.md"),
        ("../recipes/../../Harbour.md", "x.md"),
        ("a/../../Harbour", "x.md"),
        ("/../Harbour", "x.md"),
        ("..", "x.md"),
        ("/", "x.md"),
        ("../rye-loaf", "x.md"),
    ],
)
@pytest.mark.parametrize("form", ["wiki", "markdown"])
def test_nothing_outside_the_root(target: str, source: str, form: str) -> None:
    assert resolve(target, form, source, vault()) == NOWHERE


@pytest.mark.parametrize(
    "target", ["Lighthouse", "recipes/none.md", "index-pag", "Harbour.png", "loaf", "..."]
)
def test_what_nobody_wrote_yet(target: str) -> None:
    assert resolve(target, "wiki", "x.md", vault()) == NOWHERE


def test_a_wanted_index_is_not_a_page_called_index_page() -> None:
    table = NameTable()
    table.add("Index page.md")
    assert resolve("index", "wiki", "x.md", table).path is None
    assert resolve("index-page", "wiki", "x.md", table).path == "Index page.md"


def test_equals_are_reported_the_nearest_first() -> None:
    table = vault()
    far = resolve("index", "wiki", "Harbour.md", table)
    assert far.path == "logbook/index.md"
    assert far.ambiguous == ("logbook/index.md", "recipes/index.md")
    near = resolve("index", "wiki", "recipes/Rye loaf.md", table)
    assert (near.path, near.via) == ("recipes/index.md", "folder")
    assert near.ambiguous == ("recipes/index.md", "logbook/index.md")
    assert resolve("recipes/index", "wiki", "logbook/index.md", table).ambiguous == ()
    assert resolve("index.md", "markdown", "recipes/x.md", table).ambiguous == ()


def test_nearest_then_shortest_then_alphabet() -> None:
    table = NameTable()
    for path in ("a/b/c/Same.md", "a/b/Same.md", "z/Same.md", "y/Same.md", "yy/Same.md"):
        table.add(path)
    assert resolve("Same", "wiki", "a/b/x.md", table).path == "a/b/Same.md"
    assert resolve("Same", "wiki", "a/b/c/d/x.md", table).path == "a/b/c/Same.md"
    assert resolve("Same", "wiki", "x.md", table).ambiguous[:3] == ("y/Same.md", "z/Same.md", "yy/Same.md")


def test_the_root_page_is_the_exact_path_of_a_bare_name_and_still_ambiguous() -> None:
    table = NameTable()
    table.add("b/Same.md")
    table.add("Same.md")
    found = resolve("Same", "wiki", "b/x.md", table)
    assert (found.path, found.via, found.ambiguous) == ("Same.md", "path", ("Same.md", "b/Same.md"))


def test_names_that_differ_by_case_only() -> None:
    table = NameTable()
    table.add("Case.md")
    table.add("case.md")
    assert resolve("Case", "wiki", "x.md", table)[:2] == ("Case.md", ())
    assert resolve("case", "wiki", "x.md", table)[:2] == ("case.md", ())
    assert resolve("case.md", "markdown", "x.md", table)[:2] == ("case.md", ())
    assert set(resolve("CASE", "wiki", "x.md", table).ambiguous) == {"Case.md", "case.md"}


def test_one_page_is_never_ambiguous_with_itself() -> None:
    table = NameTable()
    table.add("a.md", ["Name", "name", "NAME"], "name")
    assert resolve("Name", "wiki", "x.md", table) == ("a.md", (), "alias")


def test_label_first_links_of_dendron() -> None:
    table = vault()
    assert resolve("Our soup", "wiki", "x.md", table, alias="food.soup") == (
        "notes/food.soup.md",
        (),
        "label",
    )
    assert resolve("Our soup", "wiki", "x.md", table, alias="Harbour") == NOWHERE
    assert resolve("Our soup", "markdown", "x.md", table, alias="food.soup") == NOWHERE
    assert resolve("Harbour", "wiki", "x.md", table, alias="food.soup").path == "Harbour.md"


@pytest.mark.parametrize(
    ("alias", "target"),
    [("food.soup", "food.soup"), ("a/b", "a/b"), ("pot", None), ("etc.", None), ("a. b", None), ("", None)],
)
def test_label_target(alias: str, target: str | None) -> None:
    assert label_target(alias) == target


def test_the_resolver_remembers_and_agrees() -> None:
    table = vault()
    resolver = Resolver(table)
    for source in ("x.md", "recipes/a.md", "logbook/b.md", "recipes/c.md"):
        for target in ("", "index", "Rye loaf", "../Harbour", "nowhere", "index"):
            for form in ("wiki", "markdown"):
                assert resolver.resolve(target, form, source) == resolve(target, form, source, table)
    assert resolver.resolve("Our soup", "wiki", "x.md", alias="food.soup").via == "label"


def test_which_names_mean_one_page_only() -> None:
    table = vault()
    moved = ("recipes/Rye loaf.md", "baking/Rye loaf.md")
    assert answers_alone("Rye loaf", moved, table)
    assert answers_alone("New name", moved, table)
    assert not answers_alone("Harbour", moved, table)
    assert not answers_alone("index", ("recipes/index.md", "recipes/b.md"), table)
    assert answers_alone("recipes/index", ("recipes/index.md", "recipes/b.md"), table)


def test_thousands_of_equal_names_stay_quick_and_short() -> None:
    table = NameTable()
    for number in range(3_000):
        table.add(f"lang{number}/index.md")
    resolver = Resolver(table)
    found = [resolver.resolve("index", "wiki", f"lang{number % 5}/x.md") for number in range(2_000)]
    assert found[7].path == "lang2/index.md"
    assert len(found[0].ambiguous) == 50
