"""Tokens counted, texts cut, and what fits into a budget."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memex_core.recall.pack import Packed, cut, est_tokens, pack


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", 0),
        ("a", 1),
        ("abcd", 1),
        ("abcde", 2),
        ("数据", 2),
        ("éé", 1),
        ("ab数", 2),
        ("🚀", 1),
        ("\ud800", 1),
    ],
)
def test_estimate(text, tokens):
    assert est_tokens(text) == tokens


@given(st.text(max_size=80), st.integers(0, 30))
def test_a_cut_text_costs_at_most_its_budget_and_is_a_beginning(text, budget):
    short = cut(text, budget)
    assert est_tokens(short) <= budget
    assert short == text or text.startswith(short[:-1])


def test_cuts_fall_between_words():
    assert cut("one two three four five", 4) == "one two…"
    assert cut("x" * 100, 4) == "x" * 12 + "…"
    assert cut("数据库设计", 3) == "数据…"
    assert cut("anything", 0) == ""


def test_what_does_not_fit_is_skipped_and_the_next_is_tried():
    assert pack(["aaaa", "b" * 100, "cccc", "dddd"], 2, est_tokens) == Packed([0, 2], 2, 2, False)


def test_the_first_stays_even_when_it_must_be_cut():
    assert pack(["a" * 100, "b"], 5, est_tokens) == Packed([0], 5, 1, True)


def test_no_budget_and_no_items():
    assert pack(["aaaa", "bbbb"], None, est_tokens) == Packed([0, 1], 2, 0, False)
    assert pack([], 5, est_tokens) == Packed([], 0, 0, False)


@given(st.lists(st.integers(0, 20)), st.integers(1, 60))
def test_never_over_budget_and_nothing_lost(costs, budget):
    packed = pack(costs, budget, lambda cost: cost)
    assert packed.used <= budget
    assert len(packed.kept) + packed.omitted == len(costs)
    assert packed.kept == sorted(packed.kept)
    assert not costs or packed.kept[:1] == [0]
