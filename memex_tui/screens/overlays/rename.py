"""A pop-up that gives a page another title, and shows first which links will be rewritten."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.timer import Timer
from textual.widgets import Input

from memex_core.model.errors import MemexError
from memex_core.model.results import RenameResult
from memex_tui.render.line import Line
from memex_tui.render.text import content, counted, cut, printable, width
from memex_tui.screens.note_bar import NoteBar
from memex_tui.screens.overlays.base import Overlay
from memex_tui.widgets.rows import RowState
from memex_tui.widgets.virtual_list import VirtualList

DEBOUNCE = 0.12  # seconds between a key and the list of links for it
ROWS = 8


class Rewritten(NamedTuple):
    """A link that is rewritten, or a front matter key."""

    path: str
    line: int
    before: str
    after: str


def rewritten_of(result: RenameResult) -> list[Rewritten]:
    """The links of a rename, as rows."""
    return [Rewritten(one["path"], one["line"], one["before"], one["after"]) for one in result["rewritten"]]


def draw_rewritten(row: Rewritten, cells: int, state: RowState) -> Sequence[Line]:
    """A link before and after."""
    place = f"{row.path}:{row.line}" if row.line else row.path
    half = max((cells - 5) // 2, 6)
    return [
        [(cut(printable(place), cells, keep="tail"), ("row--path",))],
        [
            ("  ", ()),
            (cut(printable(row.before), half), ("row--bad",)),
            (" → ", ("row--faint",)),
            (cut(printable(row.after), half), ("row--good",)),
        ],
    ]


class RenameCard(Overlay):
    """A new title, and below it the links that will be rewritten; nothing is written before Enter."""

    DEFAULT_CSS = "RenameCard > .card { width: 76; }"

    def __init__(self, path: str, title: str, renamed: Callable[[RenameResult], object]) -> None:
        """``renamed`` is called when it is done; a refusal is said in the pop-up, which stays."""
        super().__init__()
        self._path = path
        self._title = title
        self._renamed = renamed
        self._writing = False
        self._timer: Timer | None = None

    def compose(self) -> ComposeResult:
        with Vertical(classes="card") as card:
            yield Input(self._title, compact=True)
            yield NoteBar(id="rename-note")
            yield VirtualList[Rewritten](draw_rewritten, row_height=2)
        card.border_title = content(f"rename · {self._title}")
        card.border_subtitle = "⏎ rename · ↑↓ look · esc cancel"
        self.card = card

    @property
    def list(self) -> VirtualList[Rewritten]:
        return self.query_one(VirtualList)

    @property
    def _typed(self) -> str:
        return " ".join(self.query_one(Input).value.split())

    def on_mount(self) -> None:
        self.list.can_focus = False
        self.query_one(Input).focus()  # the title is marked: typing replaces it, an arrow keeps it
        self._show([])
        self._say("type the new title")

    def on_input_changed(self, event: Input.Changed) -> None:
        event.stop()
        if self._timer is not None:
            self._timer.stop()
        self._timer = self.set_timer(DEBOUNCE, self._look)

    def _look(self) -> None:
        title = self._typed
        if not title or title == self._title:
            self._show([])
            self._say("type the new title")
            return
        self.ask(
            "rename", lambda memex: memex.rename(self._path, title, dry_run=True), self._found, self._failed
        )

    def _found(self, result: RenameResult) -> None:
        rows = rewritten_of(result)
        self._show(rows)
        pages = len({row.path for row in rows})
        self._say(
            f"{counted(len(rows), 'link')} in {counted(pages, 'page')} will be rewritten"
            if rows
            else "no link has to change",
            result["path"],
        )

    def _failed(self, error: MemexError) -> None:
        self._show([])
        self._say(f"{error.message}; {error.hint}" if error.hint else error.message)

    def _show(self, rows: Sequence[Rewritten]) -> None:
        self.list.set_rows(rows, lambda row: f"{row.path}:{row.line}:{row.before}")
        self.list.display = bool(rows)
        self.list.styles.height = min(len(rows), ROWS) * 2

    def _say(self, text: str, path: str = "") -> None:
        def line(cells: int) -> Line:
            room = max(cells - width(text) - 4, 8)
            file: Line = [("→ ", ("bar--accent",)), (cut(printable(path), room, keep="tail"), ("bar--text",))]
            return [*(file if path else []), (f"  {text}" if path else text, ("bar--muted",))]

        self.query_one("#rename-note", NoteBar).show(line)

    def on_key(self, event: events.Key) -> None:
        moves = {"down": 1, "up": -1, "pagedown": ROWS, "pageup": -ROWS}
        if event.key in moves:
            event.stop()
            self.list.move(moves[event.key])

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        if self._typed and self._typed != self._title and not self._writing:
            self._writing = True
            self.run_worker(self._rename(self._typed), exit_on_error=False, group="requests")

    async def _rename(self, title: str) -> None:
        try:
            done = await self.memex_app.gateway.write(lambda memex: memex.rename(self._path, title))
        except MemexError as error:
            self._failed(error)
            return
        finally:
            self._writing = False
        self.close()
        with self.memex_app.guarded():
            self._renamed(done)
