"""What consolidations cost and brought, in the log of runs; three in vain are told."""

from __future__ import annotations

from typing import Any

import pytest

from memex_core import Memex
from memex_core.care.yields import zero_yield_streak
from memex_core.files import runs
from tests.chat_server import ChatServer
from tests.learn.conftest import Talk, choose, note, said

RUFF = "For this project I prefer ruff over flake8 and always will."


def logged(memex: Memex) -> list[tuple[Any, ...]]:
    keys = ("mode", "ok", "calls", "episodes", "created", "updated", "known")
    return [tuple(run.get(key) for key in keys) for run in runs.read(memex.store.layout, "consolidation")]


def in_vain(memex: Memex) -> tuple[int, bool, list[str]]:
    status = memex.status()
    check = next(one for one in memex.verify()["checks"] if one["name"] == "consolidation-yields")
    told = [line for line in status["warnings"] if "consolidations" in line]
    return status["zero_yield_streak"], check["ok"], told


def test_three_consolidations_in_vain_are_told_until_one_finds_something(
    memex: Memex, talk: Talk, server: ChatServer
) -> None:
    choose(memex, server)
    server.says = ["[]", "[]", "[]", said(note())]
    for number in range(3):
        assert in_vain(memex) == (number, True, [])
        talk(f"sess-{number}", "what does this do?")
        memex.consolidate()
    memex.consolidate()  # nothing to read: that says nothing of the model
    memex.consolidate(mode="dry-run")
    streak, ok, told = in_vain(memex)
    assert (streak, ok, len(told)) == (3, False, 1)
    assert told[0].startswith("the last 3 consolidations found nothing")
    assert memex.verify()["ok"]
    talk("sess-4", RUFF)
    memex.consolidate()
    assert in_vain(memex) == (0, True, [])
    assert logged(memex) == [
        ("full", True, 1, 1, 1, 0, 0),
        ("dry-run", True, 0, 0, 0, 0, 0),
        ("full", True, 0, 0, 0, 0, 0),
        *[("full", True, 1, 1, 0, 0, 0)] * 3,
    ]


@pytest.mark.parametrize("how", ["error", "refused", "torn"])
def test_a_call_that_failed_was_a_call(memex: Memex, talk: Talk, server: ChatServer, how: str) -> None:
    talk("sess-1", RUFF)
    choose(memex, server)
    server.behave(how)
    report = memex.consolidate()
    assert (report["llm_calls"], len(server.requests)) == (1, 1)
    assert (report["llm_prompt_tokens"], report["llm_usage"]) == (None, "unknown")
    assert zero_yield_streak(memex.store.layout) == 1
