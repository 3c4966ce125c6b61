"""Rows of conversations and the diary follow their files: new, grown, changed, gone."""

from __future__ import annotations

import json
import os
import sqlite3
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from memex_core.files import diary, transcripts
from memex_core.files.layout import Layout, create_store
from memex_core.index import passage_rows, passages
from memex_core.index.cues import FIRST_PERSON, NUMBER, PLACE, QUESTION, TIME, row_cues
from memex_core.index.passage_rows import OVERLAP, PIECE, pieces
from memex_core.index.passages import BITS, Passages, refresh
from memex_core.model.errors import Unreachable


@pytest.fixture
def layout(tmp_path: Path) -> Layout:
    return create_store(str(tmp_path / "store"))


@pytest.fixture
def db(tmp_path: Path) -> Iterator[sqlite3.Connection]:
    connection = sqlite3.connect(tmp_path / "rows.db", isolation_level=None)
    connection.executescript(passages.SCHEMA_SQL)
    yield connection
    connection.close()


def say(role: str, content: str, name: str = "", **more: Any) -> dict[str, Any]:
    named = {"name": name} if name else {}
    return {"role": role, "content": content, "ts": "2026-03-04T10:00:00Z", **named, **more}


def found(db: sqlite3.Connection, token: str) -> list[tuple[str, int]]:
    """(session or day, turn) of the rows with a token, through the full-text table."""
    rows = db.execute(
        "SELECT d.name, p.turn FROM passage_fts f JOIN passage p ON p.id = f.rowid "
        f"JOIN passage_doc d ON d.id = p.id >> {BITS} WHERE passage_fts MATCH ? ORDER BY p.id",
        (f'"{token}"',),
    )
    return [tuple(row) for row in rows]


def consistent(db: sqlite3.Connection) -> None:
    """The counts kept beside the rows are what counting the rows gives."""
    terms: Counter[str] = Counter()
    lengths: Counter[int] = Counter()
    sizes: Counter[int] = Counter()
    for i, length, body, whole in db.execute("SELECT id, length, body, whole FROM passage"):
        terms.update({*body.split(), *whole.split()})
        lengths[i >> BITS] += length
        sizes[i >> BITS] += 1
    assert dict(db.execute("SELECT term, df FROM passage_term")) == dict(terms)
    assert dict(db.execute("SELECT id, tokens FROM passage_doc WHERE tokens")) == {
        k: v for k, v in lengths.items() if v
    }
    assert dict(db.execute("SELECT id, rows FROM passage_doc WHERE rows")) == dict(sizes)
    total = db.execute("SELECT rows, tokens FROM passage_total").fetchone()
    assert total == (sizes.total(), lengths.total())
    db.execute("INSERT INTO passage_fts(passage_fts, rank) VALUES('integrity-check', 1)")
    missing = "SELECT count(*) FROM passage_doc d JOIN passage_person p ON p.doc = d.id WHERE d.people = 0"
    assert db.execute(missing).fetchone() == (0,)


def test_new_grown_changed_and_removed_files(layout: Layout, db: sqlite3.Connection) -> None:
    transcripts.append(layout, "s1", [say("user", "the kettle rattles", xid="a")])
    transcripts.append(layout, "s2", [say("user", "a quiet samovar", xid="b")])
    diary.append(layout, "Bought a kettle.", date="2026-03-05", time="08:00")
    assert refresh(db, layout) == Passages(added=3, rows=3)
    assert sorted(found(db, "kettl")) == [("2026-03-05", 1), ("s1", 1)]
    assert refresh(db, layout) == Passages()

    transcripts.append(layout, "s1", [say("agent", "tighten the hinge", xid="c")])
    assert refresh(db, layout) == Passages(changed=1, rows=1)  # only the tail was read
    assert found(db, "hing") == [("s1", 2)]
    consistent(db)

    transcripts.ingest(layout, "s2", [say("user", "a loud teapot")], overwrite=True)
    diary.append(layout, "Early hinge.", date="2026-03-05", time="07:00")
    assert refresh(db, layout) == Passages(changed=2, rows=3)
    assert (found(db, "samovar"), found(db, "teapot")) == ([], [("s2", 1)])
    assert sorted(found(db, "hing")) == [("2026-03-05", 1), ("s1", 2)]
    consistent(db)

    transcripts.delete(layout, "s1")
    assert refresh(db, layout) == Passages(removed=1)
    assert found(db, "kettl") == [("2026-03-05", 2)]
    consistent(db)
    assert passages.counts(db) == {"sessions": 1, "days": 1, "turn_rows": 1, "diary_rows": 2, "damaged": 0}


