"""Front matter as a panel of properties above the page."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from memex_tui.render.line import Names
from memex_tui.render.markdown.flow import Flow, Span, flow_rows, lead_row
from memex_tui.render.markdown.model import Link, LinkSpan, Property, Row
from memex_tui.render.text import fit, printable, width

SHOWN = 8  # properties before the rest is folded away
KEY_CELLS = 14
VALUE_ROWS = 3
KEY = ("md--property-key",)
VALUE = ("md--property",)
CHIP = ("md--property", "md--chip")

ReadValue = Callable[[str], Flow]


def panel_rows(
    properties: Sequence[Property], read: ReadValue, cells: int, line: int, *, full: bool
) -> list[Row]:
    """Lay out the panel. ``read`` reads a value that holds a link; ``full`` shows all properties."""
    if not properties:
        return []
    shown = properties if full or len(properties) <= SHOWN + 1 else properties[:SHOWN]
    keys = min(max(width(printable(one.key)) for one in shown), KEY_CELLS, max(cells // 3, 4))
    room = max(cells - keys - 2, 4)
    rows: list[Row] = []
    for one in shown:
        value = flow_rows(_value(one.value, read), room, line, VALUE)
        if len(value) > VALUE_ROWS and not full:
            last = value[VALUE_ROWS - 1]
            value = [*value[: VALUE_ROWS - 1], last._replace(runs=[*last.runs[:-1], ("…", VALUE)])]
        for number, row in enumerate(value):
            key = fit(printable(one.key), keys) if number == 0 else " " * keys
            rows.append(lead_row(row, [(f"{key}  ", KEY)]))
    if len(properties) > len(shown) or full:
        more = len(properties) - len(shown)
        text = f"… {more} more" if more else "▴ less"
        if more or len(properties) > SHOWN + 1:
            link = Link("fold", "properties", text=text, line=line)
            rows.append(Row([(text, KEY)], line, line, (LinkSpan(0, width(text), link),)))
    rows.append(Row([], line, line))
    return rows


def _value(value: str | Sequence[str], read: ReadValue) -> Flow:
    """A text as it is, a list as chips. Values with links are read for them."""
    if isinstance(value, str):
        return read(value) if "[[" in value else _plain(printable(value))
    texts: list[str] = []
    spans: list[Span] = []
    links: list[Link] = []
    at = 0
    for one in value:
        linked = read(one) if "[[" in one else None
        # No-break spaces keep the words of a chip together.
        text = linked.text if linked else f"\xa0{printable(one)}\xa0".replace(" ", "\xa0")
        names: Names = () if linked else CHIP[1:]
        if at:
            texts.append(" ")
            spans.append(Span(at, at + 1, (), -1))
            at += 1
        if linked:
            spans += [
                Span(
                    at + span.start,
                    at + span.end,
                    span.names,
                    span.link + len(links) if span.link >= 0 else -1,
                )
                for span in linked.spans
            ]
            links += linked.links
        else:
            spans.append(Span(at, at + len(text), names, -1))
        texts.append(text)
        at += len(text)
    return Flow("".join(texts), spans, links, [])


def _plain(text: str) -> Flow:
    return Flow(text, [Span(0, len(text), (), -1)] if text else [], [], [])
