"""Prompts a person picks in their client: ask memory first, or have something remembered."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import mcp_types as types

from memex_core.model.errors import BadInput

if TYPE_CHECKING:
    from memex_core.memex import Memex

PROMPTS = (
    types.Prompt(
        name="recall",
        title="Ask memory",
        description="Put what memory holds on a subject before the model.",
        arguments=[types.PromptArgument(name="query", description="the question or subject", required=True)],
    ),
    types.Prompt(
        name="remember",
        title="Remember",
        description="Have the model write down what is worth keeping.",
        arguments=[types.PromptArgument(name="what", description="what to keep; empty: choose yourself")],
    ),
)

_REMEMBER = """Keep this in memory: {what}

Look with memex_recall whether a page about it exists. If one does, change it with memex_edit; else \
write one page a fact with memex_write: a title that names the fact, a type (preference, procedure, \
entity or summary), one or two sentences of body, tags, and links to the pages it concerns. Keep \
only what will still matter in a month. Then tell me which pages you wrote."""


def offered(*, read_only: bool) -> dict[str, types.Prompt]:
    """The prompts of a server by name: where nothing may be written, nothing can be remembered."""
    return {prompt.name: prompt for prompt in PROMPTS if not (read_only and prompt.name == "remember")}


def made(memex: Memex, name: str, given: Mapping[str, str]) -> str:
    """The text of a prompt that is offered. Raises BadInput for a missing argument."""
    if name == "recall":
        query = given.get("query", "").strip()
        if not query:
            raise BadInput("query is missing", hint="the question or subject")
        block = memex.context(query)["block"] or "Memory holds nothing about it."
        return f"{block}\n\nWith that in mind: {query}"
    what = given.get("what", "").strip() or "what this conversation showed to be worth keeping"
    return _REMEMBER.format(what=what)
