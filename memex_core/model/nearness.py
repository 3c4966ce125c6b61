"""How near a name that somebody wrote is to the name of a page: whether one may be a slip for the other."""

from __future__ import annotations

import re

from memex_core.model.slug import fold

NEAR = 0.7
"""From this on a page is worth naming; below it two names have little in common."""

_SHORT = 4  # letters up to which one slip is all that is forgiven
_PART = 0.75  # of a name of whose words only some were written
_ALMOST = 0.96  # what the same words count where the letters are not the same
_LONGEST = 64  # letters that are compared
_WORDS = re.compile(r"[^\W_]+")


def nearness(written: str, name: str) -> float:
    """0 to 1. Names are near when few letters differ, or when their words are the same: words that share
    no more than an ending are not. Numbers are never slips: another year is another page."""
    here, there = (_WORDS.findall(fold(text)) for text in (written, name))
    one, other = "".join(here)[:_LONGEST], "".join(there)[:_LONGEST]
    if not one or not other:
        return 1.0 if fold(written).strip() == fold(name).strip() != "" else 0.0
    if one == other:
        return 1.0
    return max(_by_letters(one, other), _ALMOST * _by_words(here, there))


def _by_letters(one: str, other: str) -> float:
    longer = max(len(one), len(other))
    slips = distance(one, other)
    if re.findall(r"\d", one) != re.findall(r"\d", other) or slips > (1 if longer <= _SHORT else longer // 3):
        return 0.0
    return 1 - slips / longer


def _by_words(here: list[str], there: list[str]) -> float:
    """By the letters in words that both have; the same words in another order are as good as the same."""
    left = list(there)
    shared = found = 0
    for word in here:
        twin = next((one for one in left if _same(word, one)), None)
        if twin is not None:
            left.remove(twin)
            shared += len(word)
            found += len(twin)
    mine, theirs = shared / sum(map(len, here)), found / sum(map(len, there))
    if mine < 1:
        return 2 * mine * theirs / (mine + theirs) if shared else 0.0
    return max(2 * theirs / (1 + theirs), _PART if shared > 2 or not here[0].isascii() else 0.0)


def _same(one: str, other: str) -> bool:
    """Whether two words are one: equal, with another ending, or a slip apart."""
    if one == other:
        return True
    shorter = min(len(one), len(other))
    if shorter <= _SHORT - 1 or any(char.isdigit() for char in one + other):
        return False
    return distance(one, other) <= (2 if shorter > 2 * _SHORT else 1)


def distance(one: str, other: str) -> int:
    """Letters that were put in, left out, mistaken or swapped with the next."""
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, letter in enumerate(one, 1):
        before, above, row = row, before, [i]
        for j, there in enumerate(other, 1):
            cost = min(before[j] + 1, row[-1] + 1, before[j - 1] + (letter != there))
            if i > 1 and j > 1 and letter == other[j - 2] and one[i - 2] == there:
                cost = min(cost, above[j - 2] + 1)
            row.append(cost)
    return row[-1]
