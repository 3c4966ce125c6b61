"""A store of items becomes pages and diary entries: who, from where, when and every link come along.

An item is a page of its own, ``<file>/<name>.md``. It answers to ``file:name``, so that links written
``[[file:name]]`` lead to it as they stand. What is there already is left alone: twice changes nothing.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from memex_core.actions.exchange.json_import import import_pages
from memex_core.files import diary, items
from memex_core.files.compose import new_page
from memex_core.files.layout import of_items
from memex_core.model import clock
from memex_core.model.errors import NotFound, Refused
from memex_core.model.slug import fold, numbered, portable_name, slugify

if TYPE_CHECKING:
    from memex_core.actions.store import Store
    from memex_core.files.diary import DiaryEntry
    from memex_core.files.items import Item
    from memex_core.files.scrubbing import Scrubber


def import_items(store: Store, folder: str, *, dry_run: bool = False) -> dict[str, Any]:
    """Take in the store of items at ``folder``: what :func:`import_pages` reports, and how many entries of
    the diary are new (``diary``) or were there (``diary_unchanged``).

    Raises NotFound where there are neither items nor a diary, and Refused for the store itself.
    """
    source = of_items(os.path.abspath(os.path.expanduser(folder)))
    days = diary.dates(source)
    files = items.files(source)
    if not (days or files):
        raise NotFound(
            f"no items and no diary in {folder}", hint="name the folder that holds wiki/ and diary/"
        )
    if os.path.samefile(store.layout.root, source.root):
        raise Refused(f"{folder} is this memory itself", hint="import it into another one: --root DIR")
    nodes = [node for file in files for node in _nodes(store, items.read(source, file))]
    result = import_pages(store, nodes, dry_run=dry_run)
    scrub = store.scrubber()
    added = unchanged = 0
    for date in days:
        new, known = _missing(store, date, diary.day(source, date), scrub)
        added, unchanged = added + len(new), unchanged + known
        if new and not dry_run:
            _keep(store, date, new)
    result["warnings"] = [*result["warnings"], *scrub.notes()]
    return {**result, "diary": added, "diary_unchanged": unchanged}


def _nodes(store: Store, found: list[Item]) -> list[dict[str, Any]]:
    """The pages of one file, in the form that an export has them."""
    taken: set[str] = set()
    nodes = []
    for item in found:
        ident = _ident(item)
        stem = portable_name(item.name) if store.layout.folder else slugify(item.name, ident=ident)
        stem = numbered(stem, lambda name: fold(name) in taken)
        taken.add(fold(stem))
        page = new_page(_front(item, ident), item.content)
        nodes.append({"path": f"{item.file}/{stem}.md", "id": ident, "file": {"text": page.decode()}})
    return nodes


def _front(item: Item, ident: str) -> dict[str, Any]:
    said = item.said
    return {
        "type": "note",
        "title": item.name,
        "aliases": [f"{item.file}:{item.name}"],
        "tags": [tag] if (tag := slugify(item.file)) else [],
        "id": ident,
        "created": clock.normal(said.ts) or said.ts,
        "owner": said.owner,
        "source_conv": said.source,
        "wikimem": dict(said.more),
    }


def _ident(item: Item) -> str:
    """The same id for the same item, wherever and whenever it is imported."""
    from uuid import NAMESPACE_URL, uuid5

    return str(uuid5(NAMESPACE_URL, f"wikimem:{item.file}:{item.name}"))


def _missing(
    store: Store, date: str, there: list[DiaryEntry], scrub: Scrubber
) -> tuple[list[DiaryEntry], int]:
    """Those of a day's entries that the diary does not hold yet, and how many it does."""
    held = [_same(entry) for entry in diary.day(store.layout, date)]
    new = []
    for entry in there:
        content, owner, source = map(scrub.text, (diary.text_of(entry), entry.owner, entry.source))
        entry = entry._replace(content=content, owner=owner, source=source, heading="")
        if _same(entry) in held:
            held.remove(_same(entry))  # two events may be word for word the same
        else:
            new.append(entry)
    return new, len(there) - len(new)


def _same(entry: DiaryEntry) -> tuple[str, ...]:
    at = clock.normal(entry.ts) or entry.ts
    return entry.time, diary.text_of(entry), entry.owner, entry.source, at


def _keep(store: Store, date: str, new: list[DiaryEntry]) -> None:
    diary.put(store.layout, date, new)
    event = {
        "action": "diary",
        "file": f"diary/{date}.md",
        "item": date,
        "actor": store.actor,
        "detail": {"import": len(new)},
    }
    store.journal.append([event])
    store.look_again()
