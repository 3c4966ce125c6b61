"""Whether what pages say of each other and of time can be so: nobody is his own ancestor, nothing ends before
it begins."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from memex_core.files import frontmatter
from memex_core.files.atomic import read
from memex_core.model import clock
from memex_core.model.errors import MemexError

if TYPE_CHECKING:
    from memex_core.files.frontmatter import FrontMatter
    from memex_core.files.layout import Layout
    from memex_core.index.index import Index

Found = list[dict[str, Any]]
WINDOW = "valid_from", "valid_until", "stale_after"


def amiss(valid_from: Any, valid_until: Any, stale_after: Any) -> list[tuple[str, str]]:
    """(key, what is wrong with it) of a page's dates. What is no time is no part of this."""
    start, end, stale = map(_stamp, (valid_from, valid_until, stale_after))
    found = []
    if start and end and end < start:
        found.append(("valid_until", f"valid_until {valid_until} is before valid_from {valid_from}"))
    if stale and end and stale[:10] > end[:10]:
        found.append(("stale_after", f"stale_after {stale_after} is after valid_until {valid_until}"))
    if stale and start and stale[:10] < start[:10]:
        found.append(("stale_after", f"stale_after {stale_after} is before valid_from {valid_from}"))
    return found


def _stamp(value: Any) -> str:
    return clock.normal(value) if isinstance(value, str) else ""


def times(layout: Layout, index: Index) -> tuple[Found, Found]:
    """Pages whose window ends before it begins, and those that go stale outside it."""
    ends: Found = []
    stale: Found = []
    rows = index.db.execute(
        f"SELECT path, {', '.join(WINDOW)} FROM page WHERE coalesce(valid_until, '') <> '' "
        "OR coalesce(stale_after, '') <> '' ORDER BY path"
    )
    for path, *values in rows:
        for key, message in amiss(*values):
            one = {"file": path, "line": line_of(layout, path, key), "column": 0, "message": message}
            (ends if key == "valid_until" else stale).append(one)
    return ends, stale


def line_in(front: FrontMatter, key: str) -> int:
    """The line of the file that holds a key of its front matter; 1 where it is spelt otherwise."""
    for number, line in enumerate(front.text.split("\n"), 2):
        if re.match(rf"[\"']?{re.escape(key)}[\"']?[ \t]*:", line, re.IGNORECASE):
            return number
    return 1


def line_of(layout: Layout, path: str, key: str) -> int:
    """The same of a page; 0 when it is gone meanwhile."""
    try:
        return line_in(frontmatter.read(read(layout.pages, path)), key)
    except MemexError:
        return 0


def circles(layout: Layout, index: Index) -> Found:
    """Pages that are, by their ``parent``, their own ancestors: each once, with the line that says so."""
    parents: dict[str, list[str]] = {}
    for path, parent in index.db.execute(
        "SELECT a.path, b.path FROM link JOIN page a ON a.id = link.page "
        "JOIN page b ON b.id = link.dst WHERE link.rel = 'parent' ORDER BY a.path, link.ord"
    ):
        parents.setdefault(path, []).append(parent)
    found = []
    for path, above in _not_rooted(parents).items():
        way = next(filter(None, (_way(parents, parent, path) for parent in above)), None)
        if way:
            message = f"is its own ancestor: {' > '.join([path, *way])}"
            line = line_of(layout, path, "parent")
            found.append({"file": path, "line": line, "column": 0, "message": message})
    return found


def _not_rooted(parents: dict[str, list[str]]) -> dict[str, list[str]]:
    """The pages that are left when one without parents is struck out again and again: few, where any."""
    children: dict[str, list[str]] = {}
    for path, above in parents.items():
        for parent in above:
            children.setdefault(parent, []).append(path)
    waits = {path: len(above) for path, above in parents.items()}
    rooted = [path for path in children if path not in parents]
    for path in rooted:
        for child in children.get(path, ()):
            waits[child] -= 1
            if not waits[child]:
                rooted.append(child)
    return {path: above for path, above in parents.items() if waits[path]}


def _way(parents: dict[str, list[str]], start: str, goal: str) -> list[str]:
    """The pages from ``start`` up to ``goal``; empty when it is no ancestor."""
    came: dict[str, str] = {start: ""}
    queue = [start]
    for path in queue:
        if path == goal:
            way = [path]
            while came[way[-1]]:
                way.append(came[way[-1]])
            return way[::-1]
        for parent in parents.get(path, ()):
            if parent not in came:
                came[parent] = path
                queue.append(parent)
    return []
