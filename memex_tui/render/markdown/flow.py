"""Styled text and how it flows into rows of a given width."""

from __future__ import annotations

from bisect import bisect_right
from typing import NamedTuple

from memex_tui.render.line import Line, Names, line_width
from memex_tui.render.markdown.model import Link, LinkSpan, Row
from memex_tui.render.text import width
from memex_tui.render.wrap import wrap


class Span(NamedTuple):
    """Characters ``start`` to ``end`` of a flow; ``link`` indexes the flow's links, -1 for none."""

    start: int
    end: int
    names: tuple[str, ...]
    link: int


class Flow(NamedTuple):
    """Displayed text (``\\n`` only for forced breaks), its spans without holes, its links, and
    the offsets at which the second, third … source line begins."""

    text: str
    spans: list[Span]
    links: list[Link]
    breaks: list[int]


class Piece:
    """A piece of text while a flow is being read; its style may still change."""

    __slots__ = ("link", "names", "text")

    def __init__(self, text: str, names: Names, link: int) -> None:
        self.text = text
        self.names = names
        self.link = link


def assemble(pieces: list[Piece], links: list[Link], breaks: list[int]) -> Flow:
    """Join pieces to a flow. ``breaks`` are indexes of the pieces that begin a source line."""
    spans: list[Span] = []
    starts = []
    at = 0
    for piece in pieces:
        starts.append(at)
        if not piece.text:
            continue
        end = at + len(piece.text)
        last = spans[-1] if spans else None
        if last and last.link == piece.link and last.names == piece.names:
            spans[-1] = Span(last.start, end, last.names, last.link)
        else:
            spans.append(Span(at, end, piece.names, piece.link))
        at = end
    starts.append(at)
    text = "".join(piece.text for piece in pieces)
    return Flow(text, spans, links, [starts[min(index, len(pieces))] for index in breaks])


def flow_rows(flow: Flow, cells: int, line: int, names: Names = (), *, first: int | None = None) -> list[Row]:
    """Wrap a flow to ``cells``. ``line`` is the source line of its beginning; ``names`` style all of it.

    ``first`` is the room on the first row when it is less. An empty flow gives one empty row.
    """
    rows: list[Row] = []
    spans, links = flow.spans, flow.links
    index = 0
    for start, end in wrap(flow.text, cells, first):
        runs: Line = []
        found: list[LinkSpan] = []
        x = 0
        while index < len(spans) and spans[index].end <= start:
            index += 1
        at = index
        while at < len(spans) and spans[at].start < end:
            span = spans[at]
            text = flow.text[max(span.start, start) : min(span.end, end)]
            size = width(text)
            runs.append((text, names + span.names))
            if span.link >= 0 and size:
                _add_span(found, x, x + size, links[span.link])
            x += size
            at += 1
        first_line = line + bisect_right(flow.breaks, start)
        last_line = line + bisect_right(flow.breaks, max(end - 1, start))
        rows.append(Row(runs, first_line, last_line, tuple(found)))
    return rows


def _add_span(found: list[LinkSpan], x0: int, x1: int, link: Link) -> None:
    """Add the cells of a link, joined to the part of it just before."""
    if found and found[-1].x1 == x0 and found[-1].link is link:
        found[-1] = LinkSpan(found[-1].x0, x1, link)
    else:
        found.append(LinkSpan(x0, x1, link))


def lead_row(row: Row, lead: Line) -> Row:
    """Put bullets, bars or indentation in front of a row."""
    if not lead:
        return row
    size = line_width(lead)
    links = tuple(LinkSpan(span.x0 + size, span.x1 + size, span.link) for span in row.links)
    return row._replace(runs=[*lead, *row.runs], links=links, lead=row.lead + size)
