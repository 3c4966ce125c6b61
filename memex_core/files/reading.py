"""A page from its bytes: every declared key interpreted, whatever shape it has. Never fails on content."""

from __future__ import annotations

import math
import re
import unicodedata
from typing import TYPE_CHECKING

from memex_core.files import frontmatter
from memex_core.files.atomic import digest
from memex_core.files.standing import trust
from memex_core.files.values import as_aliases, as_sources, as_tags, placeholder, text_of
from memex_core.model import clock
from memex_core.model.links import external, find_links, link_targets_in_value
from memex_core.model.markdown import block_ids, hashtags, headings, inline_fields
from memex_core.model.mask import mask
from memex_core.model.page import TYPE_FOLDERS, Link, Page, Problem, Value
from memex_core.model.slug import slugify
from memex_core.model.status import read_status

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memex_core.files.frontmatter import FrontMatter
    from memex_core.model.page import Heading

RELATIONS = {
    "supersedes": "supersedes",
    "superseded_by": "superseded-by",
    "parent": "parent",
    "depends_on": "depends-on",
    "implements": "implements",
}
"""Front matter keys whose values name pages, and the relation each stands for."""

_NAMING = frozenset((*RELATIONS, "links"))

_FOLDER_TYPES = {folder: kind for kind, folder in TYPE_FOLDERS.items()}
_SCOPES = ("global", "project", "branch")
_TIMES = {"valid_from": "", "valid_until": "valid_to", "stale_after": "expires_at", "occurred_at": ""}
"""Keys that hold a time, and the older key for the same ("": none)."""

_HEADING_LINK = re.compile(r"!?\[\[(?:[^\[\]|\n]*\|)?([^\[\]|\n]+)\]\]|\[([^\[\]\n]+)\]\([^()\n]*\)")


def read_page(path: str, data: bytes, *, folder: bool = True, indexed: bool = False) -> Page:
    """The page at ``path`` (POSIX, relative to the page folder) whose file holds ``data``.

    ``folder`` is true for a folder opened as it is, false for a store, where ``projects/<name>/``
    gives the scope of pages that do not say. What is odd is listed in ``problems``.
    ``indexed`` leaves out what an index does not store: block ids, inline fields, sources, and the
    lines of text around links.
    """
    front = frontmatter.read(data)
    fields = _Fields(front)
    body = front.body
    masked = mask(body)
    outline = headings(body, front.body_line, masked)
    stem = _stem(path)
    ident = fields.text("id")
    page = Page(
        path=path,
        slug=slugify(stem, ident=ident),
        title=_title(fields, outline, stem),
        type=fields.text("type") or _type_of(path),
        body=body,
        front=front.fields,
        front_kind=front.kind,
        aliases=as_aliases(fields.both("aliases", "alias")),
        tags=as_tags(fields.both("tags", "tag")),
        hashtags=tuple(hashtags(body, masked)),
        description=fields.text("description"),
        status=read_status(fields.text("status")),
        id=ident,
        importance=fields.importance(),
        created=fields.time("created", "created_at", "date"),
        updated=fields.updated(),
        session_id=fields.text("session_id"),
        transcript_ref=fields.text("transcript_ref"),
        trust=trust(fields.get("verified"), fields.get("generated"), fields.get("sources")),
        headings=tuple(outline),
        links=tuple(_links(front, body, masked, context=not indexed)),
        body_line=front.body_line,
        digest=digest(data),
    )
    if not indexed:
        page.blocks = tuple(block_ids(body, masked))
        page.inline_fields = _inline(front, body, masked)
        page.sources = as_sources(fields.get("sources"))
    _set_times(page, fields)
    _set_scope(page, fields, folder)
    page.problems = tuple(front.problems + fields.problems)
    return page


class _Fields:
    """Front matter by key, exact spelling first, then ignoring case."""

    def __init__(self, front: FrontMatter) -> None:
        self.front = front
        self.lower = front.fields
        keys = list(front.fields)
        lower_keys = list(map(str.lower, keys))
        if lower_keys != keys:
            lower = dict(zip(reversed(lower_keys), reversed(front.fields.values()), strict=True))
            self.lower = lower if len(lower) == len(keys) else {**lower, **front.fields}
        self.problems: list[Problem] = []

    def get(self, key: str) -> Value:
        return self.lower.get(key)

    def text(self, key: str) -> str:
        value = self.lower.get(key)
        if not value:
            return ""
        text = text_of(value)
        return "" if placeholder(text) else text

    def both(self, plural: str, singular: str) -> Value:
        """The value of one of two keys; of both together, a list of lists."""
        first, second = self.lower.get(plural), self.lower.get(singular)
        if second is None:
            return first
        if first is None:
            return second
        parts = as_tags if plural == "tags" else as_aliases
        return [*parts(first), *parts(second)]

    def time(self, *keys: str) -> str:
        """The first of the keys that holds a time, as a stamp or date; "" if none does."""
        for key in keys:
            value = self.lower.get(key)
            if value:
                found = clock.normal(text_of(value))
                if found:
                    return found
        return ""

    def updated(self) -> str:
        generated = self.lower.get("generated")
        if isinstance(generated, dict):
            found = clock.normal(text_of(generated.get("at")))
            if found:
                return found
        return self.time("updated", "updated_at", "timestamp")

    def importance(self) -> float:
        text = self.text("importance")
        if not text:
            return 0.5
        try:
            number = float(text)
        except ValueError:
            number = math.nan
        if math.isnan(number):
            self.warn("importance", f"importance is no number: {text[:40]}")
            return 0.5
        if not 0.0 <= number <= 1.0:
            self.warn("importance", f"importance {text[:40]} is not between 0.0 and 1.0")
        return min(1.0, max(0.0, number))

    def warn(self, key: str, message: str) -> None:
        self.problems.append(Problem(message, _line_of(self.front, key + ":")[0]))


