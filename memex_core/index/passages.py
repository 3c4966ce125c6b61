"""Conversations and the diary in the index: rows of text, kept in step with their files.

A document is a session or a diary day; a row is a turn, an entry, or a piece of a long one. A row's
id says where it stands: the document's number shifted by :data:`BITS`, plus its position, so that
the rows before and after it, and all rows of a document, are found without a look-up; the lowest bit
of the document's number tells its kind. The text itself stays in the file; a row knows its bytes.
"""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

from memex_core.index.analyse import TOKENIZE

if TYPE_CHECKING:
    from memex_core.files.layout import Layout
    from memex_core.index.analyse import Analyser

BITS = 24
POSITION = (1 << BITS) - 1
KIND_BIT = {"turn": 0, "diary": 1}

SCHEMA_SQL = f"""
CREATE TABLE passage_doc(
    id INTEGER PRIMARY KEY, kind TEXT NOT NULL, name TEXT NOT NULL, title TEXT NOT NULL, prompt TEXT NOT NULL,
    agent TEXT NOT NULL, project TEXT NOT NULL, first TEXT NOT NULL, last TEXT NOT NULL, date TEXT NOT NULL,
    size INTEGER NOT NULL, mtime_ns INTEGER NOT NULL, meta_ns INTEGER NOT NULL, done INTEGER NOT NULL,
    tail TEXT NOT NULL, rows INTEGER NOT NULL, tokens INTEGER NOT NULL, turn INTEGER NOT NULL,
    damaged INTEGER NOT NULL, UNIQUE(kind, name));
CREATE TABLE passage(
    id INTEGER PRIMARY KEY, turn INTEGER NOT NULL, role TEXT NOT NULL, speaker TEXT NOT NULL,
    date TEXT NOT NULL, time TEXT NOT NULL, flags INTEGER NOT NULL, length INTEGER NOT NULL,
    at INTEGER NOT NULL, size INTEGER NOT NULL, start INTEGER NOT NULL, end INTEGER NOT NULL,
    body TEXT NOT NULL, whole TEXT NOT NULL);
CREATE INDEX passage_date ON passage(date);
CREATE VIRTUAL TABLE passage_fts USING fts5(body, whole,
    content='passage', content_rowid='id', tokenize="{TOKENIZE}");
CREATE TABLE passage_person(key TEXT NOT NULL, doc INTEGER NOT NULL, given INTEGER NOT NULL,
    PRIMARY KEY(key, doc)) WITHOUT ROWID;
CREATE INDEX passage_person_doc ON passage_person(doc);
CREATE TABLE passage_term(term TEXT PRIMARY KEY, df INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE passage_word(word TEXT PRIMARY KEY, term TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE passage_total(id INTEGER PRIMARY KEY CHECK(id = 1), rows INTEGER NOT NULL, tokens INTEGER NOT NULL);
"""
"""``kind`` is ``turn`` or ``diary``, ``name`` the session id or the day. ``done`` is the byte up to
which the file was read and ``tail`` a digest of what stands before it. ``key`` is a folded word of a
speaker's name, ``given`` whether it is the first of them."""

_TAIL = 4096  # bytes before ``done`` that must be unchanged for a file to count as grown
_BATCH = 2_000  # rows between two looks at the clock


class Passages(NamedTuple):
    """What a refresh did, in documents; ``rows`` were written, ``pending`` documents still wait."""

    added: int = 0
    changed: int = 0
    removed: int = 0
    rows: int = 0
    pending: int = 0


class Source(NamedTuple):
    """A file of a document as the folder shows it; ``meta_ns`` is the time of the file beside it."""

    kind: str
    name: str
    path: str
    size: int
    mtime_ns: int
    meta_ns: int


