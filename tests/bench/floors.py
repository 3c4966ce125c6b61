"""What the machine itself needs for the same work: the least that any tool of this kind would cost."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator, Sequence
from pathlib import Path


def files_of(root: Path) -> Iterator[str]:
    """Every page's path, by a bare scandir walk."""
    folders = [str(root)]
    for folder in folders:
        with os.scandir(folder) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    folders.append(entry.path)
                elif entry.name.endswith(".md"):
                    yield entry.path


def stat_all(root: Path) -> int:
    """scandir and stat of every page."""
    return sum(1 for path in files_of(root) if os.stat(path).st_size >= 0)


def plain_fts(root: Path, database: Path) -> sqlite3.Connection:
    """Read every file and put its text into a plain FTS5 table, in one transaction."""
    db = sqlite3.connect(database)
    db.executescript("PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF;")
    db.execute("CREATE VIRTUAL TABLE plain USING fts5(title, body, tokenize='porter unicode61')")

    def rows() -> Iterator[tuple[str, str]]:
        for path in files_of(root):
            with open(path, encoding="utf-8", errors="replace") as file:
                yield os.path.basename(path), file.read()

    db.executemany("INSERT INTO plain(title, body) VALUES(?, ?)", rows())
    db.commit()
    return db


def plain_or(db: sqlite3.Connection, words: Sequence[str]) -> list[tuple[int]]:
    """All words joined by OR, best ten by bm25."""
    match = " OR ".join(f'"{word}"' for word in words)
    return db.execute(
        "SELECT rowid FROM plain WHERE plain MATCH ? ORDER BY bm25(plain) LIMIT 10", (match,)
    ).fetchall()


def plain_prefix(db: sqlite3.Connection, words: Sequence[str]) -> list[tuple[int]]:
    """All words, the last as a prefix, joined by AND."""
    match = " AND ".join([*(f'"{word}"' for word in words[:-1]), f'"{words[-1]}"*'])
    return db.execute(
        "SELECT rowid FROM plain WHERE plain MATCH ? ORDER BY bm25(plain) LIMIT 10", (match,)
    ).fetchall()


def write_file(path: Path, data: bytes) -> None:
    """A page's bytes written, flushed and renamed into place: what a safe save cannot do without."""
    temporary = path.with_name(f".{path.name}.new")
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
    try:
        os.write(descriptor, data)
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
    os.replace(temporary, path)


def write_and_log(path: Path, data: bytes, log: Path) -> None:
    """The same, and a line of its text flushed to a log, and the folder flushed: what a save cannot do without
    that survives a power cut and can be taken back."""
    write_file(path, data)
    for place, flags in ((log, os.O_WRONLY | os.O_CREAT | os.O_APPEND), (path.parent, os.O_RDONLY)):
        descriptor = os.open(place, flags, 0o644)
        try:
            if place is log:
                os.write(descriptor, data + b"\n")
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
