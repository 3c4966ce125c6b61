"""Hooks that have the session captured, in a process of its own, as far as the settings allow."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from memex_core.files import transcripts
from memex_core.recall.block import HEAD, TAIL
from tests.harness.writing import Claude, lines

SID = "5e551000-0000-4000-8000-000000000001"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    one = Claude(SID)
    path = tmp_path / "home" / ".claude" / "projects" / "-w-boat" / f"{SID}.jsonl"
    return lines(path, one.user("u1", "Why does the hull leak?"), one.agent("a1", "A plank is loose."))


def captured(memex: Any, event: str, file: Path | str, **more: Any) -> dict[str, Any]:
    payload = {"session_id": SID, "transcript_path": str(file), **more}
    done: dict[str, Any] = memex.hook(event, payload, wait=True)
    return done


def turns(memex: Any) -> list[str]:
    return [str(turn["content"]) for turn in transcripts.read_turns(memex.store.layout, SID)]


@pytest.mark.parametrize("event", ["transcript", "pre-compact", "session-end"])
def test_the_session_is_captured(memex: Any, file: Path, event: str) -> None:
    assert captured(memex, event, file)["outcome"] == "captured"
    assert turns(memex) == ["Why does the hull leak?", "A plank is loose."]


def test_a_second_time_what_is_new_is_added(memex: Any, file: Path) -> None:
    captured(memex, "transcript", file)
    one = Claude(SID)
    one.last, one.minute = "a1", 5
    lines(file, one.user("u2", "Nail it."), mode="ab")
    captured(memex, "session-end", file)
    assert turns(memex) == ["Why does the hull leak?", "A plank is loose.", "Nail it."]


def test_an_agent_that_names_no_file_is_found_by_the_session(memex: Any, file: Path) -> None:
    assert captured(memex, "transcript", "", agent="claude")["outcome"] == "captured"
    assert len(turns(memex)) == 2
    other = memex.hook("transcript", {"session_id": "unknown", "agent": "claude"}, wait=True)
    assert (other["outcome"], other["notices"]) == ("no session file", [])


def test_a_file_that_is_not_there_is_told(memex: Any, file: Path) -> None:
    done = captured(memex, "session-end", file.parent / "gone.jsonl")
    assert done["outcome"] == "no session file"
    assert len(done["notices"]) == 1 and "gone.jsonl" not in done["notices"][0]


def test_the_settings_say_whether(memex: Any, root: Path, file: Path) -> None:
    from memex_core import Memex

    for setting, outcome in (
        ("auto = false", "[capture] auto is off"),
        ('agents = ["codex"]', "claude is not in [capture] agents"),
    ):
        (root / "memex.toml").write_text(f"[capture]\n{setting}\n")
        with Memex(root) as again:
            assert captured(again, "session-end", file)["outcome"] == outcome
            assert turns(again) == []
    (root / "memex.toml").write_text('[capture]\nexclude = ["/w/*"]\n')
    with Memex(root) as again:
        captured(again, "session-end", file)
        assert turns(again) == []


def test_do_not_index_in_the_file_keeps_and_removes_it(memex: Any, file: Path) -> None:
    captured(memex, "transcript", file)
    assert turns(memex)
    one = Claude(SID)
    one.last = "a1"
    lines(file, one.user("u2", "DO NOT INDEX"), mode="ab")
    memex.hook("prompt", {"session_id": SID, "prompt": "DO NOT INDEX"})
    captured(memex, "session-end", file)
    assert turns(memex) == []


def test_do_not_index_before_anything_was_kept_starts_no_process(memex: Any, file: Path) -> None:
    memex.hook("prompt", {"session_id": SID, "prompt": "DO NOT INDEX this"})
    assert captured(memex, "session-end", file)["outcome"] == "the user said DO NOT INDEX"
    assert turns(memex) == []


def test_what_memex_put_into_the_session_is_no_evidence(memex: Any, tmp_path: Path) -> None:
    """However the host writes the block down: in the prompt, as a reminder, as a tool's answer."""
    block = "\n".join((*HEAD, "1. Hull (entity)", "   | Tar the hull in May.", TAIL))
    one = Claude(SID)
    path = lines(
        tmp_path / f"{SID}.jsonl",
        one.user("u1", f"{block}\n\nWhy does it leak?"),
        one.agent("a1", "Age."),
        one.user("u2", f"<system-reminder>\n{block}\n</system-reminder>\nAnd now?"),
        one.user("u3", block),
        one.record(
            "h1", type="attachment", attachment={"type": "hook_additional_context", "content": [block]}
        ),
        one.agent("a2", "Tar it."),
    )
    captured(memex, "session-end", path)
    stored = transcripts.read_turns(memex.store.layout, SID)
    human = [turn["content"] for turn in stored if turn["role"] == "user" and turn["trust"] == "human"]
    assert human == ["Why does it leak?", "And now?"]
    assert not any("in May" in turn["content"] for turn in stored if turn["trust"] != "recall")


def test_memex_s_own_calls_are_not_captured(memex: Any, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMEX_INTERNAL", "1")
    assert captured(memex, "session-end", file)["outcome"] == "one of memex's own calls"
    assert turns(memex) == []
