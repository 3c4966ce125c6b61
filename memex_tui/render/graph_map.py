"""The map of a neighbourhood: braille edges, readable titles, never a dot through a title."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import atan2, pi

from memex_core.model.graph_export import Edge, Graph, known_edges, relation
from memex_tui.render.braille import Surface, direction
from memex_tui.render.graph_layout import Spot
from memex_tui.render.graph_look import Look
from memex_tui.render.line import Names
from memex_tui.render.picture import Box, Grid, Picture
from memex_tui.render.text import width

Points = dict[str, tuple[float, float]]

_FAINT, _PLAIN, _TYPED, _NEAR, _NEAR_TYPED = 1, 2, 3, 7, 8  # inks, the stronger the higher


def draw_map(
    graph: Graph,
    look: Look,
    found: Sequence[Spot],
    points: Points,
    columns: int,
    rows: int,
    selected: str,
) -> Picture:
    """Draw nodes at their spots and edges between them. ``points`` are cells, also of nodes out of sight."""
    if columns < 1 or rows < 1:
        return Picture([], [])
    grid = Grid(columns, rows)
    surface = Surface(columns, rows, ascii_only=look.ascii_only)
    ends = {node: (x, y) for node, (x, y) in points.items()}
    ends.update({spot.node.id: (spot.x + 0.5, spot.y + 0.5) for spot in found})
    ghosts = {node.id for node in graph.nodes if node.ghost}
    edges = [edge for edge in known_edges(graph) if edge.src in ends and edge.dst in ends]
    for edge in edges:
        ink = _ink(edge, look, selected, ghosts)
        x0, y0, x1, y1 = *ends[edge.src], *ends[edge.dst]
        surface.line(x0, y0, x1, y1, ink, look.dash(edge, edge.dst in ghosts))
    for spot in found:
        _write(grid, graph, look, spot, selected)
    shown = Counter(end for edge in edges for end in {edge.src, edge.dst})
    for spot in found:
        _more(grid, graph, spot, shown[spot.node.id])
    near = [edge for edge in edges if selected in (edge.src, edge.dst)]
    for edge in near:
        _relation(grid, edge, look, ends)
    for edge in near:
        _arrow(grid, edge, look, ends)
    _count(grid, graph.omitted)
    _lines(grid, surface, look)
    boxes = [Box(spot.node.id, spot.x0, spot.x1, spot.y, spot.x) for spot in found]
    return Picture(grid.lines(), boxes)


def _ink(edge: Edge, look: Look, selected: str, ghosts: set[str]) -> int:
    rel = relation(edge)
    if selected in (edge.src, edge.dst):
        return _NEAR_TYPED + look.relations.index(rel) % 4 if rel else _NEAR
    if edge.dst in ghosts or edge.src in ghosts:
        return _FAINT
    return _TYPED + look.relations.index(rel) % 4 if rel else _PLAIN


def _ink_names(ink: int) -> Names:
    if ink >= _NEAR_TYPED:
        return (f"graph--rel{ink - _NEAR_TYPED}-near",)
    if ink == _NEAR:
        return ("graph--edge-near",)
    if ink >= _TYPED:
        return (f"graph--rel{ink - _TYPED}",)
    return ("graph--edge",) if ink == _PLAIN else ("graph--faint",)


def _lines(grid: Grid, surface: Surface, look: Look) -> None:
    """Put the dots where nothing is written."""
    names = [_ink_names(ink) for ink in range(_NEAR_TYPED + 4)]
    for x, y, char, ink in surface.drawn():
        grid.fill(x, y, char, names[ink])


def _write(grid: Grid, graph: Graph, look: Look, spot: Spot, selected: str) -> None:
    """Write the sign and the title."""
    node = spot.node
    chosen: Names = ("graph--selected",) if node.id == selected else ()
    focus = node.id == graph.focus
    grid.put(spot.x, spot.y, look.shape(node, focus=focus), look.names(node) + chosen)
    grid.hold(spot.x0 - 1, spot.x1 + 1, spot.y)
    if spot.label:
        name = "graph--ghost" if node.ghost else "graph--focus" if focus else "graph--label"
        x = spot.x0 if spot.left else spot.x + 2
        grid.put(x, spot.y, spot.label, (name, *chosen))
        if chosen:
            grid.put(spot.x - 1 if spot.left else spot.x + 1, spot.y, " ", (name, *chosen))


def _more(grid: Grid, graph: Graph, spot: Spot, shown: int) -> None:
    """How many links of a node lead out of the picture, beside its title."""
    node = spot.node
    more = node.degree - shown
    if more <= 0 or not spot.label or node.id == graph.focus:
        return
    text = f"+{more}"
    x = spot.x0 - 1 - len(text) if spot.left else spot.x1 + 1
    if grid.free(x, x + len(text), spot.y):
        grid.put(x, spot.y, text, ("graph--count",))


def _arrow(grid: Grid, edge: Edge, look: Look, ends: Points) -> None:
    """An arrow head on the edge, where the titles leave room."""
    (x0, y0), (x1, y1) = ends[edge.src], ends[edge.dst]
    dx, dy = x0 - x1, y0 - y1
    length = max(abs(dx), abs(dy) * 2)
    if length < 3:
        return
    sign = direction(-dx, -dy)
    if look.ascii_only:
        sign = {"▸": ">", "◂": "<", "▾": "v", "▴": "^"}.get(sign, sign)
    names = _ink_names(_ink(edge, look, edge.src, set()))
    # Not at the very end: where many edges meet, the heads would lie on each other.
    for step in range(max(2, int(length * 0.3)), int(length) - 1):
        x, y = int(x1 + dx * step / length), int(y1 + dy * step / length)
        if grid.free(x, x + 1, y):
            grid.put(x, y, sign, names)
            return


def _relation(grid: Grid, edge: Edge, look: Look, ends: Points) -> None:
    """The relation's name on the edge, where it fits."""
    rel = relation(edge)
    if not rel:
        return
    (x0, y0), (x1, y1) = ends[edge.src], ends[edge.dst]
    size = width(rel)
    for share in (0.5, 0.4, 0.6, 0.3, 0.7):
        x = int(x0 + (x1 - x0) * share) - size // 2
        y = int(y0 + (y1 - y0) * share)
        if grid.free(x - 1, x + size + 1, y):
            grid.put(x, y, rel, look.relation_names(rel, near=True))
            return


