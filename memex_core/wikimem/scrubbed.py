"""Secrets in what a host writes: in a store that memex keeps they are left out, as everywhere in it."""

from __future__ import annotations

from memex_core.files.layout import is_store, open_layout
from memex_core.files.scrubbing import Scrubber


def scrubbed(
    root: str, content: str, owner: str | None, source_conv: str | None
) -> tuple[str, str | None, str | None]:
    """The three without secrets. A store of items alone has no such rule: it holds what it was given."""
    if not is_store(root):
        return content, owner, source_conv
    scrub = Scrubber.load(open_layout(root))
    return scrub.text(content), owner and scrub.text(owner), source_conv and scrub.text(source_conv)
