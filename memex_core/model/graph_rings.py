"""Where the pages of a neighbourhood stand: the focus in the middle, each hop on a ring around it.

Deterministic: the same graph gives the same places. Branches of the tree of shortest ways get room
by their size, and stand beside the branches they are linked to.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import cos, pi, sin
from typing import NamedTuple


class Place(NamedTuple):
    """A point: ``angle`` in radians from the right, clockwise on screen; ``ring`` 0 is the middle."""

    angle: float
    ring: int

    def point(self, radius: float) -> tuple[float, float]:
        """The point for rings that are ``radius`` apart."""
        return cos(self.angle) * radius * self.ring, sin(self.angle) * radius * self.ring


def neighbours(nodes: Sequence[str], edges: Sequence[tuple[str, str]]) -> dict[str, list[str]]:
    """Undirected adjacency, in the order of ``nodes``; edges to unknown nodes and loops are left out."""
    order = {node: index for index, node in enumerate(nodes)}
    found: dict[str, set[str]] = {node: set() for node in nodes}
    for src, dst in edges:
        if src != dst and src in order and dst in order:
            found[src].add(dst)
            found[dst].add(src)
    return {node: sorted(linked, key=order.__getitem__) for node, linked in found.items()}


def distances(nodes: Sequence[str], linked: Mapping[str, Sequence[str]], focus: str) -> dict[str, int]:
    """Hops from the focus; nodes it does not reach stand one hop outside of the farthest one."""
    found = {focus: 0} if focus in linked else {}
    queue = list(found)
    for node in queue:
        for other in linked[node]:
            if other not in found:
                found[other] = found[node] + 1
                queue.append(other)
    outside = max(found.values(), default=0) + 1
    return {node: found.get(node, outside) for node in nodes}


def rings(nodes: Sequence[str], edges: Sequence[tuple[str, str]], focus: str) -> dict[str, Place]:
    """Place every node. Without a focus that is one of them, all stand on one ring."""
    linked = neighbours(nodes, edges)
    hops = distances(nodes, linked, focus)
    if focus not in linked:
        step = 2 * pi / max(len(nodes), 1)
        return {node: Place(index * step - pi / 2, 1) for index, node in enumerate(nodes)}
    children = _tree(nodes, linked, hops, focus)
    sizes = _sizes(nodes, children, hops)
    lost = [node for node in nodes if hops[node] and not any(hops[o] < hops[node] for o in linked[node])]
    children[focus] = _side_by_side(children[focus], linked, children) + lost
    sizes[focus] = sum(sizes[child] for child in children[focus])
    places: dict[str, Place] = {focus: Place(0.0, 0)}
    wedges = [(focus, -pi / 2, 2 * pi)]
    for parent, start, width in wedges:
        for child in children[parent]:
            share = width * sizes[child] / max(sizes[parent], 1)
            places[child] = Place(start + share / 2, hops[child])
            wedges.append((child, start, share))
            start += share
    return places


def _tree(
    nodes: Sequence[str], linked: Mapping[str, Sequence[str]], hops: Mapping[str, int], focus: str
) -> dict[str, list[str]]:
    """Give each node the parent, one hop nearer, that has the fewest children so far."""
    children: dict[str, list[str]] = {node: [] for node in nodes}
    for node in sorted(nodes, key=hops.__getitem__):
        parents = [other for other in linked[node] if hops[other] < hops[node]]
        if node != focus and parents:
            children[min(parents, key=lambda parent: len(children[parent]))].append(node)
    return children


def _sizes(
    nodes: Sequence[str], children: Mapping[str, Sequence[str]], hops: Mapping[str, int]
) -> dict[str, int]:
    """Leaves under each node, at least 1."""
    sizes: dict[str, int] = {}
    for node in sorted(nodes, key=lambda node: -hops[node]):
        sizes[node] = max(sum(sizes.get(child, 1) for child in children[node]), 1)
    return sizes


def _side_by_side(
    branches: list[str], linked: Mapping[str, Sequence[str]], children: Mapping[str, list[str]]
) -> list[str]:
    """Order branches so that those with links between them are neighbours on the ring."""
    members: dict[str, set[str]] = {}
    for branch in branches:
        queue = [branch]
        for node in queue:
            queue += children[node]
        members[branch] = set(queue)
    rest = list(branches)
    ordered: list[str] = []
    while rest:
        best = rest[0]
        if ordered:
            last = members[ordered[-1]]
            best = max(rest, key=lambda b: sum(o in last for node in members[b] for o in linked[node]))
        ordered.append(best)
        rest.remove(best)
    return ordered
