"""A page's file as three things that change apart: what it says, whether it is in use, what proves it."""

from __future__ import annotations

from typing import NamedTuple

from memex_core.care.sync.fields import canonical
from memex_core.files import frontmatter, surgeon
from memex_core.files.atomic import digest
from memex_core.model.errors import Refused
from memex_core.model.page import Value

STATUS = ("status", "valid_from", "valid_until", "superseded_by", "deferred")
SOURCES = ("sources", "verified")

TEXT, STATUS_AXIS, SOURCES_AXIS = AXES = ("text", "status", "sources")


class Parts(NamedTuple):
    """``text`` is the file without the keys of the two other axes, which hold these keys' values."""

    text: bytes
    status: dict[str, Value]
    sources: dict[str, Value]

    def digests(self) -> dict[str, str]:
        """Axis -> a digest of its value."""
        return {
            "text": digest(self.text),
            "status": digest(canonical(self.status).encode()),
            "sources": digest(canonical(self.sources).encode()),
        }


def split(data: bytes) -> Parts:
    """A file's bytes by axis. Where its front matter cannot be changed key by key, all is text."""
    fields = frontmatter.read(data).fields
    status = {key: fields[key] for key in STATUS if key in fields}
    sources = {key: fields[key] for key in SOURCES if key in fields}
    if not status and not sources:
        return Parts(data, {}, {})
    try:
        return Parts(surgeon.set_keys(data, dict.fromkeys([*status, *sources])), status, sources)
    except Refused:
        return Parts(data, {}, {})


def compose(parts: Parts) -> bytes:
    """The file that has these three. Raises Refused where its front matter cannot be changed."""
    values = {**parts.status, **parts.sources}
    return surgeon.set_keys(parts.text, values) if values else parts.text
