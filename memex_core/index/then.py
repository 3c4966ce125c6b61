"""The links of an earlier moment: the index of now, with some pages as they were then."""

from __future__ import annotations

import json
import sqlite3
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from memex_core.index.neighbours import assembled, top
from memex_core.model.graph_export import Graph
from memex_core.model.names import NameTable, key_of_target, keys_of
from memex_core.model.page import Page
from memex_core.model.resolve import Resolver, label_target

_MANY = 500  # values in one IN (…)

To = tuple[str, bool, str]
"""Where a link leads: a path, or with True the name of a page that is none; and its relation."""


class Written(NamedTuple):
    """A link as a page says it."""

    target: str
    form: str
    alias: str | None
    rel: str


class Known(NamedTuple):
    """As much of a page as a graph needs."""

    path: str
    title: str
    type: str
    group: str
    aliases: tuple[str, ...]
    links: tuple[Written, ...]

    @staticmethod
    def of(page: Page) -> Known:
        """That of a page which was read."""
        links = tuple(Written(one.target, one.form, one.alias, one.rel) for one in page.links)
        return Known(page.path, page.title, page.type, page.project or top(page.path), page.aliases, links)


class Then:
    """``pages`` are those that have changed since, as they were, by path; ``gone`` the paths at which no
    page was. All others are as the index knows them."""

    def __init__(self, db: sqlite3.Connection, pages: Mapping[str, Known], gone: Collection[str]) -> None:
        self._db = db
        self._pages = pages
        self._touched = frozenset(pages) | frozenset(gone)
        ids = {path: page for page, path in self._select("id, path", "page", "path", self._touched)}
        names = {key for page in pages.values() for _, key in keys_of(page.path, page.aliases, page.title)}
        moved = self._moved(set(ids.values()), names)
        keys = {row[5] for row in moved} | {row[6] for row in moved if row[6]}
        for page in pages.values():
            for link in page.links:
                label = label_target(link.alias) if link.alias else None
                keys.update(key_of_target(one) for one in (link.target, label) if one)
        self._resolver = Resolver(self._names(keys))
        self._assets = frozenset(path for (path,) in self._select("path", "asset", "key", keys))
        self._settled = {row[:2] for row in moved}  # links of the index that may mean something else
        self._links: dict[str, list[To]] = defaultdict(list)
        self._from: dict[str, dict[str, None]] = defaultdict(dict)
        for page in pages.values():
            for link in page.links:
                self._add(page.path, link)
        for row in moved:
            self._add(row[7], Written(row[2], row[3], row[4], row[8]))

    def _select(self, columns: str, table: str, by: str, values: Iterable[Any]) -> Iterator[tuple[Any, ...]]:
        wanted = list(values)
        for at in range(0, len(wanted), _MANY):
            some = wanted[at : at + _MANY]
            marks = ",".join("?" * len(some))
            yield from self._db.execute(f"SELECT {columns} FROM {table} WHERE {by} IN ({marks})", some)

    def _moved(self, ids: Collection[int], names: Collection[str]) -> list[tuple[Any, ...]]:
        """Links of unchanged pages to a page that changed, or with a name that one of them had then."""
        columns = "l.page, l.ord, l.target, l.form, l.alias, l.key, l.label, p.path, l.rel"
        table = "link l JOIN page p ON p.id = l.page"
        found: dict[tuple[int, int], tuple[Any, ...]] = {}
        wanted: tuple[tuple[str, Collection[Any]], ...] = (
            ("l.dst", ids),
            ("l.key", names),
            ("l.label", names),
        )
        for by, values in wanted:
            found.update((row[:2], row) for row in self._select(columns, table, by, values))
        return [row for row in found.values() if row[7] not in self._touched]

    def _names(self, keys: Collection[str]) -> NameTable:
        """The names of all pages and files of then that have one of the keys."""
        table = NameTable()
        pages = "name n JOIN page p ON p.id = n.page"
        for path, aliases, title in self._select("DISTINCT p.path, p.aliases, p.title", pages, "n.key", keys):
            if path not in self._touched:
                table.add(path, json.loads(aliases) if aliases else (), title)
        for page in self._pages.values():
            table.add(page.path, page.aliases, page.title)
        for (path,) in self._select("path", "asset", "key", keys):
            table.add_asset(path)
        return table

    def _add(self, source: str, link: Written) -> None:
        if not link.target:
            return
        found = self._resolver.resolve(link.target, link.form, source, alias=link.alias).path
        if found == source or found in self._assets:
            return
        self._links[source].append((found or link.target, found is None, link.rel))
        if found is not None:
            self._from[found][source] = None

    # -- walking --------------------------------------------------------------------------------

    def _was(self, path: str) -> bool:
        return path in self._pages or (path not in self._touched and self._row(path) is not None)

    def _row(self, path: str) -> tuple[Any, ...] | None:
        columns = "id, path, title, type, project"
        found: tuple[Any, ...] | None = self._db.execute(
            f"SELECT {columns} FROM page WHERE path = ?", (path,)
        ).fetchone()
        return found

    def links(self, path: str) -> list[To]:
        """Where the links of a page led."""
        if path in self._touched:
            return self._links.get(path, [])
        rows = self._db.execute(
            "SELECT l.page, l.ord, d.path, l.target, l.rel FROM page p JOIN link l ON l.page = p.id "
            "LEFT JOIN page d ON d.id = l.dst WHERE p.path = ? AND l.asset IS NULL AND l.target <> '' "
            "AND (l.dst IS NULL OR l.dst <> l.page) ORDER BY l.ord",
            (path,),
        )
        kept = [
            (to or target, to is None, rel)
            for page, at, to, target, rel in rows
            if (page, at) not in self._settled
        ]
        return [*kept, *self._links.get(path, [])]

    def backlinks(self, path: str) -> list[str]:
        """The pages that linked to a page."""
        found = dict(self._from.get(path, {}))
        if path not in self._touched:
            rows = self._db.execute(
                "SELECT l.page, l.ord, p.path FROM page d JOIN link l ON l.dst = d.id "
                "JOIN page p ON p.id = l.page WHERE d.path = ? AND l.page <> d.id",
                (path,),
            )
            for page, at, source in rows:
                if source not in self._touched and (page, at) not in self._settled:
                    found[source] = None
        return list(found)

    def graph(self, focus: str, *, hops: int = 1, limit: int = 60) -> Graph:
        """As :func:`memex_core.index.neighbours.graph`; empty when the page was not there."""
        if not self._was(focus):
            return Graph()
        numbers, distances = {focus: 0}, {0: 0}
        edge = [focus]
        for step in range(1, hops + 1):
            near = [other for path in edge for other in self._near(path)]
            edge = [other for other in dict.fromkeys(near) if other not in numbers]
            for other in edge:
                numbers[other] = len(numbers)
                distances[numbers[other]] = step
        edges: list[tuple[int, int | str, str]] = []
        for path, number in numbers.items():
            for to, ghost, rel in self.links(path):
                if ghost:
                    edges.append((number, to, rel))
                else:
                    edges.append((number, numbers.get(to, -1), rel))
        pages = [(number, *self._shown(path)) for path, number in numbers.items()]
        return assembled(focus, hops, limit, distances, edges, pages)

    def _near(self, path: str) -> Sequence[str]:
        return [*(to for to, ghost, _ in self.links(path) if not ghost), *self.backlinks(path)]

    def _shown(self, path: str) -> tuple[str, str, str, str]:
        page = self._pages.get(path)
        if page is not None:
            return page.path, page.title, page.type, page.group
        row = self._row(path)
        assert row is not None
        return row[1], row[2], row[3], row[4] or top(path)
