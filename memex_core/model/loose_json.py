"""JSON as models write it: in fences and prose, cut off, with commas, comments and quotes that JSON forbids.

All text that a model answers with is read here. What is whole is kept: of a list that breaks off, the
items before the break. A thinking block is not part of the answer.
"""

from __future__ import annotations

import json
import re
from typing import Any, NamedTuple

_THOUGHTS = re.compile(
    r"(?:^[ \t]*<think(?:ing)?>|<think(?:ing)?>[ \t]*$).*?(?:</think(?:ing)?>|\Z)"
    r"|\A(?:(?!<think).)*?</think(?:ing)?>(?=\s*(?:[\[{`]|\Z|\n))",  # the host has swallowed its beginning
    re.DOTALL | re.IGNORECASE | re.MULTILINE,
)
_GAP = re.compile(r"(?:\s+|//[^\n]*|/\*.*?(?:\*/|\Z))*", re.DOTALL)
_OPENING = re.compile(r"[\[{]")
_WORD = re.compile(r"[A-Za-z_$][\w$-]*|-?Infinity")
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?")
_STRINGS = {
    '"': re.compile(r'"((?:[^"\\]|\\.)*)"', re.DOTALL),
    "'": re.compile(r"'((?:[^'\\]|\\.)*)'", re.DOTALL),
    "“": re.compile(r"“((?:[^”\\]|\\.)*)”", re.DOTALL),
}
_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|.)", re.DOTALL)
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}
_WORDS = {"true": True, "false": False, "null": None, "none": None, "nan": None, "infinity": None}
_DEEPEST = 40


class Answer(NamedTuple):
    """The lists and objects of a text in order; ``cut``: something in it broke off."""

    values: list[Any]
    cut: bool


class _Broken(Exception):
    """The text at ``at`` is no value."""

    def __init__(self, at: int) -> None:
        self.at = at


def read(text: str) -> Answer:
    """Every list and object that ``text`` holds. Never raises; time linear in its length."""
    for whole in (text.strip(), _THOUGHTS.sub("", text).strip()):  # a tag within a value is no thought
        try:
            value = json.loads(whole)
            return Answer([value] if isinstance(value, (list, dict)) else [], False)
        except (ValueError, RecursionError):
            text = whole
    reader = _Reader(text)
    values = []
    at = 0
    while (opening := _OPENING.search(text, at)) is not None:
        try:
            value, at = reader.value(opening.start(), 0)
            values.append(value)
        except _Broken as broken:
            reader.cut = True
            at = max(broken.at, opening.end())
    return Answer(values, reader.cut)


class _Reader:
    def __init__(self, text: str) -> None:
        self.text = text
        self.cut = False

    def value(self, at: int, depth: int) -> tuple[Any, int]:
        """The value at ``at`` and where it ends."""
        first = self.text[at : at + 1]
        if depth > _DEEPEST:
            raise _Broken(at)
        if first == "[":
            return self._list(at + 1, depth)
        if first == "{":
            return self._object(at + 1, depth)
        if first in _STRINGS:
            return self._string(at, first)
        number = _NUMBER.match(self.text, at)
        if number is not None:
            return _number(number[0]), number.end()
        word = _WORD.match(self.text, at)
        if word is None or word[0].lower().lstrip("-") not in _WORDS:
            raise _Broken(at)
        return _WORDS[word[0].lower().lstrip("-")], word.end()

    def _list(self, at: int, depth: int) -> tuple[list[Any], int]:
        """What is whole of a list: it ends where an item breaks."""
        items: list[Any] = []
        while True:
            at = self._past(at, ",")
            if self.text[at : at + 1] == "]":
                return items, at + 1
            try:
                item, at = self.value(at, depth + 1)
            except _Broken as broken:
                self.cut = True
                return items, broken.at
            items.append(item)

    def _object(self, at: int, depth: int) -> tuple[dict[str, Any], int]:
        found: dict[str, Any] = {}
        while True:
            at = self._past(at, ",")
            first = self.text[at : at + 1]
            if first == "}":
                return found, at + 1
            if first in _STRINGS:
                key, at = self._string(at, first)
            else:
                word = _WORD.match(self.text, at)
                if word is None:
                    raise _Broken(at)
                key, at = word[0], word.end()
            at = self._past(at, "")
            if self.text[at : at + 1] != ":":
                raise _Broken(at)
            found[key], at = self.value(self._past(at + 1, ""), depth + 1)

    def _string(self, at: int, quote: str) -> tuple[str, int]:
        found = _STRINGS[quote].match(self.text, at)
        if found is None:
            raise _Broken(len(self.text))
        return _ESCAPE.sub(_unescaped, found[1]), found.end()

    def _past(self, at: int, separators: str) -> int:
        """Past white space, comments and ``separators``."""
        while True:
            gap = _GAP.match(self.text, at)
            at = gap.end() if gap else at
            if not separators or self.text[at : at + 1] not in tuple(separators):
                return at
            at += 1


def _number(digits: str) -> Any:
    """``007`` is 7, though JSON knows no leading zeros; more digits than Python reads are no number."""
    try:
        return json.loads(re.sub(r"^(-?)0+(?=\d)", r"\1", digits))
    except ValueError:
        return None


def _unescaped(escape: re.Match[str]) -> str:
    code = escape[1]
    return chr(int(code[1:], 16)) if len(code) == 5 else _ESCAPED.get(code, code)
