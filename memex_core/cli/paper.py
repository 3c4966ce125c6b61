"""Readable text on a terminal. The only module of the command line that imports rich.

Views hand over plain strings and style names; every string passes the sanitiser here, is never read
as markup, and is measured in terminal cells, so that CJK and emoji line up.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from rich.console import Console
from rich.text import Text

from memex_core.files.layout import current
from memex_core.model.printable import one_line, printable

Span = str | tuple[str, str]
"""A piece of text, alone or with a style of :data:`STYLES`."""

STYLES = {
    "title": "bold",
    "heading": "bold cyan",
    "dim": "dim",
    "mark": "bold yellow",
    "good": "green",
    "bad": "bold red",
    "warn": "yellow",
    "link": "cyan",
    "code": "green",
    "added": "green",
    "removed": "red",
    "name": "bold",
}


class _Console(Console):
    """Rich ends the process with 1 when the reader has gone; here that is the caller's business."""

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError


class Paper:
    """A place to print on, as wide as the terminal (80 columns when that is unknown)."""

    def __init__(self) -> None:
        width = None if sys.stdout is not None and sys.stdout.isatty() else 80
        if os.environ.get("COLUMNS", "").isdigit() and int(os.environ["COLUMNS"]) >= 20:
            width = int(os.environ["COLUMNS"])
        self._console = _Console(
            file=sys.stdout, width=width, markup=False, highlight=False, emoji=False, legacy_windows=False
        )

    @property
    def width(self) -> int:
        return self._console.width

    def line(self, *spans: Span, indent: int = 0) -> None:
        """A line of spans, wrapped at words; what wraps keeps the indent."""
        margin = Text(" " * indent)
        for piece in _text(spans).wrap(self._console, max(10, self.width - indent)):
            piece.rstrip()
            self._console.print(Text.assemble(margin, piece), soft_wrap=True)

    def gap(self) -> None:
        self._console.print()

    def heading(self, text: str) -> None:
        self.line((text, "heading"))

    def verbatim(self, text: str, style: str = "", indent: int = 0) -> None:
        """Text whose line breaks and spaces are kept: code, block texts, scripts."""
        for line in printable(text).split("\n"):
            self._console.print(Text(" " * indent + line, style=STYLES.get(style, "")), soft_wrap=True)

    def ends(self, left: Sequence[Span], right: Sequence[Span]) -> None:
        """Two texts at the two edges; the left one gives way when the line is too short."""
        left_text, right_text = _text(left), _text(right)
        room = max(10, self.width - right_text.cell_len - 2)
        left_text.truncate(room, overflow="ellipsis", pad=True)
        self._console.print(Text.assemble(left_text, "  ", right_text), no_wrap=True, overflow="ellipsis")

    def table(
        self, heads: Sequence[str], rows: Iterable[Sequence[Span]], *, flexible: tuple[int, ...] = ()
    ) -> None:
        """A plain table without lines. Where it is too wide only the ``flexible`` columns are cut, the
        widest first; a head that begins with ``>`` is a column of numbers."""
        cells = [[_text([_short(cell)]) for cell in row] for row in rows]
        names = [Text(head.lstrip(">"), STYLES["dim"]) for head in heads]
        widths = [max(line[at].cell_len for line in [names, *cells]) for at in range(len(heads))]
        room = self.width - 2 * (len(heads) - 1)
        while sum(widths) > room:
            widest = max(flexible, key=lambda at: widths[at], default=-1)
            if widest < 0 or widths[widest] <= 8:
                break
            widths[widest] -= 1
        for line in [names, *cells]:
            text = Text()
            for at, cell in enumerate(line):
                cell.truncate(widths[at], overflow="ellipsis")
                gap = " " * (widths[at] - cell.cell_len)
                before, after = (gap, "") if heads[at].startswith(">") else ("", gap)
                text = Text.assemble(text, "  " if at else "", before, cell, after)
            text.rstrip()
            self._console.print(text, no_wrap=True, overflow="ellipsis")

    def outline(self, value: Any, indent: int = 0) -> None:
        """Any result as indented ``key: value`` lines; empty ones are left out."""
        if isinstance(value, dict):
            for key, item in value.items():
                if item is None or item == "" or item == [] or item == {}:
                    continue
                name = key.replace("_", " ")
                if isinstance(item, (dict, list, tuple)):
                    self.line((name, "name"), indent=indent)
                    self.outline(item, indent + 2)
                else:
                    self.line((f"{name}: ", "dim"), _scalar(item), indent=indent)
        elif isinstance(value, (list, tuple)):
            for item in value:
                if isinstance(item, dict):
                    brief = " · ".join(
                        f"{_scalar(part)}" for part in item.values() if part not in (None, "", [])
                    )
                    self.line(f"- {brief}", indent=indent)
                else:
                    self.line(f"- {_scalar(item)}", indent=indent)
        else:
            self.line(_scalar(value), indent=indent)


def _text(spans: Iterable[Span]) -> Text:
    text = Text()
    for span in spans:
        if isinstance(span, str):
            text.append(printable(span))
        else:
            text.append(printable(span[0]), STYLES.get(span[1], ""))
    return text


def _short(cell: Span) -> Span:
    return one_line(cell) if isinstance(cell, str) else (one_line(cell[0]), cell[1])


def _scalar(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:,.1f}" if abs(value) >= 10 else f"{value:.2f}"
    if isinstance(value, int):
        return f"{value:,}" if abs(value) >= 10_000 else str(value)
    if isinstance(value, (list, tuple)):
        return ", ".join(_scalar(item) for item in value)
    return str(value)


def place(file_path: str, line: int = 0) -> str:
    """A file as a person names it: relative to here, below ``~``, or absolute; ``:line`` if known."""
    here = current()
    home = os.path.expanduser("~")
    name = file_path
    if here and file_path.startswith(here.rstrip(os.sep) + os.sep):
        name = file_path[len(here.rstrip(os.sep)) + 1 :]
    elif file_path.startswith(home.rstrip(os.sep) + os.sep) and len(home) > 1:
        name = "~" + file_path[len(home.rstrip(os.sep)) :]
    name = name.replace("\n", "␊").replace("\t", "␉")  # a name is one line, whatever it holds
    return f"{name}:{line}" if line else name


def plural(count: int, word: str) -> str:
    """``1 page``, ``2 pages``, ``1,204 entries``."""
    if count == 1:
        return f"1 {word}"
    many = word[:-1] + "ies" if word.endswith("y") and word[-2] not in "aeiou" else word + "s"
    return f"{count:,} {many}"


@contextmanager
def progress_bar(label: str) -> Iterator[Callable[[int, int], None]]:
    """A bar on stderr while the block runs; what it yields is told ``(done, total)``."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    console = Console(file=sys.stderr, markup=False, highlight=False, emoji=False)
    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task(label, total=None)
        yield lambda done, total: progress.update(task, completed=done, total=total)
