"""The first stage: what is asked of the engine, from strict to loose, and where it stops."""

from __future__ import annotations

import pytest

from memex_core.recall import candidates as stage
from memex_core.recall.filters import PageFilter, page_filter
from memex_core.recall.options import Options
from memex_core.recall.query import parse
from tests.recall.conftest import Vault

NOW = "2026-06-15T12:00:00Z"


def chosen(vault: Vault, query: str, k: int = 10, **options: object) -> set[str]:
    """Slugs of the candidates."""
    db, asked = vault.index.db, parse(query)
    plan = stage.plan_of(db, asked, vault.index.total())
    allowed = page_filter(db, asked, Options(**options), NOW)  # type: ignore[arg-type]
    ids = stage.candidates(db, plan, allowed, k)
    assert len(ids) == len(set(ids))
    return {db.execute("SELECT slug FROM page WHERE id = ?", (page,)).fetchone()[0] for page in ids}


@pytest.fixture
def wood(vault: Vault) -> Vault:
    """Thirty pages say oak, ten of them ash, three of those elm; pine is on all."""
    for number in range(30):
        words = ["pine", "oak", *(["ash"] if number < 10 else []), *(["elm"] if number < 3 else [])]
        vault.write(f"t{number:02}", " ".join(words))
    vault.write("stray", "elm and pine")
    return vault


def names(numbers: range) -> set[str]:
    return {f"t{number:02}" for number in numbers}


def test_strict_is_enough_when_enough_is_found(wood: Vault, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stage, "ENOUGH", 3)
    assert chosen(wood, "oak ash elm", k=3) == names(range(3))
    assert chosen(wood, "oak ash", k=10) == names(range(10))


def test_what_is_lacking_is_filled_with_pairs_then_with_the_rarest(
    wood: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("MOST", "POOL", "ENOUGH"):
        monkeypatch.setattr(stage, name, 4)
    monkeypatch.setattr(stage, "ALONE", 0)
    found = chosen(wood, "oak ash elm", k=4)
    assert len(found) == 8
    assert names(range(3)) < found < names(range(10))
    monkeypatch.setattr(stage, "BUDGET", 4)  # rows with elm; ash would be more
    assert chosen(wood, "elm oak qqqq", k=4) == {*names(range(3)), "stray"}


def test_a_very_rare_word_needs_no_second_one(wood: Vault, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("MOST", "POOL", "ENOUGH"):
        monkeypatch.setattr(stage, name, 4)
    monkeypatch.setattr(stage, "BUDGET", 0)
    wood.write("yew", "yew by itself")
    assert "yew" in chosen(wood, "yew oak ash", k=10)


def test_the_rarest_word_is_asked_whatever_its_rows(wood: Vault, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stage, "BUDGET", 1)
    assert chosen(wood, "elm oak", k=10) == {*names(range(3)), "stray"}


def test_where_very_many_hold_the_words_heads_and_the_newest_are_judged(
    wood: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stage, "CAP", 8)
    for name in ("MOST", "POOL", "ENOUGH"):
        monkeypatch.setattr(stage, name, 4)
    wood.write("Pine", "a tree like others")
    found = chosen(wood, "pine", k=2)
    assert "pine" in found
    assert len(found) == 4


def test_common_words_count_where_a_filter_leaves_nothing_else(
    wood: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    wood.write("special", "pine alone", tags="[mine]")
    monkeypatch.setattr(stage, "BUDGET", 5)
    assert chosen(wood, "elm pine") == {*names(range(3)), "stray"}
    assert chosen(wood, "elm pine tag:mine") == {"special"}


def test_hidden_pages_take_no_place(wood: Vault, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(40):
        wood.write(f"hidden{number}", "elm elm elm oak", status="draft")
    for name in ("MOST", "POOL", "ENOUGH"):
        monkeypatch.setattr(stage, name, 4)
    assert chosen(wood, "elm", k=4) == {*names(range(3)), "stray"}
    assert chosen(wood, "elm", k=4, include_inactive=True) <= {f"hidden{number}" for number in range(40)}


def test_most_pages_hidden_and_more_rows_than_are_ranked(
    wood: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(40):
        wood.write(f"hidden{number}", "elm elm elm oak", status="draft")
    monkeypatch.setattr(stage, "CAP", 10)
    for name in ("MOST", "POOL", "ENOUGH"):
        monkeypatch.setattr(stage, name, 4)
    assert chosen(wood, "elm", k=4) == {*names(range(3)), "stray"}


def test_the_plan_weighs_words_by_rarity(wood: Vault) -> None:
    db = wood.index.db
    plan = stage.plan_of(db, parse('elm pine "oak ash" a_b.c qqqq'), 31)
    assert [(one.term.text, one.df) for one in plan.loose] == [("elm", 4), ("pine", 31)]
    assert plan.loose[0].idf > 1.9 > 0.1 > plan.loose[1].idf > 0
    assert [must[0].df for must in plan.musts] == [10, 10]
    assert [term.text for term in plan.absent] == ["qqqq"]
    assert not plan.impossible
    assert stage.plan_of(db, parse('"oak qqqq"'), 31).impossible
    assert stage.plan_of(db, parse("qqqq"), 31).impossible


def test_spelling_is_repaired_unless_the_word_is_known_elsewhere(wood: Vault) -> None:
    wood.write("x", "maple")
    db = wood.index.db
    assert stage.plan_of(db, parse("mapel"), 31).corrected == {"mapel": "maple"}
    assert stage.plan_of(db, parse("mapel"), 31, lambda word: word == "mapel").corrected == {}


def test_no_filter_is_no_condition(wood: Vault) -> None:
    db = wood.index.db
    allowed = page_filter(db, parse(""), Options(include_inactive=True, include_expired=True), NOW)
    assert allowed == PageFilter("1", (), False)
