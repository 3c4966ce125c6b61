"""A source must be there, and its quote must stand in it."""

from __future__ import annotations

from typing import Any

import pytest

from memex_core.model.errors import BadInput, MemexError, Refused
from tests.actions.talk import SESSION, TURNS


@pytest.fixture
def told(memex: Any) -> Any:
    memex.ingest_transcript(SESSION, turns=TURNS)
    return memex


def cite(memex: Any, sources: Any, quotes: Any = ()) -> list[dict[str, Any]]:
    memex.write(type="preference", title="Ruff", body="Use ruff.", sources=sources, quotes=quotes)
    found: list[dict[str, Any]] = memex.show("ruff")["sources"]
    return found


def test_turns_with_quotes(told: Any) -> None:
    found = cite(
        told,
        [f"{SESSION}#1", f"{SESSION}#3", f"{SESSION}#2:context"],
        ["use ruff, never flake8", "ruff 0.9.2"],
    )
    assert found == [
        {
            "id": "s1",
            "resource": "memex:sess-abc#1",
            "title": "sess-abc, turn 1",
            "lane": "evidence",
            "quote": "use ruff, never flake8",
        },
        {
            "id": "s2",
            "resource": "memex:sess-abc#3",
            "title": "sess-abc, turn 3",
            "lane": "evidence",
            "quote": "ruff 0.9.2",
        },
        {
            "id": "s3",
            "resource": "memex:sess-abc#2",
            "title": "sess-abc, turn 2",
            "lane": "context",
            "quote": "",
        },
    ]
    assert "quote: " not in told.read_bytes("ruff").decode().rpartition("#2")[2]


def test_maps_do_as_well_as_text(told: Any) -> None:
    found = cite(
        told,
        [
            {"session": SESSION, "turn": "6", "quote": "ruff formats too", "id": "format"},
            {"resource": f"memex:{SESSION}#2", "lane": "context", "title": "The answer"},
            {"resource": "notes/lint.md", "quote": "anything"},
        ],
    )
    assert [(one["id"], one["resource"], one["lane"], one["quote"]) for one in found] == [
        ("format", "memex:sess-abc#6", "evidence", "ruff formats too"),
        ("s1", "memex:sess-abc#2", "context", ""),
        ("s2", "notes/lint.md", "evidence", "anything"),
    ]
    assert found[1]["title"] == "The answer"


def test_a_url_is_a_source(told: Any) -> None:
    found = cite(told, ["https://example.org:8080/a", "https://example.org/b:context"])
    assert [(one["resource"], one["lane"]) for one in found] == [
        ("https://example.org:8080/a", "evidence"),
        ("https://example.org/b", "context"),
    ]


def test_more_sources_join_those_that_are_there(told: Any) -> None:
    cite(told, [f"{SESSION}#1"])
    before = told.read_bytes("ruff")
    told.edit("ruff", sources=[f"{SESSION}#6"], quotes=["ruff formats too"])
    assert [(one["id"], one["quote"]) for one in told.show("ruff")["sources"]] == [
        ("s1", ""),
        ("s2", "ruff formats too"),
    ]
    with pytest.raises(BadInput, match="has a source 's1' already"):
        told.edit("ruff", sources=[{"session": SESSION, "turn": 1, "id": "s1"}])
    told.write(type="preference", title="Ruff", body="Use ruff.", update=True, sources=[f"{SESSION}#3"])
    assert [one["id"] for one in told.show("ruff")["sources"]] == ["s1", "s2", "s3"]
    assert before.split(b"sources:")[0] == told.read_bytes("ruff").split(b"sources:")[0]


@pytest.mark.parametrize(
    ("sources", "quotes", "kind", "message", "hint"),
    [
        (
            [f"{SESSION}#1"],
            ["use black"],
            Refused,
            "turn 1 of sess-abc does not say 'use black'",
            "--turns 1",
        ),
        ([f"{SESSION}#1"], ["ruff formats too"], Refused, "turn 1 of sess-abc does not say", "turn 6 does"),
        ([f"{SESSION}#1"], ["Use ruff"], Refused, "does not say 'Use ruff'", ""),
        ([f"{SESSION}#7"], [], Refused, "session sess-abc has no turn 7", "memex session sess-abc"),
        (["other#1"], [], Refused, "session other is not stored", "memex sessions"),
        (
            [f"{SESSION}#2"],
            [],
            Refused,
            "turn 2 of sess-abc is from an agent",
            "cite it as sess-abc#2:context",
        ),
        ([f"{SESSION}#4"], [], Refused, "a tool that reads elsewhere", "#4:context"),
        ([f"{SESSION}#5"], [], Refused, "memex itself", "#5:context"),
        ([f"{SESSION}#1"], ["a", "b"], BadInput, "2 quotes for 1 source", ""),
        ([SESSION], [], BadInput, "is no source", "SESSION#TURN"),
        (["what?"], [], BadInput, "'what[?]' is no source", "SESSION#TURN"),
        ([f"{SESSION}#0"], [], BadInput, "is no source", ""),
        ([f"{SESSION}#1:proof"], [], BadInput, "is no source", ""),
        ([{"session": SESSION}], [], BadInput, "alone proves nothing", "sess-abc#12"),
        ([{"session": SESSION, "turn": "x"}], [], BadInput, "turn 'x' is no number", ""),
        (
            [{"session": SESSION, "turn": 1, "lane": "proof"}],
            [],
            BadInput,
            "'proof' is no lane",
            "evidence or context",
        ),
        ([{"title": "x"}], [], BadInput, "no turn and no resource", ""),
    ],
)
def test_what_proves_nothing_is_refused(
    told: Any, sources: Any, quotes: Any, kind: type[MemexError], message: str, hint: str
) -> None:
    with pytest.raises(kind, match=message) as refused:
        cite(told, sources, quotes)
    assert hint in refused.value.hint
    assert told.list(type="preference")["pages"] == []


def test_context_may_come_from_anybody(told: Any) -> None:
    found = cite(told, [f"{SESSION}#{n}:context" for n in (2, 4, 5)], ["", "flake8 is fine"])
    assert [one["lane"] for one in found] == ["context"] * 3


def test_a_quote_of_a_secret_cites_what_is_stored(memex: Any) -> None:
    memex.ingest_transcript(SESSION, turns=[{"role": "user", "content": "The password: hunter22 is old."}])
    found = cite(memex, [f"{SESSION}#1"], ["password: hunter22 is old"])
    assert found[0]["quote"] == "password: [REDACTED:password] is old"
