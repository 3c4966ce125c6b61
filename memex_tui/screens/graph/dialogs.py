"""The Graph area's pop-ups: export, types to show, a page to find."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Sequence

from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widgets import Input

from memex_core.files import atomic
from memex_core.model.errors import AlreadyExists, BadInput
from memex_core.model.graph_export import Graph, Node, export, title_of
from memex_tui.matching import rank
from memex_tui.render.line import Line, spread
from memex_tui.render.text import content, cut, printable
from memex_tui.screens.graph.presenter import FORMATS, Format, kind_of, with_ending
from memex_tui.screens.overlays.base import Overlay, Picker
from memex_tui.widgets.rows import RowState
from memex_tui.widgets.virtual_list import VirtualList


def write_export(graph: Graph, format: str, path: str, *, replace: bool = False) -> str:
    """Write the graph to a file; its absolute path. Raises AlreadyExists unless ``replace``, WriteFailed."""
    if not path.strip():
        raise BadInput("the export needs a file name", hint="type one")
    full = os.path.abspath(os.path.expanduser(path.strip()))
    atomic.write(full, export(graph, format).encode("utf-8", "replace"), new=not replace)
    return full


class ExportCard(Picker[Format]):
    """The format under the cursor is written to the file in the field."""

    TITLE_TEXT = "export the graph"
    PLACEHOLDER = "File to write"

    def __init__(self, graph: Graph, path: str) -> None:
        """``path`` is the file that is proposed; it need not have the right ending."""
        super().__init__()
        self._graph = graph
        self._path = path
        self._replace = ""  # the path that may be replaced

    def on_mount(self) -> None:
        # The list is there when the base class's on_mount, which runs after this one, fills it.
        self.query_one(Input).value = with_ending(self._path, FORMATS[0].ending)
        count = len(self._graph.nodes)
        self.card.border_title = content(f"export {count} node{'' if count == 1 else 's'}")

    def look_up(self, typed: str) -> None:
        if not self.rows.count:
            self.show(FORMATS, lambda format: format.id)
        self._replace = ""
        self._say("⏎ write · ↑↓ format · esc close")

    def _say(self, text: str) -> None:
        self.card.border_subtitle = content(text)

    def draw(self, row: Format, cells: int, state: RowState) -> Sequence[Line]:
        return [spread([(row.title, ("row--title",))], [(row.help, ("row--muted",))], cells)]

    def on_virtual_list_highlighted(self, event: VirtualList.Highlighted) -> None:
        event.stop()
        field = self.query_one(Input)
        field.value = with_ending(field.value, event.row.ending)
        field.cursor_position = len(field.value)

    def take(self) -> None:
        row = self.rows.row
        if row is not None:
            self.run_worker(self._write(row), exit_on_error=False)

    async def _write(self, row: Format) -> None:
        path = self.query_one(Input).value
        with self.memex_app.guarded():
            try:
                full = await asyncio.to_thread(
                    write_export, self._graph, row.id, path, replace=bool(path) and path == self._replace
                )
            except AlreadyExists:
                self._replace = path
                self._say("it is there already: ⏎ again replaces it")
                return
            self.close()
            self.memex_app.toast(f"Wrote {full}", hint=f"{os.path.getsize(full):,} bytes of {row.title}")


class TypesCard(Overlay):
    """The types of pages in the picture; those without a mark are taken out at once."""

    def __init__(
        self, found: Sequence[tuple[str, int]], hidden: set[str], changed: Callable[[], None]
    ) -> None:
        """``hidden`` is changed in place, and ``changed`` called after each change."""
        super().__init__()
        self._found = found
        self._hidden = hidden
        self._changed = changed

    def compose(self) -> ComposeResult:
        with Vertical(classes="card") as card:
            yield VirtualList[tuple[str, int]](self.draw, empty="There is only one page", classes="picks")
        card.border_title = "show types"
        card.border_subtitle = "space on or off · o only this · a all · esc close"

    def on_mount(self) -> None:
        rows = self._rows
        rows.set_rows(self._found, lambda row: row[0])
        rows.styles.height = max(min(len(self._found), 14), 1)
        rows.focus()

    @property
    def _rows(self) -> VirtualList[tuple[str, int]]:
        return self.query_one(VirtualList)

    def draw(self, row: tuple[str, int], cells: int, state: RowState) -> Sequence[Line]:
        kind, count = row
        off = kind in self._hidden
        sign = ("○ ", ("row--faint",)) if off else ("● ", ("row--accent",))
        name = (printable(kind), ("row--faint",) if off else ("row--title",))
        return [spread([sign, name], [(f"{count:,}", ("row--number",))], cells)]

    def on_key(self, event: events.Key) -> None:
        row = self._rows.row
        kinds = {kind for kind, _ in self._found}
        if event.key == "space" and row is not None:
            self._hidden ^= {row[0]}
        elif event.key == "a":
            self._hidden.clear()
        elif event.key == "o" and row is not None:
            self._hidden.clear()
            self._hidden |= kinds - {row[0]}
        elif event.key in ("j", "k"):
            self._rows.move(1 if event.key == "j" else -1)
            return
        elif event.key in ("q", "t"):
            self.close()
            return
        else:
            return
        event.stop()
        self._redraw()

    def on_virtual_list_selected(self, event: VirtualList.Selected) -> None:
        event.stop()
        self._hidden ^= {event.row[0]}
        self._redraw()

    def _redraw(self) -> None:
        self._rows.set_rows(self._found, lambda row: row[0])
        self._changed()


class FindNode(Picker[Node]):
    """A node of the picture by a part of its title."""

    TITLE_TEXT = "find in the graph"
    PLACEHOLDER = "Part of a title"
    EMPTY = "None of these pages is called that"

    def __init__(self, graph: Graph, chosen: Callable[[str], object]) -> None:
        super().__init__()
        self._choices = sorted(graph.nodes, key=lambda node: (node.distance, title_of(node).casefold()))
        self._then = chosen

    def look_up(self, typed: str) -> None:
        found = rank(typed, self._choices, lambda node: (title_of(node), f"{node.id} {kind_of(node)}"))
        self.show(found, lambda node: node.id)

    def draw(self, row: Node, cells: int, state: RowState) -> Sequence[Line]:
        right: Line = [(printable(kind_of(row)), ("row--muted",))]
        return [spread([(cut(printable(title_of(row)), cells), ("row--title",))], right, cells)]

    def chosen(self, row: Node) -> None:
        self._then(row.id)
