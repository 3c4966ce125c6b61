"""Where the tables and settings of a TOML file stand. The text must be TOML already; tomllib says so."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import NamedTuple

_PART = re.compile(r"""[ \t]*(?:([A-Za-z0-9_-]+)|"((?:[^"\\\n]|\\.)*)"|'([^'\n]*)')[ \t]*""")
_TOKEN = re.compile(
    r'"""(?:[^"\\]|\\.|"(?!""))*+"{3,5}'
    r"|'''(?:[^']|'(?!''))*+'{3,5}"
    r'|"(?:[^"\\\n]|\\.)*+"'
    r"|'[^'\n]*+'"
    r"|#[^\n]*+"
    r"|[\[{]|[\]}]|\n|[^\"'#\[\]{}\n]++",
    re.DOTALL,
)


class Statement(NamedTuple):
    """A table's header or one setting. ``path`` is absolute; ``[start, end)`` are its whole lines,
    ``[value_start, value_end)`` the setting's value."""

    header: bool
    path: tuple[str, ...]
    start: int
    end: int
    value_start: int = -1
    value_end: int = -1


def statements(text: str) -> Iterator[Statement]:
    """The statements of a valid TOML text, in order."""
    at = 1 if text.startswith("\ufeff") else 0
    table: tuple[str, ...] = ()
    while at < len(text):
        start = at
        while text[at : at + 1] in (" ", "\t"):
            at += 1
        first = text[at : at + 1]
        if first in ("", "\r", "\n", "#"):
            at = _line_end(text, at)
            continue
        if first == "[":
            many = text.startswith("[[", at)
            table, at = _key(text, at + 1 + many)
            at = _line_end(text, at)
            yield Statement(True, table, start, at)
            continue
        key, at = _key(text, at)
        while text[at] in "= \t":
            at += 1
        value_end = _value_end(text, at)
        end = _line_end(text, value_end)
        yield Statement(False, table + key, start, end, at, value_end)
        at = end


def _line_end(text: str, at: int) -> int:
    found = text.find("\n", at)
    return len(text) if found < 0 else found + 1


def _key(text: str, at: int) -> tuple[tuple[str, ...], int]:
    parts: list[str] = []
    while found := _PART.match(text, at):
        bare, quoted, literal = found.groups()
        parts.append(bare if bare is not None else literal if literal is not None else _unquoted(quoted))
        at = found.end()
        if text[at : at + 1] != ".":
            break
        at += 1
    return tuple(parts), at


def _unquoted(text: str) -> str:
    try:
        return str(json.loads(f'"{text}"', strict=False))
    except ValueError:  # \UXXXXXXXX, which JSON does not have
        return text


def _value_end(text: str, at: int) -> int:
    depth, end = 0, at
    while at < len(text):
        found = _TOKEN.match(text, at)
        if found is None:
            return len(text)
        token = found[0]
        if depth == 0 and (token == "\n" or token[0] == "#"):
            break
        depth += (token in "[{") - (token in "]}")
        at = found.end()
        if token.strip() and token[0] != "#":
            end = found.start() + len(token.rstrip())
    return end


def literal(value: str | list[str]) -> str:
    """A text or a list of texts as TOML writes it."""
    if isinstance(value, list):
        return "[" + ", ".join(literal(item) for item in value) + "]"
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
