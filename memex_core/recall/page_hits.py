"""From ranked page ids to the hits that a face shows: rows, links, and a snippet from each file."""

# No postponed annotations here: they make each named tuple's fields a compilation at start-up.

import json
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from memex_core.files.opening import regular
from memex_core.recall.snippet import heading_path, snippet

if TYPE_CHECKING:
    from memex_core.files.layout import Layout
    from memex_core.model.results import Hit

WIDTH = 160
"""Columns of a snippet."""

_COLUMNS = (
    "id, path, slug, title, type, status, scope, importance, created, updated, occurred_at, last_access, "
    "transcript_ref, tags, description, trust, front <> '' AS has_front"
)


class Shown(NamedTuple):
    """What a hit is to say of its place in the ranking."""

    id: int
    score: float = 0.0
    bm25: float = 0.0
    matched: tuple[str, ...] = ()
    why: Mapping[str, Any] = {}


class Line(NamedTuple):
    """A heading: its level, text and 1-based line."""

    level: int
    text: str
    line: int


def rows_of(db: sqlite3.Connection, ids: Sequence[int]) -> dict[int, dict[str, Any]]:
    """The rows of those pages by id."""
    cursor = db.execute(f"SELECT {_COLUMNS} FROM page WHERE id IN ({_marks(ids)})", list(ids))
    names = [column[0] for column in cursor.description]
    return {row[0]: dict(zip(names, row, strict=True)) for row in cursor}


class PageHit(NamedTuple):
    """A hit with what a face does not need: the page's id and path, and its links to nothing."""

    hit: "Hit"
    id: int
    path: str
    missing: tuple[str, ...]


def page_hits(
    db: sqlite3.Connection,
    layout: "Layout",
    shown: Sequence[Shown],
    tokens: Sequence[str],
    weights: Mapping[str, float] | None = None,
    rows: Mapping[int, dict[str, Any]] | None = None,
) -> list[PageHit]:
    """The hits in the order of ``shown``; pages that are gone meanwhile are left out. Ranks are left 0.

    ``tokens`` are marked in the snippets, ``weights`` say which matter most.
    """
    ids = [one.id for one in shown]
    rows = rows_of(db, ids) if rows is None else rows
    links = _links_of(db, ids)
    hits = []
    for one in shown:
        row = rows.get(one.id)
        if row is None:
            continue
        slugs, missing = links[one.id]
        place = _place(layout, row, tokens, weights)
        hits.append(PageHit(_hit(one, row, list(slugs), place, layout), one.id, row["path"], tuple(missing)))
    return hits


_Links = tuple[dict[str, None], dict[str, None]]


def _links_of(db: sqlite3.Connection, ids: Sequence[int]) -> dict[int, _Links]:
    """For each page the slugs of the pages it links to, and the targets of its links to nothing."""
    found: dict[int, _Links] = {page: ({}, {}) for page in ids}
    for page, dst, slug, target in db.execute(
        "SELECT l.page, l.dst, d.slug, l.target FROM link l LEFT JOIN page d ON d.id = l.dst "
        f"WHERE l.page IN ({_marks(ids)}) AND l.asset IS NULL ORDER BY l.page, l.ord",
        list(ids),
    ):
        if dst is None:
            if target:
                found[page][1][target] = None
        elif dst != page:
            found[page][0][slug] = None
    return found


class _Place(NamedTuple):
    """The part of a page that is shown, and where in the file it stands."""

    text: str
    source: str
    line: int
    heading: str


def _hit(one: Shown, row: Mapping[str, Any], links: list[str], place: _Place, layout: "Layout") -> "Hit":
    return {
        "rank": 0,
        "kind": "page",
        "slug": row["slug"],
        "file_path": layout.file_path(row["path"]),
        "title": row["title"],
        "node_type": row["type"],
        "status": row["status"],
        "scope": row["scope"],
        "importance": row["importance"],
        "score": round(one.score, 6),
        "bm25": round(one.bm25, 6),
        "snippet": place.text,
        "snippet_source": place.source,
        "tags": json.loads(row["tags"]) if row["tags"] else [],
        "created": row["created"] or "",
        "updated": row["updated"] or "",
        "last_access": row["last_access"] or None,
        "transcript_ref": row["transcript_ref"] or None,
        "links": links,
        "matched": list(one.matched),
        "why": dict(one.why),
        "date": (row["occurred_at"] or row["updated"] or row["created"] or "")[:10],
        "heading": place.heading,
        "line": place.line,
        "trust": row["trust"] or "",
        "tokens": 0,
    }


