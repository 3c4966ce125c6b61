"""What may be set in front matter: reading takes everything, writing makes no page that is invalid."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from uuid import UUID

from memex_core.actions import terms
from memex_core.model import clock
from memex_core.model.errors import BadInput
from memex_core.model.page import Value
from memex_core.model.scope import SCOPES
from memex_core.model.status import STATUSES, is_known

WINDOW = ("valid_from", "valid_until")


def check(assignments: Mapping[str, Value | None], *, folder: bool = False) -> None:
    """Raise BadInput for a value that its key cannot have; None takes the key out, which is always right.

    In a ``folder`` opened as it is, ``id``, ``type`` and the like are another program's words, and free.
    """
    for key, value in assignments.items():
        checked = _OWN.get(key) or (None if folder else _STORE.get(key))
        if checked is not None and value is not None and value != "":
            checked(key, value)


def check_window(front: Mapping[str, Value | None]) -> None:
    """Raise BadInput for a page that would end before it begins."""
    start, end = (clock.normal(str(front.get(key) or "")) for key in WINDOW)
    if start and end and end <= start:
        raise BadInput(f"valid_until {end} is not after valid_from {start}", hint="swap or change them")


def _id(key: str, value: Value) -> None:
    try:
        UUID(str(value))
    except ValueError:
        raise BadInput(f"{key} {value!r} is no UUID", hint="a page keeps its id") from None


def _type(key: str, value: Value) -> None:
    terms.as_type(value)


def _status(key: str, value: Value) -> None:
    if not isinstance(value, str) or not is_known(value):
        raise BadInput(f"{value!r} is no status", hint=f"one of {', '.join(STATUSES)}")


def _scope(key: str, value: Value) -> None:
    if not isinstance(value, str) or value.strip().lower() not in SCOPES:
        raise BadInput(f"{value!r} is no scope", hint=f"one of {', '.join(SCOPES)}")


def _importance(key: str, value: Value) -> None:
    terms.as_importance(value)


def _time(key: str, value: Value) -> None:
    terms.as_time(value, key)


_OWN: dict[str, Callable[[str, Value], None]] = {
    "importance": _importance,
    "valid_from": _time,
    "valid_until": _time,
    "stale_after": _time,
    "occurred_at": _time,
}
"""Keys that are memex's own wherever a page lies."""

_STORE: dict[str, Callable[[str, Value], None]] = {
    "id": _id,
    "type": _type,
    "status": _status,
    "scope": _scope,
    "created": _time,
}
"""Keys that other programs have too; in a store they mean what memex says."""
