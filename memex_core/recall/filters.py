"""Which pages may be found at all: filters and visibility as SQL, applied before any limit.

Nothing a caller says becomes part of a statement: values are always parameters.
"""

# No postponed annotations here: they make each named tuple's fields a compilation at start-up.

import sqlite3
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from memex_core.model.status import INACTIVE, is_known, read_status
from memex_core.model.visibility import clause, moment
from memex_core.recall.moment import moment_of
from memex_core.recall.options import Options
from memex_core.recall.query import Filter, Query

if TYPE_CHECKING:
    from memex_core.recall.window import Window

DATE = "coalesce(nullif(page.occurred_at, ''), nullif(page.updated, ''), nullif(page.created, ''), '')"
"""SQL: when what a page tells happened, else when it was last changed."""

_NOBODY = "0"


class PageFilter(NamedTuple):
    """``where`` is SQL over the table ``page``, ``values`` its parameters.

    ``narrow`` tells that more than visibility is asked. ``notes`` are for the person who asked.
    """

    where: str
    values: tuple[str, ...]
    narrow: bool
    notes: tuple[str, ...] = ()

    @property
    def listing(self) -> str:
        """``where`` for a statement about pages alone, which may begin with what the filter chooses."""
        return self.where.replace("+page.id", "page.id")

    @property
    def beside_match(self) -> str:
        """``where`` for a statement that joins ``page`` to matches of ``page_fts``. Chosen ids are compared
        before the page's row is fetched; the plus keeps the engine from starting anew for each of them."""
        return self.where.replace("+page.id", "+page_fts.rowid")


class _Parts:
    """Conditions being collected, each with its values."""

    def __init__(self, db: sqlite3.Connection, now: str) -> None:
        self.db, self.now = db, now
        self.where: list[str] = []
        self.values: list[str] = []
        self.notes: list[str] = []

    def add(self, condition: str, values: Sequence[str] = (), *, negated: bool = False) -> None:
        self.where.append(f"NOT ifnull(({condition}), 0)" if negated else f"({condition})")
        self.values += values


def page_filter(db: sqlite3.Connection, query: Query, options: Options, now: str) -> PageFilter:
    """The filter of a query and its options at the time ``now`` (a stamp)."""
    parts = _Parts(db, now)
    for one in query.filters:
        make = _FILTERS.get(one.key)
        if make is not None:
            make(parts, one)
    _of_options(parts, options)
    narrow = bool(parts.where)
    visible, values = clause(
        now,
        expired=options.include_expired,
        inactive=options.include_inactive or _asks_inactive(query, options),
    )
    if visible != "1":
        parts.add(visible, values)
    return PageFilter(" AND ".join(parts.where) or "1", tuple(parts.values), narrow, tuple(parts.notes))


def neighbourly(db: sqlite3.Connection, query: Query, options: Options, now: str) -> PageFilter:
    """Which pages may come along by a link: visible ones that belong to no other project than was asked for.
    What else was asked of the hits says nothing of what they link to."""
    parts = _Parts(db, now)
    parts.add(*clause(now, expired=options.include_expired, inactive=options.include_inactive))
    for one in query.filters:
        if one.key == "project":
            _project(parts, one, "" if one.negated else f"{_OF_NONE} OR ")
    if options.project:
        parts.add(f"{_OF_NONE} OR page.project = ?", (options.project,))
    if options.reach is not None:
        parts.add(*reaching(*options.reach))
    return PageFilter(" AND ".join(parts.where), tuple(parts.values), False)


_OF_NONE = "page.scope NOT IN ('project', 'branch')"


def _asks_inactive(query: Query, options: Options) -> bool:
    """Who names an inactive status wants to see such pages."""
    named = [
        value for one in query.filters if one.key == "status" and not one.negated for value in one.values
    ]
    drafts = any(one.key == "is" and not one.negated and "draft" in one.values for one in query.filters)
    return drafts or any(read_status(value) in INACTIVE for value in (*named, *options.statuses))


