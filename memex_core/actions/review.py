"""Drafts and tiers: approve, reject, merge, promote and demote."""

from __future__ import annotations

from typing import Any

from memex_core.actions import terms
from memex_core.actions.rename import relinked
from memex_core.actions.store import Store
from memex_core.actions.write import new_path, page_slug
from memex_core.files import surgeon
from memex_core.files.commit import Edit
from memex_core.model import clock
from memex_core.model.errors import BadInput, Refused
from memex_core.model.page import Value

RUNGS = ("branch", "project", "global")


def approve(store: Store, slugs: Any, *, scope: str | None = None, dry_run: bool = False) -> dict[str, Any]:
    """Make drafts stable and put on record who looked: ``{approved: [slug]}``."""
    done = []
    for slug in terms.as_list(slugs, "slugs"):
        row = store.find(slug, scope=scope)
        before = store.read_bytes(row.path)
        page = store.page(row.path, before)
        if page.status != "draft":
            raise Refused(
                f"{row.path} is {page.status}, not a draft",
                hint="`memex list --status draft` shows the drafts",
            )
        seen: Value = page.front.get("verified")
        verified = seen if isinstance(seen, list) else [seen] if seen else []
        stamp: dict[str, Value] = {"by": store.actor, "at": clock.stamp()}
        after = surgeon.set_keys(before, {"status": None, "verified": [*verified, stamp]})
        if not dry_run:
            store.commit(
                [Edit(row.path, before, after)], action="status", item=row.slug, detail={"status": "stable"}
            )
        done.append(row.slug)
    return {"approved": done, "dry_run": dry_run}


def reject(
    store: Store, slugs: Any, *, why: str = "", scope: str | None = None, dry_run: bool = False
) -> dict[str, Any]:
    """Remove drafts; the reason is kept in the journal: ``{rejected: [slug]}``."""
    done = []
    for slug in terms.as_list(slugs, "slugs"):
        row = store.find(slug, scope=scope)
        before = store.read_bytes(row.path)
        if store.page(row.path, before).status != "draft":
            raise Refused(f"{row.path} is not a draft", hint="`memex forget` removes other pages")
        if not dry_run:
            detail = {"rejected": True, "why": why}
            store.commit([Edit(row.path, before, None)], action="remove", item=row.slug, detail=detail)
        done.append(row.slug)
    return {"rejected": done, "why": why, "dry_run": dry_run}


def merge(
    store: Store, target: str, source: str, *, scope: str | None = None, dry_run: bool = False
) -> dict[str, Any]:
    """Put the source's body under the target's; the source stays as a deprecated page that points there."""
    into, other = store.find(target, scope=scope), store.find(source, scope=scope)
    if into.path == other.path:
        raise BadInput(f"{target} and {source} are one page", hint="name two pages")
    old_into, old_other = store.read_bytes(into.path), store.read_bytes(other.path)
    page, gone = store.page(into.path, old_into), store.page(other.path, old_other)
    text = f"\n## Merged from {gone.title}\n\n{gone.body.strip()}\n"
    new_into = surgeon.append_body(old_into, text)
    new_into = surgeon.set_keys(new_into, {"supersedes": _with(page.front.get("supersedes"), other.slug)})
    new_other = surgeon.set_keys(old_other, {"status": "deprecated", "superseded_by": into.slug})
    if not dry_run:
        store.commit(
            [Edit(into.path, old_into, new_into), Edit(other.path, old_other, new_other)],
            action="merge",
            item=into.slug,
            detail={"source": other.slug},
        )
    return {"slug": into.slug, "path": into.path, "merged": other.slug, "dry_run": dry_run}


def promote(
    store: Store, slug: str, *, why: str = "", scope: str | None = None, dry_run: bool = False
) -> dict[str, Any]:
    """Move a page one tier up: branch, project, global."""
    return _change_tier(store, slug, +1, why=why, scope=scope, dry_run=dry_run)


def demote(
    store: Store,
    slug: str,
    *,
    project: str = "",
    branch: str = "",
    why: str = "",
    scope: str | None = None,
    dry_run: bool = False,
) -> dict[str, Any]:
    """Move a page one tier down; a global page needs the ``project``, a project page the ``branch``."""
    return _change_tier(
        store, slug, -1, why=why, scope=scope, dry_run=dry_run, project=project, branch=branch
    )


def _change_tier(
    store: Store,
    slug: str,
    step: int,
    *,
    why: str,
    scope: str | None,
    dry_run: bool,
    project: str = "",
    branch: str = "",
) -> dict[str, Any]:
    row = store.find(slug, scope=scope)
    at = RUNGS.index(row.scope) + step
    if not 0 <= at < len(RUNGS):
        raise Refused(f"{row.path} is {row.scope} already", hint="there is no tier beyond")
    to = RUNGS[at]
    project = project or row.project
    if to != "global" and not project:
        raise BadInput(f"demoting {slug} needs its project", hint="add --project")
    if to == "branch" and not branch:
        raise BadInput(f"demoting {slug} needs its branch", hint="add --branch")
    before = store.read_bytes(row.path)
    changes: dict[str, Value | None] = {
        "scope": None if to == "global" else to,
        "project": project if to != "global" else None,
        "branch": branch if to == "branch" else None,
    }
    after = surgeon.set_keys(before, changes)
    path = row.path
    if not store.layout.folder and {to, row.scope} != {"branch", "project"}:
        page = store.page(row.path, before)
        path = new_path(store, page.type, page.title, page.id, scope=to, project=project)
    edits = relinked(store, row.path, path, before, after, page_title=None) if path != row.path else []
    edits = edits or [Edit(row.path, before, after)]
    if not dry_run:
        detail = {"scope": [row.scope, to], **({"why": why} if why else {})}
        store.commit(edits, action="scope", item=page_slug(path), detail=detail)
    return {
        "slug": page_slug(path),
        "path": path,
        "scope": to,
        "was": row.scope,
        "why": why,
        "dry_run": dry_run,
    }


def _with(value: Value, slug: str) -> list[Value]:
    present: list[Value] = value if isinstance(value, list) else [value] if value else []
    return present if slug in present else [*present, slug]
