"""What an open index is asked: one method a question, each answered by the module that knows."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from memex_core.files.layout import Layout
from memex_core.index import lookup, schema
from memex_core.index.connection import transaction
from memex_core.index.lookup import Row

if TYPE_CHECKING:
    from memex_core.index.links import LinkRow
    from memex_core.model.graph_export import Graph
    from memex_core.model.resolve import Resolution


class Questions:
    """The questions of :class:`memex_core.index.index.Index`."""

    db: sqlite3.Connection
    layout: Layout

    def total(self) -> int:
        """The number of pages."""
        return schema.count_pages(self.db)

    def schema(self) -> int:
        """The version of the tables and the analyser."""
        return schema.VERSION

    def get_meta(self, key: str) -> Any:
        return schema.get_meta(self.db, key)

    def set_meta(self, key: str, value: str | int | float | None) -> None:
        with transaction(self.db):
            schema.set_meta(self.db, key, value)

    def find(self, name: str, **options: Any) -> list[Row]:
        """The pages that ``name`` names; see :func:`memex_core.index.lookup.find`."""
        return lookup.find(self.db, name, **options)

    def suggest(self, name: str) -> list[str]:
        """Slugs like ``name``."""
        return lookup.suggest(self.db, name)

    def row(self, path: str) -> Row | None:
        """The page at that path."""
        return lookup.by_path(self.db, path)

    def rows(self, **options: Any) -> tuple[list[Row], int, str | None]:
        """A list of pages; the options of :func:`memex_core.index.lookup.rows`."""
        return lookup.rows(self.db, **options)

    def paths(self, *, after: str = "", limit: int | None = None) -> list[str]:
        """The paths of all pages, or of ``limit`` at most that come ``after`` another."""
        most = -1 if limit is None else max(0, limit)
        sql = "SELECT path FROM page WHERE path > ? ORDER BY path LIMIT ?"
        return [path for (path,) in self.db.execute(sql, (after, most))]

    def canvases(self) -> list[str]:
        """The paths of the canvases among the files that are no pages."""
        found = self.db.execute("SELECT path FROM asset WHERE lower(path) LIKE '%.canvas' ORDER BY path")
        return [path for (path,) in found]

    def digests(self) -> dict[str, str]:
        """Path -> digest of the bytes that were indexed; empty for a page that could not be read."""
        return dict(self.db.execute("SELECT path, digest FROM page").fetchall())

    def used_since(self, stamp: str) -> int:
        """How many pages were last used at or after that time."""
        found: int = self.db.execute("SELECT count(*) FROM page WHERE last_access >= ?", (stamp,)).fetchone()[
            0
        ]
        return found

    def counts(self) -> dict[str, Any]:
        """Pages by type and status, broken links, pages with problems."""
        return lookup.counts(self.db)

    def projects(self) -> set[str]:
        """The projects that pages name."""
        return lookup.projects(self.db)

    def tags(self) -> list[tuple[str, int]]:
        """Tags and how many pages have each."""
        return lookup.tags(self.db)

    def tagged(self, tag: str) -> list[str]:
        """Paths of the pages with that tag."""
        return lookup.tagged(self.db, tag)

    def links_from(self, path: str) -> list[LinkRow]:
        """The links of a page, in order."""
        from memex_core.index import links

        return links.links_from(self.db, path)

    def links_to(self, path: str) -> list[LinkRow]:
        """The links that reach a page, each with its line of text as the file has it now."""
        from memex_core.index import links

        return links.with_text(links.links_to(self.db, path), self.layout)

    def unresolved(self, path: str = "") -> list[LinkRow]:
        """Links to nothing, of one page or of all."""
        from memex_core.index import links

        return links.unresolved(self.db, path)

    def ambiguous(self) -> list[LinkRow]:
        """Links with several equal candidates."""
        from memex_core.index import links

        return links.ambiguous(self.db)

    def resolve_full(self, target: str, form: str, source: str, *, alias: str | None = None) -> Resolution:
        """What a link means, with the other candidates and the way it was found."""
        from memex_core.index import links

        return links.resolve_target(self.db, target, form, source, alias)

    def resolve(self, target: str, form: str, source: str) -> str | None:
        """The path a link means."""
        return self.resolve_full(target, form, source).path

    def unique_after_move(self, old: str, new: str) -> Callable[[str], bool]:
        """Whether a bare name will mean the page at ``new`` and no other, once it has moved from ``old``."""
        from memex_core.index import links

        return links.unique_after_move(self.db, old, new)

    def graph(self, focus: str | None = None, *, hops: int = 1, limit: int = 60) -> Graph:
        """Pages and links around ``focus``, or all of them."""
        from memex_core.index.neighbours import graph

        return graph(self.db, focus, hops=hops, limit=limit)
