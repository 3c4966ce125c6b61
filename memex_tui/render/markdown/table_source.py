"""Tables as they stand in the source: rows, cells and alignments."""

from __future__ import annotations

import re

_DELIMITER_ROW = re.compile(r" {0,3}\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?$")


def row_cells(line: str) -> list[str]:
    """Split one table row at its unescaped pipes; ``\\|`` inside a cell is a pipe."""
    text = line.strip()
    if text.startswith("|"):
        text = text[1:]
    if text.endswith("|") and not text.endswith("\\|"):
        text = text[:-1]
    if "\\|" not in text:
        return [cell.strip() for cell in text.split("|")]
    return [cell.strip().replace("\0", "|") for cell in text.replace("\\|", "\0").split("|")]


def is_table_head(line: str, following: str) -> bool:
    """Whether the two lines begin a table: a row, then a delimiter row of as many cells."""
    if "|" not in line or "-" not in following or not _DELIMITER_ROW.match(following.rstrip()):
        return False
    return len(row_cells(line)) == len(row_cells(following))


def alignments(line: str) -> list[str]:
    """What a delimiter row says of each column: ``left``, ``right`` or ``center``."""
    found = []
    for cell in row_cells(line):
        right = cell.endswith(":")
        found.append("center" if right and cell.startswith(":") else "right" if right else "left")
    return found
