"""One line over or under an area that may be there: a notice, or a hint with its keys."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from memex_tui.render.line import Line, line_width, spread
from memex_tui.render.text import width
from memex_tui.screens.chrome import LineBar


class NoteBar(LineBar):
    """One line that may be there: a notice above the page, or a hint below it.

    Its keys can be clicked: they are commands.
    """

    NAMES = "text muted faint key accent warn bad good"
    COMPONENT_CLASSES = frozenset(f"bar--{name}" for name in NAMES.split())

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self.display = False
        self._left: Callable[[int], Line] = lambda _: []
        self._keys: Sequence[tuple[str, str, str]] = ()

    def show(
        self, left: Line | Callable[[int], Line] | None, keys: Sequence[tuple[str, str, str]] = ()
    ) -> None:
        """A line (or one made for a width), and keys: as shown, word, command id. None: nothing."""
        if left is None:
            self.display = False
            return
        self._left = left if callable(left) else lambda _: left
        self._keys = keys
        self.display = True
        self._drawn = None
        self.update()

    def lines(self, cells: int) -> Sequence[Line]:
        right: Line = []
        size = sum(width(key) + width(word) + 3 for key, word, _ in self._keys)
        x = cells - size
        for key, word, id in self._keys:
            right += [(key, ("bar--key",)), (f" {word}  ", ("bar--muted",))]
            self.hit(x, x + width(key) + width(word) + 1, id)
            x += width(key) + width(word) + 3
        room = max(cells - line_width(right) - 3, 10)
        return [spread([(" ", ()), *self._left(room)], right, cells)]
