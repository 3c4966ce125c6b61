"""A window of time brings the diary into the ranking."""

from __future__ import annotations

from datetime import timedelta, timezone

import pytest

from memex_core.wikimem import MemoryIndex, MemoryStore, RetrievalResult

DAY = ("2026-07-22", "2026-07-22")


@pytest.fixture
def lived(seaside: MemoryStore, later) -> MemoryStore:  # type: ignore[no-untyped-def]
    """Items and a diary; today is Friday, 24 July 2026."""
    later("2026-07-24T12:00:00Z")
    for date, time, text in (
        ("2026-07-20", "09:00", "早上去了海边。"),
        ("2026-07-22", "08:00", "早上喝了粥。"),
        ("2026-07-22", "19:00", "晚上吃了拉面。[[work:current-job]]"),
        ("2026-07-22", "19:00", "晚上又吃了冰。"),
        ("2026-07-24", "10:00", "吃了面包。"),
    ):
        seaside.diary.append(text, date=date, time=time)
    return seaside


def found(result: RetrievalResult) -> list[tuple[str, str]]:
    return [(one.item.file, one.item.name) for one in result.items]


def gate(result: RetrievalResult) -> tuple[object, ...]:
    return result.time_range, result.time_range_source, result.time_range_widened


def test_a_window_is_parsed_from_the_query(lived: MemoryStore) -> None:
    result = MemoryIndex(lived, use_jieba=False).retrieve("前天晚上吃了什么", tz="UTC")
    assert gate(result) == (DAY, "parsed", False)
    assert set(found(result)[:3]) == {("2026-07-22", "19:00"), ("work", "current-job")}
    assert ("2026-07-24", "10:00") not in found(result)


def test_a_window_is_passed_explicitly_and_comes_before_a_parsed_one(lived: MemoryStore) -> None:
    index = MemoryIndex(lived, use_jieba=False)
    result = index.retrieve("昨天吃了什么", time_range=DAY)
    assert gate(result) == (DAY, "explicit", False)
    assert found(result)[0] == ("2026-07-22", "19:00")
    assert gate(index.retrieve("吃了", time_range=("2026-07-24", "2026-07-22")))[0] == (
        "2026-07-22",
        "2026-07-24",
    )


@pytest.mark.parametrize(
    "window",
    [
        ("2026-07-22", "later"),
        ("x", "y"),
        ("2026-7-2", "2026-07-22"),
        ("2026-07-22",),
        (None, None),
        "2026-07-22",
        5,
    ],
)
def test_a_window_of_no_dates_raises(lived: MemoryStore, window: tuple[str, str]) -> None:
    with pytest.raises(ValueError):
        MemoryIndex(lived).retrieve("x", time_range=window)


def test_without_a_window_the_diary_stays_out(lived: MemoryStore) -> None:
    index = MemoryIndex(lived, use_jieba=False)
    for query in ("拉面", "最近吃了什么"):
        result = index.retrieve(query)
        assert (found(result), gate(result)) == ([], (None, None, False))
    assert found(index.retrieve("海边")) == [
        ("preferences", "likes-the-sea"),
        ("daily_life", "beach-trip-plan"),
    ]


def test_items_are_never_filtered_by_time(lived: MemoryStore) -> None:
    result = MemoryIndex(lived, use_jieba=False).retrieve("海边", time_range=("2026-07-20", "2026-07-20"))
    assert set(found(result)) == {
        ("2026-07-20", "09:00"),
        ("preferences", "likes-the-sea"),
        ("daily_life", "beach-trip-plan"),
    }
    assert {one.source for one in result.items if one.item.file != "daily_life"} == {"hit"}


def test_time_filters_and_does_not_score(lived: MemoryStore) -> None:
    """The same words score the same wherever in the window they stand."""
    lived.diary.append("吃了面包。", date="2026-07-21", time="10:00")
    result = MemoryIndex(lived, use_jieba=False).retrieve("面包", time_range=("2026-07-21", "2026-07-24"))
    scores = [one.score for one in result.items]
    assert found(result) == [("2026-07-21", "10:00"), ("2026-07-24", "10:00")]
    assert scores[0] == scores[1]


