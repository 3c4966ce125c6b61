"""The same neighbourhood as lanes (linked from, focus, links to) and as a list."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from memex_core.index.groups import KIND
from memex_core.model.graph_export import Graph, Node, relation, title_of
from memex_tui.render.graph_look import Look
from memex_tui.render.line import Names, cut_line
from memex_tui.render.picture import Box, Grid, Picture
from memex_tui.render.text import cut, printable, width

IN, FOCUS, OUT = "in", "focus", "out"


class Entry(NamedTuple):
    """A node in a lane, with the relations it is linked by; ``both``: linked both ways."""

    node: Node
    rel: str
    both: bool


class Lanes(NamedTuple):
    """Who links to the focus, whom it links to, and the others by hops."""

    focus: Node | None
    sources: list[Entry]
    targets: list[Entry]
    others: list[Node]

    def lane(self, name: str) -> list[str]:
        """The ids in a lane, in order."""
        if name == FOCUS:
            return [self.focus.id] if self.focus else []
        return [entry.node.id for entry in (self.sources if name == IN else self.targets)]


def lanes_of(graph: Graph) -> Lanes:
    """Sort a neighbourhood into lanes; well linked pages first, ghosts last."""
    by_id = {node.id: node for node in graph.nodes}
    rels: dict[tuple[str, str], list[str]] = {}
    for edge in graph.edges:
        if edge.src != edge.dst and edge.src in by_id and edge.dst in by_id:
            rels.setdefault((edge.src, edge.dst), []).append(relation(edge))
    into = {src: rel for (src, dst), rel in rels.items() if dst == graph.focus}
    out = {dst: rel for (src, dst), rel in rels.items() if src == graph.focus}

    def entries(found: dict[str, list[str]], back: dict[str, list[str]]) -> list[Entry]:
        made = [
            Entry(by_id[node], ", ".join(sorted({rel for rel in names if rel})), node in back)
            for node, names in found.items()
        ]
        return sorted(made, key=lambda e: (e.node.ghost, -e.node.degree, title_of(e.node).casefold()))

    near = {graph.focus, *into, *out}
    others = [node for node in graph.nodes if node.id not in near]
    others.sort(key=lambda node: (node.distance, node.ghost, -node.degree, title_of(node).casefold()))
    return Lanes(by_id.get(graph.focus), entries(into, out), entries(out, into), others)


def draw_lanes(lanes: Lanes, look: Look, columns: int, rows: int, selected: str, lane: str) -> Picture:
    """Draw the three lanes; ``lane`` is where the selection is when a page stands in two."""
    if columns < 1 or rows < 1 or lanes.focus is None:
        return Picture([[(" " * columns, ())]] * max(rows, 0), [])
    grid = Grid(columns, rows)
    boxes: list[Box] = []
    title = cut(printable(title_of(lanes.focus)), max(columns // 4, 6))
    size = width(title) + 2
    left = (columns - size) // 2
    middle = rows // 2
    chosen: Names = ("graph--selected",) if selected == lanes.focus.id else ()
    grid.put(left, middle, look.shape(lanes.focus, focus=True) + " ", look.names(lanes.focus) + chosen)
    grid.put(left + 2, middle, title, ("graph--focus", *chosen))
    boxes.append(Box(lanes.focus.id, left, left + size, middle, left, FOCUS))
    reach = max(columns // 24, 3)  # cells of the lines between a lane and the focus
    side_in = _Side(IN, lanes.sources, left - reach - 2, -1)
    side_out = _Side(OUT, lanes.targets, left + size + reach + 1, 1)
    for side in (side_in, side_out):
        boxes += _draw_side(grid, look, side, middle, selected if lane != _other(side.name) else "")
    _stem(grid, side_in, left - 1, middle, "▸")
    _stem(grid, side_out, left + size, middle, "")
    if lanes.others:
        text = f"{len(lanes.others)} more pages further away"
        grid.put(max((columns - width(text)) // 2, 0), rows - 1, cut(text, columns), ("graph--count",))
    return Picture(grid.lines(), boxes)


class _Side(NamedTuple):
    """A lane on one side: its vertical line stands in column ``rail``, its titles go ``step`` from there."""

    name: str
    entries: Sequence[Entry]
    rail: int
    step: int


def _other(lane: str) -> str:
    return OUT if lane == IN else IN


def _window(count: int, rows: int, chosen: int) -> tuple[int, int]:
    """The entries in sight, so that the chosen one is among them."""
    if count <= rows:
        return 0, count
    start = min(max(chosen - rows // 2, 0), count - rows)
    return start, start + rows


def _draw_side(grid: Grid, look: Look, side: _Side, middle: int, selected: str) -> list[Box]:
    rows = max(grid.rows - 2, 1)
    ids = [entry.node.id for entry in side.entries]
    chosen = ids.index(selected) if selected in ids else 0
    start, stop = _window(len(ids), rows, chosen)
    top = max(min(middle - (stop - start) // 2, grid.rows - 1 - (stop - start)), 0)
    heading = ("← linked from" if side.name == IN else "links to →") + f" ({len(ids)})"
    x = side.rail - width(heading) if side.step < 0 else side.rail + 1
    if top > 0 and ids:
        grid.put(max(x, 0), top - 1, heading, ("graph--count",))
    boxes = []
    for index in range(start, stop):
        y = top + index - start
        more = (index == start and start > 0) or (index == stop - 1 and stop < len(ids))
        _rail(grid, side, y, index == start and not more, index == stop - 1 and not more, y == middle)
        boxes.append(_entry(grid, look, side, index, y, selected, more))
    for y in range(min(top, middle), max(top + stop - start, middle + 1) if ids else 0):
        if grid.free(side.rail, side.rail + 1, y):
            grid.put(side.rail, y, "│", ("graph--edge",))
    return boxes


def _rail(grid: Grid, side: _Side, y: int, first: bool, last: bool, middle: bool) -> None:
    """The piece of the lane's vertical line beside one entry."""
    left = side.step < 0
    if middle:
        sign = "─" if first and last else "┬" if first else "┴" if last else "┼"
    elif first:
        sign = "╮" if left else "╭"
    elif last:
        sign = "╯" if left else "╰"
    else:
        sign = "┤" if left else "├"
    grid.put(side.rail, y, sign, ("graph--edge",))


