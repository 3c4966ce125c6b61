"""Where a conversation stands, for the agent that has just lost the sight of it.

What was asked last, what was decided, what is open and which files were touched, quoted from the turns by
the same rules as an episode's digest: no model, and the same every time. It is context and proves nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from memex_core.learn.episodes import DECISION, OPEN, Said, cued, files_named, quote
from memex_core.model.prompts import typed

TURNS = 400
"""Turns at the end of a conversation that are looked at."""

_DECIDED, _OPEN, _TOUCHED = 3, 4, 8  # entries of each kind


def working_state(turns: Iterable[Mapping[str, Any]]) -> list[str]:
    """Lines such as ``goal: …``; none when nobody said anything. ``abandoned`` turns do not count."""
    goal: Said | None = None
    answer: Said | None = None
    said: list[Said] = []
    touched: dict[str, None] = {}
    for number, turn in enumerate(turns, 1):
        if turn.get("abandoned"):
            continue
        content = turn.get("content")
        content = content if isinstance(content, str) else ""
        role = turn.get("role")
        if role == "tool":
            for file in files_named(turn.get("query")):
                touched.pop(file, None)
                touched[file] = None
            continue
        number = turn["turn"] if isinstance(turn.get("turn"), int) else number
        one = Said(number, typed(content) if role == "user" else content.strip())
        if not one.text:
            continue
        said.append(one)
        goal, answer = (one, answer) if role == "user" else (goal, one)
    if not said:
        return []
    lines = [f"goal: {quote(goal)}"] if goal else []
    lines += [f"decided: {one}" for one in _last_decided(said)]
    if answer is not None:
        lines.append(f"last answer: {quote(answer)}")
        lines += [f"open: {one}" for one in list(cued(OPEN, [answer], {}).values())[:_OPEN]]
    if touched:
        lines.append(f"touched files, last first: {', '.join(list(touched)[: -_TOUCHED - 1 : -1])}")
    return lines


def _last_decided(said: list[Said]) -> list[str]:
    """The sentences of the last decisions, newest first."""
    found: dict[str, str] = {}
    for one in reversed(said):
        for key, line in reversed(cued(DECISION, [one], {}).items()):
            found.setdefault(key, line)
        if len(found) >= _DECIDED:
            break
    return list(found.values())[:_DECIDED]
