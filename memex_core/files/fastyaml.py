"""The plain front matter that most pages have, read line by line without a YAML library.

About five times faster than libyaml's loader, and it spares the import of ``yaml``. It takes a
subset (``key: value``, lists, one level of maps, lists of small maps, one-line ``[…]`` and
``{…}``) and answers None for everything else. On what it takes it agrees exactly with
:func:`memex_core.files.yamlread.load`; a fuzz test holds the two against each other.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from memex_core.model.page import Value

NULLS = frozenset({"", "~", "null", "Null", "NULL"})
"""Plain scalars that mean nothing is there."""

_INDICATORS = frozenset("-?:,[]{}#&*!|>'\"%@`")
_ODD = "[^\n\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]"
"""Compiled on first use, which an ASCII store never makes: so large a class takes milliseconds."""

_PLAIN = bytes((0x0A, *range(0x20, 0x7F)))  # the ASCII that _ODD leaves
_FLOW_ODD = re.compile(r"[\[\]{}#&*!|>'\"%@`:?]")
_FLOW_MAP_ODD = re.compile(r"[\[\]{}#&*!|>'\"%@`?]")
_QUOTED_LIST = re.compile(r' *"[^"\\]*"(?: *, *"[^"\\]*")* *')
_QUOTED_ITEM = re.compile(r'"([^"\\]*)"')
_WIKI_LINK = re.compile(r"\[\[[A-Za-z_][\w ./|()+-]*\]\]", re.ASCII)
_LONGEST_KEY = 200  # libyaml gives up on implicit keys over 1,024 characters


class _NotPlainError(Exception):
    """This block is for the full reader."""


class Entry(NamedTuple):
    """Where a top-level key and its value stand: code point offsets in the text of the block.

    ``end`` is the end of the value without a comment behind it. ``style`` is ``plain``, ``'``,
    ``"``, ``|``, ``>``, ``flow``, ``block`` (a list or map on lines of its own), ``alias`` or
    ``empty``. ``column`` is the key's indentation, ``item`` that of a block list's dashes (-1: none).
    """

    key: str
    start: int
    key_end: int
    value_start: int
    end: int
    style: str
    column: int
    item: int


def parse(text: str) -> dict[str, Value] | None:
    """The fields of a block (lines between the fences, unix line ends), or None: not plain enough."""
    if text.encode().translate(None, _PLAIN) if text.isascii() else re.search(_ODD, text):
        return None
    try:
        return _parse(text)
    except _NotPlainError:
        return None


def _parse(text: str) -> dict[str, Value]:
    fields: dict[str, Value] = {}
    open_key = ""  # the key that waits for a list or map on the lines below
    below: _Below | None = None
    comments = " #" in text
    for line in text.split("\n"):
        key, _, value = line.partition(": ")
        if value and key.isidentifier() and len(key) <= _LONGEST_KEY:  # most lines
            value = value.strip(" ")
            if value and value[0] not in _INDICATORS and ":" not in value and not comments:
                if key in fields:
                    raise _NotPlainError
                fields[key] = None if value in NULLS else value  # as _value() reads it
                below, open_key = None, ""
                continue
        elif not line or line[0] == "#":
            continue
        elif line[0] == " " or line[0] == "-":
            body = line.lstrip(" ")
            if body:
                if below is None:
                    if not open_key:
                        raise _NotPlainError
                    below = _Below()
                below.take(len(line) - len(body), body)
                fields[open_key] = below.value
            continue
        else:
            key, value = _pair(line)
        below = None
        if key in fields:
            raise _NotPlainError
        if value:
            open_key = ""
            fields[key] = _value(value)
        else:
            open_key = key
            fields[key] = None
    return fields


class _Below:
    """The indented lines under one key: a list of scalars or small maps, or one map of scalars."""

    __slots__ = ("indent", "map", "map_indent", "value")

    def __init__(self) -> None:
        self.value: list[Value] | dict[str, Value] | None = None
        self.indent = -1
        self.map: dict[str, Value] | None = None
        self.map_indent = -1

    def take(self, indent: int, body: str) -> None:
        if body[0] == "-" and (len(body) == 1 or body[1] == " "):
            self._item(indent, body[1:].lstrip(" "), indent + len(body))
        else:
            self._sub_key(indent, body)

    def _item(self, indent: int, content: str, line_end: int) -> None:
        if self.value is None:
            self.value = []
            self.indent = indent
        if type(self.value) is not list or indent != self.indent:
            raise _NotPlainError
        self.map = None
        text = content.rstrip(" ")
        if text.isalnum() and text not in NULLS:
            self.value.append(text)
        elif text and text[0] not in "[{\"'" and (": " in text or text[-1] == ":"):
            self.map = {}
            self.map_indent = line_end - len(content)
            self._add(text)
            self.value.append(self.map)
        else:
            self.value.append(_value(text) if text else None)

    def _sub_key(self, indent: int, body: str) -> None:
        if not indent:
            raise _NotPlainError
        if self.value is None:
            self.value = self.map = {}
            self.map_indent = indent
        if self.map is None or indent != self.map_indent:
            raise _NotPlainError
        self._add(body)

    def _add(self, text: str) -> None:
        key, value = _pair(text)
        if self.map is None or key in self.map:
            raise _NotPlainError
        self.map[key] = _value(value) if value else None


def _pair(line: str) -> tuple[str, str]:
    key, colon, rest = line.partition(":")
    if not colon or (rest and rest[0] != " ") or len(key) > _LONGEST_KEY:
        raise _NotPlainError
    if not key.isidentifier() and not key.replace("-", "_").isidentifier():
        raise _NotPlainError
    return key, rest.strip(" ")


def _value(text: str) -> Value:
    """The value of a non-empty text without blanks at its ends."""
    first = text[0]
    if first not in _INDICATORS:
        if ": " in text or " #" in text or text[-1] == ":":
            raise _NotPlainError
        return None if text in NULLS else text
    if first == '"':
        if len(text) < 2 or text[-1] != '"' or "\\" in text or text.count('"') != 2:
            raise _NotPlainError
        return text[1:-1]
    if first == "'":
        if len(text) < 2 or text[-1] != "'" or text.count("'") != 2:
            raise _NotPlainError
        return text[1:-1]
    if first == "[" and text[-1] == "]":
        return _flow_list(text)
    if first == "{" and text[-1] == "}":
        return _flow_map(text[1:-1])
    raise _NotPlainError


def _flow_list(text: str) -> Value:
    if text.startswith("[["):
        if _WIKI_LINK.fullmatch(text):
            return text
        raise _NotPlainError
    inner = text[1:-1].strip(" ")
    if not inner:
        return []
    if _FLOW_ODD.search(inner):
        if _QUOTED_LIST.fullmatch(inner):
            return list(_QUOTED_ITEM.findall(inner))
        raise _NotPlainError
    return [_flow_scalar(item) for item in inner.split(",")]


def _flow_map(inner: str) -> Value:
    if not inner.strip(" "):
        return {}
    if _FLOW_MAP_ODD.search(inner):
        raise _NotPlainError
    found: dict[str, Value] = {}
    for part in inner.split(","):
        key, value = _pair(part.strip(" "))
        if key in found or not value or ": " in value or value[-1] == ":" or value[0] == ":":
            raise _NotPlainError
        found[key] = _flow_scalar(value)
    return found


def _flow_scalar(item: str) -> Value:
    item = item.strip(" ")
    if not item or item[0] == "-":
        raise _NotPlainError
    return None if item in NULLS else item


def entries(text: str) -> list[Entry]:
    """Where the top-level keys of a block stand, in order. Only for text that :func:`parse` takes."""
    found: list[Entry] = []
    offset = 0
    for line in text.split("\n"):
        body = line.strip(" ")
        if body and line[0] in " -":
            last = found[-1]
            indent = len(line) - len(line.lstrip(" "))
            is_item = body[0] == "-" and body[1:2] in ("", " ")
            item = indent if is_item and last.item < 0 and last.style == "empty" else last.item
            value_start = offset + indent if last.style == "empty" else last.value_start
            end = offset + len(line.rstrip(" "))
            found[-1] = last._replace(value_start=value_start, end=end, style="block", item=item)
        elif body and line[0] != "#":
            key, _, rest = line.partition(":")
            key_end = offset + len(key)
            value = rest.strip(" ")
            start = key_end + 1 + len(rest) - len(rest.lstrip(" ")) if value else key_end + 1
            style = (
                "empty"
                if not value
                else {'"': '"', "'": "'", "[": "flow", "{": "flow"}.get(value[0], "plain")
            )
            found.append(Entry(key, offset, key_end, start, start + len(value), style, 0, -1))
        offset += len(line) + 1
    return found
