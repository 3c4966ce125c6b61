"""The pop-ups of a new citation: which turn, and which of its words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from memex_tui.render.line import Line, spread
from memex_tui.render.text import cut, printable
from memex_tui.screens.overlays.base import Picker
from memex_tui.screens.page import citing
from memex_tui.screens.page.citing import TurnChoice, TurnRow
from memex_tui.screens.sources.dialogs import FieldsCard
from memex_tui.widgets.rows import RowState


class TurnCard(Picker[TurnRow]):
    """Turns of conversations, the newest first; typing searches all of them."""

    TITLE_TEXT = "cite which turn?"
    PLACEHOLDER = "Words of it, or SESSION#TURN"
    EMPTY = "No turn says this"
    ROWS = 7
    ROW_HEIGHT = 2

    def __init__(self, done: Callable[[TurnChoice], object]) -> None:
        super().__init__()
        self._done = done

    def on_mount(self) -> None:
        self.card.border_subtitle = "↑↓ turn · ⏎ take it · esc cancel"

    def look_up(self, typed: str) -> None:
        work = partial(citing.recent_turns, typed=typed)
        self.ask("turns", work, lambda found: self.show(found, lambda one: one.key))

    def draw(self, row: TurnRow, cells: int, state: RowState) -> Sequence[Line]:
        where = f"{row.role} · turn {row.number} · {row.date}" if row.date else f"{row.role} · {row.number}"
        title = cut(printable(row.title or row.session), max(cells - len(where) - 2, 8))
        words = cut(printable(" ".join(row.snippet.split())), cells - 2)
        return [
            spread([(title, ("row--title",))], [(where, ("row--path",))], cells),
            [("  ", ()), (words, ("row--muted",))],
        ]

    def take(self) -> None:
        row = self.rows.row
        if row is not None:
            self.ask("turn", partial(citing.chosen, row=row), self._taken)

    def _taken(self, found: TurnChoice | None) -> None:
        if found is None:
            self.card.border_subtitle = "this turn is gone"
            return
        self.close()
        with self.memex_app.guarded():
            self._done(found)


class QuoteCard(FieldsCard):
    """The words of the turn that prove the sentence at the caret."""

    KEYS = "⏎ insert at the caret · esc cancel"
