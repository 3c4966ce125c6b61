"""A drawing surface of braille dots: 2 × 4 of them in each cell, one ink per cell.

Where lines cross, the cell takes the stronger ink. Terminals without braille get slanted ASCII.
"""

from __future__ import annotations

from math import hypot

_BITS = (0x01, 0x08, 0x02, 0x10, 0x04, 0x20, 0x40, 0x80)  # dot at row * 2 + column of a cell

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
        px, py, qx, qy = ax * 2, ay * 4, bx * 2, by * 4
        steps = max(int(max(abs(qx - px), abs(qy - py))), 1)
        dx, dy = (qx - px) / steps, (qy - py) / steps
        on, off = dash
        period = on + off
        # The pattern starts where the unclipped line does, so it stands still when the view moves.
        phase = int(max(abs(ax - x0) * 2, abs(ay - y0) * 4)) if off else 0
        width, last_x, last_y = self.width, self.width * 2 - 1, self.height * 4 - 1
        dots, inks, bits = self._dots, self._inks, _BITS
        for step in range(steps + 1):
            if not off or (phase + step) % period < on:
                x, y = int(px), int(py)
                if 0 <= x <= last_x and 0 <= y <= last_y:
                    cell = (y >> 2) * width + (x >> 1)
                    dots[cell] |= bits[(y & 3) * 2 + (x & 1)]
                    if ink > inks[cell]:
                        inks[cell] = ink
            px += dx
            py += dy

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
        char = chr(dots) if self._ascii else chr(0x2800 + dots)
        return char, self._inks[y * self.width + x]


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
