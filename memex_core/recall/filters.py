"""Which pages may be found at all: options and operators as SQL conditions on the table ``page p``.

They hold before any limit: a filter never makes an answer shorter than the pages that fit it.
"""

# No postponed annotations here: they make each named tuple's fields a compilation at start-up.

import sqlite3
from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol

from memex_core.model import visibility
from memex_core.recall.query import Filter, Query, match_of

DATE = "CASE WHEN p.occurred_at <> '' THEN p.occurred_at ELSE p.updated END"
"""SQL: the date a page is asked for by: when what it tells happened, else its last change."""

_NEVER = "0"
_OWN_COLUMNS = {"id": "uid", "title": "title", "description": "description"}


class Limits(Protocol):
    """The options that narrow pages; see :class:`memex_core.recall.recall.Options`."""

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
    def after(self) -> str: ...
    @property
    def before(self) -> str: ...
    @property
    def path(self) -> str: ...
    @property
    def include_expired(self) -> bool: ...
    @property
    def include_inactive(self) -> bool: ...


class Condition(NamedTuple):
    """An SQL condition with its values. ``slow``: no index helps, so ask it only of a few pages."""

    sql: str
    values: tuple[Any, ...] = ()
    slow: bool = False


class Filters(NamedTuple):
    """``visible`` hides drafts, deprecated pages and those outside their time window; ``asked`` is what
    the caller wants besides. ``possible`` is false when no page can fit (``in:diary``)."""

    visible: Condition
    asked: tuple[Condition, ...] = ()
    possible: bool = True

    @property
    def where(self) -> Condition:
        """All conditions as one."""
        parts = [self.visible, *self.asked]
        sql = " AND ".join(f"({one.sql})" for one in parts)
        return Condition(sql, tuple(value for one in parts for value in one.values))

    @property
    def selective(self) -> bool:
        """Whether the pages that fit may be few and are quickly counted."""
        return any(not one.slow for one in self.asked)


def filters_of(db: sqlite3.Connection, query: Query, options: Limits, now: str) -> Filters:
    """The conditions of a query at the time ``now`` (a stamp). A status asked for is also shown."""
    asked: list[Condition] = []
    possible = True
    status = bool(options.statuses)
    for one in query.filters:
        if one.key == "in":
            possible = possible and (("pages" in one.values) is not one.negated)
            continue
        made = _any([_condition(db, one.key, value, now) for value in one.values])
        status = status or (not one.negated and _names_status(one))
        asked.append(Condition(f"NOT ({made.sql})", made.values, True) if one.negated else made)
    if options.types:
        asked.append(_any([_condition(db, "type", value, now) for value in options.types]))
    if options.statuses:
        asked.append(_any([_condition(db, "status", value, now) for value in options.statuses]))
    asked += [_condition(db, "tag", value, now) for value in options.tags]
    for key in ("scope", "project", "after", "before", "path"):
        value = getattr(options, key)
        if value:
            asked.append(_condition(db, key, value, now))
    sql, values = visibility.clause(
        now, expired=options.include_expired, inactive=options.include_inactive or status, table="p"
    )
    return Filters(Condition(sql, tuple(values)), tuple(asked), possible)


def _names_status(one: Filter) -> bool:
    return one.key == "status" or (one.key == "is" and "draft" in one.values)


def _any(conditions: list[Condition]) -> Condition:
    if len(conditions) == 1:
        return conditions[0]
    return Condition(
        " OR ".join(f"({one.sql})" for one in conditions) or _NEVER,
        tuple(value for one in conditions for value in one.values),
        any(one.slow for one in conditions),
    )


def _condition(db: sqlite3.Connection, key: str, value: str, now: str) -> Condition:
    """What one value of one prefix asks of a page."""
    if key == "tag":
        return _tag(value)
    if key == "type":
        return Condition("p.type = ? COLLATE NOCASE", (value,))
    if key == "status":
        from memex_core.model.status import read_status

        return Condition("p.status = ?", (read_status(value),))
    if key == "project":
        return Condition("p.project = ? COLLATE NOCASE", (value,))
    if key == "after":
        return Condition(f"{DATE} >= ?", (value,), True)
    if key == "before":
        return Condition(f"{DATE} < ? AND {DATE} <> ''", (value,), True)
    if key == "path":
        return _path(value)
    if key in ("links-to", "linked-from", "mentions"):
        return _linked(db, key, value)
    if key == "prop":
        return _property(value)
    if key == "is":
        return _is(value, now)
    column = "session_id" if key == "session" else key
    return Condition(f"p.{column} = ?", (value,))


