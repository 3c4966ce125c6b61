"""Links into a page whose heading or block is not there: the page opens, but at its beginning."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING

from memex_core.index.links import LinkRow, anchored
from memex_core.model.markdown import anchor, block_ids, headings, section
from memex_core.model.mask import mask

if TYPE_CHECKING:
    from memex_core.files.layout import Layout
    from memex_core.index.index import Index

_OTHER = re.compile(r"top\Z|L\d+|:~:|.*(?:,\d|:#)")
"""No heading: a page's beginning, lines on a code host, a quotation, ranges as Dendron has them."""


def lost(layout: Layout, index: Index) -> list[tuple[LinkRow, str]]:
    """The links whose page is there and whose place in it is not, each with what it names. A page is read
    once, however many links lead into it."""
    into: dict[str, list[LinkRow]] = defaultdict(list)
    for link in anchored(index.db):
        if link.dst is not None and not _OTHER.match(link.heading or ""):
            into[link.dst].append(link)
    found: list[tuple[LinkRow, str]] = []
    for path, links in into.items():
        places = _Places(_body(layout.file_path(path)))
        for link in links:
            if link.block and link.block not in places.blocks:
                found.append((link, f"block ^{link.block}"))
            elif not link.block and link.heading and not places.has(link.heading):
                found.append((link, f"heading {link.heading!r}"))
    return sorted(found, key=lambda one: (one[0].source, one[0].line))


class _Places:
    """Where links can lead on a page: headings by their text, blocks, and ids set in HTML or ``{#id}``."""

    def __init__(self, body: str) -> None:
        self.body = body
        self.masked = mask(body)
        self.names = {anchor(heading.text) for heading in headings(body, 1, self.masked)}
        self.blocks = set(block_ids(body, self.masked))
        self.known: dict[str, bool] = {}

    def has(self, heading: str) -> bool:
        if heading not in self.known:
            name = anchor(heading)
            self.known[heading] = (
                (not name or name in self.names)
                or re.search(rf"""(?:\{{#|\b(?:id|name)=["']?){re.escape(heading)}\b""", self.body)
                is not None
                or section(self.body, heading, self.masked) is not None
            )
        return self.known[heading]


def _body(file_path: str) -> str:
    from memex_core.files.frontmatter import read
    from memex_core.files.opening import regular

    try:
        with open(file_path, "rb", opener=regular) as file:
            return read(file.read()).body
    except OSError:
        return ""
