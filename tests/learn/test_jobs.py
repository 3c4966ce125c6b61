"""Jobs: looked at, tried again, given up."""

from __future__ import annotations

import pytest

from memex_core import Memex
from memex_core.model.errors import BadInput, NotFound
from tests.chat_server import ChatServer
from tests.learn.conftest import Talk, choose, note, said

RUFF = "For this project I prefer ruff over flake8 and always will."


def states(memex: Memex) -> dict[str, str]:
    return {job["id"]: job["state"] for job in memex.jobs_list()["jobs"]}


def test_the_states_of_a_store(memex: Memex, talk: Talk, server: ChatServer) -> None:
    talk("sess-1", RUFF)
    talk("sess-2", "Never push to main, please.", day="2026-11-21")
    talk("sess-3", "I live in Graz.", day="2026-11-22")
    choose(memex, server, max_calls=2)
    server.says = [said(note()), "no list"]
    memex.consolidate()
    assert states(memex) == {"sess-1#1": "done", "sess-2#1": "failed", "sess-3#1": "pending"}
    listed = memex.jobs_list(state=["failed", "pending"], limit=1)
    assert (len(listed["jobs"]), listed["total"], listed["calls"]["day"]) == (1, 2, 2)
    shown = memex.jobs_show("sess-1#1")
    assert (shown["pages"], shown["raw"], shown["history"]) == (["ruff-for-linting"], "", [])
    failed = memex.jobs_show("sess-2#1")
    assert [(row["code"], row["at"]) for row in failed["history"]] == [
        ("unreadable-answer", "2026-11-30T12:00:00Z")
    ]


def test_a_failed_job_that_goes_on_is_still_that_job(memex: Memex, talk: Talk, server: ChatServer) -> None:
    talk("sess-1", RUFF)
    choose(memex, server)
    server.says = ["no list"]
    memex.consolidate()
    talk("sess-1", RUFF, ("agent", "Fine."), "And use uv, please.")
    (job,) = memex.jobs_list()["jobs"]
    assert (job["id"], job["state"], job["turns"]) == ("sess-1#1", "failed", 3)


def test_retrying(memex: Memex, talk: Talk, server: ChatServer) -> None:
    talk("sess-1", RUFF)
    choose(memex, server, max_attempts=1)
    server.says = ["no list"]
    memex.consolidate()
    tried = memex.jobs_retry("sess-1#1", dry_run=True)
    assert (tried["retried"], memex.jobs_list()["jobs"][0]["attempts"]) == (["sess-1#1"], 1)
    assert memex.jobs_retry(all=True)["retried"] == ["sess-1#1"]
    assert memex.jobs_list()["jobs"][0]["attempts"] == 0
    assert len(memex.jobs_show("sess-1#1")["history"]) == 1
    with pytest.raises(BadInput, match="name a job"):
        memex.jobs_retry()
    with pytest.raises(NotFound, match="nope"):
        memex.jobs_retry("nope#1")


def test_what_is_pending_needs_no_retry(memex: Memex, talk: Talk, server: ChatServer) -> None:
    talk("sess-1", RUFF)
    choose(memex, server)
    with pytest.raises(BadInput, match="sess-1#1 is pending"):
        memex.jobs_retry("sess-1#1")


def test_retrying_lets_go_what_a_refusal_holds(memex: Memex, talk: Talk, server: ChatServer) -> None:
    talk("sess-1", RUFF)
    choose(memex, server)
    server.behave("refused")
    memex.consolidate()
    assert states(memex) == {"sess-1#1": "held"}
    assert memex.jobs_retry("sess-1#1")["released"] is True
    assert states(memex) == {"sess-1#1": "pending"}


def test_giving_up_leaves_a_line_in_the_journal(memex: Memex, talk: Talk, server: ChatServer) -> None:
    talk("sess-1", RUFF)
    choose(memex, server)
    server.says = ["no list"]
    memex.consolidate()
    assert memex.jobs_dismiss("sess-1#1", why="small talk", dry_run=True)["dismissed"] is False
    assert states(memex) == {"sess-1#1": "failed"}
    assert memex.jobs_dismiss("sess-1#1", why="small talk")["turns"] == 1
    assert states(memex) == {"sess-1#1": "done"}
    assert memex.jobs_list()["jobs"][0]["title"] == "dismissed: small talk"
    event = next(memex.store.journal.read(reverse=True))
    assert (event["actor"], event["detail"]["learned"]["dismissed"]) == ("human:tester", "small talk")
    assert memex.consolidate()["llm_calls"] == 0
    with pytest.raises(BadInput, match="is done"):
        memex.jobs_dismiss("sess-1#1")


def test_what_makes_no_sense_is_refused(memex: Memex) -> None:
    with pytest.raises(BadInput, match="no job is 'lost'"):
        memex.jobs_list(state="lost")
    with pytest.raises(BadInput, match="limit 0"):
        memex.jobs_list(limit=0)
    with pytest.raises(NotFound, match="nope"):
        memex.jobs_show("nope")


def test_an_empty_store_has_no_jobs(memex: Memex) -> None:
    listed = memex.jobs_list()
    assert (listed["jobs"], listed["held"], set(listed["counts"].values())) == ([], None, {0})
