"""Where a conversation stands, by rules: the last request, decisions, open ends, files."""

from __future__ import annotations

from typing import Any

from memex_core.learn.working_state import working_state


def turn(role: str, content: str = "", **more: Any) -> dict[str, Any]:
    return {"role": role, "content": content, **more}


TURNS = [
    turn("user", "Make the login work on phones."),
    turn("agent", "We decided to use cookies. Let's go with Redis for sessions."),
    turn("tool", query="edit src/login.py and src/form.css", tool_name="Edit"),
    turn("tool", query="cat src/login.py tests/test_login.py", tool_name="Bash"),
    turn("user", "<system-reminder>memory</system-reminder>"),
    turn("user", "From now on use SameSite=Lax.\nAnd write a test for it."),
    turn("agent", "Done. The logout still needs a test. TODO: the password reset."),
]


def test_the_state_of_a_conversation() -> None:
    assert working_state(TURNS) == [
        "goal: From now on use SameSite=Lax. And write a test for it. (turn 6)",
        "decided: From now on use SameSite=Lax. (turn 6)",
        "decided: Let's go with Redis for sessions. (turn 2)",
        "decided: We decided to use cookies. (turn 2)",
        "last answer: Done. The logout still needs a test. TODO: the password reset. (turn 7)",
        "open: The logout still needs a test. (turn 7)",
        "open: TODO: the password reset. (turn 7)",
        "touched files, last first: tests/test_login.py, src/login.py, src/form.css",
    ]


def test_the_same_turns_make_the_same_state() -> None:
    assert working_state(iter(TURNS)) == working_state(TURNS)


def test_numbers_are_those_of_the_turns_and_what_was_taken_back_does_not_count() -> None:
    said = [turn("user", "Row north.", turn=41), turn("user", "Row south.", turn=42, abandoned=True)]
    assert working_state(said) == ["goal: Row north. (turn 41)"]


def test_nothing_said_is_nothing() -> None:
    assert working_state([]) == []
    assert working_state([turn("tool", query="ls a.py"), turn("user", " ")]) == []


def test_recalled_memory_is_not_what_was_said() -> None:
    memory = "=== memex memory: x ===\nwe decided to use nails\n=== end of memex memory ==="
    assert working_state([turn("user", f"{memory}\nGo on with the hull.")]) == [
        "goal: Go on with the hull. (turn 1)"
    ]
