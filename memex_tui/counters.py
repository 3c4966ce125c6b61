"""What the header says at its right: how much waits for review, and how the index is."""

from __future__ import annotations

from memex_tui.render.line import Line
from memex_tui.render.text import cut, printable


class Counters:
    """The live numbers of the memory."""

    def __init__(self) -> None:
        self.pages: int | None = None
        self.pending = 0  # what waits in Review
        self.missing = False  # there is no memory yet
        self.polling = False
        self.problem = ""  # why outside edits are not followed, or the index not read

    def lines(self) -> tuple[Line, Line]:
        """The counters in full, and where there is little room."""
        full: Line = []
        short: Line = []
        if self.pending:
            full += [
                (f"{self.pending:,}", ("bar--accent",)),
                (" pending", ("bar--muted",)),
                (" · ", ("bar--faint",)),
            ]
        if self.missing:
            word, style = "no memory yet", "bar--muted"
        elif self.problem:
            word, style = "not watching", "bar--warn"
        elif self.pages is None:
            word, style = "index …", "bar--muted"
        elif self.polling:
            word, style = "polling", "bar--muted"
        else:
            word, style = "index ok", "bar--muted"
        full.append((word, (style,)))
        if self.pending and word == "index ok":  # what waits is news, a number alone would be a riddle
            count = self.pending if self.pending < 1000 else "1k+"
            short.append((f"{count} pending", ("bar--accent",)))
        else:
            short.append((word.replace("index", "idx"), (style,)))
        return full, short

    def explain(self) -> str:
        """The problem in words, for a toast."""
        return cut(printable(self.problem), 200)
