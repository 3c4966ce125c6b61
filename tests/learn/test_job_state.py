"""The state file of learning: small, whole or not at all, and not missed when it is gone."""

from __future__ import annotations

import json
import stat
import sys
import threading
from pathlib import Path

import pytest

from memex_core import Memex
from memex_core.learn.job_state import RAW, Learning, changing, forget, path_of


def test_it_is_read_back_as_it_was_saved(memex: Memex) -> None:
    with changing(memex.store.layout) as state:
        state.failed("s#1", "s", "unreadable-answer", "no list", "prose")
        state.held("key-refused", "refused", "f1")
        state.reserve(100)
    again = Learning(memex.store.layout)
    assert (again.jobs["s#1"]["attempts"], again.jobs["s#1"]["raw"]) == (1, "prose")
    assert again.holds("f1") is not None and again.holds("f2") is None
    assert again.calls_of_the_day() == 1
    if sys.platform != "win32":
        assert stat.S_IMODE(Path(path_of(memex.store.layout)).stat().st_mode) & 0o077 == 0


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", '{"jobs": 3, "calls": {}, "hold": []}', '{"jobs": {"a": {"code": 1}}, "calls": [1]}'],
)
def test_a_damaged_file_is_none(memex: Memex, text: str) -> None:
    path = Path(path_of(memex.store.layout))
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    state = Learning(memex.store.layout)
    assert (state.jobs, state.calls, state.hold, state.running) == ({}, [], None, "")


def test_attempts_add_up_and_their_story_is_short(memex: Memex) -> None:
    state = Learning(memex.store.layout)
    for number in range(30):
        state.failed("s#1", "s", "endpoint-down", f"number {number}")
    job = state.jobs["s#1"]
    assert (job["attempts"], len(job["history"]), job["history"][-1]["message"]) == (30, 10, "number 29")
    state.retry("s#1")
    assert (job["attempts"], len(job["history"])) == (0, 10)


def test_answers_are_cut_and_old_jobs_go(memex: Memex, monkeypatch: pytest.MonkeyPatch) -> None:
    with changing(memex.store.layout) as state:
        for number in range(120):
            monkeypatch.setenv("MEMEX_NOW", f"2026-11-{1 + number // 24:02}T{number % 24:02}:00:00Z")
            state.failed(f"s{number}#1", f"s{number}", "unreadable-answer", "", "x" * (RAW + 5))
    again = Learning(memex.store.layout)
    assert len(again.jobs) == 100 and "s119#1" in again.jobs and "s0#1" not in again.jobs
    assert (len(again.jobs["s119#1"]["raw"]), again.jobs["s119#1"]["raw_chars"]) == (RAW, RAW + 5)


def test_calls_are_counted_over_24_hours(memex: Memex, monkeypatch: pytest.MonkeyPatch) -> None:
    state = Learning(memex.store.layout)
    for stamp in ("2026-11-29T11:59:59Z", "2026-11-29T12:00:01Z", "2026-11-30T12:00:00Z"):
        monkeypatch.setenv("MEMEX_NOW", stamp)
        state.calls.append(stamp)
    assert state.calls_of_the_day() == 2
    state.give_back()
    assert state.calls == ["2026-11-29T12:00:01Z"]


def test_forgetting_a_session(memex: Memex) -> None:
    with changing(memex.store.layout) as state:
        state.failed("s#1", "s", "unreadable-answer", "", "private")
        state.failed("t#1", "t", "unreadable-answer", "", "other")
    forget(memex.store.layout, "s")
    kept = json.loads(Path(path_of(memex.store.layout)).read_text())
    assert list(kept["jobs"]) == ["t#1"]


def test_what_several_change_at_once_adds_up(memex: Memex) -> None:
    def count() -> None:
        for _ in range(10):
            with changing(memex.store.layout) as state:
                state.calls.append("2026-11-30T12:00:00Z")

    threads = [threading.Thread(target=count) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert Learning(memex.store.layout).calls_of_the_day() == 40


def test_a_change_that_fails_is_not_kept(memex: Memex) -> None:
    def change() -> None:
        with changing(memex.store.layout) as state:
            state.reserve(100)
            state.retry("nope")

    with pytest.raises(KeyError):
        change()
    assert Learning(memex.store.layout).calls == []
