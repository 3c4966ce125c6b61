"""Questions about pages that need no ranking: by name, by filter, in pages of a list; tags and counts."""

# No postponed annotations here: they make each named tuple's fields a compilation at start-up.

import json
import sqlite3
from collections.abc import Sequence
from typing import Any, NamedTuple

from memex_core.index import schema
from memex_core.model.errors import BadInput


class Row(NamedTuple):
    """A page as the index has it; empty text where the page does not say. ``created`` and ``updated`` are
    the file's time then; ``tags`` and ``aliases`` are spelt as in the page."""

    id: int
    path: str
    slug: str
    uid: str
    title: str
    type: str
    status: str
    scope: str
    project: str
    branch: str
    importance: float
    created: str
    updated: str
    valid_from: str
    valid_until: str
    stale_after: str
    description: str
    tags: list[str]
    aliases: list[str]
    trust: str
    transcript_ref: str
    session_id: str
    digest: str
    access_count: int
    last_access: str
    words: int


COLUMNS = ", ".join(f"p.{name}" for name in Row._fields)
"""The columns of :class:`Row`, of the page table called ``p``."""

_TAGS, _ALIASES = Row._fields.index("tags"), Row._fields.index("aliases")

SORTS = {
    "updated": "p.updated DESC, p.path",
    "created": "p.created DESC, p.path",
    "title": "p.title COLLATE NOCASE, p.path",
    "path": "p.path",
    "importance": "p.importance DESC, p.path",
    "used": "p.access_count DESC, p.path",
}
"""The orders of a list, as SQL."""

_NEAREST = 5


def row_of(values: Sequence[Any]) -> Row:
    """A :class:`Row` of the values of :data:`COLUMNS`."""
    made: list[Any] = ["" if value is None else value for value in values]
    made[_TAGS] = json.loads(made[_TAGS]) if made[_TAGS] else []
    made[_ALIASES] = json.loads(made[_ALIASES]) if made[_ALIASES] else []
    return Row._make(made)


def by_path(db: sqlite3.Connection, path: str) -> Row | None:
    """The page at that path."""
    found = db.execute(f"SELECT {COLUMNS} FROM page p WHERE p.path = ?", (path,)).fetchone()
    return row_of(found) if found else None


def find(
    db: sqlite3.Connection,
    name: str,
    *,
    scope: str | None = None,
    project: str | None = None,
    near: str = "",
    exact: bool = False,
) -> list[Row]:
    """The pages that ``name`` names, by the first of: path, id, file name, slug, title, alias.

    ``exact`` leaves aliases out. All pages equal by that kind of name are returned, nearest to the path
    ``near`` first; a bare path wins alone, with ``.md`` or without. ``scope`` and ``project`` narrow them.
    """
    from memex_core.index.links import names_with
    from memex_core.model.resolve import key_of_target
    from memex_core.model.slug import fold, slugify

    def fits(row: Row) -> bool:
        return (scope is None or row.scope == scope) and (project is None or row.project == project)

    wanted = name.strip().replace("\\", "/")
    if wanted.startswith("./"):
        wanted = wanted[2:]
    if not wanted:
        return []
    for path in (wanted, wanted + ".md"):
        row = by_path(db, path)
        if row is not None and fits(row):
            return [row]
    table, _ = names_with(db, [key_of_target(wanted)])
    folded, bare = fold(wanted), fold(wanted[wanted.rfind("/") + 1 :])
    ways: list[list[str]] = [table.exact(folded), table.exact(folded + ".md"), _with_id(db, wanted)]
    if "/" not in wanted:
        stem = bare[:-3] if bare.endswith(".md") else bare
        ways += [table.stem(stem)]
    else:
        ways += [
            [path for path in table.stem(_stem(bare)) if fold(path).endswith("/" + _with_ending(folded))]
        ]
    ways += [table.slug(wanted)] if slugify(wanted) == wanted else []
    ways += [table.title(folded)]
    ways += [table.title(fold(name.strip()))] if "\\" in name else []  # a title may hold what no path does
    if not exact:
        ways += [table.alias(folded), table.slug(slugify(wanted)) if "/" not in wanted else []]
    for paths in ways:
        rows = [row for path in dict.fromkeys(paths) if (row := by_path(db, path)) is not None]
        rows = [row for row in rows if fits(row)]
        if rows:
            return sorted(rows, key=lambda row: (_distance(row.path, near), row.path.count("/"), row.path))
    return []


def _with_id(db: sqlite3.Connection, uid: str) -> list[str]:
    return [path for (path,) in db.execute("SELECT path FROM page WHERE uid = ? AND uid <> ''", (uid,))]


def _stem(name: str) -> str:
    return name[:-3] if name.endswith(".md") else name


def _with_ending(path: str) -> str:
    return path if path.endswith(".md") else path + ".md"


def _distance(path: str, near: str) -> int:
    here, there = near.split("/")[:-1], path.split("/")[:-1]
    common = 0
    for one, other in zip(here, there, strict=False):
        if one != other:
            break
        common += 1
    return len(here) + len(there) - 2 * common


