"""What surrounds every operation of :class:`memex_core.memex.Memex`, in one place.

Before it: parameters may have the specification's names, a value of the wrong kind is refused, and the folder
is looked at again when the last look is old. After it: a line in the log.
"""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Callable, Mapping
from types import FunctionType
from typing import Any, TypeVar

from memex_core.index.failing import failure
from memex_core.model.errors import BadInput, MemexError

C = TypeVar("C", bound=type)

OTHER_NAMES: dict[str, dict[str, str | tuple[str, ...]]] = {
    "recall": {
        "top_k": "k",
        "node_type": "type",
        "tags": "tag",
        "time_range": ("after", "before"),
    },
    "list": {"node_type": "type", "tags": "tag"},
    "write": {"valid_to": "valid_until", "expires_at": "stale_after"},
    "forget": {"valid_to": "valid_until"},
    "backup": {"output_path": "output"},
    "restore": {"archive_path": "input"},
    "consolidate": {"episode_ids": "session"},
}
"""Operation -> the specification's names of its parameters -> ours; a pair of ours takes a pair of values."""

PLAIN = frozenset({"close", "look_again", "interrupt"})
"""Methods that are no operations."""

_LOGGED = frozenset({"recall", "context", "delete_transcript"})
"""Logged as a matter of course, as are all that change something; the rest, and dry runs, at DEBUG."""

_LOOKING = frozenset({"doctor"})
"""What can be tried as well, but mostly only looks."""

_PATIENT = frozenset({"edit"})
"""Compare the file of their own page with the index by themselves; of the others they only need the names."""

_COUNTED = ("mode", "hits", "new_turns", "nodes_indexed", "imported", "restored", "size_bytes")
"""What of a result its line tells: numbers, and how many there are of a list. Never a text of a person."""


def operations(cls: C) -> C:
    """Surround every public method of a class and of its parts; classmethods and properties stay."""
    for part in cls.__mro__[:-1]:
        for name, method in list(vars(part).items()):
            if type(method) is FunctionType and name[0] != "_" and name not in PLAIN:
                setattr(cls, name, _surrounded(name, method))
    return cls


def _surrounded(name: str, method: FunctionType) -> Callable[..., Any]:
    others = OTHER_NAMES.get(name)
    places = method.__code__.co_varnames[1 : method.__code__.co_argcount]
    acts = name in _LOGGED or ("dry_run" in places and name not in _LOOKING)
    level = "INFO" if acts else "DEBUG"
    patient = name in _PATIENT
    kinds: dict[str, tuple[str, ...]] = {}

    def run(self: Any, *given: Any, **named: Any) -> Any:
        if others:
            named = _ours(name, others, named)
        kinds_of = kinds or _kinds(method, kinds)
        for place, value in (*zip(places, given, strict=False), *named.items()):
            if value is not None and place in kinds_of:
                _check(place, value, kinds_of[place])
        store = self.store
        store.look_if_due(patient=patient)
        start = time.perf_counter()
        try:
            result = method(self, *given, **named)
        except (MemexError, sqlite3.Error) as error:
            ours = error if isinstance(error, MemexError) else failure(error, "the index")
            _log(store, "DEBUG" if named.get("dry_run") else "WARNING", f"{name} {ours.code}", start)
            if ours is error:
                raise
            raise ours from error
        _log(store, "DEBUG" if named.get("dry_run") else level, f"{name}{_told(result, named)}", start)
        return result

    run.__name__, run.__doc__ = name, method.__doc__
    run.__dict__["__wrapped__"] = method  # what inspect.signature asks for
    return run


def _ours(
    operation: str, others: Mapping[str, str | tuple[str, ...]], named: dict[str, Any]
) -> dict[str, Any]:
    """The parameters by the names that they have here."""
    out: dict[str, Any] = {}
    for name, value in named.items():
        meant = others.get(name, name)
        if isinstance(meant, str):
            pairs = [(meant, value)]
        elif value is None:
            pairs = []
        elif isinstance(value, list | tuple) and len(value) == len(meant):
            pairs = list(zip(meant, value, strict=True))
        else:
            raise BadInput(f"{name} must be a pair", hint=f"({', '.join(meant)})")
        for ours, one in pairs:
            if ours in out or (ours != name and ours in named):
                raise BadInput(f"{operation} gets {ours} twice, also as {name}", hint=f"give {ours} alone")
            out[ours] = one
    return out


_WANTED = {
    "str": "text",
    "int": "a whole number",
    "float": "a number",
    "bool": "True or False",
    "dict[str, Any]": "a map",
}


def _kinds(method: FunctionType, into: dict[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
    """The kinds that each parameter may be of, read from how it is declared; those that vary are left out."""
    known = {*_WANTED, "None", "os.PathLike[str]"}
    for place, declared in method.__annotations__.items():
        parts = tuple(str(declared).split(" | "))
        if place != "return" and known.issuperset(parts):
            into[place] = tuple(part for part in parts if part != "None")
    return into


def _check(name: str, value: Any, kinds: tuple[str, ...]) -> None:
    for kind in kinds:
        if kind == "str":
            fits = isinstance(value, str)
        elif kind == "bool":
            fits = isinstance(value, bool)
        elif kind == "os.PathLike[str]":
            fits = isinstance(value, os.PathLike)
        elif kind == "dict[str, Any]":
            fits = isinstance(value, Mapping)
        else:
            number = "__index__" if kind == "int" else "__float__"
            fits = hasattr(value, number) and not isinstance(value, bool)
        if fits:
            return
    wanted = next((_WANTED[kind] for kind in kinds if kind in _WANTED), "a path")
    raise BadInput(f"{name} must be {wanted}", hint=f"not {type(value).__name__}")


def _log(store: Any, level: str, text: str, start: float) -> None:
    from memex_core.files import log

    try:
        settings = store.config.logging
    except MemexError:  # the settings cannot be read: the operation has said so
        return
    if log.kept(settings, level):
        took = (time.perf_counter() - start) * 1000
        actor = "_".join(store.actor.split())
        log.add(store.layout, settings, level, f"{text} by={actor} ms={took:.1f}")


def _told(result: Any, named: Mapping[str, Any]) -> str:
    """What came of it, in numbers."""
    told = " (dry run)" if named.get("dry_run") else ""
    if isinstance(result, dict):
        for key in _COUNTED:
            value = result.get(key)
            if isinstance(value, list):
                value = len(value)
            if value not in (None, ""):
                told += f" {key}={value}"
    return told
