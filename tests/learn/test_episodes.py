"""The digest of a conversation: deterministic, quoting what was said, free of what a host put in."""

from __future__ import annotations

from typing import Any

import pytest

from memex_core.learn.episodes import DESCRIPTION_BYTES, digest_turns
from memex_core.model.prompts import one_line, typed


def say(role: str, content: str, minute: int, **more: Any) -> dict[str, Any]:
    return {
        "role": role,
        "content": content,
        "ts": f"2026-03-04T10:{minute:02}:00Z",
        "turn": minute + 1,
        **more,
    }


AGENTS = "# AGENTS.md instructions for /w/kettle\n\n<INSTRUCTIONS>\nAlways use metric units.\n</INSTRUCTIONS>"
SURROUNDINGS = "<environment_context>\n  <cwd>/w/kettle</cwd>\n</environment_context>"

SESSION = [
    say("user", AGENTS, 0),
    say("user", SURROUNDINGS, 1),
    say(
        "user", "<system-reminder>Never use tabs.</system-reminder>\nWhy does the lid rattle?\nIt is loud.", 2
    ),
    say("agent", "I will look at the hinge. Let's go with a longer pin instead of glue.", 3),
    say(
        "tool",
        "",
        4,
        tool_name="Read",
        query='{"file_path": "/w/kettle/src/lid.py"}',
        result="HINGE_MM = 38 in x.py",
    ),
    say("tool", "", 5, tool_name="Edit", query="*** Update File: src/lid.py\n*** Add File: docs/pin.md"),
    say("user", "From now on we decided to write millimetres. Always use ruff.", 6),
    say(
        "agent",
        "Done: the pin is 40 mm now.\n\nNext step: measure the spout. The tests have not been run.",
        7,
    ),
]


def test_a_digest_tells_what_was_asked_decided_touched_and_left() -> None:
    made = digest_turns(SESSION, "sess-7")
    assert made.title == "Why does the lid rattle?"
    assert made.description == (
        "2026-03-04, 8 turns (4 from the user, 2 from the agent, 2 from tools): Why does the lid rattle?"
    )
    assert (made.started_at, made.ended_at) == ("2026-03-04T10:00:00Z", "2026-03-04T10:07:00Z")
    assert (made.turn_count, made.user_turns, made.agent_turns, made.tool_turns) == (8, 4, 2, 2)
    assert made.body == (
        "A conversation on 2026-03-04 10:00 UTC to 10:07: 8 turns "
        "(4 from the user, 2 from the agent, 2 from tools). Kept in `transcripts/sess-7.jsonl`.\n\n"
        "## Asked\n\n"
        "- Why does the lid rattle? It is loud. (turn 3)\n"
        "- From now on we decided to write millimetres. Always use ruff. (turn 7)\n\n"
        "## Decided\n\n"
        "- Let's go with a longer pin instead of glue. (turn 4)\n"
        "- From now on we decided to write millimetres. (turn 7)\n"
        "- Always use ruff. (turn 7)\n\n"
        "## Touched\n\n"
        "- files: `/w/kettle/src/lid.py`, `docs/pin.md`, `src/lid.py`\n"
        "- tools: `Edit`, `Read`\n\n"
        "## Last state\n\n"
        "- Done: the pin is 40 mm now. Next step: measure the spout. "
        "The tests have not been run. (turn 8)\n\n"
        "## Open\n\n"
        "- Next step: measure the spout. (turn 8)\n"
        "- The tests have not been run. (turn 8)\n"
    )
    assert made == digest_turns(SESSION, "sess-7")


def test_what_the_host_put_in_is_never_quoted() -> None:
    made = digest_turns(SESSION, "s")
    for injected in ("metric units", "Never use tabs", "cwd", "AGENTS"):
        assert injected not in made.body + made.title + made.description


