"""Front matter written as one JSON object, as some publishing plugins do.

JSON is read by JSON's rules first (surrogate pairs in ``\\u`` escapes are fine here and no YAML), and
once more with stray backslashes (``"[[a\\|A]]"``) taken literally. Numbers stay as typed.
"""

from __future__ import annotations

import json
import re
from typing import Any, NamedTuple

from memex_core.model.page import Problem, Value

_STRAY = re.compile(r'\\(?:(["\\/bfnrt]|u[0-9a-fA-F]{4})|)')
_BLANK = re.compile(r"[ \t\r\n]*")


def read(text: str, *, lenient: bool = False) -> tuple[dict[str, Value], list[Problem]] | None:
    """The fields of a block that is one JSON object, or None. ``lenient`` accepts stray backslashes."""
    if lenient:
        text = _STRAY.sub(lambda match: match[0] if match[1] else "\\\\", text)
    problems: list[Problem] = []

    def pairs(items: list[tuple[str, Any]]) -> dict[str, Value]:
        found: dict[str, Value] = {}
        for key, value in items:
            if key in found:
                problems.append(Problem(f"duplicate key: {key}", 1))
            found[key] = _text(value)
        return found

    try:
        value = json.loads(
            text, parse_int=str, parse_float=str, parse_constant=str, object_pairs_hook=pairs, strict=False
        )
    except (ValueError, RecursionError):
        return None
    return (value, problems) if isinstance(value, dict) else None


def _text(value: Any) -> Value:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return [_text(item) for item in value]
    if isinstance(value, str):
        return re.sub("[\ud800-\udfff]", "\ufffd", value)
    return value  # None, or a map made by pairs


class Member(NamedTuple):
    """One member of the object: offsets of the key's quote, of the value, and of the value's end."""

    key: str
    start: int
    value_start: int
    end: int


def members(text: str) -> list[Member]:
    """Where the members of the object in ``text`` stand. Raises ValueError when it is not strict JSON."""
    decoder = json.JSONDecoder(strict=False)
    found: list[Member] = []
    at = _skip(text, _skip(text, 0) + 1)
    while text[at : at + 1] not in ("}", ""):
        key, after = decoder.raw_decode(text, at)
        colon = _skip(text, after)
        if not isinstance(key, str) or text[colon : colon + 1] != ":":
            raise ValueError("not an object")
        value_start = _skip(text, colon + 1)
        _, end = decoder.raw_decode(text, value_start)
        found.append(Member(key, at, value_start, end))
        at = _skip(text, end)
        if text[at : at + 1] == ",":
            at = _skip(text, at + 1)
    return found


def edited(text: str, changes: dict[str, Value]) -> str:
    """``text`` with the members set (or removed, for None); everything else stays as it is."""
    for key, value in changes.items():
        spans = [member for member in members(text) if member.key == key]
        if value is None:
            for span in reversed(spans):
                text = _without(text, span)
        elif spans:
            text = text[: spans[-1].value_start] + _dump(value) + text[spans[-1].end :]
        else:
            close = text.rindex("}")
            end = len(text[:close].rstrip())
            comma = "" if text[:end].endswith("{") else ","
            text = f"{text[:end]}{comma}{_dump(key)}:{_dump(value)}{text[end:]}"
    return text


def _without(text: str, span: Member) -> str:
    after = _skip(text, span.end)
    if text[after : after + 1] == ",":
        return text[: span.start] + text[_skip(text, after + 1) :]
    before = text[: span.start].rstrip()
    return (before[:-1] if before.endswith(",") else before) + text[span.end :]


def _dump(value: Value) -> str:
    return json.dumps(value, ensure_ascii=False)


def _skip(text: str, at: int) -> int:
    match = _BLANK.match(text, at)
    return match.end() if match else at
