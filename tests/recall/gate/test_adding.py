"""What a new rule must pass: one order for both kinds of rules."""

from __future__ import annotations

import pytest

from memex_core import Memex
from memex_core.model.errors import BadInput, MemexError, Refused
from memex_core.recall.gate.adding import check_new

SECRET = "AKIA" + "IOSFODNN7EXAMPLX"


@pytest.mark.parametrize(
    ("words", "why", "slow", "error", "says"),
    [
        (SECRET, "no rule", "too slow", Refused, "holds a secret"),
        ("a(", "no rule", "too slow", BadInput, "no rule"),
        ("(a+)+$", "", "too slow", Refused, "too slow"),
    ],
)
def test_the_first_thing_that_is_wrong_is_told(
    memex: Memex, words: str, why: str, slow: str, error: type[MemexError], says: str
) -> None:
    with pytest.raises(error, match=says):
        check_new(memex.store.scrubber(), words, why, "", lambda: slow)


def test_how_long_it_takes_is_tried_of_rules_only(memex: Memex) -> None:
    tried: list[str] = []

    def slow() -> str:
        tried.append("x")
        return ""

    with pytest.raises(BadInput):
        check_new(memex.store.scrubber(), "a(", "no rule", "", slow)
    assert tried == []
    check_new(memex.store.scrubber(), "a", "", "", slow)
    assert tried == ["x"]


def test_both_kinds_of_rules_pass_it(memex: Memex) -> None:
    for act in (memex.gate_add, memex.rules_add):
        kind = "memory" if act == memex.gate_add else "never"
        with pytest.raises(Refused, match="the rule or its note holds a secret"):
            act(kind, "plain", note=SECRET)
        with pytest.raises(Refused, match="takes"):
            act(kind, "(a+)+$")
