"""Search over conversations and the diary: what is found, in which order, within which limits."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from memex_core.files import diary, transcripts
from memex_core.files.layout import Layout, create_store
from memex_core.index import passages as rows
from memex_core.model import clock
from memex_core.model.results import Hit
from memex_core.recall import passages
from memex_core.recall.dialogue import date_fit
from memex_core.recall.query import parse


class Options(NamedTuple):
    k: int = 10
    kinds: tuple[str, ...] = ()
    types: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    statuses: tuple[str, ...] = ()
    scope: str = ""
    project: str = ""
    root: str = ""
    after: str = ""
    before: str = ""
    meaning: None = None
    window: None = None


class Searched(NamedTuple):
    db: sqlite3.Connection
    layout: Layout


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Searched]:
    layout = create_store(str(tmp_path / "store"))
    db = sqlite3.connect(tmp_path / "rows.db", isolation_level=None)
    db.executescript(rows.SCHEMA_SQL)
    yield Searched(db, layout)
    db.close()


def talk(store: Searched, session: str, *said: str, day: str = "2026-03-04", **meta: Any) -> None:
    """Store a conversation: each line ``Name: text``; the first speaker is the user."""
    turns = []
    first = said[0].partition(": ")[0]
    for minute, line in enumerate(said):
        name, _, content = line.partition(": ")
        role = name if name in ("user", "agent", "tool") else "user" if name == first else "agent"
        named = {} if name == role else {"name": name}
        turns.append({"role": role, "content": content, "ts": f"{day}T10:{minute:02}:00Z", **named})
    transcripts.ingest(store.layout, session, turns, meta=meta)
    rows.refresh(store.db, store.layout)


def note(store: Searched, day: str, *texts: str) -> None:
    for hour, text in enumerate(texts, 8):
        diary.append(store.layout, text, date=day, time=f"{hour:02}:00")
    rows.refresh(store.db, store.layout)


def ask(store: Searched, query: str, **options: Any) -> list[Hit]:
    return passages.search(store, parse(query, datetime(2026, 11, 30)), Options(**options))


def places(hits: list[Hit]) -> list[str]:
    return [hit["slug"] for hit in hits]


@pytest.fixture
def chat(store: Searched) -> Searched:
    talk(
        store,
        "boat",
        "Odile: I finally went to the boat show.",
        "Bram: Great! Which boat did you like best?",
        "Odile: The blue one with two masts, of course.",
        "Bram: I was baking rye bread all day.",
        "Odile: Was it as dark as last time?",
        "Bram: Darker, my oven is too hot.",
    )
    talk(
        store,
        "garden",
        "Odile: The tulips are out.",
        "Bram: Mine have been eaten by snails.",
        day="2026-05-10",
    )
    return store


def test_a_hit_says_where_it_stands(chat: Searched) -> None:
    hit = ask(chat, "rye bread")[0]
    assert (hit["session_id"], hit["turn"], hit["role"], hit["name"]) == ("boat", 4, "agent", "Bram")
    assert (hit["kind"], hit["date"], hit["trust"]) == ("turn", "2026-03-04", "agent")
    assert hit["title"] == "I finally went to the boat show."
    assert hit["snippet"] == "I was baking <mark>rye</mark> <mark>bread</mark> all day."
    assert hit["matched"] == ["rye", "bread"]
    assert hit["file_path"] == transcripts.file_of(chat.layout, "boat")
    assert hit["transcript_ref"] == "transcripts/boat.jsonl"
    assert hit["score"] == pytest.approx(sum(hit["why"].values()), abs=0.001)
    assert hit["why"]["words"] > 0.9


def test_the_whole_turn_and_whose_word_it_is(store: Searched) -> None:
    said = {"role": "tool", "content": "", "tool_name": "web", "trust": "external-tool"}
    said["result"] = "x " * 300 + "needle"
    transcripts.ingest(store.layout, "s", [{"role": "user", "content": "look it up"}, said])
    rows.refresh(store.db, store.layout)
    (hit,) = ask(store, "needle")
    assert (hit["trust"], hit["role"], hit["rank"]) == ("external-tool", "tool", 1)


def test_the_answer_that_shares_no_word_with_its_question_comes_along(chat: Searched) -> None:
    found = ask(chat, "Which boat did Odile like best?")
    assert places(found)[:2] == ["boat#3", "boat#2"]
    assert (found[0]["why"]["words"], found[0]["matched"]) == (0.0, [])
    assert found[0]["why"]["after_question"] > 0.5


def test_stems_and_irregular_forms_meet(chat: Searched) -> None:
    assert places(ask(chat, "go to boat shows"))[0] == "boat#1"
    assert places(ask(chat, "who bakes?"))[0] == "boat#4"


def test_the_named_speaker_is_preferred_and_the_other_one_still_found(store: Searched) -> None:
    talk(store, "s", "Odile: I play the violin.", "Bram: I play the violin too.")
    assert places(ask(store, "What instrument does Bram play?")) == ["s#2", "s#1"]
    assert places(ask(store, "What instrument does Odile play?")) == ["s#1", "s#2"]


def test_a_name_leads_to_the_conversations_of_that_person(store: Searched) -> None:
    for number in range(30):
        talk(store, f"other-{number}", "Carl: My violin lessons are on Monday.", "Dora: Violin again!")
    talk(store, "mine", "Odile: Lessons went well.", "Bram: On which day?", "Odile: The violin is on Friday.")
    found = ask(store, "When are the violin lessons of Odile?", k=2)
    assert {hit["session_id"] for hit in found} == {"mine"}
    assert ask(store, "violin lessons of carl", k=1)[0]["name"] == "Carl"


def test_a_name_in_documents_without_speakers_is_a_word(store: Searched) -> None:
    talk(store, "s", "Odile: The invoice is paid.", "Bram: Good.")
    talk(
        store,
        "code",
        "user: Odile reports a broken invoice total",
        "agent: The invoice total was rounded twice.",
    )
    note(store, "2026-06-01", "Odile sent the last invoice.")
    found = ask(store, "What about the invoice of Odile?")
    assert {"s#1", "code#1", "2026-06-01#1"} <= set(places(found)[:4])
    assert all("people" not in hit["why"] or hit["why"]["people"] >= 0 for hit in found)


def test_words_that_happen_to_be_names_stay_words(store: Searched) -> None:
    talk(store, "a", "Claude Code: Which code shall I review?", "Will: The parser.")
    talk(store, "b", "user: how do we review code here", "agent: In pairs.")
    assert set(places(ask(store, "code review"))[:2]) == {"a#1", "b#1"}
    assert "b#1" in places(ask(store, "Code review, will it take long?"))[:2]


def test_dates_bring_their_day_and_the_week_after(store: Searched) -> None:
    for month in range(1, 7):
        talk(store, f"m{month}", "Odile: What a lovely hike!", "Bram: It was.", day=f"2026-{month:02}-12")
    assert ask(store, "Where was the hike in May?")[0]["session_id"] == "m5"
    assert ask(store, "the hike of 10 April 2026")[0]["session_id"] == "m4"
    assert places(ask(store, "What happened in June 2026?", k=2)) == ["m6#1", "m6#2"]


@pytest.mark.parametrize(
    ("day", "named", "fit"),
    [
        ("2026-05-12", (None, 5, None), 1.0),
        ("2026-05-12", (2025, 5, None), 0.0),
        ("2026-05-12", (2026, 5, 5), 1.0),
        ("2026-05-13", (2026, 5, 5), 0.5),
        ("2026-05-04", (2026, 5, 5), 0.5),
        ("2027-01-02", (None, 12, 31), 1.0),
        ("2026-05-12", (2026, None, None), 0.3),
        ("2026-05-12", (2026, 2, 30), 0.0),
        ("soon", (2026, 5, 5), 0.0),
    ],
)
def test_date_fit(day: str, named: tuple[int | None, int | None, int | None], fit: float) -> None:
    assert date_fit(day, [named]) == fit


def test_a_misspelt_word_takes_the_commonest_near_one(chat: Searched) -> None:
    found = passages.answer(chat, parse("bakign rye"), Options())
    assert found.hits[0]["slug"] == "boat#4"
    assert found.corrected == {"bakign": "baking"}
    assert "<mark>baking</mark>" in found.hits[0]["snippet"]
    assert passages.answer(chat, parse("zzzzqqqq"), Options()) == ([], {}, False, 8)


def test_relaxed_says_whether_the_best_hit_holds_all_words(chat: Searched) -> None:
    assert not passages.answer(chat, parse("rye bread"), Options()).relaxed
    assert passages.answer(chat, parse("rye tulips"), Options()).relaxed


def test_phrases_identifiers_and_exclusions_are_strict(store: Searched) -> None:
    talk(
        store,
        "s",
        "user: call http_client.send twice",
        "agent: the http client may send once",
        "user: send it by client then, http or not",
        "agent: red apples and green pears",
        "user: green apples and red pears",
    )
    assert places(ask(store, "http_client.send")) == ["s#1"]
    assert places(ask(store, '"green apples"')) == ["s#5"]
    assert places(ask(store, '"green plums" apples')) == []
    assert places(ask(store, "pears -apples")) == []
    assert set(places(ask(store, "client -twice"))) == {"s#2", "s#3"}
    assert {"s#4", "s#5"} <= set(places(ask(store, "plums OR pears")))


def test_filters_come_before_limits(store: Searched) -> None:
    for number in range(150):
        talk(
            store,
            f"new-{number:03}",
            "user: the kettle boils",
            "agent: kettle kettle kettle",
            day="2026-08-01",
        )
    talk(store, "old", "user: my kettle is old", day="2025-01-02", project="tea")
    note(store, "2025-01-03", "The kettle was descaled.", "Nothing else.")
    assert places(ask(store, "kettle session:old")) == ["old#1"]
    assert places(ask(store, "kettle project:tea")) == ["old#1"]
    assert places(ask(store, "kettle", project="tea")) == ["old#1"]
    assert places(ask(store, "kettle before:2025-02-01")) == ["old#1", "2025-01-03#1"]
    assert places(ask(store, "kettle", after="2025-01-03", before="2025-01-04"))[0] == "2025-01-03#1"
    assert {hit["kind"] for hit in ask(store, "kettle in:diary")} == {"diary"}
    assert {hit["kind"] for hit in ask(store, "kettle", kinds=("transcripts",))} == {"turn"}
    assert {hit["kind"] for hit in ask(store, "kettle -in:diary")} == {"turn"}
    assert all(not hit["slug"].startswith("old") for hit in ask(store, "kettle -session:old", k=200))
    assert len(ask(store, "kettle", k=25)) == 25
    for pages_only in (
        "tag:x kettle",
        "type:entity kettle",
        "in:pages kettle",
        "is:draft kettle",
        "path:a/* kettle",
    ):
        assert ask(store, pages_only) == []
    assert ask(store, "kettle", types=("entity",)) == []


def test_rows_around_a_hit_keep_to_the_dates_asked_for(
    store: Searched, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clock, "midnight", lambda day: f"{day}T00:00:00Z")  # a day of UTC
    turns = [
        {"role": "user", "content": "the kettle whistles", "ts": "2026-03-04T23:58:00Z"},
        {"role": "agent", "content": "take it off", "ts": "2026-03-05T00:01:00Z"},
    ]
    transcripts.ingest(store.layout, "night", turns)
    rows.refresh(store.db, store.layout)
    question = "what about the kettle"
    assert places(ask(store, f"{question} before:2026-03-05")) == ["night#1"]
    assert places(ask(store, question)) == ["night#1", "night#2"]


def test_a_word_or_two_find_only_what_holds_them(chat: Searched) -> None:
    assert places(ask(chat, "tulips")) == ["garden#1"]
    assert set(places(ask(chat, "bread snails"))) == {"boat#4", "garden#2"}


def test_what_is_common_elsewhere_is_found_in_a_narrow_scope(
    store: Searched, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memex_core.recall.pool.BUDGET", 5)
    monkeypatch.setattr("memex_core.recall.pool.MOST", 5)
    monkeypatch.setattr("memex_core.recall.pool.FEW", 1)
    for number in range(20):
        talk(store, f"s{number}", "user: the kettle boils")
    talk(store, "rare", "user: a samovar boils")
    assert places(ask(store, "samovar kettle"))[0] == "rare#1"
    assert places(ask(store, "samovar kettle session:s7")) == ["s7#1"]


def test_blank_queries_and_filters_alone_list_the_newest(chat: Searched) -> None:
    note(chat, "2026-07-01", "Quiet day.")
    assert places(ask(chat, "", k=3)) == ["2026-07-01#1", "garden#2", "garden#1"]
    assert places(ask(chat, "session:boat", k=2)) == ["boat#6", "boat#5"]
    assert ask(chat, "session:nowhere") == []
    assert ask(chat, "***") == []


def test_diary_entries_are_rows_of_their_day(store: Searched) -> None:
    note(store, "2026-06-01", "Visited the lighthouse.", "The stairs are steep.", "Soup for dinner.")
    diary.append(store.layout, "Painted the lighthouse.", date="2026-06-02", time="09:00", owner="odile")
    rows.refresh(store.db, store.layout)
    hit = ask(store, "lighthouse visit")[0]
    assert (hit["kind"], hit["slug"], hit["title"]) == ("diary", "2026-06-01#1", "2026-06-01")
    assert (hit["heading"], hit["date"], hit["line"], hit["trust"]) == ("08:00", "2026-06-01", 3, "human")
    assert "session_id" not in hit
    assert hit["snippet"] == "<mark>Visited</mark> the <mark>lighthouse</mark>."
    assert hit["file_path"] == diary.file_of(store.layout, "2026-06-01")
    assert ask(store, "What did Odile do at the lighthouse?")[0]["slug"] == "2026-06-02#1"


def test_a_long_turn_is_one_hit_with_the_part_that_matched(store: Searched) -> None:
    filler = " ".join(f"word{i}" for i in range(2000))
    talk(store, "s", f"user: {filler} a needle here {filler} another needle there")
    found = ask(store, "needle")
    assert places(found) == ["s#1"]
    assert "<mark>needle</mark>" in found[0]["snippet"]


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("用户身份验证与数据库设计", "数据"),
        ("用户身份验证与数据库设计", "库"),
        ("ship it 🚀 today", "🚀"),
        ("written in C++ mostly", "C++"),
        ("mail a@b.c about it", "a@b.c"),
        ("it is 100% done", "100%"),
        ("we don't know", "don't"),
        ("un café à Paris", "cafe"),
        ("역사 공부", "역사"),
    ],
)
def test_scripts_and_signs(store: Searched, text: str, query: str) -> None:
    talk(store, "other", "user: something quite else")
    talk(store, "s", f"user: {text}")
    found = ask(store, query)
    assert places(found)[:1] == ["s#1"]
    assert "<mark>" in found[0]["snippet"]


@pytest.mark.parametrize(
    "query",
    ['"open', "NOT", "NEAR(", "body:x", "a" * 5000, "x OR", "-", "-x", "(", "' OR 1=1 --", "\0", "^*", '""'],
)
def test_nothing_typed_is_an_error(chat: Searched, query: str) -> None:
    assert isinstance(ask(chat, query), list)
    assert isinstance(ask(chat, f"boat {query}"), list)


def test_an_engine_that_fails_is_an_error(chat: Searched) -> None:
    chat.db.execute("DROP TABLE passage_fts")
    with pytest.raises(sqlite3.Error):
        ask(chat, "boat")


def test_a_file_that_went_away_still_gives_its_hit(chat: Searched) -> None:
    Path(transcripts.file_of(chat.layout, "boat")).unlink()
    hit = ask(chat, "rye bread")[0]
    assert (hit["slug"], hit["snippet"]) == ("boat#4", "")


def test_an_empty_store_has_no_hits(store: Searched) -> None:
    assert passages.answer(store, parse("anything"), Options()) == ([], {}, False, 0)


def test_a_window_is_looked_into_and_not_the_years_after_it(store: Searched) -> None:
    """What a diary of many days holds of one costs no look at each of the others."""
    for day in range(1, 29):
        diary.append(store.layout, f"note {day}", date=f"2026-02-{day:02}", time="08:00")
    rows.refresh(store.db, store.layout)
    asked: list[str] = []
    store.db.set_trace_callback(asked.append)
    found = ask(store, "", after="2026-02-03", before="2026-02-05")
    store.db.set_trace_callback(None)
    assert places(found) == ["2026-02-04#1", "2026-02-03#1"]
    assert len([sql for sql in asked if "BETWEEN" in sql]) <= 3  # the day before may reach into the window
    assert places(ask(store, "in:diary", k=2)) == ["2026-02-28#1", "2026-02-27#1"]
