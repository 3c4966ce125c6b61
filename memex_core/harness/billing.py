"""What each answer of a conversation cost, by the number of its turn; sources tell the total apart."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from memex_core.harness.talk import Talk

KEPT = 100
"""Newest turns of which it is known: the meta file is read whenever conversations are listed."""

Used = Mapping[str, int]


def bill(talk: Talk, used: Used, request: str = "", before: Used | None = None) -> None:
    """Charge what a request used to the answer it led to, the latest one so far.

    What is told of the same ``request`` again replaces what was told of it, though it belongs to a later turn
    by now; ``before`` is what was told of it earlier than of another request.
    """
    memo = talk.memo
    name, turn, charged = memo.get("billed") or ("", 0, {})
    if request and name == request:
        _charge(memo, turn, {key: -value for key, value in charged.items()})
    elif before:
        used = {key: value - before.get(key, 0) for key, value in used.items()}
    last = talk.next_number - 1
    number = min(memo.get("answered", 0), last) or last
    if number:
        _charge(memo, number, used)
        memo["billed"] = [request, number, dict(used)]


def follow_answer(talk: Talk, request: str) -> None:
    """The answer of the last request charged came only after what it used was told: that is moved there."""
    name, _, charged = talk.memo.get("billed") or ("", 0, {})
    if name == request:
        bill(talk, charged, request)


def _charge(memo: dict[str, Any], number: int, used: Used) -> None:
    rows = memo.get("turn_usage")
    if not isinstance(rows, list):  # an earlier version knew of the last turn only
        rows = memo["turn_usage"] = []
    place = len(rows)
    while place and rows[place - 1]["turn"] > number:
        place -= 1
    if not place or rows[place - 1]["turn"] != number:
        rows.insert(place, {"turn": number, "usage": dict.fromkeys(used, 0)})
        place += 1
    usage = rows[place - 1]["usage"]
    for key, value in used.items():
        usage[key] = usage.get(key, 0) + value
    if not any(usage.values()):
        del rows[place - 1]
    del rows[:-KEPT]
