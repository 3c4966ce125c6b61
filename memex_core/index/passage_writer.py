"""Writing rows of conversations and the diary into the index.

All inside the caller's transaction. Document frequencies are kept exact: what a document brings or
takes away is added up and written at the end.
"""

from __future__ import annotations

import os
import sqlite3
from collections import Counter
from collections.abc import Iterable
from typing import Any, BinaryIO

from memex_core.files import session_meta
from memex_core.files.atomic import digest
from memex_core.files.layout import unreachable
from memex_core.files.opening import regular
from memex_core.index.analyse import Analyser
from memex_core.index.passage_rows import Reader, Row
from memex_core.index.passages import BITS, KIND_BIT, POSITION, Source, name_keys

_TAIL = 4096  # bytes before ``done`` that must be unchanged for a file to count as grown
_BATCH = 2_000  # rows written at a time


class Writer:
    """Rows on their way into the tables. ``added`` and ``changed`` count documents, ``written`` rows;
    ``unread`` are files that could not be opened. ``until`` is the time of the monotonic clock at which a
    long conversation is left where it stands."""

    def __init__(
        self, connection: sqlite3.Connection, analyser: Analyser, until: float | None = None
    ) -> None:
        self.connection = connection
        self.analyser = analyser
        self.until = until
        self.frequencies: Counter[str] = Counter()
        self.added = self.changed = self.written = 0
        self.unread: list[str] = []

    def read(self, source: Source) -> bool:
        """Index one file, whole or only what it grew by; whether to its end. Raises Unreachable when reading
        breaks off."""
        cursor = self.connection.execute(
            "SELECT * FROM passage_doc WHERE kind = ? AND name = ?", (source.kind, source.name)
        )
        row = cursor.fetchone()
        old = dict(zip([column[0] for column in cursor.description], row, strict=True)) if row else None
        meta = session_meta.read(source.path[: -len(".jsonl")] + ".meta.json") if source.meta_ns else {}
        try:
            file = open(source.path, "rb", opener=regular)  # noqa: SIM115 - the errors of opening are other ones than those below
        except FileNotFoundError:
            if old:
                self.remove(old["id"])
            return True
        except OSError:
            self.unread.append(source.path)
            return True
        with file:
            try:
                whole = self._read(source, old, file, meta)
            except OSError as error:
                raise unreachable(source.path, error) from error
        self.added += old is None
        self.changed += old is not None
        return whole

    def _read(self, source: Source, old: dict[str, Any] | None, file: BinaryIO, meta: dict[str, Any]) -> bool:
        seen = os.fstat(file.fileno())
        reader = Reader(self.analyser, _word(meta.get("started_at")))
        if old is not None and source.kind == "turn" and _has_grown(old, file, seen):
            reader.resume(old)
        elif old is not None:
            self.remove(old["id"])
        doc = old["id"] if old else self._new_id(source.kind)
        before = (old["rows"], old["tokens"]) if old and reader.done else (0, 0)
        if source.kind == "turn":
            made = reader.transcript(file, reader.done, self.until)
        else:
            made = reader.diary(file.read(), source.name)
        rows, tokens = self._insert(doc, before[0], made)
        title = (
            session_meta.title_of(meta, reader.prompt, source.name)[0]
            if source.kind == "turn"
            else source.name
        )
        values = (
            doc, source.kind, source.name, title, reader.prompt, _word(meta.get("harness")) or reader.agent,
            _word(meta.get("project")), reader.first, reader.last, reader.date,
            reader.done if reader.stopped else seen.st_size, seen.st_mtime_ns, source.meta_ns, reader.done,
            _digest(file, reader.done), before[0] + rows, before[1] + tokens, reader.turn,
            reader.damaged, self._name_people(doc, reader.people),
        )  # fmt: skip
        # No REPLACE and no upsert here: each would make a savepoint, and at a savepoint the full-text table
        # writes out a segment of its own. A few thousand documents at once would be too many segments.
        self.connection.execute("DELETE FROM passage_doc WHERE id = ?", (doc,))
        self.connection.execute(f"INSERT INTO passage_doc VALUES({','.join('?' * len(values))})", values)
        return not reader.stopped

    def _new_id(self, kind: str) -> int:
        (last,) = self.connection.execute("SELECT max(id) FROM passage_doc").fetchone()
        return ((last or 0) // 2 + 1) * 2 + KIND_BIT[kind]

    def _insert(self, doc: int, position: int, made: Iterable[Row]) -> tuple[int, int]:
        """Write rows behind ``position``; returns how many, and their tokens."""
        rows = tokens = 0
        batch: list[tuple[Any, ...]] = []
        at = (doc << BITS) + position
        for row in made:
            batch.append((at + rows, *row))
            rows += 1
            tokens += row[6]
            if len(batch) >= _BATCH:
                self._write(batch)
                batch = []
            if position + rows >= POSITION:
                break  # sixteen million pieces: no conversation is that long
        self._write(batch)
        self.written += rows
        return rows, tokens

    def _write(self, batch: list[tuple[Any, ...]]) -> None:
        self.connection.executemany(f"INSERT INTO passage VALUES({','.join('?' * 14)})", batch)
        self.connection.executemany(
            "INSERT INTO passage_fts(rowid, body, whole) VALUES(?, ?, ?)",
            [(row[0], row[12], row[13]) for row in batch],
        )
        for row in batch:
            self.frequencies.update(_terms(row[12], row[13]))

    def remove(self, doc: int) -> None:
        """Take a document's rows out, and the document."""
        span = (doc << BITS, (doc << BITS) | POSITION)
        where = "WHERE id BETWEEN ? AND ?"
        for body, whole in self.connection.execute(f"SELECT body, whole FROM passage {where}", span):
            self.frequencies.subtract(_terms(body, whole))
        self.connection.execute(
            f"INSERT INTO passage_fts(passage_fts, rowid, body, whole) "
            f"SELECT 'delete', id, body, whole FROM passage {where}",
            span,
        )
        self.connection.execute(f"DELETE FROM passage {where}", span)
        self.connection.execute("DELETE FROM passage_person WHERE doc = ?", (doc,))
        self.connection.execute("DELETE FROM passage_doc WHERE id = ?", (doc,))

    def _name_people(self, doc: int, people: set[str]) -> int:
        """Note the words of the names; returns how many the document has now."""
        keys: dict[str, int] = {}
        for name in people:
            for place, key in enumerate(name_keys(name)):
                keys[key] = max(keys.get(key, 0), int(place == 0))
        known = dict(self.connection.execute("SELECT key, given FROM passage_person WHERE doc = ?", (doc,)))
        for key, given in keys.items():
            if key not in known:
                self.connection.execute("INSERT INTO passage_person VALUES(?, ?, ?)", (key, doc, given))
            elif given > known[key]:
                self.connection.execute(
                    "UPDATE passage_person SET given = ? WHERE key = ? AND doc = ?", (given, key, doc)
                )
        return len({*known, *keys})

    def finish(self) -> None:
        """Write what was added up: document frequencies and spellings."""
        self.connection.executemany(
            "INSERT INTO passage_term VALUES(?, ?) ON CONFLICT DO UPDATE SET df = df + excluded.df",
            [(term, step) for term, step in self.frequencies.items() if step],
        )
        if any(step < 0 for step in self.frequencies.values()):
            self.connection.execute("DELETE FROM passage_term WHERE df <= 0")
        self.connection.executemany(
            "INSERT OR REPLACE INTO passage_word VALUES(?, ?)", list(self.analyser.take_words().items())
        )
        self.connection.execute(
            "REPLACE INTO passage_total "
            "SELECT 1, coalesce(sum(rows), 0), coalesce(sum(tokens), 0) FROM passage_doc"
        )
        self.frequencies.clear()


def _terms(body: str, whole: str) -> set[str]:
    return {*body.split(), *whole.split()}


def _has_grown(old: dict[str, Any], file: BinaryIO, seen: os.stat_result) -> bool:
    """Whether the file is what it was, with more behind it (or nothing: only its time changed)."""
    same = (seen.st_size, seen.st_mtime_ns) == (old["size"], old["mtime_ns"])
    if not old["tail"] or not (same or seen.st_size > old["size"]):
        return False
    tail: str = old["tail"]
    return _digest(file, old["done"]) == tail


def _digest(file: BinaryIO, end: int) -> str:
    """Digest of the bytes before ``end`` and of the file's first ones; must end a line to be of use."""
    size = min(end, _TAIL)
    file.seek(0)
    head = file.read(size)
    file.seek(end - size)
    tail = file.read(size)
    return digest(head + tail) if tail.endswith(b"\n") else ""


def _word(value: Any) -> str:
    return value if isinstance(value, str) else ""
