"""The Review area's pop-ups: why something is rejected, and whether a whole group is meant."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical

from memex_tui.render.line import Line, spread
from memex_tui.render.text import content, cut, printable
from memex_tui.screens.overlays.base import Overlay
from memex_tui.screens.review.presenter import SIGNS, Item
from memex_tui.screens.sources.dialogs import FieldsCard
from memex_tui.widgets.rows import RowState
from memex_tui.widgets.virtual_list import VirtualList

ROWS = 12


class ReasonCard(FieldsCard):
    """Why something is rejected; it may stay empty."""

    KEYS = "⏎ reject · esc cancel"


class DoubtCard(FieldsCard):
    """Why a disputed page shall be out of force."""

    KEYS = "⏎ out of force · esc cancel"


class GroupCard(Overlay):
    """Everything in a group, before all of it is accepted."""

    DEFAULT_CSS = "GroupCard VirtualList { background: $surface; } GroupCard > .card { width: 84; }"

    def __init__(self, title: str, items: Sequence[Item], take: Callable[[], object]) -> None:
        super().__init__()
        self._title = title
        self._items = items
        self._take = take

    def compose(self) -> ComposeResult:
        with Vertical(classes="card") as card:
            yield VirtualList[Item](self._draw, classes="picks")
        card.border_title = content(cut(printable(self._title), 76))
        card.border_subtitle = "⏎ accept all of them · esc cancel"

    def on_mount(self) -> None:
        rows = self.query_one(VirtualList)
        rows.set_rows(self._items, lambda item: item.id)
        rows.styles.height = min(len(self._items), ROWS)
        rows.focus()

    def _draw(self, item: Item, cells: int, state: RowState) -> Sequence[Line]:
        sign, colour = SIGNS.get(item.kind, ("?", "muted"))
        left: Line = [
            (f"{sign} ", (f"row--{colour}",)),
            (printable(item.title or item.slug), ("row--title",)),
        ]
        return [spread(left, [(printable(item.by), ("row--muted",))], cells)]

    def on_virtual_list_selected(self, event: VirtualList.Selected) -> None:
        event.stop()
        self.accept()

    def on_key(self, event: events.Key) -> None:
        if event.key == "A":  # the key that opened it
            event.stop()
            self.accept()

    def accept(self) -> None:
        self.close()
        with self.memex_app.guarded():
            self._take()
