"""TOML front matter (``+++``): read as text, edited line by line."""

from __future__ import annotations

import json
import re
from datetime import date, datetime, time
from typing import Any

from memex_core.model.page import Value

_AT = re.compile(r"\s*\(at (?:line (\d+), column (\d+)|end of document)\)$")
_TABLE = re.compile(r"^[ \t]*\[", re.MULTILINE)
_SIMPLE = re.compile(
    r"""^(?P<key>[A-Za-z0-9_-]+|"[^"\n\\]*"|'[^'\n]*')(?P<eq>[ \t]*=[ \t]*)"""
    r"""(?P<value>"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|\[[^\]\n"']*\]|\[(?:[^\]\n"']|"(?:[^"\\\n]|\\.)*"|'[^'\n]*')*\]"""
    r"""|[^\s"'\[\]{}#\n][^\s#\n]*(?: [0-9:.Z+-]+)?)(?=[ \t]*(?:#[^\n]*)?$)""",
    re.MULTILINE,
)
_LITERAL = re.compile(
    r"true|false|[+-]?\d[\d_]*(?:\.\d+)?|\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)?)?"
)
_STRING = re.compile(r'"(?:[^"\\\n]|\\.)*"|\'[^\'\n]*\'')
_LINE = re.compile(r"[ \t]*(?P<key>[A-Za-z0-9_.\"'-]{1,200})[ \t]*=[ \t]*(?P<value>.*)")
_BARE = re.compile(r"[A-Za-z0-9_-]+")
_MAX_DEPTH = 60
_DOTTED = re.compile(rf"(?:[\w\"'-]{{1,100}}[ \t]*\.[ \t]*){{{_MAX_DEPTH}}}")


class TomlError(Exception):
    """The block is not TOML. Line and column count from 1 within the block; 0: unknown."""

    def __init__(self, message: str, line: int = 0, column: int = 0) -> None:
        super().__init__(message)
        self.message = message
        self.line = line
        self.column = column


def read(text: str) -> dict[str, Value]:
    """The fields of a block (unix line ends). Raises TomlError, and nothing else.

    Numbers and times keep the spelling of the file where they stand alone behind a top-level key;
    deeper ones are written in the usual way.
    """
    import tomllib  # rare: kept out of start-up

    if text.count(".") > _MAX_DEPTH and _DOTTED.search(_STRING.sub("s", text)):
        raise TomlError("nested too deeply")  # tomllib takes quadratic time and space for a.a.a.a…
    try:
        data = tomllib.loads(text, parse_float=str)
    except tomllib.TOMLDecodeError as error:
        message = str(error)
        at = _AT.search(message)
        line, column = (int(at[1] or 0), int(at[2] or 0)) if at else (0, 0)
        if at and not at[1]:
            line = text.rstrip("\n").count("\n") + 1
        raise TomlError(_AT.sub("", message), line, column) from None
    except RecursionError:
        raise TomlError("nested too deeply") from None
    except Exception as error:  # odd dates, whatever a parser may raise, the page must still read
        raise TomlError(f"{type(error).__name__}: {error}") from None
    spelling = _spelling(text)
    return {key: _text(value, spelling.get(key), 0) for key, value in data.items()}


def readable_lines(text: str) -> dict[str, Value]:
    """The ``key = value`` lines above the first table of a block that does not parse."""
    found: dict[str, Value] = {}
    for line in text.split("\n"):
        if line.startswith("["):
            break
        match = _LINE.fullmatch(line)
        if match is None:
            continue
        try:
            found.update(read(line))
        except TomlError:
            found[_name(match["key"])] = match["value"].strip().strip("\"'")
    return found


def _spelling(text: str) -> dict[str, str]:
    table = _TABLE.search(text)
    top = text[: table.start()] if table else text
    return {_name(match["key"]): match["value"].strip() for match in _SIMPLE.finditer(top)}


def _name(key: str) -> str:
    return key[1:-1] if key[0] in "\"'" else key


def _text(value: Any, spelled: str | None, depth: int) -> Value:
    if depth > _MAX_DEPTH:
        raise TomlError("nested too deeply")
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return [_text(item, None, depth + 1) for item in value]
    if isinstance(value, dict):
        return {str(key): _text(item, None, depth + 1) for key, item in value.items()}
    if spelled is not None:
        return spelled
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (datetime, date, time)):
        return value.isoformat()
    return str(value)


def edited(text: str, changes: dict[str, Value]) -> str | None:
    """``text`` with top-level keys set (or removed, for None), or None: not possible line by line."""
    for key, value in changes.items():
        table = _TABLE.search(text)
        top = table.start() if table else len(text)
        found = [match for match in _SIMPLE.finditer(text, 0, top) if _name(match["key"]) == key]
        if value is None:
            if len(found) != 1:
                return None
            end = text.find("\n", found[0].end())
            text = text[: found[0].start()] + (text[end + 1 :] if end >= 0 else "")
        elif found:
            bare = found[0]["value"][0] not in "\"'[{"
            text = text[: found[0].start("value")] + _dump(value, bare) + text[found[0].end("value") :]
        else:
            line = f"{_dump_key(key)} = {_dump(value, False)}\n"
            head = text[:top]
            if head and not head.endswith("\n"):
                head += "\n"
            kept = len(head.rstrip("\n")) + 1 if head.strip("\n") else 0
            text = head[:kept] + line + head[kept:] + text[top:]
    return text


def _dump(value: Value, bare: bool) -> str:
    if isinstance(value, list):
        return "[" + ", ".join(_dump(item, False) for item in value) + "]"
    if isinstance(value, dict):
        return (
            "{ " + ", ".join(f"{_dump_key(key)} = {_dump(item, False)}" for key, item in value.items()) + " }"
        )
    text = value or ""
    if bare and _LITERAL.fullmatch(text):
        return text
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _dump_key(key: str) -> str:
    return key if _BARE.fullmatch(key) else _dump(key, False)
