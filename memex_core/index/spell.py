"""Spelling repair: the known words one slip away from a word that no page holds.

One slip is a letter too many, missing, wrong, or swapped with its neighbour (Damerau's distance 1).
The first letter is taken as right: that is nearly always so, and keeps the candidates few.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

SHORTEST = 4
"""Letters a word must have: shorter ones are one slip away from too much."""

_LONGEST = 32
_LATIN = "abcdefghijklmnopqrstuvwxyz"
_ALPHABETS = (_LATIN, "абвгдежзийклмнопрстуфхцчшщъыьэюя", "αβγδεζηθικλμνξοπρστυφχψω")

Lookup = Callable[[Sequence[str]], Mapping[str, int]]
"""Given spellings, those that the vocabulary has with the number of documents that hold them."""


def edits(word: str) -> list[str]:
    """Every spelling one slip away from ``word`` (folded) that begins with the same letter."""
    letters = next((one for one in _ALPHABETS if set(word) <= set(one)), "")
    if not letters or not SHORTEST <= len(word) <= _LONGEST:
        return []
    found: dict[str, None] = {}
    for i in range(1, len(word) + 1):
        head, tail = word[:i], word[i:]
        if tail:
            found[head + tail[1:]] = None
            found.update(dict.fromkeys(head + letter + tail[1:] for letter in letters))
        if len(tail) > 1:
            found[head + tail[1] + tail[0] + tail[2:]] = None
        found.update(dict.fromkeys(head + letter + tail for letter in letters))
    found.pop(word, None)
    return list(found)


def candidates(word: str, lookup: Lookup) -> list[tuple[str, int]]:
    """(spelling, documents) of the vocabulary's words one slip away, the commonest first."""
    near = edits(word)
    known = lookup(near) if near else {}
    return sorted(((one, df) for one, df in known.items() if df > 0), key=lambda pair: (-pair[1], pair[0]))
