"""A person doubts a source of a page, or doubts it no longer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memex_core.actions.reviewing.governance import check_reviewer
from memex_core.actions.reviewing.proposal import listed
from memex_core.files import surgeon
from memex_core.files.atomic import digest
from memex_core.files.commit import Edit
from memex_core.model import clock
from memex_core.model.errors import Conflict, NotFound

if TYPE_CHECKING:
    from memex_core.actions.store import Store
    from memex_core.model.page import Value


def dispute(
    store: Store,
    slug: str,
    source: str,
    *,
    why: str = "",
    withdraw: bool = False,
    expect: str | None = None,
    scope: str | None = None,
    project: str | None = None,
    dry_run: bool = False,
) -> dict[str, Any]:
    """Note in the page's entry of the source who doubts it, when and why: ``{slug, path, source, disputed,
    changed}``. The page comes to review; ``withdraw`` takes the note away. ``source`` is the id of the
    entry, or what it cites. Nothing else of the page changes, and what it says is as old as it was.
    """
    check_reviewer(store)
    row = store.find(slug, scope=scope, project=project)
    before = store.read_bytes(row.path)
    if expect is not None and expect != digest(before):
        raise Conflict(f"{row.path} changed since you looked at it", hint="look at it again")
    entries = listed(store.page(row.path, before).front.get("sources"))
    at = _place(entries, source)
    if at is None:
        known = ", ".join(name for one in entries if (name := _names(one)[0]))
        raise NotFound(
            f"{row.path} has no source {source!r}", hint=f"there are: {known}" if known else "it names none"
        )
    entry = entries[at]
    noted: dict[str, Value] = dict(entry) if isinstance(entry, dict) else {"resource": entry}
    if withdraw:
        noted.pop("disputed", None)
    else:
        said = " ".join(store.scrubber().text(why).split())
        doubt: dict[str, Value] = {"by": store.actor, "at": clock.stamp(), **({"why": said} if said else {})}
        noted = {**{key: value for key, value in noted.items() if key != "disputed"}, "disputed": doubt}
    entries[at] = noted if isinstance(entry, dict) or not withdraw else entry
    after = surgeon.set_keys(before, {"sources": entries})
    if after != before:
        detail = {"disputed": not withdraw, "source": source}
        made = [Edit(row.path, before, after)]
        store.commit(made, action="status", item=row.slug, detail=detail, dry_run=dry_run)
    return {
        "slug": row.slug,
        "path": row.path,
        "source": source,
        "disputed": not withdraw,
        "changed": after != before,
        "dry_run": dry_run,
    }


def _place(entries: list[Value], source: str) -> int | None:
    """Which entry is meant: by its id, else by what it cites."""
    for way in (0, 1):
        found = [at for at, one in enumerate(entries) if source and _names(one)[way] == source]
        if found:
            return found[0]
    return None


def _names(entry: Value) -> tuple[str, str]:
    """The id of a source, and what it cites."""
    if isinstance(entry, dict):
        return str(entry.get("id") or ""), str(entry.get("resource") or "")
    return "", str(entry or "")
