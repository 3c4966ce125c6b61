"""The tags in use, and renaming or merging them on every page that has them."""

from __future__ import annotations

from typing import Any

from memex_core.actions.store import Store
from memex_core.files import surgeon
from memex_core.files.commit import Edit
from memex_core.model.errors import AlreadyExists, BadInput, NotFound
from memex_core.model.page import Value


def tags(store: Store, *, limit: int | None = None) -> dict[str, Any]:
    """``{tags: [{tag, pages}], total}``, most used first."""
    rows = store.index.tags()
    return {"tags": [{"tag": tag, "pages": count} for tag, count in rows[:limit]], "total": len(rows)}


def rename_tag(store: Store, old: str, new: str, *, into: bool, dry_run: bool = False) -> dict[str, Any]:
    """Rename a front matter tag on every page; ``#tags`` in bodies are text and stay.

    ``into``: the new tag is in use and the two become one; without it that is refused, since it
    could not be taken apart again. All pages change, or none does.
    """
    scrub = store.scrubber()
    old, new = old.lstrip("#").strip(), scrub.text(new.lstrip("#").strip())
    if not old or not new:
        raise BadInput("a tag is empty", hint="give the old and the new tag")
    if old == new:
        raise BadInput(f"{old!r} is its own name", hint="give another")
    used = bool(store.index.tagged(new))
    if into and not used:
        raise NotFound(f"no page has the tag {new!r}", hint="`memex tags rename` gives a new name")
    if used and not into and old.casefold() != new.casefold():
        raise AlreadyExists(f"the tag {new!r} is in use", hint="`memex tags merge` makes the two one")
    edits, blocked = [], []
    for path in store.index.tagged(old):
        before = store.read_bytes(path)
        page = store.page(path, before)
        if not any(tag.casefold() == old.casefold() for tag in page.tags):
            continue
        if page.front_kind == "error":
            blocked.append(path)
            continue
        wanted: list[Value] = []
        for tag in page.tags:
            name = new if tag.casefold() == old.casefold() else tag
            if name not in wanted:
                wanted.append(name)
        gone = dict.fromkeys(surgeon.other_keys(page.front, "tags"))
        after = surgeon.set_keys(before, {**gone, "tags": wanted})
        if after != before:
            edits.append(Edit(path, before, after))
    if not edits and not blocked:
        raise NotFound(f"no page has the tag {old!r}", hint="`memex tags` lists them")
    if edits and not dry_run:
        store.commit(edits, action="update", item=new, detail={"tag": [old, new]}, scrubber=scrub)
    return {
        "tag": new,
        "was": old,
        "pages": [edit.path for edit in edits],
        "skipped": blocked,
        "dry_run": dry_run,
    }
