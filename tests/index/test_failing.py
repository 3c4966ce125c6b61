"""SQLite's errors by name, and connections that can be used after an interruption."""

from __future__ import annotations

import sqlite3
import threading
from pathlib import Path

import pytest

from memex_core.index.failing import breakable, failure, index_errors, interrupted
from memex_core.memex import Memex
from memex_core.model.errors import Interrupted, SearchFailed

SLOW = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"


@pytest.mark.parametrize(
    ("text", "kind", "said"),
    [
        ("interrupted", Interrupted, "the index was stopped"),
        ("database is locked", SearchFailed, "the index is busy: database is locked; try again in a moment"),
        (
            "database disk image is malformed",
            SearchFailed,
            "the index is damaged: database disk image is malformed; memex rebuild-index --force",
        ),
        ("no such\nfunction: f", SearchFailed, "the index failed: no such function: f; is it full?"),
    ],
)
def test_an_error_is_told_in_one_line(text: str, kind: type[SearchFailed], said: str) -> None:
    told = failure(sqlite3.OperationalError(text), "the index", "is it full?")
    assert (type(told), str(told)) == (kind, said)


def broken_off(db: sqlite3.Connection) -> None:
    """Fails as a call does that another thread breaks off in a statement inside an open one."""
    rows = db.execute("SELECT 1 UNION ALL SELECT 2")
    for _ in rows:
        threading.Timer(0.05, db.interrupt).start()
        with index_errors():
            db.execute(SLOW).fetchone()


def test_a_kept_failure_breaks_off_what_comes_next() -> None:
    """Why ``breakable`` is needed: the traceback holds the outer cursor."""
    db = sqlite3.connect(":memory:", check_same_thread=False)
    with pytest.raises(Interrupted) as kept:
        broken_off(db)
    with pytest.raises(sqlite3.OperationalError, match="interrupted"):
        db.execute("SELECT 1").fetchone()
    assert interrupted(kept.value)


def test_what_is_breakable_leaves_the_connection_clean() -> None:
    db = sqlite3.connect(":memory:", check_same_thread=False)
    with pytest.raises(Interrupted) as kept, breakable():
        broken_off(db)
    assert db.execute("SELECT 1").fetchone() == (1,)
    assert interrupted(kept.value)


def test_other_failures_come_as_they_are() -> None:
    with pytest.raises(ZeroDivisionError), breakable():
        1 / 0  # noqa: B018


def test_an_index_that_is_closed_meanwhile_is_not_interrupted(root: Path) -> None:
    with Memex(root, create=True) as memex:
        memex.write("entity", "Ada", "Bakes.")
        index = memex.store.index
        index.close()
        index.interrupt()


@pytest.mark.parametrize("operation", ["list", "tags", "graph", "info", "status"])
def test_operations_of_the_library_fail_with_errors_of_ours(root: Path, operation: str) -> None:
    with Memex(root, create=True) as memex:
        memex.write("entity", "Ada", "Bakes.", tags="bakery")
        memex.store.index.db.set_progress_handler(lambda: 1, 1)  # as an interruption would have it
        with pytest.raises(Interrupted, match="was stopped"):
            getattr(memex, operation)()
