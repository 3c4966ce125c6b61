"""Pressing the keys that a command is to have, and typing the value of a setting."""

from __future__ import annotations

from collections.abc import Callable

from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widgets import Input

from memex_core.model.errors import MemexError
from memex_tui.commands import Command, place_name
from memex_tui.keys import Keymap, key_of, shown
from memex_tui.render.line import Line
from memex_tui.render.text import content, printable
from memex_tui.screens.chrome import LineBar
from memex_tui.screens.overlays.base import Overlay
from memex_tui.screens.settings import presenter
from memex_tui.screens.settings.presenter import Setting

ROWS = 7


class Pressed(LineBar):
    """What was pressed so far, and what to know of it."""

    def __init__(self) -> None:
        super().__init__(id="pressed")
        self._shown: list[Line] = []

    def show(self, lines: list[Line]) -> None:
        self._shown = lines
        self.update()

    def lines(self, cells: int) -> list[Line]:
        return self._shown


class KeyCard(Overlay):
    """Every key is taken as pressed; Enter after the first one takes them, Esc leaves."""

    def __init__(
        self, keymap: Keymap, command: Command, chosen: Callable[[str], object], *, add: bool
    ) -> None:
        """``chosen`` is called with the keys, spaces between them."""
        super().__init__()
        self._keymap = keymap
        self._command = command
        self._chosen = chosen
        self._add = add
        self._typed: list[str] = []

    def compose(self) -> ComposeResult:
        with Vertical(classes="card") as card:
            yield Pressed()
        card.border_title = content(f"{'another key' if self._add else 'new keys'} · {self._command.title}")
        self._card = card

    def on_mount(self) -> None:
        self._draw()

    def _draw(self) -> None:
        typed = " ".join(self._typed)
        now = "  ".join(shown(one) for one in self._keymap.keys(self._command.id)) or "none"
        place = place_name(self._command.where)
        lines: list[Line] = [[(f" now {now}  ·  {place}", ("bar--muted",))], []]
        if not typed:
            lines.append([(" Press the key, or several one after the other", ("bar--text",))])
            self._card.border_subtitle = "esc cancel"
        else:
            sent = "" if shown(typed) == typed else f"   the terminal sent {typed}"
            lines.append([(f" {printable(shown(typed))}", ("bar--key",)), (printable(sent), ("bar--faint",))])
            for style, text in presenter.remarks(self._keymap, self._command.id, typed):
                lines.append([(f" {printable(text)}", (f"bar--{style}",))])
            self._card.border_subtitle = "⏎ take it · ⌫ take back · esc cancel"
        self.query_one(Pressed).show(lines[:ROWS])

    def on_key(self, event: events.Key) -> None:
        event.stop()
        event.prevent_default()
        if event.key == "escape":
            self.close()
        elif event.key == "enter" and self._typed:
            self.close()
            with self.memex_app.guarded():
                self._chosen(" ".join(self._typed))
        elif event.key == "backspace" and self._typed:
            self._typed.pop()
            self._draw()
        else:
            self._typed.append(key_of(event.key, event.character))
            self._draw()


class ValueCard(Overlay):
    """A setting's value, typed. Enter takes it, an empty one gives the default back, Esc leaves."""

    def __init__(self, row: Setting, chosen: Callable[[str], object]) -> None:
        """``chosen`` is called with the text; what it refuses is said, and the card stays."""
        super().__init__()
        self._row = row
        self._chosen = chosen

    def compose(self) -> ComposeResult:
        value = "" if self._row.value in presenter.NOTHING else self._row.value
        with Vertical(classes="card") as card:
            yield Input(value, id="value")
        card.border_title = content(self._row.id)
        card.border_subtitle = "⏎ take it · empty: the default · esc cancel"

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        try:
            self._chosen(event.value)
        except MemexError as error:
            self.memex_app.report(error)
        else:
            self.close()
