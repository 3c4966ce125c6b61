"""Tiers: a page reaches its branch, its project, or everything; one rung at a time, with a reason."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memex_core.actions.here import to_write
from memex_core.actions.pages.rename import relinked
from memex_core.actions.pages.write import new_path, page_slug
from memex_core.actions.store import Store
from memex_core.files import surgeon
from memex_core.files.commit import Edit
from memex_core.model.errors import Refused
from memex_core.model.page import Value

if TYPE_CHECKING:
    from memex_core.index.lookup import Row

RUNGS = ("branch", "project", "global")


def promote(
    store: Store,
    slug: str,
    *,
    why: str = "",
    scope: str | None = None,
    project: str | None = None,
    dry_run: bool = False,
) -> dict[str, Any]:
    """Move a page one tier up: branch, project, global. ``project`` says whose page is meant."""
    row = store.find(slug, scope=scope, project=project)
    return _change_tier(store, row, +1, why=why, dry_run=dry_run)


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
    row = store.find(slug, scope=scope)
    return _change_tier(store, row, -1, why=why, dry_run=dry_run, project=project, branch=branch)


def _change_tier(
    store: Store,
    row: Row,
    step: int,
    *,
    why: str,
    dry_run: bool,
    project: str = "",
    branch: str = "",
) -> dict[str, Any]:
    at = RUNGS.index(row.scope) + step
    if not 0 <= at < len(RUNGS):
        raise Refused(f"{row.path} is {row.scope} already", hint="there is no tier beyond")
    to = RUNGS[at]
    _, project, branch = to_write(store, to, project or row.project, branch)
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
