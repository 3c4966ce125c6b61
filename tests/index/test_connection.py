"""Settings of every connection, and disks that cannot do what is asked."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from memex_core.index import connection
from memex_core.index.connection import connect, is_busy, is_damaged, is_read_only, transaction
from tests.index.folders import public


def made(path: Path) -> str:
    db = connect(str(path), write=True)
    db.execute("CREATE TABLE t(x)")
    db.execute("INSERT INTO t VALUES(1)")
    db.close()
    return str(path)


@pytest.mark.parametrize("write", [True, False])
def test_every_connection_waits_for_others(tmp_path: Path, write: bool) -> None:
    db = connect(made(tmp_path / "a.db"), write=write)
    assert db.execute("PRAGMA busy_timeout").fetchone() == (connection.BUSY_MS,)
    db.close()


def test_a_writer_uses_the_write_ahead_log(tmp_path: Path) -> None:
    db = connect(made(tmp_path / "a.db"), write=True)
    assert db.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert db.execute("PRAGMA synchronous").fetchone() == (1,)
    db.close()


def test_where_the_log_is_refused_the_rollback_journal_serves(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "VFS", "unix-dotfile")  # has no shared memory, as some network disks
    path = made(tmp_path / "a.db")
    db = connect(path, write=True)
    assert db.execute("PRAGMA journal_mode").fetchone()[0] != "wal"
    with transaction(db):
        db.execute("INSERT INTO t VALUES(2)")
    db.close()
    reader = connect(path)
    assert reader.execute("SELECT x FROM t ORDER BY x").fetchall() == [(1,), (2,)]
    reader.close()


def test_reading_never_makes_a_file(tmp_path: Path) -> None:
    with pytest.raises(sqlite3.OperationalError):
        connect(str(tmp_path / "none.db"))
    assert not (tmp_path / "none.db").exists()


def test_a_reader_cannot_write(tmp_path: Path) -> None:
    db = connect(made(tmp_path / "a.db"))
    with pytest.raises(sqlite3.OperationalError) as refused:
        db.execute("INSERT INTO t VALUES(2)")
    assert is_read_only(refused.value)
    db.close()


@pytest.mark.parametrize("name", ["a b.db", "what?.db", "50%25.db", "a#b.db", "ü'\"$x.db"])
def test_any_file_name_will_do(tmp_path: Path, name: str) -> None:
    db = connect(made(tmp_path / name))
    assert db.execute("SELECT x FROM t").fetchall() == [(1,)]
    db.close()
    assert name in os.listdir(tmp_path)


def test_a_transaction_is_undone_by_any_exception(tmp_path: Path) -> None:
    db = connect(made(tmp_path / "a.db"), write=True)

    def broken_off() -> None:
        with transaction(db):
            db.execute("INSERT INTO t VALUES(2)")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        broken_off()
    assert db.execute("SELECT count(*) FROM t").fetchone() == (1,)
    assert not db.in_transaction
    db.close()


def test_writers_wait_for_each_other(tmp_path: Path) -> None:
    path = made(tmp_path / "a.db")
    first, second = connect(path, write=True), connect(path, write=True)
    first.execute("BEGIN IMMEDIATE")
    first.execute("INSERT INTO t VALUES(2)")

    def release() -> None:
        time.sleep(0.2)
        first.execute("COMMIT")

    thread = threading.Thread(target=release)
    thread.start()
    with transaction(second):  # a plain BEGIN would fail at once with a busy snapshot
        second.execute("INSERT INTO t VALUES(3)")
    thread.join()
    assert second.execute("SELECT count(*) FROM t").fetchone() == (3,)
    first.close()
    second.close()


def test_a_reader_keeps_its_view_while_another_writes(tmp_path: Path) -> None:
    path = made(tmp_path / "a.db")
    writer, reader = connect(path, write=True), connect(path)
    writer.execute("BEGIN IMMEDIATE")
    writer.execute("INSERT INTO t VALUES(2)")
    assert reader.execute("SELECT count(*) FROM t").fetchone() == (1,)
    writer.execute("COMMIT")
    assert reader.execute("SELECT count(*) FROM t").fetchone() == (2,)
    writer.close()
    reader.close()


WRITER = """
import sys
from memex_core.index.connection import connect, transaction
db = connect(sys.argv[1], write=True)
for number in range(40):
    with transaction(db):
        count = db.execute("SELECT count(*) FROM t").fetchone()[0]
        db.execute("INSERT INTO t VALUES(?)", (count,))
