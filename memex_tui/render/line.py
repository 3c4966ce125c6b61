"""Styled lines before they have colours.

A run is a piece of printable text with the names of the component classes that style it, outer
first; a line is a list of runs. Names become colours only in the widget that shows the line
(``widgets/palette.py``), so one layout serves every theme.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from memex_tui.render.text import ELLIPSIS, head, printable, tail, width

Names = tuple[str, ...]
Run = tuple[str, Names]
Line = list[Run]
Resolve = Callable[[Names], Style]  # component class names -> the style to draw with


def line_width(line: Iterable[Run]) -> int:
    """Cells that a line takes."""
    return sum(width(text) for text, _ in line)


def line_text(line: Iterable[Run]) -> str:
    """The text of a line without styles."""
    return "".join(text for text, _ in line)


def cut_line(line: Sequence[Run], cells: int) -> Line:
    """Shorten a line to ``cells``, ending in ``…`` when something was left out."""
    if line_width(line) <= cells:
        return list(line)
    if cells <= 0:
        return []
    kept: Line = []
    room = cells - 1
    for text, names in line:
        size = width(text)
        if size >= room:
            kept.append((head(text, room).rstrip(" ") + ELLIPSIS, names))
            break
        kept.append((text, names))
        room -= size
    return kept


def fit_line(line: Sequence[Run], cells: int, fill: Names = ()) -> Line:
    """Return exactly ``cells`` cells: cut when too long, filled with spaces when too short."""
    kept = cut_line(line, cells)
    missing = cells - line_width(kept)
    if missing > 0:
        kept.append((" " * missing, fill))
    return kept


def spread(left: Sequence[Run], right: Sequence[Run], cells: int, *, gap: int = 2) -> Line:
    """Put ``left`` and ``right`` at the two ends of a line; the left side gives way first.

    The right side is dropped when it would leave the left one less than a third of the line.
    """
    right_cells = line_width(right)
    room = cells - right_cells - gap
    if right_cells == 0 or room < max(min(line_width(left), cells // 3), 0):
        return fit_line(left, cells)
    return [*fit_line(cut_line(left, room), room + gap), *right]


def overlay(line: Sequence[Run], spans: Iterable[tuple[int, int]], names: Names) -> Line:
    """Add ``names`` to the characters inside ``spans`` (sorted, apart, offsets in the line's text)."""
    cuts = [(start, end) for start, end in spans if end > start]
    if not cuts:
        return list(line)
    result: Line = []
    offset = index = 0
    for text, own in line:
        pos = 0
        while pos < len(text):
            while index < len(cuts) and cuts[index][1] <= offset + pos:
                index += 1
            if index == len(cuts) or cuts[index][0] >= offset + len(text):
                result.append((text[pos:], own))
                break
            start = max(cuts[index][0] - offset, pos)
            end = min(cuts[index][1] - offset, len(text))
            if start > pos:
                result.append((text[pos:start], own))
            result.append((text[start:end], own + names))
            pos = end
        offset += len(text)
    return result


def stamp(line: Sequence[Run], x: int, text: str, names: Names) -> Line:
    """Write ``text`` over the cells from ``x`` on, keeping the line's length."""
    if x < 0 or not text:
        return list(line)
    total = line_width(line)
    size = width(text)
    before = crop_line(line, 0, x)
    before = fit_line(before, x) if line_width(before) < x else before
    return [*before, (text, names), *crop_line(line, x + size, max(total, x + size))]


def crop_line(line: Sequence[Run], start: int, end: int) -> Line:
    """The cells ``start`` to ``end`` of a line; half of a wide character becomes a space."""
    result: Line = []
    x = 0
    for text, names in line:
        size = width(text)
        if x + size > start and x < end:
            result.append((_crop(text, size, start - x, end - x), names))
        x += size
        if x >= end:
            break
    return result


def _crop(text: str, size: int, start: int, end: int) -> str:
    if end < size:
        front = head(text, end)
        text = front + " " * (end - width(front))
        size = end
    if start > 0:
        back = tail(text, size - start)
        text = " " * (size - start - width(back)) + back
    return text


def paint(line: Iterable[Run], resolve: Resolve, base: Names = (), *, cells: int | None = None) -> Strip:
    """Give a line its colours. ``base`` are names under every run (row background, selection), ``cells``
    its width where that is known.

    Neighbours that look alike become one segment, blanks join the run before them: each change of
    style costs some 40 bytes on the wire.
    """
    segments: list[Segment] = []
    measured = 0
    last: Style | None = None
    for text, names in line:
        if not text:
            continue
        style = resolve(base + names)
        if cells is None:
            measured += width(text)
        if last is not None and (style == last or (text.isspace() and _same_blank(style, last))):
            segments[-1] = Segment(segments[-1].text + text, last)
        elif last is not None and segments[-1].text.isspace() and _same_blank(style, last):
            segments[-1] = Segment(segments[-1].text + text, style)
            last = style
        else:
            segments.append(Segment(text, style))
            last = style
    return Strip(segments, measured if cells is None else cells)


def _same_blank(style: Style, other: Style) -> bool:
    """Whether a blank looks the same in both styles: there its colour does not show."""
    if style.bgcolor != other.bgcolor:
        return False
    return not (
        style.underline or other.underline or style.reverse or other.reverse or style.strike or other.strike
    )


def marked_runs(snippet: str, names: Names, match: Names) -> Line:
    """Read a snippet whose found words stand in ``<mark>…</mark>``; everything else is plain text."""
    line: Line = []
    for number, part in enumerate(snippet.split("<mark>")):
        found, end, rest = part.partition("</mark>") if number else ("", "", part)
        if number and not end:
            found, rest = "", f"<mark>{found}"
        if found:
            line.append((printable(found), names + match))
        if rest:
            line.append((printable(rest), names))
    return line


def changed(old: Line, new: Line, cells: int) -> tuple[int, int] | None:
    """The cells in which two lines of ``cells`` cells differ; None when they do not."""
    if old == new:
        return None
    least = min(len(old), len(new))
    front = x0 = 0
    while front < least and old[front] == new[front]:
        x0 += width(new[front][0])
        front += 1
    x1 = cells
    back = 1
    while back <= least - front and old[-back] == new[-back]:
        x1 -= width(new[-back][0])
        back += 1
    return x0, max(x1, x0 + 1)
