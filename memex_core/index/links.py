"""Which page a link means: worked out when pages are indexed, so that backlinks are one look-up.

Names are compared by key (:mod:`memex_core.model.names`): whatever a link could mean has its key, so
the few pages that share it are all that resolving needs, and a page that comes, goes or changes its
names can only affect the links with one of its keys.
"""

# No postponed annotations here: they make each named tuple's fields a compilation at start-up.

import json
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

from memex_core.files.layout import Layout
from memex_core.files.opening import regular
from memex_core.model.resolve import (
    NOWHERE,
    NameTable,
    Resolution,
    Resolver,
    key_of_target,
    label_target,
    resolve,
)

_CONTEXT = 160  # characters of a long line kept on each side of a link
_MANY = 500  # values in one IN (…)


class LinkRow(NamedTuple):
    """A link between pages. ``source`` and ``dst`` are paths (``dst`` None: no such page); ``slug`` and
    ``title`` are those of the page at the other end: of the source of a backlink, of the target of a link.
    ``text`` is the line around the link, where it was asked for."""

    source: str
    dst: str | None
    slug: str
    title: str
    target: str
    form: str
    rel: str
    alias: str | None
    heading: str | None
    block: str | None
    ambiguous: list[str]
    line: int
    text: str


def names_with(db: sqlite3.Connection, keys: Iterable[str]) -> tuple[NameTable, dict[str, int]]:
    """The names of all pages and files that have one of ``keys``, and the pages' ids by path."""
    table = NameTable()
    ids: dict[str, int] = {}
    for some in _slices(list(keys)):
        marks = ",".join("?" * len(some))
        for page, path, aliases, title in db.execute(
            f"SELECT DISTINCT p.id, p.path, p.aliases, p.title FROM name n JOIN page p ON p.id = n.page "
            f"WHERE n.key IN ({marks})",
            some,
        ):
            if path not in ids:
                ids[path] = page
                table.add(path, json.loads(aliases) if aliases else (), title)
        for (path,) in db.execute(f"SELECT path FROM asset WHERE key IN ({marks})", some):
            table.add_asset(path)
    return table, ids


def resolve_target(
    db: sqlite3.Connection, target: str, form: str, source: str, alias: str | None = None
) -> Resolution:
    """What a link with that target on the page ``source`` means now."""
    label = label_target(alias) if alias else None
    keys = [key_of_target(one) for one in (target, label) if one]
    table, _ = names_with(db, keys)
    return resolve(target, form, source, table, alias=alias)


def settle(db: sqlite3.Connection, keys: set[str], pages: Iterable[int] = ()) -> None:
    """Resolve again every link that has one of ``keys``, and those of ``pages``."""
    wanted: dict[tuple[int, int], tuple[Any, ...]] = {}
    columns = "l.page, l.ord, l.target, l.form, l.alias, l.key, l.label, l.dst, l.asset, l.ambiguous, p.path"
    for column, values in (("key", list(keys)), ("label", list(keys)), ("page", list(pages))):
        for some in _slices(values):
            for row in db.execute(
                f"SELECT {columns} FROM link l JOIN page p ON p.id = l.page "
                f"WHERE l.{column} IN ({','.join('?' * len(some))})",
                some,
            ):
                wanted[row[:2]] = row
    if not wanted:
        return
    needed = {row[5] for row in wanted.values()} | {row[6] for row in wanted.values() if row[6]}
    table, ids = names_with(db, needed)
    resolver = Resolver(table)
    changes = []
    for page, order, target, form, alias, _, _, dst, asset, ambiguous, path in wanted.values():
        found = resolver.resolve(target, form, path, alias=alias)
        now = outcome(found, ids, page, path)
        if now != (dst, asset, ambiguous):
            changes.append((*now, page, order))
    db.executemany("UPDATE link SET dst = ?, asset = ?, ambiguous = ? WHERE page = ? AND ord = ?", changes)


def outcome(
    found: Resolution, ids: dict[str, int], page: int, path: str
) -> tuple[int | None, str | None, str | None]:
    """A resolution as the columns ``dst``, ``asset`` and ``ambiguous`` of a link on ``page`` at ``path``."""
    ambiguous = json.dumps(found.ambiguous, ensure_ascii=False) if found.ambiguous else None
    if found.path is None:
        return None, None, ambiguous
    if found.path == path:
        return page, None, ambiguous
    dst = ids.get(found.path)
    return dst, (found.path if dst is None else None), ambiguous


def links_from(db: sqlite3.Connection, path: str) -> list[LinkRow]:
    """The links of a page in the order in which they stand."""
    return _rows(
        db.execute(
            f"SELECT s.path, d.path, d.slug, d.title, {_LINK} FROM page s JOIN link l ON l.page = s.id "
            "LEFT JOIN page d ON d.id = l.dst WHERE s.path = ? ORDER BY l.ord",
            (path,),
        )
    )


