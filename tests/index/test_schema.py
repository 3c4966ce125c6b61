"""The tables: made whole, recognised, and cut by spaces only."""

from __future__ import annotations

import sqlite3
import string

from memex_core.index import schema


def database() -> sqlite3.Connection:
    db = sqlite3.connect(":memory:", isolation_level=None)
    schema.create(db)
    schema.run(db, schema.INDEXES)
    schema.run(db, schema.LINK_INDEXES)
    return db


def test_columns_are_those_the_code_names() -> None:
    db = database()
    for table, names in (("page", schema.PAGE_COLUMNS), ("link", schema.LINK_COLUMNS)):
        columns = {row[1] for row in db.execute(f"PRAGMA table_info({table})")}
        assert columns == set(names), table
    texts = [row[1] for row in db.execute("PRAGMA table_info(page_text)")]
    assert texts == ["id", *schema.TEXT_COLUMNS]
    assert len(schema.WEIGHTS) == len(schema.TEXT_COLUMNS)


def test_titles_weigh_most() -> None:
    weights = dict(zip(schema.TEXT_COLUMNS, schema.WEIGHTS, strict=True))
    assert max(weights, key=weights.__getitem__) == "title"
    assert weights["body"] == min(weights.values())


def test_an_unfinished_index_is_not_current() -> None:
    db = database()
    assert not schema.is_current(db)
    db.execute(f"PRAGMA user_version={schema.VERSION}")
    assert schema.is_current(db)
    db.execute(f"PRAGMA user_version={schema.VERSION + 1}")
    assert not schema.is_current(db)


def test_tokens_are_cut_at_spaces_only() -> None:
    db = database()
    signs = "".join(sign for sign in string.punctuation if sign != '"')
    tokens = [f"a{sign}b" for sign in signs] + ["c++", "naïve", "数据", "🚀", "->", "a@b.c"]
    columns = ", ".join(schema.TEXT_COLUMNS)
    marks = ", ".join("?" * len(schema.TEXT_COLUMNS))
    for number, token in enumerate(tokens, 1):
        text = ["", "", "", "", "", "", token]
        db.execute(f"INSERT INTO page_text VALUES(?, {marks})", (number, *text))
        db.execute(f"INSERT INTO page_fts(rowid, {columns}) VALUES(?, {marks})", (number, *text))
    for number, token in enumerate(tokens, 1):
        found = db.execute(
            "SELECT rowid FROM page_fts WHERE page_fts MATCH ?", (f'whole : "{token}"',)
        ).fetchall()
        assert found == [(number,)], token


def test_counted_tokens_have_no_ascii_punctuation() -> None:
    db = database()
    for token, counted in (
        ("word", 1),
        ("naïve", 1),
        ("数据", 1),
        ("2024", 1),
        ("a_b", 0),
        ("c++", 0),
        ("a.b", 0),
    ):
        assert db.execute(f"SELECT ? {schema.COUNTED}", (token,)).fetchone() == (counted,), token


def test_values_kept_beside_the_tables() -> None:
    db = database()
    assert schema.get_meta(db, "pages") is None
    assert schema.count_pages(db) == 0
    schema.set_meta(db, "pages", 4)
    assert schema.count_pages(db) == 4
    schema.set_meta(db, "pages", 5)
    assert schema.count_pages(db) == 5


def test_running_a_script_stays_in_the_transaction() -> None:
    db = sqlite3.connect(":memory:", isolation_level=None)
    db.execute("BEGIN")
    schema.create(db)
    db.execute("ROLLBACK")
    assert db.execute("SELECT count(*) FROM sqlite_master").fetchone() == (0,)