def _of_options(parts: _Parts, options: Options) -> None:
    if options.types:
        parts.add(f"page.type COLLATE NOCASE IN ({_marks(options.types)})", options.types)
    for tag in options.tags:
        parts.add(*_tagged(tag.lstrip("#").casefold()))
    if options.scope:
        parts.add("page.scope = ?", (options.scope.lower(),))
    if options.project:
        parts.add(
            "page.project = ? AND page.project <> ''", (options.project,)
        )  # that index is a partial one
    if options.reach is not None:
        parts.add(*reaching(*options.reach))
    if options.but_session:
        parts.add("ifnull(page.session_id, '') <> ?", (options.but_session,))
    if options.statuses:
        parts.add(*_status(options.statuses))
    if options.after:
        parts.add(*since(options.after))
    if options.before:
        parts.add(*until(options.before))
    if options.window is not None and options.window.pages:
        parts.add(*_within(options.window))


def reaching(project: str, branch: str) -> tuple[str, tuple[str, ...]]:
    """SQL for the pages that concern who works on ``branch`` of ``project``, as ``model.scope.reaches``."""
    if not project:
        return _OF_NONE, ()
    return (
        f"{_OF_NONE} OR (page.project = ? AND (page.scope = 'project' "
        "OR (page.branch = ? AND page.branch <> '')))",
        (project, branch),
    )


# -- time --------------------------------------------------------------------------------------


def since(moment: str, column: str = DATE) -> tuple[str, tuple[str, ...]]:
    """SQL for pages dated ``moment`` (a day of this calendar, or a stamp) or later; see :func:`moment_of`."""
    at = moment_of(moment)
    return f"CASE length({column}) WHEN 10 THEN {column} >= ? ELSE {column} >= ? END", (at.day, at.stamp)


def until(moment: str, column: str = DATE) -> tuple[str, tuple[str, ...]]:
    """SQL for pages dated before ``moment``."""
    at = moment_of(moment)
    early = f"CASE length({column}) WHEN 10 THEN {column} < ? ELSE {column} < ? END"
    return f"{column} > '' AND {early}", (at.day, at.stamp)


def _within(window: "Window") -> tuple[str, tuple[str, ...]]:
    """SQL for pages of a stretch of days: what they tell happened then; where they do not say when it
    did, they were written or changed then; or their name is one of the days, as that of a daily note."""
    parts: list[str] = []
    values: list[str] = []
    for column in ("page.occurred_at", "page.created", "page.updated"):
        condition = []
        for text, added in (since(window.start, column), until(window.end, column)):
            condition.append(text)
            values += added
        parts.append(" AND ".join(condition))
    happened, written, changed = parts
    named = "page.slug >= ? AND page.slug < ?"
    where = (
        f"({named}) OR CASE WHEN page.occurred_at > '' THEN {happened} ELSE ({written}) OR ({changed}) END"
    )
    return where, (window.start, window.end, *values)


# -- one function an operator ------------------------------------------------------------------


def _any_tag(parts: _Parts, one: Filter) -> None:
    tags = [_tagged(value) for value in one.values]
    condition = " OR ".join(condition for condition, _ in tags)
    parts.add(condition, [value for _, values in tags for value in values], negated=one.negated)


def _tagged(tag: str) -> tuple[str, tuple[str, ...]]:
    """Pages with the tag or one below it (``area`` has ``area/home``)."""
    below = "tag = ? OR (tag >= ? AND tag < ?)"
    return f"+page.id IN (SELECT page FROM tag WHERE {below})", (tag, f"{tag}/", f"{tag}0")


def _any_type(parts: _Parts, one: Filter) -> None:
    parts.add(f"page.type COLLATE NOCASE IN ({_marks(one.values)})", one.values, negated=one.negated)


def _any_status(parts: _Parts, one: Filter) -> None:
    parts.add(*_status(one.values), negated=one.negated)


def _status(words: Sequence[str]) -> tuple[str, tuple[str, ...]]:
    known = tuple(dict.fromkeys(read_status(word) for word in words if is_known(word)))
    return (f"page.status IN ({_marks(known)})", known) if known else (_NOBODY, ())


