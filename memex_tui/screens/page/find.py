"""Find and replace: the field below the page, and the matches in its lines."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from typing import NamedTuple

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.message import Message
from textual.widgets import Input, Static

from memex_tui.render.text import content

MOST = 20_000  # matches that are marked and counted


class Match(NamedTuple):
    """``lines[line][start:end]``."""

    line: int
    start: int
    end: int


class Finding(NamedTuple):
    """What is looked for. ``word``: only whole words; ``case``: as written."""

    text: str
    case: bool = False
    word: bool = False
    regex: bool = False

    def pattern(self) -> re.Pattern[str] | None:
        """None when nothing is looked for. Raises ``re.error``."""
        if not self.text:
            return None
        source = self.text if self.regex else re.escape(self.text)
        if self.word:
            source = rf"\b(?:{source})\b"
        return re.compile(source, 0 if self.case or self._has_capitals() else re.IGNORECASE)

    def _has_capitals(self) -> bool:
        """A text with capitals is looked for as it is."""
        return not self.regex and self.text != self.text.lower()


def matches_in(lines: Sequence[str], pattern: re.Pattern[str]) -> list[Match]:
    """Where the pattern fits, in order; matches of nothing are left out."""
    found: list[Match] = []
    for number, line in enumerate(lines):
        for match in pattern.finditer(line):
            if match.end() > match.start():
                found.append(Match(number, *match.span()))
        if len(found) >= MOST:
            break
    return found


def next_match(matches: Sequence[Match], place: tuple[int, int], step: int = 1) -> int:
    """The number of the first match at or after a place (``step`` 1), or the last one before it."""
    at = bisect_left(matches, (place[0], place[1], -1))
    return at % len(matches) if step > 0 else (at - 1) % len(matches)


def replaced(line: str, pattern: re.Pattern[str], text: str, *, regex: bool) -> str:
    """A line with every match replaced; groups count in ``text`` only for a regular expression."""
    return pattern.sub(text if regex else lambda _: text, line)


class FindBar(Vertical):
    """A field for what is looked for, and one for what takes its place."""

    class Changed(Message):
        """Something else is looked for."""

        def __init__(self, finding: Finding) -> None:
            super().__init__()
            self.finding = finding

    def __init__(self) -> None:
        super().__init__(id="find-bar")
        self.case = self.word = self.regex = False
        self.display = False

    def compose(self) -> ComposeResult:
        with Horizontal(classes="find-row"):
            yield Static("find", classes="find-label")
            yield Input(id="find-text", compact=True)
            yield Static("", id="find-count", markup=False)
        with Horizontal(classes="find-row", id="replace-row"):
            yield Static("replace", classes="find-label")
            yield Input(id="find-with", compact=True)
            yield Static("", id="find-keys", markup=False)

    @property
    def finding(self) -> Finding:
        """What is looked for now."""
        return Finding(self.query_one("#find-text", Input).value, self.case, self.word, self.regex)

    @property
    def replacement(self) -> str:
        """What takes the place of a match."""
        return self.query_one("#find-with", Input).value

    @property
    def replacing(self) -> bool:
        """Whether the second field is there."""
        return bool(self.query_one("#replace-row").display)

    def open(self, text: str = "", *, replace: bool = False) -> None:
        """Show the field with ``text`` in it (empty: what was looked for last), ready to type."""
        self.display = True
        self.query_one("#replace-row").display = replace
        field = self.query_one("#find-text", Input)
        if text:
            field.value = text
        field.focus()
        field.action_select_all()
        self._post()

    def close(self) -> None:
        """Put it away; what was looked for is kept."""
        self.display = False

    def toggle(self, name: str) -> None:
        """Switch ``case``, ``word`` or ``regex``."""
        setattr(self, name, not getattr(self, name))
        self._post()

    def say(self, text: str, *, bad: bool = False) -> None:
        """How many matches there are, or what is wrong."""
        signs = [name for name, on in (("Aa", self.case), ("word", self.word), (".*", self.regex)) if on]
        self.query_one("#find-count", Static).update(content(" ".join([*signs, text])))
        self.set_class(bad, "-bad")

    def on_input_changed(self, event: Input.Changed) -> None:
        event.stop()
        if event.input.id == "find-text":
            self._post()

    def _post(self) -> None:
        self.post_message(self.Changed(self.finding))
