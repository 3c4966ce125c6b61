"""What a drawing of a graph gives back: its lines, and where its nodes are on them."""

from __future__ import annotations

from typing import NamedTuple

from memex_tui.render.line import Line, Names
from memex_tui.render.text import clusters


class Box(NamedTuple):
    """The cells ``x0`` to ``x1`` of one node on a picture, its sign in cell ``x``.

    ``lane`` tells its places apart when it has several.
    """

    id: str
    x0: int
    x1: int
    y: int
    x: int
    lane: str = ""


class Picture(NamedTuple):
    """Finished lines (all of the asked width) and the boxes of the nodes on them."""

    lines: list[Line]
    boxes: list[Box]

    def at(self, x: int, y: int) -> Box | None:
        """The node at a cell; None when there is none."""
        for box in self.boxes:
            if box.y == y and box.x0 <= x < box.x1:
                return box
        return None


class Grid:
    """Cells that are written in any order and read as lines."""

    def __init__(self, columns: int, rows: int) -> None:
        self.columns = columns
        self.rows = rows
        self._chars = [[" "] * columns for _ in range(rows)]
        self._names: list[list[Names]] = [[()] * columns for _ in range(rows)]
        self._held = [bytearray(columns) for _ in range(rows)]

    def put(self, x: int, y: int, text: str, names: Names, *, hold: bool = True) -> int:
        """Write printable text from cell ``x`` on, cut at the edges; gives the end. Held cells are taken."""
        if not 0 <= y < self.rows:
            return x
        chars, styles, held = self._chars[y], self._names[y], self._held[y]
        for cluster, size in clusters(text):
            if x >= 0 and x + size <= self.columns and size:
                chars[x] = cluster
                styles[x] = names
                held[x] = held[x] or hold
                if size == 2:
                    chars[x + 1] = ""
                    styles[x + 1] = names
                    held[x + 1] = held[x + 1] or hold
            x += size
        return x

    def fill(self, x: int, y: int, char: str, names: Names) -> None:
        """Put a character of one cell where nothing is held. The cell must be on the canvas."""
        if not self._held[y][x]:
            self._chars[y][x] = char
            self._names[y][x] = names

    def hold(self, x0: int, x1: int, y: int) -> None:
        """Keep cells as they are (blank): nothing may be drawn there later."""
        if 0 <= y < self.rows:
            for x in range(max(x0, 0), min(x1, self.columns)):
                self._held[y][x] = 1

    def free(self, x0: int, x1: int, y: int) -> bool:
        """Whether no held cell lies in ``x0`` to ``x1`` and all of it is on the canvas."""
        return 0 <= y < self.rows and x0 >= 0 and x1 <= self.columns and not any(self._held[y][x0:x1])

    def lines(self) -> list[Line]:
        """The canvas as lines of runs."""
        return [_line(chars, names) for chars, names in zip(self._chars, self._names, strict=True)]


def _line(chars: list[str], names: list[Names]) -> Line:
    line: Line = []
    start = 0
    for x in range(1, len(chars) + 1):
        if x == len(chars) or names[x] != names[start]:
            line.append(("".join(chars[start:x]), names[start]))
            start = x
    return line if chars else []
