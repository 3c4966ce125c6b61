"""Receipts: what agents were given, and why a page was not given with a prompt."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any

from memex_core.files import receipts as noted
from memex_core.model.errors import BadInput

if TYPE_CHECKING:
    from memex_core.actions.store import Store

_REASONS = {
    "below the floor": "not close enough to what the prompt is about",
    "given before": "in the agent's context already",
    "over budget": "no room in the block; it comes with a later one",
    "too many": "better pages came first",
    "an episode": "a conversation, of which better pages tell",
    "disputed": "one of its sources is disputed",
}
_OUTCOMES = {
    "injected": "pages were given",
    "context only": "no page, but what else the agent had to know",
    "no match": "no page was relevant",
    "given before": "what was relevant was in the agent's context already",
    "skipped": "memory was not looked at",
}


def receipts(
    store: Store, *, session: str | None = None, prompt: str | None = None, limit: int = 20
) -> dict[str, Any]:
    """``{receipts: [{seq, ts, state, session, agent, event, project, outcome, pages, withheld, gate, …,
    why}], prompt}``, newest first. ``why`` is the explanation in words, a line each.

    ``prompt`` is the text of a past prompt: only its receipts are told. BadInput for a limit below 1.
    """
    if limit < 1:
        raise BadInput(f"limit {limit} is too small", hint="from 1")
    hash = noted.prompt_hash(prompt) if prompt is not None else ""
    rows = list(islice(noted.read(store.layout, session=session or "", prompt=hash), limit))
    for row in rows:
        row["why"] = explained(row)
    return {"receipts": rows, "prompt": hash}


def explained(row: dict[str, Any]) -> list[str]:
    """What a receipt says, in words."""
    lines: list[str] = []
    gate = row.get("gate")
    if isinstance(gate, dict):
        from memex_core.recall.gate.decision import REASONS

        said = REASONS.get(str(gate.get("reason")), str(gate.get("reason")))
        rules = ", ".join(gate.get("rules") or ())
        lines.append(f"gate: {gate.get('action')}: {said}" + (f" ({rules})" if rules else ""))
    outcome = str(row.get("outcome") or "")
    lines.append(f"outcome: {_OUTCOMES.get(outcome, outcome)}")
    if row["state"] == noted.PREPARED:
        lines.append("it was made ready and not printed: the agent went away, or the prompt was broken off")
    updated = set(row.get("updated") or ())
    for page in row.get("pages") or ():
        kind = "given again, since it changed" if page["slug"] in updated else "given"
        lines.append(f"{page['slug']}: {kind}")
    lines += [f"{slug}: withdrawn, it no longer holds" for slug in row.get("withdrawn") or ()]
    lines += [f"{slug}: withdrawn, the agent works elsewhere now" for slug in row.get("elsewhere") or ()]
    for held in row.get("withheld") or ():
        reason = str(held.get("reason"))
        lines.append(f"{held.get('slug')}: {_REASONS.get(reason, reason)}")
    if row.get("work"):
        lines.append("the state of the work was given back")
    return lines
