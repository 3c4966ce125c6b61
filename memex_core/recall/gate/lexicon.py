"""Whether a prompt consists of nothing but words that acknowledge or say to go on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from memex_core.recall.gate.intents import LEXICONS
from memex_core.recall.gate.tokens import even, is_han

_MOST = 12  # words; a longer prompt says more than that
_LONGEST = 5  # characters of a Chinese entry


class Lexicon:
    """Words of the three lists, each with the id of the rule that it stands for."""

    __slots__ = ("_kind",)

    def __init__(self) -> None:
        self._kind: dict[str, tuple[str, str]] = {}

    def add(self, kind: str, id: str, words: Sequence[str]) -> None:
        """``kind`` is one of ``ack``, ``continue`` and ``filler``; a word added later wins."""
        for word in words:
            self._kind[even(word).casefold()] = (kind, id)

    def drop(self, kind: str, words: Sequence[str]) -> None:
        for word in words:
            word = even(word).casefold()
            if self._kind.get(word, ("",))[0] == kind:
                del self._kind[word]

    def sizes(self) -> Mapping[str, int]:
        """List -> number of its words."""
        return {name: sum(kind == name for kind, _ in self._kind.values()) for name in LEXICONS}

    def reads(self, words: Sequence[str]) -> tuple[str, str]:
        """``(intent, rule id)`` of a prompt of these words; empty texts for one that says more.

        Any word of going on makes a continuation; fillers alone are an acknowledgement.
        """
        if not words or len(words) > _MOST:
            return "", ""
        found: list[tuple[str, str]] = []
        for word in words:
            parts = self._parts(word)
            if not parts:
                return "", ""
            found += parts
        for kind in ("continue", "ack", "filler"):
            for one, id in found:
                if one == kind:
                    return ("continue" if kind == "continue" else "ack"), id
        return "", ""

    def _parts(self, word: str) -> list[tuple[str, str]]:
        """What a word is made of; a Chinese run is taken apart from the left, longest entry first."""
        known = self._kind.get(word) or self._kind.get(word.strip("_"))
        if known:
            return [known]
        if not is_han(word) or len(word) > _MOST * 2:
            return []
        found, at = [], 0
        while at < len(word):
            for size in range(min(_LONGEST, len(word) - at), 0, -1):
                entry = self._kind.get(word[at : at + size])
                if entry:
                    found.append(entry)
                    at += size
                    break
            else:
                return []
        return found
