"""Which rows of conversations and the diary may be found at all: filters as SQL, before any limit."""

# No postponed annotations here: they make each named tuple's fields a compilation at start-up.

import sqlite3
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from memex_core.index.passages import BITS, KIND_BIT
from memex_core.recall.moment import Moment, moment_of
from memex_core.recall.query import Query

if TYPE_CHECKING:
    from typing import Protocol

    from memex_core.recall.window import Window

    class Limits(Protocol):
        """The options that concern rows; empty means no limit."""

        @property
        def kinds(self) -> Sequence[str]: ...
        @property
        def types(self) -> Sequence[str]: ...
        @property
        def tags(self) -> Sequence[str]: ...
        @property
        def statuses(self) -> Sequence[str]: ...
        @property
        def scope(self) -> str: ...
        @property
        def project(self) -> str: ...
        @property
        def root(self) -> str: ...
        @property
        def after(self) -> str: ...
        @property
        def before(self) -> str: ...
        @property
        def window(self) -> "Window | None": ...


KINDS = {"transcripts": "turn", "diary": "diary"}
_OWN = frozenset(("in", "session", "project", "after", "before"))


class Scope(NamedTuple):
    """Conditions on documents and rows. ``possible`` is false when no row can fit: pages only."""

    possible: bool = True
    kind: str = ""  # turn or diary, empty for both
    documents: str = ""  # SQL over passage_doc
    document_values: tuple[str, ...] = ()
    rows: str = ""  # SQL over passage, aliased "r"
    row_values: tuple[str, ...] = ()

    @property
    def narrow(self) -> bool:
        return bool(self.kind or self.documents or self.rows)

    @property
    def listing(self) -> str:
        """SQL over passage_doc that is true of the documents that may fit, for :attr:`document_values`."""
        parts = [self.documents] if self.documents else []
        parts += [f"id & 1 = {KIND_BIT[self.kind]}"] if self.kind else []
        return " AND ".join(parts) or "1"

    def sql(self, row: str) -> tuple[str, tuple[str, ...]]:
        """``AND …`` for a statement in which ``row`` (with its table) is a row's id, with the values."""
        parts, values = [], self.document_values + self.row_values
        if self.kind:
            parts.append(f"AND ({row} >> {BITS}) & 1 = {KIND_BIT[self.kind]}")
        if self.documents:
            parts.append(f"AND ({row} >> {BITS}) IN (SELECT id FROM passage_doc WHERE {self.documents})")
        if self.rows:
            parts.append(f"AND EXISTS (SELECT 1 FROM passage r WHERE r.id = {row} AND {self.rows})")
        return " ".join(parts), values


def scope_of(db: sqlite3.Connection, query: Query, limits: "Limits") -> Scope:
    """The scope of a query. What only pages have (tags, types, status, links …) excludes all rows."""
    if limits.types or limits.tags or limits.statuses or limits.scope:
        return Scope(False)
    if any(one.key not in _OWN and not one.negated for one in query.filters):
        return Scope(False)
    documents: list[str] = []
    document_values: list[str] = []
    rows: list[str] = []
    row_values: list[str] = []

    def of_projects(names: Sequence[str], negated: bool = False, root: str = "") -> None:
        from memex_core.recall.projects import meant

        found = meant(db, "passage_doc", names, root=root)
        documents.append(f"project {'NOT ' if negated else ''}IN ({_marks(found)})")
        document_values.extend(found)

    kinds = {KINDS[kind] for kind in limits.kinds if kind in KINDS} if limits.kinds else set(KINDS.values())
    if limits.project:
        of_projects([limits.project], root=limits.root)
    for one in query.filters:
        if one.key == "in":
            named = {KINDS[value] for value in one.values if value in KINDS}
            kinds = kinds - named if one.negated else kinds & named
        elif one.key == "session":
            documents.append(
                f"{'NOT ' if one.negated else ''}(kind = 'turn' AND name IN ({_marks(one.values)}))"
            )
            document_values.extend(one.values)
        elif one.key == "project":
            of_projects(one.values, one.negated)
    if not kinds:
        return Scope(False)
    kind = "" if len(kinds) == len(KINDS) else kinds.pop()
    bounds = [
        (one.key, one.values[0], one.negated) for one in query.filters if one.key in ("after", "before")
    ]
    bounds += [(key, value, False) for key in ("after", "before") if (value := getattr(limits, key))]
    if limits.window is not None:
        bounds += [("after", limits.window.start, False), ("before", limits.window.end, False)]
    for key, value, negated in bounds:
        later, at = (key == "after") is not negated, moment_of(value)
        documents.append("last >= ?" if later else "first <= ? AND first > ''")
        document_values.append(min(at.day, at.stamp[:10]) if later else max(at.day, at.stamp[:10]))
        condition, values = _beside(at, ">=" if later else "<")
        rows.append(condition)
        row_values += values
    return Scope(
        True, kind, " AND ".join(documents), tuple(document_values), " AND ".join(rows), tuple(row_values)
    )


def _beside(at: Moment, sign: str) -> tuple[str, tuple[str, ...]]:
    """SQL for rows on one side of a moment: a turn has its time in UTC, an entry on its writer's clock."""
    turn = f"CASE WHEN r.time > '' THEN r.date || 'T' || r.time || ':00Z' {sign} ? ELSE r.date {sign} ? END"
    entry = f"r.date || 'T' || ifnull(nullif(r.time, ''), '00:00') {sign} ?"
    which = f"CASE (r.id >> {BITS}) & 1 WHEN {KIND_BIT['turn']} THEN {turn} ELSE {entry} END"
    return f"r.date > '' AND {which}", (at.stamp, at.day, at.local)


def _marks(values: Sequence[str]) -> str:
    return ",".join("?" * len(values))
