"""From what a model sends to an operation's parameters: forgiving in form, exact in meaning.

Models send lists as JSON text or with commas, numbers as text, null for nothing, and guess names. What can
mean one thing only is taken; everything else is refused with the parameter's name.
"""

from __future__ import annotations

import difflib
import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from memex_core.model.errors import BadInput
from memex_core.model.operations.registry import Param

GUESSED = {
    "q": "query",
    "text": "query",
    "question": "query",
    "search": "query",
    "k": "top_k",
    "limit": "top_k",
    "max_results": "top_k",
    "type": "node_type",
    "tag": "tags",
    "name": "slug",
    "page": "slug",
    "path": "slug",
    "id": "slug",
    "content": "body",
    "session": "session_id",
}
"""Names that models guess -> the ones meant, where a tool has that and not the guessed one."""


def decode(params: Mapping[str, Param], given: Mapping[str, Any] | None) -> dict[str, Any]:
    """Values for the parameters that were given, by the name each has here. Raises BadInput."""
    values: dict[str, Any] = {}
    for name, value in (given or {}).items():
        key = name if name in params else GUESSED.get(name, name)
        param = params.get(key)
        if param is None:
            raise _unknown(name, params)
        if value is None or (value == "" and not param.stdin and not param.required):
            continue
        if key in values:
            raise BadInput(f"{key} is given twice, also as {name}", hint=f"give {key} alone")
        read: Callable[[str, Any], Any] = _READ.get(param.type, _text)
        values[key] = read(key, value)
        _check_choice(key, param, values[key])
    for name, param in params.items():
        if param.required and name not in values:
            raise BadInput(f"{name} is missing", hint=param.help)
    return values


def _unknown(name: str, params: Mapping[str, Param]) -> BadInput:
    near = difflib.get_close_matches(name, params, 1)
    hint = f"did you mean {near[0]}?" if near else "it takes " + (", ".join(params) or "none")
    return BadInput(f"there is no parameter {name!r}", hint=hint)


def _check_choice(name: str, param: Param, value: Any) -> None:
    if param.choices and value not in param.choices:
        raise BadInput(f"{name} cannot be {str(value)[:40]!r}", hint="one of " + ", ".join(param.choices))


def _wrong(name: str, wanted: str, value: Any) -> BadInput:
    kinds = {dict: "an object", list: "a list", str: "text", bool: "true or false", int: "a number"}
    return BadInput(f"{name} must be {wanted}", hint=f"not {kinds.get(type(value), type(value).__name__)}")


def _text(name: str, value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, int | float) and not isinstance(value, bool):
        return str(value)
    raise _wrong(name, "text", value)


def _number(name: str, value: Any) -> float:
    try:
        if not isinstance(value, bool):
            return float(value)
    except (TypeError, ValueError):
        pass
    raise _wrong(name, "a number", value)


def _whole(name: str, value: Any) -> int:
    number = _number(name, value)
    if number != number or abs(number) > 2**53 or number != int(number):
        raise BadInput(f"{name} must be a whole number", hint="without a fraction")
    return int(number)


def _yes(name: str, value: Any) -> bool:
    if isinstance(value, bool):
        return value
    word = value.strip().lower() if isinstance(value, str) else value
    if word in ("true", "yes", "1", 1):
        return True
    if word in ("false", "no", "0", 0):
        return False
    raise _wrong(name, "true or false", value)


def _list(name: str, value: Any) -> list[Any]:
    if isinstance(value, str):
        loaded = _loaded(value)
        value = loaded if isinstance(loaded, list) else _with_commas(value)
    if isinstance(value, Mapping):
        value = [value]
    if not isinstance(value, Sequence):
        raise _wrong(name, "a list", value)
    for item in value:
        if isinstance(item, list | bool) or item is None:
            raise _wrong(name, "a list of texts", item)
    return [item if isinstance(item, dict) else str(item) for item in value if item != ""]


def _with_commas(text: str) -> list[str]:
    """The parts of a list that is no JSON: bare, in brackets, in quotes of any kind."""
    text = text.strip()
    if text.startswith("[") and text.endswith("]") and not text.startswith("[["):
        text = text[1:-1]
    parts = [part.strip() for part in text.split(",")]
    return [part[1:-1] if len(part) > 1 and part[0] == part[-1] in "\"'" else part for part in parts]


def _words(name: str, value: Any) -> list[str]:
    items = _list(name, value)
    for item in items:
        if isinstance(item, dict):
            raise _wrong(name, "a list of texts", item)
    return items


def _objects(name: str, value: Any) -> Any:
    """A list of objects, or the object that holds it."""
    if isinstance(value, str):
        value = _loaded(value)
        if value is None:
            raise BadInput(f"{name} must be a list of objects", hint="the text given is not JSON")
    if isinstance(value, list) and all(isinstance(item, dict) for item in value):
        return value
    if isinstance(value, dict):
        return value
    raise _wrong(name, "a list of objects", value)


def _map(name: str, value: Any) -> dict[str, Any]:
    if isinstance(value, str):
        value = _loaded(value)
    if not isinstance(value, dict):
        raise BadInput(f"{name} must be an object", hint="of keys and their values")
    return value


def _loaded(text: str) -> Any:
    """The JSON in a text; None when it holds none."""
    if not text.lstrip().startswith(("[", "{")):
        return None
    try:
        return json.loads(text)
    except ValueError:
        return None


_READ: dict[str, Callable[[str, Any], Any]] = {
    "int": _whole,
    "float": _number,
    "bool": _yes,
    "list": _words,
    "items": _list,
    "map": _map,
    "objects": _objects,
}
