"""What front matter values mean, in all the shapes people and tools write them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memex_core.files.logseq import split
from memex_core.model.page import Source, Value
from memex_core.model.slug import fold

_PLACEHOLDER = re.compile(r"\{\{.*\}\}|<%.*%>", re.DOTALL)
_WIKI = re.compile(r"\[\[(?:[^\[\]|]*\|)?([^\[\]|]+)\]\]")
_SPACED = re.compile(r"#?\[\[[^\[\]\n]+\]\]|[^\s,]+")
_NOTHING = frozenset({"", "None", "null"})


def placeholder(text: str) -> bool:
    """A template's ``{{ … }}`` or ``<% … %>``, to be filled in some day."""
    if "{" not in text and "<" not in text:
        return False
    return ("{{" in text or "<%" in text) and _PLACEHOLDER.search(text) is not None


def text_of(value: Value) -> str:
    """A value as one line of text; empty for null, blank and ``None``.

    A list of one is its item, a longer one is joined by commas; ``a: b`` that YAML made a map of is
    text again.
    """
    if isinstance(value, str):
        text = value.replace("\n", " ") if "\n" in value else value
        text = text.strip()
        return "" if text in _NOTHING else text
    if isinstance(value, list):
        return ", ".join(filter(None, map(text_of, value)))
    if isinstance(value, dict):
        return ", ".join(f"{key}: {text_of(item)}".rstrip() for key, item in value.items())
    return ""


def as_tags(value: Value) -> tuple[str, ...]:
    """Tags without ``#``, spelled as written, each once ignoring case.

    A text is split at commas, or at blanks if it has none; an item of a list keeps its blanks.
    """
    if isinstance(value, str):
        words = split(value) if "," in value else list(_SPACED.findall(value))
    else:
        words = _leaves(value)
    return _each_once([_bare(word).lstrip("#").strip() for word in words])


def as_aliases(value: Value) -> tuple[str, ...]:
    """Other names of a page, each once ignoring case. A text is split at commas."""
    words = split(value) if isinstance(value, str) else _leaves(value)
    return _each_once(list(map(_bare, words)))


def as_sources(value: Value) -> tuple[Source, ...]:
    """The entries of ``sources``. A scalar is a resource; an unknown lane proves nothing: context."""
    entries = value if isinstance(value, list) else [] if value is None else [value]
    found = []
    for entry in entries:
        if isinstance(entry, dict):
            parts = {key.lower(): text_of(item) for key, item in entry.items()}
            quote = entry.get("quote")
            resource = next((parts[key] for key in ("resource", "url", "href", "path") if parts.get(key)), "")
            lane = parts.get("lane", "").lower() or "evidence"
            source = Source(
                parts.get("id", ""),
                resource,
                parts.get("title", ""),
                lane if lane in ("evidence", "context") else "context",
                quote.strip() if isinstance(quote, str) else "",
                _doubt(entry.get("disputed")),
            )
        else:
            source = Source(resource=text_of(entry))
        if source.resource or source.title or source.quote:
            found.append(source)
    return tuple(found)


def _doubt(value: Value) -> dict[str, str] | None:
    if not value:
        return None
    said = value if isinstance(value, dict) else {"why": value}
    return {key: text_of(said.get(key)) for key in ("by", "at", "why")}


def as_actors(value: Value) -> Iterator[str]:
    """The actors in ``verified`` or ``generated``: maps with ``by``, or actors as plain text."""
    if isinstance(value, list):
        for item in value:
            yield from as_actors(item)
    elif isinstance(value, dict):
        yield from as_actors(value.get("by"))
    elif isinstance(value, str) and re.fullmatch(r"\s*[^\s:/]+[:/]\s*\S.*", value):
        yield value.strip()


def _leaves(value: Value) -> list[str]:
    """The scalars of a list as text; a map in it is the text that YAML took it from."""
    if isinstance(value, str):
        return split(value) if "[[" in value and "," in value else [value]
    if isinstance(value, list):
        return [leaf for item in value for leaf in _leaves(item)]
    if isinstance(value, dict):
        return [f"{key}: {text_of(item)}".rstrip() for key, item in value.items()]
    return []


def _bare(word: str) -> str:
    word = word.strip()
    if "[[" not in word:
        return word
    match = _WIKI.fullmatch(word.lstrip("#"))
    return match[1].strip() if match else word


def _each_once(words: list[str]) -> tuple[str, ...]:
    found: dict[str, str] = {}
    for word in words:
        if "\n" in word:
            word = word.replace("\n", " ").strip()
        if word not in _NOTHING and not placeholder(word):
            found.setdefault(fold(word), word)
    return tuple(found.values())
