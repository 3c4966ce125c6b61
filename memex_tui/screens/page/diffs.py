"""Differences between texts as rows: what went is red, what came is green, changed words stand out."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

from memex_tui.render.line import Line, crop_line, line_text, line_width, overlay
from memex_tui.render.text import clusters, printable
from memex_tui.widgets.rows import RowState
from memex_tui.widgets.virtual_list import VirtualList

LONGEST = 4_000  # characters of a line that are shown
_WORDS = re.compile(r"\w+|\s+|[^\w\s]")
_HUNK = re.compile(r"@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@")
_NAMES = "add del same place note add-word del-word faded picked"
_LOOKS = {"+": "diff--add", "-": "diff--del", " ": "diff--same", "@": "diff--place", "!": "diff--note"}


class DiffRow(NamedTuple):
    """One row of a difference. ``kind``: ``+``, ``-``, blank, ``@`` (a place) or ``!`` (a remark);
    ``group`` counts the places, ``number`` is its own number."""

    kind: str
    runs: Line
    group: int
    number: int
    faded: bool = False


class DiffLine(NamedTuple):
    """A line of a difference before it is laid out; ``spans`` are the parts that changed in it."""

    kind: str
    text: str
    spans: tuple[tuple[int, int], ...] = ()


def parsed(diff: str) -> list[DiffLine]:
    """The lines of a unified diff, without its file names."""
    lines: list[DiffLine] = []
    for line in diff.split("\n"):
        if line.startswith(("--- ", "+++ ")) and not lines:
            continue
        hunk = _HUNK.match(line)
        if hunk:
            lines.append(DiffLine("@", f"line {hunk[2]}"))
        elif line[:1] in "+- " and line:
            lines.append(DiffLine(line[0], printable(line[1:].rstrip("\r").expandtabs(4))[:LONGEST]))
    return with_words(lines)


def with_words(lines: Sequence[DiffLine]) -> list[DiffLine]:
    """Marks the words that differ between lines that went and lines that came in their place."""
    out: list[DiffLine] = []
    at = 0
    while at < len(lines):
        gone = _run(lines, at, "-")
        come = _run(lines, at + len(gone), "+")
        if not gone and not come:
            out.append(lines[at])
            at += 1
            continue
        if len(gone) == len(come):
            pairs = [compared(old, new) for old, new in zip(gone, come, strict=True)]
            gone, come = [old for old, _ in pairs], [new for _, new in pairs]
        out += [*gone, *come]
        at += len(gone) + len(come)
    return out


def _run(lines: Sequence[DiffLine], at: int, kind: str) -> list[DiffLine]:
    end = at
    while end < len(lines) and lines[end].kind == kind:
        end += 1
    return list(lines[at:end])


def compared(old: DiffLine, new: DiffLine) -> tuple[DiffLine, DiffLine]:
    a, b = _WORDS.findall(old.text), _WORDS.findall(new.text)
    matcher = SequenceMatcher(None, a, b, autojunk=False)
    if len(a) + len(b) > 2_000 or matcher.ratio() < 0.3:
        return old, new
    codes = matcher.get_opcodes()
    before = tuple(_spans(a, [(i1, i2) for code, i1, i2, _, _ in codes if code != "equal"]))
    after = tuple(_spans(b, [(j1, j2) for code, _, _, j1, j2 in codes if code != "equal"]))
    return old._replace(spans=before), new._replace(spans=after)


def _spans(words: Sequence[str], ranges: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    for start, end in ranges:
        begin = sum(map(len, words[:start]))
        size = sum(map(len, words[start:end]))
        if size:
            yield begin, begin + size


def laid_out(
    lines: Sequence[DiffLine], cells: int, *, group: int = 0, first: int = 0, faded: bool = False
) -> list[DiffRow]:
    """Rows for a width, long lines wrapped. A new group begins at each place."""
    rows: list[DiffRow] = []
    for line in lines:
        if line.kind == "@":
            group += 1
            text = f"── {line.text} "
            rows.append(DiffRow("@", [(text, ("diff--place",))], group, first + len(rows), faded))
            continue
        look = _LOOKS[line.kind]
        marked = overlay([(line.text, (look,))], line.spans, (f"{look}-word",))
        for number, part in enumerate(wrapped(marked, max(cells - 2, 8))):
            sign = line.kind if number == 0 and line.kind != "!" else " "
            rows.append(DiffRow(line.kind, [(f"{sign} ", (look,)), *part], group, first + len(rows), faded))
    return rows


def wrapped(line: Line, cells: int) -> list[Line]:
    """A line of runs cut before words where it is too long."""
    if line_width(line) <= cells:
        return [line]
    cuts, x, last_blank, start = [0], 0, 0, 0
    for cluster, size in clusters(line_text(line)):
        if x + size - start > cells:
            start = last_blank if last_blank > start else x
            cuts.append(start)
        x += size
        if cluster == " ":
            last_blank = x
    return [crop_line(line, a, b) for a, b in zip(cuts, [*cuts[1:], x], strict=True)]


class DiffList(VirtualList[DiffRow]):
    """Rows of a difference."""

    COMPONENT_CLASSES = frozenset(f"diff--{name}" for name in _NAMES.split())
    DEFAULT_CSS = """
    DiffList {
        & > .diff--add { color: $text-success; }
        & > .diff--del { color: $text-error; }
        & > .diff--add-word { background: $success 30%; text-style: bold; }
        & > .diff--del-word { background: $error 30%; text-style: bold; }
        & > .diff--same { color: $foreground 60%; }
        & > .diff--place { color: $foreground 45%; }
        & > .diff--note { color: $foreground 60%; text-style: italic; }
        & > .diff--faded { color: $foreground 35%; }
        & > .diff--picked { color: $text-primary; text-style: bold; }
        &:nocolor > .diff--add-word { text-style: bold underline; }
        &:nocolor > .diff--del-word { text-style: strike; }
    }
    """

    def __init__(self, *, id: str, empty: str) -> None:
        super().__init__(self._draw_diff, id=id, classes="pane", empty=empty)

    def _draw_diff(self, row: DiffRow, cells: int, state: RowState) -> Sequence[Line]:
        if not row.faded:
            return [row.runs]
        return [[(text, ("diff--faded",)) for text, _ in row.runs]]

    def show(self, rows: Sequence[DiffRow]) -> None:
        """Show rows from the first on."""
        self.set_rows(rows, lambda row: str(row.number))
        self.move_to(0)
