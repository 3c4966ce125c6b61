"""Trying a new expression before it is written down, on texts that make careless ones explode."""

from __future__ import annotations

from memex_core.recall.gate.matcher import Expression, Matcher
from memex_core.recall.gate.overlay import Pattern

WORK = 0.3
"""Seconds of work that it may take on each text."""

_LONG = 3_000
_PATIENCE = 60.0  # whoever writes a rule can wait for a busy machine
_USUAL = ("a", "0", " ", "_", "a ", "ab", "a.", "好", "가", "\n")


def too_slow(pattern: Pattern) -> str:
    """Why the expression is not to be trusted with prompts; empty when it is, or when nobody can tell."""
    own = dict.fromkeys(char for char in pattern.source if char.isalnum())
    pieces = [*_USUAL, *list(own)[:8]]
    expression = Expression(pattern.id, pattern.source, pattern.re_flags)
    with Matcher(patience=_PATIENCE) as matcher:
        for piece in pieces:
            text = (piece * _LONG)[:_LONG] + "\x01!"
            if matcher.match([expression], text, work=WORK).culprit:
                return f"the pattern takes more than {WORK * 1000:.0f} ms on a text of {_LONG:,} characters"
    return ""
