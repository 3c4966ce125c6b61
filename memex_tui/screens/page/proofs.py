"""What proves the sentences of a page: a sign for each footnote, and which one a line means."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from memex_core.memex import Memex
from memex_core.model.evidence import parse_resource
from memex_core.model.mask import mask
from memex_core.model.page import Value
from memex_tui.render.markdown.literal import literal
from memex_tui.render.markdown.model import Property
from memex_tui.render.text import cut, printable
from memex_tui.screens.sources import presenter
from memex_tui.screens.sources.presenter import Statement

QUOTED = 60  # characters of a quote in the panel above a page
SOURCE = "memex-source:"  # how a link to the page's own source with that number begins
SIGNS = {"E": "evidence", "C": "context"}

_BRACKETS = re.compile(r"[\[\]|]+")
_MARK = re.compile(r"\[\^([^\[\]\s^]{1,100})\](?!:)")


class Proof(NamedTuple):
    """A footnote's sign and its colour: ``evidence``, ``context`` or ``doubtful``."""

    sign: str
    look: str
    statement: Statement


Proofs = Mapping[str, Proof]


def footnoted(front: Mapping[str, Value], body: str) -> bool:
    """Whether the page names sources, and its sentences have footnotes that may be tied to them."""
    return bool(front.get("sources")) and _MARK.search(body) is not None


def entries_of(front: Mapping[str, Value]) -> list[Mapping[str, Value]]:
    """The sources of a page as maps, however they are written."""
    value = front.get("sources")
    listed = value if isinstance(value, list) else [value] if value else []
    return [one if isinstance(one, dict) else {"resource": one} for one in listed]


def load(memex: Memex, path: str) -> dict[str, Proof]:
    """The proof behind each footnote of a page by its name, and behind each source by its link."""
    found: dict[str, Proof] = {}
    sources: dict[tuple[str, str], Proof] = {}
    loaded = presenter.load(memex, path)
    for one in loaded.statements:
        sources.setdefault((one.id, one.resource), proof_of(one))
        if one.line:
            found.setdefault(one.id, proof_of(one))
    for number, entry in enumerate(entries_of(memex.store.page(loaded.path).front)):
        proof = sources.get((str(entry.get("id") or ""), str(entry.get("resource") or "")))
        if proof is not None:
            found[f"{SOURCE}{number}"] = proof
    return found


def proof_of(one: Statement) -> Proof:
    """The sign of a statement, as the Sources area shows it; ✗ where the quote is not in the turn."""
    if one.disputed is not None:
        return Proof("!", "doubtful", one)
    if one.lane and one.found is False:
        return Proof("✗", "doubtful", one)
    return Proof(one.letter, SIGNS.get(one.letter, "doubtful"), one)


def footnotes(text: str) -> list[str]:
    """The names of the footnotes that a line of Markdown has a mark of."""
    return _MARK.findall(mask(text.lstrip())) if "[^" in text else []


def worst(proofs: Proofs, names: Iterable[str]) -> Proof | None:
    """The proof to show for a row with several: doubt first, then evidence."""
    known = [proofs[name] for name in names if name in proofs]
    order = ("doubtful", "evidence", "context")
    return min(known, key=lambda one: order.index(one.look)) if known else None


def nearest(lines: Sequence[str], at: int, proofs: Proofs) -> tuple[str, int] | None:
    """The footnote that line ``at`` (from 0) means, and its line: its own, the next below, the last above."""
    for line in (*range(max(at, 0), len(lines)), *range(min(at, len(lines)) - 1, -1, -1)):
        for name in footnotes(lines[line]):
            if name in proofs:
                return name, line
    return None


# -- the panel above a page -------------------------------------------------------------------


def source_rows(front: Mapping[str, Value]) -> list[Property]:
    """A row for each source: a link, whose target is its number, and the words it is cited for."""
    rows: list[Property] = []
    for number, entry in enumerate(entries_of(front)):
        text = _source_text(number, entry)
        if text:
            rows.append(Property("" if rows else "sources", text))
    return rows


def _source_text(number: int, entry: Mapping[str, Value]) -> str:
    resource = str(entry.get("resource") or "").strip()
    turn = parse_resource(resource)
    name = str(entry.get("title") or "") or resource
    if turn is not None and not entry.get("title"):
        name = f"{turn[0]}, turn {turn[1]}" if turn[1] else turn[0]
    shown = _BRACKETS.sub(" ", printable(name)).strip()
    quote = cut(" ".join(str(entry.get("quote") or "").split()), QUOTED)
    said = " " + literal(f"“{quote}”") if quote else ""
    return f"[[{SOURCE}{number}|{shown}]]{said}" if shown else ""
