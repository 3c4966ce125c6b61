"""A page's whole text, written where it belongs, whether its file is still there or not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memex_core.actions.store import Store
from memex_core.files.atomic import digest, inside
from memex_core.files.commit import Edit
from memex_core.model.errors import Conflict, NotFound

if TYPE_CHECKING:
    from memex_core.model.results import WriteResult


def put(store: Store, path: str, data: bytes, *, expect: str | None = None) -> WriteResult:
    """Make ``data`` the file at ``path`` (relative to the page folder), byte for byte but for new secrets.

    ``expect`` is the digest of the text that ``data`` was made from; None: there was no file. Raises
    Conflict when the file is another one by now; one that is gone is written anew.
    """
    from memex_core.actions.pages.write import page_slug, result

    inside(store.layout.pages, path)
    try:
        before: bytes | None = store.read_bytes(path)
    except NotFound:
        before = None
    if before is not None and (expect is None or digest(before) != expect):
        raise Conflict(f"{path} changed since you read it", hint="read it again; your text was not written")
    scrub = store.scrubber()
    data = scrub.file(data, *filter(None, [before]))
    changed = before != data
    if changed:
        action = "update" if before is not None else "add"
        store.commit([Edit(path, before, data)], action=action, item=page_slug(path), scrubber=scrub)
    return result(store, path, data, changed=changed, dry_run=False, warnings=scrub.notes())
