"""``DO NOT INDEX``: a person's word that a conversation is to leave no trace in the memory.

Only what has the role of the user counts, wherever in the conversation it stands. The same words in an
agent's answer or a tool's output mean nothing: else reading about the marker would exclude a session.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from memex_core.model.errors import MemexError
from memex_core.model.prompts import own_prompt


class Excluded(MemexError):
    """The conversation is not to be kept; the message says why."""

    code = "excluded"


MARKERS = (
    "DO NOT INDEX",
    # what summarising tools put into the conversations that they hold with a model
    "Only use NO_INSIGHTS_FOUND",
    "Context: This summary will be shown in a list to help users and Claude choose which conversations",
    "Context: This summary will be shown in a list to help users and Codex choose which conversations",
)
"""Each counts exactly as written, in capitals."""


def excludes(text: str) -> bool:
    """Whether ``text``, said by the user, excludes its conversation."""
    return any(marker in text for marker in MARKERS)


BY_USER = "the user said DO NOT INDEX"
_TEXT = ("text", "input_text")


def marked(record: Any) -> bool:
    """Whether a record of an agent's session file excludes its session: its role is the user's, and the
    marker stands in what was typed or in instructions that the host sent under that role."""
    if not isinstance(record, dict) or record.get("isSidechain") or record.get("isCompactSummary"):
        return False  # an agent wrote the prompt of a subagent, and the summary of what came before
    for holder in (record, record.get("message"), record.get("payload")):
        if isinstance(holder, dict) and holder.get("role") == "user":
            content = holder.get("content")
            if isinstance(content, str):
                if excludes(content):
                    return True
                continue
            for block in content if isinstance(content, list) else ():
                text = block.get("text") if isinstance(block, dict) and block.get("type") in _TEXT else None
                if isinstance(text, str) and excludes(text):
                    return True
    return False


def why_excluded(turns: Iterable[Mapping[str, Any]]) -> str:
    """Why a conversation with these turns is not to be kept; empty when it may be.

    :data:`BY_USER`, or ``memex's own`` for a prompt that memex sent to a model.
    """
    for turn in turns:
        said = turn.get("content")
        if turn.get("role") == "user" and turn.get("trust") in (None, "human") and isinstance(said, str):
            if own_prompt(said):
                return "memex's own"
            if excludes(said):
                return BY_USER
    return ""