def test_an_unanswered_question_is_open() -> None:
    made = digest_turns([say("user", "Is it done?", 0)], "s")
    assert "## Open\n\n- unanswered: Is it done? (turn 1)\n" in made.body
    assert "Last state" not in made.body


def test_nothing_real_was_asked() -> None:
    made = digest_turns([say("user", SURROUNDINGS, 0)], "sess-9")
    assert made.title == "Session sess-9"
    assert "Asked" not in made.body
    empty = digest_turns([], "none")
    assert (empty.title, empty.turn_count, empty.started_at) == ("Session none", 0, "")
    assert empty.body == "A conversation: 0 turns. Kept in `transcripts/none.jsonl`.\n"


def test_quotes_cannot_open_blocks_links_or_comments() -> None:
    text = "Run this:\n```sh\nif [[ -n $x ]]; then\n```\n"
    text += "keep [[ruff]] but not [[ -f a ]] <!-- and %% a `stray tick"
    body = digest_turns([say("user", text, 0)], "s").body
    assert "```" not in body
    assert "[[ruff]]" in body
    assert "\\[\\[ -f a" in body
    assert "<!--" not in body
    assert "%%" not in body


def test_long_and_wide_texts_stay_within_their_limits() -> None:
    made = digest_turns([say("user", "漢" * 4000, 0), say("agent", "word " * 4000, 1)], "s")
    assert len(made.description.encode()) <= DESCRIPTION_BYTES
    assert len(made.title) <= 80
    assert max(map(len, made.body.split("\n"))) < 300


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("Fix the lid", "Fix the lid"),
        (AGENTS, ""),
        (AGENTS + "\nFix it", "Fix it"),
        (SURROUNDINGS + "\n\n" + AGENTS, ""),
        ("<ide_opened_file>The user opened a.py</ide_opened_file>\nCheck it", "Check it"),
        ("Fix it\n<system-reminder>short</system-reminder>\n", "Fix it"),
        ('What does "<system-reminder>" mean?', 'What does "<system-reminder>" mean?'),
        ("<system-reminder>never closed", "<system-reminder>never closed"),
        (
            "<command-name>/model</command-name>\n<command-message>model</command-message>\n"
            "<command-args>fast</command-args>",
            "/model fast",
        ),
        ("<command-message>x</command-message>\n<command-name>clear</command-name>", "/clear"),
        ("<local-command-stdout>Model is fast</local-command-stdout>", ""),
        ("Caveat: The messages below were generated by the user while running local commands.", ""),
        ("This session is being continued from a previous conversation that ran out", ""),
        ("[Request interrupted by user for tool use]", ""),
        (
            "# Context from my IDE setup:\n\n## Open tabs:\n- a.py\n\n## My request for Codex:\nRename it",
            "Rename it",
        ),
        ("<div>my own markup</div>", "<div>my own markup</div>"),
    ],
)
def test_what_a_person_typed(text: str, part: str) -> None:
    assert typed(text) == part


def test_what_was_taken_back_is_not_told() -> None:
    told = [
        say("user", "Weigh it", 0),
        say("agent", "900 g.", 1),
        say("user", "From now on in stones", 2, abandoned=True),
        say("agent", "0.14 st, still to do: pounds.", 3, abandoned=True),
        say("tool", "", 4, tool_name="scales", query="stones.txt", abandoned=True),
    ]
    made = digest_turns(told, "s1")
    assert made.body.count("\n- ") == 2
    assert "- Weigh it (turn 1)" in made.body and "- 900 g. (turn 2)" in made.body
    assert (made.turn_count, made.user_turns, made.ended_at) == (5, 2, "2026-03-04T10:04:00Z")


def test_one_line() -> None:
    assert one_line("\n\n---\n## The  title\nrest") == "The title"
    assert one_line("word " * 40, 22) == "word word word word…"
    assert one_line("x" * 100, 10) == "x" * 9 + "…"
    assert one_line("🚀") == "🚀"
