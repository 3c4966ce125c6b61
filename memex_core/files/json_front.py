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
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\]{},:]|[^\s,:\[\]{}"]+', re.DOTALL)
_BLANK = re.compile(r"[ \t\r\n]*")


def read(text: str, *, lenient: bool = False) -> tuple[dict[str, Value], list[Problem]] | None:
    """The fields of a block that is one JSON object, or None. ``lenient`` accepts stray backslashes."""
    if lenient:
        text = _unstrayed(text)
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


def _unstrayed(text: str) -> str:
    return _STRAY.sub(lambda match: match[0] if match[1] else "\\\\", text)


def _text(value: Any) -> Value:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return [_text(item) for item in value]
    if isinstance(value, str):
        return re.sub("[\ud800-\udfff]", "\ufffd", value)
    made: dict[str, Value] | None = value  # by pairs
    return made


class Member(NamedTuple):
    """One member of the object: offsets of the key's quote, of the value, and of the value's end."""

    key: str
    start: int
    value_start: int
    end: int


def members(text: str) -> list[Member]:
    """Where the members of the object in ``text`` stand, stray backslashes or not.

    Raises ValueError when the text is no object.
    """
    found: list[Member] = []
    tokens = _TOKEN.finditer(text)
    opening = next(tokens, None)
    if opening is None or opening[0] != "{":
        raise ValueError("not an object")
    for token in tokens:
        if token[0] == "}":
            break
        if token[0] == ",":
            continue
        colon, value = next(tokens, None), next(tokens, None)
        if token[0][0] != '"' or colon is None or colon[0] != ":" or value is None:
            raise ValueError("not an object")
        end = value.end()
        depth = int(value[0] in ("{", "["))
        while depth:
            inner = next(tokens, None)
            if inner is None:
                raise ValueError("not closed")
            depth += (inner[0] in ("{", "[")) - (inner[0] in ("}", "]"))
            end = inner.end()
        key = json.loads(_unstrayed(token[0]), strict=False)
        found.append(Member(key, token.start(), value.start(), end))
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
