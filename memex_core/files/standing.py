"""How far a page can be trusted, from what it says of itself: the trust tier that hits and blocks carry."""

from __future__ import annotations

from memex_core.files.values import as_actors
from memex_core.model.page import Source, Value

TIERS = ("human-reviewed", "process-reviewed", "unreviewed", "agent", "disputed")
"""From the best to the worst."""


def trust(verified: Value, generated: Value, sources: Value) -> str:
    """One of :data:`TIERS`. ``disputed`` while somebody doubts a source; ``human-reviewed`` where a person
    has approved the text as it is; a change that an agent made since is ``agent`` again."""
    if verified is None and generated is None and sources is None:
        return "unreviewed"
    if disputed(sources):
        return "disputed"
    writers = list(as_actors(generated))
    by_agent = any(not actor.startswith(("human:", "process:")) for actor in writers)
    changed = generated.get("at") if by_agent and isinstance(generated, dict) else None
    entries = verified if isinstance(verified, list) else [verified]
    reviewers = [actor for entry in entries if not _before(entry, changed) for actor in as_actors(entry)]
    if any(actor.startswith("human:") for actor in reviewers):
        return "human-reviewed"
    if reviewers:
        return "process-reviewed"
    return "agent" if by_agent else "unreviewed"


def doubt(source: Source) -> str:
    """Who doubts a source, and why, in one line."""
    said = source.disputed or {}
    who = f" by {said['by']}" if said.get("by") else ""
    why = f": {said['why']}" if said.get("why") else ""
    return f"source {source.id or source.title or source.resource} is disputed{who}{why}"


def disputed(sources: Value) -> list[dict[str, Value]]:
    """The entries of ``sources`` that somebody doubts."""
    entries = sources if isinstance(sources, list) else [sources]
    return [entry for entry in entries if isinstance(entry, dict) and entry.get("disputed")]


def _before(entry: Value, changed: Value) -> bool:
    """Whether a review says that it was made before ``changed``; dates compare with dates."""
    at = entry.get("at") if isinstance(entry, dict) else None
    if not isinstance(at, str) or not isinstance(changed, str):
        return False
    return bool(at) and at < changed[: len(at)]