def refresh(
    connection: sqlite3.Connection,
    layout: Layout,
    *,
    budget_ms: float | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Passages:
    """Bring the rows in step with ``transcripts/`` and ``diary/``; writes only what changed.

    Runs in the caller's transaction, or in one of its own. With ``budget_ms`` it stops once that is
    used up, at a whole document, and says how many wait. ``progress`` is called with (done, all).
    Raises Unreachable when a folder is there but cannot be listed: nothing is taken for removed then.
    """
    found = sources(layout)
    stale, gone = _differences(connection, found)
    if not stale and not gone:
        return Passages()
    own = not connection.in_transaction
    if own:
        connection.execute("BEGIN IMMEDIATE")
    try:
        if own:  # another process may have done it while this one waited for the lock
            stale, gone = _differences(connection, found)
        done = _apply(connection, stale, gone, budget_ms, progress)
    except BaseException:
        if own:
            connection.execute("ROLLBACK")
        raise
    if own:
        connection.execute("COMMIT")
    return done


def clear(connection: sqlite3.Connection) -> None:
    """Forget all rows; the next :func:`refresh` reads every file again."""
    connection.execute("INSERT INTO passage_fts(passage_fts) VALUES('delete-all')")
    for table in ("passage", "passage_doc", "passage_person", "passage_term", "passage_word", "passage_total"):
        connection.execute(f"DELETE FROM {table}")


def sources(layout: Layout) -> dict[tuple[str, str], Source]:
    """The files of all documents, by (kind, name). Raises Unreachable."""
    metas: dict[str, int] = {}
    found: dict[tuple[str, str], Source] = {}
    for kind, folder in (("turn", layout.transcripts), ("diary", layout.diary)):
        for entry in _listing(folder):
            name, suffix = os.path.splitext(entry.name)
            if entry.name.startswith(".") or suffix not in (".jsonl", ".json", ".md"):
                continue
            try:
                seen = entry.stat()
            except FileNotFoundError:
                continue
            if kind == "turn" and suffix == ".json" and name.endswith(".meta"):
                metas[name[:-5]] = seen.st_mtime_ns
            elif suffix == (".jsonl" if kind == "turn" else ".md") and _named_soundly(kind, name):
                found[kind, name] = Source(kind, name, entry.path, seen.st_size, seen.st_mtime_ns, 0)
    for name, meta_ns in metas.items():
        if ("turn", name) in found:
            found["turn", name] = found["turn", name]._replace(meta_ns=meta_ns)
    return found


def _named_soundly(kind: str, name: str) -> bool:
    if kind == "turn":
        return name.isascii() and name.isprintable() and " " not in name and len(name) <= 128
    return len(name) == 10 and name[4] == name[7] == "-" and name.replace("-", "").isdigit()


def _listing(folder: str) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return list(entries)
    except (FileNotFoundError, NotADirectoryError):
        return []
    except OSError as error:
        from memex_core.files.layout import unreachable

        raise unreachable(folder, error) from error


def _differences(
    connection: sqlite3.Connection, found: dict[tuple[str, str], Source]
) -> tuple[list[Source], list[int]]:
    """The sources to read, and the ids of documents whose file is gone."""
    known = {
        (kind, name): (doc, size, mtime_ns, meta_ns)
        for doc, kind, name, size, mtime_ns, meta_ns in connection.execute(
            "SELECT id, kind, name, size, mtime_ns, meta_ns FROM passage_doc"
        )
    }
    stale = [
        source
        for key, source in found.items()
        if key not in known or known[key][1:] != (source.size, source.mtime_ns, source.meta_ns)
    ]
    stale.sort(key=lambda source: (source.kind, source.name))
    return stale, [known[key][0] for key in known if key not in found]


def _apply(
    connection: sqlite3.Connection,
    stale: list[Source],
    gone: list[int],
    budget_ms: float | None,
    progress: Callable[[int, int], None] | None,
) -> Passages:
    from memex_core.index.analyse import Analyser

    until = time.monotonic() + budget_ms / 1000 if budget_ms is not None else None
    work = _Work(connection, Analyser(learn=True))
    for doc in gone:
        work.remove(doc)
    added = changed = 0
    for number, source in enumerate(stale):
        if until is not None and number and time.monotonic() > until:
            work.finish()
            return Passages(added, changed, len(gone), work.written, len(stale) - number)
        if work.read(source):
            added += 1
        else:
            changed += 1
        if progress is not None:
            progress(number + 1, len(stale))
    work.finish()
    return Passages(added, changed, len(gone), work.written, 0)


class _Work:
    """Rows on their way into the tables; document frequencies are added up and written at the end."""

    def __init__(self, connection: sqlite3.Connection, analyser: Analyser) -> None:
        self.connection = connection
        self.analyser = analyser
        self.frequencies: dict[str, int] = {}
        self.written = 0

    def read(self, source: Source) -> bool:
        """Index one file, whole or only what it grew by; true when it was not known before."""
        from memex_core.files import session_meta
        from memex_core.index.passage_rows import Reader

        cursor = self.connection.execute(
            "SELECT * FROM passage_doc WHERE kind = ? AND name = ?", (source.kind, source.name)
        )
        row = cursor.fetchone()
        old = dict(zip([column[0] for column in cursor.description], row, strict=True)) if row else None
        reader = Reader(self.analyser)
        rows = tokens = 0
        try:
            with open(source.path, "rb") as file:
                seen = os.fstat(file.fileno())
                grown = old is not None and source.kind == "turn" and _has_grown(old, file, seen)
                if old is not None and grown:
                    reader.turn, reader.date, reader.done = old["turn"], old["date"], old["done"]
                    reader.first, reader.last, reader.prompt = old["first"], old["last"], old["prompt"]
                    reader.agent, reader.damaged = old["agent"], old["damaged"]
                    rows, tokens = old["rows"], old["tokens"]
                    doc = old["id"]
                else:
                    doc = old["id"] if old else self._new_id(source.kind)
                    if old:
                        self.remove(doc)
                if source.kind == "turn":
                    made = reader.transcript(file, reader.done)
                else:
                    made = reader.diary(file.read(), source.name)
                more = self._insert(doc, rows, made)
                tail = _digest(file, reader.done)
        except FileNotFoundError:
            if old:
                self.remove(old["id"])
            return old is None
        meta = session_meta.read(source.path[: -len(".jsonl")] + ".meta.json") if source.meta_ns else {}
        prompt = reader.prompt
        title = session_meta.title_of(meta, prompt, source.name)[0] if source.kind == "turn" else source.name
        values = (
            doc, source.kind, source.name, title, prompt, _word(meta.get("harness")) or reader.agent,
            _word(meta.get("project")), reader.first, reader.last, reader.date, seen.st_size, seen.st_mtime_ns,
            source.meta_ns, reader.done, tail, rows + more[0], tokens + more[1], reader.turn, reader.damaged,
        )  # fmt: skip
        self.connection.execute(f"REPLACE INTO passage_doc VALUES({','.join('?' * len(values))})", values)
        self._name_people(doc, reader.people)
        return old is None

    def _new_id(self, kind: str) -> int:
        (last,) = self.connection.execute("SELECT max(id) FROM passage_doc").fetchone()
        return ((last or 0) // 2 + 1) * 2 + KIND_BIT[kind]

    def _insert(self, doc: int, position: int, made: Any) -> tuple[int, int]:
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
            "INSERT INTO passage_fts(rowid, body, whole) VALUES(?, ?, ?)", [(row[0], row[12], row[13]) for row in batch]
        )
        for row in batch:
            self._count(row[12], row[13], 1)

    def _count(self, body: str, whole: str, step: int) -> None:
        frequencies = self.frequencies
        for term in {*body.split(), *whole.split()}:
            frequencies[term] = frequencies.get(term, 0) + step

    def remove(self, doc: int) -> None:
        """Take a document's rows out, and the document."""
        span = (doc << BITS, (doc << BITS) | POSITION)
        where = "WHERE id BETWEEN ? AND ?"
        for body, whole in self.connection.execute(f"SELECT body, whole FROM passage {where}", span):
            self._count(body, whole, -1)
        self.connection.execute(
            f"INSERT INTO passage_fts(passage_fts, rowid, body, whole) "
            f"SELECT 'delete', id, body, whole FROM passage {where}",
            span,
        )
        self.connection.execute(f"DELETE FROM passage {where}", span)
        self.connection.execute("DELETE FROM passage_person WHERE doc = ?", (doc,))
        self.connection.execute("DELETE FROM passage_doc WHERE id = ?", (doc,))

    def _name_people(self, doc: int, people: set[str]) -> None:
        keys: dict[str, int] = {}
        for name in people:
            for place, key in enumerate(name_keys(name)):
                keys[key] = max(keys.get(key, 0), int(place == 0))
        self.connection.executemany(
            "INSERT INTO passage_person VALUES(?, ?, ?) ON CONFLICT DO UPDATE SET given = max(given, excluded.given)",
            [(key, doc, given) for key, given in keys.items()],
        )

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
            "REPLACE INTO passage_total SELECT 1, coalesce(sum(rows), 0), coalesce(sum(tokens), 0) FROM passage_doc"
        )
        self.frequencies.clear()


