"""Where the lines of a text are in another version of it: what keeps a reader's place."""

from __future__ import annotations

from collections.abc import Sequence

NEAR = 200  # lines looked at around one that is gone


class Moved:
    """Maps line numbers of ``old`` to ``new``; both begin at a number of their own.

    Equal beginnings and ends map exactly. In between, a line goes with the nearest line that
    stands once in both versions; without one it stays where the change begins.
    """

    def __init__(self, old: Sequence[str], new: Sequence[str], old_first: int, new_first: int) -> None:
        self._old_first, self._new_first = old_first, new_first
        self._start = common(old, new)
        rest = min(len(old), len(new)) - self._start
        tail = min(common(old[self._start :][::-1], new[self._start :][::-1]), rest)
        self._old = old[self._start : len(old) - tail]
        self._new = new[self._start : len(new) - tail]
        self._places: tuple[dict[str, int], dict[str, int]] | None = None

    def __call__(self, line: int) -> int:
        index = line - self._old_first
        if index < 0:
            return line
        if index < self._start:
            return index + self._new_first
        inside = index - self._start
        if inside >= len(self._old):
            return index + len(self._new) - len(self._old) + self._new_first
        return self._start + self._nearest(inside) + self._new_first

    def _nearest(self, inside: int) -> int:
        """The place in the changed part for a line of it."""
        if self._places is None:
            self._places = _once(self._old), _once(self._new)
        old, new = self._places
        for distance in range(NEAR):
            for at in (inside + distance, inside - distance):
                if 0 <= at < len(self._old) and self._old[at] in old and self._old[at] in new:
                    return max(new[self._old[at]] + inside - at, 0)
        return min(inside, max(len(self._new) - 1, 0))


def _once(lines: Sequence[str]) -> dict[str, int]:
    """The lines that stand only once, with their index."""
    found: dict[str, int] = {}
    for index, line in enumerate(lines):
        if line.strip():
            found[line] = -1 if line in found else index
    return {line: index for line, index in found.items() if index >= 0}


def common(old: Sequence[str], new: Sequence[str]) -> int:
    """How many lines two lists begin with in common."""
    size = min(len(old), len(new))
    if old[:size] == new[:size]:
        return size
    low, high = 0, size  # the first difference lies in [low, high)
    while high - low > 1:
        middle = (low + high) // 2
        if old[low:middle] == new[low:middle]:
            low = middle
        else:
            high = middle
    return low
