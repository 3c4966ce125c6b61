"""Logseq page properties: ``key:: value`` lines at the very start of a page."""

from __future__ import annotations

import re

from memex_core.model.page import Value

_PROPERTY = re.compile(r"(?P<key>[^\W\d][\w./-]{0,63})::(?:[ \t]+(?P<value>.*?))?[ \t]*")
_LISTS = frozenset({"tags", "tag", "alias", "aliases"})
_PIECE = re.compile(r"\[\[[^\[\]\n]*\]\]|,|[^,\[]+|\[")


def read(text: str) -> tuple[dict[str, Value], int]:
    """The properties that lead ``text`` (unix line ends) and how many lines they take (0: none).

    ``tags`` and ``alias`` are lists, split at commas outside ``[[…]]``; everything else is text.
    """
    found: dict[str, Value] = {}
    count = 0
    start = 0
    while True:
        end = text.find("\n", start)
        line = text[start : end if end >= 0 else len(text)]
        match = _PROPERTY.fullmatch(line) if len(line) < 10_000 else None
        if match is None:
            return found, count
        value = match["value"] or None
        found[match["key"]] = list(split(value)) if value and as_list_key(match["key"]) else value
        count += 1
        if end < 0:
            return found, count
        start = end + 1


def as_list_key(key: str) -> bool:
    """Whether the property is read as a list."""
    return key.lower() in _LISTS


def split(text: str) -> list[str]:
    """The parts of a comma separated value; a comma inside ``[[…]]`` does not part."""
    parts = [""]
    for piece in _PIECE.findall(text):
        if piece == ",":
            parts.append("")
        else:
            parts[-1] += piece
    return [part.strip() for part in parts if part.strip()]


def edited_properties(lines: list[str], changes: dict[str, Value], newline: str) -> list[str] | None:
    """The property lines with keys set or removed (None), or None when a value does not fit one line."""
    for key, value in changes.items():
        places = [at for at, line in enumerate(lines) if line.partition("::")[0] == key]
        if value is None:
            lines = [line for at, line in enumerate(lines) if at not in places]
            continue
        text = _written(value)
        if text is None or not _PROPERTY.fullmatch(f"{key}:: {text}"):
            return None
        if places:
            old = lines[places[-1]]
            ending = old[len(old.rstrip("\r\n")) :]
            lines = [*lines[: places[-1]], f"{key}:: {text}{ending}", *lines[places[-1] + 1 :]]
        else:
            if lines and not lines[-1].endswith(("\n", "\r")):
                lines = [*lines[:-1], lines[-1] + newline]
            lines = [*lines, f"{key}:: {text}{newline}"]
    return lines


def _written(value: Value) -> str | None:
    if isinstance(value, str):
        return value if "\n" not in value else None
    if isinstance(value, list) and all(isinstance(item, str) and "\n" not in item for item in value):
        return ", ".join(item for item in value if isinstance(item, str))
    return None
