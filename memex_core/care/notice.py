"""Outside edits become history too: what the index found changed, and no memex wrote, is journalled, with
the text from before where that is known."""

from __future__ import annotations

import itertools
import json
import os
import sqlite3
from typing import TYPE_CHECKING, Any

from memex_core.care.others import together
from memex_core.files.atomic import digest as digest_of
from memex_core.files.atomic import read_file
from memex_core.files.journal import before_of
from memex_core.files.opening import regular
from memex_core.files.scan import scan
from memex_core.index import earlier
from memex_core.index.freshness import Refresh
from memex_core.model import clock

if TYPE_CHECKING:
    from memex_core.files.layout import Layout
    from memex_core.index.index import Index

_UNNOTICED = "unnoticed"
LOOKED_BACK = 500  # events; a write of another process is among the latest
KEPT_AT_FIRST = 2_000  # pages of a store of which copies are made before any of them changed


def postpone(index: Index, late: str | None, change: Refresh) -> None:
    """Leave a change to the next command, in the index: a dry run writes nothing into the journal."""
    if change.first:
        return
    whole = together(_read(late), change)
    parts = (whole.added, whole.changed, whole.removed, dict(whole.renamed), dict(whole.digests))
    try:
        index.set_meta(_UNNOTICED, json.dumps(parts))
    except sqlite3.Error:
        pass  # an index that cannot be written finds the same change again


def _read(late: str | None) -> Refresh:
    """What :func:`postpone` left."""
    try:
        added, changed, removed, renamed, digests = json.loads(late or "")
        return Refresh(tuple(added), tuple(changed), tuple(removed), renamed, digests)
    except (ValueError, TypeError):
        return Refresh()


def notice(layout: Layout, change: Refresh, index: Index | None = None, late: str | None = None) -> int:
    """Append a ``hand`` event a page that was edited, made, moved or removed outside; returns how many.

    ``late`` is what dry runs left in ``index``. Nothing is written when the store has no state folder, or for
    the first building of an index.
    """
    if not os.path.isdir(layout.state):
        return 0
    if late and index is not None:
        change = change if change.first else together(_read(late), change)
        index.set_meta(_UNNOTICED, None)
    if change.first:
        return 0
    from memex_core.files.journal import Journal

    journal = Journal(layout)
    own: set[tuple[str, Any]] = set()
    last: dict[str, Any] = {}
    for event in itertools.islice(journal.read(reverse=True), LOOKED_BACK):
        if "after" in event["detail"]:
            own.add((event["file"], event["detail"]["after"]))
            last.setdefault(event["file"], event["detail"]["after"])

    def told(path: str, digest: str | None) -> bool:
        """Whether the journal has it. What is again as it was before, after it was another, is news."""
        if (path, digest) not in own:
            return False
        return last[path] == digest or _digest(layout, path) != digest

    changed = {path: digest for path, digest in change.digests.items() if not told(path, digest)}
    removed = [path for path in change.removed if not told(path, None)]
    if not changed and not removed:
        return 0
    texts: dict[str, bytes | None] = {path: _text(layout, path) for path in changed}
    texts |= {path: None for path in (*removed, *(change.renamed.get(path, "") for path in changed)) if path}
    known = {
        path: text
        for path, text in earlier.known(layout, texts).items()
        if path not in last or last[path] == digest_of(text.data)  # else it is not the text before
    }
    now = earlier.now()
    noted: dict[str, float] = {}
    events: list[dict[str, Any]] = []
    for path, digest in changed.items():
        came_from = change.renamed.get(path)
        what = "renamed" if came_from else "added" if path in change.added else "changed"
        detail: dict[str, Any] = {"what": what, "after": digest}
        if came_from:
            detail["from"] = came_from
        was = known.get(came_from or path) if what != "added" else None
        if was is not None and not came_from and was.in_burst(now):
            noted[path] = was.noted
            was = None
        elif was is not None:
            noted[path] = now
        events.append(_event(path, detail, was.data if was else None))
    for path in removed:
        before = known.get(path)
        events.append(_event(path, {"what": "removed", "after": None}, before.data if before else None))
    journal.append(events)
    earlier.keep(layout, texts, noted)
    return len(events)


def first_copies(layout: Layout, index: Index) -> None:
    """Keep what every page says, where there are no copies yet: of a large store that would take too long."""
    if os.path.isdir(layout.state) and index.total() <= KEPT_AT_FIRST:
        earlier.keep(layout, {path: _text(layout, path) for path in index.paths()})


def copy_all(layout: Layout) -> None:
    """Keep what every page says: the first outside edit after a restore can then be taken back."""
    paths = sorted(scan(layout).pages)
    for at in range(0, len(paths), KEPT_AT_FIRST):
        earlier.keep(layout, {path: _text(layout, path) for path in paths[at : at + KEPT_AT_FIRST]})


def _text(layout: Layout, path: str) -> bytes | None:
    """The file as it is now; None when it is gone, too large for a copy, or cannot be read."""
    file = layout.file_path(path)
    try:
        if os.path.getsize(file) > earlier.LARGEST:
            return None
        with open(file, "rb", opener=regular) as opened:
            return opened.read()
    except OSError:
        return None


def _digest(layout: Layout, path: str) -> str | None:
    """The digest of the file as it is now, also of a large one; None when it is gone or cannot be read."""
    try:
        return digest_of(read_file(layout.file_path(path)))
    except OSError:
        return None


def _event(path: str, detail: dict[str, Any], before: bytes | None) -> dict[str, Any]:
    from memex_core.model.slug import slugify

    return {
        "ts": clock.stamp(),
        "action": "hand",
        "file": path,
        "item": slugify(path.rsplit("/", 1)[-1].removesuffix(".md")),
        "actor": "hand",
        "before": before_of(before),
        "detail": detail,
    }
