"""The Page area's pop-ups over whole pages: another type, a new page, which one is meant."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from textual.widgets import Input

from memex_core.memex import Memex
from memex_core.model.errors import MemexError
from memex_core.model.page import TYPE_FOLDERS
from memex_core.model.results import RenameResult, WriteResult
from memex_tui.matching import rank
from memex_tui.render.line import Line, spread
from memex_tui.render.text import content, counted, cut, printable
from memex_tui.screens.overlays.base import Picker
from memex_tui.screens.page import loading
from memex_tui.widgets.rows import RowState
from memex_tui.widgets.virtual_list import VirtualList


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
        links = f" · {counted(count, 'link')} rewritten" if count else ""
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
