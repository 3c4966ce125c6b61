"""Pages that somebody doubts, and pages that contradict each other."""

from __future__ import annotations

import sqlite3


def disputed(db: sqlite3.Connection) -> list[str]:
    """Paths of the pages in use one of whose sources is disputed."""
    found = db.execute("SELECT path FROM page WHERE trust = 'disputed' AND status = 'stable' ORDER BY path")
    return [path for (path,) in found]


def contradictions(db: sqlite3.Connection, path: str | None = None) -> list[tuple[str, str]]:
    """Pairs of pages in use, by path: the first says that it contradicts the second. With ``path`` only
    those in which that page is the first."""
    found = db.execute(
        "SELECT DISTINCT a.path, b.path FROM link l JOIN page a ON a.id = l.page JOIN page b ON b.id = l.dst "
        "WHERE l.rel = 'contradicts' AND a.status = 'stable' AND b.status = 'stable' AND a.id <> b.id "
        "AND (? IS NULL OR a.path = ?) ORDER BY a.path, b.path",
        (path, path),
    )
    return [(one, other) for one, other in found]
