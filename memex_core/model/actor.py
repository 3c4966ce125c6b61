"""Who writes: an actor is ``human:<id>``, ``process:<id>`` or an agent (``agent:<id>``, ``name/1.0``)."""

from __future__ import annotations


def is_person(actor: str) -> bool:
    return actor.startswith("human:")


def is_agent(actor: str) -> bool:
    """Whether a model is behind the actor: neither a person nor a program that follows fixed rules."""
    return not actor.startswith(("human:", "process:"))
