"""Pages by the sources they name."""

from __future__ import annotations

import json
import sqlite3

from memex_core.model.evidence import parse_resource, resource


def pages_citing(db: sqlite3.Connection, session: str) -> list[str]:
    """Paths of the pages whose ``sources`` name the session or a turn of it."""
    rows = db.execute(
        "SELECT path, front FROM page WHERE instr(front, ?) > 0 ORDER BY path", (resource(session),)
    )
    return [path for path, front in rows if _cites(front, session)]


def newest_with_sources(db: sqlite3.Connection) -> str:
    """Path of the page changed last among those that name a source; empty when none does."""
    found = db.execute(
        "SELECT path FROM page WHERE instr(front, '\"sources\"') > 0 ORDER BY updated DESC, path LIMIT 1"
    ).fetchone()
    return str(found[0]) if found else ""


def _cites(front: str, session: str) -> bool:
    """Whether it is this very session that is named, not one whose id begins like it, nor in another key."""
    try:
        sources = json.loads(front).get("sources")
    except (ValueError, AttributeError):
        return False
    for entry in sources if isinstance(sources, list) else [sources]:
        named = entry.get("resource") if isinstance(entry, dict) else entry
        place = parse_resource(named) if isinstance(named, str) else None
        if place is not None and place[0] == session:
            return True
    return False