def _column(name: str) -> Callable[[_Parts, Filter], None]:
    def make(parts: _Parts, one: Filter) -> None:
        parts.add(f"page.{name} IN ({_marks(one.values)})", one.values, negated=one.negated)

    return make


def _project(parts: _Parts, one: Filter, or_else: str = "") -> None:
    from memex_core.recall.projects import meant

    found = meant(parts.db, "page", one.values)
    parts.add(f"{or_else}page.project IN ({_marks(found)})", found, negated=one.negated)


def _path(parts: _Parts, one: Filter) -> None:
    """A pattern with ``*`` and ``?``, or a page or folder; letter case does not matter (ASCII)."""
    value = one.values[0].replace("\\", "/").removeprefix("./")
    if not any(sign in value for sign in "*?"):
        value = value.rstrip("/")
        plain = value.replace("[", "[[]")
        condition = "lower(page.path) IN (lower(?), lower(?)) OR lower(page.path) GLOB lower(?)"
        parts.add(condition, (value, f"{value}.md", f"{plain}/*"), negated=one.negated)
        return
    pattern = value.replace("[", "[[]")
    parts.add("lower(page.path) GLOB lower(?)", (pattern,), negated=one.negated)


def _after(parts: _Parts, one: Filter) -> None:
    parts.add(*since(one.values[0]), negated=one.negated)


def _before(parts: _Parts, one: Filter) -> None:
    parts.add(*until(one.values[0]), negated=one.negated)


def _links_to(parts: _Parts, one: Filter) -> None:
    from memex_core.model.resolve import key_of_target

    name = _bare(one.values[0])
    ids = _named(parts, one.key, name)
    if ids:
        chosen = f"SELECT page FROM link WHERE dst IN ({','.join(map(str, ids))})"
        parts.add(f"+page.id IN ({chosen})", negated=one.negated)
    else:  # a page not written yet can be linked to
        missing = "SELECT page FROM link WHERE key = ? AND dst IS NULL"
        parts.add(f"+page.id IN ({missing})", (key_of_target(name),), negated=one.negated)


def _linked_from(parts: _Parts, one: Filter) -> None:
    ids = _named(parts, one.key, _bare(one.values[0]))
    chosen = f"SELECT dst FROM link WHERE page IN ({','.join(map(str, ids))}) AND dst IS NOT NULL"
    parts.add(f"+page.id IN ({chosen})", negated=one.negated)


def _mentions(parts: _Parts, one: Filter) -> None:
    """Pages that link to the page named, or say its title or an alias."""
    import json

    from memex_core.index.analyse import query_tokens
    from memex_core.recall.query import match_of

    ids = _named(parts, one.key, _bare(one.values[0]))
    names: list[str] = [] if ids else [_bare(one.values[0])]
    among = ",".join(map(str, ids))
    for title, aliases in parts.db.execute(f"SELECT title, aliases FROM page WHERE id IN ({among})"):
        names += [title, *(json.loads(aliases) if aliases else ())]
    said = []
    for name in dict.fromkeys(names):
        lookups = query_tokens(name)
        if lookups:
            said.append("(" + " AND ".join(match_of(lookup) for lookup in lookups) + ")")
    condition = f"+page.id IN (SELECT page FROM link WHERE dst IN ({among})"
    values: list[str] = []
    if said:
        condition += " UNION SELECT rowid FROM page_fts WHERE page_fts MATCH ?"
        values.append(" OR ".join(said))
    condition += ")"
    if ids:
        condition += f" AND +page.id NOT IN ({among})"
    parts.add(condition, values, negated=one.negated)


def _named(parts: _Parts, key: str, name: str) -> list[int]:
    """The pages called so, all of them where the name is ambiguous."""
    from memex_core.index.lookup import find

    ids = [row.id for row in find(parts.db, name)]
    if not ids:
        parts.notes.append(f"{key}: no page is called {name!r}")
    return ids


