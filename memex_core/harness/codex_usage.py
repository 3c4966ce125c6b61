"""What a Codex session cost: totals that are told again and again, never added up.

Rollouts tell it in one of two ways. A ``token_count`` event holds what was used since the session was last
taken up; a ``token_usage_record`` the total of the whole thread, and where one is there it is the answer.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memex_core.harness.billing import bill

if TYPE_CHECKING:
    from memex_core.harness.codex import CodexTalk

_KEYS = ("input_tokens", "cached_input_tokens", "output_tokens", "reasoning_output_tokens")

_REQUEST, _TURN = "up to ", "of turn "
"""Begin the names of what is charged: a request is known by the total it led to, a turn by its id."""


class Usage:
    """The tokens of one session; what was counted stands in the talk's memo."""

    def __init__(self, talk: CodexTalk) -> None:
        self.talk = talk
        self.forget()

    def forget(self) -> None:
        """What was counted so far was a parent's."""
        self.talk.memo.update(base=[0] * 4, last_total=None, thread_total=None, turn_usage=[], billed=None)

    def count(self, info: Any) -> None:
        """A ``token_count``; where its total falls, a resumed session began to count anew."""
        total = info.get("total_token_usage") if isinstance(info, dict) else None
        if not isinstance(total, dict):
            return
        memo, now = self.talk.memo, _numbers(total)
        last = memo["last_total"]
        if last is not None and sum(now) < sum(last):
            memo["base"] = [old + more for old, more in zip(memo["base"], last, strict=True)]
        memo["last_total"] = now
        if not self._billed().startswith(_TURN):  # the same total is the same request, told again
            self._bill(info.get("last_token_usage"), f"{_REQUEST}{sum(now)}")

    def record(self, payload: dict[str, Any]) -> bool:
        """A ``token_usage_record``; whether it told anything."""
        total, turn = payload.get("thread_token_usage"), payload.get("turn_token_usage")
        memo = self.talk.memo
        if isinstance(total, dict):
            memo["thread_total"] = _numbers(total)
        if isinstance(turn, dict):
            if (billed := self._billed()).startswith(_REQUEST):
                bill(self.talk, {}, billed)  # the turn has it in it
            turn_id = payload.get("turn_id") or (memo["turn_ids"] or [memo.get("answered", 0)])[-1]
            self._bill(turn, f"{_TURN}{turn_id}")
        return isinstance(total, dict) or isinstance(turn, dict)

    def _billed(self) -> str:
        """The name of what was charged last."""
        return str((self.talk.memo.get("billed") or [""])[0])

    def _bill(self, latest: Any, name: str) -> None:
        """Charge what was used; what has the same name is told again, or goes on, and is not added up."""
        if isinstance(latest, dict):
            names = [key.removesuffix("_tokens") for key in _KEYS]
            bill(self.talk, dict(zip(names, _numbers(latest), strict=True)), name)

    def sums(self) -> dict[str, int] | None:
        """Tokens of the whole session; None when the source told none."""
        memo = self.talk.memo
        found = memo.get("thread_total")  # an earlier capture's memo has none
        if found is None and memo["last_total"] is not None:
            found = [old + more for old, more in zip(memo["base"], memo["last_total"], strict=True)]
        if found is None:
            return None
        total, cached, output, reasoning = found
        return {
            "input": total - cached,
            "input_total": total,
            "input_uncached": total - cached,
            "cached": cached,
            "output": output,
            "reasoning": reasoning,
        }


def _numbers(told: dict[str, Any]) -> list[int]:
    return [value if isinstance(value := told.get(key), int) else 0 for key in _KEYS]
