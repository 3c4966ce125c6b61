"""Pages by the beginning or a part of a name, while it is being typed.

Names are compared as links compare them: letters and digits, folded. What begins with the typed text
comes first, short names before long ones; then names that hold all typed words.
"""

from __future__ import annotations

import sqlite3
from typing import NamedTuple

from memex_core.model.names import key_of_target


class Named(NamedTuple):
    """A page whose name fits. ``alias`` is the name that fits when it is not the title or file name."""

    path: str
    slug: str
    title: str
    type: str
    updated: str
    alias: str


def named(db: sqlite3.Connection, typed: str, limit: int = 50) -> list[Named]:
    """At most ``limit`` pages that ``typed`` may be the beginning or a part of the name of.

    For nothing typed: the newest. Each page once. Takes some 20 ms of 100,000 pages at worst.
    """
    key = key_of_target(typed)
    if not typed.strip():
        ids = [page for (page,) in db.execute("SELECT id FROM page ORDER BY updated DESC LIMIT ?", (limit,))]
        return _rows(db, dict.fromkeys(ids, ""))
    if not key:
        return []
    found: dict[int, str] = {}
    begin = db.execute(
        "SELECT page, key FROM name WHERE key >= ? AND key < ? ORDER BY length(key), key LIMIT ?",
        (key, key + chr(0x10FFFF), limit * 4),
    )
    for page, name in begin:
        found.setdefault(page, name)
        if len(found) >= limit:
            return _rows(db, found)
    words = [word for part in typed.split() if (word := key_of_target(part))] or [key]
    condition = " AND ".join("instr(key, ?) > 0" for _ in words)
    inside = db.execute(
        f"SELECT page, key FROM name WHERE {condition} ORDER BY length(key), key LIMIT ?", (*words, limit * 4)
    )
    for page, name in inside:
        found.setdefault(page, name)
        if len(found) >= limit:
            break
    return _rows(db, found)


def resembling(db: sqlite3.Connection, name: str, limit: int = 50) -> list[Named]:
    """Pages one of whose names may be ``name`` with a slip or two in it: about as long, and with a piece of
    it unchanged. Those nearest in length come first; what is like it is for the caller to judge."""
    key = key_of_target(name)
    size = max(2, min(4, len(key) // 4))
    step = 1 if len(key) < 8 else size
    pieces = [piece for at in range(0, len(key), step) if len(piece := key[at : at + size]) == size][:8]
    if not pieces:
        return []
    condition = " OR ".join("instr(key, ?) > 0" for _ in pieces)
    rows = db.execute(
        f"SELECT page, key FROM name WHERE length(key) BETWEEN ? AND ? AND ({condition}) "
        "ORDER BY abs(length(key) - ?), key LIMIT ?",
        (len(key) - max(len(key) // 3, 1), len(key) + max(len(key) // 3, 1), *pieces, len(key), limit),
    )
    return _rows(db, dict(rows.fetchall()))


def _rows(db: sqlite3.Connection, found: dict[int, str]) -> list[Named]:
    """The pages with these ids, in their order."""
    import json

    marks = ",".join("?" * len(found))
    read = db.execute(
        f"SELECT id, path, slug, title, type, updated, aliases FROM page WHERE id IN ({marks})", list(found)
    )
    by_id: dict[int, Named] = {}
    for page, path, slug, title, type_, updated, aliases in read:
        known = json.loads(aliases) if aliases else []
        alias = next((one for one in known if found[page] and key_of_target(one) == found[page]), "")
        if key_of_target(title) == found[page] or key_of_target(path) == found[page]:
            alias = ""
        by_id[page] = Named(path, slug, title, type_, updated or "", alias)
    return [by_id[page] for page in found if page in by_id]
