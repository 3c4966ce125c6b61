"""A block of lines put at the end of somebody's text file and cut out again, to the byte.

One blank line stands before the block. A file without a final newline stays one without.
"""

from __future__ import annotations

import re


def newline(text: str) -> str:
    """The line end that the file uses, by its first one."""
    at = text.find("\n")
    return "\r\n" if at > 0 and text[at - 1] == "\r" else "\n"


def append(text: str, block: str) -> str:
    """``text`` with ``block`` (lines joined by ``\\n``, none at the end) after it."""
    end = newline(text)
    block = block.replace("\n", end)
    if not text.strip("\ufeff"):
        return f"{text}{block}{end}"
    closed = text.endswith("\n")
    return f"{text}{end}{block}{end}" if closed else f"{text}{end}{end}{block}"


def cut(text: str, spans: list[tuple[int, int]]) -> str:
    """``text`` without these whole lines (in order), and without the one blank line before the first."""
    if not spans:
        return text
    end = newline(text)
    closed = text.endswith("\n")
    if not closed:
        text += end
    kept, at = "", 0
    for start, stop in spans:
        kept += text[at:start]
        if at == 0:
            kept = re.sub(r"(^\ufeff?|\n)\r?\n\Z", r"\1", kept)
        at = len(text) if stop >= len(text) - len(end) and not closed else stop
    kept += text[at:]
    return kept if closed else kept.removesuffix(end)
