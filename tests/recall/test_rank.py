"""The second stage: which of two pages answers better, and what the score is made of."""

from __future__ import annotations

import pytest

from memex_core.recall import candidates as stage
from memex_core.recall import rank
from memex_core.recall.filters import PageFilter
from memex_core.recall.query import parse
from tests.recall.conftest import Vault

FILLER = "some other words that say nothing of it at all but make the page long enough "


def judged(vault: Vault, query: str, k: int = 10) -> dict[str, dict[str, float]]:
    """Slug -> parts of the score, best first."""
    db, asked = vault.index.db, parse(query)
    plan = stage.plan_of(db, asked, vault.index.total())
    ids = stage.candidates(db, plan, PageFilter("1", (), False), k)
    ranked = rank.judge(rank.asked_of(db, asked, plan), rank.load(db, ids), k)
    slugs = dict(db.execute("SELECT id, slug FROM page"))
    assert [one.score for one in ranked] == sorted([one.score for one in ranked], reverse=True)
    for one in ranked:
        assert one.score == pytest.approx(sum(one.parts))
    return {slugs[one.id]: dict(zip(rank.PARTS, one.parts, strict=True)) for one in ranked}


def test_all_words_beat_many_of_one(vault: Vault) -> None:
    vault.write("all", f"{FILLER} kettle {FILLER} stove")
    vault.write("many", "kettle " * 20)
    found = judged(vault, "kettle stove")
    assert list(found) == ["all", "many"]
    assert found["all"]["full"] > 0 == found["many"]["full"]
    assert found["all"]["cover"] == pytest.approx(rank.WEIGHTS_OF_SIGNALS.cover)


def test_rare_words_weigh_more(vault: Vault) -> None:
    for number in range(20):
        vault.write(f"n{number}", "kettle and so on")
    vault.write("rare", "stove and so on")
    assert next(iter(judged(vault, "kettle stove"))) == "rare"


def test_words_that_stand_together_win(vault: Vault) -> None:
    vault.write("apart", f"kettle {FILLER * 3} stove")
    vault.write("near", f"{FILLER} kettle upon stove {FILLER * 2}")
    found = judged(vault, "kettle stove")
    assert list(found) == ["near", "apart"]
    assert found["near"]["proximity"] > 1.5 * found["apart"]["proximity"] > 0


def test_words_in_order_win(vault: Vault) -> None:
    vault.write("forth", f"{FILLER} kettle stove {FILLER}")
    vault.write("back", f"{FILLER} stove kettle {FILLER}")
    found = judged(vault, "kettle stove")
    assert list(found) == ["forth", "back"]
    assert (found["forth"]["order"], found["back"]["order"]) == (rank.WEIGHTS_OF_SIGNALS.order, 0.0)


def test_order_runs_over_words_that_only_ask(vault: Vault) -> None:
    vault.write("said", "the art of war")
    vault.write("unsaid", "war by art, of the art and the war")
    assert judged(vault, "art of war")["said"]["order"] > 0
    assert judged(vault, "art of war")["unsaid"]["order"] == 0


def test_the_name_wins_and_a_bare_name_more(vault: Vault) -> None:
    vault.write("Kettle", f"{FILLER} it boils water")
    vault.write("Kettle and other things of iron", f"{FILLER} it boils water")
    vault.write("text", f"kettle kettle kettle {FILLER}")
    found = judged(vault, "kettle")
    assert list(found) == ["kettle", "kettle-and-other-things-of-iron", "text"]
    assert found["kettle"]["name"] == rank.WEIGHTS_OF_SIGNALS.name
    assert found["kettle"]["title"] > found["kettle-and-other-things-of-iron"]["title"] > 0


def test_an_alias_and_a_file_name_are_names(vault: Vault) -> None:
    vault.write("k1", "boils", title="The boiler", aliases="[Water Kettle]")
    vault.write("water-kettle-2", "boils", title="Other")
    vault.write("x", "water kettle, water kettle")
    found = judged(vault, "water kettle")
    assert found["k1"]["name"] > 0
    assert found["water-kettle-2"]["name"] == 0
    assert list(found)[0] == "k1"  # noqa: RUF015 (the order is what is tested)


def test_more_often_and_in_shorter_pages_counts(vault: Vault) -> None:
    vault.write("once", f"kettle {FILLER}")
    vault.write("twice", f"kettle kettle {FILLER}")
    vault.write("long", f"kettle {FILLER * 6}")
    assert list(judged(vault, "kettle")) == ["twice", "once", "long"]


def test_the_spelling_asked_for_is_preferred_not_demanded(vault: Vault) -> None:
    vault.write("plain", "resume resume")
    vault.write("exact", "résumé")
    found = judged(vault, "résumé")
    assert set(found) == {"plain", "exact"}
    assert found["exact"]["exact"] > 0 == found["plain"]["exact"]


def test_a_whole_form_in_the_title_counts_as_such(vault: Vault) -> None:
    vault.write("n1", f"{FILLER} C++ here and C++ there", title="Languages")
    vault.write("n2", f"{FILLER} a language", title="C++ notes")
    assert list(judged(vault, "C++")) == ["n2", "n1"]


def test_the_value_is_what_the_engine_says(vault: Vault) -> None:
    """BM25 computed here and in SQLite order the same pages alike, up to the kind of idf."""
    for number in range(12):
        vault.write(
            f"p{number}", "kettle " * (number % 4 + 1) + "stove " * (number % 3) + FILLER * (number % 5)
        )
    db, asked = vault.index.db, parse("kettle stove")
    plan = stage.plan_of(db, asked, vault.index.total())
    pages = [page for (page,) in db.execute("SELECT id FROM page")]
    ours = {one.id: one.bm25 for one in rank.judge(rank.asked_of(db, asked, plan), rank.load(db, pages), 50)}
    from memex_core.index.schema import RANK

    single = stage.plan_of(db, parse("kettle"), vault.index.total())
    engine = dict(
        db.execute(f"SELECT rowid, {RANK} FROM page_fts WHERE page_fts MATCH ?", ('"kettl"',)).fetchall()
    )
    alone = {
        one.id: one.bm25
        for one in rank.judge(rank.asked_of(db, parse("kettle"), single), rank.load(db, pages), 50)
    }
    assert sorted(alone, key=alone.__getitem__) == sorted(engine, key=engine.__getitem__)
    assert all(value < 0 for value in ours.values())


def test_the_average_length_is_that_of_the_engine(vault: Vault) -> None:
    assert rank.average_length(vault.index.db) == 0.0
    vault.write("a", "one two three four")
    vault.write("b", "five six")
    columns = "title || ' ' || names || ' ' || tags || ' ' || description || ' ' || headings || ' ' || body"
    texts = [text for (text,) in vault.index.db.execute(f"SELECT {columns} FROM page_text")]
    assert rank.average_length(vault.index.db) == pytest.approx(sum(len(text.split()) for text in texts) / 2)


def test_judging_stops_early_without_changing_the_answer(vault: Vault) -> None:
    for number in range(30):
        vault.write(f"p{number:02}", "kettle " * (number + 1) + f"stove {FILLER}")
    every = list(judged(vault, "kettle stove", k=30))
    assert list(judged(vault, "kettle stove", k=4)) == every[:4]
