"""The second stage: judging pages by the text that was indexed of them.

Beside an exact BM25 over the weighted columns, what an engine does not see: how much of the question a
page covers, whether its words stand near each other and in order, and whether the title is what was asked.
A full match in ordinary places scores about 1, so that pages compare with conversation turns.
"""

# No postponed annotations here: they make each named tuple's fields a compilation at start-up.

import sqlite3
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from memex_core.index.schema import TEXT_COLUMNS, WEIGHTS
from memex_core.recall.weigh import Needle, Weighed

_K1, _B = 1.2, 0.75
_JUDGED_CLOSELY = 30  # candidates whose word positions are compared
_OCCURRENCES = 24  # of a word in a body, at most
_REACH = 60.0  # characters between two words, at which their nearness is worth half


class Weights(NamedTuple):
    """What each signal counts, beside 1 for the share of BM25 (a full match in ordinary places is 1)."""

    cover: float = 0.35  # share of the query's weight found at all
    every: float = 0.25  # all words found
    near: float = 0.20  # words that stand near each other
    order: float = 0.10  # words in the order asked, side by side
    title: float = 0.40  # how much of the title was asked for
    exact: float = 0.05  # spelt as asked (diacritics, hyphens)


WEIGH = Weights()


class Ranked(NamedTuple):
    """A page with its score (higher is better), the parts it is made of, and the needles it holds."""

    id: int
    score: float
    bm25: float
    parts: dict[str, float]
    held: tuple[Needle, ...]
    places: frozenset[str]  # columns in which something was found
    full: bool



def judge(db: sqlite3.Connection, weighed: Weighed, pages: Sequence[int], k: int) -> list[Ranked]:
    """``pages`` scored, best first; of pages without any of the words none."""
    scale = _scale(weighed)
    judged = [_judged(weighed, scale, page, texts) for page, texts in _texts(db, pages)]
    rough = sorted((one for one in judged if one.held), key=lambda one: -one.score)
    close = max(_JUDGED_CLOSELY, k)
    ranked = [_closely(weighed, one) for one in rough[:close]] + rough[close:]
    return sorted(ranked, key=lambda one: -one.score)


class _Draft(NamedTuple):
    pass