"""


def test_no_write_of_four_processes_is_lost_or_refused(tmp_path: Path) -> None:
    path = made(tmp_path / "a.db")
    writers = [subprocess.Popen([sys.executable, "-c", WRITER, path]) for _ in range(4)]
    reader = connect(path)
    while any(writer.poll() is None for writer in writers):
        assert reader.execute("SELECT count(*) FROM t").fetchone()[0] >= 1
    assert [writer.returncode for writer in writers] == [0, 0, 0, 0]
    rows = [x for (x,) in reader.execute("SELECT x FROM t ORDER BY rowid")]
    assert rows == [1, *range(1, 161)]  # each saw all that was before it
    reader.close()


def test_kinds_of_failure(tmp_path: Path) -> None:
    broken = tmp_path / "broken.db"
    broken.write_bytes(b"no database at all, but long enough to be one" * 100)
    with pytest.raises(sqlite3.DatabaseError) as damaged:
        connect(str(broken))
    assert is_damaged(damaged.value)
    assert not is_busy(damaged.value)
    path = made(tmp_path / "a.db")
    first, second = connect(path, write=True), connect(path, write=True)
    second.execute("PRAGMA busy_timeout=10")
    first.execute("BEGIN IMMEDIATE")
    with pytest.raises(sqlite3.OperationalError) as busy:
        second.execute("BEGIN IMMEDIATE")
    assert is_busy(busy.value)
    assert not is_damaged(busy.value)
    first.close()
    second.close()


def test_a_disk_that_cannot_be_written_can_be_read() -> None:
    script = (
        "import os, sys\n"
        "from memex_core.index.connection import connect\n"
        "if os.getuid() == 0: os.setuid(65534)\n"  # root may write anywhere
        "print(connect(sys.argv[1]).execute('SELECT x FROM t').fetchall())\n"
    )
    with public() as folder:
        path = made(folder / "a.db")
        os.chmod(path, 0o444)
        os.chmod(folder, 0o555)
        done = subprocess.run(
            [sys.executable, "-c", script, path], capture_output=True, text=True, check=False
        )
        os.chmod(folder, 0o755)
    assert done.stdout == "[(1,)]\n", done.stderr


def test_the_log_is_turned_on_once_others_have_let_go(tmp_path: Path) -> None:
    """SQLite refuses at once to turn the log on while another reads, whatever the busy timeout."""
    path = str(tmp_path / "mem.db")
    other = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    other.execute("CREATE TABLE t (a)")
    other.execute("BEGIN")
    other.execute("SELECT * FROM t").fetchall()
    thread = threading.Timer(0.2, other.execute, ("COMMIT",))
    thread.start()
    db = connect(path, write=True)
    thread.join()
    assert db.execute("PRAGMA journal_mode").fetchone()[0] == "wal"
    db.close()
    other.close()


def test_a_new_index_is_opened_by_many_at_once(tmp_path: Path) -> None:
    failures: list[BaseException] = []
    for n in range(40):
        path = str(tmp_path / f"{n}.db")
        with sqlite3.connect(path) as db:
            db.execute("CREATE TABLE t (a)")
        db.close()
        together = threading.Barrier(6)

        def opening(write: bool, path: str = path, together: threading.Barrier = together) -> None:
            together.wait()
            try:
                for _ in range(4):
                    connect(path, write=write).close()
            except sqlite3.Error as error:
                failures.append(error)

        threads = [threading.Thread(target=opening, args=(i % 2 == 0,)) for i in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert failures == []