def _place(
    layout: "Layout", row: Mapping[str, Any], tokens: Sequence[str], weights: Mapping[str, float] | None
) -> _Place:
    """The best part of the body, else of whatever else holds a match."""
    body, first_line = read_body(layout.file_path(row["path"]), bool(row["has_front"]))
    found = snippet(body, tokens, width=WIDTH, weights=weights)
    if found.matched:
        return _Place(found.text, "body", first_line + found.line, _heading(body, found.line))
    if tokens:
        tags = " ".join(f"#{tag}" for tag in json.loads(row["tags"])) if row["tags"] else ""
        others = (("title", row["title"]), ("description", row["description"] or ""), ("tags", tags))
        for source, text in others:
            other = snippet(text, tokens, width=WIDTH, weights=weights)
            if other.matched:
                return _Place(other.text, source, 0, "")
    for source, text in (("description", row["description"] or ""), ("body", found.text)):
        if text.strip():
            shown = text if source == "body" else snippet(text, (), width=WIDTH).text
            return _Place(shown, source, first_line if source == "body" else 0, "")
    return _Place(snippet(row["title"], (), width=WIDTH).text, "title", 0, "")


def read_body(file_path: str, has_front: bool) -> tuple[str, int]:
    """The text behind the front matter as the file has it now, and the line it begins at.

    Only as exact as a snippet needs; empty, and 0, when the file is gone.
    """
    try:
        with open(file_path, "rb", opener=regular) as file:
            text = file.read().decode("utf-8", "replace")
    except OSError:
        return "", 0
    if text.startswith("\ufeff"):
        text = text[1:]
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    start = _body_start(text, has_front)
    return text[start:], 1 + text.count("\n", 0, start)


def _body_start(text: str, has_front: bool) -> int:
    """Where the front matter ends. Without ``has_front`` it has only keys with columns of their own, or the
    fences are two rules around prose."""
    fence = text[:3]
    first = text.find("\n")
    if fence not in ("---", "+++") or first < 0 or text[3:first].strip(" \t"):
        return 0
    closing = ("---", "...") if fence == "---" else ("+++",)
    at = first
    while at >= 0:
        end = text.find("\n", at + 1)
        line = text[at + 1 : end if end >= 0 else len(text)]
        if line[:3] in closing and not line[3:].strip(" \t"):
            if (
                not has_front
                and fence == "---"
                and text[first:at].strip()
                and not text[first + 1 : at].split("\n", 1)[0].strip()
            ):
                return 0  # a heading on its own
            return end + 1 if end >= 0 else len(text)
        if not has_front and line.strip() and not line.startswith("#"):
            key, colon, value = line.partition(":")
            if not colon or not key.strip("\"'").isalnum() or value[:1].strip():
                return 0
            has_front = True
        at = end
    return 0


def _heading(body: str, line: int) -> str:
    """The headings that a line (0-based) of ``body`` stands under."""
    return heading_path(headings(body, line), line)


def headings(body: str, upto: int) -> Iterable[Line]:
    """The ``#`` headings outside of code fences in the lines up to ``upto`` (0-based), lines counted so."""
    if "#" not in body:
        return
    fence = ""
    for number, line in enumerate(body.split("\n", upto + 1)[: upto + 1]):
        start = line.lstrip(" ")
        if start[:1] not in ("#", "`", "~") or len(line) - len(start) > 3:
            continue
        if start[0] == "#":
            marks = len(start) - len(start.lstrip("#"))
            if not fence and marks <= 6 and start[marks : marks + 1] in (" ", "\t", ""):
                text = start[marks:].strip()
                bare = text.rstrip("#")
                text = bare.rstrip() if not bare or bare[-1] in " \t" else text
                if text:
                    yield Line(marks, text, number)
        elif fence:
            if start.startswith(fence) and not start.lstrip(fence[0]).strip():
                fence = ""
        elif start[:3] in ("```", "~~~"):
            fence = start[: len(start) - len(start.lstrip(start[0]))]


def _marks(values: Sequence[object]) -> str:
    return ",".join("?" * len(values))
