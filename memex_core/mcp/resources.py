"""Resources: a page as its file, a conversation as text, by an address that a client can keep."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import quote, unquote

import mcp_types as types

from memex_core.mcp import texts
from memex_core.model.errors import BadInput

if TYPE_CHECKING:
    from memex_core.memex import Memex
    from memex_core.model import results

MIME = "text/markdown"
NOT_FOUND = -32002
PAGE, SESSION = "memex://page/", "memex://session/"
_LISTED = 50

TEMPLATES = (
    types.ResourceTemplate(
        uri_template=PAGE + "{slug}", name="page", title="Page", description="A page's file.", mime_type=MIME
    ),
    types.ResourceTemplate(
        uri_template=SESSION + "{id}",
        name="session",
        title="Conversation",
        description="A stored conversation.",
        mime_type=MIME,
    ),
)


def listed(memex: Memex, cursor: str | None) -> tuple[list[types.Resource], str | None]:
    """Pages as resources, the last changed first, and the cursor for more."""
    found = memex.list(limit=_LISTED, cursor=cursor)
    pages = [
        types.Resource(
            uri=PAGE + quote(_name(memex, page), safe=""),
            name=page["slug"],
            title=page["title"],
            mime_type=MIME,
        )
        for page in found["pages"]
    ]
    return pages, found["cursor"]


def _name(memex: Memex, page: results.PageRow) -> str:
    """The page's slug, or its path where others have that slug too."""
    alone = len(memex.store.index.find(page["slug"])) == 1
    return page["slug"] if alone else page["path"]


def read(memex: Memex, uri: str) -> str:
    """The text at ``uri``. Raises BadInput for an address of another kind, NotFound."""
    if uri.startswith(PAGE) and len(uri) > len(PAGE):
        return memex.read_bytes(unquote(uri.removeprefix(PAGE))).decode("utf-8", "replace")
    if uri.startswith(SESSION) and len(uri) > len(SESSION):
        found = memex.session(unquote(uri.removeprefix(SESSION)))
        return "\n\n".join([f"# {found['title']}", *map(texts.turn, found["turns"])]) + "\n"
    raise BadInput("that is no resource of memex", hint=f"{PAGE}SLUG or {SESSION}ID")
