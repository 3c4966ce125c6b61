"""A graph of pages in formats that other programs draw: Mermaid, Graphviz DOT and JSON Canvas.

Nodes are maps with ``path``, ``title``, ``type`` and optionally ``hop`` and ``missing``; edges are maps
with ``source`` and ``target`` (paths, or the text of a target that does not exist), ``rel`` and ``form``.
Every text is printable, quoted for its format, and the same graph gives the same bytes.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Sequence
from typing import Any

from memex_core.model.printable import one_line

Nodes = Sequence[dict[str, Any]]

_UNTYPED = ("", "mentions", "embeds")


def mermaid(nodes: Nodes, edges: Nodes) -> str:
    """A Mermaid flowchart, as GitHub and Obsidian draw it in a fenced block. Missing pages are dashed."""
    names = {node["path"]: f"n{at}" for at, node in enumerate(nodes)}
    lines = ["flowchart LR"]
    for node in nodes:
        lines.append(f'    {names[node["path"]]}["{_mermaid_text(_title(node))}"]')
    for edge in _edges(names, edges):
        rel = edge.get("rel") or ""
        label = "" if rel in _UNTYPED else f'|"{_mermaid_text(rel)}"|'
        lines.append(f"    {names[edge['source']]} -->{label} {names[edge['target']]}")
    missing = [names[node["path"]] for node in nodes if node.get("missing")]
    if missing:
        lines.append("    classDef missing stroke-dasharray: 4 4")
        lines.append(f"    class {','.join(missing)} missing")
    return "\n".join(lines) + "\n"


def dot(nodes: Nodes, edges: Nodes) -> str:
    """A Graphviz digraph."""
    names = {node["path"]: f"n{at}" for at, node in enumerate(nodes)}
    lines = ["digraph memex {", "    rankdir=LR;", "    node [shape=box, style=rounded];"]
    for node in nodes:
        style = ", style=dashed" if node.get("missing") else ""
        lines.append(f"    {names[node['path']]} [label={_dot_text(_title(node))}{style}];")
    for edge in _edges(names, edges):
        rel = edge.get("rel") or ""
        label = "" if rel in _UNTYPED else f" [label={_dot_text(rel)}]"
        lines.append(f"    {names[edge['source']]} -> {names[edge['target']]}{label};")
    lines.append("}")
    return "\n".join(lines) + "\n"


def canvas(nodes: Nodes, edges: Nodes) -> str:
    """JSON Canvas 1.0 (jsoncanvas.org): pages as file cards on rings by hop, missing ones as text."""
    rings: dict[int, list[dict[str, Any]]] = {}
    for node in nodes:
        rings.setdefault(int(node.get("hop") or 0), []).append(node)
    names = {node["path"]: f"n{at}" for at, node in enumerate(nodes)}
    cards: list[dict[str, Any]] = []
    radius = 0.0
    for hop in sorted(rings):
        ring = rings[hop]
        # A ring is long enough for its cards to stand side by side, and outside of the one before.
        radius = 0.0 if len(ring) == 1 and not cards else max(radius + 400.0, len(ring) * 320 / (2 * math.pi))
        for at, node in enumerate(ring):
            angle = 2 * math.pi * at / len(ring)
            card: dict[str, Any] = {
                "id": names[node["path"]],
                "type": "text" if node.get("missing") else "file",
            }
            card["text" if node.get("missing") else "file"] = (
                _title(node) if node.get("missing") else node["path"]
            )
            x, y = round(radius * math.cos(angle)), round(radius * math.sin(angle))
            cards.append({**card, "x": x, "y": y, "width": 260, "height": 100})
    arrows = []
    for at, edge in enumerate(_edges(names, edges)):
        arrow = {"id": f"e{at}", "fromNode": names[edge["source"]], "toNode": names[edge["target"]]}
        rel = edge.get("rel") or ""
        arrows.append(arrow if rel in _UNTYPED else {**arrow, "label": one_line(rel)})
    return json.dumps({"nodes": cards, "edges": arrows}, ensure_ascii=False, indent=1) + "\n"


FORMATS: dict[str, Callable[[Nodes, Nodes], str]] = {"mermaid": mermaid, "dot": dot, "canvas": canvas}


def _edges(names: dict[str, str], edges: Nodes) -> list[dict[str, Any]]:
    return [edge for edge in edges if edge["source"] in names and edge["target"] in names]


def _title(node: dict[str, Any]) -> str:
    return one_line(node.get("title") or node["path"])


def _mermaid_text(text: str) -> str:
    """Inside quotes Mermaid reads ``#`` entities and Markdown; these four would end or change the label."""
    for char, entity in (("#", "#35;"), ('"', "#quot;"), ("<", "#lt;"), (">", "#gt;"), ("`", "#96;")):
        text = text.replace(char, entity)
    return text


def _dot_text(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
