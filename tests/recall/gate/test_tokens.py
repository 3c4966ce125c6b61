"""Prompts as tokens: what is kept of them, how much they weigh, and what is looked at of long ones."""

from __future__ import annotations

import pytest

from memex_core.recall.gate import decide, load
from memex_core.recall.gate.intents import FAR
from memex_core.recall.gate.rules import BUILT_IN
from memex_core.recall.gate.tokens import even, fingerprint, looked_at, overlap, weight, words


def tokens(text: str) -> tuple[str, ...]:
    return fingerprint(words(looked_at(text)[0].casefold()))


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Fix the parser's http_client.send in v1.2.3", ("fix", "parser", "http_client.send", "v1.2.3")),
        ("a b c", ()),
        ("the the and of", ()),
        ("数据库迁移", ("数据", "据库", "库迁", "迁移")),
        ("重跑gen-itgc后50条", ("重跑", "gen-itgc", "50")),
        ("데이터베이스를 마이그레이션으로 바꿔", ("데이터베이스", "마이그레이션", "바꿔")),
        ("서버에서 로그를", ("서버", "로그")),
        ("ｆｉｘ　it", ("fix",)),
        ("ze\u200bro wid\u00adth", ("zero", "width")),
        ("…!? --", ()),
        ("", ()),
    ],
)
def test_tokens(text: str, found: tuple[str, ...]) -> None:
    assert tokens(text) == found


def test_two_pairs_of_chinese_weigh_as_much_as_a_word() -> None:
    assert weight(tokens("数据库迁移")) == 2
    assert weight(tokens("move the users table")) == 3
    assert weight(()) == 0


def test_overlap_is_the_common_share() -> None:
    assert overlap(("a", "b", "c"), ("b", "c", "d")) == 0.5
    assert overlap((), ("a",)) == 0.0
    assert overlap(("a",), ("a",)) == 1.0


def test_apostrophes_and_forms_are_evened() -> None:
    assert even("don’t") == "don't"
    assert even("가") == "가"
    assert decide("Don’t you remember the port?", load(None)).reason == "memory"


def test_of_a_long_prompt_the_beginning_and_the_end_are_looked_at() -> None:
    rules = load(None)
    filler = "lorem ipsum " * 9000
    assert len(filler) > 100_000
    text, cut = looked_at(filler)
    assert cut
    assert len(text) == FAR
    for prompt, reason in (
        (f"what did we decide about the port? {filler}", "memory"),
        (f"{filler} what did we decide about the port?", "memory"),
        (f"{filler} what did we decide about the port? {filler}", "unsure"),
    ):
        decision = decide(prompt, rules)
        assert (decision.reason, decision.cut) == (reason, True)
    assert not decide("what did we decide?", rules).cut


HOSTILE = [
    "what is " * 20_000,
    "did we " * 20_000,
    "之前" * 50_000,
    "전에 " * 40_000,
    "a." * 50_000,
    "_-." * 40_000,
    "why we " * 15_000,
    "好" * 100_000,
    "\ud800" * 100_000,
    "our a-" * 20_000,
    "\x00" * 100_000,
]


@pytest.mark.parametrize("prompt", HOSTILE, ids=range(len(HOSTILE)))
def test_no_prompt_makes_a_rule_explode(prompt: str) -> None:
    """Each rule sees the longest text it ever does; what explodes would never end."""
    decision = decide(prompt, load(None))
    folded = looked_at(prompt)[0].casefold()
    fired = {rule.id for rule in BUILT_IN if rule.fires(folded)}
    assert {one.id for one in decision.fired if one.id in {rule.id for rule in BUILT_IN}} == fired
