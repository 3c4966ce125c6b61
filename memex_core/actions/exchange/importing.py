"""Taking in another tool's store: every page where it was, all of them or none, and twice changes nothing."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from memex_core.actions.pages.write import page_slug
from memex_core.actions.reviewing import governance
from memex_core.care.importing import basic_memory, obsidian, server_memory
from memex_core.care.importing.came import Came
from memex_core.care.importing.found import Arrival, Found
from memex_core.files import surgeon
from memex_core.files.atomic import digest, inside
from memex_core.files.commit import Edit
from memex_core.files.ignore import GENERATED
from memex_core.files.scan import is_page
from memex_core.model import relink
from memex_core.model.errors import BadInput, MemexError, NotFound, Refused
from memex_core.model.names import NameTable
from memex_core.model.resolve import resolve
from memex_core.model.slug import fold

if TYPE_CHECKING:
    from memex_core.actions.store import Store
    from memex_core.files.scrubbing import Scrubber

READERS: dict[str, Callable[[str], Found]] = {
    "obsidian": obsidian.read,
    "basic-memory": basic_memory.read,
    "server-memory": server_memory.read,
}
COLLISIONS = ("refuse", "number")


def import_from(
    store: Store, source: str, folder: str, *, collisions: str = "refuse", dry_run: bool = False
) -> dict[str, Any]:
    """Take in the store of another tool: what it is called in ``source``, and where it is.

    ``{imported, unchanged, skipped: [{path, reason}], renamed: {path there: path here}, attachments,
    damaged: [{file, line, message}], warnings}``. A page whose place is taken by another text is skipped, or
    with ``collisions`` "number" gets the next free name; links to it follow. A page that came in before is
    unchanged, wherever it is by now. Nothing that is there is ever written over.
    """
    if source == "wikimem":
        from memex_core.actions.exchange.item_import import import_items

        return import_items(store, folder, dry_run=dry_run)
    if source not in READERS:
        known = ", ".join(("wikimem", *READERS))
        raise BadInput(f"{source!r} is no store that can be read", hint=known)
    if collisions not in COLLISIONS:
        raise BadInput(f"{collisions!r} is no way with taken names", hint=" or ".join(COLLISIONS))
    found = _read(store, source, folder)
    with store.alone(unless=dry_run):
        came = Came(store.layout, source)
        arriving = _Arriving(store, found.arrivals, came, number=collisions == "number")
        arriving.place()
        edits, times, notes = arriving.edits()
        if edits and not dry_run:
            detail = {"import": len(edits), "source": source}
            store.commit(
                edits, action="add", item=page_slug(edits[0].path), detail=detail, scrubber=arriving.scrub
            )
            came.keep({one.key: (digest(one.data), path) for one, path in arriving.placed})
            keep_times(store, times)
    return {
        "imported": len(edits),
        "unchanged": arriving.unchanged,
        "skipped": arriving.skipped,
        "renamed": arriving.renamed,
        "attachments": found.attachments,
        "damaged": [one._asdict() for one in found.damaged],
        "warnings": [*({**one._asdict(), "level": "warning"} for one in found.odd), *notes],
        "dry_run": dry_run,
    }


def _read(store: Store, source: str, folder: str) -> Found:
    if not folder.strip():
        raise BadInput("no folder is named", hint="name the one that holds the pages")
    path = os.path.abspath(os.path.expanduser(folder))
    if not os.path.exists(path) or (source != "server-memory" and not os.path.isdir(path)):
        raise NotFound(f"there is no {source} store at {folder}", hint="name its folder")
    if os.path.realpath(path) in (os.path.realpath(store.layout.root), os.path.realpath(store.layout.pages)):
        raise Refused(f"{folder} is this memory itself", hint="import it into another one: --root DIR")
    try:
        found = READERS[source](path)
    except OSError as error:
        raise NotFound(
            f"{folder} cannot be read ({(error.strerror or 'unknown error').lower()})", hint="name its folder"
        ) from error
    if not found.arrivals and not found.damaged:
        raise NotFound(f"no page of {source} in {folder}", hint="name the folder that holds them")
    return found


class _Arriving:
    """Finds a place for every page, then turns links to those that were renamed."""

    def __init__(self, store: Store, arrivals: list[Arrival], came: Came, *, number: bool) -> None:
        self.store = store
        self.scrub: Scrubber = store.scrubber()
        self.unchanged = 0
        self.skipped: list[dict[str, str]] = []
        self.renamed: dict[str, str] = {}
        self._arrivals = arrivals
        self._number = number
        self._held = governance.waits(store)
        self._came = came
        self._taken = {fold(path) for path in store.index.paths()}
        self._ids = {
            row.uid: row.path
            for row in store.index.rows(limit=1_000_000_000)[0]
            if row.uid and len(row.uid) >= 32
        }
        self.placed: list[tuple[Arrival, str]] = []

    def place(self) -> None:
        for one in self._arrivals:
            path = self._wanted(one.path)
            try:
                inside(self.store.layout.pages, path)
                if not is_page(self.store.layout, path):
                    raise Refused("it is hidden, reserved or ignored here")
            except MemexError as error:
                self.skipped.append({"path": one.path, "reason": error.message})
                continue
            where = self._known(one, path)
            if where:
                self.unchanged += 1
                if where != one.path:
                    self.renamed[one.path] = where
                continue
            self._give(one, path)

    def _wanted(self, path: str) -> str:
        home, slash, name = path.rpartition("/")
        if not self.store.layout.folder and name.lower() in GENERATED:
            name = f"{name[:-3]}-page.md"
        elif name.endswith(".MD"):
            name = f"{name[:-3]}.md"
        return f"{home}{slash}{name}"

    def _known(self, one: Arrival, path: str) -> str:
        """Where the page is by now, when it came in before; empty: it is new."""
        came = self._came.where(one.key, digest(one.data))
        if came and os.path.lexists(self.store.file_path(came)):
            return came
        return path if self._same(path, one.data) else ""

    def _same(self, path: str, data: bytes) -> bool:
        try:
            return self.store.read_bytes(path) == data
        except MemexError:
            return False

    def _give(self, one: Arrival, path: str) -> None:
        ident = self.store.page(path, one.data).id
        there = self._ids.get(ident, "")
        if there and self._same(there, one.data):
            self.unchanged += 1
            self.renamed[one.path] = there
            return
        if there:
            self.skipped.append({"path": one.path, "reason": f"the page is at {there}, with another text"})
            return
        if fold(path) in self._taken or os.path.lexists(self.store.file_path(path)):
            if not self._number:
                self.skipped.append({"path": one.path, "reason": f"another text is at {path}"})
                return
            stem, count = path[:-3], 2
            while fold(f"{stem}-{count}.md") in self._taken or os.path.lexists(
                self.store.file_path(f"{stem}-{count}.md")
            ):
                count += 1
            path = f"{stem}-{count}.md"
        self._taken.add(fold(path))
        if len(ident) >= 32:
            self._ids[ident] = path
        if path != one.path:
            self.renamed[one.path] = path
        self.placed.append((one, path))

    def edits(self) -> tuple[list[Edit], dict[str, int], list[Any]]:
        """What to write, when each file was last changed where it comes from, and what to tell."""
        edits, times = [], {}
        turn = self._turner() if self.renamed else None
        for one, path in self.placed:
            data = turn(one, path) if turn else one.data
            data = self.scrub.file(data)
            if self._held:
                try:
                    data = surgeon.set_keys(data, {"status": "draft", "verified": None})
                except MemexError as error:
                    self.skipped.append(
                        {"path": one.path, "reason": f"cannot wait for review: {error.message}"}
                    )
                    continue
            edits.append(Edit(path, None, data))
            times[path] = one.mtime_ns
        return edits, times, list(self.scrub.notes())

    def _turner(self) -> Callable[[Arrival, str], bytes]:
        """Rewrites the links of a page to pages that have another name here, each in its own form."""
        names = NameTable()
        for one in self._arrivals:
            page = self.store.page(one.path, one.data)
            names.add(one.path, page.aliases, page.title)

        def turned(one: Arrival, path: str) -> bytes:
            def wanted(link: Any) -> str | None:
                to = resolve(link.target, link.form, one.path, names, alias=link.alias)
                if to.path is None or (to.path not in self.renamed and one.path == path):
                    return None
                return relink.new_target(
                    link,
                    via=to.via,
                    old_path=to.path,
                    new_path=self.renamed.get(to.path, to.path),
                    new_title=None,
                    source_before=one.path,
                    source_after=path,
                    unique=lambda name: False,
                    ambiguous=to.ambiguous,
                )

            text, changes = relink.rewrite_file(one.data.decode("utf-8", "surrogateescape"), wanted)
            return text.encode("utf-8", "surrogateescape") if changes else one.data

        return turned


def keep_times(store: Store, times: dict[str, int]) -> None:
    """The files keep the time at which they were last changed: a page without dates is as old as that."""
    for path, mtime in times.items():
        if mtime:
            try:
                os.utime(store.file_path(path), ns=(mtime, mtime))
            except OSError:
                pass  # a disk without times loses nothing else
    store.index.update(list(times))
    store.look_again()
