"""Hint letters: short labels that are typed to choose one of the things on screen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Generic, TypeVar

ALPHABET = "asdfghjklqwertyuiopzxcvbnm"  # home row first

T = TypeVar("T")


def labels(count: int, alphabet: str = ALPHABET) -> list[str]:
    """``count`` labels of one length (1, 2 or 3 letters), so none begins another."""
    size = 1
    while len(alphabet) ** size < count:
        size += 1
    found: list[str] = []
    for number in range(count):
        letters = []
        for _ in range(size):
            number, digit = divmod(number, len(alphabet))
            letters.append(alphabet[digit])
        found.append("".join(reversed(letters)))
    return found


class Hints(Generic[T]):
    """Labels over some things, and the letters typed so far."""

    def __init__(self, things: Sequence[T]) -> None:
        self.by_label: dict[str, T] = dict(zip(labels(len(things)), things, strict=True))
        self.typed = ""

    def type(self, letter: str) -> T | None:
        """Take one letter; the thing when its label is complete. A wrong letter is ignored."""
        typed = self.typed + letter.lower()
        if typed in self.by_label:
            return self.by_label[typed]
        if any(label.startswith(typed) for label in self.by_label):
            self.typed = typed
        return None

    def shown(self) -> list[tuple[str, T]]:
        """The labels still possible, each without the letters already typed."""
        size = len(self.typed)
        return [
            (label[size:], thing) for label, thing in self.by_label.items() if label.startswith(self.typed)
        ]
