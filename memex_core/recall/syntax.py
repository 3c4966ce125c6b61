"""The syntax of a query: where its words, quoted phrases, prefixes and operators are.

An operator counts only where it is well-formed; anywhere else it is a word like any other.
"""

# No postponed annotations here: they make each named tuple's fields a compilation at start-up.

import re
from collections.abc import Iterator
from typing import NamedTuple

FILTERS: dict[str, tuple[str, ...]] = {
    "tag": (),
    "type": (),
    "status": ("stable", "draft", "deprecated"),
    "scope": ("global", "project", "branch"),
    "project": (),
    "in": ("pages", "diary", "transcripts"),
    "path": (),
    "after": ("today", "yesterday", "7d", "2w", "3m"),
    "before": ("today", "yesterday", "7d", "2w", "3m"),
    "links-to": (),
    "linked-from": (),
    "mentions": (),
    "session": (),
    "prop": (),
    "is": ("orphan", "draft", "stale", "broken"),
}
"""Prefix -> the values it is completed with (where it is not the store's business)."""

ALIASES = {"since": "after"}
_QUOTES = {'"': '"', "“": "”", "„": "“”", "«": "»"}
_ANY_QUOTE = "".join((*_QUOTES, *_QUOTES.values()))
_PREFIX = re.compile(r"([A-Za-z][A-Za-z-]*):")
_WORD = re.compile(r"\S+")
_OPENS = frozenset('"“„«#.@$_')  # what may follow the minus of an exclusion, beside letters


class Item(NamedTuple):
    """A piece of the typed text with its role: ``word``, ``phrase``, ``filter`` or ``operator``."""

    kind: str
    text: str
    start: int
    end: int
    negated: bool = False
    key: str = ""


def scan(text: str) -> list[Item]:
    """The items of a query in order, ``AND``, ``OR`` and ``NOT`` told apart from words. Never raises."""
    return _operators(list(_items(text)))


def _items(text: str) -> Iterator[Item]:
    """The text cut into words, quoted phrases and known prefixes with their value."""
    at = 0
    unclosed: set[str] = set()
    while match := _WORD.search(text, at):
        start = match.start()
        negated = text[start] == "-" and len(match[0]) > 1 and _may_be_excluded(text[start + 1])
        body = start + negated
        phrase = _quoted(text, body, unclosed)
        if phrase:
            at = phrase[1]
            yield Item("phrase", phrase[0], start, at, negated)
            continue
        prefix = _PREFIX.match(text, body, match.end())
        key = ALIASES.get(name := prefix[1].lower(), name) if prefix else ""
        if prefix and key in FILTERS and prefix.end() < len(text):
            value = _quoted(text, prefix.end(), unclosed)
            at = value[1] if value else match.end()
            content = value[0] if value else text[prefix.end() : at].strip(_ANY_QUOTE)
            if content.strip():
                yield Item("filter", content, start, at, negated, key)
                continue
        at = match.end()
        yield Item("word", text[body:at], start, at, negated)


def _may_be_excluded(first: str) -> bool:
    return first.isalnum() or first in _OPENS or (first > "\x7f" and not first.isspace())


def _quoted(text: str, at: int, unclosed: set[str]) -> tuple[str, int] | None:
    """The text between quotes opening at ``at``, and where it ends; None when it is not closed.

    ``unclosed`` remembers the quotes that do not come again, so that each is sought once.
    """
    opening = text[at : at + 1]
    if opening not in _QUOTES or opening in unclosed:
        return None
    end = min((found for mark in _QUOTES[opening] if (found := text.find(mark, at + 1)) > 0), default=-1)
    if end < 0:
        unclosed.add(opening)
        return None
    if not text[at + 1 : end].strip():
        return None
    return text[at + 1 : end], end + 1


def _operators(items: list[Item]) -> list[Item]:
    """AND, OR and NOT recognised where they stand between (NOT: before) things; text elsewhere."""
    out: list[Item] = []
    i = 0
    while i < len(items):
        item = items[i]
        following = items[i + 1] if i + 1 < len(items) else None
        is_word = item.kind == "word" and not item.negated
        if is_word and item.text == "NOT" and following and _is_operand(following):
            out.append(item._replace(kind="operator"))
            out.append(following._replace(negated=True))
            i += 2
            continue
        joins = is_word and item.text in ("AND", "OR") and bool(out) and out[-1].kind != "operator"
        if joins and following and _is_operand(out[-1]):
            is_not = following.text == "NOT" and i + 2 < len(items) and _is_operand(items[i + 2])
            if _is_operand(following) or (is_not and item.text == "AND"):
                item = item._replace(kind="operator")
        out.append(item)
        i += 1
    return out


def _is_operand(item: Item) -> bool:
    return item.kind != "operator" and not (item.kind == "word" and item.text in ("AND", "OR", "NOT"))


def well_formed_or(items: list[Item]) -> list[Item]:
    """OR joins texts with texts, or filters of one kind; between other things it is a word."""
    out = list(items)
    for i, item in enumerate(items):
        if item.kind != "operator" or item.text != "OR":
            continue
        left, right = items[i - 1], items[i + 1]
        texts = left.kind != "filter" and right.kind != "filter"
        if left.negated or right.negated or not (texts or left.key == right.key):
            out[i] = item._replace(kind="word")
    return out


def in_or(items: list[Item], i: int, *, before: bool = False) -> bool:
    left = i > 0 and items[i - 1].kind == "operator" and items[i - 1].text == "OR"
    if before:
        return left
    return left or (i + 1 < len(items) and items[i + 1].kind == "operator" and items[i + 1].text == "OR")
