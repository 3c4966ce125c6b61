"""Beside and under the picture: the card of the selected page, and the legend."""

from __future__ import annotations

from collections.abc import Sequence

from textual.app import ComposeResult
from textual.containers import Vertical

from memex_tui.render.line import Line, line_width
from memex_tui.render.text import content, printable
from memex_tui.screens.chrome import LineBar
from memex_tui.screens.graph.presenter import Card, sentence
from memex_tui.widgets.graph_styles import COMPONENTS, CSS
from memex_tui.widgets.markdown_view import MarkdownView

MORE = 12  # rows of legend at most


class Facts(LineBar):
    """What is known of the selected page, a line each."""

    def __init__(self) -> None:
        super().__init__(id="facts")
        self._facts: Sequence[Line] = ()

    def show(self, facts: Sequence[Line]) -> None:
        self._facts = facts
        self.styles.height = max(len(facts), 1)
        self.update()

    def lines(self, cells: int) -> Sequence[Line]:
        return [[(" ", ()), *line] for line in self._facts]


class NodeCard(Vertical):
    """The selected page: its facts, and the beginning of its text."""

    def compose(self) -> ComposeResult:
        yield Facts()
        yield MarkdownView(id="excerpt")

    def show(self, card: Card) -> None:
        """Show another page, or more of the same."""
        self.border_title = content(card.title)
        self.query_one(Facts).show(card.facts)
        text = self.query_one(MarkdownView)
        text.display = bool(card.text)
        if card.text:
            text.set_page(card.text, hooks=card.reading.hooks() if card.reading is not None else None)


class Legend(LineBar):
    """What signs and lines mean. ``flat`` puts it into one row."""

    COMPONENT_CLASSES = LineBar.COMPONENT_CLASSES | COMPONENTS
    DEFAULT_CSS = CSS.replace("GraphCanvas", "Legend")

    def __init__(self, *, flat: bool = False, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self._flat = flat
        self._entries: Sequence[Line] = ()

    def show(self, entries: Sequence[Line]) -> None:
        """Explain the signs of another picture."""
        self._entries = entries
        if not self._flat:
            self.styles.height = min(len(entries), MORE) + 2
            self.display = bool(entries)
        self.update()

    def lines(self, cells: int) -> Sequence[Line]:
        if self._flat:
            return [flat(self._entries, cells)]
        return [[(" ", ()), *entry] for entry in self._entries[:MORE]]


def flat(entries: Sequence[Line], cells: int) -> Line:
    """As many entries as fit into a row."""
    line: Line = [(" ", ())]
    for entry in entries:
        if line_width(line) + line_width(entry) + 1 <= cells:
            line += [*entry, ("  ", ())]
    return line


class NodeStrip(LineBar):
    """The selected page in two rows, where there is no room for its card."""

    def __init__(self) -> None:
        super().__init__(id="strip")
        self._card = Card("", ())

    def show(self, card: Card) -> None:
        self._card = card
        self.update()

    def lines(self, cells: int) -> Sequence[Line]:
        card = self._card
        first: Line = [(f" {printable(card.title)}", ("bar--key",))]
        for fact in card.facts[:2]:
            first += [("  ", ()), *fact] if fact else []
        text = sentence(card.text) or (card.reading.path if card.reading is not None else "")
        rest = (
            [run for fact in card.facts[2:] for run in [*fact, ("  ", ())] if fact] if not card.text else []
        )
        return [first, [(" ", ()), (printable(text), ("bar--muted",)), *([] if text else rest)]]
