"""The tables of ``mem.db``, and how to tell that a database is not of this kind.

Nothing in it is the only copy: another schema number or analyser version means "build again", so
there are no migrations. Page rows, the text that was analysed, and the full-text index over that text
(external content: SQLite before 3.43 cannot delete from a contentless one without the old words).
"""

from __future__ import annotations

import sqlite3

from memex_core.index.analyse import ANALYSER, TOKENIZE
from memex_core.index.passages import SCHEMA_SQL as PASSAGES_SQL

SCHEMA = 1
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
    "page", "ord", "target", "key", "dst", "ambiguous", "form", "rel", "alias", "heading", "block", "line", "text",
)  # fmt: skip

TABLES = f"""
CREATE TABLE page(
    id INTEGER PRIMARY KEY, path TEXT NOT NULL, slug TEXT NOT NULL, uid TEXT, title TEXT NOT NULL,
    type TEXT NOT NULL, status TEXT NOT NULL, scope TEXT NOT NULL, project TEXT, branch TEXT,
    importance REAL, created TEXT, updated TEXT, occurred_at TEXT, valid_from TEXT, valid_until TEXT,
    stale_after TEXT, description TEXT, tags TEXT, aliases TEXT, trust TEXT, transcript_ref TEXT,
    session_id TEXT, digest TEXT, mtime_ns INTEGER, size INTEGER, inode INTEGER, problems TEXT,
    access_count INTEGER NOT NULL DEFAULT 0, last_access TEXT, words INTEGER, front TEXT);
CREATE TABLE page_text(
    id INTEGER PRIMARY KEY, title TEXT, names TEXT, tags TEXT, description TEXT, headings TEXT, body TEXT,
    whole TEXT);
CREATE VIRTUAL TABLE page_fts USING fts5({", ".join(TEXT_COLUMNS)},
    content='page_text', content_rowid='id', tokenize="{TOKENIZE}");
CREATE TABLE tag(page INTEGER NOT NULL, tag TEXT NOT NULL, shown TEXT NOT NULL, PRIMARY KEY(page, tag)) WITHOUT ROWID;
CREATE TABLE name(page INTEGER NOT NULL, kind TEXT NOT NULL, key TEXT NOT NULL, PRIMARY KEY(page, kind, key))
    WITHOUT ROWID;
CREATE TABLE link(
    page INTEGER NOT NULL, ord INTEGER NOT NULL, target TEXT NOT NULL, key TEXT NOT NULL, dst INTEGER,
    ambiguous TEXT, form TEXT NOT NULL, rel TEXT NOT NULL, alias TEXT, heading TEXT, block TEXT, line INTEGER,
    text TEXT, PRIMARY KEY(page, ord)) WITHOUT ROWID;
CREATE TABLE asset(path TEXT PRIMARY KEY, key TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE dir(path TEXT PRIMARY KEY, mtime_ns INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE term(term TEXT PRIMARY KEY, df INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE word(word TEXT PRIMARY KEY, term TEXT NOT NULL, df INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE meta(key TEXT PRIMARY KEY, value) WITHOUT ROWID;
"""
