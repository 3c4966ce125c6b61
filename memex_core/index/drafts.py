"""What waits for a person, as far as the index knows it: pages with their front matter, and no file read."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

_COLUMNS = "path, slug, title, type, status, scope, project, session_id, updated, digest, front"
_AT_ONCE = 500


class Draft(NamedTuple):
    """A page that waits. ``front`` lacks what has columns of its own (id, title, description, tags, aliases);
    ``updated`` is the file's time where the page does not say."""

    path: str
    slug: str
    title: str
    type: str
    status: str
    scope: str
    project: str
    session_id: str
    updated: str
    digest: str
    front: dict[str, Any]


def drafts(db: sqlite3.Connection) -> Iterator[Draft]:
    """The pages with the status of a draft."""
    return _made(db.execute(f"SELECT {_COLUMNS} FROM page WHERE status = 'draft' ORDER BY path"))


def at(db: sqlite3.Connection, paths: Iterable[str]) -> dict[str, Draft]:
    """The pages at these paths."""
    wanted = sorted(set(paths))
    found: dict[str, Draft] = {}
    for start in range(0, len(wanted), _AT_ONCE):
        part = wanted[start : start + _AT_ONCE]
        marks = ", ".join("?" * len(part))
        rows = db.execute(f"SELECT {_COLUMNS} FROM page WHERE path IN ({marks})", part)
        found.update((one.path, one) for one in _made(rows))
    return found


def _made(rows: sqlite3.Cursor) -> Iterator[Draft]:
    for row in rows:
        front = json.loads(row[-1]) if row[-1] else {}
        yield Draft._make(["" if value is None else value for value in row[:-1]] + [front])
