"""The graph as it was: pages and links at a moment, from the journal's older texts and the index.

Pages that did not change since are read from the index; of the others the text before their next change
is parsed. A link means what it meant then: also in a page that never changed, when what it names came,
went or was renamed.
"""

from __future__ import annotations

import zlib
from bisect import bisect_right
from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from memex_core.actions.history.history import current, events_of
from memex_core.actions.history.past import lost_before
from memex_core.files import frontmatter
from memex_core.files.items import links_to
from memex_core.files.journal import bytes_before
from memex_core.files.reading import read_page
from memex_core.index.then import Known, Then
from memex_core.model.errors import NotFound
from memex_core.model.graph_export import Graph
from memex_core.model.names import PAGE_ENDINGS

if TYPE_CHECKING:
    from memex_core.actions.store import Store
    from memex_core.model.results import Event

EVENTS = 20_000
"""So many events back one can go: their texts are held, packed."""


_OTHER = frozenset(("recall", "diary"))  # acts whose file is no page


class Stop(NamedTuple):
    """A moment of the whole store: right after the events of one act, the last of which is ``seq``.

    The first stop may lie before everything known: its ``ts`` is empty. ``paths`` are the pages touched.
    """

    seq: int
    ts: str
    action: str
    actor: str
    paths: tuple[str, ...]


class _Was(NamedTuple):
    """A file before event ``seq``: its packed bytes, or None where it was not there."""

    seq: int
    packed: bytes | None
    lost: bool = False
    moved: str = ""  # where the event took it


class StorePast:
    """What the journal kept of all pages. Made once, asked for many moments."""

    def __init__(self, store: Store, *, most: int = EVENTS) -> None:
        self._store = store
        self._last = store.journal.last_seq()
        self._was: dict[str, list[_Was]] = {}
        self._steps: list[tuple[int, str, str]] = []  # (seq, from, to): renames, and pages new at "to"
        self._parsed: dict[tuple[str, int], Known] = {}
        stops: dict[int, Stop] = {}
        events = (event for event in store.journal.read(reverse=True) if _of_page(event))
        for event in islice(events, most):
            self._take(event)
            group = event["detail"].get("group", event["seq"])
            known = stops.get(group)
            if known is None:
                stops[group] = Stop(
                    event["seq"], event["ts"], event["action"], event["actor"], (event["file"],)
                )
            else:
                stops[group] = known._replace(
                    action=event["action"], paths=tuple(dict.fromkeys((event["file"], *known.paths)))
                )
        for entries in self._was.values():
            entries.reverse()
        self.stops = tuple(sorted(stops.values()))

    def _take(self, event: Event) -> None:
        seq, path = event["seq"], event["file"]
        before, came_from = bytes_before(event), event["detail"].get("from")
        entry = _Was(seq, None if before is None else zlib.compress(before, 1), lost_before(event))
        if came_from:
            self._was.setdefault(came_from, []).append(entry._replace(moved=path))
            self._was.setdefault(path, []).append(_Was(seq, None))
            self._steps.append((seq, came_from, path))
        else:
            self._was.setdefault(path, []).append(entry)
            if before is None and not entry.lost:
                self._steps.append((seq, "", path))

    def stops_of(self, path: str) -> tuple[Stop, ...]:
        """The stops from which on the page now at ``path`` was there; the last one is now. When it was there
        before the first act that is known, the moment before that act comes first."""
        here, since = path, 0
        for seq, old, new in self._steps:
            if new == here and old:
                here = old
            elif here in (old, new):  # it came, or another page left this name to it
                since = seq
                break
        found = tuple(stop for stop in self.stops if stop.seq >= since)
        if not since and self.stops:
            return (Stop(self.stops[0].seq - 1, "", "", "", ()), *found)
        return found

    def path_at(self, path: str, seq: int) -> str:
        """Where the page that is now at ``path`` was right after event ``seq``."""
        for at, old, new in self._steps:
            if at <= seq:
                break
            if new == path and old:
                path = old
        return path

    def path_now(self, path: str, seq: int) -> str:
        """Where the page is now that was at ``path`` right after event ``seq``; empty when it ended."""
        for at, old, new in reversed(self._steps):
            if at > seq and old == path:
                path = new
            elif at > seq and not old and new == path:
                return ""  # another page has the name
        return path if current(self._store, path) is not None else ""

    def text_at(self, path: str, seq: int) -> str:
        """The body of the page that was at ``path`` right after event ``seq``; empty when none is known."""
        entries = self._was.get(path, [])
        at = self._after(path, seq)
        if at < len(entries) and entries[at].packed is None and not entries[at].lost:
            return ""
        return frontmatter.read(next(self._texts(path, at), b"")).body

    def version_at(self, path: str, seq: int) -> int:
        """The number that names, for ``revert``, the text which the page now at ``path`` had then."""
        numbers = [event["seq"] for event in events_of(self._store, path)]
        if not numbers:
            raise NotFound(f"the journal knows no change of {path}", hint="it is as it was then")
        return max([number for number in numbers if number <= seq], default=numbers[0] - 1)

    def is_of(self, store: Store) -> bool:
        """Whether this is still all that the store's journal says."""
        return self._store is store and self._last == store.journal.last_seq()

    def graph(self, path: str, seq: int, *, hops: int = 1, limit: int = 60) -> Graph:
        """The neighbourhood of the page now at ``path`` as it was right after event ``seq``. The nodes' ids
        are the paths of then; the graph is empty when the page was not there."""
        pages: dict[str, Known] = {}
        gone: set[str] = set()
        for one, entries in self._was.items():
            at = self._after(one, seq)
            if at == len(entries):
                continue  # as it is now
            known = self._known(one, at)
            if known is None:
                gone.add(one)
            else:
                pages[one] = known
        then = Then(self._store.index.db, pages, gone)
        return then.graph(self.path_at(path, seq), hops=hops, limit=limit)

    def _known(self, path: str, at: int) -> Known | None:
        """The page before entry ``at``; None when it was not there. A text that is lost is told by the
        next one that is known."""
        entries = self._was[path]
        entry = entries[at]
        if entry.packed is None and not entry.lost:
            return None
        found = self._parsed.get((path, entry.seq))
        if found is None:
            data = next(self._texts(path, at), b"")
            layout = self._store.layout
            page = read_page(path, data, folder=layout.folder, indexed=True)
            if layout.items:
                page.aliases = (*page.aliases, *links_to(path, data))
            found = Known.of(page)
            self._parsed[path, entry.seq] = found
        return found

    def _texts(self, path: str, at: int) -> Iterator[bytes]:
        """What is known of the page's text from entry ``at`` on."""
        for entry in self._was.get(path, [])[at:]:
            if entry.packed is not None:
                yield zlib.decompress(entry.packed)
            elif not entry.lost:
                return  # it was not there: what comes later is another page
            elif entry.moved:
                yield from self._texts(entry.moved, self._after(entry.moved, entry.seq))
                return
        now = current(self._store, path)
        if now is not None:
            yield now

    def _after(self, path: str, seq: int) -> int:
        """Which entry of a path is the first after an event."""
        return bisect_right(self._was.get(path, []), seq, key=lambda entry: entry.seq)


def _of_page(event: Event) -> bool:
    return event["action"] not in _OTHER and event["file"].lower().endswith(PAGE_ENDINGS)
