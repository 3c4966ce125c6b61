"""What the Sources area changes in a page: doubt about a source, and a statement that rests on a turn."""

from __future__ import annotations

from typing import Any

from memex_core.memex import Memex
from memex_core.model.errors import NotFound
from memex_core.model.results import WriteResult
from memex_core.model.trust import PROVING
from memex_tui.render.transcript import Turn
from memex_tui.screens.sources.presenter import Statement

LONGEST = 160  # characters of a turn that are proposed as its quote


def dispute(memex: Memex, statement: Statement, why: str) -> None:
    """Note at the source who doubts it, when and why."""
    _check(memex, statement)
    memex.dispute(statement.path, statement.id or statement.resource, why)


def withdraw(memex: Memex, statement: Statement) -> None:
    """Take the note of :func:`dispute` away."""
    _check(memex, statement)
    memex.dispute(statement.path, statement.id or statement.resource, withdraw=True)


def _check(memex: Memex, statement: Statement) -> None:
    """Raise NotFound when the source is not as it was read."""
    known = memex.store.page(statement.path).sources
    if all((one.id, one.resource) != (statement.id, statement.resource) for one in known):
        raise NotFound(f"{statement.path} has no such source any more", hint="r reads it again")


def cite(memex: Memex, path: str, session: str, turn: Turn, quote: str, says: str) -> WriteResult:
    """Add the turn to the page's sources, and at its end the statement ``says`` with a footnote for it.

    A turn of a person or a local tool is evidence, any other is context. Raises Refused when the turn does
    not say the quote.
    """
    page = memex.store.page(path)
    taken = {source.id for source in page.sources}
    label = next(f"s{number}" for number in range(1, len(taken) + 2) if f"s{number}" not in taken)
    entry: dict[str, Any] = {"id": label, "session": session, "turn": turn.number}
    entry["lane"] = "evidence" if turn.trust in PROVING else "context"
    if quote.strip():
        entry["quote"] = quote.strip()
    says = " ".join(says.split())
    append = f"\n{says}[^{label}]\n" if says else None
    return memex.edit(path, sources=[entry], append=append, expect=page.digest)


def proposed_quote(turn: Turn) -> str:
    """The words of a turn that are proposed: all of a short one, else its first sentences."""
    text = turn.text.strip() or turn.result.strip()
    line = next((line.strip() for line in text.split("\n") if line.strip()), "")
    if len(line) <= LONGEST:
        return line
    end = max(line.rfind(sign, 0, LONGEST) for sign in ".!?。")
    return line[: end + 1] if end > LONGEST // 4 else line[:LONGEST].rpartition(" ")[0] or line[:LONGEST]