def test_a_changed_line_in_a_grown_file_is_noticed(layout: Layout, db: sqlite3.Connection) -> None:
    transcripts.append(layout, "s", [say("user", "alpha", xid="a"), say("agent", "beta", xid="b")])
    refresh(db, layout)
    path = Path(transcripts.file_of(layout, "s"))
    path.write_bytes(
        path.read_bytes().replace(b"alpha", b"gamma radiation") + b'{"role":"user","content":"delta"}\n'
    )
    refresh(db, layout)
    assert (found(db, "alpha"), found(db, "gamma"), found(db, "delta")) == ([], [("s", 1)], [("s", 3)])
    consistent(db)


def test_a_shrunk_file_and_one_edited_in_place(layout: Layout, db: sqlite3.Connection) -> None:
    transcripts.append(layout, "s", [say("user", "alpha", xid="a"), say("agent", "beta", xid="b")])
    refresh(db, layout)
    path = Path(transcripts.file_of(layout, "s"))
    path.write_bytes(path.read_bytes().split(b"\n")[0] + b"\n")
    refresh(db, layout)
    assert found(db, "beta") == []
    path.write_bytes(path.read_bytes().replace(b"alpha", b"omega"))
    os.utime(path, ns=(1, 10**18))
    refresh(db, layout)
    assert (found(db, "alpha"), found(db, "omega")) == ([], [("s", 1)])
    consistent(db)


def test_a_line_still_being_written_waits(layout: Layout, db: sqlite3.Connection) -> None:
    Path(layout.transcripts).mkdir()
    path = Path(transcripts.file_of(layout, "live"))
    path.write_bytes(b'{"role":"user","content":"whole"}\nnonsense\n{"role":"agent","content":"half')
    assert refresh(db, layout).rows == 1
    assert passages.counts(db)["damaged"] == 1
    with path.open("ab") as file:
        file.write(b' a sentence"}\n{"role":"user","content":"third"}')
    assert refresh(db, layout).rows == 2
    assert found(db, "sentenc") == [("live", 2)]
    assert found(db, "third") == [("live", 3)]
    with path.open("ab") as file:
        file.write(b'\n{"role":"agent","content":"fourth"}\n')
    refresh(db, layout)
    assert (found(db, "third"), found(db, "fourth")) == ([("live", 3)], [("live", 4)])
    consistent(db)


def test_titles_follow_the_meta_file_alone(layout: Layout, db: sqlite3.Connection) -> None:
    transcripts.append(layout, "s", [say("user", "Fix the lid", xid="a")], meta={"harness": "pi"})
    refresh(db, layout)
    read = "SELECT title, agent, project FROM passage_doc"
    assert db.execute(read).fetchone() == ("Fix the lid", "pi", "")
    transcripts.append(layout, "s", [], meta={"title": "Lid work", "project": "kettle"})
    assert refresh(db, layout) == Passages(changed=1)
    assert db.execute(read).fetchone() == ("Lid work", "pi", "kettle")


def test_a_long_text_is_found_to_its_end_and_a_phrase_across_the_cut(
    layout: Layout, db: sqlite3.Connection
) -> None:
    filler = " ".join(f"word{i}" for i in range(700))
    text = f"{filler[:1990]} crossing over {filler} last needle"
    transcripts.append(layout, "s", [say("tool", "", result=text, tool_name="grep", query="lid.py")])
    refresh(db, layout)
    assert db.execute("SELECT max(length(body)) FROM passage").fetchone()[0] < 2 * PIECE
    assert found(db, "cross over") == [("s", 1)]
    assert [turn for _, turn in found(db, "needl")] == [1]
    assert found(db, "grep") == [("s", 1)]


def test_pieces_cover_a_text_and_overlap() -> None:
    text = ("some words here\n" * 40 + "漢" * 5000 + " tail ") * 3
    cut = list(pieces(text))
    assert (cut[0].start, cut[-1].end) == (0, len(text))
    for before, after in pairwise(cut):
        assert before.end - OVERLAP <= after.start < before.end
        assert after.end > before.end
        assert before.end - before.start <= PIECE
    assert list(pieces("")) == [(0, 0)]


def test_odd_text_does_not_stop_the_rest(layout: Layout, db: sqlite3.Connection) -> None:
    turns = [
        say("user", "nul \0 byte"),
        say("user", "half \ud83d char"),
        say("user", ""),
        say("user", "after needle"),
    ]
    transcripts.ingest(layout, "s", turns)
    assert refresh(db, layout).rows == 4
    assert found(db, "needl") == [("s", 4)]
    assert found(db, "byte") == [("s", 1)]


