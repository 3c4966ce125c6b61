"""What the index knows of conversations as a whole: on which days turns were said, which pages they fed."""

from __future__ import annotations

import json
import sqlite3
from collections import defaultdict
from typing import NamedTuple

from memex_core.index.passages import BITS
from memex_core.model.evidence import parse_resource

_SCHEME = "memex:"


class Fed(NamedTuple):
    """A page that has to do with a session. ``wrote``: the page names it as the session it was written in
    (an episode sums it up); else the page only cites it. ``turns`` are those it cites, in order."""

    path: str
    title: str
    type: str
    wrote: bool
    turns: tuple[int, ...]


def turns_by_day(db: sqlite3.Connection, since: str) -> dict[str, dict[str, int]]:
    """How many turns each session has on each day (``YYYY-MM-DD``) from ``since`` on."""
    found: dict[str, dict[str, int]] = defaultdict(dict)
    rows = db.execute(
        f"SELECT d.name, p.date, count(*) FROM passage p JOIN passage_doc d ON d.id = p.id >> {BITS}"
        " WHERE p.date >= ? AND d.kind = 'turn' AND p.start = 0 GROUP BY d.name, p.date",
        (since,),
    )
    for name, day, count in rows:
        found[name][day] = count
    return dict(found)


def fed_pages(db: sqlite3.Connection) -> dict[str, list[Fed]]:
    """The pages of every session that fed any: those written in it first, then by title."""
    found: dict[str, list[Fed]] = defaultdict(list)
    rows = db.execute(
        "SELECT path, title, type, session_id, CASE WHEN instr(front, ?) > 0 THEN front END FROM page"
        " WHERE session_id <> '' OR instr(front, ?) > 0",
        (_SCHEME, _SCHEME),
    )
    for path, title, type, session, front in rows:
        cited = _cited(front) if front else {}
        for name in dict.fromkeys([*([session] if session else []), *cited]):
            turns = tuple(sorted(turn for turn in cited.get(name, ()) if turn))
            found[name].append(Fed(path, title, type, name == session, turns))
    for pages in found.values():
        pages.sort(key=lambda page: (not page.wrote, page.title.casefold(), page.path))
    return dict(found)


def _cited(front: str) -> dict[str, set[int]]:
    """Turns by session, as the ``sources`` of a page name them."""
    try:
        sources = json.loads(front).get("sources")
    except (ValueError, AttributeError):
        return {}
    found: dict[str, set[int]] = defaultdict(set)
    for entry in sources if isinstance(sources, list) else [sources]:
        named = entry.get("resource") if isinstance(entry, dict) else entry
        place = parse_resource(named) if isinstance(named, str) else None
        if place is not None:
            found[place[0]].add(place[1])
    return found
