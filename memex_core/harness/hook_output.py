"""The one thing a hook may print: a block of context, in the form that its agent takes."""

from __future__ import annotations

import json

from memex_core.harness.hook_input import HookInput

LONGEST = 9_500
"""Characters of a block. Claude Code takes 10,000 whole and shows the model a stub of anything longer."""


def rendered(call: HookInput, block: str) -> str:
    """What goes to standard output: nothing, the block itself, or JSON that holds it.

    An agent that names the event gets JSON back (Claude Code, Codex, Gemini CLI; the last one takes
    nothing else). Copilot looks for the context beside that as well. Others get plain text.
    """
    if not block:
        return ""
    if call.agent == "copilot":
        answer: dict[str, object] = {"additionalContext": block}
        if call.named:
            answer["hookSpecificOutput"] = _specific(call.named, block)
        return json.dumps(answer, ensure_ascii=False) + "\n"
    if call.named:
        return json.dumps({"hookSpecificOutput": _specific(call.named, block)}, ensure_ascii=False) + "\n"
    return block


def _specific(named: str, block: str) -> dict[str, str]:
    return {"hookEventName": named, "additionalContext": block}
