"""Sources, quotes, traces and erasing, as people type them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.actions.talk import SESSION, TURNS
from tests.cli.conftest import Runner

WRITE = ("write", "--type", "preference", "--title", "Linting", "--body", "Use ruff.[^s1]")


@pytest.fixture
def told(memex: Runner, store: Path, tmp_path: Path) -> Runner:
    turns = tmp_path / "turns.jsonl"
    turns.write_text("".join(json.dumps(turn) + "\n" for turn in TURNS))
    done = memex("ingest-transcript", "--session-id", SESSION, "--turns-file", str(turns))
    assert done.code == 0, done.err
    return memex


def test_write_with_sources_and_trace(told: Runner) -> None:
    done = told(
        *WRITE,
        *("--source", f"{SESSION}#1", "--quote", "use ruff, never flake8"),
        *("--source", f"{SESSION}#2:context"),
    )
    assert done.code == 0, done.err
    found = told("trace", "linting").json
    assert set(found) == {
        "slug",
        "direct_transcript_ref",
        "evidence",
        "context",
        "statements",
        "linked_episodes",
        "transcript_files",
        "meta_files",
        "missing_transcripts",
        "transcripts_cleared",
        "confidence",
    }
    assert {"session", "turn", "quote", "role", "ts", "found", "text"} <= set(found["evidence"][0])
    assert [(one["turn"], one["quote"], one["found"]) for one in found["evidence"]] == [
        (1, "use ruff, never flake8", True)
    ]
    assert [(one["turn"], one["role"], one["found"]) for one in found["context"]] == [(2, "agent", True)]
    assert [(one["text"], one["turn"]) for one in found["statements"]] == [("Use ruff.", 1)]
    assert told("verify").json["ok"]


def test_a_quote_with_commas_is_one(told: Runner) -> None:
    assert told(*WRITE, "--source", f"{SESSION}#6", "--quote", "And black? No, ruff formats too.").code == 0
    assert told("trace", "linting").json["evidence"][0]["quote"] == "And black? No, ruff formats too."


def test_a_false_quote_is_refused_in_one_line(told: Runner) -> None:
    done = told(*WRITE, "--source", f"{SESSION}#1", "--quote", "use black", "--json")
    assert done.code == 1
    assert done.json["error"] == {
        "code": "refused",
        "message": "turn 1 of sess-abc does not say 'use black'",
        "hint": "`memex session sess-abc --turns 1` shows it",
    }
    assert done.err.strip() == (
        "memex: turn 1 of sess-abc does not say 'use black'; `memex session sess-abc --turns 1` shows it"
    )
    assert told("show", "linting").code == 1


def test_an_edit_adds_a_source(told: Runner) -> None:
    done = told("edit", "ruff", "--source", f"{SESSION}#1", "--quote", "never flake8")
    assert done.code == 0, done.err
    assert told("trace", "ruff").json["confidence"] == "direct"
    dry = told("edit", "ruff", "--source", f"{SESSION}#9", "--dry-run")
    assert (dry.code, "has no turn 9" in dry.err) == (1, True)


def test_the_terminal_shows_statements_and_lanes(told: Runner, terminal: object, store: Path) -> None:
    told(
        *WRITE,
        "--source",
        f"{SESSION}#1",
        "--quote",
        "never flake8",
        "--source",
        "https://example.org:context",
    )
    code, shown = terminal("trace", "linting")  # type: ignore[operator]
    assert code == 0
    for part in ("direct", "Evidence", "✓", "sess-abc#1", "“never flake8”", "Context", "https://example.org"):
        assert part in shown
    assert "Use ruff." in shown
    assert "[s1] sess-abc#1" in shown


def test_an_empty_lane_is_said_to_be_empty(told: Runner) -> None:
    assert told(*WRITE, "--source", f"{SESSION}#1:context").code == 0
    shown = told("trace", "linting", "--text").out.decode().split("\n")
    assert shown[0] == "linting  provenance: inferred"
    assert shown[shown.index("Evidence") + 1].strip() == "not collected"
    assert "evidence: not collected" in told("show", "linting", "--text").out.decode()
    assert told("trace", "linting").json["evidence"] == []


def test_a_window_of_turns(told: Runner) -> None:
    assert [turn["turn"] for turn in told("session", SESSION, "--turns", "2-3").json["turns"]] == [2, 3]
    assert [turn["trust"] for turn in told("session", SESSION).json["turns"]] == [
        "human",
        "agent",
        "local-tool",
        "external-tool",
        "recall",
        "human",
    ]
    assert told("session", SESSION, "--turns", "3-2").code == 2


def test_purging_a_conversation(told: Runner, root: Path) -> None:
    told(*WRITE, "--source", f"{SESSION}#1")
    refused = told("purge", "--session", SESSION)
    assert refused.code == 1
    assert (root / "transcripts" / f"{SESSION}.jsonl").exists()
    dry = told("purge", "--session", SESSION, "--dry-run").json
    assert (dry["turns"], dry["episodes"], dry["citing"]) == (
        6,
        [f"episodes/{SESSION}.md"],
        ["preferences/linting.md"],
    )
    assert told("purge", "--session", SESSION, "--yes").json["purged"] is True
    assert not (root / "transcripts" / f"{SESSION}.jsonl").exists()
    assert told("session", SESSION).code == 1


def test_an_excluded_conversation_is_refused(memex: Runner, store: Path, tmp_path: Path) -> None:
    turns = tmp_path / "turns.jsonl"
    turns.write_text(json.dumps({"role": "user", "content": "DO NOT INDEX THIS CHAT"}) + "\n")
    done = memex("ingest-transcript", "--session-id", "s1", "--turns-file", str(turns), "--json")
    assert (done.code, done.json["error"]["code"]) == (1, "excluded")
    assert memex("sessions").json["total"] == 0


def test_sessions_with_a_bad_date(memex: Runner, store: Path) -> None:
    done = memex("sessions", "--since", "yesterday-ish")
    assert (done.code, "is no time" in done.err) == (2, True)
