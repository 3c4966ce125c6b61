"""The Sources area's pop-ups: why a source is disputed, and what a page says from a turn."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar, NamedTuple

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widgets import Input, Static

from memex_core.memex import Memex
from memex_tui.render.line import Line, spread
from memex_tui.render.text import content, cut, printable
from memex_tui.screens.overlays.base import Overlay, Picker
from memex_tui.widgets.rows import RowState


class FieldsCard(Overlay):
    """A few labelled text fields; Enter goes on to the next, in the last one it is done."""

    KEYS: ClassVar[str] = ""
    DEFAULT_CSS = (
        "FieldsCard > .card { width: 84; padding: 0 1; } FieldsCard Static { color: $foreground 60%; }"
    )

    def __init__(
        self, title: str, fields: Sequence[tuple[str, str]], done: Callable[[Sequence[str]], object]
    ) -> None:
        """``fields`` are labels with what stands in them; ``done`` gets what was typed, and closes it."""
        super().__init__()
        self._title = title
        self._fields = fields
        self._done = done

    def compose(self) -> ComposeResult:
        with Vertical(classes="card") as card:
            for label, value in self._fields:
                yield Static(content(label))
                yield Input(value, compact=True, select_on_focus=False)
        card.border_title = content(cut(printable(self._title), 76))
        card.border_subtitle = self.KEYS
        self.card = card

    def on_mount(self) -> None:
        for field in self.query(Input):
            field.cursor_blink = False
        self.query(Input).last().focus()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        fields = list(self.query(Input))
        place = fields.index(event.input)
        if place + 1 < len(fields):
            fields[place + 1].focus()
        else:
            self._done([field.value for field in fields])

    def say(self, text: str) -> None:
        """Why it could not be done; the fields stay."""
        self.card.border_subtitle = content(cut(text, 78))


class Choice(NamedTuple):
    """A page that can be chosen."""

    path: str
    title: str


class CitedInCard(Picker[Choice]):
    """Which page shall rest on the turn."""

    TITLE_TEXT = "cite in which page?"
    PLACEHOLDER = "Title, or words of it"

    def __init__(self, done: Callable[[Choice], object]) -> None:
        super().__init__()
        self._done = done

    def look_up(self, typed: str) -> None:
        def find(memex: Memex) -> list[Choice]:
            return [Choice(one["path"], one["title"]) for one in memex.suggest(typed, k=50)["pages"]]

        self.ask("cited-in", find, lambda found: self.show(found, lambda one: one.path))

    def draw(self, row: Choice, cells: int, state: RowState) -> Sequence[Line]:
        return [
            spread([(printable(row.title), ("row--title",))], [(printable(row.path), ("row--path",))], cells)
        ]

    def chosen(self, row: Choice) -> None:
        self._done(row)


class DisputeCard(FieldsCard):
    """Why a source is doubted."""

    KEYS = "⏎ note it in the page · esc cancel"


class CiteCard(FieldsCard):
    """The words of the turn, and what the page says from them."""

    KEYS = "⏎ add to the page · tab field · esc cancel"
