"""Secrets in what a host writes: in a store that memex keeps they are left out, as everywhere in it."""

from __future__ import annotations

from memex_core.files.layout import is_store, open_layout
from memex_core.files.scrubbing import Scrubber


def scrubbed(
    root: str, content: str, owner: str | None, source_conv: str | None
) -> tuple[str, str | None, str | None]:
    """The three without secrets. A store of items alone has no such rule: it holds what it was given.

    Half a character, as a model's answer may end in, becomes ``?``: no file can hold it.
    """
    content = _whole(content)
    owner, source_conv = owner and _whole(owner), source_conv and _whole(source_conv)
    if not is_store(root):
        return content, owner, source_conv
    scrub = Scrubber.load(open_layout(root))
    return scrub.text(content), owner and scrub.text(owner), source_conv and scrub.text(source_conv)


def _whole(text: str) -> str:
    return text.encode("utf-8", "replace").decode("utf-8")
