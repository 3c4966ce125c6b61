"""What people typed into the stored conversations, the newest first."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from memex_core.files.layout import Layout
from memex_core.files.sessions import list_sessions
from memex_core.files.transcripts import read_turns
from memex_core.files.turn_walk import previous_prompt
from memex_core.model.identity import same_project
from memex_core.model.prompts import typed


class Prompt(NamedTuple):
    """One typed prompt; ``text`` is without what the agent's host put around it."""

    session: str
    turn: int
    ts: str
    text: str


def newest_prompts(layout: Layout, limit: int, *, project: str | None = None) -> Iterator[Prompt]:
    """At most ``limit`` prompts: session by session, the one that ended last first, each from its end.

    ``project`` is what :func:`memex_core.model.identity.same_project` takes for a session's.
    """
    found = [one for one in list_sessions(layout) if not project or same_project(project, one["project"])]
    found.sort(key=lambda one: (one["ended_at"] or one["started_at"] or "", one["session_id"]), reverse=True)
    left = limit
    for one in found:
        session, turn = one["session_id"], one["turn_count"] + 1
        while left > 0 and (turn := previous_prompt(layout, session, turn)):
            for record in read_turns(layout, session, turn, turn):
                left -= 1
                yield Prompt(session, turn, str(record.get("ts") or ""), typed(str(record["content"])))
