"""What all pop-ups share: they lie over an area, close with Esc, and choose from a list while typing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar, cast

from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Input

from memex_core.model.errors import MemexError
from memex_tui.gateway import Call, Dropped
from memex_tui.render.line import Line
from memex_tui.render.text import content
from memex_tui.widgets.rows import RowState
from memex_tui.widgets.virtual_list import VirtualList

if TYPE_CHECKING:
    from memex_tui.app import MemexApp
    from memex_tui.screens.base import AreaScreen

T = TypeVar("T")
A = TypeVar("A")


class Overlay(ModalScreen[None]):
    """A pop-up over an area. Esc closes it; a click outside too."""

    @property
    def memex_app(self) -> MemexApp:
        return cast("MemexApp", self.app)

    @property
    def area(self) -> AreaScreen | None:
        """The area that it lies over."""
        return self.memex_app.current_area

    def ask(
        self,
        channel: str,
        call: Call[A],
        then: Callable[[A], object],
        failed: Callable[[MemexError], object] | None = None,
    ) -> None:
        """Ask the core; see ``AreaScreen.ask``."""

        async def run() -> None:
            try:
                answer = await self.memex_app.gateway.ask(f"overlay.{channel}", call)
            except Dropped:
                return
            except MemexError as error:
                (failed or self.memex_app.report)(error)
                return
            if self.is_attached:
                with self.memex_app.guarded():
                    then(answer)

        self.run_worker(run(), exit_on_error=False, group="requests")

    def close(self) -> None:
        """Put the pop-up away."""
        self.dismiss()

    def on_key(self, event: events.Key) -> None:
        if event.key == "escape":
            event.stop()
            self.close()

    def on_click(self, event: events.Click) -> None:
        if event.widget is self:
            event.stop()
            self.close()


class Picker(Overlay, Generic[T]):
    """A text field over a list: typing narrows the list, Enter takes the row under the cursor."""

    TITLE_TEXT: ClassVar[str] = ""
    PLACEHOLDER: ClassVar[str] = ""
    EMPTY: ClassVar[str] = "Nothing fits"
    ROWS: ClassVar[int] = 14
    ROW_HEIGHT: ClassVar[int] = 1

    def compose(self) -> ComposeResult:
        with Vertical(classes="card") as card:
            yield Input(placeholder=self.PLACEHOLDER, compact=True)
            yield VirtualList[T](self.draw, row_height=self.ROW_HEIGHT, empty=self.EMPTY, classes="picks")
        card.border_title = content(self.TITLE_TEXT)
        self.card = card

    @property
    def rows(self) -> VirtualList[T]:
        return cast("VirtualList[T]", self.query_one(VirtualList))

    def on_mount(self) -> None:
        self.rows.can_focus = False
        field = self.query_one(Input)
        field.cursor_blink = False
        field.focus()
        self.look_up("")

    def look_up(self, typed: str) -> None:
        """Find the rows for what is typed and :meth:`show` them, now or later."""

    def show(self, rows: Sequence[T], key: Callable[[T], str] = str) -> None:
        """Put rows into the list, the cursor on the first."""
        self.rows.set_rows(rows, key)
        self.rows.move_to(0)
        self.rows.styles.height = max(min(len(rows), self.ROWS), 1) * self.ROW_HEIGHT

    def draw(self, row: T, cells: int, state: RowState) -> Sequence[Line]:
        """A row as lines of runs."""
        return [[(str(row), ("row--title",))]]

    def chosen(self, row: T) -> None:
        """The row was taken; the pop-up is closed already."""

    def on_input_changed(self, event: Input.Changed) -> None:
        event.stop()
        self.look_up(event.value)

    def on_key(self, event: events.Key) -> None:
        rows: Any = self.rows
        acts: dict[str, Callable[[], None]] = {
            "down": lambda: rows.move(1),
            "up": lambda: rows.move(-1),
            "ctrl+n": lambda: rows.move(1),
            "ctrl+p": lambda: rows.move(-1),
            "tab": lambda: rows.move(1),
            "shift+tab": lambda: rows.move(-1),
            "pagedown": lambda: rows.move_pages(1),
            "pageup": lambda: rows.move_pages(-1),
            "enter": self.take,
        }
        act = acts.get(event.key)
        if act is not None:
            event.stop()
            event.prevent_default()
            act()

    def take(self) -> None:
        """Take the row under the cursor."""
        row = self.rows.row
        if row is not None:
            self.close()
            with self.memex_app.guarded():
                self.chosen(row)

    def on_virtual_list_selected(self, event: VirtualList.Selected) -> None:
        event.stop()
        self.take()

    def on_click(self, event: events.Click) -> None:
        if event.widget is self.rows and event.chain == 1:
            self.call_after_refresh(self.take)
