"""Tables as aligned columns that shrink to the width; as records when even that is too narrow."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from memex_tui.render.line import Line, line_width
from memex_tui.render.markdown.flow import Flow, flow_rows
from memex_tui.render.markdown.model import Block, LinkSpan, Row
from memex_tui.render.markdown.table_source import alignments, row_cells
from memex_tui.render.text import width

SAMPLE = 1_000  # rows measured
NARROWEST = 4  # cells of a column; below it the table is shown as records
SEPARATOR = " │ "
LINE = ("md--table-line",)
HEAD = ("md--table-head",)

_MARKUP = re.compile(r"[\\`*_\[\]!<&$#%]|~~|==|://")

ReadCell = Callable[[str, int], Flow]  # text and source line of a cell -> its flow


class Columns(NamedTuple):
    """What all pieces of one table share: headings, alignments and natural widths in cells."""

    heads: list[str]
    aligns: list[str]
    natural: list[int]
    line: int


def _cells(line: str, count: int) -> list[str]:
    """The cells of a row, made ``count``: missing ones are empty, surplus ones join the last."""
    cells = row_cells(line)
    if len(cells) > count:
        cells[count - 1 :] = [" | ".join(cells[count - 1 :])]
    return cells + [""] * (count - len(cells))


def measure(block: Block, read: ReadCell) -> Columns:
    """Read the head of the table and how wide its cells are.

    All pieces of a long table get the same columns, so rows of all of it are measured: every one up
    to SAMPLE, evenly chosen ones of more.
    """
    top: int = block.data
    heads = row_cells(block.src[top])
    line = block.base + top
    natural = [max(_flow_width(read(head, line)), 1) for head in heads]
    end = block.end
    while end < len(block.src) and block.src[end].strip():
        end += 1
    for index in range(top + 2, end, max((end - top) // SAMPLE, 1)):
        for column, cell in enumerate(_cells(block.src[index], len(heads))):
            if len(cell) * 2 > natural[column]:
                plain = width(cell) if _MARKUP.search(cell) is None else _flow_width(read(cell, line))
                natural[column] = max(natural[column], plain)
    return Columns(heads, alignments(block.src[top + 1]), natural, line)


def _flow_width(flow: Flow) -> int:
    return max(map(width, flow.text.split("\n")))


def share(natural: Sequence[int], room: int) -> list[int]:
    """Give each column its natural width, or cut the widest ones to one common width that fits."""
    if sum(natural) <= room:
        return list(natural)
    cap, left, rest = 0, room, len(natural)
    for size in sorted(natural):
        cap = left // rest
        if size > cap:
            break
        left -= size
        rest -= 1
    widths = [min(size, cap) for size in natural]
    spare = room - sum(widths)
    for index, size in enumerate(natural):
        if spare > 0 and widths[index] < size:
            widths[index] += 1
            spare -= 1
    return widths


def table_rows(block: Block, columns: Columns, read: ReadCell, cells: int) -> list[Row]:
    """Lay out a table or a piece of one."""
    top: int = block.data
    count = len(columns.heads)
    room = cells - len(SEPARATOR) * (count - 1)
    first = block.start == top
    if room < NARROWEST * count:
        return _records(block, columns, read, cells)
    widths = share(columns.natural, room)
    rows: list[Row] = []
    if first:
        rows += _row(columns.heads, columns, widths, read, columns.line, HEAD)
        rule = "─┼─".join("─" * size for size in widths)
        rows.append(Row([(rule, LINE)], columns.line + 1, columns.line + 1))
    for index in range(top + 2 if first else block.start, block.end):
        rows += _row(_cells(block.src[index], count), columns, widths, read, block.base + index, ())
    return rows


def _row(
    texts: Sequence[str],
    columns: Columns,
    widths: Sequence[int],
    read: ReadCell,
    line: int,
    names: tuple[str, ...],
) -> list[Row]:
    parts = [flow_rows(read(text, line), size, line, names) for text, size in zip(texts, widths, strict=True)]
    rows = []
    for number in range(max(map(len, parts))):
        runs: Line = []
        links: list[LinkSpan] = []
        x = 0
        for column, size in enumerate(widths):
            if column:
                runs.append((SEPARATOR, LINE))
                x += len(SEPARATOR)
            part = parts[column][number] if number < len(parts[column]) else None
            used = line_width(part.runs) if part else 0
            before = _indent(columns.aligns[column], size - used)
            if before:
                runs.append((" " * before, ()))
            if part:
                runs += part.runs
                links += [LinkSpan(x + before + a, x + before + b, link) for a, b, link in part.links]
            if size - used - before > 0 and column < len(widths) - 1:
                runs.append((" " * (size - used - before), ()))
            x += size
        rows.append(Row(runs, line, line, tuple(links)))
    return rows


def _indent(align: str, missing: int) -> int:
    if align == "right":
        return max(missing, 0)
    return max(missing, 0) // 2 if align == "center" else 0


def _records(block: Block, columns: Columns, read: ReadCell, cells: int) -> list[Row]:
    """One ``heading: value`` line per cell, a rule between rows."""
    top: int = block.data
    first = block.start == top
    rows: list[Row] = []
    for index in range(top + 2 if first else block.start, block.end):
        line = block.base + index
        if rows:
            rows.append(Row([("─" * min(cells, 12), LINE)], line, line))
        for head, text in zip(columns.heads, _cells(block.src[index], len(columns.heads)), strict=True):
            if not text:
                continue
            rows += flow_rows(read(head, line), cells, line, HEAD)
            rows += [_shifted(row) for row in flow_rows(read(text, line), max(cells - 2, 4), line)]
    if not rows:
        rows = flow_rows(read(" · ".join(columns.heads), columns.line), cells, columns.line, HEAD)
    return rows


def _shifted(row: Row) -> Row:
    links = tuple(LinkSpan(a + 2, b + 2, link) for a, b, link in row.links)
    return row._replace(runs=[("  ", ()), *row.runs], links=links, lead=2)
