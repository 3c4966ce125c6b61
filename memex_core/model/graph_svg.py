"""The graph as a drawing of its own, not a screenshot: it scales, and follows light and dark."""

from __future__ import annotations

from html import escape
from math import hypot

from memex_core.model.graph_export import Graph, Node, known_edges, relation, ring_points, title_of

_COLOURS = ("#3b82c4", "#c2762b", "#3f9a5f", "#a055b8", "#b84a5a", "#5f7f8f", "#8a8a2e", "#2f9a9a")
_LONGEST = 32  # characters of a title
_LINE = 14.0  # pixels between labels
_CHARACTER = 7.2  # pixels, about
_CELL = 240.0  # pixels of width, as the longest label: none lies in more than two
_STYLE = """
    text { font: 13px system-ui, sans-serif; fill: #222 }
    .halo { fill: none; stroke: #fff; stroke-width: 4px; stroke-linejoin: round }
    .edge { stroke: #9aa4ae; stroke-width: 1.2; fill: none }
    .typed { stroke-dasharray: 6 3 }
    .ghost { fill: none; stroke: #9aa4ae; stroke-dasharray: 3 2 }
    text.rel { font-size: 10px }
    text.rel:not(.halo) { fill: #66707a }
    .focus { font-weight: 600 }
    @media (prefers-color-scheme: dark) {
        svg { background: #16181b }
        text { fill: #e6e6e6 }
        .halo { stroke: #16181b }
        .edge { stroke: #4b545e }
        text.rel:not(.halo) { fill: #98a2ac }
    }
"""


def svg(graph: Graph) -> str:
    """Draw the graph on rings around its focus; pixels, origin in the middle."""
    points = ring_points(graph, 170.0, 30.0)
    reach_x = max((abs(x) for x, _ in points.values()), default=0) + 240
    reach_y = max((abs(y) for _, y in points.values()), default=0) + 50
    kinds = sorted({node.kind for node in graph.nodes})
    colours = {kind: _COLOURS[index % len(_COLOURS)] for index, kind in enumerate(kinds)}
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{-reach_x:.0f} {-reach_y:.0f} '
        f'{2 * reach_x:.0f} {2 * reach_y:.0f}" role="img">',
        f"<style>{_STYLE}</style>",
        '<defs><marker id="arrow" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="7" markerHeight="7" '
        'orient="auto"><path d="M0 1 L8 4 L0 7 z" fill="#9aa4ae"/></marker></defs>',
    ]
    sizes = {node.id: _radius(node, graph.focus) for node in graph.nodes}
    for edge in known_edges(graph):
        parts += _line(points[edge.src], points[edge.dst], sizes[edge.dst], relation(edge))
    labels = _Labels()
    for node in graph.nodes:
        parts += _dot(
            node, points[node.id], sizes[node.id], colours[node.kind], node.id == graph.focus, labels
        )
    return "\n".join([*parts, "</svg>"]) + "\n"


class _Labels:
    """The boxes of labels so far, in cells, so that a new one keeps off them without asking them all."""

    def __init__(self) -> None:
        self._cells: dict[tuple[int, int], list[tuple[float, float, float]]] = {}

    def free(self, left: float, right: float, y: float) -> float:
        """The y nearest to ``y`` at which a label from ``left`` to ``right`` overlaps none."""
        columns = range(int(left // _CELL), int(right // _CELL) + 1)
        for step in (0, 1, -1, 2, -2, 3, -3):
            place = y + step * _LINE
            band = int(place // _LINE)
            cells = ((at, column) for at in (band - 1, band, band + 1) for column in columns)
            near = (box for cell in cells for box in self._cells.get(cell, ()))
            if not any(abs(place - b) < _LINE - 1 and left < c and a < right for a, c, b in near):
                break
        else:
            place = y
        for column in columns:
            self._cells.setdefault((int(place // _LINE), column), []).append((left, right, place))
        return place


def _radius(node: Node, focus: str) -> float:
    return 9.0 if node.id == focus else 4.0 + min(node.degree, 16) * 0.25


def _line(start: tuple[float, float], end: tuple[float, float], size: float, rel: str) -> list[str]:
    (x0, y0), (x1, y1) = start, end
    length = hypot(x1 - x0, y1 - y0)
    if length < 1:
        return []
    cut = (length - size - 3) / length
    x, y = x0 + (x1 - x0) * cut, y0 + (y1 - y0) * cut
    ends = f'x1="{x0:.1f}" y1="{y0:.1f}" x2="{x:.1f}" y2="{y:.1f}"'
    parts = [f'<line class="{"edge typed" if rel else "edge"}" {ends} marker-end="url(#arrow)"/>']
    if rel:
        parts += _text(rel, "rel", (x0 + x1) / 2, (y0 + y1) / 2 - 3, "middle")
    return parts


def _text(text: str, name: str, x: float, y: float, anchor: str) -> list[str]:
    """A text over a halo that keeps lines away from it."""
    place = f'x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(text)}</text>'
    return [f'<text class="halo {name}" {place}', f'<text class="{name}" {place}']


def _dot(
    node: Node, point: tuple[float, float], size: float, colour: str, focus: bool, labels: _Labels
) -> list[str]:
    x, y = point
    title = title_of(node)
    shown = title if len(title) <= _LONGEST else title[: _LONGEST - 1].rstrip() + "…"
    left = x < -1
    style = ' class="ghost"' if node.ghost else f' fill="{colour}"'
    side = -size - 5 if left else size + 5
    length = len(shown) * _CHARACTER
    begin = x + side - (length if left else 0)
    at = labels.free(begin, begin + length, y)
    return [
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{size:.1f}"{style}><title>{escape(title)}</title></circle>',
        *_text(shown, "focus" if focus else "page", x + side, at + 4, "end" if left else "start"),
    ]
