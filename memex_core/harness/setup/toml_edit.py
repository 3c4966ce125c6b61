"""Single settings and one table put into a TOML file and taken out; every other byte stays.

What comes out is read again: unless it says exactly what was meant, KeyError is raised and nothing done.
"""

from __future__ import annotations

import re
import tomllib
from typing import Any

from memex_core.harness.setup import blocks
from memex_core.harness.setup.toml_spans import Statement, literal, statements

Path = tuple[str, ...]
_AT = re.compile(r" \(at line (\d+), column \d+\)$| \(at end of document\)$")


class TomlError(Exception):
    """Not TOML; ``line`` counts from 1."""

    def __init__(self, message: str, line: int) -> None:
        super().__init__(message)
        self.message = message
        self.line = line


def parse(text: str) -> dict[str, Any]:
    """What the file says. Raises TomlError."""
    plain = text.removeprefix("\ufeff")
    try:
        return tomllib.loads(plain)
    except tomllib.TOMLDecodeError as error:
        found = _AT.search(str(error))
        line = int(found[1]) if found and found[1] else plain.rstrip("\n").count("\n") + 1
        raise TomlError(_AT.sub("", str(error)), line) from None
    except (RecursionError, ValueError) as error:
        raise TomlError(f"it cannot be read ({type(error).__name__})", 1) from None


def set_key(text: str, key: str, value: str | list[str]) -> str:
    """A setting above all tables: changed where it stands, else added after the last of them."""
    wanted = {**parse(text), key: value}
    found = [one for one in statements(text) if one.path == (key,) and not one.header]
    if found:
        return _checked(_replaced(text, found[0], value), wanted)
    end = blocks.newline(text)
    closed = text.endswith("\n") or not text.strip("\ufeff")
    body = text if closed else text + end
    first_table = next((one.start for one in statements(body) if one.header), len(body))
    before = [one.end for one in statements(body) if one.end <= first_table and not one.header]
    at = before[-1] if before else int(body.startswith("\ufeff"))
    made = f"{body[:at]}{key} = {literal(value)}{end}{body[at:]}"
    return _checked(made if closed else made.removesuffix(end), wanted)


def unset_key(text: str, key: str) -> str:
    """Without a setting that stands above all tables."""
    wanted = {name: value for name, value in parse(text).items() if name != key}
    found = [(one.start, one.end) for one in statements(text) if one.path == (key,) and not one.header]
    if not found:
        return text
    start, stop = found[0]
    if stop == len(text) and not text.endswith("\n"):
        made = text[:start].removesuffix(blocks.newline(text))
    else:
        made = text[:start] + text[stop:]
    return _checked(made, wanted)


def set_table(text: str, path: Path, values: dict[str, str | list[str]]) -> str:
    """The settings of a table: changed where they stand, the table added at the end if there is none."""
    doc = parse(text)
    wanted = _with(doc, path, {**_table(doc, path), **values})
    if any(one.path[: len(path)] == path for one in statements(text)):
        for key, value in values.items():
            found = [one for one in statements(text) if one.path == (*path, key) and not one.header]
            if found:
                text = _replaced(text, found[0], value)
                continue
            heads = [one for one in statements(text) if one.path == path and one.header]
            if not heads:
                raise KeyError(".".join(path))
            at = heads[0].end
            head = text[:at] if text[:at].endswith("\n") else text[:at] + blocks.newline(text)
            text = f"{head}{key} = {literal(value)}{blocks.newline(text)}{text[at:]}"
    else:
        name = ".".join(path)
        lines = [f"[{name}]", *(f"{key} = {literal(value)}" for key, value in values.items())]
        text = blocks.append(text, "\n".join(lines))
    return _checked(text, wanted)


def unset_table(text: str, path: Path) -> str:
    """Without a table and the tables in it; comments on lines of their own stay."""
    wanted = _with(parse(text), path, None)
    spans = [(one.start, one.end) for one in statements(text) if one.path[: len(path)] == path]
    return _checked(blocks.cut(text, spans), wanted)


def _replaced(text: str, one: Statement, value: str | list[str]) -> str:
    return text[: one.value_start] + literal(value) + text[one.value_end :]


def _table(doc: dict[str, Any], path: Path) -> dict[str, Any]:
    found: Any = doc
    for key in path:
        found = found.get(key, {}) if isinstance(found, dict) else {}
    return found if isinstance(found, dict) else {}


def _with(doc: dict[str, Any], path: Path, value: dict[str, Any] | None) -> dict[str, Any]:
    """``doc`` with another table at ``path``, or without it and the tables that held nothing else."""
    key, rest = path[0], path[1:]
    inside = doc.get(key, {})
    made = value if not rest else _with(inside if isinstance(inside, dict) else {}, rest, value)
    if made is None:
        return {name: one for name, one in doc.items() if name != key}
    return {**doc, key: made}


def _checked(text: str, wanted: dict[str, Any]) -> str:
    """``text`` if it says just what is wanted; tables that hold nothing count as none."""
    try:
        said = parse(text)
    except TomlError:
        said = {"not": "TOML"}
    if repr(_bare(said)) != repr(_bare(wanted)):  # by their spelling: nan is not equal to itself
        raise KeyError("cannot be changed line by line")
    return text


def _bare(value: Any) -> Any:
    if isinstance(value, list):
        return [_bare(item) for item in value]
    if not isinstance(value, dict):
        return value
    made = {key: _bare(item) for key, item in sorted(value.items())}
    return {key: item for key, item in made.items() if item != {}}
