"""The time gate: what a search is limited to when it names a time. Now is Friday, 24 July 2026, 10:30 UTC."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from memex_core.memex import Memex
from memex_core.model.errors import BadInput
from memex_core.recall.moment import moment_of
from memex_core.recall.options import Options
from memex_core.recall.window import named_window


@pytest.fixture
def zone(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], None]]:
    def set_to(name: str) -> None:
        monkeypatch.setenv("TZ", name)
        time.tzset()

    monkeypatch.setenv("MEMEX_NOW", "2026-07-24T10:30:00Z")
    set_to("UTC")
    yield set_to
    monkeypatch.undo()
    time.tzset()


@pytest.fixture
def memex(tmp_path: Path, zone: Callable[[str], None]) -> Iterator[Memex]:
    with Memex(str(tmp_path / "store"), create=True) as memex:
        yield memex


def fill(memex: Memex) -> None:
    """A Tuesday (the 21st) with an entry, a page and a turn, and the same words on other days."""
    memex.diary_append("Moved the server to Falkenstein.", date="2026-07-21", time="14:30")
    memex.diary_append("Bought a new bicycle.", date="2026-07-20", time="09:00")
    memex.ingest_transcript(
        "tuesday",
        turns=[
            {"role": "user", "content": "Let us pin the kettle version.", "ts": "2026-07-21T08:00:00Z"},
            {"role": "agent", "content": "Pinned it to 4.", "ts": "2026-07-21T08:01:00Z"},
        ],
    )
    memex.ingest_transcript(
        "june",
        turns=[{"role": "user", "content": "The kettle server is slow.", "ts": "2026-06-02T08:00:00Z"}],
    )
    memex.write(type="decision", title="Kettle version", body="Pinned.", occurred_at="2026-07-21")
    memex.write(type="fact", title="Standing fact", body="The server has four cores. The kettle too.")


def kinds(result: Any) -> list[tuple[str, str]]:
    return sorted((hit["kind"], hit["slug"]) for hit in result["hits"])


# The page of that name is the episode that a transcript leaves.
TUESDAY = [
    ("diary", "2026-07-21#1"),
    ("page", "kettle-version"),
    ("page", "tuesday"),
    ("turn", "tuesday#1"),
    ("turn", "tuesday#2"),
]


def test_what_did_we_do_last_tuesday(memex: Memex) -> None:
    fill(memex)
    result = memex.recall("what did we do last Tuesday")
    assert kinds(result) == TUESDAY
    assert result["query"] == "what did we do last Tuesday"
    assert result["time_range"] == {
        "start": "2026-07-21",
        "end": "2026-07-22",
        "source": "parsed",
        "words": "last Tuesday",
        "zone": "+00:00",
        "widened": False,
    }


@pytest.mark.parametrize(
    "question",
    [
        "这周二我们做了什么",
        "7月21号发生了什么？",
        "2026-07-21",
        "이번 주 화요일 우리 뭐 했지?",
        "이번 주 화요일에 우리 뭐 했지?",
        "이번 주 화요일에는 무슨 얘기 했어?",
        "Was haben wir letzten Dienstag gemacht?",
        "What did we talk about last Tuesday?",
        "Tell me about last Tuesday",
        "Remind me what we discussed last Tuesday",
        "这周二我们讨论了什么？",
        "这周二的",
    ],
)
def test_other_languages_ask_the_same(memex: Memex, question: str) -> None:
    fill(memex)
    assert kinds(memex.recall(question)) == TUESDAY


def test_words_are_searched_within_the_window_and_those_of_time_are_not(memex: Memex) -> None:
    fill(memex)
    result = memex.recall("kettle last Tuesday", explain=True)
    assert ("turn", "june#1") not in kinds(result)
    assert {"page", "turn"} <= {hit["kind"] for hit in result["hits"]}
    assert {word for hit in result["hits"] for word in hit["matched"]} == {"kettle"}
    assert {word for hit in result["hits"] for word in hit["why"]["dropped"]} <= {"kettle"}


def test_time_filters_and_never_scores(memex: Memex) -> None:
    fill(memex)
    bare = {hit["slug"]: hit["score"] for hit in memex.recall("kettle version pinned")["hits"]}
    limited = memex.recall("kettle version pinned", when="2026-07-21")["hits"]
    assert [hit["slug"] for hit in limited if hit["kind"] == "page"] == ["tuesday", "kettle-version"]
    for hit in limited:
        if hit["kind"] == "page":
            assert hit["score"] == bare[hit["slug"]]


def test_an_empty_window_is_widened_step_by_step_and_said_so(memex: Memex) -> None:
    fill(memex)
    result = memex.recall("", when="2026-07-19")
    assert kinds(result) == [("diary", "2026-07-20#1")]
    assert result["time_range"] is not None
    window = result["time_range"]
    assert (window["start"], window["end"], window["widened"]) == ("2026-07-18", "2026-07-21", True)
    week = memex.recall("bicycle", when="2026-07-14")
    assert kinds(week) == [("diary", "2026-07-20#1")]
    assert week["time_range"] is not None
    assert week["time_range"]["start"] == "2026-07-07"


def test_an_explicit_window_is_kept_even_when_it_stays_empty(memex: Memex) -> None:
    fill(memex)
    result = memex.recall("bicycle", when="2025-01")
    assert result["hits"] == []
    assert result["time_range"] is not None
    window = result["time_range"]
    assert (window["source"], window["words"], window["widened"]) == ("explicit", "2025-01", True)


def test_a_window_in_the_words_is_given_up_when_nothing_is_near_it(memex: Memex) -> None:
    fill(memex)
    result = memex.recall("bicycle three years ago")
    assert kinds(result) == [("diary", "2026-07-20#1")]
    assert result["time_range"] is None
    assert result["query"] == "bicycle three years ago"
    assert any("nothing is dated three years ago" in warning for warning in result["warnings"])


def test_who_uses_operators_means_the_words(memex: Memex) -> None:
    memex.write(type="fact", title="Today view", body="The today view of the app.", occurred_at="2020-01-01")
    for query in (
        '"today view"',
        "today NOT tomorrow",
        "view today before:2021",
        "today -tomorrow",
        "today OR now",
    ):
        result = memex.recall(query)
        assert (kinds(result), result["time_range"]) == ([("page", "today-view")], None), query


def test_after_and_before_replace_a_window_in_the_words(memex: Memex) -> None:
    fill(memex)
    result = memex.recall("kettle yesterday", after="2026-06-01", before="2026-06-30", kinds="transcripts")
    assert kinds(result) == [("turn", "june#1")]
    assert result["time_range"] is None


def test_a_filter_beside_the_time_still_holds(memex: Memex) -> None:
    fill(memex)
    assert kinds(memex.recall("in:diary what happened last Tuesday")) == [("diary", "2026-07-21#1")]


def test_no_time_is_a_clear_error(memex: Memex) -> None:
    with pytest.raises(BadInput, match="'whenever' is no time"):
        memex.recall("kettle", when="whenever")


def test_a_page_counts_by_when_it_happened_else_by_writing_and_change(memex: Memex) -> None:
    pages = Path(memex.store.layout.pages)
    pages.mkdir(exist_ok=True)
    for name, front in {
        "happened": "occurred_at: 2026-07-21\ncreated: 2026-01-01\nupdated: 2026-01-01",
        "elsewhen": "occurred_at: 2026-03-01\ncreated: 2026-07-21T10:00:00Z\nupdated: 2026-07-21T10:00:00Z",
        "written": "created: 2026-07-21T10:00:00Z\nupdated: 2026-07-23T10:00:00Z",
        "changed": "created: 2026-01-01\nupdated: 2026-07-21",
        "other": "created: 2026-07-20T23:59:59Z\nupdated: 2026-07-22T00:00:00Z",
        "2026-07-21": "created: 2026-07-23\nupdated: 2026-07-23",
    }.items():
        (pages / f"{name}.md").write_text(f"---\ntype: note\ntitle: {name}\n{front}\n---\nowl\n")
    found = memex.recall("owl", when="2026-07-21")
    assert {hit["slug"] for hit in found["hits"]} == {"happened", "written", "changed", "2026-07-21"}


def test_the_day_is_the_persons_own(memex: Memex, zone: Callable[[str], None]) -> None:
    memex.ingest_transcript(
        "late", turns=[{"role": "user", "content": "owl at night", "ts": "2026-07-21T20:00:00Z"}]
    )
    memex.diary_append("owl in the diary", date="2026-07-21", time="23:30")

    def found(query: str, when: str | None = None) -> list[tuple[str, str]]:
        return kinds(memex.recall(query, when=when, kinds="diary,transcripts"))

    assert found("owl", "2026-07-21") == [("diary", "2026-07-21#1"), ("turn", "late#1")]
    zone("Asia/Tokyo")  # there it was five in the morning of the 22nd
    assert found("owl", "2026-07-21") == [("diary", "2026-07-21#1")]
    result = memex.recall("owl", when="2026-07-22", kinds="transcripts")
    assert kinds(result) == [("turn", "late#1")]
    assert result["time_range"] is not None
    assert result["time_range"]["zone"] == "+09:00"
    assert found("owl after:2026-07-22") == [("turn", "late#1")]
    assert found("owl before:2026-07-22") == [("diary", "2026-07-21#1")]
    zone("America/New_York")
    assert found("owl", "2026-07-21") == [("diary", "2026-07-21#1"), ("turn", "late#1")]
    assert found("owl before:2026-07-22") == [("diary", "2026-07-21#1"), ("turn", "late#1")]


def test_the_context_of_a_prompt_keeps_what_holds(memex: Memex) -> None:
    fill(memex)
    result = memex.context("which kettle version did we pin last Tuesday? the server has how many cores?")
    assert result["time_range"] is not None
    assert "standing-fact" in result["hits"]
    assert "june#1" not in result["hits"]
    explicit = memex.context("server cores", when="2026-07-21")
    assert "standing-fact" not in explicit["hits"]


def test_the_name_of_a_page_means_that_page(memex: Memex) -> None:
    memex.write(type="list", title="This week", body="Water the plants.", occurred_at="2020-01-01")
    memex.diary_append("Watered the plants.", date="2026-07-24")
    named = memex.recall("this week")
    assert (named["hits"][0]["slug"], named["time_range"]) == ("this-week", None)
    assert kinds(memex.recall("plants this week")) == [("diary", "2026-07-24#1")]


def test_a_time_to_come_is_not_widened_to_what_has_been(memex: Memex) -> None:
    memex.write(type="list", title="Plan for next week", body="Paint.", occurred_at="2020-01-01")
    memex.diary_append("A plan to paint.", date="2026-07-24")
    result = memex.recall("next week plan paint")
    assert {hit["slug"] for hit in result["hits"]} == {"plan-for-next-week", "2026-07-24#1"}
    assert result["time_range"] is None


def test_a_long_text_only_mentions_its_days() -> None:
    assert named_window("word " * 30 + "yesterday", Options()) is None


def test_the_search_as_you_type_is_gated_too(memex: Memex) -> None:
    from memex_core.recall.unfinished import search_unfinished

    fill(memex)
    result = search_unfinished(memex.store.index, "last Tuesday ket", Options(count=False))
    assert ("page", "kettle-version") in kinds(result)
    assert ("turn", "june#1") not in kinds(result)


@pytest.mark.parametrize(
    ("where", "day", "begins"),
    [
        ("Africa/Cairo", "2026-04-24", "2026-04-23T22:00:00Z"),  # the clocks go from 00:00 to 01:00
        ("America/Santiago", "2026-09-06", "2026-09-06T04:00:00Z"),
        ("America/Havana", "2026-11-01", "2026-11-01T04:00:00Z"),  # midnight comes twice
        ("America/New_York", "2026-03-08", "2026-03-08T05:00:00Z"),
        ("Asia/Tokyo", "0001-01-01", "0001-01-01T00:00:00Z"),
    ],
)
def test_where_a_day_begins(zone: Callable[[str], None], where: str, day: str, begins: str) -> None:
    zone(where)
    assert moment_of(day).stamp == begins


def test_a_turn_of_the_last_hour_before_the_clocks_change_is_of_its_day(
    memex: Memex, zone: Callable[[str], None]
) -> None:
    said = [
        {"role": "user", "content": "owl", "ts": f"2026-04-{day}Z"} for day in ("23T21:30:00", "23T22:30:00")
    ]
    memex.ingest_transcript("cairo", turns=said)
    zone("Africa/Cairo")
    for day, slug in (("2026-04-23", "cairo#1"), ("2026-04-24", "cairo#2")):
        assert [hit["slug"] for hit in memex.recall("owl", when=day, kinds="transcripts")["hits"]] == [slug]


def test_a_time_open_to_the_past_works_in_every_zone(memex: Memex, zone: Callable[[str], None]) -> None:
    memex.diary_append("owl", date="2026-07-21", time="23:30")
    for where in ("Asia/Tokyo", "America/New_York"):
        zone(where)
        assert [hit["slug"] for hit in memex.recall("owl", when="..2026-07-22")["hits"]] == ["2026-07-21#1"]
