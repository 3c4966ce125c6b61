"""Patterns compiled at first use: most commands meet no text that needs them."""

from __future__ import annotations

import re

_compiled: dict[tuple[str, int], re.Pattern[str]] = {}


def pattern(source: str, flags: int = 0) -> re.Pattern[str]:
    """``re.compile(source, flags)``, once."""
    found = _compiled.get((source, flags))
    if found is None:
        found = _compiled[source, flags] = re.compile(source, flags)
    return found
