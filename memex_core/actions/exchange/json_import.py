"""Pages from JSON: what ``memex export`` wrote comes back byte for byte, what others wrote becomes pages."""

from __future__ import annotations

import base64
import os
from typing import TYPE_CHECKING, Any

from memex_core.actions.exchange.plain_nodes import Plain, made
from memex_core.actions.pages.write import page_slug
from memex_core.actions.reviewing import governance
from memex_core.care import tombstones
from memex_core.care.unpack import ignores_case
from memex_core.files import surgeon
from memex_core.files.atomic import digest, inside
from memex_core.files.commit import Edit
from memex_core.files.opening import regular
from memex_core.model.errors import BadInput, MemexError
from memex_core.model.slug import fold

if TYPE_CHECKING:
    from memex_core.actions.store import Store

_WANTED = "import what `memex export` wrote"


def import_pages(store: Store, nodes: Any, *, dry_run: bool = False) -> dict[str, Any]:
    """``{imported, unchanged, skipped: [{path, reason}], warnings}``. Nothing that is there is overwritten.

    A node with ``file`` comes back byte for byte at its path; one without is made a page of what it says.
    What was purged here does not come back.
    Where the actor's writes wait for review, a file that this store has never held comes in as a draft.
    """
    if isinstance(nodes, dict):
        nodes = nodes.get("nodes")
    if not isinstance(nodes, list):
        raise BadInput("there is no list of nodes", hint=_WANTED)
    coming = _Coming(store)
    for number, node in enumerate(nodes, 1):
        where = f"node {number}"
        if not isinstance(node, dict):
            raise BadInput(f"{where} is no object", hint=_WANTED)
        if node.get("file") is None:
            coming.plain(node, where)
        else:
            coming.file(node, where)
    edits = coming.edits
    if edits and not dry_run:
        detail = {"import": len(edits)}
        item = page_slug(edits[0].path)
        store.commit(edits, action="add", item=item, detail=detail, scrubber=coming.scrub)
    return {
        "imported": len(edits),
        "unchanged": coming.unchanged,
        "skipped": coming.skipped,
        "warnings": coming.scrub.notes(),
        "dry_run": dry_run,
    }


class _Coming:
    """The pages of one document, each new, there already, or left out with the reason."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.scrub = store.scrubber()
        self.edits: list[Edit] = []
        self.unchanged = 0
        self.skipped: list[dict[str, str]] = []
        self._names: set[str] = set()
        self._fold = fold if ignores_case(store.layout.root) else str
        self._ids = {row.uid: row.path for row in store.index.rows(limit=10_000_000)[0] if row.uid}
        self._purged = tombstones.of(store.layout)
        self._held = governance.waits(store)
        events = store.journal.read() if self._held else ()
        self._known = {event["detail"].get("after") for event in events}

    def plain(self, node: dict[str, Any], where: str) -> None:
        """A page of what the node says."""
        try:
            page = made(self.store, node, self._ids, self.scrub, where)
        except MemexError as error:
            self._skip(str(node.get("title") or where), error.message)
            return
        if page.there:
            self._there(page.path, _says_the_same(self.store, page))
        elif str(node.get("id") or "") in self._purged.ids:
            self._skip(page.path, "it was purged here")
        else:
            self._new(page.path, page.data)

    def file(self, node: dict[str, Any], where: str) -> None:
        """A page as it was, byte for byte."""
        whole, path = _unpacked(node["file"], where), str(node.get("path") or "")
        data = self.scrub.file(whole)
        purged = self._purged.page(whole) or self._purged.page(data)
        if self._held and digest(data) not in self._known:
            try:
                data = surgeon.set_keys(data, {"status": "draft", "verified": None})
            except MemexError as error:
                self._skip(path, f"cannot wait for review: {error.message}")
                return
        if not path.endswith(".md"):
            raise BadInput(f"{where} has no page path", hint="'path' must end in .md")
        full = inside(self.store.layout.pages, path)
        known = self._ids.get(str(node.get("id") or ""))
        if os.path.lexists(full):
            with open(full, "rb", opener=regular) as file:
                self._there(path, digest(file.read()) == digest(data))
        elif known:
            self._skip(path, f"the page is at {known} already")
        elif purged:
            self._skip(path, "it was purged here")
        else:
            self._new(path, data)

    def _there(self, path: str, same: bool) -> None:
        if same:
            self.unchanged += 1
        else:
            self._skip(path, "another text is there")

    def _new(self, path: str, data: bytes) -> None:
        name = self._fold(path)
        if name in self._names:
            self._skip(path, "two pages of that name in the document")
            return
        self._names.add(name)
        self.edits.append(Edit(path, None, data))

    def _skip(self, path: str, reason: str) -> None:
        self.skipped.append({"path": path, "reason": reason})


def _unpacked(file: Any, where: str) -> bytes:
    if isinstance(file, dict) and isinstance(file.get("text"), str):
        try:
            return str(file["text"]).encode("utf-8")
        except UnicodeEncodeError:
            pass  # half a character: JSON can say it, no file can
    if isinstance(file, dict) and isinstance(file.get("b64"), str):
        try:
            return base64.b64decode(file["b64"], validate=True)
        except ValueError:
            pass
    raise BadInput(f"{where}: 'file' holds neither text nor base64", hint=_WANTED)


def _says_the_same(store: Store, plain: Plain) -> bool:
    """Whether the page that is there says what the node says; when and by whom is another matter."""
    there, new = store.page(plain.there[0]), store.page(plain.path, plain.data)
    front = [{key: value for key, value in page.front.items() if key != "generated"} for page in (there, new)]
    return len(plain.there) == 1 and there.body.strip() == new.body.strip() and front[0] == front[1]
