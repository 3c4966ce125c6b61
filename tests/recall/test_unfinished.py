"""A query while it is typed: what it says comes first, then what its last word may become."""

from __future__ import annotations

from typing import Any

import pytest

from memex_core.model.errors import SearchFailed
from memex_core.model.results import RecallResult
from memex_core.recall.options import Options
from memex_core.recall.unfinished import search_unfinished
from tests.recall.conftest import Vault


@pytest.fixture
def shelf(vault: Vault) -> Vault:
    vault.write("Sourdough", "Bread made with a sourdough starter.")
    vault.write("Rye", "Rye bread; also sour cream. Sourdough too.")
    vault.write("Cat", "The cat sat.")
    vault.write("Categories", "Every category and its catalogue.")
    return vault


def asked(vault: Vault, text: str, **options: Any) -> RecallResult:
    return search_unfinished(vault.index, text, Options(count=False, **options))


def slugs(vault: Vault, text: str, **options: Any) -> list[str]:
    return [hit["slug"] for hit in asked(vault, text, **options)["hits"]]


def test_the_last_word_may_be_a_beginning(shelf: Vault) -> None:
    assert set(slugs(shelf, "bread sourd")) == {"sourdough", "rye"}
    assert slugs(shelf, "catalo") == ["categories"]
    assert slugs(shelf, "c") == []


def test_what_is_typed_in_full_comes_before_what_it_may_become(shelf: Vault) -> None:
    assert slugs(shelf, "cat") == ["cat", "categories"]
    assert slugs(shelf, "sour")[0] == "rye"
    assert [hit["rank"] for hit in asked(shelf, "cat")["hits"]] == [1, 2]
    assert slugs(shelf, "cat", k=1) == ["cat"]


def test_an_unfinished_word_in_the_middle_is_tried_when_nothing_is_found(shelf: Vault) -> None:
    assert slugs(shelf, "catalo ") == ["categories"]
    assert slugs(shelf, "zzzz ") == []


def test_quoted_words_and_operators_stay_as_they_are(shelf: Vault) -> None:
    assert slugs(shelf, '"catalo"') == []
    assert set(slugs(shelf, "bread -cat")) == {"rye", "sourdough"}
    assert asked(shelf, "catalo \ud800")["query"] == "catalo \ufffd"
    assert len(slugs(shelf, "")) == 4


def test_a_failing_vocabulary_is_a_failed_search(shelf: Vault) -> None:
    shelf.index.db.execute("PRAGMA writable_schema = 1")
    shelf.index.db.execute("ALTER TABLE word RENAME TO gone")
    with pytest.raises(SearchFailed, match="no such table: word"):
        search_unfinished(shelf.index, "catalo ", Options(count=False))
