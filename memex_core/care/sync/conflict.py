"""The text that did not stay, when a page was changed in two places: a draft that waits in Review.

Every device makes the same file of the same two texts, so that it arrives once, wherever it is made first.
"""

from __future__ import annotations

import uuid
from typing import NamedTuple

from memex_core.care.sync.fields import canonical
from memex_core.files import frontmatter, surgeon
from memex_core.files.atomic import digest
from memex_core.files.compose import new_page
from memex_core.files.decoding import raw_text, unix
from memex_core.files.reading import read_page
from memex_core.files.values import text_of
from memex_core.model import clock
from memex_core.model.page import Value
from memex_core.model.slug import fold

OF = "conflict_of"
"""Front matter key of such a draft: the key of the page whose other text it holds."""

_BASIS = "two versions"  # no digest: review never takes the page for unchanged since
_FAMILY = uuid.UUID("5d3a1f62-6c1b-4f0e-9d0c-2f8f3a6f9b11")
_OWN = frozenset(("id", "title", "aliases", "created", "generated", "proposes", "basis", "supersedes", OF))


class Draft(NamedTuple):
    """A page that is to be made: its key, path and bytes."""

    key: str
    path: str
    data: bytes


def draft_of(key: str, path: str, kept: bytes, other: bytes, *, folder: bool) -> Draft | None:
    """The draft for ``other``, beside the page at ``path`` that now says ``kept``; None when it would
    hold nothing that the page lacks."""
    stays, goes = frontmatter.read(kept), frontmatter.read(other)
    page, lost = (read_page(path, data, folder=folder) for data in (kept, other))
    differing = [
        name
        for name, value in goes.fields.items()
        if name not in ("id", "created", "generated", "updated") and value != stays.fields.get(name)
    ]
    body = surgeon.raw_body(other) if kept_whole(other) else unix(raw_text(other))
    same_body = body.strip() == surgeon.raw_body(kept).strip() and kept_whole(other)
    if (same_body and not differing) or (OF in goes.fields and same_body):
        return None
    ident = str(uuid.uuid5(_FAMILY, canonical([key, digest(other)])))
    fields: dict[str, Value] = {name: goes.fields[name] for name in goes.fields if name not in _OWN}
    title = lost.title if "title" in differing else f"{page.title} (other version)"
    fields |= {
        "type": lost.type,
        "title": title,
        "aliases": goes.fields.get("aliases") if "aliases" in differing else None,
        "created": goes.fields.get("created"),
        "generated": goes.fields.get("generated"),
        "id": ident,
        "proposes": ["body", *differing],
        "basis": _BASIS,
        "status": "draft",
        "supersedes": page.slug,
        OF: key,
    }
    stem = path.removesuffix(".md")
    where = f"{stem}{' other ' if folder else '-other-'}{ident[:8]}.md"
    end = "\n" if body and not body.endswith("\n") else ""
    data = surgeon.replace_raw_body(new_page(fields, ""), body + end)
    return Draft(f"id:{ident}", where, data)


def page_of(data: bytes) -> str:
    """The key of the page whose other text such a draft holds; empty for any other page."""
    value = frontmatter.read(data).fields.get(OF) if OF.encode() in data else None
    return text_of(value) if value is not None else ""


def kept_whole(data: bytes) -> bool:
    """Whether the file's front matter could be taken apart."""
    return frontmatter.read(data).kind != "error"


def said_at(data: bytes) -> str:
    """When the page says that its text was made; empty where it does not say."""
    fields = frontmatter.read(data).fields
    made = fields.get("generated")
    at = made.get("at") if isinstance(made, dict) else fields.get("updated")
    return clock.normal(text_of(at)) if at is not None else ""


def beside(path: str, key: str, taken: set[str]) -> str:
    """A free name for the page when another page has its own; the same on every device."""
    stem = path.removesuffix(".md")
    name = digest(key.encode())
    for length in range(6, len(name) + 1):
        candidate = f"{stem}-{name[:length]}.md"
        if fold(candidate) not in taken:
            return candidate
    return f"{stem}-{name}{name}.md"
