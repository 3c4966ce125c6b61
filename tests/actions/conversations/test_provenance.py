"""From a page to the turns that prove it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.actions.talk import SESSION, TURNS


@pytest.fixture
def told(memex: Any) -> Any:
    memex.ingest_transcript(SESSION, turns=TURNS)
    return memex


def test_both_lanes_with_their_turns(told: Any) -> None:
    told.write(
        type="preference",
        title="Ruff",
        body="Use ruff.[^s1] It was agreed.[^s2] As ever.[^x]\n\n[^x]: by hand",
        sources=[f"{SESSION}#1", f"{SESSION}#2:context", "https://example.org/ruff"],
        quotes=["use ruff, never flake8"],
    )
    found = told.trace("ruff")
    assert found["confidence"] == "direct"
    proof, page = found["evidence"]
    assert proof == {
        "id": "s1",
        "resource": "memex:sess-abc#1",
        "title": "sess-abc, turn 1",
        "session": SESSION,
        "turn": 1,
        "quote": "use ruff, never flake8",
        "role": "user",
        "ts": "2026-03-04T10:00:00Z",
        "trust": "human",
        "text": "Please use ruff,\nnever flake8.",
        "found": True,
        "abandoned": False,
        "disputed": None,
    }
    assert (page["session"], page["turn"], page["found"], page["resource"]) == (
        None,
        None,
        None,
        "https://example.org/ruff",
    )
    (context,) = found["context"]
    assert (context["turn"], context["role"], context["found"]) == (2, "agent", True)
    assert [Path(name).name for name in found["transcript_files"]] == ["sess-abc.jsonl"]
    assert [Path(name).name for name in found["meta_files"]] == ["sess-abc.meta.json"]
    body_line = (
        told.read_bytes("ruff").decode().split("\n").index("Use ruff.[^s1] It was agreed.[^s2] As ever.[^x]")
        + 1
    )
    assert found["statements"] == [
        {
            "id": "s1",
            "line": body_line,
            "text": "Use ruff.",
            "session": SESSION,
            "turn": 1,
            "lane": "evidence",
            "quote": "use ruff, never flake8",
            "resource": "memex:sess-abc#1",
            "found": True,
        },
        {
            "id": "s2",
            "line": body_line,
            "text": "It was agreed.",
            "session": SESSION,
            "turn": 2,
            "lane": "context",
            "quote": "",
            "resource": "memex:sess-abc#2",
            "found": True,
        },
    ]


def test_hand_made_sources_that_do_not_hold(told: Any, root: Path) -> None:
    (root / "docs" / "hand.md").write_text(
        "---\ntitle: Hand\nsources:\n"
        '  - {id: a, resource: "memex:sess-abc#1", quote: never said}\n'
        '  - {id: b, resource: "memex:sess-abc#99"}\n'
        '  - {id: c, resource: "memex:gone#1"}\n'
        '  - {id: d, resource: "memex:sess-abc", quote: ruff formats too}\n'
        '  - {id: e, resource: "memex:sess-abc", quote: black it is}\n'
        "---\nA.[^a] B.[^b] Nothing.[^none]\n"
    )
    told.look_again()
    found = told.trace("hand")
    assert [(one["id"], one["turn"], one["found"]) for one in found["evidence"]] == [
        ("a", 1, False),
        ("b", 99, False),
        ("c", 1, False),
        ("d", None, True),
        ("e", None, False),
    ]
    assert found["evidence"][0]["text"] == "Please use ruff,\nnever flake8."
    assert found["evidence"][1]["text"] is None
    assert [(one["id"], one["text"], one["lane"], one["found"]) for one in found["statements"]] == [
        ("a", "A.", "evidence", False),
        ("b", "B.", "evidence", False),
        ("none", "Nothing.", None, False),
    ]
    report = told.verify()
    check = next(check for check in report["checks"] if check["name"] == "sources-hold")
    assert (check["ok"], check["level"]) == (False, "warning")
    assert [(one["file"], one["line"], one["message"]) for one in check["files"]] == [
        ("hand.md", 4, "turn 1 of sess-abc does not say “never said”"),
        ("hand.md", 5, "session sess-abc has no turn 99"),
        ("hand.md", 6, "session gone is not stored"),
        ("hand.md", 10, "[^none] leads to no source: name one, or take the mark out"),
    ]


def test_sources_that_hold_are_no_warning(told: Any) -> None:
    told.write(type="note", title="A", body="x", sources=[f"{SESSION}#1"], quotes=["never flake8"])
    check = next(check for check in told.verify()["checks"] if check["name"] == "sources-hold")
    assert (check["ok"], check["detail"]) == (True, "holds")


def test_inferred_and_none(told: Any) -> None:
    told.write(type="note", title="Linked", body=f"See [[{SESSION}]].")
    told.write(type="note", title="Alone", body="x")
    inferred = told.trace("linked")
    assert (inferred["confidence"], inferred["linked_episodes"]) == ("inferred", [SESSION])
    assert [Path(name).name for name in inferred["transcript_files"]] == ["sess-abc.jsonl"]
    nothing = told.trace("alone")
    assert (nothing["confidence"], nothing["evidence"], nothing["statements"]) == ("none", [], [])
    assert told.trace(SESSION)["direct_transcript_ref"] == "transcripts/sess-abc.jsonl"


def test_the_names_of_the_first_interface(told: Any) -> None:
    told.write(type="note", title="Alone", body="x")
    told.write(type="note", title="Linked", body=f"See [[{SESSION}]].")
    assert told.get_provenance("alone") is None
    assert told.get_provenance("linked")["confidence"] == "inferred"
    (session,) = told.list_sessions()
    assert (session["session_id"], session["episode_slug"], session["turn_count"]) == (SESSION, SESSION, 6)
    assert told.delete_transcript(SESSION) == {
        "session_id": SESSION,
        "deleted": True,
        "episodes": ["episodes/sess-abc.md"],
    }
    assert told.list_sessions() == []
    assert sorted(page["slug"] for page in told.list()["pages"]) == ["alone", "linked"]


@pytest.mark.parametrize(
    ("source", "quote", "confidence"),
    [
        (f"{SESSION}#1", "", "direct"),
        (f"{SESSION}#1:context", "", "inferred"),
        (f"{SESSION}#2:context", "", "inferred"),
        ("https://example.org/a", "", "none"),
    ],
)
def test_only_what_proves_is_direct(told: Any, source: str, quote: str, confidence: str) -> None:
    told.write(type="note", title="Plain", body="b", sources=[source], quotes=[quote] if quote else [])
    assert told.trace("plain")["confidence"] == confidence


def test_a_quote_that_is_not_found_is_no_direct_proof(told: Any) -> None:
    told.write(type="note", title="Plain", body="b", sources=[f"{SESSION}#1"], quotes=["never flake8"])
    assert told.trace("plain")["confidence"] == "direct"
    path = told.show("plain")["file_path"]
    with open(path, encoding="utf-8") as file:
        text = file.read()
    with open(path, "w", encoding="utf-8") as file:
        file.write(text.replace("quote: never flake8", "quote: always flake8"))
    told.look_again()
    traced = told.trace("plain")
    assert (traced["evidence"][0]["found"], traced["confidence"]) == (False, "none")
