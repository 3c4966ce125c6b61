"""Where the merged segment of a full-text table stands, and moving it to where ordinary saves leave it alone.

FTS5 keeps its postings in segments on the levels of a merge tree, and their list in one record, which begins
with a cookie of four bytes; all else are varints: levels, segments, writes; then for each level how many of
its segments are being merged, how many there are, and of each its number, first page and last page.
"""

from __future__ import annotations

import sqlite3
from contextlib import suppress

from memex_core.index import schema

_TOP = 3
"""The level the merged segment must reach. On level 0 or 1 it would be merged again by an ordinary save
some dozen or hundred saves later, and that save would take seconds."""

_RECORD = 10  # the id of the list of segments
_COOKIE = 4
_EMPTY_LEVEL = b"\0\0"


def merge(db: sqlite3.Connection, table: str) -> None:
    """Make one segment of all, on the level where saves leave it; in a transaction.

    No row of ``table`` may be written after it on this connection, which remembers the old list.
    """
    db.execute(f"INSERT INTO {table}({table}) VALUES('optimize')")
    block = _block(db, table)
    above = raised(block)
    if above == block:
        return
    if above is not None:
        with suppress(sqlite3.Error):  # an SQLite that guards the tables of its modules
            db.execute(f"UPDATE {table}_data SET block = ? WHERE id = {_RECORD}", (above,))
            return
    lift(db, table)


def raised(block: bytes) -> bytes | None:
    """The record ``block`` of a single segment with empty levels below it, so that it stands high enough.

    None when it is no record of one segment as we know them.
    """
    read = _levels(block)
    if read is None:
        return None
    levels, at = read
    if not sum(levels):
        return block
    if sum(levels) > 1 or len(levels) + _TOP > 0x7F:
        return None
    missing = max(0, _TOP - levels.index(1))
    head = block[:_COOKIE] + bytes((len(levels) + missing,)) + block[_COOKIE + 1 : at]
    return head + _EMPTY_LEVEL * missing + block[at:]


def lift(db: sqlite3.Connection, table: str) -> None:
    """Do the same by what SQL offers: each merge with a row written again ends two levels higher."""
    content = "page_text" if table == "page_fts" else "passage"
    columns = ", ".join(schema.TEXT_COLUMNS if table == "page_fts" else ("body", "whole"))
    if db.execute(f"SELECT 1 FROM {content} LIMIT 1").fetchone() is None:
        return
    for _ in range(_TOP + 2):
        if segment_levels(db, table)[:_TOP].count(0) == _TOP:
            return
        row = f"SELECT {{}}id, {columns} FROM {content} ORDER BY id LIMIT 1"
        db.execute(f"INSERT INTO {table}({table}, rowid, {columns}) " + row.format("'delete', "))
        db.execute(f"INSERT INTO {table}(rowid, {columns}) " + row.format(""))
        db.execute(f"INSERT INTO {table}({table}) VALUES('optimize')")


def segment_levels(db: sqlite3.Connection, table: str) -> list[int]:
    """How many segments stand on each level of the merge tree."""
    read = _levels(_block(db, table))
    return read[0] if read is not None else []


def _block(db: sqlite3.Connection, table: str) -> bytes:
    block: bytes = db.execute(f"SELECT block FROM {table}_data WHERE id = {_RECORD}").fetchone()[0]
    return block


def _levels(block: bytes) -> tuple[list[int], int] | None:
    """How many segments stand on each level, and where the first level is told. None: of another kind."""
    numbers, ends = _varints(block)
    if len(numbers) < 3:
        return None
    count, segments = numbers[:2]
    levels: list[int] = []
    at = 3
    while at + 1 < len(numbers):
        levels.append(numbers[at + 1])
        at += 2 + 3 * levels[-1]
    if at != len(numbers) or len(levels) != count or sum(levels) != segments:
        return None
    return levels, ends[2]


def _varints(block: bytes) -> tuple[list[int], list[int]]:
    """The numbers behind the cookie, and where each ends."""
    numbers: list[int] = []
    ends: list[int] = []
    value = 0
    for at, byte in enumerate(block[_COOKIE:], _COOKIE + 1):
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            numbers.append(value)
            ends.append(at)
            value = 0
    return numbers, ends
