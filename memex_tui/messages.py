"""What screens tell the app. Post these with ``self.post_message``; the app does the rest.

A :class:`Place` says where a person is or wants to be. Going to one is always ``Go(place)``; the
functions below make the usual ones.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from textual.message import Message


class Place(NamedTuple):
    """Somewhere in the app. What an area does not use stays empty.

    ``path`` is a page's path (relative to the page folder), or a name that finds it; ``line`` is
    1-based in the file; ``query`` is for Search; ``session`` and ``turn`` name a turn; ``date`` a
    diary day. ``purpose`` is a word that the area understands (Page: ``read``, ``edit``, ``new``).
    ``title`` is how breadcrumbs call it. ``extra`` is the area's own (scroll, selection).
    """

    area: str
    path: str = ""
    line: int = 0
    heading: str = ""
    block: str = ""
    query: str = ""
    session: str = ""
    turn: int = 0
    date: str = ""
    purpose: str = ""
    title: str = ""
    extra: Mapping[str, Any] = {}

    def same(self, other: Place) -> bool:
        """Whether both are one entry of the history (scroll and line apart)."""
        return (self.area, self.path, self.session, self.date) == (
            other.area,
            other.path,
            other.session,
            other.date,
        )


class Go(Message):
    """Go to a place: the app switches to its area and calls the screen's ``visit``."""

    def __init__(self, place: Place) -> None:
        super().__init__()
        self.place = place


def open_page(
    path: str, *, line: int = 0, heading: str = "", block: str = "", title: str = "", edit: bool = False
) -> Go:
    """Read (or edit) a page."""
    purpose = "edit" if edit else "read"
    return Go(Place("page", path, line, heading, block, title=title, purpose=purpose))


def new_page(title: str = "", text: str = "") -> Go:
    """Write a new page called ``title``; ``text`` stands in it already."""
    return Go(Place("page", purpose="new", title=title, extra={"text": text}))


def open_graph(path: str, *, title: str = "") -> Go:
    """Show the neighbourhood of a page."""
    return Go(Place("graph", path, title=f"{title} · graph" if title else ""))


def open_search(query: str) -> Go:
    """Search for something."""
    return Go(Place("search", query=query))


class Peek(Message):
    """Show a small card of a page over everything; cards stack."""

    def __init__(self, path: str, *, heading: str = "", block: str = "", line: int = 0) -> None:
        super().__init__()
        self.path = path
        self.heading = heading
        self.block = block
        self.line = line


class PagesChanged(Message):
    """Pages are not what they were. The app hands it to ``pages_changed`` of every open area.

    Paths are relative to the page folder. ``renamed`` maps the new path to the old one; such a page
    is in no other group. ``own``: this app wrote it.
    """

    def __init__(
        self,
        added: tuple[str, ...] = (),
        changed: tuple[str, ...] = (),
        removed: tuple[str, ...] = (),
        renamed: Mapping[str, str] | None = None,
        *,
        own: bool = False,
    ) -> None:
        super().__init__()
        self.added = added
        self.changed = changed
        self.removed = removed
        self.renamed = dict(renamed or {})
        self.own = own

    @property
    def paths(self) -> frozenset[str]:
        """Every path concerned, old ones too."""
        return frozenset((*self.added, *self.changed, *self.removed, *self.renamed, *self.renamed.values()))

    def __bool__(self) -> bool:
        return bool(self.paths)


class Watching(Message):
    """How outside edits are followed: ``polling`` without system events; ``problem`` is empty when well."""

    def __init__(self, *, polling: bool = False, problem: str = "") -> None:
        super().__init__()
        self.polling = polling
        self.problem = problem