def links_to(db: sqlite3.Connection, path: str) -> list[LinkRow]:
    """The links that reach a page, by source path and place; the page's own links to itself included."""
    return _rows(
        db.execute(
            f"SELECT s.path, d.path, s.slug, s.title, {_LINK} FROM page d JOIN link l ON l.dst = d.id "
            "JOIN page s ON s.id = l.page WHERE d.path = ? ORDER BY s.path, l.ord",
            (path,),
        )
    )


def unresolved(db: sqlite3.Connection, path: str = "") -> list[LinkRow]:
    """Links to pages and files that do not exist, of one page or of all."""
    here = "AND s.path = ? " if path else ""
    return _rows(
        db.execute(
            f"SELECT s.path, NULL, '', '', {_LINK} FROM link l JOIN page s ON s.id = l.page "
            f"WHERE l.dst IS NULL AND l.asset IS NULL {here}ORDER BY s.path, l.ord",
            (path,) if path else (),
        )
    )


def ambiguous(db: sqlite3.Connection) -> list[LinkRow]:
    """Links whose name several pages have; ``dst`` is the one chosen."""
    return _rows(
        db.execute(
            f"SELECT s.path, d.path, d.slug, d.title, {_LINK} FROM link l JOIN page s ON s.id = l.page "
            "LEFT JOIN page d ON d.id = l.dst WHERE l.ambiguous IS NOT NULL ORDER BY s.path, l.ord"
        )
    )


def anchored(db: sqlite3.Connection) -> list[LinkRow]:
    """Links to a heading or block of a page that exists."""
    return _rows(
        db.execute(
            f"SELECT s.path, d.path, d.slug, d.title, {_LINK} FROM link l JOIN page s ON s.id = l.page "
            "JOIN page d ON d.id = l.dst WHERE l.heading <> '' OR l.block <> '' ORDER BY s.path, l.ord"
        )
    )


def with_text(rows: list[LinkRow], layout: Layout) -> list[LinkRow]:
    """``rows`` with the line of text around each link, read from the files."""
    lines: list[bytes] = []
    path = ""
    out = []
    for row in rows:
        if row.source != path:
            path = row.source
            lines = _lines(layout.file_path(path))
        line = lines[row.line - 1] if 0 < row.line <= len(lines) else b""
        out.append(row._replace(text=_around(line.decode("utf-8", "replace").strip(), row.target)))
    return out


def _lines(file_path: str) -> list[bytes]:
    try:
        with open(file_path, "rb", opener=regular) as file:
            return file.read().replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n")
    except OSError:
        return []


def _around(line: str, target: str) -> str:
    """The part of a long line that holds the link."""
    if len(line) <= 2 * _CONTEXT:
        return line
    at = max(0, line.find(target) - _CONTEXT)
    return line[at : at + 2 * _CONTEXT].strip()


def unique_after_move(db: sqlite3.Connection, old: str, new: str) -> Callable[[str], bool]:
    """Whether a bare name will mean the page at ``new`` and no other, once it has moved from ``old``."""
    found = db.execute("SELECT aliases, title FROM page WHERE path = ?", (old,)).fetchone() or ("", "")
    aliases = json.loads(found[0]) if found[0] else []

    def unique(name: str) -> bool:
        key = key_of_target(name)
        table = NameTable()
        for path, other, title in db.execute(
            "SELECT DISTINCT p.path, p.aliases, p.title FROM name n JOIN page p ON p.id = n.page "
            "WHERE n.key = ?",
            (key,),
        ):
            if path not in (old, new):
                table.add(path, json.loads(other) if other else (), title)
        table.add(new, aliases, found[1])
        meant = resolve(name, "wiki", new, table)
        return meant.path == new and not meant.ambiguous

    return unique


_LINK = "l.target, l.form, l.rel, l.alias, l.heading, l.block, l.ambiguous, l.line"


_AMBIGUOUS = LinkRow._fields.index("ambiguous")


def _rows(cursor: Iterable[tuple[Any, ...]]) -> list[LinkRow]:
    out = []
    for row in cursor:
        values = list(row)
        values[2], values[3] = row[2] or "", row[3] or ""
        values[_AMBIGUOUS] = json.loads(row[_AMBIGUOUS]) if row[_AMBIGUOUS] else []
        out.append(LinkRow._make([*values, ""]))
    return out


def _slices(values: Sequence[Any]) -> Iterable[Sequence[Any]]:
    for at in range(0, len(values), _MANY):
        yield values[at : at + _MANY]


__all__ = [
    "NOWHERE",
    "LinkRow",
    "ambiguous",
    "anchored",
    "links_from",
    "links_to",
    "names_with",
    "outcome",
    "resolve_target",
    "settle",
    "unique_after_move",
    "unresolved",
    "with_text",
]
