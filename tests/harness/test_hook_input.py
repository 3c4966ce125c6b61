"""What agents send to a hook, each in its own words, read as one thing."""

from __future__ import annotations

import json
from typing import Any

import pytest

from memex_core.harness.hook_input import EVENTS, LARGEST, HookInput, payload_of, read
from memex_core.model.errors import BadInput

ID = "5e551000-0000-4000-8000-000000000001"


def told(event: str, agent: str = "", **said: Any) -> HookInput:
    return read(event, payload_of(said), agent)


def test_claude_code_at_a_prompt() -> None:
    call = told(
        "prompt",
        hook_event_name="UserPromptSubmit",
        session_id=ID,
        transcript_path=f"/home/ada/.claude/projects/-w-boat/{ID}.jsonl",
        cwd="/w/boat",
        permission_mode="default",
        prompt="Why does it leak?",
    )
    assert call == HookInput(
        "prompt",
        "claude",
        ID,
        "Why does it leak?",
        f"/home/ada/.claude/projects/-w-boat/{ID}.jsonl",
        "/w/boat",
        "",
        "UserPromptSubmit",
    )


@pytest.mark.parametrize("source", ["startup", "resume", "clear", "compact"])
def test_claude_code_tells_why_a_session_starts(source: str) -> None:
    assert (
        told("session-start", hook_event_name="SessionStart", session_id=ID, source=source).source == source
    )


def test_codex_hooks_are_like_claude_code_s_with_a_place_of_their_own() -> None:
    call = told(
        "session-start",
        hook_event_name="SessionStart",
        session_id=ID,
        transcript_path=f"/home/ada/.codex/sessions/2026/03/04/rollout-2026-{ID}.jsonl",
        source="startup",
    )
    assert (call.agent, call.session_id, call.source) == ("codex", ID, "startup")


def test_codex_notify_has_hyphens_and_a_list_of_messages() -> None:
    call = read(
        "transcript",
        json.dumps(
            {
                "type": "agent-turn-complete",
                "thread-id": ID,
                "turn-id": "7",
                "cwd": "/w/boat",
                "input-messages": ["Row", "faster"],
                "last-assistant-message": "Rowed.",
            }
        ).encode(),
    )
    assert (call.agent, call.session_id, call.cwd) == ("codex", ID, "/w/boat")
    assert (call.prompt, call.named, call.transcript) == ("Row\nfaster", "", "")


def test_gemini_cli_has_names_of_its_own() -> None:
    call = told("prompt", hook_event_name="BeforeAgent", session_id=ID, prompt="Row", timestamp="2026-03-04")
    assert (call.agent, call.named, call.prompt) == ("gemini", "BeforeAgent", "Row")


def test_copilot_writes_camel_case_and_may_name_no_session() -> None:
    call = told("prompt", timestamp=1704614400000, cwd="/w/boat", prompt="Row")
    assert (call.agent, call.prompt) == ("copilot", "Row")
    assert call.session_id.startswith("copilot-")
    assert call.session_id == told("session-start", timestamp=1, cwd="/w/boat", source="new").session_id
    assert call.session_id != told("prompt", timestamp=1, cwd="/w/other", prompt="Row").session_id
    assert told("session-start", timestamp=1, cwd="/w", source="new").source == "startup"
    named = told("prompt", "github-copilot", sessionId=ID, transcriptPath="/t.jsonl", hookEventName="X")
    assert (named.agent, named.session_id, named.transcript, named.named) == ("copilot", ID, "/t.jsonl", "X")


def test_pi_s_extension_says_who_it_is() -> None:
    call = told("prompt", agent="pi", session_id=ID, session_file="/s.jsonl", prompt="Row")
    assert (call.agent, call.transcript, call.named) == ("pi", "/s.jsonl", "")
    assert told("prompt", "Claude-Code", session_id=ID, prompt="x").agent == "claude"
    assert told("prompt", "../x", session_id=ID, prompt="x").agent == ""


def test_a_prompt_may_be_bare_text_or_blocks() -> None:
    assert read("prompt", "Wie läuft's?\n".encode()).prompt == "Wie läuft's?"
    assert (
        told("prompt", prompt=[{"type": "text", "text": "Row"}, {"type": "image"}, "on"]).prompt == "Row\non"
    )


def test_a_strange_session_id_becomes_a_file_name() -> None:
    for odd in ("../../etc/passwd", "a/b", "x" * 300, "ü", "."):
        name = told("prompt", session_id=odd, prompt="x").session_id
        assert name.startswith("session-")
        assert "/" not in name and len(name) < 40
    assert (
        told("prompt", session_id="a/b", prompt="x").session_id == told("prompt", session_id="a/b").session_id
    )


def test_what_is_no_payload_is_refused_in_one_line_without_its_text() -> None:
    bad = [b"", b"  \n", b'{"prompt": "secret', b"[1, 2]", b'"secret"', b"{" * 100_000, b"x" * (LARGEST + 1)]
    for data in bad:
        with pytest.raises(BadInput) as caught:
            read("prompt", data)
        assert "\n" not in caught.value.message and "secret" not in str(caught.value)
        assert len(caught.value.message) < 120
    with pytest.raises(BadInput, match="no JSON"):
        read("session-end", b"hello")
    with pytest.raises(BadInput, match="no hook is called"):
        read("stop", b"{}")


def test_values_of_another_type_are_as_good_as_missing() -> None:
    for event in EVENTS:
        call = told(event, session_id=7, prompt={"a": 1}, cwd=None, source=["x"], transcript_path=3)
        assert call == HookInput(event)


def test_a_path_at_home_is_expanded_and_a_broken_character_is_none() -> None:
    import os

    assert told("transcript", transcript_path="~/a.jsonl").transcript == os.path.expanduser("~/a.jsonl")
    assert read("prompt", b'{"prompt": "a\\ud800b"}').prompt == "a\ud800b"
    assert read("prompt", b'{"cwd": "/a\\u0000b"}').cwd == "/ab"
