"""Which turns are unread and settled, as journal and transcripts tell."""

from __future__ import annotations

import json
import os
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from memex_core import Memex
from memex_core.files import transcripts
from memex_core.learn import marks
from tests.learn.conftest import Talk

QUIET = 15


def unread(memex: Memex, session: str, *, whole: bool = False, by: str = "model") -> list[int]:
    meta = transcripts.read_meta(memex.store.layout, session)
    mark = marks.newest(memex.store.journal, by).get(session)
    found = marks.fresh(memex.store.layout, session, meta, mark, quiet=QUIET, whole=whole)
    return [turn["turn"] for turn in found]


def settle(memex: Memex, session: str, last: int, **more: Any) -> None:
    (turn,) = transcripts.read_turns(memex.store.layout, session, last, last)
    detail = {"by": "model", "session": session, "first": 1, "last": last, "xid": turn["xid"], **more}
    marks.settle(memex.store.journal, "memex-consolidate/0", detail)


@pytest.mark.parametrize(
    ("now", "turns"),
    [("2026-11-20T10:03:00Z", [1, 2]), ("2026-11-20T10:16:59Z", [1, 2]), ("2026-11-20T10:17:00Z", [1, 2, 3])],
)
def test_the_last_exchange_is_settled_by_silence(
    memex: Memex, talk: Talk, monkeypatch: pytest.MonkeyPatch, now: str, turns: list[int]
) -> None:
    talk("s", "one", ("agent", "yes"), "two")
    monkeypatch.setenv("MEMEX_NOW", now)
    assert unread(memex, "s") == turns
    assert unread(memex, "s", whole=True) == [1, 2, 3]


@pytest.mark.parametrize(
    ("came", "now", "turns"),
    [
        # another machine's clock is ahead: when the file came in counts
        ("2026-11-20T08:00:00Z", "2026-11-20T08:14:00Z", [1, 2]),
        ("2026-11-20T08:00:00Z", "2026-11-20T08:15:00Z", [1, 2, 3]),
        # that lies ahead too: nothing tells, and waiting for it could take years
        ("2036-01-01T00:00:00Z", "2026-11-20T08:15:00Z", [1, 2, 3]),
        ("2036-01-01T00:00:00Z", "2026-11-20T10:01:30Z", [1, 2]),  # but the second turn tells something
        ("2036-01-01T00:00:00Z", "2026-11-20T10:01:59Z", [1, 2]),
    ],
)
def test_a_stamp_ahead_of_now_settles_by_the_time_of_the_file(
    memex: Memex, talk: Talk, monkeypatch: pytest.MonkeyPatch, came: str, now: str, turns: list[int]
) -> None:
    talk("s", "one", ("agent", "yes"), "two")
    moment = datetime.fromisoformat(came).timestamp()
    os.utime(transcripts.file_of(memex.store.layout, "s"), (moment, moment))
    monkeypatch.setenv("MEMEX_NOW", now)
    assert unread(memex, "s") == turns


def test_what_is_settled_is_read_once_by_each_reader(memex: Memex, talk: Talk) -> None:
    talk("s", "one", "two", "three")
    settle(memex, "s", 2)
    assert unread(memex, "s") == [3]
    assert unread(memex, "s", by="rules") == [1, 2, 3]
    settle(memex, "s", 3)
    assert unread(memex, "s") == []


def test_a_session_stored_anew_goes_on_after_the_same_turn(memex: Memex, talk: Talk) -> None:
    talk("s", "one", "two")
    settle(memex, "s", 2)
    turns = [
        {"role": "user", "content": text, "xid": xid}
        for text, xid in (("zero", "z"), ("two", "b"), ("three", "c"))
    ]
    memex.ingest_transcript("s", turns=turns, overwrite=True)
    assert unread(memex, "s", whole=True) == [1, 2, 3]  # other turns: none of them is known
    settle(memex, "s", 2)
    memex.ingest_transcript("s", turns=turns[1:], overwrite=True)
    assert unread(memex, "s", whole=True) == [2]


def test_turns_that_were_taken_back_and_agents_of_agents_do_not_count(memex: Memex, talk: Talk) -> None:
    talk("s", "one", "two", "three")
    path = Path(transcripts.meta_of(memex.store.layout, "s"))
    meta = json.loads(path.read_text())
    path.write_text(json.dumps({**meta, "metadata": {"abandoned": [[2, 2]]}}))
    assert unread(memex, "s") == [1, 3]
    path.write_text(json.dumps({**meta, "metadata": {"subagent": True}}))
    assert list(marks.sessions(memex.store.layout)) == []


def test_a_meta_file_that_lies_or_is_gone_hides_nothing(memex: Memex, talk: Talk) -> None:
    talk("s", "one", "two")
    settle(memex, "s", 1)
    Path(transcripts.meta_of(memex.store.layout, "s")).unlink()
    assert unread(memex, "s") == [2]


def test_other_lines_of_the_journal_are_no_marks(memex: Memex, talk: Talk) -> None:
    talk("s", "one")
    journal = memex.store.journal
    journal.append(
        [
            {"action": "ingest", "item": "s", "actor": "x", "detail": {"learned": "no map"}},
            {
                "action": "add",
                "item": "s",
                "actor": "x",
                "detail": {"learned": {"by": "model", "session": "s", "last": 1}},
            },
            {
                "action": "ingest",
                "item": "s",
                "actor": "x",
                "detail": {"learned": {"by": "model", "last": 1}},
            },
        ]
    )
    assert list(marks.stretches(journal, "model")) == []