def name_keys(name: str) -> list[str]:
    """The folded words of a person's name, the given name first."""
    from memex_core.index.analyse import folded

    out = []
    for word in name.replace(".", " ").split():
        key = folded(word).strip("-_'()[],:;@#")
        if len(key) > 1 and key not in _NOBODY:
            out.append(key)
    return out


_NOBODY = frozenset("user assistant agent human system bot ai model tool unknown anonymous me you".split())


def _has_grown(old: dict[str, Any], file: Any, seen: os.stat_result) -> bool:
    """Whether the file is what it was, with more behind it (or nothing: only its time changed)."""
    same = (seen.st_size, seen.st_mtime_ns) == (old["size"], old["mtime_ns"])
    if not old["tail"] or not (same or seen.st_size > old["size"]):
        return False
    return _digest(file, old["done"]) == old["tail"]


def _digest(file: Any, end: int) -> str:
    """Digest of the bytes before ``end`` and of the file's first ones; must end a line to be of use."""
    from memex_core.files.atomic import digest

    size = min(end, _TAIL)
    file.seek(0)
    head = file.read(size)
    file.seek(end - size)
    tail = file.read(size)
    return digest(head + tail) if tail.endswith(b"\n") else ""


def _word(value: Any) -> str:
    return value if isinstance(value, str) else ""


def counts(connection: sqlite3.Connection) -> dict[str, int]:
    """``sessions``, ``days``, and ``rows`` of each: ``turn_rows``, ``diary_rows``; ``damaged`` lines."""
    totals = {"sessions": 0, "days": 0, "turn_rows": 0, "diary_rows": 0, "damaged": 0}
    for kind, docs, rows, damaged in connection.execute(
        "SELECT kind, count(*), sum(rows), sum(damaged) FROM passage_doc GROUP BY kind"
    ):
        totals["sessions" if kind == "turn" else "days"] = docs
        totals[f"{kind}_rows"] = rows
        totals["damaged"] += damaged
    return totals
