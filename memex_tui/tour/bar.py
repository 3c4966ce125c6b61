"""The tour's bar: two rows above the keys, which say what to do next and see when it was done."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, cast

from memex_tui.keys import shown
from memex_tui.render.line import Line, fit_line, spread
from memex_tui.screens.chrome import LineBar
from memex_tui.tour.steps import STEPS, Seen

if TYPE_CHECKING:
    from memex_tui.app import MemexApp

LOOK_EVERY = 0.2  # seconds


class TourBar(LineBar):
    """Shown while the tour runs. It never takes the focus or a letter."""

    DEFAULT_CSS = """
    TourBar {
        height: 2;
        display: none;
        background: $panel;
    }
    """

    def __init__(self) -> None:
        super().__init__(id="tour")
        self._timer: Any = None

    @property
    def memex_app(self) -> MemexApp:
        return cast("MemexApp", self.app)

    def show(self) -> None:
        """Be there while the tour runs, and say its step."""
        running = self.memex_app.tour.running
        if running and self._timer is None:
            self._timer = self.set_interval(LOOK_EVERY, self._look)
            self.call_later(self._look)  # what was there before must be known before the first key
        elif not running and self._timer is not None:
            self._timer.stop()
            self._timer = None
        self.display = running
        self.update()

    def _look(self) -> None:
        app = self.memex_app
        if app.current_area is self.screen:
            if app.tour.look(seen(app)):
                app.tour_changed()
            self.update()

    def lines(self, cells: int) -> Sequence[Line]:
        tour = self.memex_app.tour
        over = tour.at == len(STEPS)
        beads = [("●" if n < tour.at else "◉" if n == tour.at else "○") for n in range(len(STEPS))]
        left: Line = [
            ("▎", ("bar--accent",)),
            (f"tour {min(tour.at + 1, len(STEPS))} of {len(STEPS)}  ", ("bar--muted",)),
            ("".join(beads), ("bar--accent",)),
            (f"  {tour.step.title}", ("bar--key",)),
        ]
        words = [("tour.end", "close")] if over else [("tour.skip", "skip"), ("tour.end", "end the tour")]
        right: Line = []
        x = cells
        for id, word in reversed(words):
            key = self._keys(id)
            size = len(key) + len(word) + 3
            right[:0] = [(key, ("bar--key",)), (f" {word}  ", ("bar--muted",))]
            x -= size
            self.hit(x, x + size - 2, id)
        hint = re.sub(r"\{([a-z.-]+)\}", lambda found: self._keys(found[1]), tour.hint)
        below: Line = [("▎", ("bar--accent",)), (hint, ("bar--text",))]
        return [spread(left, right, cells), fit_line(below, cells)]

    def _keys(self, id: str) -> str:
        """The first keys of a command as this person has them."""
        keys = self.memex_app.keymap.keys(id)
        return shown(keys[0]) if keys else "^p"


def seen(app: MemexApp) -> Seen:
    """What is in front now."""
    area = app.current_area
    place = area.place() if area is not None else None
    if place is None:
        return Seen(area.AREA if area is not None else "")
    return Seen(place.area, place.query, place.path, place.purpose == "edit")
