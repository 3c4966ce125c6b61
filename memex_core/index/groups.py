"""The store from far away: pages gathered by type, folder, project or tag, and one such group opened.

Both are graphs of :mod:`memex_core.model.graph_export`, so that whatever draws a neighbourhood draws them.
"""

from __future__ import annotations

import sqlite3

from memex_core.model.errors import BadInput
from memex_core.model.graph_export import Edge, Graph, Node

BY = ("type", "folder", "project", "tag")
KIND = "group"
"""What the nodes of an overview say in ``kind``; their ``group`` is the name, empty for pages without."""

_COLUMN = {
    "type": "{0}.type",
    "folder": "substr({0}.path, 1, max(instr({0}.path, '/') - 1, 0))",
    "project": "ifnull({0}.project, '')",
}
_WITHOUT = {"type": "untyped", "folder": "top folder", "project": "no project", "tag": "untagged"}


def types(db: sqlite3.Connection) -> list[str]:
    """Every type that a page has, in alphabetical order."""
    return [name for (name,) in db.execute("SELECT DISTINCT type FROM page ORDER BY type")]


def projects(db: sqlite3.Connection, *, limit: int = 200) -> list[str]:
    """The projects that pages name, in alphabetical order."""
    found = db.execute(
        "SELECT DISTINCT project FROM page WHERE project <> '' ORDER BY project LIMIT ?", (limit,)
    )
    return [name for (name,) in found]


def groups(db: sqlite3.Connection, by: str, *, limit: int = 40) -> Graph:
    """The ``limit`` largest groups as nodes (``"Rules · 12"``), and how they hang together.

    Types, folders and projects are joined where their pages link to each other, tags where they stand on
    the same pages. The strongest edges come first; there are at most two for each node. Raises BadInput.
    """
    sizes = _sizes(db, by)
    kept = dict(sorted(sizes.items(), key=lambda item: (-item[1], item[0]))[:limit])
    edges = _joined(db, by, kept)[: 2 * len(kept)]
    degree = dict.fromkeys(kept, 0)
    for one, other in edges:
        degree[one] += 1
        degree[other] += 1
    nodes = tuple(
        Node(f"{by}:{name}", f"{name or _WITHOUT[by]} · {size:,}", KIND, name, degree[name])
        for name, size in kept.items()
    )
    drawn = tuple(Edge(f"{by}:{one}", f"{by}:{other}") for one, other in edges)
    return Graph(nodes, drawn, "", len(sizes) - len(kept))


def members(db: sqlite3.Connection, by: str, name: str, *, limit: int = 60) -> Graph:
    """The pages of one group, those with the most links first, and the links between them."""
    _known(by)
    if by == "tag":
        inside = (
            "p.id IN (SELECT page FROM tag WHERE tag = ?)" if name else "p.id NOT IN (SELECT page FROM tag)"
        )
        values: tuple[str, ...] = (name.casefold(),) if name else ()
    else:
        inside, values = f"{_COLUMN[by].format('p')} = ?", (name,)
    total: int = db.execute(f"SELECT count(*) FROM page p WHERE {inside}", values).fetchone()[0]
    links = (
        "(SELECT count(*) FROM link WHERE page = p.id AND dst IS NOT NULL AND dst <> p.id)"
        " + (SELECT count(*) FROM link WHERE dst = p.id AND page <> p.id)"
    )
    found = db.execute(
        f"SELECT p.id, p.path, p.title, p.type, {_COLUMN['folder'].format('p')}, {links} AS degree "
        f"FROM page p WHERE {inside} ORDER BY degree DESC, p.path LIMIT ?",
        (*values, limit),
    ).fetchall()
    nodes = {
        page: Node(path, title, kind, folder, degree) for page, path, title, kind, folder, degree in found
    }
    edges: dict[Edge, None] = {}
    for page, node in nodes.items():
        for other, rel in db.execute(
            "SELECT dst, rel FROM link WHERE page = ? AND dst IS NOT NULL ORDER BY ord", (page,)
        ):
            if other in nodes and other != page:
                edges[Edge(node.id, nodes[other].id, rel)] = None
    return Graph(tuple(nodes.values()), tuple(edges), "", total - len(nodes))


def _known(by: str) -> None:
    if by not in BY:
        raise BadInput(f"pages are not gathered by {by!r}", hint=", ".join(BY))


def _sizes(db: sqlite3.Connection, by: str) -> dict[str, int]:
    """Pages in each group."""
    _known(by)
    if by != "tag":
        return dict(
            db.execute(f"SELECT {_COLUMN[by].format('p')}, count(*) FROM page p GROUP BY 1").fetchall()
        )
    sizes: dict[str, int] = dict(db.execute("SELECT tag, count(*) FROM tag GROUP BY tag").fetchall())
    without = db.execute("SELECT count(*) FROM page WHERE id NOT IN (SELECT page FROM tag)").fetchone()[0]
    return {**sizes, "": without} if without else sizes


def _joined(db: sqlite3.Connection, by: str, kept: dict[str, int]) -> list[tuple[str, str]]:
    """Pairs of groups that hang together, the strongest first."""
    if by == "tag":
        marks = ",".join("?" * len(kept))
        pairs = db.execute(
            f"SELECT a.tag, b.tag, count(*) FROM tag a JOIN tag b ON b.page = a.page AND b.tag > a.tag "
            f"WHERE a.tag IN ({marks}) AND b.tag IN ({marks}) GROUP BY 1, 2",
            (*kept, *kept),
        )
    else:
        pairs = db.execute(
            f"SELECT {_COLUMN[by].format('s')}, {_COLUMN[by].format('d')}, count(*) FROM link l "
            "JOIN page s ON s.id = l.page JOIN page d ON d.id = l.dst GROUP BY 1, 2"
        )
    found = [
        (count, one, other) for one, other, count in pairs if one != other and one in kept and other in kept
    ]
    return [(one, other) for _, one, other in sorted(found, key=lambda pair: (-pair[0], pair[1], pair[2]))]
