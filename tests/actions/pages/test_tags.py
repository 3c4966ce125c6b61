"""Tags of a page that keeps them under two keys, which are read together."""

from __future__ import annotations

from pathlib import Path

import pytest

from memex_core import Memex


@pytest.mark.parametrize("keys", [("tags", "tag"), ("tag", "tags"), ("Tags", "tag"), ("Tag", "Tags")])
def test_renaming_leaves_the_old_tag_in_no_key(tmp_path: Path, keys: tuple[str, str]) -> None:
    page = tmp_path / "a.md"
    page.write_text(f"---\n{keys[0]}: [one]\n{keys[1]}: [two]\n---\n")
    with Memex(tmp_path) as memex:
        assert memex.tags_rename("two", "three")["pages"] == ["a.md"]
        assert sorted(memex.show("a")["tags"]) == ["one", "three"]
    assert "two" not in page.read_text()


@pytest.mark.parametrize("keys", [("tags", "tag"), ("Tags", "tag"), ("Tag", "tag")])
def test_tags_that_are_taken_away_are_gone_from_both_keys(tmp_path: Path, keys: tuple[str, str]) -> None:
    page = tmp_path / "a.md"
    page.write_text(f"---\n{keys[0]}: [one]\n{keys[1]}: [two]\ntitle: A\n---\n")
    with Memex(tmp_path) as memex:
        memex.edit("a", tags=[])
        assert memex.show("a")["tags"] == []
    assert page.read_text() == "---\ntitle: A\n---\n"


def test_other_names_are_told_by_one_key(tmp_path: Path) -> None:
    page = tmp_path / "a.md"
    page.write_text("---\naliases: [one]\nalias: two\n---\n")
    with Memex(tmp_path) as memex:
        memex.edit("a", set={"aliases": ["three"]})
        assert memex.show("a")["aliases"] == ["three"]
    assert page.read_text() == "---\naliases: [three]\n---\n"
