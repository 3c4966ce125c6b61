"""What the tools answer, as far as clients may rely on it, and any of it as a JSON schema.

A tool sends what its operation returns, cut to size; the shapes of :mod:`memex_core.model.results` are used
where they exist. A schema names the keys that matter to an agent, more are sent: a description of each key
of each tool would cost every conversation tokens before its first word.
"""

from __future__ import annotations

import types
import typing
from typing import Any, NotRequired, TypedDict

from memex_core.model.results import PageView, RecallResult


class RecallAnswer(RecallResult):
    cursor: str | None


class PageAnswer(PageView):
    cursor: str | None


class LinksAnswer(TypedDict):
    slug: str
    links: list[dict[str, Any]]  # {path, slug, title, rel, hops, route}
    unresolved: list[str]
    cursor: str | None


class ConversationAnswer(TypedDict):
    session_id: str
    title: str
    turns: list[dict[str, Any]]  # {turn, role, content, ts, …}
    cursor: str | None


class DiaryAnswer(TypedDict):
    entries: list[dict[str, Any]]  # {date, time, text, …}
    cursor: str | None


class ConsolidationAnswer(TypedDict):
    nodes_created: list[dict[str, Any]]  # {slug, type, title, body, …}
    nodes_updated: list[str]
    rejected: list[dict[str, Any]]  # {title, reason}


class StatusAnswer(TypedDict):
    pages: int
    by_type: dict[str, int]
    pending: int
    sessions: int
    unresolved_links: int
    warnings: list[str]


class ExportAnswer(TypedDict):
    version: str
    nodes: list[dict[str, Any]]
    cursor: str | None


class ImportAnswer(TypedDict):
    imported: int
    unchanged: int
    skipped: list[dict[str, Any]]  # {path, reason}


def schema_of(shape: Any, keys: tuple[str, ...]) -> dict[str, Any]:
    """The JSON schema of a TypedDict, of these keys only; those that are never left out are required."""
    hints = typing.get_type_hints(shape, include_extras=True)
    properties = {key: _of(hints[key]) for key in keys}
    required = [key for key in keys if typing.get_origin(hints[key]) is not NotRequired]
    return {"type": "object", "properties": properties, "required": required}


_PLAIN = {str: "string", int: "integer", float: "number", bool: "boolean", dict: "object", list: "array"}


def _of(hint: Any) -> dict[str, Any]:
    origin = typing.get_origin(hint)
    if origin is NotRequired:
        return _of(typing.get_args(hint)[0])
    if origin in (types.UnionType, typing.Union):
        parts = [_of(part) for part in typing.get_args(hint) if part is not type(None)]
        return {"type": [parts[0]["type"], "null"]}
    if typing.is_typeddict(hint):
        return {"type": "object"}
    name = _PLAIN.get(origin or hint)
    return {"type": name} if name else {}
