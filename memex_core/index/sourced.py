"""Pages by the sources they name, and what else of a page's text is kept for checks."""

from __future__ import annotations

import json
import sqlite3
from typing import TYPE_CHECKING, NamedTuple

from memex_core.model.evidence import parse_resource, resource
from memex_core.model.page import Problem

if TYPE_CHECKING:
    from memex_core.model.page import Value


class Told(NamedTuple):
    """What reading a page told: the ``digest`` of its bytes (empty when they could not be read), what was
    ``odd`` as JSON rows, and the ``front`` matter as JSON where it names sources."""

    digest: str
    odd: str
    front: str

    @property
    def problems(self) -> list[Problem]:
        return [Problem(*row) for row in json.loads(self.odd)] if self.odd else []

    @property
    def sources(self) -> Value:
        """The value of the key ``sources``, whatever its shape; None without one."""
        if not self.front:
            return None
        front = json.loads(self.front)
        return front.get("sources") or {key.lower(): value for key, value in front.items()}.get("sources")


def told(db: sqlite3.Connection) -> dict[str, Told]:
    """What the index knows of each page by path. It holds for a file whose bytes have that digest."""
    rows = db.execute(
        "SELECT path, digest, problems, CASE WHEN instr(lower(front), '\"sources\"') THEN front ELSE '' END "
        "FROM page"
    )
    return {path: Told(*rest) for path, *rest in rows}


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