def _entry(grid: Grid, look: Look, side: _Side, index: int, y: int, selected: str, more: bool) -> Box:
    entry = side.entries[index]
    node = entry.node
    room = (side.rail - 6) if side.step < 0 else grid.columns - side.rail - 7
    chosen: Names = ("graph--selected",) if node.id == selected else ()
    name = "graph--ghost" if node.ghost else "graph--label"
    title = cut(printable(title_of(node)), max(room, 4))
    sign = look.shape(node)
    rel = f" {printable(entry.rel)}" if entry.rel else ""
    rel = rel if width(title) + width(rel) <= room else ""
    names = look.relation_names(entry.rel) if entry.rel else ("graph--count",)
    both = "⇄" if entry.both else "─"
    if side.step < 0:
        end = side.rail - 3
        grid.put(end, y, f" {both}─", ("graph--edge",))
        x = end - 2 - width(title)
        grid.put(x, y, f"{title} ", (name, *chosen))
        grid.put(end - 1, y, sign, look.names(node) + chosen)
        if rel:
            grid.put(x - width(rel), y, f"{rel.strip()} ", names)
        return Box(node.id, max(x, 0), end, y, end - 1, IN)
    x = side.rail + 1
    grid.put(x, y, f"{both}▸ ", ("graph--edge",))
    grid.put(x + 3, y, f"{sign} ", look.names(node) + chosen)
    end = grid.put(x + 5, y, title, (name, *chosen))
    if rel:
        grid.put(end, y, rel, names)
    return Box(node.id, x + 3, min(end, grid.columns), y, x + 3, OUT)


def _stem(grid: Grid, side: _Side, edge: int, middle: int, head: str) -> None:
    """The line between the lane and the focus."""
    if not side.entries:
        return
    start, end = (side.rail + 1, edge) if side.step < 0 else (edge + 1, side.rail)
    grid.put(start, middle, "─" * max(end - start - len(head), 0) + head, ("graph--edge",))
    if grid.free(side.rail, side.rail + 1, middle):
        grid.put(side.rail, middle, "├" if side.step < 0 else "┤", ("graph--edge",))


