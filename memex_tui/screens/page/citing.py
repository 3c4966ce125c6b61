"""Citations while a page is edited: turns to choose from, a source checked by the core, the text with it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from memex_core.actions.conversations.citing import cited
from memex_core.files import frontmatter, surgeon
from memex_core.memex import Memex
from memex_core.model.errors import MemexError
from memex_core.model.evidence import parse_reference, resource
from memex_core.model.page import Value
from memex_core.model.trust import PROVING
from memex_tui.conversations import turns
from memex_tui.render.transcript import Turn
from memex_tui.screens.page.filetext import FileText
from memex_tui.screens.page.proofs import footnotes
from memex_tui.screens.search.presenter import plain_snippet
from memex_tui.screens.sources.presenter import Statement

OFFERED = 40  # turns


class TurnRow(NamedTuple):
    """A turn that can be cited, as it is listed."""

    session: str
    number: int
    title: str
    role: str
    date: str
    snippet: str

    @property
    def key(self) -> str:
        return f"{self.session}#{self.number}"


class TurnChoice(NamedTuple):
    """The turn that was chosen, with its words."""

    session: str
    title: str
    turn: Turn


class Citation(NamedTuple):
    """What to put into a page: the mark ``[^label]``, and under ``sources`` all its entries."""

    label: str
    sources: list[Value]
    statement: Statement


def recent_turns(memex: Memex, typed: str) -> list[TurnRow]:
    """Turns that fit what is typed, with nothing typed the newest; ``SESSION#TURN`` is that turn."""
    named = parse_reference(typed)
    rows = []
    if named is not None and named[1]:
        try:
            head = memex.session(named[0], turns="1-1")
            rows = [_row(one, named[0], head["title"]) for one in turns(memex, named[0], named[1], named[1])]
        except MemexError:
            pass  # no such conversation: the words are looked for
    hits = memex.recall(typed, k=OFFERED, kinds="transcripts", no_count=True)["hits"] if not rows else []
    for hit in hits:
        snippet = plain_snippet(hit["snippet"]).replace("<mark>", "").replace("</mark>", "")
        number, role = hit.get("turn", 0), hit.get("role", "")
        row = TurnRow(hit.get("session_id", ""), number, hit["title"], role, hit["date"], snippet)
        rows.append(row)
    return rows


def _row(turn: Turn, session: str, title: str) -> TurnRow:
    text = " ".join((turn.text or turn.result).split())
    return TurnRow(session, turn.number, title, turn.role, turn.ts[:10], text[:200])


def chosen(memex: Memex, row: TurnRow) -> TurnChoice | None:
    """The turn of a row; None when it is gone."""
    found = turns(memex, row.session, row.number, row.number)
    return TurnChoice(row.session, row.title, found[0]) if found else None


def cite(
    memex: Memex, path: str, session: str, turn: Turn, quote: str, present: Value, body: str
) -> Citation:
    """The source for a turn, checked; ``present`` are the page's sources, ``body`` its text.

    A source that the page has already is used again. Raises Refused when the turn does not say the quote.
    """
    sources: list[Value] = list(present) if isinstance(present, list) else [present] if present else []
    lane = "evidence" if turn.trust in PROVING else "context"
    quote = " ".join(quote.split())
    taken = {str(one.get("id")) for one in sources if isinstance(one, dict)} | set(footnotes(body))
    label = next(f"s{number}" for number in range(1, len(taken) + 2) if f"s{number}" not in taken)
    entry: dict[str, Any] = {"id": label, "session": session, "turn": turn.number, "lane": lane}
    store = memex.store
    made = cited(store, [entry], [quote] if quote else [], sources, scrub=store.scrubber())
    same = (resource(session, turn.number), quote)
    for one in sources:
        if isinstance(one, dict) and one.get("id"):
            words = " ".join(str(one.get("quote") or "").split())
            if (one.get("resource"), words) == same and (one.get("lane") or "evidence") == lane:
                label, made = str(one["id"]), []
                break
    statement = Statement(
        path, "", label, quote or session, 1, lane, session, turn.number, quote, True, resource=same[0]
    )
    return Citation(label, [*sources, *made], statement)


def inserted(
    base: FileText, lines: Sequence[str], caret: tuple[int, int], made: Citation
) -> tuple[bytes, int, int]:
    """The text (``lines`` as edited) with the citation at the caret, and the caret behind it."""
    line, column = caret
    mark = f"[^{made.label}]"
    edited = list(lines)
    edited[line] = edited[line][:column] + mark + edited[line][column:]
    before = base.encode(edited)
    if frontmatter.read(before).fields.get("sources") == made.sources:
        return before, line, column + len(mark)
    data = surgeon.set_keys(before, {"sources": made.sources})
    grown = len(FileText(data).lines) - len(FileText(before).lines)
    return data, line + grown, column + len(mark)
