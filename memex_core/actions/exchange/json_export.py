"""Pages to JSON, without loss: the file's own text travels beside the readable fields."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING, Any

from memex_core.model import clock

if TYPE_CHECKING:
    from memex_core.actions.store import Store

VERSION = "1.0"


def export(store: Store, *, after: str | None = None, limit: int | None = None) -> dict[str, Any]:
    """``{version, exported_at, nodes}``; a node holds what its page says and ``file``, its exact bytes.

    ``limit`` pages at most, those whose path comes ``after``: a part of the document.
    """
    paths = store.index.paths(after=after or "", limit=limit)
    nodes = [_node(store, path) for path in paths]
    return {"version": VERSION, "exported_at": clock.stamp(), "nodes": nodes}


def _node(store: Store, path: str) -> dict[str, Any]:
    data = store.read_bytes(path)
    page = store.page(path, data)
    return {
        "path": path,
        "slug": page.slug,
        "id": page.id,
        "type": page.type,
        "title": page.title,
        "description": page.description,
        "aliases": list(page.aliases),
        "tags": list(page.tags),
        "status": page.status,
        "importance": page.importance,
        "created": page.created,
        "updated": page.updated,
        "scope": page.scope,
        "project": page.project,
        "branch": page.branch,
        "body": page.body,
        "links": [link.target for link in page.links if link.target],
        "session_id": page.session_id or None,
        "transcript_ref": page.transcript_ref or None,
        "front_matter": dict(page.front),
        "file": _packed(data),
    }


def _packed(data: bytes) -> dict[str, str]:
    try:
        return {"text": data.decode("utf-8")}
    except UnicodeDecodeError:
        return {"b64": base64.b64encode(data).decode("ascii")}
