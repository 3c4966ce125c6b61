"""The card in which a day is named as people say it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widgets import Input, Static

from memex_core.model import clock
from memex_core.model.dates.when import parse_when
from memex_tui.render.text import content
from memex_tui.screens.diary.presenter import title_of
from memex_tui.screens.overlays.base import Overlay

EXAMPLES = "last tuesday · 3 weeks ago · 昨天 · May 2025 · 2026-07-21"


class JumpCard(Overlay):
    """Says which day is meant while it is typed; Enter goes there."""

    def __init__(self, go: Callable[[date], object]) -> None:
        super().__init__()
        self._go = go
        self._day: date | None = None

    def compose(self) -> ComposeResult:
        with Vertical(classes="card") as card:
            yield Input(placeholder="a day", compact=True, id="jump-field")
            yield Static(content(EXAMPLES), id="jump-day")
        card.border_title = content("go to a day")

    def on_mount(self) -> None:
        field = self.query_one(Input)
        field.cursor_blink = False
        field.focus()

    def on_input_changed(self, event: Input.Changed) -> None:
        event.stop()
        now = clock.local()
        typed = event.value.strip()
        days = parse_when(typed, now)
        self._day = days.start if days else None
        known = title_of(self._day, now.date()) if self._day else "no day yet"
        self.query_one("#jump-day", Static).update(content(known if typed else EXAMPLES))

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        if self._day is not None:
            self.close()
            with self.memex_app.guarded():
                self._go(self._day)
