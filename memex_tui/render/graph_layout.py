"""Where the nodes of a neighbourhood stand on a canvas of cells, so that their titles can be read.

Rings around the focus give the start; a few rounds of springs pull linked pages together and keep
the boxes of titles apart; at last every box moves to the nearest free cells. Deterministic, and
warm-started from the places of an earlier layout, so that the picture does not jump.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import sqrt
from typing import NamedTuple

from memex_core.model.graph_export import Graph, Node, title_of
from memex_core.model.graph_rings import neighbours, rings
from memex_tui.render.text import cut, printable, width

ROUNDS = 48
LONGEST_EDGE = 8.0  # rows; a few nodes stay together on a large canvas
EVEN = 0.7  # how far rows are handed out evenly
SHORTEST = 6  # cells of a title worth showing
LONGEST = 26


class Spot(NamedTuple):
    """A node on the canvas: the cell of its sign, its label, and whether that stands to the left."""

    node: Node
    x: int
    y: int
    label: str
    left: bool

    @property
    def x0(self) -> int:
        """First cell of sign and label."""
        return self.x - width(self.label) - 1 if self.left and self.label else self.x

    @property
    def x1(self) -> int:
        """End of sign and label."""
        return self.x + 1 if self.left or not self.label else self.x + 2 + width(self.label)


def importance(graph: Graph, node: Node) -> tuple[int, int, int, str]:
    """Sort key: focus first, then near ones, well linked ones, and real pages before ghosts."""
    return (0 if node.id == graph.focus else 1, node.distance, -node.degree + 1000 * node.ghost, node.id)


def label_cells(count: int, columns: int, rows: int) -> int:
    """How long titles may be so that ``count`` of them leave the canvas some air."""
    share = columns * max(rows, 1) * 0.30 / max(count, 1) - 3
    return max(min(int(share), LONGEST, columns // 3), SHORTEST + 2)


def place(
    graph: Graph, columns: int, rows: int, previous: Mapping[str, tuple[float, float]] | None = None
) -> dict[str, tuple[float, float]]:
    """Points for all nodes in cells, inside ``columns`` × ``rows``."""
    ids = [node.id for node in graph.nodes]
    if not ids or columns < 1 or rows < 1:
        return {}
    pairs = [(edge.src, edge.dst) for edge in graph.edges]
    linked = neighbours(ids, pairs)
    long = label_cells(len(ids), columns, rows)
    # A title, its sign and the spaces, and the count of links that lead out of the picture.
    sizes = [
        min(width(printable(title_of(node))), long) + (6 if node.degree > len(linked[node.id]) else 3)
        for node in graph.nodes
    ]
    points = _start(graph, columns, rows, previous, linked)
    order = {node: index for index, node in enumerate(ids)}
    springs = sorted({(min(order[a], order[b]), max(order[a], order[b])) for a in ids for b in linked[a]})
    pinned = order.get(graph.focus, -1)
    _relax(points, sizes, springs, pinned, columns, rows)
    _spread(points, pinned, rows)
    return {node: (points[index][0], points[index][1]) for index, node in enumerate(ids)}


def _start(
    graph: Graph,
    columns: int,
    rows: int,
    previous: Mapping[str, tuple[float, float]] | None,
    linked: Mapping[str, Sequence[str]],
) -> list[list[float]]:
    """Rings stretched over the canvas; nodes of an earlier layout keep their places around the focus."""
    ids = [node.id for node in graph.nodes]
    circles = rings(ids, [(edge.src, edge.dst) for edge in graph.edges], graph.focus)
    reach = max((spot.ring for spot in circles.values()), default=1) or 1
    size = min(0.4 + len(ids) / 24, 1.0)
    middle_x, middle_y = columns / 2, rows / 2
    found: dict[str, tuple[float, float]] = {}
    for node, spot in circles.items():
        x, y = spot.point(1.0)
        found[node] = middle_x + x / reach * columns * 0.40 * size, middle_y + y / reach * rows * 0.44 * size
    if previous and graph.focus in previous and sum(node in previous for node in ids) * 2 >= len(ids):
        shift_x, shift_y = middle_x - previous[graph.focus][0], middle_y - previous[graph.focus][1]
        for node in ids:
            if node in previous:
                found[node] = previous[node][0] + shift_x * 0.9, previous[node][1] + shift_y * 0.9
            else:
                near = [previous[other] for other in linked[node] if other in previous]
                if near:
                    x, y = near[0]
                    dx, dy = found[node][0] - middle_x, found[node][1] - middle_y
                    found[node] = x + shift_x + dx * 0.3, y + shift_y + dy * 0.3
    return [list(found[node]) for node in ids]


def _relax(
    points: list[list[float]],
    sizes: Sequence[int],
    springs: Sequence[tuple[int, int]],
    pinned: int,
    columns: int,
    rows: int,
) -> None:
    """Move points by springs along edges and by repulsion between boxes; ``pinned`` is the focus.

    Distances are taken in rows: a cell is twice as high as it is wide.
    """
    count = len(points)
    ideal = min(sqrt(columns * 0.5 * rows / max(count, 1)) * 0.9, LONGEST_EDGE)
    heat = min(columns * 0.5, rows) / 6
    for step in range(ROUNDS):
        force = [[0.0, 0.0] for _ in range(count)]
        _repel(points, sizes, force, ideal)
        for a, b in springs:
            dx, dy = (points[b][0] - points[a][0]) * 0.5, points[b][1] - points[a][1]
            length = sqrt(dx * dx + dy * dy) or 0.01
            pull = (length - ideal) / length * 0.35
            force[a][0] += dx * pull
            force[a][1] += dy * pull
            force[b][0] -= dx * pull
            force[b][1] -= dy * pull
        limit = heat * (1 - step / ROUNDS) + 0.05
        for index, (fx, fy) in enumerate(force):
            x, y = points[index]
            if index == pinned:
                x, y = columns / 2, rows / 2
            else:
                size = sqrt(fx * fx + fy * fy) or 1.0
                scale = min(size, limit) / size
                x, y = x + fx * scale * 2, y + fy * scale
            room = min(sizes[index], columns / 3)
            low = room if x < columns / 2 else 1.0
            points[index][0] = min(max(x, low), columns - 1 - (room if x >= columns / 2 else 0))
            points[index][1] = min(max(y, 0.5), rows - 0.5)


def _spread(points: list[list[float]], pinned: int, rows: int) -> None:
    """Hand the rows out: titles need one each, so nodes are moved towards even steps up and down.

    Their order stays; the focus keeps the middle, which stays free where there is none.
    """
    middle = rows / 2
    for above in (True, False):
        half = [i for i, point in enumerate(points) if i != pinned and (point[1] < middle) == above]
        half.sort(key=lambda i: (points[i][1], abs(points[i][0]), i))
        room = min(rows - middle - 0.5 if not above else middle - 0.5, max(len(half) * 2.0, 4.0))
        low, high = (middle - room, middle - 1) if above else (middle + 1, middle + room)
        for rank, index in enumerate(half):
            even = low + (high - low) * (rank + 0.5) / len(half)
            points[index][1] = points[index][1] * (1 - EVEN) + even * EVEN


def _repel(points: list[list[float]], sizes: Sequence[int], force: list[list[float]], ideal: float) -> None:
    strength = ideal * ideal
    for a in range(len(points)):
        xa, ya = points[a]
        force_a = force[a]
        for b in range(a + 1, len(points)):
            xb, yb = points[b]
            dx, dy = (xa - xb) * 0.5, ya - yb
            distance = dx * dx + dy * dy
            if distance > 16 * strength:
                continue
            push = strength / (distance + 0.05) * 0.30
            if -1.2 < dy < 1.2 and abs(xa - xb) < (sizes[a] + sizes[b]) * 0.5:
                # Their titles would lie over each other: give way up or down.
                side = 0.9 if dy > 0 or (dy == 0 and a > b) else -0.9
                force_a[1] += side
                force[b][1] -= side
            force_a[0] += dx * push
            force_a[1] += dy * push
            force[b][0] -= dx * push
            force[b][1] -= dy * push


def spots(
    graph: Graph,
    points: Mapping[str, tuple[float, float]],
    columns: int,
    rows: int,
    *,
    keep: Sequence[str] = (),
) -> list[Spot]:
    """Give each node that is in sight its cell, and a label where one is free: no two ever overlap.

    ``keep`` are the nodes whose labels come first (the selected one and its neighbours).
    """
    first = {node: index for index, node in enumerate(keep)}
    nodes = sorted(graph.nodes, key=lambda node: importance(graph, node))
    taken = [bytearray(columns) for _ in range(rows)]
    cells: dict[str, tuple[int, int]] = {}
    for node in nodes:
        at = points.get(node.id)
        if at is not None and -1 < at[0] < columns + 1 and -1 < at[1] < rows + 1:
            cell = _free_cell(taken, int(at[0]), int(at[1]), columns, rows)
            if cell is not None:
                cells[node.id] = cell
                taken[cell[1]][cell[0]] = 1
    seen = [node for node in nodes if node.id in cells]
    long = label_cells(len(seen), columns, rows)
    middle = points.get(graph.focus, (columns / 2, 0.0))[0]
    found = {}
    for node in sorted(seen, key=lambda node: first.get(node.id, len(first))):
        x, y = cells[node.id]
        cells_wanted = LONGEST if node.id in first else long
        found[node.id] = _labelled(node, x, y, taken[y], cells_wanted, x < middle - 1)
    return [found[node.id] for node in nodes if node.id in found]


def _free_cell(taken: Sequence[bytearray], x: int, y: int, columns: int, rows: int) -> tuple[int, int] | None:
    """The cell nearest to the wanted one with free cells on both sides of it."""
    for radius in range(4):
        for dy in sorted(range(-radius, radius + 1), key=abs):
            for dx in (0, -2 * radius, 2 * radius) if radius else (0,):
                cx, cy = min(max(x + dx, 0), columns - 1), min(max(y + dy, 0), rows - 1)
                if not any(taken[cy][max(cx - 1, 0) : cx + 2]):
                    return cx, cy
    return None


def _labelled(node: Node, x: int, y: int, row: bytearray, cells: int, left: bool) -> Spot:
    """A spot with as much of its title as there is room for, on the better side."""
    title = printable(title_of(node))
    best = Spot(node, x, y, "", False)
    for side in (left, not left):
        room = _room(row, x, side)
        size = min(cells, width(title), room)
        if size >= min(SHORTEST, width(title)) and size > width(best.label) + (4 if best.label else 0):
            best = Spot(node, x, y, cut(title, size), side)
    for cell in range(max(best.x0 - 1, 0), min(best.x1 + 1, len(row))):
        row[cell] = 1
    return best


def _room(row: bytearray, x: int, left: bool) -> int:
    """Free cells for a label beside the sign at ``x``, with a space at both ends."""
    if left:
        end = x - 1
        while end >= 0 and not row[end]:
            end -= 1
        return x - end - 3 + (end < 0)
    end = x + 1
    while end < len(row) and not row[end]:
        end += 1
    return end - x - 3 + (end >= len(row))