def test_diary_and_items_are_one_collection_for_the_scores(store: MemoryStore) -> None:
    store.add("f", "a", "needle x")
    store.diary.append("needle y", date="2026-07-22", time="10:00")
    alone = MemoryIndex(store).retrieve("needle").items[0].score
    both = MemoryIndex(store).retrieve("needle", time_range=DAY)
    assert found(both) == [("f", "a"), ("2026-07-22", "10:00")]
    assert alone is not None and both.items[0].score is not None and both.items[0].score < alone


def test_an_empty_query_and_a_window_return_the_window_newest_first(lived: MemoryStore) -> None:
    index = MemoryIndex(lived)
    result = index.retrieve("", time_range=("2026-07-20", "2026-07-22"), expand_links=False)
    assert [one.item.content[:5] for one in result.items] == [
        "晚上又吃了",
        "晚上吃了拉",
        "早上喝了粥",
        "早上去了海",
    ]
    assert {one.source for one in result.items} == {"hit"}
    limited = index.retrieve(" ", time_range=("2026-07-20", "2026-07-22"), limit=1)
    assert found(limited) == [("2026-07-22", "19:00")]


def test_a_query_of_nothing_but_a_time_recalls_that_time(lived: MemoryStore) -> None:
    result = MemoryIndex(lived).retrieve("前天", tz="UTC", expand_links=False)
    assert found(result) == [("2026-07-22", "19:00"), ("2026-07-22", "19:00"), ("2026-07-22", "08:00")]
    given = MemoryIndex(lived).retrieve("昨天", time_range=DAY, expand_links=False)
    assert (given.items, given.time_range_source) == (result.items, "explicit")


def test_an_empty_window_widens_by_a_day_and_says_so(lived: MemoryStore) -> None:
    index = MemoryIndex(lived, use_jieba=False)
    result = index.retrieve("吃了", time_range=("2026-07-23", "2026-07-23"))
    assert gate(result) == (("2026-07-22", "2026-07-24"), "explicit", True)
    assert ("2026-07-24", "10:00") in found(result) and ("2026-07-22", "19:00") in found(result)
    assert gate(index.retrieve("昨天吃了什么", tz="UTC")) == (("2026-07-22", "2026-07-24"), "parsed", True)


def test_a_window_that_stays_empty_leaves_the_items(lived: MemoryStore) -> None:
    result = MemoryIndex(lived).retrieve("robots", time_range=("2020-01-01", "2020-01-01"))
    assert found(result) == [("work", "current-job")]
    assert gate(result) == (("2019-12-31", "2020-01-02"), "explicit", True)
    assert MemoryIndex(lived).retrieve("", time_range=("0001-01-01", "0001-01-01")).items == []


def test_relative_words_count_in_the_zone(lived: MemoryStore, later) -> None:  # type: ignore[no-untyped-def]
    later("2026-07-23T20:00:00Z")
    index = MemoryIndex(lived)
    assert index.retrieve("yesterday", tz="UTC").time_range == DAY
    east = index.retrieve("today", tz=timezone(timedelta(hours=9)))
    assert east.time_range == ("2026-07-24", "2026-07-24")


def test_an_entry_arrives_as_an_item_of_its_day_and_expands_its_links(lived: MemoryStore) -> None:
    result = MemoryIndex(lived, use_jieba=False).retrieve("拉面", time_range=DAY)
    entry, linked = result.items
    assert (entry.item.file, entry.item.name) == ("2026-07-22", "19:00")
    assert (linked.item.name, linked.source, linked.via) == ("current-job", "link", "19:00")


def test_entries_are_cut_by_the_budget_like_items(lived: MemoryStore) -> None:
    result = MemoryIndex(lived).retrieve(
        "", time_range=DAY, budget_tokens=9, explain=True, expand_links=False
    )
    assert [one.item.content for one in result.items] == ["晚上又吃了冰。"]
    assert len(result.dropped) == 2


def test_two_events_of_one_minute_are_two_hits(lived: MemoryStore) -> None:
    result = MemoryIndex(lived, use_jieba=False).retrieve("晚上", time_range=DAY, expand_links=False)
    assert found(result) == [("2026-07-22", "19:00"), ("2026-07-22", "19:00")]


def test_the_diary_is_read_anew_at_each_query(lived: MemoryStore) -> None:
    index = MemoryIndex(lived, use_jieba=False)
    assert found(index.retrieve("汤", time_range=DAY)) == []
    lived.diary.append("喝了汤。", date="2026-07-22", time="20:00")
    assert found(index.retrieve("汤", time_range=DAY)) == [("2026-07-22", "20:00")]
