"""What is being typed at the cursor of a query: an operator's name, its value, or a word."""

from __future__ import annotations

import re
from typing import NamedTuple

from memex_core.recall.syntax import ALIASES, FILTERS, scan

_TAIL = re.compile(r'(?:^|(?<=\s))(-?)([A-Za-z][A-Za-z-]*):("[^"]*|[^\s"]*)$')
_LAST = re.compile(r"(?:^|(?<=\s))-?(\S+)$")


class Completion(NamedTuple):
    """``kind`` is ``operator``, ``value`` (of ``key``), ``word`` or empty (nothing to complete).

    ``typed`` is what stands there already, ``text[start:end]`` what a choice replaces, ``options`` the
    choices known without the store, in the order to show.
    """

    kind: str
    key: str
    typed: str
    start: int
    end: int
    options: tuple[str, ...] = ()


def complete(text: str, cursor: int) -> Completion:
    """The completion context at ``cursor`` (code points, clamped to the text)."""
    cursor = max(0, min(cursor, len(text)))
    if any(item.kind == "phrase" and item.start < cursor < item.end for item in scan(text)):
        return Completion("", "", "", cursor, cursor)
    head = text[:cursor]
    value = _TAIL.search(head, max(0, cursor - 400))
    if value:
        key = ALIASES.get(name := value[2].lower(), name)
        if key in FILTERS:
            typed = value[3].lstrip('"')
            options = tuple(one for one in FILTERS[key] if one.startswith(typed.casefold()))
            return Completion("value", key, typed, value.start(3), cursor, options)
    last = _LAST.search(head, max(0, cursor - 400))
    if last is None:
        return Completion("", "", "", cursor, cursor)
    typed = last[1]
    names = tuple(f"{name}:" for name in (*FILTERS, *ALIASES) if name.startswith(typed.casefold()))
    return Completion("operator" if names else "word", "", typed, last.start(1), cursor, names)
