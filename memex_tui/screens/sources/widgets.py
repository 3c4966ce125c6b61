"""The rows of the Sources area: a statement with its sign, its words and where they are from."""

from __future__ import annotations

from collections.abc import Sequence

from memex_tui.render.line import Line, spread
from memex_tui.render.text import cut, printable
from memex_tui.render.wrap import wrap
from memex_tui.screens.sources.presenter import Statement
from memex_tui.widgets.rows import RowState

COLOURS = {"evidence": "good", "context": "warn", "linked": "muted"}


def draw_statement(row: Statement, cells: int, state: RowState, *, titled: bool = False) -> Sequence[Line]:
    """What the page says in at most two lines, then its source; ``titled`` names the page there."""
    indent = 6
    colour = "bad" if row.doubtful else COLOURS.get(row.lane, "bad")
    label = cut(printable(row.id), indent - 3) if row.id else ""
    text = printable(row.text)
    ranges = wrap(text, max(cells - indent, 8))
    first, second = (text[slice(*ranges[at])] if at < len(ranges) else "" for at in (0, 1))
    if len(ranges) > 2:
        second = cut(f"{second} …", cells - indent)
    head: Line = [(f"{row.letter} ", (f"row--{colour}",)), (f"{label:<{indent - 2}}", ("row--faint",))]
    pad = " " * indent
    quoted = ("row--text",) if row.line else ("row--muted",)
    said: list[Line] = [[*head, (first, quoted)]]
    if second:
        said.append([(pad, ()), (second, quoted)])
    return [*said, _state(row, cells, pad, titled)]


def _state(row: Statement, cells: int, pad: str, titled: bool) -> Line:
    where = f"{printable(row.page)} · turn {row.turn}" if titled else place_of(row)
    sign, colour = state_of(row)
    where = cut(where, max(cells - len(pad) - len(sign) - 2, 8), keep="head" if titled else "ends")
    return spread([(pad, ()), (where, ("row--path",))], [(sign, (f"row--{colour}",))], cells)


def place_of(row: Statement) -> str:
    """Where a statement is from: the session with its turn, or what else is named."""
    if row.session:
        where = f"{row.session} · turn {row.turn}" if row.turn else row.session
        return printable(where)
    return printable(row.resource) or "no source has this name"


def note_of(row: Statement | None, last: int) -> Line | None:
    """What must be known of a source before its turn is read; ``last`` is the session's last turn."""
    if row is None:
        return None
    if row.disputed is not None:
        doubt = row.disputed
        by = f" by {doubt.by}" if doubt.by else ""
        at = f" on {doubt.at[:10]}" if doubt.at else ""
        why = f": {doubt.why}" if doubt.why else ""
        return [(printable(f"! disputed{by}{at}{why}"), ("bar--bad",))]
    if row.turn > last > 0:
        return [(f"✗ there is no turn {row.turn}: the conversation ends at turn {last}", ("bar--bad",))]
    if row.found is False and row.quote and not row.turn and last:
        return [("✗ no turn of the conversation says these words", ("bar--bad",))]
    return None


def state_of(row: Statement) -> tuple[str, str]:
    """What became of a source, and the colour to say it in."""
    if row.disputed is not None:
        return "! disputed", "bad"
    if not row.lane:
        return "✗ nobody said it", "bad"
    if row.found is False:
        return "✗ not found", "bad"
    if row.lane == "linked":
        return "proves nothing itself", "faint"
    sign = {"evidence": "✓ evidence", "context": "context"}[row.lane]
    colour = {"evidence": "good", "context": "warn"}[row.lane]
    if row.found is None:
        return f"{row.lane}, not looked up", "faint"
    return sign, colour


def draw_other(row: Statement, cells: int, state: RowState) -> Sequence[Line]:
    """A statement of another page in one line."""
    title = cut(printable(row.page), max(cells // 3, 12))
    colour = "bad" if row.doubtful else COLOURS.get(row.lane, "bad")
    left: Line = [(f"{row.letter} ", (f"row--{colour}",)), (title, ("row--title",))]
    rest = cut(printable(row.text), max(cells - len(title) - 5, 4))
    return [[*left, (f"  {rest}", ("row--muted",))]]
