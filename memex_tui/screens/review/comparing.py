"""The texts of an item against each other in the Review area, beside the loop where they are long."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from memex_tui.screens.base import AreaScreen
from memex_tui.screens.review import layout, presenter
from memex_tui.screens.review.hunks import Change
from memex_tui.widgets.scrolling import set_frame

if TYPE_CHECKING:
    from memex_tui.screens.review.presenter import Item
    from memex_tui.screens.review.widgets import HunkList

LARGE = 200_000  # characters of a text that is compared beside the loop


class Comparing(AreaScreen):
    """What changes, hunk by hunk, and how that was decided so far."""

    hunks: HunkList
    _shown: Item | None
    _read: Item | None
    _change: Change
    _changes: dict[tuple[str, ...], Change]
    _kept: Mapping[str, Any]

    if TYPE_CHECKING:

        def _tell(self) -> None: ...

    def _show_change(self, item: Item, *, hunk: int = -1) -> None:
        known = self._changes.get(item.version)
        if known is not None:
            self._take_change(known)
        elif len(item.before) + len(item.after) > LARGE:
            self._take_change(Change("", ""))
            set_frame(self.hunks, "comparing …")
            self.ask("change", lambda _: presenter.change_of(item), self._compared(item))
        else:
            self._compared(item)(presenter.change_of(item), hunk=hunk)

    def _compared(self, item: Item) -> Callable[..., None]:
        def take(change: Change, hunk: int = -1) -> None:
            kept = self._kept
            if kept.get("of") == list(item.version):
                change.choose(kept.get("choices"))
                self._kept = {}
            self._changes[item.version] = change
            if self._read == item:
                self._take_change(change, hunk=hunk)

        return take

    def _take_change(self, change: Change, *, hunk: int = -1) -> None:
        self._change = change
        self._lay_out(hunk=hunk)
        self._tell()

    def _lay_out(self, *, hunk: int = -1) -> None:
        """Lay the change out anew, for another width or when a hunk was split; the cursor on a hunk."""
        item = self._read or self._shown
        if item is not None and not self._change.hunks:
            rows = layout.plain(self._change, self.hunks.cells)
        else:
            rows = layout.rows(self._change, self.hunks.cells)
        conflict = item is not None and item.kind == "conflict"
        words = layout.CHOSEN if conflict else layout.TAKEN
        self.hunks.show(self._change, rows, words if item is None or item.partly else None, top=hunk < 0)
        if hunk >= 0:
            self.hunks.to_hunk(hunk)
        self._tell()

    def _redraw(self) -> None:
        """A hunk was decided."""
        self.hunks.rows_changed()
        self._tell()
