"""The links of a page: what a text or a front matter value points to, as :class:`Link` objects.

Links in the sense of the on-disk format: ``[[wiki]]`` in all its forms, ``![[embeds]]``, and Markdown
links, images and references to pages and files here. URLs are none (see :func:`external`).
"""

from __future__ import annotations

from dataclasses import replace

from .linkscan import DEFINITION, WIKI, Span, external, spans
from .mask import mask
from .page import Link, Value

__all__ = ["external", "find_links", "link_of", "link_targets_in_value"]

CONTEXT = 160
"""How much of a long line is kept on each side of a link, in characters."""
_DEEPEST = 40


def find_links(
    text: str, first_line: int = 1, masked: str | None = None, *, context: bool = True
) -> list[Link]:
    """The links of ``text`` in text order; ``first_line`` is the line number of its start.

    Without ``context`` they lack the line of text around them, which an index has no use for.

    Escaped pipes and brackets, odd nesting: ``[[[[A]] b]]`` is the link ``A``; ``[[[A]]]`` is ``A``
    in brackets; ``[[[Draft] A]]`` is ``[Draft] A``; a link never spans lines; ``[[]]`` is none.
    Not links either: targets with template braces, ``[[ -f x ]]``, ``[[:class:]]``, ``[[_TOC_]]``.
    ``[[1]](url)`` is the Markdown link. A Markdown image is an embed; its text is the alias.
    """
    if "[" not in text or ("[[" not in text and "](" not in text and "]:" not in text):
        return []
    if masked is None:
        masked = mask(text)
    found: list[Link] = []
    line, last = first_line, 0
    for span in spans(text, masked):
        start = span.start
        if span.kind == DEFINITION:
            continue
        line += text.count("\n", last, start)
        last = start
        found.append(link_of(text, span, line, context=context))
    return found


def link_of(text: str, span: Span, line: int = 0, *, context: bool = True) -> Link:
    """The :class:`Link` that ``span`` of ``text`` is."""
    start, end, _, _, kind, embed, target, heading, block, alias = span
    form = "embed" if embed else "wiki" if kind == WIKI else "markdown"
    around = _context(text, start, end) if context else ""
    return Link(target, form, alias, heading, block, "mentions", line, around, start, end)


def _context(text: str, start: int, end: int) -> str:
    """The line around a link, trimmed; of a long line only what is near, so that it stays linear."""
    first = text.rfind("\n", max(0, start - CONTEXT), start)
    left = first + 1 if first >= 0 else max(0, start - CONTEXT)
    last = text.find("\n", end, end + CONTEXT)
    right = last if last >= 0 else min(len(text), end + CONTEXT)
    around = text[left:right].strip()
    if first < 0 and left > 0:
        around = "…" + around
    return around + "…" if last < 0 and right < len(text) else around


def link_targets_in_value(value: Value) -> list[Link]:
    """The links in a front matter value, form ``front-matter``, in order; no offsets, no line.

    Strings are searched for wiki and Markdown links. ``parent: [[Soup]]`` without quotes is read by
    YAML as a list in a list: it is taken for the link it was meant to be. Keys are not searched.
    """
    found: list[Link] = []
    _collect(value, found, 0)
    return found


def _collect(value: Value, found: list[Link], depth: int) -> None:
    if isinstance(value, str):
        for link in find_links(value, 0, value):
            found.append(replace(link, form="front-matter", line=0, start=-1, end=-1))
    elif depth > _DEEPEST:
        return
    elif isinstance(value, list):
        meant = _unquoted_link(value)
        if meant is not None:
            _collect(meant, found, depth)
            return
        for item in value:
            _collect(item, found, depth + 1)
    elif isinstance(value, dict):
        for item in value.values():
            _collect(item, found, depth + 1)


def _unquoted_link(value: list[Value]) -> str | None:
    """``[["a", "b"]]``, what YAML makes of ``[[a, b]]``, back as text; None for any other list."""
    if len(value) != 1 or not isinstance(value[0], list):
        return None
    words: list[str] = []
    for part in value[0]:
        if isinstance(part, dict) and len(part) == 1:
            (key, after), *_ = part.items()
            part = f"{key}: {after}" if isinstance(after, str) else None
        if not isinstance(part, str) or "[[" in part:
            return None
        words.append(part)
    return f"[[{', '.join(words)}]]" if words else None
