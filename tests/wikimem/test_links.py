"""Links in the text of items and entries."""

from __future__ import annotations

from dataclasses import FrozenInstanceError

import pytest

from memex_core.wikimem import DiaryItem, RecallItem, WikiLink, parse_wiki_links


def test_links_come_in_order_of_appearance() -> None:
    text = "前 [[daily_life:beach-trip-plan]] mid [[work: current job ]] and [[a:b]] again [[a:b]]"
    assert parse_wiki_links(text) == [
        WikiLink("daily_life", "beach-trip-plan"),
        WikiLink("work", "current job"),
        WikiLink("a", "b"),
        WikiLink("a", "b"),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "[[a]]",
        "[[:b]]",
        "[[a:]]",
        "[[ : ]]",
        "[[a:b:c]]",
        "[[a:b",
        "a:b]]",
        "[[a\n:b]]",
        "[[a[:b]]",
        "",
        "[[]]",
    ],
)
def test_malformed_links_are_ignored(text: str) -> None:
    assert parse_wiki_links(text) == []
    assert parse_wiki_links(f"{text} [[x:y]]")[-1:] == [WikiLink("x", "y")] or text.endswith("[[a:b")


def test_a_link_renders_as_it_is_written() -> None:
    assert WikiLink("a", "b c").render() == "[[a:b c]]"
    assert parse_wiki_links(WikiLink("a", "b c").render()) == [WikiLink("a", "b c")]


def test_a_link_is_frozen_and_can_be_a_key() -> None:
    link = WikiLink("a", "b")
    with pytest.raises(FrozenInstanceError):
        link.file = "x"  # type: ignore[misc]
    assert {link: 1}[WikiLink("a", "b")] == 1


def test_items_and_entries_parse_their_links_on_access() -> None:
    item = RecallItem("f", "n", "one [[a:b]]")
    assert item.links == [WikiLink("a", "b")]
    item.content = "two [[c:d]]"
    assert item.links == [WikiLink("c", "d")]
    assert DiaryItem("2026-07-21", "10:00", "[[a:b]]").links == [WikiLink("a", "b")]


def test_provenance_is_none_where_nothing_says_it() -> None:
    item, entry = RecallItem("f", "n", "c"), DiaryItem("2026-07-21", "10:00", "c")
    assert (item.owner, item.source_conv, item.ts) == (None, None, None)
    assert (entry.owner, entry.source_conv, entry.ts) == (None, None, None)