def test_speakers_are_people_and_roles_are_not(layout: Layout, db: sqlite3.Connection) -> None:
    turns = [say("user", "hi", "Odile Brandt"), say("agent", "hello", "Åse"), say("agent", "x", "Assistant")]
    transcripts.ingest(layout, "s", turns)
    transcripts.ingest(layout, "t", [say("user", "nobody named")])
    refresh(db, layout)
    keys = db.execute("SELECT key, given FROM passage_person ORDER BY key").fetchall()
    assert keys == [("ase", 1), ("brandt", 0), ("odile", 1)]
    assert db.execute("SELECT name, people FROM passage_doc ORDER BY name").fetchall() == [("s", 3), ("t", 0)]


def test_rows_know_their_bytes_dates_and_cues(layout: Layout, db: sqlite3.Connection) -> None:
    turns = [
        say("user", "When did you move to Bergen?"),
        {"role": "agent", "content": "We moved to Bergen last May, with three cats."},
    ]
    transcripts.ingest(layout, "s", turns)
    refresh(db, layout)
    data = Path(transcripts.file_of(layout, "s")).read_bytes()
    rows = db.execute("SELECT at, size, date, time, flags FROM passage ORDER BY id").fetchall()
    for (at, size, *_), turn in zip(rows, turns, strict=True):
        assert json.loads(data[at : at + size])["content"] == turn["content"]
    assert [row[2:4] for row in rows] == [("2026-03-04", "10:00"), ("2026-03-04", "")]
    assert rows[0][4] & QUESTION
    assert not rows[1][4] & QUESTION
    assert rows[1][4] & NUMBER
    assert rows[1][4] & PLACE
    assert rows[1][4] & FIRST_PERSON


def test_cues_of_a_row() -> None:
    assert row_cues("We met last week") & TIME
    assert not row_cues("He may come") & TIME
    assert row_cues("本当？") == QUESTION
    assert row_cues("ein Satz ohne Zeichen") == 0


def test_unsound_names_are_no_documents(layout: Layout, db: sqlite3.Connection) -> None:
    for folder, name in (
        (layout.transcripts, "a b.jsonl"),
        (layout.transcripts, ".x.jsonl"),
        (layout.diary, "2026.md"),
    ):
        Path(folder).mkdir(exist_ok=True)
        Path(folder, name).write_text('{"role":"user","content":"hidden"}\n')
    assert refresh(db, layout) == Passages()


def test_a_file_without_permission_is_kept_as_it_was(layout: Layout, db: sqlite3.Connection) -> None:
    if os.geteuid() == 0:
        pytest.skip("root may read everything")
    transcripts.append(layout, "s", [say("user", "alpha", xid="a")])
    refresh(db, layout)
    path = Path(transcripts.file_of(layout, "s"))
    path.chmod(0)
    os.utime(path, ns=(1, 10**18))
    assert refresh(db, layout).unread == (str(path),)
    assert found(db, "alpha") == [("s", 1)]


