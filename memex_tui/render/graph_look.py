"""How nodes and edges of a graph look: shape and colour by kind, dashes by relation."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
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
    "list": "▤",
    "summary": "▤",
    "session": "❝",
    "turn": "❝",
    "group": "◍",
}
_DASHES: tuple[Dash, ...] = ((6, 3), (1, 2), (5, 2), (2, 2))


class Look(NamedTuple):
    """Shapes and colours for the kinds of one graph (or for its groups)."""

    signs: Mapping[str, tuple[str, int]]  # of each kind (or group): its shape and the number of its colour
    relations: tuple[str, ...]
    by_group: bool
    ascii_only: bool

    def shape(self, node: Node, *, focus: bool = False) -> str:
        """The sign of a node; the focus and ghosts have their own."""
        if focus:
            return "@" if self.ascii_only else "◉"
        if node.ghost:
            return "." if self.ascii_only else "◌"
        return self._sign(node)[0]

    def names(self, node: Node) -> Names:
        """The component class of a node's sign."""
        return ("graph--ghost",) if node.ghost else (f"graph--c{self._sign(node)[1]}",)

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

    def _sign(self, node: Node) -> tuple[str, int]:
        other = (_ASCII_SHAPES if self.ascii_only else _SHAPES)[0], 0
        return self.signs.get(node.group if self.by_group else node.kind, other)


def look_of(
    graph: Graph, *, by_group: bool = False, ascii_only: bool = False, kinds: Collection[str] = ()
) -> Look:
    """Give each kind (or group) and each relation of a graph its look, in alphabetical order.

    ``kinds`` are those of the whole store: with them a kind looks the same in every neighbourhood.
    """
    own = {node.group if by_group else node.kind for node in graph.nodes if not node.ghost}
    order = sorted(own if by_group else {*own, *kinds})
    relations = sorted({relation(edge) for edge in graph.edges} - {""})
    known = {} if by_group or ascii_only else _KNOWN
    return Look(
        _signs(order, known, _ASCII_SHAPES if ascii_only else _SHAPES), tuple(relations), by_group, ascii_only
    )


def _signs(order: Sequence[str], known: Mapping[str, str], shapes: str) -> dict[str, tuple[str, int]]:
    """A shape and a colour for each: no two share both before all pairs are used."""
    found: dict[str, tuple[str, int]] = {}
    others = 0  # how many have no shape of their own
    for place, what in enumerate(order):
        shape = known.get(what) or shapes[others % len(shapes)]
        others += what not in known
        free = (
            place + step for step in range(COLOURS) if (shape, (place + step) % COLOURS) not in found.values()
        )
        found[what] = shape, next(free, place) % COLOURS
    return found


def legend(graph: Graph, look: Look) -> list[Line]:
    """One line for each kind and each relation that the graph shows."""
    lines: list[Line] = []
    for what in look.signs:
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
