"""Single changes to the text of ``rules/gate.toml``: comments, order and everything else stay as written.

What comes out is read again: when it does not say exactly what was asked for, the change is refused.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Any

from memex_core.files.config import parse
from memex_core.files.config_edit import edited
from memex_core.model.errors import Damaged, Refused
from memex_core.recall.gate.overlay import Pattern

HEADER = "# Own rules of the recall gate. `memex gate show` lists what is in force.\n"

_TABLE = re.compile(r"^[ \t]*\[", re.MULTILINE)
_RULES = re.compile(r"^[ \t]*\[[ \t]*rules[ \t]*\][^\n]*\n", re.MULTILINE)
_LIST = re.compile(r"^[ \t]*disable[ \t]*=[ \t]*\[", re.MULTILINE)
_PIECE = re.compile(r"""(?P<text>"(?:[^"\\\n]|\\.)*"|'[^'\n]*')|(?P<comment>#[^\n]*)|(?P<end>\])|[^"'#\]]+""")


def with_pattern(data: bytes, pattern: Pattern, file: str) -> bytes:
    """The file with one more ``[[pattern]]``, at its end."""
    rows = {"intent": pattern.intent, "source": pattern.source}
    rows |= {key: text for key, text in (("flags", pattern.flags), ("note", pattern.note)) if text}
    block = "[[pattern]]\n" + "".join(f"{key} = {_quoted(text)}\n" for key, text in rows.items())

    def change(text: str) -> str:
        gap = "" if not text else "\n" if text.endswith("\n") else "\n\n"
        return f"{text}{gap}{block}"

    old = parse(data, file)
    return _changed(data, change, {**old, "pattern": [*old.get("pattern", []), rows]}, file)


def with_disabled(data: bytes, id: str, file: str) -> bytes:
    """The file with ``id`` in the list of what is switched off."""
    old = parse(data, file)
    found = _disabled(old)
    if found is None:
        return edited(data, "rules", {"disable": [id]}, file)
    if id in found:
        return data
    return _changed(data, lambda text: _put_in(text, id), _with_list(old, [*found, id]), file)


def without_disabled(data: bytes, id: str, file: str) -> bytes:
    """The file without ``id`` in that list."""
    old = parse(data, file)
    found = _disabled(old) or []
    if id not in found:
        return data
    kept = [one for one in found if one != id]
    return _changed(data, lambda text: _take_out(text, id), _with_list(old, kept), file)


def with_threshold(data: bytes, name: str, value: float | None, file: str) -> bytes:
    """The file with a threshold set; None: back to the built-in value."""
    if value is None and name not in parse(data, file).get("thresholds", {}):
        return data
    return edited(data, "thresholds", {name: value}, file)


def _disabled(tables: Mapping[str, Any]) -> list[str] | None:
    found = tables.get("rules", {})
    ids = found.get("disable") if isinstance(found, dict) else None
    return ids if isinstance(ids, list) else None


def _with_list(tables: Mapping[str, Any], ids: list[str]) -> dict[str, Any]:
    return {**tables, "rules": {**tables["rules"], "disable": ids}}


def _quoted(text: str) -> str:
    """A TOML string; backslashes stay readable where they can."""
    if "'" not in text and text.isprintable():
        return f"'{text}'" if "\\" in text or '"' in text else f'"{text}"'
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _changed(data: bytes, change: Callable[[str], str | None], wanted: dict[str, Any], file: str) -> bytes:
    """The bytes after ``change`` of their text (unix line ends), which must then say ``wanted``."""
    text = data.decode("utf-8")
    crlf = "\r\n" in text
    new = change(text.replace("\r\n", "\n"))
    if new is not None and not (crlf and text.count("\n") != text.count("\r\n")):
        after = (new.replace("\n", "\r\n") if crlf else new).encode("utf-8")
        try:
            if parse(after, file) == wanted:
                return after
        except Damaged:
            pass
    raise Refused(f"{file} is written in a way that cannot be changed line by line", hint="use your editor")


class _List:
    """The list ``disable`` in the text: where its items stand, and where it ends."""

    def __init__(self, text: str) -> None:
        self.items: list[tuple[int, int]] = []
        self.start = self.end = -1
        table = _RULES.search(text)
        if table is None:
            return
        following = _TABLE.search(text, table.end())
        head = _LIST.search(text, table.end(), following.start() if following else len(text))
        if head is None:
            return
        self.start = at = head.end()
        while piece := _PIECE.match(text, at):
            if piece["end"]:
                self.end = piece.start()
                return
            if piece["text"]:
                self.items.append(piece.span())
            at = piece.end()


def _put_in(text: str, id: str) -> str | None:
    found = _List(text)
    if found.end < 0:
        return None
    if not found.items:
        return f'{text[: found.start]}"{id}"{text[found.start :]}'
    start, end = found.items[-1]
    line = text.rfind("\n", 0, start) + 1
    alone = line > found.start and not text[line:start].strip()
    gap = f"\n{text[line:start]}" if alone else " "
    return f'{text[:end]},{gap}"{id}"{text[end:]}'


def _take_out(text: str, id: str) -> str | None:
    found = _List(text)
    if found.end < 0:
        return None
    for start, end in reversed(found.items):
        if text[start + 1 : end - 1] != id:
            continue
        comma = re.compile(r"[ \t]*,").match(text, end)
        if comma:
            end = comma.end()
        else:  # the last one: the comma before it goes
            before = re.compile(r",[ \t]*\Z").search(text, found.start, start)
            start = before.start() if before else start
        line = text.rfind("\n", 0, start) + 1
        rest = re.compile(r"[ \t]*\n").match(text, end)
        if rest and line > found.start and not text[line:start].strip():
            start, end = line, rest.end()
        elif comma:
            end += len(text[end:]) - len(text[end:].lstrip(" \t"))
        text = text[:start] + text[end:]
    return text
