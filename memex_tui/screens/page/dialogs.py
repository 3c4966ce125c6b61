"""The Page area's pop-ups that change a page as a whole: rename, another type, a new page."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.timer import Timer
from textual.widgets import Input

from memex_core.memex import Memex
from memex_core.model.errors import MemexError
from memex_core.model.page import TYPE_FOLDERS
from memex_core.model.results import RenameResult, WriteResult
from memex_tui.matching import rank
from memex_tui.render.line import Line, spread
from memex_tui.render.text import content, cut, printable, width
from memex_tui.screens.overlays.base import Overlay, Picker
from memex_tui.screens.page import loading
from memex_tui.screens.page.widgets import NoteBar
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

    def __init__(self, path: str, title: str) -> None:
        super().__init__()
        self._path = path
        self._title = title
        self._result: RenameResult | None = None
        self._timer: Timer | None = None

    def compose(self) -> ComposeResult:
        with Vertical(classes="card rename") as card:
            yield Input(self._title, compact=True, select_on_focus=False)
            yield NoteBar(id="rename-note")
            yield VirtualList[Rewritten](draw_rewritten, row_height=2, empty="No link has to change")
        card.border_title = content(f"rename · {self._title}")
        card.border_subtitle = "⏎ rename · ↑↓ look · esc cancel"
        self.card = card

    @property
    def list(self) -> VirtualList[Rewritten]:
        return self.query_one(VirtualList)

    def on_mount(self) -> None:
        self.list.can_focus = False
        field = self.query_one(Input)
        field.focus()
        field.cursor_position = len(self._title)
        self._show([])
        self._say("type the new title")

    def on_input_changed(self, event: Input.Changed) -> None:
        event.stop()
        self._result = None
        if self._timer is not None:
            self._timer.stop()
        self._timer = self.set_timer(DEBOUNCE, self._look)

    def _look(self) -> None:
        title = self.query_one(Input).value.strip()
        if not title or title == self._title:
            self._show([])
            self._say("type the new title")
            return
        self.ask(
            "rename", lambda memex: memex.rename(self._path, title, dry_run=True), self._found, self._failed
        )

    def _found(self, result: RenameResult) -> None:
        self._result = result
        rows = rewritten_of(result)
        self._show(rows)
        pages = len({row.path for row in rows})
        self._say(
            f"{_count(len(rows), 'link')} in {_count(pages, 'page')} will be rewritten"
            if rows
            else "no link has to change",
            result["path"],
        )

    def _failed(self, error: MemexError) -> None:
        self._show([])
        self._say(f"{error.message}; {error.hint}" if error.hint else error.message)

    def _show(self, rows: Sequence[Rewritten]) -> None:
        self.list.set_rows(rows, lambda row: f"{row.path}:{row.line}:{row.before}")
        self.list.styles.height = max(min(len(rows), ROWS) * 2, 1)

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
        title = event.value.strip()
        area = self.area
        if not title or title == self._title or area is None:
            self.close()
            return
        self.close()
        area.write(lambda memex: memex.rename(self._path, title), self._renamed)

    def _renamed(self, result: RenameResult) -> None:
        count = len(result["rewritten"])
        text = f"Renamed to {result['path']}"
        self.memex_app.toast(
            f"{text}, {_count(count, 'link')} rewritten" if count else text, hint="u takes it back"
        )


class TypeCard(Picker[str]):
    """Another type for a page; a type that is not there yet can be typed."""

    TITLE_TEXT = "change type"
    PLACEHOLDER = "Type"

    def __init__(self, path: str, type: str) -> None:
        super().__init__()
        self._path = path
        self._type = type
        self._known: list[str] = []

    def look_up(self, typed: str) -> None:
        if not self._known:
            self.ask("types", loading.types, self._learnt)
            return
        rows = rank(typed, self._known, lambda one: (one, ""))
        name = typed.strip().lower()
        if name and name not in rows:
            rows.append(name)
        self.show(rows)
        self._look()

    def _learnt(self, types: list[str]) -> None:
        self._known = [one for one in types if one != self._type]
        self.look_up(self.query_one(Input).value)

    def draw(self, row: str, cells: int, state: RowState) -> Sequence[Line]:
        return [[(printable(row), ("row--title",))]]

    def on_virtual_list_highlighted(self, event: VirtualList.Highlighted) -> None:
        event.stop()
        self._look()

    def _look(self) -> None:
        kind = self.rows.row
        if kind is not None:
            self.ask(
                "move",
                lambda memex: memex.move(self._path, type=kind, dry_run=True),
                self._found,
                self._failed,
            )

    def _found(self, result: RenameResult) -> None:
        count = len(result["rewritten"])
        links = f" · {_count(count, 'link')} rewritten" if count else ""
        self.card.border_subtitle = content(cut(f"→ {result['path']}{links} · ⏎ change", 68, keep="ends"))

    def _failed(self, error: MemexError) -> None:
        self.card.border_subtitle = content(cut(str(error), 68))

    def chosen(self, row: str) -> None:
        area = self.area
        if area is not None:
            path, app = self._path, self.memex_app
            area.write(
                lambda memex: memex.move(path, type=row),
                lambda result: app.toast(f"Now a {row}: {result['path']}", hint="u takes it back"),
            )


class NewPageCard(Picker[str]):
    """The title is typed, the type chosen in the list; Enter writes the page and opens the editor."""

    TITLE_TEXT = "new page"
    PLACEHOLDER = "Title"

    def __init__(self, title: str, text: str, done: Callable[[WriteResult], Any]) -> None:
        super().__init__()
        self._title = title
        self._text = text
        self._done = done

    def on_mount(self) -> None:
        self.query_one(Input).value = self._title
        self.card.border_subtitle = "↑↓ type · ⏎ write · esc cancel"
        self.ask("types", loading.types, self._offer, lambda _: self._offer([*TYPE_FOLDERS]))

    def _offer(self, types: Sequence[str]) -> None:
        self.show([one for one in types if one != "episode"])  # those are written from conversations

    def look_up(self, typed: str) -> None:
        """What is typed is the title; the list of types stays."""

    def draw(self, row: str, cells: int, state: RowState) -> Sequence[Line]:
        left: Line = [(printable(row), ("row--title",))]
        return [spread(left, [(_MEANS.get(row, ""), ("row--muted",))], cells)]

    def take(self) -> None:
        title = " ".join(self.query_one(Input).value.split())
        kind, area = self.rows.row, self.area
        if not title:
            self.card.border_subtitle = "a page needs a title"
            return
        if kind is None or area is None:
            return
        self.close()
        text = self._text

        def write(memex: Memex) -> WriteResult:
            return memex.write(type=kind, title=title, body=text)

        area.write(write, self._done)


_MEANS = {
    "entity": "a person, a thing, a project",
    "preference": "how somebody wants it",
    "procedure": "steps that work",
    "summary": "what a time or topic came to",
}


def _count(number: int, word: str) -> str:
    return f"{number:,} {word}" if number == 1 else f"{number:,} {word}s"


class MeaningCard(Picker[str]):
    """Several pages have the name that a link says: which one is meant?"""

    PLACEHOLDER = "Part of the path"

    def __init__(self, name: str, paths: Sequence[str], done: Callable[[str], None]) -> None:
        super().__init__()
        self._name = name
        self._paths = paths
        self._done = done

    def on_mount(self) -> None:
        self.card.border_title = content(f"{len(self._paths)} pages are called {self._name}")
        self.card.border_subtitle = "⏎ open · esc cancel"

    def look_up(self, typed: str) -> None:
        self.show(rank(typed, self._paths, lambda path: (path, "")))

    def draw(self, row: str, cells: int, state: RowState) -> Sequence[Line]:
        return [[(cut(printable(row), cells, keep="tail"), ("row--title",))]]

    def chosen(self, row: str) -> None:
        self._done(row)
