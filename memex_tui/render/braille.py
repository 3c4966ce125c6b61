"""A drawing surface of braille dots: 2 × 4 of them in each cell, one ink per cell.

Where lines cross, the cell takes the stronger ink. Terminals without braille get slanted ASCII.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from math import hypot

_BITS = (0x01, 0x08, 0x02, 0x10, 0x04, 0x20, 0x40, 0x80)  # dot at row * 2 + column of a cell

_FAR = 1 << 16

Dash = tuple[int, int]  # dots drawn, dots left out; (1, 0) is a solid line


class Surface:
    """``width`` × ``height`` cells. Coordinates are cells: (0.5, 0.5) is the middle of the first."""

    def __init__(self, width: int, height: int, *, ascii_only: bool = False) -> None:
        self.width = max(width, 0)
        self.height = max(height, 0)
        self._ascii = ascii_only
        self._dots = bytearray(self.width * self.height)
        self._inks = bytearray(self.width * self.height)

    def line(self, x0: float, y0: float, x1: float, y1: float, ink: int, dash: Dash = (1, 0)) -> None:
        """Draw a line with ``ink`` (1 to 255). What lies outside is clipped before it is drawn."""
        clipped = clip(x0, y0, x1, y1, self.width, self.height)
        if clipped is None:
            return
        ax, ay, bx, by = clipped
        if self._ascii:
            self._slant(ax, ay, bx, by, ink, dash)
            return
        # The pattern starts where the unclipped line does, so it stands still when the view moves.
        phase = int(max(abs(ax - x0) * 2, abs(ay - y0) * 4)) if dash[1] else 0
        left, top = int(ax), int(ay)
        width, height, dots, inks = self.width, self.height, self._dots, self._inks
        for column, row, bits in stroke(ax - left, ay - top, bx - ax, by - ay, dash, phase):
            x, y = left + column, top + row
            if 0 <= x < width and 0 <= y < height:
                cell = y * width + x
                dots[cell] |= bits
                if ink > inks[cell]:
                    inks[cell] = ink

    def _slant(self, x0: float, y0: float, x1: float, y1: float, ink: int, dash: Dash) -> None:
        steps = max(int(max(abs(x1 - x0), abs(y1 - y0))), 1)
        steep, flat = abs(y1 - y0) > 2 * abs(x1 - x0), abs(y1 - y0) * 3 < abs(x1 - x0)
        sign = "|" if steep else "-" if flat else "\\" if (x1 - x0) * (y1 - y0) > 0 else "/"
        for step in range(steps + 1):
            if dash[1] and step % 2:
                continue
            x = int(x0 + (x1 - x0) * step / steps)
            y = int(y0 + (y1 - y0) * step / steps)
            if 0 <= x < self.width and 0 <= y < self.height and ink >= self._inks[y * self.width + x]:
                self._dots[y * self.width + x] = ord(sign)
                self._inks[y * self.width + x] = ink

    def cell(self, x: int, y: int) -> tuple[str, int]:
        """The character and ink of a cell; a blank with ink 0 where nothing was drawn."""
        dots = self._dots[y * self.width + x]
        if not dots:
            return " ", 0
        return chr(dots if self._ascii else 0x2800 + dots), self._inks[y * self.width + x]

    def drawn(self) -> Iterator[tuple[int, int, str, int]]:
        """Column, row, character and ink of every cell that something was drawn in."""
        width, begin = self.width, 0 if self._ascii else 0x2800
        for cell, (dots, ink) in enumerate(zip(self._dots, self._inks, strict=True)):
            if dots:
                yield cell % width, cell // width, chr(begin + dots), ink


@lru_cache(2048)
def stroke(x: float, y: float, dx: float, dy: float, dash: Dash, phase: int) -> list[tuple[int, int, int]]:
    """The cells of a line from ``x``, ``y`` inside the first cell: columns and rows away from it, and dots.

    Kept: when the view moves by whole cells, or only inks change, the same strokes are drawn again.
    """
    px, py = (x + _FAR) * 2, (y + _FAR) * 4  # far from zero, so that cutting off rounds down
    steps = max(int(max(abs(dx * 2), abs(dy * 4))), 1)
    step_x, step_y = dx * 2 / steps, dy * 4 / steps
    on, off = dash
    period = on + off
    cells: dict[tuple[int, int], int] = {}
    for step in range(steps + 1):
        if not off or (phase + step) % period < on:
            at_x, at_y = int(px), int(py)
            cell = at_x >> 1, at_y >> 2
            cells[cell] = cells.get(cell, 0) | _BITS[(at_y & 3) * 2 + (at_x & 1)]
        px += step_x
        py += step_y
    return [(column - _FAR, row - _FAR, bits) for (column, row), bits in cells.items()]


def clip(
    x0: float, y0: float, x1: float, y1: float, width: float, height: float
) -> tuple[float, float, float, float] | None:
    """The part of a line inside ``width`` × ``height`` (Liang and Barsky 1984), or None."""
    dx, dy = x1 - x0, y1 - y0
    begin, end = 0.0, 1.0
    for step, room in ((-dx, x0), (dx, width - x0), (-dy, y0), (dy, height - y0)):
        if step == 0:
            if room < 0:
                return None
            continue
        at = room / step
        if step < 0:
            begin = max(begin, at)
        else:
            end = min(end, at)
        if begin > end:
            return None
    return x0 + dx * begin, y0 + dy * begin, x0 + dx * end, y0 + dy * end


def direction(dx: float, dy: float) -> str:
    """The arrow head for a line that goes by ``dx``, ``dy`` cells (a cell is twice as high as wide)."""
    if hypot(dx, dy) == 0:
        return "•"
    if abs(dx) >= abs(dy) * 2:
        return "▸" if dx > 0 else "◂"
    return "▾" if dy > 0 else "▴"
