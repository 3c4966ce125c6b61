"""What the Sources area shows: the statements of a page, the turns behind them, and the way back.

Plain functions over the core; called in a lane of the gateway, never on the loop.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from memex_core.index.sourced import newest_with_sources, pages_citing
from memex_core.memex import Memex
from memex_core.model.errors import MemexError, NotFound
from memex_core.model.evidence import resource
from memex_core.model.page import Page
from memex_tui.messages import Place
from memex_tui.render.text import cut, printable
from memex_tui.render.transcript import Quote, TurnMark

MOST_PAGES = 200  # pages citing one conversation that are read for their statements

LETTERS = {"evidence": "E", "context": "C", "linked": "~", "": "?"}


class Disputed(NamedTuple):
    """Who doubts a source, since when, and why."""

    by: str
    at: str = ""
    why: str = ""


class Statement(NamedTuple):
    """What a page says and where it has it from. ``line`` is 0 when no sentence of the page names the source.

    ``lane`` is ``evidence`` or ``context``; ``linked`` for the conversation of an episode, which proves
    nothing by itself; empty when the footnote names no source. ``turn`` 0 is the whole conversation.
    ``found`` is None for what is no turn and cannot be looked up.
    """

    path: str
    page: str
    id: str
    text: str
    line: int = 0
    lane: str = ""
    session: str = ""
    turn: int = 0
    quote: str = ""
    found: bool | None = None
    role: str = ""
    ts: str = ""
    resource: str = ""
    disputed: Disputed | None = None

    @property
    def key(self) -> str:
        return f"{self.path}\n{self.id}\n{self.line}\n{self.resource}"

    @property
    def letter(self) -> str:
        return LETTERS.get(self.lane, "?")

    @property
    def doubtful(self) -> bool:
        return self.found is False or self.disputed is not None or not self.lane

    @property
    def citation(self) -> str:
        """The source as one quotes it elsewhere."""
        said = f"“{' '.join(self.quote.split())}” " if self.quote else ""
        date = f", {self.ts[:10]}" if self.ts else ""
        return f"{said}({self.resource or 'no source'}{date})"


class Loaded(NamedTuple):
    """A page, or with ``path`` empty a conversation, with the statements that belong to it."""

    path: str = ""
    title: str = ""
    statements: tuple[Statement, ...] = ()


# -- pages ---------------------------------------------------------------------------------------


def load(memex: Memex, name: str) -> Loaded:
    """The statements of a page: footnoted sentences in order, then the sources that no sentence names."""
    store = memex.store
    row = store.index.row(name) or store.find(name, loose=True)
    page = store.page(row.path)
    report = memex.trace(row.path)
    disputes = _disputes(page)
    entries: dict[str, dict[str, Any]] = {}
    for lane in ("evidence", "context"):
        for entry in report[lane]:  # type: ignore[literal-required]
            entries.setdefault(str(entry["id"]), {**entry, "lane": lane})
    known = {"path": row.path, "page": page.title}
    found: list[Statement] = []
    for said in report["statements"]:
        entry = entries.get(said["id"], {})
        found.append(_statement(known, said["id"], said["text"], said["line"], entry, disputes))
    named = {one.id for one in found}
    for lane in ("evidence", "context"):
        for entry in report[lane]:  # type: ignore[literal-required]
            if not entry["id"] or entry["id"] not in named:
                text = entry["quote"] or entry["title"] or entry["resource"]
                found.append(_statement(known, entry["id"], text, 0, {**entry, "lane": lane}, disputes))
    cited = {one.session for one in found}
    for name in report["transcript_files"]:
        session = os.path.basename(name).removesuffix(".jsonl")
        if session not in cited:
            found.append(_linked(known, page, session))
    return Loaded(row.path, page.title, tuple(found))


def first_page(memex: Memex, recent: Sequence[str]) -> str:
    """The page to begin with: the one read last, else the newest that names a source; empty for none."""
    index = memex.store.index
    for path in recent[:1]:
        if index.row(path) is not None:
            return path
    return newest_with_sources(index.db)


def _statement(
    known: Mapping[str, str],
    id: str,
    text: str,
    line: int,
    entry: Mapping[str, Any],
    disputes: Mapping[tuple[str, str], Disputed],
) -> Statement:
    return Statement(
        known["path"],
        known["page"],
        id,
        text or entry.get("quote") or id,
        line,
        entry.get("lane") or "",
        entry.get("session") or "",
        entry.get("turn") or 0,
        entry.get("quote") or "",
        entry.get("found") if entry else False,
        entry.get("role") or "",
        entry.get("ts") or "",
        entry.get("resource") or "",
        disputes.get((id, entry.get("resource") or "")),
    )


def _linked(known: Mapping[str, str], page: Page, session: str) -> Statement:
    own = page.transcript_ref.endswith(f"/{session}.jsonl")
    text = "The conversation that this page sums up" if own else "The conversation of a linked episode"
    return Statement(**known, id="", text=text, lane="linked", session=session, resource=resource(session))


def _disputes(page: Page) -> dict[tuple[str, str], Disputed]:
    """The sources that somebody disputes, by id and resource."""
    found = {}
    sources = page.front.get("sources")
    for entry in sources if isinstance(sources, list) else ():
        doubt = entry.get("disputed") if isinstance(entry, dict) else None
        if isinstance(entry, dict) and doubt not in (None, "", "false"):
            told = doubt if isinstance(doubt, dict) else {"why": doubt}
            words = {key: str(told.get(key) or "") for key in ("by", "at", "why")}
            found[str(entry.get("id") or ""), str(entry.get("resource") or "")] = Disputed(**words)
    return found


# -- conversations -------------------------------------------------------------------------------


def citing(memex: Memex, session: str) -> tuple[Statement, ...]:
    """Every statement of any page that cites the conversation, in order of the turns."""
    found: list[Statement] = []
    paths = pages_citing(memex.store.index.db, session)
    for path in paths[:MOST_PAGES]:
        try:
            found += [one for one in load(memex, path).statements if one.session == session]
        except MemexError:
            continue  # gone since the index was read
    return tuple(sorted((one for one in found if one.lane != "linked"), key=lambda one: (one.turn, one.path)))


def load_session(memex: Memex, session: str) -> Loaded:
    """What all pages have from a conversation."""
    try:
        title = memex.session(session, turns="1-1")["title"]
    except NotFound:
        title = session
    return Loaded("", title, citing(memex, session))


# -- what is shown -------------------------------------------------------------------------------


def marks(
    statements: Iterable[Statement], others: Iterable[Statement], current: Statement | None
) -> dict[int, TurnMark]:
    """What stands beside the turns of the conversation that all these statements cite."""
    by_turn: dict[int, list[Statement]] = defaultdict(list)
    for one in statements:
        if one.turn:
            by_turn[one.turn].append(one)
    found: dict[int, TurnMark] = {}
    for turn, own in by_turn.items():
        first = min(own, key=lambda one: (one.lane != "evidence", one.id))
        doubtful = any(one.doubtful for one in own)
        quotes: dict[str, Quote] = {}
        for one in own:
            if one.quote:
                quotes.setdefault(one.quote, Quote(one.quote, f"turn--{one.lane}-quote", bool(one.found)))
        here = current.quote if current is not None and current.turn == turn else ""
        if here and quotes[here].found:
            quotes[""] = Quote(here, "turn--current-quote")
        style = "turn--doubtful" if doubtful else f"turn--{first.lane}"
        found[turn] = TurnMark(first.letter, style, tuple(quotes.values()))
    for one in others:
        if one.turn:
            found.setdefault(one.turn, TurnMark("·", "turn--other"))
    return found


def summary(statements: Sequence[Statement]) -> str:
    """The state of a page's sources in a line."""
    sources = {(one.id, one.resource): one for one in statements if one.lane in ("evidence", "context")}
    lanes = [one.lane for one in sources.values()]
    parts = [f"{lanes.count(lane)} {lane}" for lane in ("evidence", "context") if lane in lanes]
    missing = sum(one.found is False for one in sources.values())
    bare = sum(not one.lane for one in statements)
    doubted = sum(one.disputed is not None for one in sources.values())
    parts += [f"{missing} not found"] if missing else []
    parts += [f"{bare} without a source"] if bare else []
    parts += [f"{doubted} disputed"] if doubted else []
    return " · ".join(parts) or "no source"


def chosen(statements: Sequence[Statement], place: Place) -> int | None:
    """The statement that a place means: by its key, its line, or its turn."""
    key = place.extra.get("row")
    for index, one in enumerate(statements):
        if one.key == key:
            return index
    if place.line:
        lined = [(index, one.line) for index, one in enumerate(statements) if one.line]
        return min(lined, key=lambda found: abs(found[1] - place.line))[0] if lined else None
    for index, one in enumerate(statements):
        if place.turn and one.turn == place.turn and place.session in ("", one.session):
            return index
    return None


def resting_on(statements: Sequence[Statement], session: str, turn: int) -> int | None:
    """The first statement that rests on a turn."""
    found = (index for index, one in enumerate(statements) if (one.session, one.turn) == (session, turn))
    return next(found, None)


def shortened(text: str, cells: int) -> str:
    """A title that leaves room beside it."""
    return cut(printable(text), max(cells, 12))
