"""Names of files and items."""

from __future__ import annotations

import pytest

from memex_core.wikimem import sanitize_item_name, validate_file


@pytest.mark.parametrize("file", ["preferences", "daily_life", "a", "9", "_x", "work-2026", "a-"])
def test_a_file_name_is_a_lowercase_slug(file: str) -> None:
    assert validate_file(file) == file


@pytest.mark.parametrize(
    "file", ["", "-a", "Work", "a b", "a.md", "a/b", "../x", "海边", "a\n", "é", "a:b", None, 3]
)
def test_any_other_file_name_raises(file: str) -> None:
    with pytest.raises(ValueError):
        validate_file(file)


def test_item_names_may_be_of_any_language_and_white_space_collapses() -> None:
    assert sanitize_item_name("  手冲 \t\n 咖啡 ") == "手冲 咖啡"
    assert sanitize_item_name("Zażółć [gęślą]") == "Zażółć [gęślą]"
    assert sanitize_item_name("กาแฟ") == "กาแฟ"


@pytest.mark.parametrize("name", ["a[[b", "a]]b", "a:b", "a|b", "#a", "", "  \n", None])
def test_reserved_characters_and_empty_names_raise(name: str) -> None:
    with pytest.raises(ValueError):
        sanitize_item_name(name)
