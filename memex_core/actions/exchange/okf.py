"""The store as an Open Knowledge Format bundle: is it one, and navigation for other readers of it."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from memex_core.care import okf_check, okf_index
from memex_core.model.actor import is_agent
from memex_core.model.errors import NotFound, Refused, Unreachable

if TYPE_CHECKING:
    from memex_core.actions.store import Store

_ALL = 1_000_000_000


def check(store: Store, folder: str | None = None, *, strict: bool = False) -> dict[str, Any]:
    """``{ok, pages, findings: [{level, file, line, message}], …}`` of the store, or of ``folder``."""
    root = os.path.abspath(os.path.expanduser(folder)) if folder else store.layout.pages
    if not os.path.isdir(root):
        raise NotFound(f"there is no folder {folder or root}", hint="name the folder that holds the pages")
    try:
        pages, found = okf_check.check(root)
    except OSError as error:
        raise Unreachable(f"{root} cannot be listed ({(error.strerror or 'unknown').lower()})") from error
    if not folder and not store.layout.folder:
        found += _behind(store)
    errors = sum(one.level == "error" for one in found)
    return {
        "folder": root,
        "okf_version": okf_check.VERSION,
        "ok": not errors and not (strict and found),
        "pages": pages,
        "errors": errors,
        "warnings_count": len(found) - errors,
        "findings": [one._asdict() for one in found],
    }


def _behind(store: Store) -> list[okf_check.Finding]:
    """Where there is navigation that memex made: its files that do not say what the pages say."""
    planned = okf_index.plan(store.layout, _listed(store)) if okf_index.made(store.layout) else []
    said = {
        "written": "is missing",
        "rewritten": "is not as the pages are",
        "removed": "has no pages any more",
    }
    return [
        okf_check.Finding("warning", one.path, 0, f"the navigation {said[one.what]}: memex okf index")
        for one in planned
        if one.what in said
    ]


def _listed(store: Store) -> list[okf_index.Listed]:
    return [
        okf_index.Listed(row.path, row.title, row.type, row.description)
        for row in store.index.rows(limit=_ALL)[0]
        if row.status == "stable"
    ]


def index(
    store: Store, *, progress: Callable[[int, int], None] | None = None, dry_run: bool = False
) -> dict[str, Any]:
    """Write the navigation files: ``{written: [{path, what}], unchanged, refused: [{path, reason}]}``.

    Pages in use are listed; drafts and archived pages are not. In a folder opened as it is these names are
    pages, so it is refused there.
    """
    if store.layout.folder:
        raise Refused(
            "index.md and log.md are pages in a folder opened as it is", hint="`memex init` makes a store"
        )
    if is_agent(store.actor):
        raise Refused("only a person has navigation files written", hint="`memex okf index` does")
    listed = _listed(store)
    written, refused, unchanged = [], [], 0
    with store.alone(unless=dry_run):
        planned = okf_index.plan(store.layout, listed)
        for number, one in enumerate(planned, 1):
            if one.what == "unchanged":
                unchanged += 1
            elif one.what == "foreign":
                refused.append({"path": one.path, "reason": "memex did not make this file"})
            else:
                if not dry_run:
                    okf_index.carry_out(store.layout, one)
                written.append({"path": one.path, "what": one.what})
            if progress is not None:
                progress(number, len(planned))
    return {"written": written, "unchanged": unchanged, "refused": refused, "dry_run": dry_run}
