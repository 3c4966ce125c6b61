"""The print of what the index holds: by it a vector is known to be of the text that is there now."""

from __future__ import annotations

import sqlite3
from _blake2 import blake2b
from collections.abc import Iterable, Iterator

from memex_core.index.passages import BITS, POSITION

_AT_ONCE = 400


def text_key(text: str) -> bytes:
    """The key of a text that is sent."""
    return _hash("text", text)


def pages(db: sqlite3.Connection, ids: Iterable[int]) -> Iterator[tuple[int, bytes]]:
    """(id, print) of pages: of their bytes and their title."""
    sql = "SELECT id, digest, title FROM page WHERE digest <> '' AND id IN ({})"
    for page, digest, title in _rows(db, sql, ids):
        yield page, page_print(digest, title)


def page_print(digest: str, title: str) -> bytes:
    return _hash("page", digest, title)


def passages(db: sqlite3.Connection, ids: Iterable[int]) -> Iterator[tuple[int, bytes]]:
    """(id, print) of rows of conversations and the diary: of their words, speaker and date."""
    sql = "SELECT id, role, speaker, date, body, whole FROM passage WHERE id IN ({})"
    for row, *said in _rows(db, sql, ids):
        yield row, passage_print(*said)


def passage_print(role: str, speaker: str, date: str, body: str, whole: str) -> bytes:
    return _hash("passage", role, speaker, date, body, whole)


def passage_id(db: sqlite3.Connection, kind: str, name: str, at: int) -> int | None:
    """The row at that position of a session or day."""
    found = db.execute("SELECT id FROM passage_doc WHERE kind = ? AND name = ?", (kind, name)).fetchone()
    return (found[0] << BITS) | at if found and at <= POSITION else None


def _hash(*parts: str) -> bytes:
    return blake2b("\0".join(parts).encode("utf-8", "surrogatepass"), digest_size=16).digest()


def _rows(db: sqlite3.Connection, sql: str, ids: Iterable[int]) -> Iterator[tuple]:  # type: ignore[type-arg]
    among = list(ids)
    for at in range(0, len(among), _AT_ONCE):
        some = among[at : at + _AT_ONCE]
        yield from db.execute(sql.format(",".join("?" * len(some))), some)
