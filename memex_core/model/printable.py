"""The one place that makes stored text safe to show on a terminal.

Files may hold escape sequences that recolour, retitle or write the clipboard of the terminal that
prints them, and marks that reverse the reading order. They are shown, never obeyed.
"""

from __future__ import annotations

import re

_ODD = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


def _visible(match: re.Match[str]) -> str:
    code = ord(match.group())
    if code < 0x20:
        return chr(0x2400 + code)  # the control pictures: ESC is ␛
    return "␡" if code == 0x7F else "\ufffd"


def printable(text: str) -> str:
    """``text`` with line ends as ``\\n`` and every other control character made visible.

    Newlines and tabs stay. C0 controls become their pictures (``␛``), C1 controls, bidirectional
    overrides and bytes that were no UTF-8 become ``�``.
    """
    if not _ODD.search(text):
        return text
    return _ODD.sub(_visible, text.replace("\r\n", "\n"))


def one_line(text: str) -> str:
    """:func:`printable` with every run of white space as one space: for titles and messages."""
    return " ".join(printable(text).split())
