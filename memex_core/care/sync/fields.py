"""Front matter that two sides changed, put together key by key; lists that are sets, entry by entry."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import NamedTuple

from memex_core.files.values import as_aliases, as_tags, text_of
from memex_core.model import clock
from memex_core.model.page import Value
from memex_core.model.slug import fold
from memex_core.model.status import read_status

SETS = frozenset(
    ("tags", "aliases", "sources", "verified", "links", "supersedes", "depends_on", "implements")
)
"""Keys whose entries are added and removed one by one, whatever the other side does."""

_STAMPS = frozenset(("generated", "updated", "timestamp", "updated_at"))
_BY_USE = {"deprecated": 2, "draft": 1, "stable": 0}


class Fields(NamedTuple):
    """``values``: every key that stays. ``clashes``: keys that both sides set, each to something else;
    ``values`` has ours of them."""

    values: dict[str, Value]
    clashes: tuple[str, ...]


def merge_fields(
    base: Mapping[str, Value] | None, ours: Mapping[str, Value], theirs: Mapping[str, Value]
) -> Fields:
    """Three maps of front matter to one. ``base`` is what both come from, None where nobody knows."""
    values: dict[str, Value] = {}
    clashes: list[str] = []
    for key in dict.fromkeys([*ours, *theirs]):
        was = base.get(key) if base is not None else None
        mine, other = ours.get(key), theirs.get(key)
        value = mine
        if mine == other or (other == was and base is not None):
            pass
        elif mine == was and base is not None:
            value = other
        elif key in SETS:
            value = merge_sets(key, was, mine, other)
        elif mine is None or other is None:
            if base is not None and was is not None and key not in ("status", "valid_until"):
                clashes.append(key)  # one side took away what the other changed
            value = _least_used(key, mine, other) if key == "status" else mine if other is None else other
        elif key == "status":
            value = _least_used(key, mine, other)
        elif key in _STAMPS:
            value = max(mine, other, key=_when)
        elif key in ("created", "valid_until", "deferred"):
            value = min(mine, other, key=text_of)
        else:
            clashes.append(key)
        if value is not None:
            values[key] = value
    return Fields(values, tuple(clashes))


def merge_sets(key: str, base: Value, ours: Value, theirs: Value) -> Value:
    """The entries that both have, and those that one side has added; None when none is left.

    An entry whose label (``id``) the other side gave to something else gets a free one.
    """
    was, mine, other = (_entries(key, value) for value in (base, ours, theirs))
    kept: dict[str, Value] = {}
    for name, entry in mine.items():
        if name not in other and name in was and was[name] == entry:
            continue  # they took it away
        change = other.get(name, entry)
        kept[name] = change if name in was and entry == was[name] else entry
    for name, entry in other.items():
        if name not in mine and not (name in was and was[name] == entry):
            kept[name] = entry
    return _relabelled(list(kept.values())) or None


def inactive_wins(one: str, other: str) -> str:
    """Of two spellings of a status, the one that takes a page further out of use."""
    return max(one, other, key=lambda status: (_BY_USE.get(read_status(status), 0), status))


def canonical(value: object) -> str:
    """A value as text: the same for the same value."""
    return json.dumps(value, sort_keys=True, ensure_ascii=True, separators=(",", ":"))


def _least_used(key: str, mine: Value, other: Value) -> Value:
    chosen = inactive_wins(text_of(mine), text_of(other))
    return chosen or None


def _when(value: Value) -> tuple[str, str]:
    at = value.get("at") if isinstance(value, dict) else value
    return clock.normal(text_of(at)), canonical(value)


def _entries(key: str, value: Value) -> dict[str, Value]:
    """Entry by the name that makes it the same entry."""
    if key in ("tags", "aliases"):
        words = as_tags(value) if key == "tags" else as_aliases(value)
        return {fold(word): word for word in words}
    listed = list(value) if isinstance(value, list) else [] if value is None else [value]
    found: dict[str, Value] = {}
    for entry in listed:
        name = canonical(entry)
        if key == "sources" and isinstance(entry, dict):
            name = canonical([entry.get(part) for part in ("resource", "quote", "lane")])
        found.setdefault(name, entry)
    return found


def _relabelled(entries: list[Value]) -> list[Value]:
    taken: set[str] = set()
    labels = {str(entry.get("id")) for entry in entries if isinstance(entry, dict)}
    out: list[Value] = []
    for entry in entries:
        label = str(entry.get("id") or "") if isinstance(entry, dict) else ""
        if isinstance(entry, dict) and label and label in taken:
            label = next(f"s{n}" for n in range(1, len(labels) + 2) if f"s{n}" not in labels)
            labels.add(label)
            entry = {**entry, "id": label}
        taken.add(label)
        out.append(entry)
    return out
