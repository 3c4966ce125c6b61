"""Turns cut into stretches that one model call can read, and how a turn looks to the model.

A turn is a line of JSON: what it says cannot end the line, and so cannot pass for an instruction around it.
Long texts keep their head and their tail.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from memex_core.files import session_meta, transcripts
from memex_core.files.turns import quotable_text, text_of
from memex_core.model.errors import NotFound
from memex_core.model.evidence import LANES
from memex_core.model.exclusion import why_excluded
from memex_core.model.prompts import typed, without_memory
from memex_core.model.trust import PROVING
from memex_core.recall.pack import est_tokens

if TYPE_CHECKING:
    from memex_core.files.layout import Layout

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
        return any(proving(turn) and quotable(turn) for turn in self.turns)


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


def as_stored(layout: Layout, window: Window) -> bool:
    """Whether the turns are still stored as they were read: not erased, taken back, changed or excluded."""
    if not transcripts.exists(layout, window.session):
        return False
    try:
        taken_back = session_meta.abandoned(transcripts.read_meta(layout, window.session))
        stored = transcripts.read_turns(layout, window.session, window.first)
    except NotFound:  # erased this very moment
        return False
    now = {turn["turn"]: (turn.get("xid"), shown(turn)) for turn in stored}
    same = all(
        now.get(turn["turn"]) == (turn.get("xid"), shown(turn)) and not taken_back(turn["turn"])
        for turn in window.turns
    )
    return same and not why_excluded(stored)


def shown(turn: Mapping[str, Any]) -> str:
    """What the model may see of a turn: nothing of what came from elsewhere or from memory itself."""
    return _seen(turn, text_of(turn))


def quotable(turn: Mapping[str, Any]) -> str:
    """What of :func:`shown` a note may quote: of a tool that proves, what it gave back."""
    return _seen(turn, quotable_text(turn, LANES[0] if proving(turn) else LANES[1]))


def _seen(turn: Mapping[str, Any], text: str) -> str:
    if turn.get("trust", "human") in ("external-tool", "recall"):
        return ""
    return typed(text) if turn.get("role") == "user" else without_memory(text).strip()


def _line(turn: Mapping[str, Any], clean: Callable[[str], str]) -> str:
    if not shown(turn):
        return ""
    who = {"user": "person", "agent": "assistant", "tool": "tool"}.get(str(turn.get("role")), "assistant")
    told = {"turn": turn["turn"], "who": who, "proves": proving(turn)}
    if who == "tool" and proving(turn):
        asked = text_of({**turn, "content": "", "result": ""})
        told["asked"] = _clipped(clean(without_memory(asked).strip()), turn)
    told["text"] = _clipped(clean(quotable(turn)), turn)
    return json.dumps(told, ensure_ascii=False)


def _clipped(text: str, turn: Mapping[str, Any]) -> str:
    longest = _LONGEST.get(str(turn.get("role")), 1200)
    if len(text) <= longest:
        return text
    head = longest * 2 // 3
    return text[:head] + _GAP + text[-(longest - head) :]
