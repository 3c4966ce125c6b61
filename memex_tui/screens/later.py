"""The page of an area that is not built yet: what it will do, and nothing else."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.widgets import Static

from memex_tui.areas import BY_ID
from memex_tui.screens.base import AreaScreen


class LaterScreen(AreaScreen):
    """One calm line in the middle."""

    def __init__(self, area: str) -> None:
        self.AREA = area  # type: ignore[misc]  # one class stands for several areas
        super().__init__()

    def compose_area(self) -> ComposeResult:
        area = BY_ID[self.AREA]
        yield Static(f"{area.title} comes later\n\n{area.promise}.", id="later", markup=False)
