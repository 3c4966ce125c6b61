"""JSON as people write it in settings: with comments, trailing commas, a byte order mark.

:func:`parse` says where everything stands, so that one entry can be put in or taken out
(:mod:`memex_core.harness.setup.json_edit`) and every other byte stays.
"""

from __future__ import annotations

import json
import re
from functools import lru_cache
from typing import Any, NamedTuple

_BLANK = re.compile(r"(?:[ \t\r\n]++|//[^\r\n]*+|/\*(?:[^*]|\*(?!/))*+\*/)*+")
_STRING = re.compile(r'"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*+"')
_OTHER = re.compile(r"(?:true|false|null|-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)(?![\w.+-])")
_MAX_DEPTH = 150


class JsonError(Exception):
    """Not JSON; ``at`` is the offset where reading ended, and what stands there is no use."""

    def __init__(self, message: str, at: int) -> None:
        super().__init__(message)
        self.message = message
        self.at = at


class Node:
    """A value. ``kind`` is ``object``, ``array`` or ``scalar``; it stands at ``[start, end)``."""

    __slots__ = ("children", "end", "kind", "scalar", "start")

    def __init__(self, kind: str, start: int) -> None:
        self.kind = kind
        self.start = start
        self.end = start
        self.children: list[Child] = []
        self.scalar: Any = None

    def child(self, key: str) -> Child | None:
        """The member of that name; the last one, as every reader of JSON takes it."""
        return next((child for child in reversed(self.children) if child.key == key), None)

    def at(self, path: tuple[str, ...]) -> Node | None:
        """The value under these keys, or None."""
        node: Node | None = self
        for key in path:
            child = node.child(key) if node is not None and node.kind == "object" else None
            node = child.node if child else None
        return node

    @property
    def value(self) -> Any:
        """The value as Python has it."""
        if self.kind == "object":
            return {child.key: child.node.value for child in self.children}
        if self.kind == "array":
            return [child.node.value for child in self.children]
        return self.scalar


class Child(NamedTuple):
    """A member or an item. It starts at its key or value; ``comma`` is where the one after it is, or -1."""

    key: str
    start: int
    node: Node
    comma: int


@lru_cache(maxsize=4)
def parse(text: str) -> Node:
    """The document in ``text``; not to be changed, since the next caller may get it too. Raises JsonError."""
    begin = 1 if text.startswith("\ufeff") else 0
    node = _value(text, skip(text, begin), 0)
    end = skip(text, node.end)
    if end != len(text):
        raise JsonError("there is more after the end", end)
    return node


def is_blank(text: str) -> bool:
    """Whether there is nothing but white space and comments."""
    return skip(text, 1 if text.startswith("\ufeff") else 0) == len(text)


def skip(text: str, at: int) -> int:
    """The offset of what comes after white space and comments."""
    found = _BLANK.match(text, at)
    return found.end() if found else at


def last_comment(text: str, at: int, end: int) -> tuple[int, bool]:
    """Where the last comment in ``text[at:end]`` ends (``at`` if there is none), and whether only a
    line end ends it. There must be nothing but comments and white space."""
    stop, line = at, False
    while at < end:
        if text.startswith("//", at):
            while at < end and text[at] not in "\r\n":
                at += 1
            stop, line = at, True
        elif text.startswith("/*", at):
            at = text.index("*/", at) + 2
            stop, line = at, False
        else:
            at += 1
    return stop, line


def _value(text: str, at: int, depth: int) -> Node:
    if depth > _MAX_DEPTH:
        raise JsonError("it is nested too deeply", at)
    sign = text[at : at + 1]
    if sign in ("{", "["):
        return _container(text, at, depth)
    node = Node("scalar", at)
    found = _STRING.match(text, at) or _OTHER.match(text, at)
    if found is None:
        raise JsonError("a value is missing or not written as JSON does" if sign else "it ends too early", at)
    node.end = found.end()
    try:
        node.scalar = json.loads(found[0])
    except ValueError:  # an integer of thousands of digits
        raise JsonError("a number is too long", at) from None
    return node


def _container(text: str, at: int, depth: int) -> Node:
    node = Node("object" if text[at] == "{" else "array", at)
    closing = "}" if node.kind == "object" else "]"
    at = skip(text, at + 1)
    while text[at : at + 1] != closing:
        start, key = at, ""
        if node.kind == "object":
            found = _STRING.match(text, at)
            if found is None:
                raise JsonError(
                    'a name in "quotes" is missing' if at < len(text) else "it ends too early", at
                )
            key = json.loads(found[0])
            at = skip(text, found.end())
            if text[at : at + 1] != ":":
                raise JsonError("a colon is missing", at)
            at = skip(text, at + 1)
        value = _value(text, at, depth + 1)
        at = skip(text, value.end)
        comma = at if text[at : at + 1] == "," else -1
        node.children.append(Child(key, start, value, comma))
        if comma >= 0:
            at = skip(text, at + 1)
        elif text[at : at + 1] != closing:
            raise JsonError(f"a comma or {closing} is missing" if at < len(text) else "it ends too early", at)
    node.end = at + 1
    return node
