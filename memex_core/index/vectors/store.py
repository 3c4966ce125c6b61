"""The file of vectors beside the index: disposable, but dear to make again, and never trusted blindly.

It is a database of its own, so that ``rebuild-index``, which replaces ``mem.db``, leaves it alone. A vector
is kept under the hash of the text that was sent, once for each model and width; each row has a checksum,
and one that does not fit counts as missing. ``place`` says where texts stand: a row of it is good while its
print (a hash of what the index says of that page or turn) is what the index says now.
"""

from __future__ import annotations

import os
import sqlite3
import zlib
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from typing import NamedTuple

from memex_core.files.layout import Layout
from memex_core.index.connection import connect, is_busy, transaction
from memex_core.index.vectors.numbers import packed, signs, unpacked

FORMAT = 1
SUFFIX = ".vectors.db"
ROW = 1024  # vectors whose sign bits lie in one row
_AT_ONCE = 400

_TABLES = """
CREATE TABLE note(key TEXT PRIMARY KEY, value) WITHOUT ROWID;
CREATE TABLE space(id INTEGER PRIMARY KEY, model TEXT NOT NULL, width INTEGER NOT NULL, UNIQUE(model, width));
CREATE TABLE vector(id INTEGER PRIMARY KEY, space INTEGER NOT NULL, key BLOB NOT NULL, sum INTEGER NOT NULL,
    data BLOB NOT NULL, UNIQUE(space, key));
CREATE TABLE signs(space INTEGER NOT NULL, row INTEGER NOT NULL, live BLOB NOT NULL, bits BLOB NOT NULL,
    PRIMARY KEY(space, row));
CREATE TABLE place(kind TEXT NOT NULL, name TEXT NOT NULL, at INTEGER NOT NULL, piece INTEGER NOT NULL,
    print BLOB NOT NULL, key BLOB NOT NULL, PRIMARY KEY(kind, name, at, piece)) WITHOUT ROWID;
CREATE INDEX place_print ON place(print, key);
CREATE INDEX place_key ON place(key);
CREATE TABLE asked(space INTEGER NOT NULL, key BLOB NOT NULL, sum INTEGER NOT NULL, data BLOB NOT NULL,
    PRIMARY KEY(space, key))"""


class Space(NamedTuple):
    """The vectors of one model and width: only they can be compared."""

    id: int
    model: str
    width: int


class Place(NamedTuple):
    """Where a text stands: a section (``piece``) of the page at ``name``, or the row ``at`` of a session or
    diary day. ``key`` is the hash of the text that was sent."""

    kind: str
    name: str
    at: int
    piece: int
    print: bytes
    key: bytes


