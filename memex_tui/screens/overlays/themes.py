"""Choosing a theme: the one under the cursor is shown at once, Esc brings back the old one."""

from __future__ import annotations

from collections.abc import Sequence

from memex_tui.matching import rank
from memex_tui.render.line import Line, spread
from memex_tui.screens.overlays.base import Picker
from memex_tui.themes import OWN
from memex_tui.widgets.rows import RowState
from memex_tui.widgets.virtual_list import VirtualList


class ThemePicker(Picker[str]):
    """All themes, our own first."""

    TITLE_TEXT = "theme"
    PLACEHOLDER = "Name of a theme"
    EMPTY = "No theme is called that"
    ROWS = 12

    def on_mount(self) -> None:
        self._before = self.app.theme
        self.memex_app.chosen_theme = self._before
        super().on_mount()
        self.rows.move_to_key(self._before)

    def look_up(self, typed: str) -> None:
        own = [theme.name for theme in OWN]
        names = [
            *own,
            *sorted(name for name in self.app.available_themes if name not in own and name != "textual-ansi"),
        ]
        self.show(rank(typed, names, lambda name: (name, "dark" if self._dark(name) else "light")))

    def _dark(self, name: str) -> bool:
        return self.app.available_themes[name].dark

    def draw(self, row: str, cells: int, state: RowState) -> Sequence[Line]:
        kind = "dark" if self._dark(row) else "light"
        sign = "● " if row == self._before else "  "
        return [spread([(sign, ("row--accent",)), (row, ("row--title",))], [(kind, ("row--faint",))], cells)]

    def on_virtual_list_highlighted(self, event: VirtualList.Highlighted) -> None:
        event.stop()
        if event.row and self.is_current and event.row != self.app.theme:
            self.app.theme = event.row

    def chosen(self, row: str) -> None:
        self.app.theme = row
        self.memex_app.chosen_theme = row

    def close(self) -> None:
        self.app.theme = self._before
        super().close()
