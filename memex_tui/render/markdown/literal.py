"""Text of a person, or of the machine, inside Markdown that memex makes: shown letter for letter."""

from __future__ import annotations

import re

from memex_tui.render.text import printable

SPECIAL = re.compile(r"([!-/:-@\[-`{-~])")


def literal(text: str) -> str:
    """Markdown that shows ``text`` as it is, whatever signs stand in it; one line stays one line."""
    return SPECIAL.sub(r"\\\1", printable(" ".join(text.split())))


def spoken(text: str) -> str:
    """The text that :func:`literal` made ``text`` of."""
    return re.sub(rf"\\{SPECIAL.pattern}", r"\1", text)
