"""What is laid over the rows of a page: search matches and the chosen link."""

from __future__ import annotations

import re
from typing import NamedTuple

from memex_tui.render.line import Line, line_text, overlay
from memex_tui.render.markdown.document import Document
from memex_tui.render.markdown.model import Link, Row
from memex_tui.render.text import width


class Match(NamedTuple):
    """One place where the search pattern fits, in the source: line and characters of the line."""

    line: int
    start: int
    end: int
    nth: int  # count of earlier matches on the same line


class SearchMarks:
    """The matches of one pattern in a page, and which of them is the current one.

    Matches are found in the source, so they are known without laying out the page; they are drawn
    where the pattern fits in what is shown.
    """

    def __init__(self, pattern: re.Pattern[str] | None) -> None:
        self.pattern = pattern
        self.matches: list[Match] = []
        self.current = -1

    def find(self, document: Document) -> None:
        """Look through the page again; the current match is forgotten."""
        self.matches = []
        self.current = -1
        if self.pattern is None:
            return
        for line, text in enumerate(document.lines, document.first_line):
            nth = 0
            for found in self.pattern.finditer(text):
                if found.end() > found.start():
                    self.matches.append(Match(line, found.start(), found.end(), nth))
                    nth += 1

    def move(self, step: int, top_line: int) -> Match | None:
        """Make the next or previous match the current one; the first one is looked for from ``top_line``."""
        if not self.matches:
            return None
        if self.current < 0:
            after = next((i for i, match in enumerate(self.matches) if match.line >= top_line), 0)
            self.current = after if step > 0 else after - 1
        else:
            self.current += step
        self.current %= len(self.matches)
        return self.matches[self.current]

    def marked(self, document: Document, y: int, row: Row) -> Line:
        """The runs of row ``y`` with its matches marked."""
        line: Line = list(row.runs)
        if self.pattern is None or not line:
            return line
        spans = [found.span() for found in self.pattern.finditer(line_text(line))]
        if not spans:
            return line
        line = overlay(line, spans, ("md--match",))
        if self.current >= 0:
            match = self.matches[self.current]
            nth = self._nth(document, y, row, match)
            if row.line <= match.line <= row.last and 0 <= nth < len(spans):
                line = overlay(line, [spans[nth]], ("md--match-current",))
        return line

    def _nth(self, document: Document, y: int, row: Row, match: Match) -> int:
        """Which match of the row is ``match``: earlier rows and lines may have some before it."""
        assert self.pattern is not None
        if row.line < match.line:  # the row begins with the end of an earlier line
            shown = sum(1 for _ in self.pattern.finditer(line_text(row.runs)))
            following = sum(1 for one in self.matches if one.line == match.line and one.nth > match.nth)
            return max(shown - 1 - following, 0) if row.last == match.line else 0
        nth = match.nth
        while (before := document.row(y - 1)) is not None and before.runs and before.last == match.line:
            nth -= sum(1 for _ in self.pattern.finditer(line_text(before.runs)))
            if before.line < match.line:
                nth += sum(1 for one in self.matches if before.line <= one.line < match.line)
                break
            y -= 1
        return nth


def mark_link(line: Line, row: Row, link: Link) -> Line:
    """Add the look of the chosen link to its cells; links begin and end with runs."""
    spans = [span for span in row.links if span.link == link]
    if not spans:
        return line
    result: Line = []
    x = 0
    for text, names in line:
        size = width(text)
        inside = any(span.x0 <= x and x + size <= span.x1 for span in spans)
        result.append((text, (*names, "md--link-current")) if inside and size else (text, names))
        x += size
    return result
