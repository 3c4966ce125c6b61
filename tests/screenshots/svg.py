"""A screen as SVG: cells on a grid, so that frames and braille join whatever font is at hand.

Textual's own export loads its font from the network and leaves gaps between rows; a picture in a README
may load nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from typing import Any, NamedTuple

from rich.color import ColorType
from rich.segment import Segment
from rich.style import Style
from rich.terminal_theme import DIMMED_MONOKAI
from textual.app import App

from memex_tui.render.text import width

CELL_WIDTH, CELL_HEIGHT, FONT_SIZE, BASELINE = 9.6, 18.0, 16, 14.2
MARGIN = 12
FONTS = "'DejaVu Sans Mono', Menlo, Consolas, monospace"
FALLBACK = DIMMED_MONOKAI
# Letters that come from one font together; a run of each is stretched to its cells by itself.
_KINDS = re.compile(
    r"[\u2800-\u28ff]+|[\u2500-\u259f]+|[\u25a0-\u27ff]|[^\x00-\u24ff\u2500-\u28ff]+|[\x00-\u24ff]+"
)


class Run(NamedTuple):
    """Letters of one look that begin at column ``x`` and take ``cells`` columns."""

    x: int
    cells: int
    text: str
    look: str


def svg(app: App[Any], title: str) -> str:
    """The screen as it would be drawn now. ``title`` is what readers of screens are told."""
    columns, rows = app.size
    ground = app.screen.styles.background.rgb
    back = "#{:02x}{:02x}{:02x}".format(*ground)
    wide, high = columns * CELL_WIDTH + 2 * MARGIN, rows * CELL_HEIGHT + 2 * MARGIN
    looks: dict[str, str] = {}
    boxes: list[str] = []
    texts: list[str] = []
    for y, segments in enumerate(_rows(app)):
        for x, cells, colour in _grounds(segments):
            if colour != back:
                at = f'x="{x * CELL_WIDTH:.4g}" y="{y * CELL_HEIGHT:.4g}" width="{cells * CELL_WIDTH:.4g}"'
                boxes.append(f'<rect {at} height="{CELL_HEIGHT + 0.2:.4g}" fill="{colour}"/>')
        for run in _runs(segments):
            name = looks.setdefault(run.look, f"l{len(looks)}")
            at = f'x="{run.x * CELL_WIDTH:.5g}" y="{y * CELL_HEIGHT + BASELINE:.5g}"'
            length = f'textLength="{run.cells * CELL_WIDTH:.5g}"'
            texts.append(f'<text class="{name}" {at} {length}>{escape(run.text, quote=False)}</text>')
    styles = "".join(f".{name}{{{look}}}" for look, name in looks.items())
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide:.5g} {high:.5g}" role="img">',
            f"<title>{escape(title)}</title>",
            f"<style>text{{font-family:{FONTS};font-size:{FONT_SIZE}px}}{styles}</style>",
            f'<rect width="{wide:.5g}" height="{high:.5g}" rx="8" fill="{back}"/>',
            f'<g transform="translate({MARGIN} {MARGIN})">',
            *boxes,
            *texts,
            "</g>",
            "</svg>",
            "",
        ]
    )


def _rows(app: App[Any]) -> Sequence[Sequence[Segment]]:
    # The compositor is private; as in the text frames there is no other way to a whole screen.
    screen = app.screen
    update: Any = screen._compositor.render_update(full=True, screen_stack=app._background_screens)
    return [[segment for strip in strips for segment in strip] for strips in update.strips]


def _grounds(segments: Iterable[Segment]) -> Iterator[tuple[int, int, str]]:
    """(column, columns, colour) of neighbouring cells with one background."""
    x = start = 0
    present = ""
    for segment in segments:
        colour = _colours(segment.style or Style())[1]
        if colour != present:
            if x > start:
                yield start, x - start, present
            start, present = x, colour
        x += width(segment.text)
    if x > start:
        yield start, x - start, present


def _runs(segments: Iterable[Segment]) -> Iterator[Run]:
    x = 0
    for segment in segments:
        look = _look(segment.style or Style())
        lined = "text-decoration" in look  # the line goes under blanks too
        for piece in [segment.text] if lined else re.split(r"(\s{2,})", segment.text):
            at = x
            x += width(piece)
            for found in _KINDS.finditer(piece):
                text = found[0].replace(" ", "\xa0") if lined else found[0].strip()
                blanks = 0 if lined else len(found[0]) - len(found[0].lstrip())
                if text:
                    yield Run(at + blanks, width(text), text, look)
                at += width(found[0])


def _look(style: Style) -> str:
    fore, _ = _colours(style)
    parts = [f"fill:{fore}"]
    if style.bold:
        parts.append("font-weight:bold")
    if style.italic:
        parts.append("font-style:italic")
    lines = [word for word, on in (("underline", style.underline), ("line-through", style.strike)) if on]
    if lines:
        parts.append(f"text-decoration:{' '.join(lines)}")
    return ";".join(parts)


def _colours(style: Style) -> tuple[str, str]:
    fore = _hex(style.color, True)
    back = _hex(style.bgcolor, False)
    if style.reverse:
        fore, back = back, fore
    if style.dim:
        pair = [[int(one[at : at + 2], 16) for at in (1, 3, 5)] for one in (fore, back)]
        mixed = [round(a * 0.6 + b * 0.4) for a, b in zip(*pair, strict=True)]
        fore = "#{:02x}{:02x}{:02x}".format(*mixed)
    return fore, back


def _hex(colour: Any, fore: bool) -> str:
    if colour is None or colour.type is ColorType.DEFAULT:
        triplet = FALLBACK.foreground_color if fore else FALLBACK.background_color
        return str(triplet.hex)
    return str(colour.get_truecolor(FALLBACK, fore).hex)
