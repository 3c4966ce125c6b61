"""Unlinked mentions: names in a text, and texts that name a page."""

from __future__ import annotations

from typing import Any

import pytest

from memex_core.actions.pages import mentions as module
from memex_core.actions.pages.mentions import mentions


@pytest.fixture(params=[2_000, 0], ids=["few pages", "many pages"])
def store(memex: Any, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setattr(module, "FEW", request.param)
    memex.write(type="entity", title="Rate limits", body="Per key.", aliases=["throttling"])
    memex.write(type="entity", title="HTTP client", body="Honours the rate limits. See [[Retry policy]].")
    memex.write(type="entity", title="Retry policy", body="`rate limits` in code, [[Rate limits]] linked.")
    memex.write(type="entity", title="日本語", body="Uses throttling for the HTTP client.")
    memex.write(type="entity", title="The", body="A page with the name of a stop word.")
    return memex.store


def test_names_in_a_page_are_found_once_each_place(store: Any) -> None:
    found = mentions(store, "HTTP client")["here"]
    assert [(one["name"], one["paths"]) for one in found] == [("rate limits", ["entities/rate-limits.md"])]
    body = store.read_bytes("entities/http-client.md").decode()
    line = body.split("\n")[found[0]["line"] - 1]
    assert "rate limits" in line


def test_offsets_are_those_of_the_text_given(store: Any) -> None:
    text = "one\nthe Retry  policy here\n"
    found = mentions(store, "Rate limits", text=text, first_line=8)
    assert "elsewhere" not in found
    (one,) = found["here"]
    assert text[one["start"] : one["end"]] == "Retry  policy"
    assert one["line"] == 9


def test_scripts_without_blanks(store: Any) -> None:
    (one,) = mentions(store, "Rate limits", text="これは日本語です")["here"]
    assert one["name"] == "日本語"


def test_a_page_does_not_mention_itself_nor_what_it_links(store: Any) -> None:
    found = mentions(store, "Retry policy")
    assert found["here"] == []


def test_pages_that_name_this_one_by_title_or_alias(store: Any) -> None:
    found = mentions(store, "Rate limits")["elsewhere"]
    assert {one["title"]: one["text"] for one in found} == {
        "HTTP client": "Honours the rate limits. See [[Retry policy]].",
        "日本語": "Uses throttling for the HTTP client.",
    }
    assert all(one["line"] > 1 for one in found)


def test_a_link_is_no_mention(store: Any) -> None:
    assert "Retry policy" not in {one["title"] for one in mentions(store, "Rate limits")["elsewhere"]}
