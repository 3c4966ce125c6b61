"""Pages as they are typed: names first, then words, the last of them only begun."""

from __future__ import annotations

import sqlite3

import pytest

from memex_core.model.errors import SearchFailed
from memex_core.recall import typeahead
from memex_core.recall.typeahead import suggest
from tests.recall.conftest import Vault


def slugs(vault: Vault, text: str, k: int = 10) -> list[str]:
    return [one.slug for one in suggest(vault.index, text, k)]


@pytest.fixture
def shelf(vault: Vault) -> Vault:
    vault.write("recipes/Rye loaf", "Flour, water, salt.", aliases="[Black bread]", updated="2026-01-01")
    vault.write("recipes/Rye bread and butter", "With salt.", updated="2026-01-02")
    vault.write("Harbour guide", "Boats carry rye and salted herring.", updated="2026-01-03")
    vault.write("Salt", "From the sea.", status="draft", updated="2026-01-04")
    vault.write("Øresund", "A strait.", updated="2026-01-05")
    vault.write("日本語ノート", "数学の話", updated="2026-01-06")
    return vault


def test_names_that_begin_so_come_first_the_shortest_first(shelf: Vault) -> None:
    assert slugs(shelf, "rye") == ["rye-loaf", "rye-bread-and-butter", "harbour-guide"]
    assert slugs(shelf, "r") == ["rye-loaf", "rye-bread-and-butter"]
    assert slugs(shelf, "RYE L") == ["rye-loaf"]


def test_what_was_found_is_told(shelf: Vault) -> None:
    first = suggest(shelf.index, "black b")[0]
    assert first == ("recipes/Rye loaf.md", "rye-loaf", "Rye loaf", "Black bread")
    assert [one.matched for one in suggest(shelf.index, "rye")] == ["Rye loaf", "Rye bread and butter", ""]
    assert suggest(shelf.index, "butter")[0].matched == "Rye bread and butter"


def test_the_last_word_may_be_begun_only_earlier_ones_are_whole(shelf: Vault) -> None:
    assert slugs(shelf, "salted her") == ["harbour-guide"]
    assert slugs(shelf, "herring boa") == ["harbour-guide"]
    assert slugs(shelf, "herr boats") == []
    assert slugs(shelf, "carry sal") == ["harbour-guide"]


def test_a_space_ends_the_last_word(shelf: Vault) -> None:
    assert "harbour-guide" in slugs(shelf, "herr")
    assert slugs(shelf, "herr ") == []
    assert slugs(shelf, "herring ") == ["harbour-guide"]


def test_letters_from_the_middle_of_a_name_come_last(shelf: Vault, monkeypatch: pytest.MonkeyPatch) -> None:
    assert slugs(shelf, "rbour gui") == ["harbour-guide"]
    monkeypatch.setattr(typeahead, "MIDDLE_UP_TO", 3)
    assert slugs(shelf, "rbour gui") == []


def test_drafts_are_found_by_name_only(shelf: Vault) -> None:
    assert slugs(shelf, "sal")[0] == "salt"
    assert "salt" not in slugs(shelf, "sea")
    assert "salt" not in slugs(shelf, "")


def test_other_letters(shelf: Vault) -> None:
    assert slugs(shelf, "ores") == ["øresund"]
    assert slugs(shelf, "øre") == ["øresund"]
    japanese = suggest(shelf.index, "日本")
    assert [one.title for one in japanese] == ["日本語ノート"]
    assert [one.title for one in suggest(shelf.index, "数")] == ["日本語ノート"]


def test_nothing_typed_lists_the_newest_and_filters_apply(shelf: Vault) -> None:
    newest = slugs(shelf, "")
    assert newest[1:4] == ["øresund", "harbour-guide", "rye-bread-and-butter"]
    assert slugs(shelf, "path:recipes") == ["rye-bread-and-butter", "rye-loaf"]
    assert slugs(shelf, "path:recipes sal") == ["rye-loaf", "rye-bread-and-butter"] or set(
        slugs(shelf, "path:recipes sal")
    ) == {"rye-loaf", "rye-bread-and-butter"}
    assert slugs(shelf, "rye -butter") == ["rye-loaf", "harbour-guide"]


@pytest.mark.parametrize(
    "text", ['"', "***", "C++", "a OR", "NOT", "-", "x" * 5000, "\ud800", "%", "_", "tag:", "'"]
)
def test_nothing_typed_is_an_error(shelf: Vault, text: str) -> None:
    assert isinstance(suggest(shelf.index, text), list)


def test_no_more_than_asked_and_none_twice(vault: Vault) -> None:
    for number in range(30):
        vault.write(f"plan {number}", "the plan of plans, planned")
    found = slugs(vault, "plan", k=7)
    assert len(found) == len(set(found)) == 7
    assert len(slugs(vault, "plan", k=100)) == 30


def test_common_words_are_not_ranked_by(vault: Vault, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(30):
        vault.write(f"n{number}", "project text")
    vault.write("Project", "other")
    vault.write("few", "prospect of maps")
    monkeypatch.setattr(typeahead, "_BUDGET", 5)
    assert slugs(vault, "pro", k=40)[0] == "project"
    assert "few" in slugs(vault, "pro", k=40)
    assert slugs(vault, "maps pros") == ["few"]


def test_a_failing_engine_fails(shelf: Vault) -> None:
    index = shelf.index
    index.db.execute("DROP TABLE name")
    with pytest.raises(SearchFailed):
        suggest(index, "rye")


def test_completions_are_the_commonest_words_each_token_once(shelf: Vault) -> None:
    from memex_core.recall.query import parse

    db: sqlite3.Connection = shelf.index.db
    words = typeahead.completions(db, parse("sal").terms[0])
    assert [(one.token, one.df) for one in words] == [("salt", 4)]
