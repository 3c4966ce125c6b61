"""Outside edits become history too: what the index found changed, and no memex wrote, is journalled."""

from __future__ import annotations

import itertools
import os
from typing import TYPE_CHECKING, Any

from memex_core.model import clock

if TYPE_CHECKING:
    from memex_core.files.layout import Layout
    from memex_core.index.freshness import Refresh

LOOKED_BACK = 500  # events; a write of another process is among the latest


def notice(layout: Layout, change: Refresh) -> int:
    """Append a ``hand`` event a page that was edited, made, moved or removed outside; returns how many.

    Nothing is written when the store has no state folder, or for the first building of an index.
    """
    if change.first or not os.path.isdir(layout.state):
        return 0
    from memex_core.files.journal import Journal

    journal = Journal(layout)
    own = {
        (event["file"], event["detail"].get("after"))
        for event in itertools.islice(journal.read(reverse=True), LOOKED_BACK)
    }
    events: list[dict[str, Any]] = []
    for path, digest in change.digests.items():
        if (path, digest) in own:
            continue
        came_from = change.renamed.get(path)
        what = "renamed" if came_from else "added" if path in change.added else "changed"
        detail: dict[str, Any] = {"what": what, "after": digest}
        if came_from:
            detail["from"] = came_from
        events.append(_event(path, detail))
    for path in change.removed:
        if (path, None) not in own:
            events.append(_event(path, {"what": "removed", "after": None}))
    if events:
        journal.append(events)
    return len(events)


def _event(path: str, detail: dict[str, Any]) -> dict[str, Any]:
    from memex_core.model.slug import slugify

    return {
        "ts": clock.stamp(),
        "action": "hand",
        "file": path,
        "item": slugify(path.rsplit("/", 1)[-1].removesuffix(".md")),
        "actor": "hand",
        "before": None,
        "detail": detail,
    }
