"""The line that ends a diary entry or an item: ``<!-- wikimem: owner=… | source=… | ts=… -->``.

It says who told it, in which conversation, and when. It belongs to the entry, not to its text.
"""

from __future__ import annotations

import re
from typing import NamedTuple

_COMMENT = re.compile(r"(?:\A|\n)[ \t]*<!--[ \t]*wikimem:(?P<parts>[^\n]*?)-->\s*\Z")


class Provenance(NamedTuple):
    """``owner``, ``source`` (a conversation) and ``ts``, empty where unknown; ``more`` keeps other keys."""

    owner: str = ""
    source: str = ""
    ts: str = ""
    more: tuple[tuple[str, str], ...] = ()


def parted(text: str) -> tuple[str, Provenance]:
    """``text`` without its last line where that is such a comment, and what the comment says.

    A part without a key or a value says nothing. Any other comment is text.
    """
    comment = _COMMENT.search(text)
    if comment is None:
        return text, Provenance()
    known = {"owner": "", "source": "", "ts": ""}
    more = []
    for part in comment["parts"].split("|"):
        key, equals, value = (piece.strip() for piece in part.partition("="))
        if not (key and equals and value):
            continue
        if key in known:
            known[key] = value
        else:
            more.append((key, value))
    return text[: comment.start()], Provenance(**known, more=tuple(more))


def line_of(said: Provenance) -> str:
    """The comment, without a line end; empty when there is nothing to say."""
    known = [("owner", said.owner), ("source", said.source), ("ts", said.ts), *said.more]
    parts = " | ".join(f"{key}={value}" for key, value in known if value)
    return f"<!-- wikimem: {parts} -->" if parts else ""


def value(text: str | None) -> str:
    """A value that cannot break its part, its line or the comment."""
    return re.sub("--+(?=!?>)", "-", " ".join(str(text or "").split())).replace("|", "/")
