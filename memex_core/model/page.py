"""A page as memex understands it: what a Markdown file says, never how it is stored."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

Value = str | None | list["Value"] | dict[str, "Value"]
"""A front matter value: text exactly as written, null, a list or a map of such values.

Scalars are never typed (``007`` stays ``"007"``, ``no`` stays ``"no"``): what a person typed is
what is shown and matched. Declared keys are interpreted where they are used.
"""

TYPE_FOLDERS = {
    "entity": "entities",
    "preference": "preferences",
    "procedure": "procedures",
    "summary": "summaries",
    "episode": "episodes",
}
"""The five page types of the specification and their folders, in the order they are listed."""


@dataclass(slots=True, frozen=True)
class Problem:
    """Something odd in a file. ``line`` and ``column`` count from 1 in the whole file; 0: unknown."""

    message: str
    line: int = 0
    column: int = 0
    level: str = "warning"  # "warning", "error" (front matter that does not parse) or "note" (a template's)


class Heading(NamedTuple):
    """``level`` 1 to 6, the text without markers, and the 1-based line in the whole file."""

    level: int
    text: str
    line: int


@dataclass(slots=True)  # not frozen: freezing makes it four times as dear, and there are many
class Link:
    """One link as written. Resolution to a file is the index's business.

    ``target`` is the page part (empty: this page). ``form`` is ``wiki``, ``embed``, ``markdown``,
    ``front-matter`` or ``typed``. ``start`` and ``end`` are code point offsets of the whole link
    in the text it was found in (``-1`` in front matter). ``line`` counts from 1 in the whole file.
    """

    target: str
    form: str
    alias: str | None = None
    heading: str | None = None
    block: str | None = None
    rel: str = "mentions"
    line: int = 0
    text: str = ""  # the line of text around it, trimmed
    start: int = -1
    end: int = -1


@dataclass(slots=True, frozen=True)
class Source:
    """An entry of ``sources``: what proves the page (``evidence``) or explains it (``context``)."""

    id: str = ""
    resource: str = ""
    title: str = ""
    lane: str = "evidence"
    quote: str = ""
    disputed: dict[str, str] | None = None  # {by, at, why} of somebody who doubts it


@dataclass(slots=True)
class Page:
    """One page. Paths are POSIX and relative to the page folder; text is NFC-neutral, as written."""

    path: str
    slug: str
    title: str
    type: str
    body: str  # everything after the front matter, line ends as "\n"
    front: dict[str, Value] = field(default_factory=dict)
    front_kind: str = "none"  # none | yaml | toml | logseq | error
    aliases: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()  # front matter tags, spelling kept, duplicates (case-folded) dropped
    hashtags: tuple[str, ...] = ()  # #tags of the body, without "#"
    description: str = ""
    status: str = "stable"  # draft | stable | deprecated
    scope: str = "global"  # global | project | branch
    project: str = ""
    branch: str = ""
    id: str = ""
    importance: float = 0.5
    created: str = ""  # normalised stamps or dates; "" when the page does not say
    updated: str = ""
    occurred_at: str = ""
    valid_from: str = ""
    valid_until: str = ""
    stale_after: str = ""
    session_id: str = ""
    transcript_ref: str = ""
    trust: str = "unreviewed"  # a tier of memex_core.files.standing
    headings: tuple[Heading, ...] = ()
    blocks: tuple[str, ...] = ()  # "^id" targets without the caret
    inline_fields: dict[str, str] = field(default_factory=dict)
    links: tuple[Link, ...] = ()  # body, front matter and typed links, in that order
    sources: tuple[Source, ...] = ()
    problems: tuple[Problem, ...] = ()
    body_line: int = 1  # 1-based line of the whole file on which the body starts
    digest: str = ""  # of the file's bytes, see memex_core.files.atomic.digest