def test_a_folder_that_cannot_be_listed_removes_nothing(
    layout: Layout, db: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    transcripts.append(layout, "s", [say("user", "alpha", xid="a")])
    refresh(db, layout)

    def refuse(folder: str) -> None:
        raise PermissionError(13, "denied", folder)

    monkeypatch.setattr(os, "scandir", refuse)
    with pytest.raises(Unreachable):
        refresh(db, layout)
    assert found(db, "alpha") == [("s", 1)]


def test_it_joins_the_callers_transaction_and_undoes_its_own(
    layout: Layout, db: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    transcripts.append(layout, "s", [say("user", "alpha", xid="a")])
    db.execute("BEGIN IMMEDIATE")
    refresh(db, layout)
    assert db.in_transaction
    db.execute("ROLLBACK")
    assert found(db, "alpha") == []
    transcripts.append(layout, "t", [say("user", "beta", xid="b")])
    with pytest.raises(KeyboardInterrupt):
        refresh(db, layout, progress=_interrupt)
    assert not db.in_transaction
    assert db.execute("SELECT count(*) FROM passage_doc").fetchone() == (0,)
    assert refresh(db, layout).added == 2
    consistent(db)


def _interrupt(done: int, all_: int) -> None:
    assert (done, all_) == (1, 2)
    raise KeyboardInterrupt


def test_a_budget_stops_at_a_whole_document(layout: Layout, db: sqlite3.Connection) -> None:
    for name in "abc":
        transcripts.append(layout, name, [say("user", f"text {name}")])
    first = refresh(db, layout, budget_ms=0)
    assert (first.added, first.pending) == (1, 2)
    consistent(db)
    assert refresh(db, layout).added == 2


def long_talk(layout: Layout) -> None:
    """A conversation with a damaged line and a long turn in the middle, and a day of the diary."""
    said = [say("user", f"text number{n} {'word ' * 60}", "Odile", xid=f"x{n}") for n in range(12)]
    said[5]["content"] += "tail " * 3_000
    transcripts.append(layout, "long", said)
    path = os.path.join(layout.transcripts, "long.jsonl")
    with open(path, "rb") as file:
        lines = file.readlines()
    with open(path, "wb") as file:
        file.writelines([*lines[:7], b"no record\n", *lines[7:]])
    diary.append(layout, "Bought a kettle.", date="2026-03-05", time="08:00")


def rows(db: sqlite3.Connection) -> list[Any]:
    tables = ("passage_doc", "passage", "passage_person", "passage_term", "passage_total")
    return [db.execute(f"SELECT * FROM {table} ORDER BY 1, 2").fetchall() for table in tables]


def test_a_long_conversation_is_read_at_stretches_between_which_others_write(
    layout: Layout, db: sqlite3.Connection, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    long_talk(layout)
    with sqlite3.connect(":memory:", isolation_level=None) as once:
        once.executescript(passages.SCHEMA_SQL)
        refresh(once, layout)
        whole = rows(once)
    db.execute("CREATE TABLE other(n)")
    written: list[int] = []

    def another_writes(seconds: float) -> None:
        assert seconds == passages.PAUSE_S
        with sqlite3.connect(tmp_path / "rows.db", timeout=0) as other:
            other.execute("INSERT INTO other VALUES(?)", (len(written),))
        written.append(len(rows(db)[1]))

    monkeypatch.setattr(passage_rows, "AT_ONCE", 0)
    monkeypatch.setattr(passages, "HELD_S", 0)
    monkeypatch.setattr("time.sleep", another_writes)
    assert refresh(db, layout).pending == 0
    assert written == [1, 2, 3, 4, 5, 14, 15, 15, 16, 17, 18, 19, 20]  # the damaged line has no row
    assert rows(db) == whole
    consistent(db)


def test_a_budget_may_end_within_a_long_conversation(
    layout: Layout, db: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    long_talk(layout)
    monkeypatch.setattr(passage_rows, "AT_ONCE", 0)
    assert refresh(db, layout, budget_ms=0).pending == 2  # the day waits too
    assert (found(db, "number0"), found(db, "number1")) == ([("long", 1)], [])
    transcripts.append(layout, "long", [say("user", "a late word", xid="late")])
    assert refresh(db, layout, budget_ms=0).pending == 2
    assert (found(db, "number1"), found(db, "late")) == ([("long", 2)], [])
    assert refresh(db, layout).pending == 0
    assert found(db, "late") == [("long", 13)]
    consistent(db)
    assert refresh(db, layout) == Passages()


def test_many_documents_make_one_segment(layout: Layout, db: sqlite3.Connection) -> None:
    for number in range(30):
        transcripts.ingest(
            layout, f"s{number}", [say("user", f"text {number}", "Odile"), say("agent", "yes", "Bram")]
        )
    db.execute("INSERT INTO passage_fts(passage_fts, rank) VALUES('automerge', 0)")
    db.execute("INSERT INTO passage_fts(passage_fts, rank) VALUES('crisismerge', 2000)")
    refresh(db, layout)
    assert db.execute("SELECT count(DISTINCT segid) FROM passage_fts_idx").fetchone() == (1,)


def test_clear_forgets_everything(layout: Layout, db: sqlite3.Connection) -> None:
    transcripts.append(layout, "s", [say("user", "alpha", "Odile")])
    refresh(db, layout)
    passages.clear(db)
    for table in (
        "passage",
        "passage_doc",
        "passage_term",
        "passage_word",
        "passage_person",
        "passage_total",
    ):
        assert db.execute(f"SELECT count(*) FROM {table}").fetchone() == (0,)
    assert refresh(db, layout) == Passages(added=1, rows=1)
    consistent(db)


def test_what_only_has_the_name_of_a_source_is_passed_by(layout: Layout, db: sqlite3.Connection) -> None:
    """A link to nothing, a folder, a pipe that nobody writes to: they neither stop the others nor hold them up."""
    diary.append(layout, "needle", date="2026-03-04", time="10:00")
    for folder, names in (
        (layout.diary, ("2026-01-01.md", "2026-01-02.md", "2026-01-03.md")),
        (layout.transcripts, ("a.jsonl", "b.jsonl", "c.jsonl")),
        (layout.transcripts, ("a.meta.json", "b.meta.json", "c.meta.json")),
    ):
        os.makedirs(folder, exist_ok=True)
        os.symlink("nowhere", os.path.join(folder, names[0]))
        os.mkdir(os.path.join(folder, names[1]))
        os.mkfifo(os.path.join(folder, names[2]))
    refresh(db, layout)
    assert found(db, "needl") == [("2026-03-04", 1)]
    assert db.execute("SELECT kind, name FROM passage_doc").fetchall() == [("diary", "2026-03-04")]