def _tag(value: str) -> Condition:
    """The tag, or one below it (``rye`` finds ``rye/dark``)."""
    tag = value.lstrip("#").casefold()
    return Condition(
        "p.id IN (SELECT page FROM tag WHERE tag = ? OR (tag >= ? AND tag < ?))", (tag, tag + "/", tag + "0")
    )


def _path(value: str) -> Condition:
    """A glob over the whole path (``*`` runs over ``/`` too); without wildcards a page or a folder."""
    wanted = value.replace("\\", "/").removeprefix("./").lstrip("/")
    if not any(sign in wanted for sign in "*?["):
        folder = wanted.rstrip("/")
        return Condition(
            "p.path = ? OR p.path = ? OR (p.path >= ? AND p.path < ?)",
            (folder, folder + ".md", folder + "/", folder + "0"),
        )
    pattern = wanted.replace("**", "*")
    if pattern.isascii():
        return Condition("p.path GLOB ?", (pattern,), True)
    from unicodedata import normalize  # a name on disk may be composed or not

    return Condition(
        "p.path GLOB ? OR p.path GLOB ?", (normalize("NFC", pattern), normalize("NFD", pattern)), True
    )


def _linked(db: sqlite3.Connection, key: str, value: str) -> Condition:
    from memex_core.index.lookup import find

    found = find(db, value)
    marks = ",".join("?" * len(found))
    ids = tuple(row.id for row in found)
    if key == "linked-from":
        return Condition(
            f"p.id IN (SELECT dst FROM link WHERE page IN ({marks}) AND dst IS NOT NULL AND dst <> page)", ids
        )
    if not found and key == "links-to":  # links to a page that is not written yet
        from memex_core.model.resolve import key_of_target

        return Condition(
            "p.id IN (SELECT page FROM link WHERE key = ? AND dst IS NULL)", (key_of_target(value),)
        )
    linking = f"p.id IN (SELECT page FROM link WHERE dst IN ({marks}) AND page <> dst)"
    if key == "links-to":
        return Condition(linking, ids)
    names = [value, *(name for row in found for name in (row.title, *row.aliases))]
    match = _naming(names)
    if not match:
        return Condition(linking, ids)
    return Condition(
        f"p.id NOT IN ({marks}) AND "
        f"(p.id IN (SELECT rowid FROM page_fts WHERE page_fts MATCH ?) OR {linking})",
        (*ids, match, *ids),
    )


def _naming(names: Sequence[str]) -> str:
    """The FTS5 expression for texts in which one of the names stands."""
    from memex_core.index.analyse import query_tokens

    parts = []
    for name in dict.fromkeys(names):
        lookups = query_tokens(name)
        if lookups:
            said = [match_of(one, columns="{title description headings body}") for one in lookups]
            parts.append(f"({' AND '.join(said)})")
    return " OR ".join(parts)


def _property(value: str) -> Condition:
    """``key=value``: the front matter key has that value, or a list with it; letter case aside."""
    key, _, wanted = value.partition("=")
    key, wanted = key.strip(), wanted.strip()
    if key in _OWN_COLUMNS:
        return Condition(f"p.{_OWN_COLUMNS[key]} = ? COLLATE NOCASE", (wanted,), True)
    if key == "tags":
        return _tag(wanted)
    source, match = "p.front", "f.key = ? COLLATE NOCASE AND "
    values: tuple[str, ...] = (key, wanted, wanted)
    if key == "aliases":
        source, match, values = "p.aliases", "", (wanted, wanted)
    return Condition(
        f"EXISTS (SELECT 1 FROM json_each(CASE WHEN {source} = '' THEN '[]' ELSE {source} END) f WHERE {match}"
        "(f.atom = ? COLLATE NOCASE OR (f.type = 'array' AND EXISTS "
        "(SELECT 1 FROM json_each(f.value) e WHERE e.atom = ? COLLATE NOCASE))))",
        values,
        True,
    )


def _is(value: str, now: str) -> Condition:
    if value == "draft":
        return Condition("p.status = 'draft'", (), True)
    if value == "stale":
        return Condition("p.stale_after <> '' AND p.stale_after <= ?", (visibility.moment(now),), True)
    if value == "broken":
        return Condition(
            "EXISTS (SELECT 1 FROM link l WHERE l.page = p.id AND l.dst IS NULL AND l.asset IS NULL)", (), True
        )
    return Condition(  # orphan
        "NOT EXISTS (SELECT 1 FROM link l WHERE l.dst = p.id AND l.page <> p.id) AND "
        "NOT EXISTS (SELECT 1 FROM link l WHERE l.page = p.id AND l.dst IS NOT NULL AND l.dst <> p.id)",
        (),
        True,
    )
