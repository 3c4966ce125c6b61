"""Looking: one page in full, lists, links and the graph. Nothing here writes."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from memex_core.actions.store import Store
from memex_core.model import markdown
from memex_core.model.errors import BadInput, NotFound
from memex_core.model.status import is_known, read_status

if TYPE_CHECKING:
    from memex_core.index.lookup import Row
    from memex_core.model.page import Page, Source
    from memex_core.model.results import Backlink, LinkInfo, PageList, PageRow, PageView

GRAPH_NODES = 60


def show(
    store: Store,
    slug: str,
    *,
    section: str | None = None,
    raw: bool = False,
    scope: str | None = None,
    project: str | None = None,
) -> PageView:
    """A page as its file says now, with resolved links and backlinks. Aliases find it too."""
    row = store.find(slug, scope=scope, project=project, loose=True)
    data = store.read_bytes(row.path)
    page = store.page(row.path, data)
    body = page.body
    if raw:
        body = data.decode("utf-8", "replace")
    elif section is not None:
        span = markdown.section(page.body, section)
        if span is None:
            names = ", ".join(h.text for h in page.headings[:8]) or "none"
            raise NotFound(f"{row.path} has no section {section!r}", hint=f"its headings: {names}")
        body = page.body[span[0] : span[1]]
    return {
        "slug": page.slug,
        "id": page.id,
        "path": row.path,
        "file_path": store.file_path(row.path),
        "title": page.title,
        "node_type": page.type,
        "status": page.status,
        "scope": page.scope,
        "project": page.project,
        "description": page.description,
        "aliases": list(page.aliases),
        "tags": list(page.tags),
        "hashtags": list(page.hashtags),
        "importance": page.importance,
        "created": page.created or row.created,
        "updated": page.updated or row.updated,
        "valid_from": page.valid_from,
        "valid_until": page.valid_until,
        "stale_after": page.stale_after,
        "trust": page.trust,
        "access_count": row.access_count,
        "last_access": row.last_access or None,
        "front_matter": dict(page.front),
        "front_matter_kind": page.front_kind,
        "body": body,
        "outline": [{"level": h.level, "text": h.text, "line": h.line} for h in page.headings],
        "blocks": list(page.blocks),
        "inline_fields": dict(page.inline_fields),
        "links": link_infos(store, page),
        "backlinks": backlinks(store, row.path),
        "sources": [_source(source) for source in page.sources],
        "transcript_ref": page.transcript_ref or None,
        "warnings": [asdict(problem) for problem in page.problems],
        "digest": page.digest,
    }


def _source(source: Source) -> dict[str, Any]:
    shown = asdict(source)
    if source.disputed is None:
        del shown["disputed"]
    return shown


def link_infos(store: Store, page: Page) -> list[LinkInfo]:
    """The page's links with the file each one means."""
    out: list[LinkInfo] = []
    for link in page.links:
        to = store.index.resolve_full(link.target, link.form, page.path, alias=link.alias)
        out.append(
            {
                "target": link.target,
                "to": to.path,
                "form": link.form,
                "rel": link.rel,
                "alias": link.alias,
                "heading": link.heading,
                "block": link.block,
                "ambiguous": list(to.ambiguous),
                "line": link.line,
            }
        )
    return out


def backlinks(store: Store, path: str) -> list[Backlink]:
    """Every link on another page that reaches ``path``, with the line it stands in."""
    return [
        {
            "slug": link.slug,
            "file_path": store.file_path(link.source),
            "path": link.source,
            "title": link.title,
            "rel": link.rel,
            "line": link.line,
            "text": link.text,
        }
        for link in store.index.links_to(path)
        if link.source != path
    ]


