"""A turn of a conversation as styled lines: who, what was said, tools folded to a line, quotes marked.

Works on one turn at a time, so that a conversation of any length is laid out as far as it is looked at.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from memex_tui.render.line import Line, Names, cut_line, overlay
from memex_tui.render.text import counted, cut, fit, printable
from memex_tui.render.wrap import wrap

LONGEST = 60_000  # characters of a turn that are shown; a tool may have printed megabytes
WHO = 7  # cells for who speaks
Span = tuple[int, int]


class Turn(NamedTuple):
    """A turn as it is shown. ``aside`` says what is odd about it (taken back, failed, by a subagent)."""

    number: int
    role: str  # user, agent, tool
    name: str = ""
    text: str = ""
    ts: str = ""
    trust: str = ""
    tool: str = ""
    query: str = ""
    result: str = ""
    aside: str = ""

    @property
    def who(self) -> str:
        """Who speaks, in a word."""
        return self.name or {"user": "you", "agent": "agent", "tool": "tool"}.get(self.role, self.role)


class Quote(NamedTuple):
    """Words that are cited from a turn. ``style`` is the component class they are drawn in."""

    words: str
    style: str
    found: bool = True


class TurnMark(NamedTuple):
    """What cites a turn: a letter beside it with its component class, and the quotes."""

    letter: str
    style: str
    quotes: tuple[Quote, ...] = ()


def turn_of(record: Mapping[str, Any]) -> Turn:
    """A turn of ``Memex.session`` as it is shown."""

    def text(key: str) -> str:
        value = record.get(key)
        return value if isinstance(value, str) else ""

    odd = [
        ("abandoned", "taken back"),
        ("subagent", "by a subagent"),
        ("sidechain", "by a subagent"),
        ("queued", "typed while the agent worked"),
        ("stopped", "stopped"),
        ("is_error", "failed"),
    ]
    aside = list(dict.fromkeys(word for key, word in odd if record.get(key)))
    return Turn(
        int(record["turn"]),
        text("role"),
        text("name"),
        text("content"),
        text("ts"),
        text("trust"),
        text("tool_name"),
        text("query"),
        text("result"),
        ", ".join(aside),
    )


def shown(text: str) -> str:
    """Stored text as it can be drawn: composed characters, controls made visible, lines kept."""
    text = unicodedata.normalize("NFC", text)
    if text.isascii() and text.isprintable():
        return text
    return "\n".join(printable(line.rstrip("\r")) for line in text.split("\n"))


def quote_spans(words: str, text: str) -> list[Span]:
    """Where a quote stands in a text that :func:`shown` gave; blanks and line ends count as one."""
    parts = shown(words).split()
    if not parts:
        return []
    pattern = re.compile(r"\s+".join(map(re.escape, parts)))
    return [found.span() for found in pattern.finditer(text)]


def lay_out(turn: Turn, cells: int, digits: int, *, folded: bool, mark: TurnMark | None = None) -> list[Line]:
    """The lines of a turn without its gutter, a blank one at the end.

    ``digits`` is the room for the number. A ``folded`` tool call is one line.
    """
    room = max(cells - digits - WHO - 2, 8)
    quotes = mark.quotes if mark is not None else ()
    body: list[Line] = []
    if turn.text.strip() or turn.role != "tool":
        body += _said(turn.text, room, ("turn--aside",) if turn.aside else ("turn--text",), quotes)
    if turn.role == "tool" or turn.tool:
        body += [_call(turn, room)] if folded else _opened(turn, room, quotes)
    if turn.aside:
        body.append([(f"({turn.aside})", ("turn--faint",))])
    for quote in quotes:
        if not quote.found:
            said = [(f"✗ not in this turn: “{shown(quote.words)}”", ("turn--missing",))]
            body += _wrapped(said[0][0], room, ("turn--missing",))
    who = fit(printable(turn.who), WHO)
    style = {"user": "turn--you", "tool": "turn--tool"}.get(turn.role, "turn--agent")
    head: Line = [(f"{turn.number:>{digits}} ", ("turn--number",)), (who + " ", (style,))]
    indent: Line = [(" " * (digits + WHO + 2), ())]
    return [[*(indent if at else head), *line] for at, line in enumerate(body or [[]])] + [[]]


def is_folding(turn: Turn) -> bool:
    """Whether the turn has a tool call that can be folded."""
    return turn.role == "tool" or bool(turn.tool)


def _call(turn: Turn, room: int) -> Line:
    """A tool call in one line: its name, the beginning of what it was asked, how much it answered."""
    size = turn.result.count("\n") + 1 if turn.result else 0
    answer = f"  {counted(size, 'line')}" if size else ""
    name = cut(printable(turn.tool or "tool"), max(room // 2, 4))
    left: Line = [("▸ ", ("turn--faint",)), (name, ("turn--tool-name",))]
    query = printable(" ".join(turn.query[:1_000].split()))
    if query:
        left.append((f"  {query}", ("turn--query",)))
    return [*cut_line(left, max(room - len(answer), 4)), (answer, ("turn--faint",))]


def _opened(turn: Turn, room: int, quotes: Sequence[Quote]) -> list[Line]:
    lines: list[Line] = [
        [("▾ ", ("turn--faint",)), (cut(printable(turn.tool or "tool"), room), ("turn--tool-name",))]
    ]
    for text, style in ((turn.query, "turn--query"), (turn.result, "turn--result")):
        if text:
            part = _said(text, max(room - 2, 6), (style,), quotes)
            lines += [[("  ", ()), *line] for line in part]
    return lines


def _said(text: str, room: int, names: Names, quotes: Iterable[Quote]) -> list[Line]:
    """A text in lines, its quotes laid over it; what is too long is counted, not shown."""
    left_out = len(text) - LONGEST
    text = shown(text[:LONGEST]).strip("\n")
    lines = _wrapped(text, room, names, quotes)
    if left_out > 0:
        lines.append([(cut(f"… {left_out:,} more characters", room), ("turn--faint",))])
    return lines


def _wrapped(text: str, room: int, names: Names, quotes: Iterable[Quote] = ()) -> list[Line]:
    over = [(quote_spans(quote.words, text), quote.style) for quote in quotes if quote.found]
    lines: list[Line] = []
    for start, end in wrap(text, room):
        line: Line = [(text[start:end], names)]
        for spans, style in over:
            here = [(max(a - start, 0), min(b, end) - start) for a, b in spans if a < end and b > start]
            line = overlay(line, here, (style,))
        lines.append(line)
    return lines
