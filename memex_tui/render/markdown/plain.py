"""Texts too large to be read as Markdown: their lines in blocks of a bounded size."""

from __future__ import annotations

from collections.abc import Sequence

from memex_tui.render.markdown.model import Block

LINES = 40  # lines of one block
PIECE = 20_000  # characters of one block


def plain_blocks(lines: Sequence[str], first_line: int) -> list[Block]:
    """Cut a text into blocks of plain lines, under a line that says so."""
    size = f"{sum(map(len, lines)) / 1_000_000:.1f} million characters"
    found = [Block("notice", ("",), 0, 1, first_line, 0, f"Plain view: {size}")]
    start = held = 0
    for index, line in enumerate(lines):
        held += len(line)
        if held <= PIECE and index - start < LINES:
            continue
        if index > start:
            found.append(Block("plain", lines, start, index, first_line))
        start, held = index, len(line)
        if held > PIECE:
            for at in range(0, held, PIECE):
                cut = (at, min(at + PIECE, held))
                found.append(Block("plain", lines, index, index + 1, first_line, 0, cut))
            start, held = index + 1, 0
    if start < len(lines):
        found.append(Block("plain", lines, start, len(lines), first_line))
    return found
