"""What answers cost: charged to the turn they led to, once, and of the newest turns only."""

from __future__ import annotations

from typing import Any

from memex_core.harness import billing
from memex_core.harness.talk import Talk


class Told(Talk):
    agent = "told"

    def feed(self, record: dict[str, Any], at: int) -> None:
        raise AssertionError


def spent(talk: Talk) -> list[tuple[int, int]]:
    return [(row["turn"], row["usage"]["output"]) for row in talk.meta()["turn_token_usage"] or ()]


def answered(talk: Talk, number: int) -> None:
    assert talk.answer("Yes.", "2026-11-30T10:00:00Z", f"a{number}")


def test_turns_that_were_written_already_count() -> None:
    talk = Told("s")
    talk.prompt("Is it?", "2026-11-30T10:00:00Z", "u1")
    answered(talk, 1)
    assert len(talk.take()) == 2
    billing.bill(talk, {"output": 3})
    answered(talk, 2)
    billing.bill(talk, {"output": 4})
    billing.bill(talk, {"output": 5})
    assert spent(talk) == [(2, 3), (3, 9)]


def test_a_request_told_again_replaces_what_was_told_of_it() -> None:
    talk = Told("s")
    answered(talk, 1)
    billing.bill(talk, {"output": 3}, "r1")
    answered(talk, 2)
    billing.bill(talk, {"output": 8}, "r1")
    assert spent(talk) == [(2, 8)]
    billing.bill(talk, {"output": 1}, "r2")
    billing.bill(talk, {"output": 10}, "r1", {"output": 8})
    assert spent(talk) == [(2, 11)]


def test_nothing_is_charged_before_anything_was_said() -> None:
    talk = Told("s")
    billing.bill(talk, {"output": 3})
    assert spent(talk) == []


def test_the_newest_turns_are_kept_and_an_earlier_memory_is_no_trouble() -> None:
    talk = Told("s")
    talk.memo["turn_usage"] = {"output": 7}  # as an earlier version noted it
    for number in range(billing.KEPT + 5):
        answered(talk, number)
        billing.bill(talk, {"output": number + 1})
    assert spent(talk) == [(number, number) for number in range(6, billing.KEPT + 6)]
