"""The tables of ``mem.db``, and how to tell that a database is not of this kind.

Nothing in it is the only copy: another schema number or analyser version means "build again", so
there are no migrations. Page rows, the text that was analysed, and the full-text index over that text
(external content: SQLite before 3.43 cannot delete from a contentless one without the old words).
"""

from __future__ import annotations

import sqlite3

from memex_core.index.analyse import ANALYSER, TOKENIZE

SCHEMA = 3
"""Goes up with any change of the tables or of what is put into them."""

TEXT_COLUMNS = ("title", "names", "tags", "description", "headings", "body", "whole")
"""Columns of the full-text table. ``names`` holds aliases and the file name's words, ``whole`` the
exact forms (identifiers, words with diacritics) of all of them, each once."""

WEIGHTS = (8.0, 6.0, 4.0, 3.0, 2.5, 1.0, 1.0)
"""What one occurrence counts in each of them, in ``bm25()``."""

RANK = f"bm25(page_fts, {', '.join(map(str, WEIGHTS))})"
"""SQL: the engine's rank of a match; lower is better."""

PAGE_COLUMNS = (
    "id", "path", "slug", "uid", "title", "type", "status", "scope", "project", "branch", "importance",
    "created", "updated", "occurred_at", "valid_from", "valid_until", "stale_after", "description", "tags",
    "aliases", "trust", "transcript_ref", "session_id", "digest", "mtime_ns", "size", "inode", "problems",
    "access_count", "last_access", "words", "front",
)  # fmt: skip

LINK_COLUMNS = (
    "page", "ord", "target", "key", "label", "dst", "asset", "ambiguous", "form", "rel", "alias", "heading",
    "block", "line",
)  # fmt: skip
"""``key`` is what the target could be called, ``label`` the same for a shown text that may be the target
(``[[shown|target]]`` the other way round), ``dst`` the page meant, ``asset`` the file meant that is no
page."""

TABLES = f"""
CREATE TABLE page(
    id INTEGER PRIMARY KEY, path TEXT NOT NULL, slug TEXT NOT NULL, uid TEXT, title TEXT NOT NULL,
    type TEXT NOT NULL, status TEXT NOT NULL, scope TEXT NOT NULL, project TEXT, branch TEXT,
    importance REAL, created TEXT, updated TEXT, occurred_at TEXT, valid_from TEXT, valid_until TEXT,
    stale_after TEXT, description TEXT, tags TEXT, aliases TEXT, trust TEXT, transcript_ref TEXT,
    session_id TEXT, digest TEXT, mtime_ns INTEGER, size INTEGER, inode INTEGER, problems TEXT,
    access_count INTEGER NOT NULL, last_access TEXT, words INTEGER, front TEXT);
CREATE TABLE page_text(
    id INTEGER PRIMARY KEY, title TEXT, names TEXT, tags TEXT, description TEXT, headings TEXT, body TEXT,
    whole TEXT);
CREATE VIRTUAL TABLE page_fts USING fts5({", ".join(TEXT_COLUMNS)},
    content='page_text', content_rowid='id', tokenize="{TOKENIZE}");
CREATE TABLE tag(page INTEGER NOT NULL, tag TEXT NOT NULL, shown TEXT NOT NULL, PRIMARY KEY(page, tag))
    WITHOUT ROWID;
CREATE TABLE name(page INTEGER NOT NULL, key TEXT NOT NULL, kind TEXT NOT NULL, PRIMARY KEY(page, key))
    WITHOUT ROWID;
CREATE TABLE link(
    page INTEGER NOT NULL, ord INTEGER NOT NULL, target TEXT NOT NULL, key TEXT NOT NULL, label TEXT,
    dst INTEGER, asset TEXT, ambiguous TEXT, form TEXT NOT NULL, rel TEXT NOT NULL, alias TEXT, heading TEXT,
    block TEXT, line INTEGER, PRIMARY KEY(page, ord)) WITHOUT ROWID;
CREATE TABLE asset(path TEXT PRIMARY KEY, key TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE dir(path TEXT PRIMARY KEY, mtime_ns INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE term(term TEXT PRIMARY KEY, df INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE word(word TEXT PRIMARY KEY, term TEXT NOT NULL, df INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE meta(key TEXT PRIMARY KEY, value) WITHOUT ROWID;
"""

INDEXES = """
CREATE INDEX page_stat ON page(path, mtime_ns, size, inode);
CREATE INDEX page_show ON page(id, status, valid_from, valid_until);
CREATE INDEX page_updated ON page(updated);
CREATE INDEX page_type ON page(type COLLATE NOCASE, updated);
CREATE INDEX page_foremost ON page(type COLLATE NOCASE, importance, updated);
CREATE INDEX page_mtime ON page(mtime_ns);
CREATE INDEX page_uid ON page(uid) WHERE uid <> '';
CREATE INDEX page_session ON page(session_id) WHERE session_id <> '';
CREATE INDEX page_project ON page(project, importance, updated) WHERE project <> '';
CREATE INDEX page_unread ON page(path) WHERE digest = '';
CREATE INDEX tag_pages ON tag(tag, page);
CREATE INDEX name_pages ON name(key, page);
CREATE INDEX asset_key ON asset(key);
"""
LINK_INDEXES = """
CREATE INDEX link_dst ON link(dst) WHERE dst IS NOT NULL;
CREATE INDEX link_key ON link(key);
CREATE INDEX link_label ON link(label) WHERE label IS NOT NULL;
"""
"""Made after a bulk load: filling an index row by row costs twice as much."""

VERSION = SCHEMA * 1000 + ANALYSER
"""What ``PRAGMA user_version`` says of a finished index."""

COUNTED = "NOT GLOB '*[!-/:-@[-`{-~]*'"
"""SQL: the tokens whose document frequency is kept. Tokens with ASCII punctuation are whole forms: most of
the vocabulary, each nearly unique, never left out of a query and never completed."""

FTS_DEFAULTS = {"automerge": 4, "crisismerge": 16, "hashsize": 1 << 20}
"""The settings of ``page_fts`` outside of a bulk load (they are kept in the file)."""


def run(db: sqlite3.Connection, script: str) -> None:
    """Execute the statements of ``script`` one by one (``executescript`` would end the transaction)."""
    for statement in script.split(";\n"):
        if statement.strip():
            db.execute(statement)


def create(db: sqlite3.Connection) -> None:
    """All tables, empty, without the indexes of those for pages."""
    from memex_core.index.passages import SCHEMA_SQL

    run(db, TABLES)
    run(db, SCHEMA_SQL)


def configure(db: sqlite3.Connection, table: str, setting: str, value: int) -> None:
    """Set one of the settings that a full-text table keeps in the file."""
    db.execute(f"INSERT INTO {table}({table}, rank) VALUES(?, ?)", (setting, value))


def is_current(db: sqlite3.Connection) -> bool:
    """Whether the database is a finished index of this version. Raises ``sqlite3.Error`` when damaged."""
    version: int = db.execute("PRAGMA user_version").fetchone()[0]
    return version == VERSION


def set_meta(db: sqlite3.Connection, key: str, value: object) -> None:
    db.execute("INSERT OR REPLACE INTO meta VALUES(?, ?)", (key, value))


def get_meta(db: sqlite3.Connection, key: str) -> object:
    """The value kept under ``key``, None when there is none."""
    row = db.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
    return row[0] if row else None


def count_pages(db: sqlite3.Connection) -> int:
    """The number of pages; kept, because counting 100,000 rows costs more than a search."""
    value = get_meta(db, "pages")
    return value if isinstance(value, int) else 0
