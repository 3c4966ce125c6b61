"""A graph of pages, and the formats that other programs draw it from.

The same graph gives the same text. Titles come from anywhere, so each format quotes them.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from itertools import pairwise
from math import pi
from typing import Any, NamedTuple

from memex_core.model.errors import BadInput
from memex_core.model.graph_rings import rings
from memex_core.model.printable import one_line

UNTYPED = frozenset({"", "mentions", "embeds", "links"})  # relations that say no more than "links to"


class Node(NamedTuple):
    """A page, or a link target that is none yet (``ghost``).

    ``id`` is the path (a ghost's: its target text). ``degree`` counts all links in and out, also those
    to pages that are not in the graph. ``distance`` is hops from the focus.
    """

    id: str
    title: str
    kind: str = ""
    group: str = ""
    degree: int = 0
    ghost: bool = False
    distance: int = 0


class Edge(NamedTuple):
    """A link from ``src`` to ``dst`` (node ids) with its relation."""

    src: str
    dst: str
    rel: str = ""


class Graph(NamedTuple):
    """A neighbourhood, or the whole store when ``focus`` is empty. ``omitted`` nodes did not fit."""

    nodes: tuple[Node, ...] = ()
    edges: tuple[Edge, ...] = ()
    focus: str = ""
    omitted: int = 0


def from_dict(data: Mapping[str, Any]) -> Graph:
    """Read ``{focus, nodes, edges, omitted}`` with maps for nodes and edges. Unknown keys are ignored."""
    return Graph(
        tuple(Node(**{key: node[key] for key in Node._fields if key in node}) for node in data["nodes"]),
        tuple(Edge(**{key: edge[key] for key in Edge._fields if key in edge}) for edge in data["edges"]),
        data.get("focus") or "",
        int(data.get("omitted") or 0),
    )


def as_dict(graph: Graph) -> dict[str, Any]:
    """The graph as plain maps and lists."""
    return {
        "focus": graph.focus,
        "nodes": [node._asdict() for node in graph.nodes],
        "edges": [edge._asdict() for edge in graph.edges],
        "omitted": graph.omitted,
    }


def known_edges(graph: Graph) -> list[Edge]:
    """The edges whose both ends are in the graph, each once."""
    names = {node.id for node in graph.nodes}
    return list(dict.fromkeys(edge for edge in graph.edges if edge.src in names and edge.dst in names))


def relation(edge: Edge) -> str:
    """The label of an edge; empty for a plain link."""
    return "" if edge.rel in UNTYPED else one_line(edge.rel)


def title_of(node: Node) -> str:
    """What a node is called, on one line."""
    return one_line(node.title) or one_line(node.id) or "(untitled)"


def to_json(graph: Graph) -> str:
    """The graph as JSON, as ``from_dict`` reads it."""
    return json.dumps(as_dict(graph), ensure_ascii=False, indent=2) + "\n"


def to_mermaid(graph: Graph) -> str:
    """A Mermaid flowchart, as GitHub and Obsidian draw it in a fenced block. Ghosts are dashed."""
    names = {node.id: f"n{index}" for index, node in enumerate(graph.nodes)}
    lines = ["flowchart LR"]
    lines += [f'    {names[node.id]}["{_mermaid(title_of(node))}"]' for node in graph.nodes]
    for edge in known_edges(graph):
        rel = relation(edge)
        label = f'|"{_mermaid(rel)}"|' if rel else ""
        lines.append(f"    {names[edge.src]} -->{label} {names[edge.dst]}")
    ghosts = [names[node.id] for node in graph.nodes if node.ghost]
    if ghosts:
        lines += ["    classDef ghost stroke-dasharray: 4 4", f"    class {','.join(ghosts)} ghost"]
    if graph.focus in names:
        lines += ["    classDef focus stroke-width: 3px", f"    class {names[graph.focus]} focus"]
    return "\n".join(lines) + "\n"


def _mermaid(text: str) -> str:
    """Inside quotes Mermaid reads ``#`` entities and Markdown; these would end or change the label."""
    for char, entity in (("#", "#35;"), ('"', "#quot;"), ("<", "#lt;"), (">", "#gt;"), ("`", "#96;")):
        text = text.replace(char, entity)
    return text


def to_dot(graph: Graph) -> str:
    """A Graphviz digraph. Ghosts are dashed, the focus is bold."""
    names = {node.id: f"n{index}" for index, node in enumerate(graph.nodes)}
    lines = ["digraph memex {", "    rankdir=LR;", "    node [shape=box, style=rounded];"]
    for node in graph.nodes:
        style = ', style="rounded,dashed"' if node.ghost else ""
        style = ', style="rounded,bold"' if node.id == graph.focus else style
        lines.append(f"    {names[node.id]} [label={_dot(title_of(node))}{style}];")
    for edge in known_edges(graph):
        rel = relation(edge)
        label = f" [label={_dot(rel)}]" if rel else ""
        lines.append(f"    {names[edge.src]} -> {names[edge.dst]}{label};")
    return "\n".join([*lines, "}"]) + "\n"


def _dot(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def to_canvas(graph: Graph) -> str:
    """JSON Canvas 1.0 (jsoncanvas.org): pages as file cards on rings by hop, ghosts as text cards."""
    names = {node.id: f"n{index}" for index, node in enumerate(graph.nodes)}
    places = ring_points(graph, 320.0, 260.0)
    cards = []
    for node in graph.nodes:
        x, y = places[node.id]
        what = {"type": "text", "text": title_of(node)} if node.ghost else {"type": "file", "file": node.id}
        box = {"x": round(x) - 130, "y": round(y) - 40, "width": 260, "height": 80}
        card = {"id": names[node.id], **what, **box}
        cards.append({**card, "color": "6"} if node.id == graph.focus else card)
    arrows = []
    for index, edge in enumerate(known_edges(graph)):
        arrow = {"id": f"e{index}", "fromNode": names[edge.src], "toNode": names[edge.dst]}
        rel = relation(edge)
        arrows.append({**arrow, "label": rel} if rel else arrow)
    return json.dumps({"nodes": cards, "edges": arrows}, ensure_ascii=False, indent=1) + "\n"


def ring_points(graph: Graph, gap: float, arc: float) -> dict[str, tuple[float, float]]:
    """Points for every node: rings at least ``gap`` apart, nodes of one ring at least ``arc`` apart."""
    ids = [node.id for node in graph.nodes]
    places = rings(ids, [(edge.src, edge.dst) for edge in graph.edges], graph.focus)
    radii: dict[int, float] = {0: 0.0}
    for ring in sorted({place.ring for place in places.values()} - {0}):
        angles = sorted(place.angle for place in places.values() if place.ring == ring)
        nearest = min((b - a for a, b in pairwise(angles)), default=pi)
        needed = arc / max(nearest, 0.02) if len(angles) > 1 else gap
        radii[ring] = max(max(radii.values()) + gap, min(needed, arc * len(angles)))
    return {node: (place.point(1)[0] / max(place.ring, 1) * radii[place.ring],
                   place.point(1)[1] / max(place.ring, 1) * radii[place.ring])
            for node, place in places.items()}  # fmt: skip


def to_svg(graph: Graph) -> str:
    """A picture of the graph as a standalone SVG document."""
    from memex_core.model.graph_svg import svg

    return svg(graph)


FORMATS: Mapping[str, Callable[[Graph], str]] = {
    "json": to_json,
    "mermaid": to_mermaid,
    "dot": to_dot,
    "canvas": to_canvas,
    "svg": to_svg,
}


def export(graph: Graph, format: str) -> str:
    """The graph in one of :data:`FORMATS`. Raises BadInput for another one."""
    if format not in FORMATS:
        raise BadInput(f"{format!r} is no graph format", hint=", ".join(FORMATS))
    return FORMATS[format](graph)
