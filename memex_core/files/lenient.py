"""What can still be read of front matter that does not parse.

The block is cut at its ``key:`` lines. An entry that is YAML on its own is read as YAML, another
one line by line, so that one bad value (``- @ann``, ``description: Use when: always``,
``created: {{date}}``) does not take the title and the tags with it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from memex_core.files import yamlread
from memex_core.files.fastyaml import NULLS
from memex_core.model.page import Value

_KEY = re.compile(
    r"""(?P<key>"[^"\n]{1,100}"|'[^'\n]{1,100}'|[^\s\-?#\[\]{}&*!|>%@`"',:][^\n:]{0,100}?)[ \t]*"""
    r"""(?::(?:[ \t]+(?P<value>.*))?|：[ \t]*(?P<wide>.*))"""
)
_TIGHT = re.compile(r"(?P<key>[^\W\d][\w-]{0,60}):(?P<value>[^\s/:].*)")
_ITEM = re.compile(r"\s*-(?:\s+(.*))?")
_PER_ENTRY_LIMIT = 64_000  # characters; above, only the line by line reading


def looks_like_fields(text: str) -> bool:
    """Whether the lines between two fences were meant as front matter: the first is a ``key:`` line,
    or at least half of them are."""
    lines = [line for line in text.split("\n") if line.strip() and not line.startswith("#")]
    if not lines:
        return False
    if _key(lines[0]):
        return True
    return 2 * sum(1 for line in lines if _key(line)) >= len(lines)


def fields(text: str) -> dict[str, Value]:
    """The fields that a tolerant reader finds in a block (unix line ends). Never raises."""
    found: dict[str, Value] = {}
    whole = len(text) <= _PER_ENTRY_LIMIT
    for lines in _entries(text):
        if whole:
            read = _as_yaml("\n".join(lines) + "\n")
            if read is not None:
                found.update(read)
                continue
        found.update(_by_line(lines))
    return found


def _entries(text: str) -> Iterator[list[str]]:
    entry: list[str] = []
    for line in text.split("\n"):
        if _key(line):
            if entry:
                yield entry
            entry = [line]
        elif entry:
            entry.append(line)
    if entry:
        yield entry


def _key(line: str) -> re.Match[str] | None:
    return _KEY.fullmatch(line) or _TIGHT.fullmatch(line)


def _as_yaml(text: str) -> dict[str, Value] | None:
    try:
        value = yamlread.load(text).value
    except yamlread.YamlError:
        return None
    return value if isinstance(value, dict) else None


def _by_line(lines: list[str]) -> dict[str, Value]:
    match = _key(lines[0])
    if match is None:
        return {}
    groups = match.groupdict()
    key = _unquoted(groups["key"])
    first = (groups.get("value") or groups.get("wide") or "").strip()
    rest = [line for line in lines[1:] if line.strip()]
    items = [_ITEM.fullmatch(line) for line in rest]
    if not first and items and any(items):
        return {key: [_scalar(item[1] or "") for item in items if item]}
    if re.fullmatch(r"[|>][-+0-9]*", first):
        return {key: "\n".join(line.strip() for line in lines[1:]).strip("\n") + "\n"}
    if first[:1] in ("[", "{") and not re.search(r"[\]}]", first):
        return {}  # a bracket never closed: half a list is no value
    if first.startswith("[") and first.endswith("]") and not first.startswith("[["):
        return {key: [_scalar(item) for item in first[1:-1].split(",")]}
    more = [line.strip() for line in rest if line[0] in " \t"]
    return {key: _scalar(" ".join([first, *more]).strip())}


def _scalar(text: str) -> Value:
    text = text.strip()
    return None if text in NULLS else _unquoted(text)


def _unquoted(text: str) -> str:
    if len(text) > 1 and text[0] == text[-1] and text[0] in "\"'":
        return text[1:-1]
    return text[1:] if text[:1] in ("'", '"') and text.count(text[0]) == 1 else text