def _stem(path: str) -> str:
    name = path.rsplit("/", 1)[-1]
    stem = name[:-3] if name.lower().endswith(".md") else name
    return unicodedata.normalize("NFC", stem)


def _title(fields: _Fields, outline: Sequence[Heading], stem: str) -> str:
    """The key, else the first level 1 heading unless a template has to fill it in, else the file name."""
    title = fields.text("title")
    if title and (title.isascii() or _visible(title)):
        return title
    first = next((heading.text for heading in outline if heading.level == 1), "")
    shown = _HEADING_LINK.sub(lambda match: match[1] or match[2], first).strip()
    if shown and not placeholder(first) and (shown.isascii() or _visible(shown)):
        return shown
    return stem.strip() or stem


def _visible(text: str) -> bool:
    """Is there anything to see, and not only zero-width characters and blanks?"""
    return any(unicodedata.category(char) not in ("Cf", "Zs", "Mn") for char in text)


def _type_of(path: str) -> str:
    for part in reversed(path.split("/")[:-1]):
        if part in _FOLDER_TYPES:
            return _FOLDER_TYPES[part]
    return "note"


def _set_times(page: Page, fields: _Fields) -> None:
    for key, older in _TIMES.items():
        if key not in fields.lower and older not in fields.lower:
            continue
        names = [name for name in (key, older) if name and fields.text(name)]
        if names:
            found = fields.time(*names)
            if not found:
                fields.warn(names[0], f"{names[0]} is no time: {fields.text(names[0])[:40]}")
            setattr(page, key, found)


def _set_scope(page: Page, fields: _Fields, folder: bool) -> None:
    scope = fields.text("scope").lower()
    page.project = fields.text("project")
    page.branch = fields.text("branch")
    parts = page.path.split("/")
    if not folder and len(parts) > 2 and parts[0] == "projects":
        page.project = page.project or parts[1]
        scope = scope or "project"
    page.scope = scope if scope in _SCOPES else "global"


def _inline(front: FrontMatter, body: str, masked: str) -> dict[str, str]:
    """``key:: value`` fields of the body; Logseq's page properties are such fields, too."""
    found = inline_fields(body, masked)
    if front.kind != "logseq":
        return found
    return {**{key: text_of(value) for key, value in front.fields.items()}, **found}


# -- links -------------------------------------------------------------------------------------


def _links(front: FrontMatter, body: str, masked: str, *, context: bool) -> list[Link]:
    found = find_links(body, front.body_line, masked, context=context)
    typed: list[Link] = []
    linked = "[" in front.text and ("[[" in front.text or "](" in front.text)
    if not linked and _NAMING.isdisjoint(front.fields):
        return found
    for key, value in front.fields.items():
        if key in RELATIONS:
            typed += _related(value, RELATIONS[key])
        elif key == "links":
            typed += _relations(value)
        elif linked and value is not None:
            found += [
                _placed(front, link) for link in link_targets_in_value(value) if not placeholder(link.target)
            ]
    return found + [_placed(front, link) for link in typed if link.target or link.heading or link.block]


def _related(value: Value, rel: str) -> list[Link]:
    """The pages that a value names: slugs, titles or wiki-links, one or a list."""
    if isinstance(value, list):
        return [link for item in value for link in _related(item, rel)]
    if isinstance(value, dict):
        target = value.get("target") or value.get("slug")
        return _related(target, rel) if target else _related(text_of(value), rel)
    text = text_of(value)
    if not text or placeholder(text):
        return []
    inside = link_targets_in_value(text)
    if inside:
        return [_as_typed(link, rel) for link in inside]
    return [] if external(text) or "[[" in text else [Link(text, "typed", rel=rel)]


def _relations(value: Value) -> list[Link]:
    """The entries of ``links``: ``{target, rel}`` maps, or bare targets."""
    if isinstance(value, list):
        return [link for item in value for link in _relations(item)]
    if isinstance(value, dict):
        rel = re.sub(r"[\s_]+", "-", text_of(value.get("rel")).lower()) or "relates-to"
        return _related(value.get("target"), rel)  # a map without a target: other tools' names and URLs
    return _related(value, "relates-to")


def _as_typed(link: Link, rel: str) -> Link:
    return Link(link.target, "typed", link.alias, link.heading, link.block, rel, text=link.text)


def _placed(front: FrontMatter, link: Link) -> Link:
    """``link`` with the line of the file on which its target stands in the front matter."""
    line, text = _line_of(front, link.target or link.text)
    return Link(
        link.target,
        link.form,
        link.alias,
        link.heading,
        link.block,
        link.rel,
        line,
        text,
        link.start,
        link.end,
    )


def _line_of(front: FrontMatter, text: str) -> tuple[int, str]:
    at = front.text.find(text) if text else -1
    if at < 0:
        return 0, text
    start = front.text.rfind("\n", 0, at) + 1
    end = front.text.find("\n", at)
    number = front.text.count("\n", 0, at) + (1 if front.kind == "logseq" else 2)
    return number, front.text[start : end if end >= 0 else len(front.text)].strip()