def _count(grid: Grid, omitted: int) -> None:
    """How many nodes did not fit, in the corner."""
    text = f" +{omitted} more "
    x = grid.columns - width(text)
    if omitted and grid.free(x, grid.columns, grid.rows - 1):
        grid.put(x, grid.rows - 1, text, ("graph--count",))


def nearest(
    graph: Graph, boxes: Sequence[Box], places: Points, selected: str, dx: int, dy: int
) -> str | None:
    """The node that an arrow key leads to: the nearest linked one in that direction, otherwise the
    nearest of all; None at the edge. ``places`` are the cells of the signs."""
    if selected not in places:
        return boxes[0].id if boxes else None
    linked = {edge.dst for edge in graph.edges if edge.src == selected}
    linked |= {edge.src for edge in graph.edges if edge.dst == selected}
    x0, y0 = places[selected]
    best: tuple[float, str] | None = None
    for box in boxes:
        if box.id == selected or box.id not in places:
            continue
        x, y = (places[box.id][0] - x0) * 0.5, places[box.id][1] - y0
        angle = abs(atan2(x * dy - y * dx, x * dx + y * dy))
        is_linked = box.id in linked
        if angle > (pi * 0.3 if is_linked else pi * 0.25) or (x == 0 and y == 0):
            continue
        score = (x * x + y * y) ** 0.5 * (1 + 2 * angle) + (0 if is_linked else 1000)
        if best is None or (score, box.id) < best:
            best = score, box.id
    return best[1] if best else None
