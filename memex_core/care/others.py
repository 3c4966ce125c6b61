"""What others wrote while a watch runs: the journal tells, where the index cannot.

A process that writes a page, or finds one edited by hand, brings the index in step itself: whoever
compares the folder with the index afterwards finds no difference. Its journal line says what there was.
"""

from __future__ import annotations

import os
from collections import OrderedDict
from typing import TYPE_CHECKING

from memex_core.files.journal import Journal
from memex_core.index.freshness import Refresh
from memex_core.model.errors import MemexError

if TYPE_CHECKING:
    from memex_core.files.layout import Layout
    from memex_core.model.results import Event

REMEMBERED = 2_000  # pages whose last told state is known, so that nothing is told twice


class Others:
    """The journal's events after ``since`` (default: from now on) that nobody was told of yet."""

    def __init__(self, layout: Layout, since: int | None = None) -> None:
        self._journal = Journal(layout)
        self._seen = self._journal.last_seq() if since is None else since
        self._size = -1
        self._told: OrderedDict[str, str | None] = OrderedDict()

    @property
    def stirred(self) -> bool:
        """Whether the journal is another than at the last look. Costs one question to the system."""
        return self._size_now() != self._size

    def note(self, change: Refresh) -> None:
        """Remember what the index's own comparison found: its journal line, when it comes, is no news."""
        for path in (*change.removed, *change.renamed.values()):
            self._remember(path, None)
        for path, digest in change.digests.items():
            self._remember(path, digest)

    def news(self) -> Refresh:
        """What the new events say of pages, each page once, as it was last."""
        size = self._size_now()
        if size == self._size:
            return Refresh()
        try:
            events = list(self._journal.read(reverse=True, after=self._seen))
        except MemexError:  # it cannot be read now: the next look may
            return Refresh()
        self._size = size
        digests: dict[str, str | None] = {}
        renamed: dict[str, str] = {}
        added: set[str] = set()
        for event in reversed(events):
            self._seen = event["seq"]
            path, detail = event["file"], event["detail"]
            if "after" not in detail:  # a day of the diary, a conversation
                continue
            if self._told.get(path, "") == detail["after"]:
                digests.pop(path, None)  # what was known is what came last
                continue
            after, came_from = detail["after"], detail.get("from")
            digests[path] = after
            if came_from:
                renamed[path] = came_from
                added.discard(came_from)
                digests[came_from] = None
            elif _made(event):
                added.add(path)
        kept = {path: digest for path, digest in digests.items() if digest is not None}
        gone = [path for path, digest in digests.items() if digest is None]
        renamed = {new: old for new, old in renamed.items() if new in kept}
        return Refresh(
            tuple(path for path in kept if path in added and path not in renamed),
            tuple(path for path in kept if path not in added and path not in renamed),
            tuple(path for path in gone if path not in set(renamed.values())),
            renamed,
            kept,
        )

    def _remember(self, path: str, digest: str | None) -> None:
        self._told[path] = digest
        self._told.move_to_end(path)
        while len(self._told) > REMEMBERED:
            self._told.popitem(last=False)

    def _size_now(self) -> int:
        try:
            return os.stat(self._journal.path).st_size
        except OSError:
            return 0


def together(first: Refresh, then: Refresh) -> Refresh:
    """Both, of which ``then`` is the last word on its pages."""
    known = {*then.digests, *then.removed, *then.renamed.values()}
    if not known:
        stale, warnings = first.stale or then.stale, (*first.warnings, *then.warnings)
        return first._replace(first=first.first or then.first, stale=stale, warnings=warnings)
    renamed = {new: old for new, old in first.renamed.items() if new not in known and old not in known}
    return Refresh(
        (*(path for path in first.added if path not in known), *then.added),
        (*(path for path in first.changed if path not in known), *then.changed),
        (*(path for path in first.removed if path not in known), *then.removed),
        {**renamed, **then.renamed},
        {**{path: digest for path, digest in first.digests.items() if path not in known}, **then.digests},
        first=first.first or then.first,
        stale=first.stale or then.stale,
        warnings=(*first.warnings, *then.warnings),
    )


def _made(event: Event) -> bool:
    """Whether the page was not there before."""
    if event["action"] == "hand":
        return event["detail"].get("what") == "added"
    return event["before"] is None
