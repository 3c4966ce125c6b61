"""What a link points to, read from how it is written; and how links of each state are marked."""

from __future__ import annotations

import re

from memex_tui.render.markdown.model import AMBIGUOUS, RESOLVED, UNRESOLVED, Link
from memex_tui.render.text import printable

# State is told by a mark as well as by the style: colours may be off.
STATE_NAMES = {RESOLVED: "md--link", UNRESOLVED: "md--unresolved", AMBIGUOUS: "md--ambiguous"}
STATE_MARKS = {UNRESOLVED: "◌", AMBIGUOUS: "⁇"}

_IMAGE = re.compile(r"\.(?:png|jpe?g|gif|svg|webp|bmp|avif|tiff?|heic)$", re.IGNORECASE)
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:")


def is_image(target: str) -> bool:
    """Whether a target names a picture."""
    return _IMAGE.search(target) is not None


def has_scheme(target: str) -> bool:
    """Whether a target is a URL (``https:``, ``mailto:``) and not a path."""
    return _SCHEME.match(target) is not None


def wiki_link(inner: str, kind: str = "wiki") -> Link | None:
    """Read what stands inside ``[[ ]]``; None when there is no target."""
    target, _, alias = inner.replace("\\|", "|").partition("|")
    page, _, anchor = target.partition("#")
    page, anchor, alias = page.strip(), anchor.strip(), alias.strip()
    if not page and not anchor:
        return None
    heading, block = ("", anchor[1:]) if anchor.startswith("^") else (anchor, "")
    shown = alias or (f"{page} › {anchor}" if page and anchor else page or anchor)
    return Link(kind, page, heading, block, shown)


def markdown_link(target: str, shown: str) -> Link:
    """Read the target of ``[shown](target)``."""
    if has_scheme(target) or target.startswith("//"):
        return Link("url", target, text=shown)
    page, _, anchor = target.partition("#")
    if anchor.startswith("^"):
        return Link("markdown", page, block=anchor[1:], text=shown)
    return Link("markdown", page, anchor, text=shown)


def image_label(label: str, target: str) -> str:
    """How an image is shown: a mark, its text and its file name."""
    name = target.rsplit("/", 1)[-1]
    return printable(f"▣ {label} · {name}" if label and label != name else f"▣ {name or label}")