def suggest(db: sqlite3.Connection, name: str) -> list[str]:
    """Slugs that look like ``name``, for "did you mean": the same beginning, or one letter apart."""
    from memex_core.model.resolve import key_of_target

    key = key_of_target(name)
    found: dict[str, None] = {}
    for length in range(len(key), max(0, len(key) - 4), -1):
        prefix = key[:length]
        rows = db.execute(
            "SELECT DISTINCT p.slug FROM name n JOIN page p ON p.id = n.page WHERE n.key >= ? AND n.key < ? "
            "ORDER BY length(n.key), n.key LIMIT ?",
            (prefix, prefix + chr(0x10FFFF), _NEAREST),
        )
        found.update((slug, None) for (slug,) in rows)
        if len(found) >= _NEAREST:
            break
    if len(found) < _NEAREST and key:
        rows = db.execute(
            "SELECT DISTINCT p.slug FROM name n JOIN page p ON p.id = n.page WHERE n.key LIKE ? ESCAPE '!' "
            "ORDER BY length(n.key), n.key LIMIT ?",
            ("%" + _like(key) + "%", _NEAREST),
        )
        found.update((slug, None) for (slug,) in rows)
    return list(found)[:_NEAREST]


def _like(text: str) -> str:
    return text.replace("!", "!!").replace("%", "!%").replace("_", "!_")


def rows(
    db: sqlite3.Connection,
    *,
    type: str | Sequence[str] = (),
    tags: Sequence[str] = (),
    scope: str | None = None,
    project: str | None = None,
    status: str | Sequence[str] = (),
    session_id: str | None = None,
    sort: str = "updated",
    limit: int = 100,
    cursor: str | None = None,
) -> tuple[list[Row], int, str | None]:
    """A page of a list: ``(rows, how many there are in all, cursor of the next page or None)``.

    ``type`` and ``status`` may be several, of which one must fit; ``tags`` must all be there. A cursor
    says how many rows were given and belongs to the same filters and order. Raises BadInput for an unknown
    order or a cursor that is none of ours.
    """
    if sort not in SORTS:
        raise BadInput(f"{sort!r} is no order", hint=", ".join(SORTS))
    offset = _offset(cursor)
    where: list[str] = []
    values: list[Any] = []
    wanted = {"type": type, "scope": scope, "project": project, "status": status, "session_id": session_id}
    for column, value in wanted.items():
        any_of = [value] if isinstance(value, str) else list(value or ())
        if any_of:
            fold = " COLLATE NOCASE" if column == "type" else ""
            where.append(f"p.{column}{fold} IN ({', '.join('?' * len(any_of))})")
            values.extend(any_of)
    for tag in tags:
        where.append("p.id IN (SELECT page FROM tag WHERE tag = ?)")
        values.append(tag.lstrip("#").casefold())
    condition = " WHERE " + " AND ".join(where) if where else ""
    total: int = (
        db.execute(f"SELECT count(*) FROM page p{condition}", values).fetchone()[0]
        if where
        else schema.count_pages(db)
    )
    found = db.execute(
        f"SELECT {COLUMNS} FROM page p{condition} ORDER BY {SORTS[sort]} LIMIT ? OFFSET ?",
        (*values, limit, offset),
    )
    out = [row_of(values) for values in found]
    after = offset + len(out)
    return out, total, str(after) if after < total and out else None


def _offset(cursor: str | None) -> int:
    if not cursor:
        return 0
    if not cursor.isascii() or not cursor.isdigit() or len(cursor) > 12:
        raise BadInput(f"{cursor!r} is no cursor", hint="use the cursor of the list before")
    return int(cursor)


def projects(db: sqlite3.Connection) -> set[str]:
    """The projects that pages name."""
    found = db.execute("SELECT DISTINCT project FROM page WHERE project <> ''")
    return {project for (project,) in found}


def tags(db: sqlite3.Connection) -> list[tuple[str, int]]:
    """Every tag with the number of its pages, most used first; shown as on most pages."""
    found = db.execute(
        "SELECT shown, sum(count(*)) OVER (PARTITION BY tag) AS pages, tag FROM tag GROUP BY tag, shown "
        "ORDER BY pages DESC, tag, count(*) DESC, shown"
    )
    out: dict[str, tuple[str, int]] = {}
    for shown, pages, tag in found:
        out.setdefault(tag, (shown, pages))
    return list(out.values())


def tagged(db: sqlite3.Connection, tag: str) -> list[str]:
    """The paths of the pages with that tag, letter case aside."""
    found = db.execute(
        "SELECT p.path FROM tag t JOIN page p ON p.id = t.page WHERE t.tag = ? ORDER BY p.path",
        (tag.lstrip("#").casefold(),),
    )
    return [path for (path,) in found]


def counts(db: sqlite3.Connection) -> dict[str, Any]:
    """``type``, ``status`` and ``scope`` (each name -> pages), ``unresolved`` links, pages with ``problems``
    and in dispute (``disputed``)."""
    out: dict[str, Any] = {}
    for column in ("type", "status", "scope"):
        query = f"SELECT {column}, count(*) FROM page GROUP BY {column} ORDER BY 2 DESC, 1"
        out[column] = dict(db.execute(query).fetchall())
    out["unresolved"] = db.execute(
        "SELECT count(*) FROM link WHERE dst IS NULL AND asset IS NULL"
    ).fetchone()[0]
    out["problems"] = db.execute("SELECT count(*) FROM page WHERE problems <> ''").fetchone()[0]
    out["disputed"] = db.execute(
        "SELECT count(*) FROM page WHERE trust = 'disputed' AND status = 'stable'"
    ).fetchone()[0]
    return out
