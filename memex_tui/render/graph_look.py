"""How nodes and edges of a graph look: shape and colour by kind, dashes by relation."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from memex_core.model.graph_export import Edge, Graph, Node, relation
from memex_tui.render.braille import Dash
from memex_tui.render.line import Line, Names

COLOURS = 6
_SHAPES = "●■▼★◐◧"  # none of those that _KNOWN gives
_ASCII_SHAPES = "o#v+x%"
_KNOWN = {
    "event": "◆",
    "episode": "◆",
    "rule": "▲",
    "procedure": "▲",
    "session": "❝",
    "turn": "❝",
    "group": "◍",
}
_DASHES: tuple[Dash, ...] = ((6, 3), (1, 2), (5, 2), (2, 2))


class Look(NamedTuple):
    """Shapes and colours for the kinds of one graph (or for its groups)."""

    order: tuple[str, ...]
    relations: tuple[str, ...]
    by_group: bool
    ascii_only: bool

    def shape(self, node: Node, *, focus: bool = False) -> str:
        """The sign of a node; the focus and ghosts have their own."""
        if self.ascii_only:
            sign = _ASCII_SHAPES[self._place(node) % len(_ASCII_SHAPES)]
            return "@" if focus else "." if node.ghost else sign
        if focus:
            return "◉"
        if node.ghost:
            return "◌"
        known = None if self.by_group else _KNOWN.get(node.kind)
        return known or _SHAPES[self._place(node) % len(_SHAPES)]

    def names(self, node: Node) -> Names:
        """The component class of a node's sign."""
        return ("graph--ghost",) if node.ghost else (f"graph--c{self._place(node) % COLOURS}",)

    def dash(self, edge: Edge, ghost: bool) -> Dash:
        """The pattern of an edge: plain links are solid, each relation has its own dashes."""
        if ghost:
            return (1, 3)
        rel = relation(edge)
        return _DASHES[self.relations.index(rel) % len(_DASHES)] if rel else (1, 0)

    def relation_names(self, rel: str, *, near: bool = False) -> Names:
        """The component class of a relation's name and edges."""
        end = "-near" if near else ""
        return (
            (f"graph--rel{self.relations.index(rel) % 4}{end}",)
            if rel in self.relations
            else ("graph--edge",)
        )

    def _place(self, node: Node) -> int:
        what = node.group if self.by_group else node.kind
        return self.order.index(what) if what in self.order else 0


def look_of(
    graph: Graph, *, by_group: bool = False, ascii_only: bool = False, kinds: Collection[str] = ()
) -> Look:
    """Give each kind (or group) and each relation of a graph its look, in alphabetical order.

    ``kinds`` are those of the whole store: with them a kind looks the same in every neighbourhood.
    """
    own = {node.group if by_group else node.kind for node in graph.nodes if not node.ghost}
    order = sorted(own if by_group else {*own, *kinds})
    relations = sorted({relation(edge) for edge in graph.edges} - {""})
    return Look(tuple(order), tuple(relations), by_group, ascii_only)


def legend(graph: Graph, look: Look) -> list[Line]:
    """One line for each kind and each relation that the graph shows."""
    lines: list[Line] = []
    for what in look.order:
        found = (n for n in graph.nodes if (n.group if look.by_group else n.kind) == what and not n.ghost)
        node = next(found, None)
        if node is not None:
            lines.append([(look.shape(node), look.names(node)), (f" {what or 'page'}", ("graph--label",))])
    ghost = next((node for node in graph.nodes if node.ghost), None)
    if ghost:
        lines.append([(look.shape(ghost), look.names(ghost)), (" not written yet", ("graph--label",))])
    if any(not relation(edge) for edge in graph.edges):
        lines.append([("── ", ("graph--edge",)), ("link", ("graph--label",))])
    for rel in look.relations:
        lines.append([("╌╌ ", look.relation_names(rel)), (rel, ("graph--label",))])
    return lines
