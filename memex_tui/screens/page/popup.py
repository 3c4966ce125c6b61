"""What ``[[`` may become, under the caret. The editor keeps the focus and hands its keys over."""

from __future__ import annotations

from collections.abc import Sequence

from textual import events
from textual.message import Message
from textual.widget import Widget

from memex_tui.render.line import Line, spread
from memex_tui.render.text import cut, printable, width
from memex_tui.screens.chrome import LineBar
from memex_tui.screens.page.linking import Choice

ROWS = 8
CELLS = 52
SIGNS = {"create": "+ ", "heading": "# ", "block": "^ "}


class LinkPopup(LineBar):
    """Choices, one of them under the cursor."""

    NAMES = "choice current note sign edge title"
    COMPONENT_CLASSES = frozenset(f"bar--{name}" for name in NAMES.split())

    class Taken(Message):
        """A choice was clicked."""

        def __init__(self, choice: Choice) -> None:
            super().__init__()
            self.choice = choice

    def __init__(self) -> None:
        super().__init__(id="link-popup")
        self._choices: Sequence[Choice] = ()
        self._at = 0
        self._first = 0
        self._title = ""
        self.display = False

    @property
    def choice(self) -> Choice | None:
        """The choice under the cursor while the pop-up is open."""
        return self._choices[self._at] if self.display and self._choices else None

    def open(self, choices: Sequence[Choice], title: str, x: int, y: int) -> None:
        """Show choices below the cell ``x``, ``y`` of the screen, or above it where there is no room."""
        kept = self.choice
        self._choices, self._title = choices, title
        self._at = choices.index(kept) if kept in choices else 0
        self._first = 0
        wide = max((width(one.label) + width(one.note) + 6 for one in choices), default=0)
        cells = min(max(wide, width(title) + 8, 34), CELLS, self.app.size.width - 2)
        rows = min(len(choices), ROWS) + 2
        around = self.parent.region if isinstance(self.parent, Widget) else self.app.size.region
        x, y = x - around.x, y - around.y
        self.styles.width, self.styles.height = cells, rows
        top = y + 1 if y + 1 + rows <= around.height or y < rows else y - rows
        self.styles.offset = (max(min(x, around.width - cells), 0), top)
        self.display = True
        self._drawn = None
        self._reveal()

    def close(self) -> None:
        """Put it away."""
        self.display = False
        self._choices = ()
        self._at = 0

    def move(self, by: int) -> None:
        """Move the cursor, round the ends."""
        self._at = (self._at + by) % max(len(self._choices), 1)
        self._reveal()

    def _reveal(self) -> None:
        self._first = max(min(self._first, self._at), self._at - ROWS + 1)
        self.update()

    def lines(self, cells: int) -> Sequence[Line]:
        room = cells - 4
        title = cut(printable(self._title), cells - 6)
        top = f"╭─ {title} {'─' * (cells - width(title) - 5)}╮"
        lines: list[Line] = [[(top, ("bar--edge",))]]
        for number, choice in enumerate(self._choices[self._first : self._first + ROWS]):
            here = number + self._first == self._at
            names = ("bar--current",) if here else ()
            sign = SIGNS.get(choice.kind, "")
            label = f"new page “{choice.label}”" if choice.kind == "create" else choice.label
            note = "" if choice.kind == "create" else cut(printable(choice.note), room // 2)
            left: Line = [
                (sign, (*names, "bar--sign")),
                (cut(printable(label), room - 2), (*names, "bar--choice")),
            ]
            row = spread(left, [(note, (*names, "bar--note"))], room)
            row = [(text, own or names) for text, own in row]
            lines.append([("│", ("bar--edge",)), (" ", names), *row, (" ", names), ("│", ("bar--edge",))])
            self.hit(0, cells, str(number + self._first), number + 1)
        pages = any(choice.kind == "page" for choice in self._choices)
        keys = "⏎ insert  | text  # heading" if pages else "⏎ insert"
        count = f"{self._at + 1}/{len(self._choices)}" if len(self._choices) > ROWS else ""
        foot = (
            f" {keys} {'─' * max(cells - width(keys) - width(count) - 6, 0)}{f' {count} ' if count else '──'}"
        )
        lines.append([("╰─", ("bar--edge",)), (foot[: cells - 3], ("bar--edge",)), ("╯", ("bar--edge",))])
        return lines

    def on_click(self, event: events.Click) -> None:
        value = self.value_at(event.x, event.y)
        if value is not None:
            event.stop()
            self.post_message(self.Taken(self._choices[int(value)]))
