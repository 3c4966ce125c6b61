"""Ordering short lists (commands, themes, settings) by how well they fit what is typed."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TypeVar

T = TypeVar("T")


def score(typed: str, title: str, more: str = "") -> float:
    """How well a thing called ``title`` fits; 0: not at all.

    Every typed word must be there: at the beginning of the title best, then at the beginning of a
    word, inside one, in ``more``; at last as letters in order.
    """
    words = typed.casefold().split()
    if not words:
        return 1.0
    title, more = title.casefold(), more.casefold()
    total = 0.0
    for word in words:
        if title.startswith(word):
            total += 8
        elif re.search(rf"\b{re.escape(word)}", title):
            total += 6
        elif word in title:
            total += 4
        elif re.search(rf"\b{re.escape(word)}", more):
            total += 2
        elif _in_order(word, title):
            total += 1
        else:
            return 0.0
    return total / len(words)


def _in_order(letters: str, text: str) -> bool:
    at = 0
    for letter in letters:
        at = text.find(letter, at) + 1
        if at == 0:
            return False
    return True


def rank(typed: str, things: Sequence[T], names: Callable[[T], tuple[str, str]]) -> list[T]:
    """The things that fit, the best first; equal ones keep their order. ``names`` gives title and more."""
    scored = [(score(typed, *names(thing)), thing) for thing in things]
    return [thing for _, thing in sorted((pair for pair in scored if pair[0]), key=lambda pair: -pair[0])]