class _Signs:
    """The sign bits of :data:`ROW` vectors with neighbouring ids."""

    def __init__(self, space: int, row: int, live: bytes, bits: bytes) -> None:
        self.space, self.row = space, row
        self.live, self.bits = bytearray(live), bytearray(bits)

    @classmethod
    def read(cls, db: sqlite3.Connection, space: int, row: int, width: int) -> _Signs:
        """As the file has them; empty when there are none or they are torn."""
        size = ROW * ((width + 7) // 8)
        found = db.execute(
            "SELECT live, bits FROM signs WHERE space = ? AND row = ?", (space, row)
        ).fetchone()
        if found and len(found[0]) == ROW and len(found[1]) == size:
            return cls(space, row, *found)
        return cls(space, row, bytes(ROW), bytes(size))

    def set(self, at: int, value: int | None) -> None:
        wide = len(self.bits) // ROW
        self.live[at] = value is not None
        self.bits[at * wide : (at + 1) * wide] = (value or 0).to_bytes(wide, "big")

    def write(self, db: sqlite3.Connection) -> None:
        row = (self.space, self.row, bytes(self.live), bytes(self.bits))
        db.execute("INSERT OR REPLACE INTO signs VALUES(?, ?, ?, ?)", row)


class Vectors:
    """An open file of vectors. Methods raise ``sqlite3.Error`` when it is broken."""

    def __init__(self, path: str, db: sqlite3.Connection) -> None:
        self.path = path
        self.db = db

    @staticmethod
    def file_of(layout: Layout) -> str:
        """``mem.vectors.db`` beside ``mem.db``."""
        return os.path.splitext(layout.index)[0] + SUFFIX

    @classmethod
    def open(cls, layout: Layout) -> Vectors | None:
        """The vectors of a store, to read; None when there are none of this format."""
        path = cls.file_of(layout)
        if not os.path.exists(path):
            return None
        db = connect(path)
        if db.execute("PRAGMA user_version").fetchone()[0] == FORMAT:
            return cls(path, db)
        db.close()
        return None

    @classmethod
    def make(cls, layout: Layout) -> tuple[Vectors, bool]:
        """The vectors of a store, to write, made when missing; and whether a broken file had to go."""
        path = cls.file_of(layout)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        replaced = False
        for _ in range(2):
            db: sqlite3.Connection | None = None
            try:
                db = connect(path, write=True)
                db.execute("PRAGMA secure_delete=1")  # what is deleted is overwritten
                version = db.execute("PRAGMA user_version").fetchone()[0]
                if not version:
                    with transaction(db):
                        for statement in _TABLES.split(";\n"):
                            db.execute(statement)
                        db.execute(f"PRAGMA user_version={FORMAT}")
                    version = FORMAT
                if version == FORMAT and db.execute("PRAGMA quick_check(1)").fetchone()[0] == "ok":
                    return cls(path, db), replaced
            except sqlite3.DatabaseError as error:
                if is_busy(error):
                    raise
            if db is not None:
                db.close()
            for suffix in ("", "-wal", "-shm", "-journal"):
                with suppress(FileNotFoundError):
                    os.unlink(path + suffix)
            replaced = True
        raise sqlite3.DatabaseError(f"{path} cannot be used")

    def close(self) -> None:
        self.db.close()

    # -- spaces ----------------------------------------------------------------------------

    def space(self, model: str, width: int = 0) -> Space | None:
        """The space of a model; of several widths the one used last, unless ``width`` says which."""
        width = width or int(str(self.note(_width_of(model)) or 0))
        row = self.db.execute("SELECT id FROM space WHERE model = ? AND width = ?", (model, width)).fetchone()
        return Space(row[0], model, width) if row else None

    def spaces(self) -> list[tuple[Space, int]]:
        """Every space with the number of its vectors, the latest first."""
        rows = self.db.execute("SELECT id, model, width FROM space ORDER BY id DESC").fetchall()
        return [(space, self.count(space)) for space in map(Space._make, rows)]

    def make_space(self, model: str, width: int) -> Space:
        """The space of that model and width, from now on the one used last."""
        with transaction(self.db):
            self.db.execute("INSERT OR IGNORE INTO space(model, width) VALUES(?, ?)", (model, width))
            set_note(self.db, _width_of(model), width)
        made = self.space(model, width)
        assert made is not None
        return made

    def count(self, space: Space) -> int:
        found: int = self.db.execute("SELECT count(*) FROM vector WHERE space = ?", (space.id,)).fetchone()[0]
        return found

    def any(self, space: Space) -> bool:
        sql = "SELECT 1 FROM vector WHERE space = ? LIMIT 1"
        return self.db.execute(sql, (space.id,)).fetchone() is not None

    # -- vectors ---------------------------------------------------------------------------

    def sound_keys(self, space: Space, keys: Iterable[bytes]) -> set[bytes]:
        """Those of ``keys`` that have a vector which is whole."""
        sql = "SELECT key, data, sum FROM vector WHERE space = ? AND key IN ({})"
        return {
            key
            for key, data, total in self._chosen(sql, (space.id,), keys)
            if unpacked(data, total, space.width) is not None
        }

    def by_print(self, space: Space, prints: Iterable[bytes]) -> Iterator[tuple[bytes, array[float]]]:
        """The vectors of the texts with those prints: of a page one for each of its sections."""
        sql = (
            "SELECT p.print, v.data, v.sum FROM place p CROSS JOIN vector v ON v.space = ? AND v.key = p.key "
            "WHERE p.print IN ({})"
        )
        for mark, data, total in self._chosen(sql, (space.id,), prints):
            vector = unpacked(data, total, space.width)
            if vector is not None:
                yield mark, vector

    def all(self, space: Space) -> Iterator[tuple[int, array[float]]]:
        """Every whole vector with its id."""
        return self._whole(
            space, self.db.execute("SELECT id, data, sum FROM vector WHERE space = ?", (space.id,))
        )

    def by_id(self, space: Space, ids: Iterable[int]) -> Iterator[tuple[int, array[float]]]:
        sql = "SELECT id, data, sum FROM vector WHERE space = ? AND id IN ({})"
        return self._whole(space, self._chosen(sql, (space.id,), ids))

    def sample(self, space: Space, most: int) -> list[array[float]]:
        """The whole ones among the first ``most`` vectors by key."""
        sql = "SELECT id, data, sum FROM vector WHERE space = ? ORDER BY key LIMIT ?"
        return [vector for _, vector in self._whole(space, self.db.execute(sql, (space.id, most)))]

    def sign_rows(self, space: Space) -> Iterator[tuple[int, bytes, bytes]]:
        """The sign bits, :data:`ROW` vectors at a time: the first one's id, a byte a vector that is 1 where
        there is one, and as many bytes a vector as its bits need."""
        sql = "SELECT row, live, bits FROM signs WHERE space = ?"
        for row, live, bits in self.db.execute(sql, (space.id,)):
            if len(live) == ROW and len(bits) == ROW * ((space.width + 7) // 8):
                yield row * ROW, live, bits

    def put(self, space: Space, found: Iterable[tuple[bytes, array[float]]]) -> None:
        """Keep vectors under the keys of their texts, over torn ones too; all or none."""
        with transaction(self.db):
            rows: dict[int, _Signs] = {}
            for key, vector in found:
                data = packed(vector)
                self.db.execute("DELETE FROM vector WHERE space = ? AND key = ?", (space.id, key))
                number = self.db.execute(
                    "INSERT INTO vector(space, key, sum, data) VALUES(?, ?, ?, ?) RETURNING id",
                    (space.id, key, zlib.crc32(data), data),
                ).fetchone()[0]
                row, at = divmod(number, ROW)
                if row not in rows:
                    rows[row] = _Signs.read(self.db, space.id, row, space.width)
                rows[row].set(at, signs(data))
            for one in rows.values():
                one.write(self.db)

    def _whole(
        self, space: Space, rows: Iterable[tuple[int, bytes, int]]
    ) -> Iterator[tuple[int, array[float]]]:
        for number, data, total in rows:
            vector = unpacked(data, total, space.width)
            if vector is not None:
                yield number, vector

    def _chosen(self, sql: str, first: tuple[object, ...], values: Iterable[object]) -> Iterator[tuple]:  # type: ignore[type-arg]
        among = list(values)
        for at in range(0, len(among), _AT_ONCE):
            some = among[at : at + _AT_ONCE]
            yield from self.db.execute(sql.format(",".join("?" * len(some))), (*first, *some))

    # -- places ----------------------------------------------------------------------------

    def places_of(self, ids: Sequence[int]) -> list[tuple[int, Place]]:
        """Where the texts of those vectors stand."""
        sql = (
            "SELECT v.id, p.kind, p.name, p.at, p.piece, p.print, p.key "
            "FROM vector v CROSS JOIN place p ON p.key = v.key WHERE ? AND v.id IN ({})"
        )
        return [(number, Place(*rest)) for number, *rest in self._chosen(sql, (1,), ids)]

    def prints(self, kind: str, name: str) -> dict[tuple[int, bytes], list[bytes]]:
        """(at, print) of what stands in a document -> the keys of its texts."""
        found: dict[tuple[int, bytes], list[bytes]] = {}
        sql = "SELECT at, print, key FROM place WHERE kind = ? AND name = ? ORDER BY at, piece"
        for at, mark, key in self.db.execute(sql, (kind, name)):
            found.setdefault((at, mark), []).append(key)
        return found

    def put_places(self, kind: str, name: str, places: Iterable[Place]) -> None:
        """What stands in a document, in place of what stood there."""
        with transaction(self.db):
            self.db.execute("DELETE FROM place WHERE kind = ? AND name = ?", (kind, name))
            self.db.executemany("INSERT OR REPLACE INTO place VALUES(?, ?, ?, ?, ?, ?)", places)

    def covered(self, space: Space) -> set[bytes]:
        """The prints all of whose texts have a vector."""
        sql = (
            "SELECT p.print FROM place p LEFT JOIN vector v ON v.space = ? AND v.key = p.key "
            "GROUP BY p.print HAVING count(*) = count(v.id)"
        )
        return {mark for (mark,) in self.db.execute(sql, (space.id,))}

    def documents(self) -> list[tuple[str, str]]:
        """(kind, name) of every document with a place."""
        return self.db.execute("SELECT DISTINCT kind, name FROM place").fetchall()

    def forget(self, documents: Iterable[tuple[str, str]]) -> int:
        """Drop documents that are gone, then every vector whose text stands nowhere; how many those were."""
        with transaction(self.db):
            self.db.executemany("DELETE FROM place WHERE kind = ? AND name = ?", documents)
            gone = self.db.execute(
                "SELECT v.id, s.id, s.width FROM vector v JOIN space s ON s.id = v.space "
                "WHERE key NOT IN (SELECT key FROM place)"
            ).fetchall()
            for number, space, width in gone:
                self.db.execute("DELETE FROM vector WHERE id = ?", (number,))
                row = _Signs.read(self.db, space, number // ROW, width)
                row.set(number % ROW, None)
                row.write(self.db)
        return len(gone)

    # -- questions and notes ---------------------------------------------------------------

    def question(self, space: Space, key: bytes) -> array[float] | None:
        """The vector of a question asked before."""
        sql = "SELECT data, sum FROM asked WHERE space = ? AND key = ?"
        row = self.db.execute(sql, (space.id, key)).fetchone()
        return unpacked(row[0], row[1], space.width) if row else None

    def forget_questions(self) -> None:
        """Drop what was asked, and the log of writes that still has it."""
        self.db.execute("DELETE FROM asked")
        self.db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()

    def note(self, key: str) -> object:
        row = self.db.execute("SELECT value FROM note WHERE key = ?", (key,)).fetchone()
        return row[0] if row else None

    def remember(self, act: Callable[[sqlite3.Connection], None]) -> None:
        """A short write from a reader; not done where the file cannot be written now."""
        with suppress(sqlite3.Error):
            db = connect(self.path, write=True)
            try:
                db.execute("PRAGMA busy_timeout=200")
                with transaction(db):
                    act(db)
            finally:
                db.close()


def _width_of(model: str) -> str:
    return f"width of {model}"


def set_note(db: sqlite3.Connection, key: str, value: object) -> None:
    db.execute("INSERT OR REPLACE INTO note VALUES(?, ?)", (key, value))


def keep_question(db: sqlite3.Connection, space: Space, key: bytes, vector: array[float], most: int) -> None:
    """Remember the vector of a question; the oldest give way above ``most``."""
    data = packed(vector)
    db.execute("INSERT OR REPLACE INTO asked VALUES(?, ?, ?, ?)", (space.id, key, zlib.crc32(data), data))
    db.execute("DELETE FROM asked WHERE rowid <= (SELECT max(rowid) FROM asked) - ?", (most,))
