"""Footnotes that tie one statement of a page to its source: ``Use ruff.[^s1]``.

>>> [(s.id, s.text) for s in statements("Use ruff.[^s1] Never flake8.[^s2]")]
[('s1', 'Use ruff.'), ('s2', 'Never flake8.')]
"""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import NamedTuple

from memex_core.model.mask import mask

_MARK = re.compile(r"\[\^([^\[\]\s^]{1,100})\](?!:)")
_DEFINED = re.compile(r"^[ ]{0,3}\[\^([^\[\]\s^]{1,100})\]:", re.MULTILINE)
_BLOCK = re.compile(r"[ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?|>[ \t]?|#{1,6}[ \t]+|\|)")
_SENTENCE = re.compile(r"(?<=[.!?])[\"')\]*_]{0,4}\s+|(?<=[。！？])|\s\|\s")


class Statement(NamedTuple):
    """What stands before a footnote mark: its ``id``, the sentence, and the line of the mark (from
    ``first_line``)."""

    id: str
    text: str
    line: int


def statements(body: str, first_line: int = 1, masked: str | None = None) -> list[Statement]:
    """The statements of a page's body that have a footnote, in order; code and comments have none."""
    if "[^" not in body:
        return []
    masked = mask(body) if masked is None else masked
    found = []
    line, counted = first_line, 0
    for match in _MARK.finditer(masked):
        line += body.count("\n", counted, match.start())
        counted = match.start()
        found.append(Statement(match[1], _before(body, match.start()), line))
    return found


def defined(body: str, masked: str | None = None) -> set[str]:
    """The ids that have a footnote text of their own in the body."""
    return set(_DEFINED.findall(mask(body) if masked is None else masked)) if "[^" in body else set()


def without_marks(body: str, ids: Collection[str]) -> str:
    """``body`` without the marks of these footnotes; in code, and where the footnote has a text of its own,
    they stay.

    >>> without_marks("Use ruff.[^s1] Never `[^s1]` flake8 [^s2].", ["s1", "s2"])
    'Use ruff. Never `[^s1]` flake8.'
    """
    masked = mask(body) if "[^" in body else ""
    gone = set(ids) - defined(body, masked)
    out, at = [], 0
    for match in _MARK.finditer(masked):
        if match[1] in gone:
            end = match.end()
            apart = body[end : end + 1].isalnum()  # else the space before the mark goes with it
            out.append(body[at : match.start()] if apart else body[at : match.start()].removesuffix(" "))
            at = end
    return "".join([*out, body[at:]])


def _before(body: str, at: int) -> str:
    """The sentence that ends at ``at``, within its paragraph, list item or table row."""
    lines: list[str] = []
    end = at
    while end >= 0:
        start = body.rfind("\n", 0, end) + 1
        line = body[start:end]
        if not line.strip() and lines:
            break
        lines.append(line)
        if _BLOCK.match(line) or not start:
            break
        end = start - 1
    lines[-1] = _BLOCK.sub("", lines[-1], count=1)
    text = _MARK.sub("", " ".join(part.strip() for part in reversed(lines))).strip()
    return [part.strip() for part in _SENTENCE.split(text) if part.strip()][-1] if text else ""
