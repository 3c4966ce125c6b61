"""Pages to JSON and back, without loss: the file's own text travels beside the readable fields."""

from __future__ import annotations

import base64
import os
from typing import TYPE_CHECKING, Any

from memex_core.actions import governance
from memex_core.actions.plain_nodes import Plain, made
from memex_core.actions.write import page_slug
from memex_core.care.unpack import ignores_case
from memex_core.files import surgeon
from memex_core.files.atomic import digest, inside
from memex_core.files.commit import Edit
from memex_core.model import clock
from memex_core.model.errors import BadInput, MemexError
from memex_core.model.slug import fold

if TYPE_CHECKING:
    from memex_core.actions.store import Store

VERSION = "1.0"


def export(store: Store, *, after: str | None = None, limit: int | None = None) -> dict[str, Any]:
    """``{version, exported_at, nodes}``; a node holds what its page says and ``file``, its exact bytes.

    ``limit`` pages at most, those whose path comes ``after``: a part of the document.
    """
    nodes = []
    for path in [path for path in store.index.paths() if path > (after or "")][:limit]:
        data = store.read_bytes(path)
        page = store.page(path, data)
        nodes.append(
            {
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
        )
    return {"version": VERSION, "exported_at": clock.stamp(), "nodes": nodes}


def _packed(data: bytes) -> dict[str, str]:
    try:
        return {"text": data.decode("utf-8")}
    except UnicodeDecodeError:
        return {"b64": base64.b64encode(data).decode("ascii")}


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
    raise BadInput(f"{where}: 'file' holds neither text nor base64", hint="import what `memex export` wrote")


def import_pages(store: Store, nodes: Any, *, dry_run: bool = False) -> dict[str, Any]:
    """``{imported, unchanged, skipped: [{path, reason}], warnings}``. Nothing that is there is overwritten.

    A node with ``file`` comes back byte for byte at its path; one without is made a page of what it says.
    Where the actor's writes wait for review, a file that this store has never held comes in as a draft.
    """
    if isinstance(nodes, dict):
        nodes = nodes.get("nodes")
    if not isinstance(nodes, list):
        raise BadInput("there is no list of nodes", hint="import what `memex export` wrote")
    edits: list[Edit] = []
    coming: set[str] = set()
    unchanged, skipped = 0, []
    scrub = store.scrubber()
    key = fold if ignores_case(store.layout.root) else str
    held = governance.waits(store)
    known_texts = {event["detail"].get("after") for event in store.journal.read()} if held else set()
    ids = {row.uid: row.path for row in store.index.rows(limit=10_000_000)[0] if row.uid}
    for number, node in enumerate(nodes, 1):
        where = f"node {number}"
        if not isinstance(node, dict):
            raise BadInput(f"{where} is no object", hint="import what `memex export` wrote")
        if node.get("file") is None:
            try:
                plain = made(store, node, ids, scrub, where)
            except MemexError as error:
                skipped.append({"path": str(node.get("title") or where), "reason": error.message})
                continue
            if plain.there:
                same = _says_the_same(store, plain)
                unchanged += same
                if not same:
                    skipped.append({"path": plain.path, "reason": "another text is there"})
            elif key(plain.path) in coming:
                skipped.append({"path": plain.path, "reason": "two pages of that name in the document"})
            else:
                coming.add(key(plain.path))
                edits.append(Edit(plain.path, None, plain.data))
            continue
        data, path = scrub.file(_unpacked(node["file"], where)), str(node.get("path") or "")
        if held and digest(data) not in known_texts:
            try:
                data = surgeon.set_keys(data, {"status": "draft", "verified": None})
            except MemexError as error:
                skipped.append({"path": path, "reason": f"cannot wait for review: {error.message}"})
                continue
        if not path.endswith(".md"):
            raise BadInput(f"{where} has no page path", hint="'path' must end in .md")
        full = inside(store.layout.pages, path)
        known = ids.get(str(node.get("id") or ""))
        if os.path.lexists(full):
            with open(full, "rb") as file:
                same = digest(file.read()) == digest(data)
            unchanged += same
            if not same:
                skipped.append({"path": path, "reason": "another text is there"})
        elif known:
            skipped.append({"path": path, "reason": f"the page is at {known} already"})
        elif key(path) in coming:
            skipped.append({"path": path, "reason": "two pages of that name in the document"})
        else:
            coming.add(key(path))
            edits.append(Edit(path, None, data))
    if edits and not dry_run:
        detail = {"import": len(edits)}
        store.commit(edits, action="add", item=page_slug(edits[0].path), detail=detail, scrubber=scrub)
    return {
        "imported": len(edits),
        "unchanged": unchanged,
        "skipped": skipped,
        "warnings": scrub.notes(),
        "dry_run": dry_run,
    }


def _says_the_same(store: Store, plain: Plain) -> bool:
    """Whether the page that is there says what the node says; when and by whom is another matter."""
    there, new = store.page(plain.there[0]), store.page(plain.path, plain.data)
    front = [{key: value for key, value in page.front.items() if key != "generated"} for page in (there, new)]
    return len(plain.there) == 1 and there.body.strip() == new.body.strip() and front[0] == front[1]