def _bare(name: str) -> str:
    """``[[Name#Heading|shown]]`` as ``Name``."""
    inner = name.strip()
    if inner.startswith("[[") and inner.endswith("]]"):
        inner = inner[2:-2].split("|")[0].split("#")[0]
    return inner.strip()


_PLACE = "ltrim(replace({}, '\"', ''), '$.')"
_IN_FRONT = (
    "EXISTS (SELECT 1 FROM json_tree(CASE WHEN json_valid(page.front) THEN page.front ELSE '{}' END) "
    "WHERE atom IS NOT NULL AND trim(atom, '[]') = ? COLLATE NOCASE AND "
    "CASE typeof(key) WHEN 'text' THEN "
    + _PLACE.format("path || '.' || key")
    + " ELSE "
    + _PLACE.format("path")
    + " END = ? COLLATE NOCASE)"
)
"""SQL: a value in the front matter, alone or in a list, and the key it stands under (``a.b`` in a map)."""

_HAS_KEY = (
    "EXISTS (SELECT 1 FROM json_each(CASE WHEN json_valid(page.front) THEN page.front ELSE '{}' END) "
    "WHERE key = ? COLLATE NOCASE)"
)
_IN_ALIASES = (
    "EXISTS (SELECT 1 FROM json_each(CASE WHEN json_valid(page.aliases) THEN page.aliases ELSE '[]' END) "
    "WHERE value = ? COLLATE NOCASE)"
)
_OWN_COLUMN = {"id": "uid", "title": "title", "description": "description"}


def _prop(parts: _Parts, one: Filter) -> None:
    """A front matter key with that value, alone or in a list; ``key=`` asks for the key alone."""
    key, _, value = one.values[0].partition("=")
    key, value = key.strip(), value.strip().strip("\"'").strip("[]")
    name = key.lower()
    if name in ("tag", "tags") and value:
        condition, values = _tagged(value.lstrip("#").casefold())
    elif name in ("alias", "aliases") and value:
        condition, values = _IN_ALIASES, (value,)
    elif name in _OWN_COLUMN or name in ("tags", "aliases"):
        column = f"ifnull(page.{_OWN_COLUMN.get(name, name)}, '')"
        condition, values = (f"{column} = ? COLLATE NOCASE", (value,)) if value else (f"{column} <> ''", ())
    elif value:
        condition, values = _IN_FRONT, (value, key)
    else:
        condition, values = _HAS_KEY, (key,)
    parts.add(condition, values, negated=one.negated)


def _is(parts: _Parts, one: Filter) -> None:
    conditions = [_STATES[value] for value in one.values]
    values = [moment(parts.now) for value in one.values if value == "stale"]
    parts.add(" OR ".join(conditions), values, negated=one.negated)


_STATES = {
    "draft": "page.status = 'draft'",
    "stale": "ifnull(page.stale_after, '') <> '' AND page.stale_after <= ?",
    "orphan": "NOT EXISTS (SELECT 1 FROM link l WHERE l.dst = page.id AND l.page <> page.id)",
    "broken": (
        "EXISTS (SELECT 1 FROM link l WHERE l.page = page.id AND l.dst IS NULL AND l.asset IS NULL) "
        "OR page.problems LIKE '%\"error\"]%'"
    ),
}
"""``orphan``: no other page links to it. ``broken``: it has a link to nothing, or its front matter does not
parse."""

_FILTERS: dict[str, Callable[[_Parts, Filter], None]] = {
    "tag": _any_tag,
    "type": _any_type,
    "status": _any_status,
    "scope": _column("scope"),
    "project": _project,
    "session": _column("session_id"),
    "path": _path,
    "after": _after,
    "before": _before,
    "links-to": _links_to,
    "linked-from": _linked_from,
    "mentions": _mentions,
    "prop": _prop,
    "is": _is,
}
"""``in`` is missing: it chooses what is searched, not which pages."""


def _marks(values: Sequence[str]) -> str:
    return ",".join("?" * len(values))
