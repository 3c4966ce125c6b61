"""The block in the form that each agent takes."""

from __future__ import annotations

import json

from memex_core.harness.hook_input import HookInput
from memex_core.harness.hook_output import rendered

BLOCK = '=== memex memory: "quoted" ===\nünd\n'


def test_nothing_is_nothing_for_everyone() -> None:
    for call in (HookInput("prompt"), HookInput("prompt", "copilot"), HookInput("prompt", named="X")):
        assert rendered(call, "") == ""


def test_an_agent_that_names_the_event_gets_it_back() -> None:
    out = rendered(HookInput("prompt", "claude", named="UserPromptSubmit"), BLOCK)
    assert out.count("\n") == 1
    assert json.loads(out) == {
        "hookSpecificOutput": {"hookEventName": "UserPromptSubmit", "additionalContext": BLOCK}
    }


def test_copilot_finds_it_on_top() -> None:
    assert json.loads(rendered(HookInput("prompt", "copilot"), BLOCK)) == {"additionalContext": BLOCK}
    both = json.loads(rendered(HookInput("prompt", "copilot", named="SessionStart"), BLOCK))
    assert both["additionalContext"] == both["hookSpecificOutput"]["additionalContext"] == BLOCK


def test_others_get_the_text() -> None:
    assert rendered(HookInput("prompt", "pi"), BLOCK) == BLOCK
