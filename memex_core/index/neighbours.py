"""The link graph around a page, or all of it."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from memex_core.model.graph_export import Edge, Graph, Node


def graph(db: sqlite3.Connection, focus: str | None, *, hops: int = 1, limit: int = 60) -> Graph:
    """Pages up to ``hops`` links (in either direction) from the page at path ``focus``, nearest and most
    linked first; everything when ``focus`` is None. Targets that do not exist are ghosts.
    """
    distances = _within(db, focus, hops) if focus is not None else None
    return assembled(focus, hops, limit, distances, _edges(db, distances), _pages(db, distances))


def assembled(
    focus: str | None,
    hops: int,
    limit: int,
    distances: Mapping[int, int] | None,
    edges: Sequence[tuple[int, int | str, str]],
    pages: Iterable[tuple[Any, ...]],
) -> Graph:
    """The graph of ``pages`` (number, path, title, type, group) at ``distances`` from the focus and of
    ``edges`` (number, number or the name of what is missing, relation) from them."""
    degree: dict[int | str, int] = {}
    for source, target, _ in edges:
        degree[source] = degree.get(source, 0) + 1
        degree[target] = degree.get(target, 0) + 1
    nodes: dict[int | str, Node] = {}
    for page, path, title, kind, folder in pages:
        at = distances[page] if distances is not None else 0
        nodes[page] = Node(path, title, kind, folder, degree.get(page, 0), False, at)
    for source, target, _ in edges:
        if isinstance(target, str):
            at = (distances[source] + 1) if distances is not None else 0
            known = nodes.get(target)
            if known is None or at < known.distance:
                nodes[target] = Node(target, target, "", "", degree[target], True, at)
    if distances is not None:
        nodes = {key: node for key, node in nodes.items() if node.distance <= hops}
    order = sorted(
        nodes, key=lambda key: (nodes[key].distance, nodes[key].ghost, -nodes[key].degree, nodes[key].id)
    )
    kept = {key: nodes[key] for key in order[:limit]}
    drawn = dict.fromkeys(
        Edge(kept[source].id, kept[target].id, rel)
        for source, target, rel in edges
        if source in kept and target in kept
    )
    return Graph(tuple(kept.values()), tuple(drawn), focus or "", len(nodes) - len(kept))


def _within(db: sqlite3.Connection, focus: str, hops: int) -> dict[int, int]:
    """Page ids with their distance from the focus."""
    start = db.execute("SELECT id FROM page WHERE path = ?", (focus,)).fetchone()
    if start is None:
        return {}
    distances = {start[0]: 0}
    edge = [start[0]]
    for step in range(1, hops + 1):
        following = []
        for page in edge:
            near = db.execute(
                "SELECT dst FROM link WHERE page = ? AND dst IS NOT NULL "
                "UNION SELECT page FROM link WHERE dst = ?",
                (page, page),
            )
            for (other,) in near.fetchall():
                if other not in distances:
                    distances[other] = step
                    following.append(other)
        edge = following
    return distances


def _edges(db: sqlite3.Connection, among: dict[int, int] | None) -> list[tuple[int, int | str, str]]:
    """(source id, target id or the text of a missing target, relation), assets left out."""
    columns = "SELECT page, ifnull(dst, target), rel FROM link"
    wanted = "asset IS NULL AND (dst IS NULL OR dst <> page) AND target <> ''"
    if among is None:
        return db.execute(f"{columns} WHERE {wanted} ORDER BY page, ord").fetchall()
    out: list[tuple[int, int | str, str]] = []
    for page in sorted(among):
        out += db.execute(f"{columns} WHERE page = ? AND {wanted} ORDER BY ord", (page,)).fetchall()
    return out


def _pages(db: sqlite3.Connection, among: dict[int, int] | None) -> list[tuple[Any, ...]]:
    columns = "SELECT id, path, title, type, project FROM page"
    if among is None:
        found = db.execute(columns).fetchall()
    else:
        found = [row for page in among if (row := db.execute(f"{columns} WHERE id = ?", (page,)).fetchone())]
    return [(page, path, title, kind, project or top(path)) for page, path, title, kind, project in found]


def top(path: str) -> str:
    """The outermost folder of a path; empty for a page in none."""
    return path.split("/", 1)[0] if "/" in path else ""