def list_pages(
    store: Store,
    *,
    type: Any = (),
    tag: Any = (),
    scope: str | None = None,
    project: str | None = None,
    status: Any = (),
    sort: str = "updated",
    limit: int = 50,
    cursor: str | None = None,
) -> PageList:
    """Pages, newest first unless ``sort`` is title, created, path, importance or used.

    Where there is none, ``warnings`` names the filters that no page can pass.
    """
    from memex_core.actions import terms
    from memex_core.actions.asking.recalling import either_case
    from memex_core.actions.here import to_read

    if limit < 1:
        raise BadInput(f"limit {limit} is too small", hint="from 1")
    types, tags = terms.as_list(type, "type"), terms.as_list(tag, "tag")
    statuses = terms.as_list(status, "status")
    within = to_read(store, scope, project)
    rows, total, after = store.index.rows(
        type=either_case(types),
        tags=tags,
        scope=scope.lower() if scope else None,
        project=within or None,
        status=[read_status(word) if is_known(word) else word for word in statuses],
        sort=sort,
        limit=limit,
        cursor=cursor,
    )
    warnings: list[str] = []
    if not total:
        from memex_core.actions.unknown import unknown

        warnings = unknown(
            store, types=types, tags=tags, statuses=statuses, scope=scope, project=project and within
        )
    pages = [page_row(store, row) for row in rows]
    return {"pages": pages, "total": total, "cursor": after, "warnings": warnings}


def page_row(store: Store, row: Row) -> PageRow:
    return {
        "slug": row.slug,
        "path": row.path,
        "file_path": store.file_path(row.path),
        "title": row.title,
        "node_type": row.type,
        "tags": row.tags,
        "status": row.status,
        "scope": row.scope,
        "project": row.project,
        "importance": row.importance,
        "trust": row.trust,
        "created": row.created,
        "updated": row.updated,
    }


def links(
    store: Store,
    slug: str,
    *,
    hops: int = 1,
    back: bool = False,
    scope: str | None = None,
    project: str | None = None,
) -> dict[str, Any]:
    """``{slug, path, links: [{path, slug, title, rel, hops, route}], unresolved}`` up to ``hops`` away.

    ``back`` follows the links that arrive instead of those that leave. A page that is related in several
    ways is named once for each, at the fewest hops that reach it.
    """
    if not 1 <= hops <= 5:
        raise BadInput(f"hops {hops} is out of range", hint="from 1 to 5")
    row = store.find(slug, scope=scope, project=project, loose=True)
    seen = {row.path}
    edge, found = [(row.path, [row.slug])], []
    for step in range(1, hops + 1):
        following: dict[str, list[str]] = {}
        related: set[tuple[str, str]] = set()
        for path, route in edge:
            steps = store.index.links_to(path) if back else store.index.links_from(path)
            for link in steps:
                to = link.source if back else link.dst
                if not to or to in seen or (to, link.rel) in related:
                    continue
                end = store.index.row(to)
                if end is None:
                    continue
                related.add((to, link.rel))
                way = [*route, end.slug]
                found.append(
                    {
                        "path": to,
                        "slug": end.slug,
                        "title": end.title,
                        "rel": link.rel,
                        "hops": step,
                        "route": way,
                    }
                )
                following.setdefault(to, way)
        seen.update(following)
        edge = list(following.items())
    missing = [] if back else sorted({x.target for x in store.index.unresolved(row.path) if x.target})
    return {"slug": row.slug, "path": row.path, "back": back, "links": found, "unresolved": missing}


def graph(
    store: Store,
    *,
    around: str | None = None,
    hops: int = 1,
    format: str = "json",
    limit: int | None = None,
    scope: str | None = None,
    project: str | None = None,
) -> dict[str, Any]:
    """The link graph as ``{focus, nodes, edges, omitted}``; with another ``format`` also its ``text``.

    ``around`` narrows it to the neighbourhood of one page, nearest first, ``limit`` nodes at most.
    """
    from memex_core.model.graph_export import FORMATS, export

    if format not in FORMATS:
        raise BadInput(f"{format!r} is no graph format", hint=", ".join(FORMATS))
    focus = store.find(around, scope=scope, project=project, loose=True).path if around else None
    made = store.index.graph(focus, hops=hops, limit=limit or (GRAPH_NODES if focus else 100_000))
    out: dict[str, Any] = {
        "focus": focus,
        "nodes": [node._asdict() for node in made.nodes],
        "edges": [edge._asdict() for edge in made.edges],
        "omitted": made.omitted,
    }
    if format != "json":
        out["text"] = export(made, format)
    return out