def list_rows(lanes: Lanes) -> list[tuple[str, Node | None, str]]:
    """The neighbourhood as rows: headings (no node) and nodes with a sign and their relation."""
    rows: list[tuple[str, Node | None, str]] = []
    if lanes.focus:
        rows.append((" ", lanes.focus, ""))
    for name, entries, sign in (("linked from", lanes.sources, "←"), ("links to", lanes.targets, "→")):
        if entries:
            rows.append((f"{name} ({len(entries)})", None, ""))
            rows += [("⇄" if entry.both else sign, entry.node, entry.rel) for entry in entries]
    overview = all(node.kind == KIND for node in lanes.others)
    near = "nearby" if lanes.focus else "groups" if overview else "pages"
    hops = sorted({node.distance for node in lanes.others})
    for hop in hops:
        nodes = [node for node in lanes.others if node.distance == hop]
        rows.append((f"{hop} hops ({len(nodes)})" if hop > 1 else f"{near} ({len(nodes)})", None, ""))
        rows += [("·", node, "") for node in nodes]
    return rows


def draw_list(lanes: Lanes, look: Look, columns: int, rows: int, selected: str, lane: str) -> Picture:
    """Draw the list, scrolled so that the selected row is in sight."""
    if columns < 1 or rows < 1:
        return Picture([], [])
    entries = list_rows(lanes)
    chosen = _list_place(entries, selected, lane)
    start, stop = _window(len(entries), rows, chosen)
    grid = Grid(columns, rows)
    boxes = []
    for y, index in enumerate(range(start, stop)):
        sign, node, rel = entries[index]
        if node is None:
            grid.put(1, y, cut(sign, columns - 1), ("graph--count",))
            continue
        here: Names = ("graph--selected",) if index == chosen and node.id == selected else ()
        facts = " · ".join(part for part in (rel, node.kind, _links(node.degree)) if part)
        facts = cut(printable(facts), columns // 2)
        room = columns - 7 - width(facts)
        name = "graph--ghost" if node.ghost else "graph--focus" if node == lanes.focus else "graph--label"
        grid.put(1, y, f"{sign} ", ("graph--edge",))
        shape = look.shape(node, focus=node == lanes.focus)
        line = cut_line([(shape + " ", look.names(node)), (printable(title_of(node)), (name,))], room)
        x = 3
        for text, names in line:
            x = grid.put(x, y, text, names + here)
        grid.put(columns - 1 - width(facts), y, facts, ("graph--count",))
        boxes.append(Box(node.id, 1, columns, y, 3, _lane_of(entries, index)))
    return Picture(grid.lines(), boxes)


def _links(count: int) -> str:
    return "" if not count else "1 link" if count == 1 else f"{count} links"


def _list_place(entries: Sequence[tuple[str, Node | None, str]], selected: str, lane: str) -> int:
    places = [index for index, (_, node, _) in enumerate(entries) if node and node.id == selected]
    return next((at for at in places if _lane_of(entries, at) == lane), places[0] if places else 0)


def _lane_of(entries: Sequence[tuple[str, Node | None, str]], index: int) -> str:
    for at in range(index, -1, -1):
        if entries[at][1] is None:
            return (
                IN
                if entries[at][0].startswith("linked")
                else OUT
                if entries[at][0].startswith("links")
                else ""
            )
    return FOCUS


def step_list(lanes: Lanes, selected: str, lane: str, step: int) -> tuple[str, str] | None:
    """The next node of the list and its lane; None at the ends."""
    entries = list_rows(lanes)
    at = _list_place(entries, selected, lane) + step
    while 0 <= at < len(entries):
        node = entries[at][1]
        if node is not None:
            return node.id, _lane_of(entries, at)
        at += step
    return None


def step_lanes(lanes: Lanes, selected: str, lane: str, dx: int, dy: int) -> tuple[str, str] | None:
    """Where an arrow key leads in the lanes: up and down inside one, left and right to the next."""
    order = [IN, FOCUS, OUT]
    lane = (
        lane if selected in lanes.lane(lane) else next((n for n in order if selected in lanes.lane(n)), FOCUS)
    )
    if dy:
        ids = lanes.lane(lane)
        at = (ids.index(selected) if selected in ids else 0) + dy
        return (ids[at], lane) if 0 <= at < len(ids) else None
    at = order.index(lane) + dx
    if not 0 <= at < 3:
        return None
    ids = lanes.lane(order[at])
    return (ids[min(len(ids) // 2, len(ids) - 1)], order[at]) if ids else None
