"""Where brackets and code spans of a text close; found once, on first use."""

from __future__ import annotations

import re
from bisect import bisect_left

_BRACKETS = re.compile(r"\\.|`+|[\[\]]", re.DOTALL)


class Places:
    """Answers in constant or logarithmic time what would be a scan to the end of the text each time."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._ticks: dict[int, list[int]] | None = None
        self._pairs: dict[int, int] | None = None

    def tick_size(self, at: int) -> int:
        """Number of backticks that stand at ``at``."""
        end = at
        while end < len(self._text) and self._text[end] == "`":
            end += 1
        return end - at

    def closing_tick(self, at: int, size: int) -> int:
        """Where the next run of exactly ``size`` backticks stands after the one at ``at``, or -1."""
        if self._ticks is None:
            self._ticks = {}
            for run in re.finditer("`+", self._text):
                self._ticks.setdefault(len(run[0]), []).append(run.start())
        places = self._ticks.get(size, [])
        index = bisect_left(places, at + size)
        return places[index] if index < len(places) else -1

    def partner(self, at: int) -> int:
        """The place of the bracket that closes the one at ``at``, or -1."""
        if self._pairs is None:
            self._pairs = self._pair_brackets()
        return self._pairs.get(at, -1)

    def _pair_brackets(self) -> dict[int, int]:
        pairs: dict[int, int] = {}
        stack: list[int] = []
        after = 0
        for match in _BRACKETS.finditer(self._text):
            token, place = match[0], match.start()
            if place < after or token[0] == "\\":
                continue
            if token[0] == "`":
                close = self.closing_tick(place, len(token))
                after = close + len(token) if close >= 0 else after
            elif token == "[":
                stack.append(place)
            elif stack:
                pairs[stack.pop()] = place
        return pairs
