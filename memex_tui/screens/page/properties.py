"""The front matter as a form: what kind of value a key has, how it is typed, and what changed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from memex_core.model import clock
from memex_core.model.errors import BadInput
from memex_core.model.page import Value

KINDS: dict[str, str] = {
    "title": "text",
    "type": "choice",
    "description": "text",
    "tags": "list",
    "aliases": "list",
    "status": "choice",
    "importance": "number",
    "scope": "choice",
    "project": "text",
    "branch": "text",
    "valid_from": "date",
    "valid_until": "date",
    "stale_after": "date",
    "occurred_at": "date",
    "supersedes": "list",
    "superseded_by": "list",
}
"""Keys that memex knows, in the order of the form, and what their values are."""

ALWAYS = ("title", "type", "description", "tags", "aliases", "status")
"""Keys that the form shows even when the page has none of them."""

OFFERED = ("importance", "valid_from", "valid_until", "stale_after", "project", "scope")
"""Keys that are proposed for a new row."""

CHOICES: dict[str, tuple[str, ...]] = {
    "status": ("stable", "draft", "deprecated"),
    "scope": ("global", "project", "branch"),
}
LOCKED = frozenset(("id", "generated", "created"))
"""Keys that memex writes itself."""


class Field(NamedTuple):
    """A row of the form. ``kind``: text, choice, list, number, date, or ``locked`` (not edited here).

    ``value`` is its text in the form; ``was`` the one on the page (None: the page has no such key).
    """

    key: str
    kind: str
    value: str
    was: str | None

    @property
    def changed(self) -> bool:
        return self.value != (self.was or "")


def fields_of(front: Mapping[str, Value]) -> list[Field]:
    """The rows for a page's front matter: known keys first, then its own, in its order."""
    keys = [key for key in KINDS if key in front or key in ALWAYS]
    keys += [key for key in front if key not in KINDS]
    rows = []
    for key in keys:
        value = front.get(key)
        text = shown(value)
        kind = "locked" if key in LOCKED or text is None else kind_of(key, value)
        was = text if text is not None else summary(value)
        rows.append(Field(key, kind, was, was if key in front else None))
    return rows


def kind_of(key: str, value: Value = None) -> str:
    """What kind of value a key has."""
    if key in KINDS and not (KINDS[key] != "list" and isinstance(value, list)):
        return KINDS[key]
    return "list" if isinstance(value, list) else "text"


def shown(value: Value) -> str | None:
    """A value as it is typed in the form; None for one with parts of its own."""
    if value is None:
        return ""
    if isinstance(value, str):
        return value if "\n" not in value else None
    if isinstance(value, list) and all(
        isinstance(one, str) and "," not in one and "\n" not in one for one in value
    ):
        return ", ".join(str(one) for one in value)
    return None


def summary(value: Value) -> str:
    """A value with parts of its own in a few words."""
    if isinstance(value, dict):
        return ", ".join(f"{key}: {summary(one)}" for key, one in value.items())
    if isinstance(value, list):
        return f"{len(value)} entries" if len(value) != 1 else "1 entry"
    return str(value or "").replace("\n", " ")


def read(key: str, kind: str, text: str) -> Value:
    """The value that ``text`` means for a key; None removes the key. Raises BadInput."""
    text = text.strip()
    if not text:
        return None
    if kind == "list":
        return [one for part in text.split(",") if (one := part.strip())] or None
    if kind == "number":
        try:
            number = float(text)
        except ValueError:
            raise BadInput(f"{key}: {text!r} is no number", hint="from 0 to 1") from None
        if not 0 <= number <= 1:
            raise BadInput(f"{key}: {text} is out of range", hint="from 0 to 1")
        return text
    if kind == "date":
        found = clock.normal(text)
        if not found:
            raise BadInput(f"{key}: {text!r} is no date", hint="write 2026-11-30 or 2026-11-30T09:00:00Z")
        return found
    if kind == "choice" and key in CHOICES and text not in CHOICES[key]:
        raise BadInput(f"{key}: {text!r} is not known", hint=", ".join(CHOICES[key]))
    return text


def changes_in(rows: Sequence[Field]) -> tuple[dict[str, Any], list[str]]:
    """Keys to set and keys to remove. Raises BadInput for a value that cannot be."""
    wanted: dict[str, Any] = {}
    unset: list[str] = []
    for row in rows:
        if not row.changed or row.kind == "locked":
            continue
        value = read(row.key, row.kind, row.value)
        if value is not None:
            wanted[row.key] = value
        elif row.was is not None:
            unset.append(row.key)
    return wanted, unset


def next_choice(row: Field, choices: Sequence[str], by: int) -> str:
    """The choice after (or before) the one that a row has."""
    if not choices:
        return row.value
    at = choices.index(row.value) if row.value in choices else (-1 if by > 0 else 0)
    return choices[(at + by) % len(choices)]
