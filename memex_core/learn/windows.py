"""Turns cut into stretches that one model call can read, and how a turn looks to the model.

A turn is a line of JSON: what it says cannot end the line, and so cannot pass for an instruction around it.
Long texts keep their head and their tail.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from memex_core.files.turns import text_of
from memex_core.model.prompts import typed, without_memory
from memex_core.model.trust import PROVING
from memex_core.recall.pack import est_tokens

_LONGEST = {"user": 6000, "agent": 1200, "tool": 1600}
"""Characters of a turn that the model sees."""

_GAP = "\n[…]\n"


class Window(NamedTuple):
    """Turns of one session that are read together; ``text`` is what the model sees of them."""

    session: str
    turns: list[dict[str, Any]]
    text: str
    tokens: int

    @property
    def first(self) -> int:
        return int(self.turns[0]["turn"])

    @property
    def last(self) -> int:
        return int(self.turns[-1]["turn"])

    @property
    def job(self) -> str:
        """What a job on these turns is called: it stays the same when the conversation goes on."""
        return f"{self.session}#{self.first}"

    @property
    def proves(self) -> bool:
        """Whether anything in it could prove a page."""
        return any(proving(turn) and shown(turn) for turn in self.turns)


def proving(turn: Mapping[str, Any]) -> bool:
    return turn.get("trust", "human") in PROVING


def windows(
    session: str, turns: Sequence[dict[str, Any]], limit: int, clean: Callable[[str], str]
) -> list[Window]:
    """The turns in stretches of about ``limit`` tokens, cut where a person speaks wherever that is possible.

    ``clean`` takes secrets out of what is to be sent.
    """
    made: list[Window] = []
    held: list[tuple[dict[str, Any], str, int]] = []
    used = 0
    for turn in turns:
        line = _line(turn, clean)
        cost = est_tokens(line)
        if held and (used + cost > limit or (used > limit // 2 and turn.get("role") == "user")):
            made.append(_window(session, held))
            held, used = [], 0
        held.append((turn, line, cost))
        used += cost
    if held:
        made.append(_window(session, held))
    return made


def _window(session: str, held: Sequence[tuple[dict[str, Any], str, int]]) -> Window:
    text = "\n".join(line for _, line, _ in held if line)
    return Window(session, [turn for turn, _, _ in held], text, sum(cost for _, _, cost in held))


def shown(turn: Mapping[str, Any]) -> str:
    """What the model may see of a turn: nothing of what came from elsewhere or from memory itself."""
    trust = turn.get("trust", "human")
    if trust in ("external-tool", "recall"):
        return ""
    if turn.get("role") == "user":
        return typed(text_of(turn))
    return without_memory(text_of(turn)).strip()


def _line(turn: Mapping[str, Any], clean: Callable[[str], str]) -> str:
    said = shown(turn)
    if not said:
        return ""
    who = {"user": "person", "agent": "assistant", "tool": "tool"}.get(str(turn.get("role")), "assistant")
    told = {"turn": turn["turn"], "who": who, "proves": proving(turn), "text": _clipped(clean(said), turn)}
    return json.dumps(told, ensure_ascii=False)


def _clipped(text: str, turn: Mapping[str, Any]) -> str:
    longest = _LONGEST.get(str(turn.get("role")), 1200)
    if len(text) <= longest:
        return text
    head = longest * 2 // 3
    return text[:head] + _GAP + text[-(longest - head) :]
