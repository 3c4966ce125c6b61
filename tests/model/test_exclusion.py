"""``DO NOT INDEX``, and the conversations that memex holds itself."""

from __future__ import annotations

import pytest

from memex_core.model.exclusion import why_excluded
from memex_core.model.prompts import OWN_PROMPT

USER = "the user said DO NOT INDEX"


@pytest.mark.parametrize(
    ("role", "text", "why"),
    [
        ("user", "DO NOT INDEX", USER),
        ("user", "Please DO NOT INDEX this chat.", USER),
        ("user", "<INSTRUCTIONS-TO-MEMORY>DO NOT INDEX THIS CHAT</INSTRUCTIONS-TO-MEMORY>\nHi", USER),
        ("user", "# AGENTS.md instructions\n<INSTRUCTIONS>\nDO NOT INDEX\n</INSTRUCTIONS>", USER),
        ("user", "Summarise. Only use NO_INSIGHTS_FOUND if there are none.", USER),
        ("user", "do not index the drafts folder", ""),
        ("user", "Index all.", ""),
        ("agent", "DO NOT INDEX", ""),
        ("tool", "DO NOT INDEX", ""),
        ("user", f'{OWN_PROMPT} name="consolidate">…', "memex's own"),
        ("user", f"What is {OWN_PROMPT}?", ""),
        ("agent", f"{OWN_PROMPT}>", ""),
    ],
)
def test_only_the_user_s_own_word_counts(role: str, text: str, why: str) -> None:
    turns = [{"role": "user", "content": "Hello"}, {"role": "agent", "content": "Hi"}]
    assert (
        why_excluded([*turns, {"role": role, "content": text}, {"role": "agent", "content": "Done"}]) == why
    )


def test_turns_without_text_are_survived() -> None:
    assert why_excluded([{}, {"role": "user"}, {"role": "user", "content": None}]) == ""
