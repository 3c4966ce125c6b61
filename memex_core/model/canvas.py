"""Obsidian's ``.canvas`` files: JSON whose nodes show a page by its path, or hold text with links.

Only the strings that name the page are rewritten; every other byte of the file stays.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from .relink import Wanted, rewrite

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\],]', re.DOTALL)
_LETTER = re.compile(
    r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\.|.", re.DOTALL
)


class Renamed(NamedTuple):
    """A place of the file that names the page by another name now; ``line`` counts from 1."""

    line: int
    before: str
    after: str


def relinked(
    text: str, file: Callable[[str], str | None], wanted: Wanted
) -> tuple[str, list[Renamed]] | None:
    """``text`` of a canvas with other names in it, and which; None for what is no canvas.

    ``file(path)`` gives the new path of a page that a node shows, ``wanted`` the new target of a link in a
    node's text as for :func:`memex_core.model.relink.rewrite`; None leaves it.
    """
    try:
        nodes = json.loads(text)["nodes"]
        kinds = {at: node.get("type") for at, node in enumerate(nodes) if isinstance(node, dict)}
    except (ValueError, KeyError, TypeError, RecursionError):
        return None
    pieces: list[str] = []
    changes: list[Renamed] = []
    done = 0
    for at, key, start, end in _values(text):
        if (kinds.get(at), key) not in (("file", "file"), ("text", "text")):
            continue
        said = json.loads(text[start:end], strict=False)
        found = list(_of_file(said, file) if key == "file" else _of_text(said, wanted))
        raw = _places(text, start + 1, end - 1) if found else []
        line = text.count("\n", 0, start) + 1 if found else 0
        changes += [Renamed(line, before, after) for _, before, after in found]
        for low, high, new in sorted(_smallest(*change) for change in found):  # a link may stand in another
            pieces += [text[done : raw[low]], json.dumps(new, ensure_ascii=text.isascii())[1:-1]]
            done = raw[high]
    return "".join([*pieces, text[done:]]), changes


Change = tuple[int, str, str]  # where in a string, what stands there, what shall


def _of_file(said: str, file: Callable[[str], str | None]) -> Iterator[Change]:
    new = file(said)
    if new is not None and new != said:
        yield 0, said, new


def _of_text(said: str, wanted: Wanted) -> Iterator[Change]:
    for link, before, after in rewrite(said, wanted)[1]:
        if said.startswith(before, max(0, link.start)):
            yield link.start, before, after


def _smallest(place: int, before: str, after: str) -> tuple[int, int, str]:
    """What of a change differs: from, to, and the text between them."""
    head = _same(before, after)
    tail = _same(before[head:][::-1], after[head:][::-1])
    return place + head, place + len(before) - tail, after[head : len(after) - tail]


def _same(one: str, other: str) -> int:
    """How many letters two texts begin with in common."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (mine, yours) in pairs if mine != yours), min(len(one), len(other)))


def _places(text: str, start: int, end: int) -> list[int]:
    """Where in the file each letter of a JSON string stands, and where the string ends."""
    return [*(found.start() for found in _LETTER.finditer(text, start, end)), end]


def _values(text: str) -> Iterator[tuple[int, str, int, int]]:
    """The strings that are values of nodes, as (number of the node, key, from, to)."""
    path: list[
        str | int
    ] = []  # of each open bracket the key (of an object) or number (in a list) that is next
    names: list[str] = []  # the key that each open bracket is the value of
    key = ""
    for token in _TOKEN.finditer(text):
        sign = token[0]
        if sign in "{[":
            names.append(key)
            path.append("" if sign == "{" else 0)
            key = ""
        elif sign in "}]":
            if not path:
                return
            path.pop()
            key = names.pop()
        elif sign == ",":
            if path and isinstance(path[-1], int):
                path[-1] += 1
            key = ""
        elif path and path[-1] == "" and not key:
            key = json.loads(sign, strict=False)
        elif len(path) == 3 and names[1] == "nodes" and isinstance(path[1], int) and path[2] == "":
            yield path[1], key, token.start(), token.end()
