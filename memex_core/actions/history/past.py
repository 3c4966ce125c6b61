"""A page through time: every text the journal kept of it, so that one can move from one to the next."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import TYPE_CHECKING, Any, NamedTuple

from memex_core.actions.history import history
from memex_core.files.journal import bytes_before

if TYPE_CHECKING:
    from memex_core.actions.store import Store
    from memex_core.model.results import Event

KEPT, ABSENT, LOST = "kept", "absent", "lost"
"""What there is of a page's text at a moment: all of it; no page was there; it was, but no text is left."""


class Moment(NamedTuple):
    """The time right after event ``seq``, as far as one page is concerned.

    The first moment may lie before the first event: its ``seq`` is one less, its ``ts`` empty. ``path`` is
    where the page was then, ``came_from`` the path it was renamed from, ``state`` one of :data:`KEPT`,
    :data:`ABSENT` and :data:`LOST`.
    """

    seq: int
    ts: str
    action: str
    actor: str
    path: str
    came_from: str
    state: str


class PagePast:
    """The moments of a page, oldest first; the last one is now."""

    def __init__(self, path: str, moments: Sequence[Moment], texts: Sequence[bytes | None]) -> None:
        self.path = path
        self.moments = tuple(moments)
        self._texts = [None if text is None else zlib.compress(text, 1) for text in texts]

    def data(self, number: int) -> bytes | None:
        """The file at a moment; None where there was none, or where it is lost."""
        packed = self._texts[number]
        return None if packed is None else zlib.decompress(packed)

    def before(self, number: int) -> bytes | None:
        """The file at the moment before, looking past those whose text is lost."""
        for at in range(number - 1, -1, -1):
            if self.moments[at].state != LOST:
                return self.data(at)
        return None


def page_past(store: Store, slug: str, scope: str | None = None, project: str | None = None) -> PagePast:
    """All that the journal knows of a page. Raises NotFound for one that never was."""
    path = history.page_path(store, slug, scope, project)
    events = history.events_of(store, path)
    now = history.current(store, path)
    moments: list[Moment] = []
    texts: list[bytes | None] = []
    if events and (first := bytes_before(events[0])) is not None:
        place = events[0]["detail"].get("from") or events[0]["file"]
        moments.append(Moment(events[0]["seq"] - 1, "", "", "", place, "", KEPT))
        texts.append(first)
    for number, event in enumerate(events):
        after = events[number + 1] if number + 1 < len(events) else None
        data = bytes_before(after) if after is not None else now
        state = KEPT if data is not None else _state_before(after) if after is not None else ABSENT
        came_from = event["detail"].get("from", "")
        moments.append(
            Moment(
                event["seq"], event["ts"], event["action"], event["actor"], event["file"], came_from, state
            )
        )
        texts.append(data)
    return PagePast(path, moments, texts)


def _state_before(event: Event) -> str:
    """What there was before an event that keeps no text."""
    return LOST if lost_before(event) else ABSENT


def lost_before(event: Event) -> bool:
    """Whether there was a file before the event, of which the journal keeps nothing: it was changed outside
    memex, or its text was purged."""
    detail: dict[str, Any] = event["detail"]
    if event["action"] == "hand":
        return detail.get("what") != "added" and bytes_before(event) is None
    return event["before"] is not None and bytes_before(event) is None


class Changes(NamedTuple):
    """Lines (from 0) that a text has and an older one had not, and those before which lines went; the
    numbers of lines that came and went."""

    came: frozenset[int]
    went: frozenset[int]
    added: int
    removed: int


def changes(old: Sequence[str], new: Sequence[str]) -> Changes:
    """What changed between two texts, in lines. ``went`` may hold ``len(new)``: lines went at the end."""
    start, end = 0, 0
    shorter = min(len(old), len(new))
    while start < shorter and old[start] == new[start]:
        start += 1
    while end < shorter - start and old[-1 - end] == new[-1 - end]:
        end += 1
    a, b = old[start : len(old) - end], new[start : len(new) - end]
    came: set[int] = set()
    went: set[int] = set()
    added = removed = 0
    for code, i1, i2, j1, j2 in SequenceMatcher(None, a, b).get_opcodes():
        if code == "equal":
            continue
        came.update(range(start + j1, start + j2))
        if code == "delete":
            went.add(start + j1)
        added += j2 - j1
        removed += i2 - i1
    return Changes(frozenset(came), frozenset(went), added, removed)
