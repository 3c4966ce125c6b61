"""Jobs: looked at, tried again, given up."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pytest

from memex_core import Memex
from memex_core.model.errors import BadInput, NotFound, Refused
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
    assert states(memex) == {"sess-1#1": "done", "sess-2#1": "retrying", "sess-3#1": "pending"}
    listed = memex.jobs_list(state=["retrying", "pending"], limit=1)
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
    assert (job["id"], job["state"], job["turns"]) == ("sess-1#1", "retrying", 3)


def in_the_background(memex: Memex, server: ChatServer, meanwhile: Callable[[], object]) -> dict[str, Any]:
    """The report of a consolidation, with something done while the model thinks."""
    reports: list[dict[str, Any]] = []

    def run() -> None:
        with Memex(memex.root) as other:
            reports.append(other.consolidate())

    server.behave("slow")
    thread = threading.Thread(target=run)
    thread.start()
    try:
        assert server.asked.wait(120)
        meanwhile()
    finally:
        server.behave("well")
        server.let_go()
        thread.join()
    return reports[0]


def test_a_session_that_grows_while_it_is_read_is_done_so_far_and_pending_from_there(
    memex: Memex, talk: Talk, server: ChatServer
) -> None:
    talk("sess-1", RUFF)
    choose(memex, server)
    server.says = [said(note())]
    report = in_the_background(memex, server, lambda: talk("sess-1", RUFF, ("agent", "Fine."), "Use uv."))
    assert [row["slug"] for row in report["nodes_created"]] == ["ruff-for-linting"]
    assert states(memex) == {"sess-1#1": "done", "sess-1#2": "pending"}


def test_a_session_that_is_stored_anew_while_it_is_read_is_pending_and_nothing_else(
    memex: Memex, talk: Talk, server: ChatServer
) -> None:
    """The answer names turns by their numbers, which are those of other turns now."""
    talk("sess-1", RUFF)
    choose(memex, server)
    server.says = [said(note())]
    report = in_the_background(memex, server, lambda: talk("sess-1", "What first?", RUFF))
    assert (report["nodes_created"], report["rejected"], report["failed"]) == ([], [], [])
    assert "sess-1 was stored anew while the model was asked" in report["warnings"][0]
    (job,) = memex.jobs_list()["jobs"]
    assert (job["id"], job["state"], job["turns"], job["attempts"]) == ("sess-1#1", "pending", 2, 0)
    server.says = [said(note(quotes=[{"turn": 2, "quote": "I prefer ruff over flake8"}]))]
    assert [row["slug"] for row in memex.consolidate()["nodes_created"]] == ["ruff-for-linting"]
    assert states(memex) == {"sess-1#1": "done"}


def test_a_job_that_was_done_and_is_unread_again_is_listed_once(
    memex: Memex, talk: Talk, server: ChatServer
) -> None:
    talk("sess-1", RUFF)
    choose(memex, server)
    memex.consolidate()
    talk("sess-1", "What first?", RUFF)  # stored anew: no turn of it is known
    listed = memex.jobs_list()
    assert [(job["id"], job["state"]) for job in listed["jobs"]] == [("sess-1#1", "pending")]
    assert (listed["counts"]["done"], listed["counts"]["pending"]) == (0, 1)
    assert memex.jobs_show("sess-1#1")["state"] == "pending"
    memex.consolidate()
    assert [(job["id"], job["state"], job["last"]) for job in memex.jobs_list()["jobs"]] == [
        ("sess-1#1", "done", 2)
    ]


def test_only_jobs_that_there_are_can_be_retried(memex: Memex, talk: Talk, server: ChatServer) -> None:
    choose(memex, server)
    server.says = ["[]", "no list"]
    talk("sess-1", RUFF)
    memex.consolidate()
    talk("sess-1", RUFF, "I prefer tea.")
    memex.consolidate()
    assert states(memex) == {"sess-1#1": "done", "sess-1#2": "retrying"}
    talk("sess-1", "Something else altogether.")
    assert states(memex) == {"sess-1#1": "pending"}
    assert memex.jobs_retry(all=True)["retried"] == []


def test_retrying(memex: Memex, talk: Talk, server: ChatServer) -> None:
    talk("sess-1", RUFF)
    choose(memex, server, max_attempts=1)
    server.says = ["no list"]
    memex.consolidate()
    assert states(memex) == {"sess-1#1": "failed"}
    tried = memex.jobs_retry("sess-1#1", dry_run=True)
    assert (tried["retried"], memex.jobs_list()["jobs"][0]["attempts"]) == (["sess-1#1"], 1)
    assert memex.jobs_retry(all=True)["retried"] == ["sess-1#1"]
    (job,) = memex.jobs_list()["jobs"]
    assert (job["state"], job["attempts"], job["code"], job["next"]) == ("pending", 0, "", "")
    assert len(memex.jobs_show("sess-1#1")["history"]) == 1
    with pytest.raises(BadInput, match="name a job"):
        memex.jobs_retry()
    with pytest.raises(NotFound, match="nope"):
        memex.jobs_retry("nope#1")


def test_what_is_tried_again_by_itself_is_not_called_failed(
    memex: Memex, talk: Talk, server: ChatServer
) -> None:
    talk("sess-1", RUFF)
    choose(memex, server, max_attempts=2)
    server.says = ["no list"]
    (row,) = memex.consolidate()["failed"]
    (job,) = memex.jobs_list()["jobs"]
    assert (job["state"], job["attempts"]) == ("retrying", 1)
    assert job["next"] == row["next"] == "memex jobs show 'sess-1#1', then memex consolidate"
    report = memex.consolidate()
    (job,) = memex.jobs_list()["jobs"]
    assert (job["state"], job["attempts"], report["given_up"]) == ("failed", 2, [])
    assert job["next"] == "memex jobs show 'sess-1#1', then memex jobs retry 'sess-1#1'"
    assert report["failed"][0]["next"] == job["next"]
    assert memex.consolidate()["given_up"] == ["sess-1#1"]
    memex.jobs_retry("sess-1#1")
    choose(memex, server, provider="")
    assert states(memex) == {"sess-1#1": "held"}  # as any that waits


def test_what_is_pending_needs_no_retry(memex: Memex, talk: Talk, server: ChatServer) -> None:
    talk("sess-1", RUFF)
    choose(memex, server)
    with pytest.raises(Refused, match="sess-1#1 is pending: there is nothing to try again"):
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
    assert states(memex) == {"sess-1#1": "retrying"}
    assert memex.jobs_dismiss("sess-1#1", why="small talk")["turns"] == 1
    assert states(memex) == {"sess-1#1": "done"}
    assert memex.jobs_list()["jobs"][0]["title"] == "dismissed: small talk"
    event = next(memex.store.journal.read(reverse=True))
    assert (event["actor"], event["detail"]["learned"]["dismissed"]) == ("human:tester", "small talk")
    assert memex.consolidate()["llm_calls"] == 0
    with pytest.raises(Refused, match="is done: there is nothing to give up"):
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
