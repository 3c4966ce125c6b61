"""A conversation of any length: turns are asked for, laid out and drawn only while they are in sight."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import ClassVar

from textual import events
from textual.binding import Binding
from textual.geometry import Region, Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from memex_tui.render.line import Line, fit_line, paint
from memex_tui.render.talk import Talk, TalkRow
from memex_tui.render.text import printable
from memex_tui.render.transcript import Turn, TurnMark, is_folding
from memex_tui.render.wrap import wrap
from memex_tui.widgets.palette import Palette
from memex_tui.widgets.scrolling import move_bar, set_content_size
from memex_tui.widgets.transcript_styles import COMPONENTS, CSS

Want = Callable[[int, int], None]

GUTTER = 3  # cells before each row: letter of what cites the turn, cursor bar, a blank
EXACT = 64  # turns up to which the scrollbar counts rows; beyond, it counts turns


class TranscriptView(ScrollView, can_focus=True):
    """Turns, one of them under the cursor.

    The owner gives the numbers of the turns and a call ``want(first, last)``; it answers, when it can,
    with :meth:`turns_loaded`. A newer ``want`` stands for an older one that was not answered.
    """

    COMPONENT_CLASSES = COMPONENTS
    DEFAULT_CSS = CSS
    ALLOW_SELECT = False
    BINDINGS: ClassVar = [Binding("enter", "choose", "Open", show=False)]

    class TurnMessage(Message):
        """Something about the turn numbered ``number``."""

        def __init__(self, view: TranscriptView, number: int) -> None:
            super().__init__()
            self.view = view
            self.number = number

        @property
        def control(self) -> TranscriptView:
            return self.view

    class Moved(TurnMessage):
        """The person moved the cursor to another turn."""

    class Chosen(TurnMessage):
        """A turn was chosen with Enter or a double click."""

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self.talk = Talk()
        self._want: Want = lambda first, last: None
        self._asked: tuple[int, int] | None = None
        self._cursor = 0
        self._aim: tuple[int, int] | None = None  # turn and row of the window it is to come to
        self._empty = ""
        self._palette = Palette(self)
        self._rows: list[TalkRow] | None = None
        self._strips: dict[int, Strip] = {}

    # -- the conversation -----------------------------------------------------------------------

    def show(self, numbers: Sequence[int], want: Want, *, turn: int = 0) -> None:
        """Show another conversation from its top, or at the turn numbered ``turn``."""
        opened = self.talk.all_open
        self.talk = Talk(numbers, self._cells)
        self.talk.open_all(opened)
        self._want, self._asked, self._aim, self._cursor = want, None, None, 0
        self.go_to(turn)

    def clear(self, text: str = "") -> None:
        """Show no conversation, but a text that says why."""
        self._empty = text
        self.show((), lambda first, last: None)

    def turns_loaded(self, turns: Iterable[Turn], first: int, last: int) -> None:
        """The turns ``first`` to ``last``, as they were wanted; what is in sight stays where it is, but for
        the cursor's turn, which stays in sight."""
        self._asked = None
        seen = any(row.index == self._cursor for row in self._seen())
        self.talk.put(turns, first, last)
        self._rows = None
        self._take_aim()
        if seen and self._aim is None:
            self._reveal(self._cursor)
        self._settle()

    def turns_failed(self) -> None:
        """What was wanted cannot be had; it is asked for again at the next move."""
        self._asked = None

    def set_marks(self, marks: Mapping[int, TurnMark]) -> None:
        """Letters beside turns and quotes in them, by the turns' numbers."""
        self.talk.set_marks(marks)
        self._take_aim()
        self._settle()

    @property
    def number(self) -> int:
        """The number of the turn under the cursor; 0 when there is none."""
        return self.talk.numbers[self._cursor] if self.talk.count else 0

    @property
    def turn(self) -> Turn | None:
        """The turn under the cursor, None while it is not loaded."""
        return self.talk.turn(self._cursor)

    # -- moving ---------------------------------------------------------------------------------

    def go_to(self, number: int) -> None:
        """Put the cursor on a turn; its head, or the current quote in it, comes to a third from the top."""
        if self.talk.count:
            self._cursor = self.talk.index_of(number)
            self._aim = self._cursor, self._room // 3
            self._take_aim()
        self._settle()

    def _take_aim(self) -> None:
        """Bring the turn that was asked for to its place, now that more is known of what is above it."""
        if self._aim is None:
            return
        index, at = self._aim
        talk, row = self.talk, 0
        quote = talk.quote_row(index)
        if quote >= self._room - at:
            row = quote
        talk.put_at(index, at, self._room, row=row)

    def move_to(self, index: int) -> None:
        """Put the cursor on the turn at place ``index`` (clamped), and bring it into sight."""
        talk = self.talk
        if not talk.count:
            return
        index = max(min(index, talk.count - 1), 0)
        old, self._cursor, self._aim = self._cursor, index, None
        if index == old:
            return
        if self._reveal(index):
            self._settle()
        else:
            self._redraw_turns(old, index)
        self.post_message(self.Moved(self, self.number))

    def _reveal(self, index: int) -> bool:
        """Scroll as little as shows the turn, its head if it is too long; whether the window moved."""
        talk, before = self.talk, (self.talk.top, self.talk.inside)
        height = max(talk.height(index) - 1, 1)
        seen = [at for at, row in enumerate(self._seen()) if row.index == index]
        if (index, 0) < before or (seen and height > self._room):
            talk.put_at(index, 0, self._room)
        elif not seen or self._seen()[seen[-1]].row < height - 1:
            talk.put_at(index, max(self._room - height, 0), self._room)
        return before != (talk.top, talk.inside)

    def scroll_rows(self, rows: int) -> None:
        """Move the window by rows; the cursor stays in sight."""
        self._aim = None
        self.talk.shift(rows, self._room)
        self._settle()
        self._keep_cursor()

    def _keep_cursor(self) -> None:
        seen = [row.index for row in self._seen()]
        if not seen:
            return
        first = seen[0] if self.talk.inside == 0 or seen[0] == seen[-1] else seen[0] + 1
        cursor = max(min(self._cursor, seen[-1]), first)
        if cursor != self._cursor:
            old, self._cursor = self._cursor, cursor
            self._redraw_turns(old, cursor)
            self.post_message(self.Moved(self, self.number))

    def scroll_pages(self, pages: float) -> None:
        """Move by windows; half a window is 0.5. One row stays in sight."""
        rows = round(pages * max(self._room - 1, 1))
        before = self.talk.top, self.talk.inside
        self.scroll_rows(rows)
        if before == (self.talk.top, self.talk.inside):  # the end: the cursor goes all the way
            self.move_to(self.talk.count - 1 if pages > 0 else 0)

    def action_scroll_down(self) -> None:
        """A long turn is read to its end before the next one comes."""
        last = self._seen()[-1:]
        if last and last[0].index == self._cursor and last[0].row < self.talk.height(self._cursor) - 2:
            self.scroll_rows(1)
        else:
            self.move_to(self._cursor + 1)

    def action_scroll_up(self) -> None:
        if self.talk.top == self._cursor and self.talk.inside > 0:
            self.scroll_rows(-1)
        else:
            self.move_to(self._cursor - 1)

    def action_page_up(self) -> None:
        self.scroll_pages(-1)

    def action_page_down(self) -> None:
        self.scroll_pages(1)

    def action_scroll_home(self) -> None:
        self.move_to(0)

    def action_scroll_end(self) -> None:
        self.move_to(self.talk.count - 1)

    def action_choose(self) -> None:
        if self.talk.count:
            self.post_message(self.Chosen(self, self.number))

    # -- folding --------------------------------------------------------------------------------

    def fold(self) -> bool:
        """Fold or unfold the tool call under the cursor; False when the turn has none."""
        turn = self.turn
        if turn is None or not is_folding(turn):
            return False
        self.talk.fold(self._cursor)
        self._settle()
        return True

    def fold_all(self) -> bool:
        """Unfold every tool call, or fold them again; whether they are open now."""
        self.talk.open_all(not self.talk.all_open)
        self._take_aim()
        self._settle()
        return self.talk.all_open

    # -- mouse ------------------------------------------------------------------------------------

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        event.stop()
        event.prevent_default()
        self.scroll_rows(3)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        event.stop()
        event.prevent_default()
        self.scroll_rows(-3)

    def on_click(self, event: events.Click) -> None:
        at = event.get_content_offset(self)
        rows = self._seen()
        if at is None or event.button != 1 or not at.y < len(rows):
            return
        event.stop()
        row = rows[at.y]
        self.move_to(row.index)
        if event.chain >= 2:
            self.action_choose()
        elif any("turn--tool-name" in names for _, names in row.line):
            self.fold()

    # -- drawing ----------------------------------------------------------------------------------

    @property
    def _room(self) -> int:
        return max(self.scrollable_content_region.height, 1)

    @property
    def _cells(self) -> int:
        return max((self.scrollable_content_region.width or 80) - GUTTER - 1, 10)

    def _seen(self) -> list[TalkRow]:
        if self._rows is None:
            self._rows = self.talk.rows(self._room)
        return self._rows

    def _settle(self) -> None:
        """The window, or what it shows, is another one: ask for what is missing and draw."""
        talk, room = self.talk, self._room
        talk.settle(room)
        self._rows = None
        self._strips.clear()
        wanted = talk.wanted(room, self._asked) if self.size.height else None
        if wanted is not None:
            self._asked = wanted
            self._want(*wanted)
        self._move_bar()
        self.refresh()

    def _move_bar(self) -> None:
        place, total = self._bar()
        set_content_size(self, Size(self.scrollable_content_region.width, total))
        self.set_reactive(ScrollView.scroll_y, float(place))
        self.set_reactive(ScrollView.scroll_target_y, float(place))
        if self.show_vertical_scrollbar:
            bar = self.vertical_scrollbar
            move_bar(bar, int(bar.window_virtual_size), int(bar.window_size), place)

    def _bar(self) -> tuple[int, int]:
        """Place and length for the scrollbar: rows of a short conversation, turns of a long one."""
        talk, room = self.talk, self._room
        if talk.count <= EXACT:
            heights = [talk.height(index) for index in range(talk.count)]
            return sum(heights[: talk.top]) + talk.inside, max(sum(heights), 1)
        near_end = talk.count - talk.top <= room
        last = talk.last_top(room)[0] if near_end else talk.count - 1
        return talk.top, last + room

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        # Only the scrollbar comes here; our own moves do not.
        place = round(new_value)
        if round(old_value) == place:
            return
        if self.talk.count <= EXACT:
            self.scroll_rows(place - self._bar()[0])
        else:
            self._aim = None
            self.talk.put_at(min(place, self.talk.count - 1), 0, self._room)
            self._settle()
            self._keep_cursor()

    def on_resize(self, event: events.Resize) -> None:
        self.talk.resize(self._cells)
        if self._aim is not None:
            self._aim = self._aim[0], self._room // 3
        self._take_aim()
        self._settle()

    def notify_style_update(self) -> None:
        super().notify_style_update()
        self._palette.clear()
        self._strips.clear()

    def _redraw_turns(self, *indexes: int) -> None:
        """Draw the rows of these turns again, nothing else."""
        regions = []
        for y, row in enumerate(self._seen()):
            if row.index in indexes:
                self._strips.pop(y, None)
                regions.append(Region(0, y, self.size.width, 1))
        if regions:
            self.refresh(*regions)

    def render_line(self, y: int) -> Strip:
        """One row of the window."""
        strip = self._strips.get(y)
        if strip is None:
            strip = self._strips[y] = self._strip(y)
        return strip

    def _strip(self, y: int) -> Strip:
        width = self.scrollable_content_region.width
        rows = self._seen()
        if y >= len(rows):
            return paint(fit_line(self._empty_line(y, width), width), self._palette, cells=width)
        row = rows[y]
        here = row.index == self._cursor
        mark = self.talk.mark(row.index) if row.row == 0 else None
        letter = (mark.letter, (mark.style,)) if mark is not None else (" ", ())
        bar = "▌" if here and row.line else " "
        line = [letter, (bar, ("turn--bar",)), (" ", ()), *row.line]
        base = ("turn--cursor",) if here and row.row == 0 else ()
        return paint(fit_line(line, width), self._palette, base, cells=width)

    def _empty_line(self, y: int, width: int) -> Line:
        if self.talk.count or not self._empty:
            return []
        lines = [
            line[start:end]
            for line in map(printable, self._empty.split("\n"))
            for start, end in wrap(line, max(width - 4, 8))
        ]
        return [("  ", ()), (lines[y - 1], ("turn--faint",))] if 0 < y <= len(lines) else []
