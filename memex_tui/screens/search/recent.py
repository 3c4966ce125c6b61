"""Recent queries, to ask one again."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from memex_tui.matching import rank
from memex_tui.render.line import Line
from memex_tui.render.text import printable
from memex_tui.screens.overlays.base import Picker
from memex_tui.widgets.rows import RowState


class RecentQueries(Picker[str]):
    """The latest first."""

    TITLE_TEXT = "recent queries"
    PLACEHOLDER = "Part of a query"
    EMPTY = "No query led anywhere yet"

    def __init__(self, queries: Sequence[str], take: Callable[[str], None]) -> None:
        super().__init__()
        self._queries = queries
        self._taken = take

    def look_up(self, typed: str) -> None:
        self.show(rank(typed, self._queries, lambda query: (query, "")))

    def draw(self, row: str, cells: int, state: RowState) -> Sequence[Line]:
        return [[(printable(row), ("row--title",))]]

    def chosen(self, row: str) -> None:
        self._taken(row)
