"""The Sessions area's pop-ups: what deleting takes, what a capture did, and which file to capture."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widgets import Static

from memex_tui.render.line import Line, spread
from memex_tui.render.text import content, content_lines, cut, printable
from memex_tui.screens.overlays.base import Overlay
from memex_tui.screens.sessions.deeds import Told, Way
from memex_tui.screens.sources.dialogs import FieldsCard
from memex_tui.widgets.rows import RowState
from memex_tui.widgets.virtual_list import VirtualList

REPORT_ROWS = 16
MOST_PAGES = 8  # pages that are named when something is deleted


class DeleteCard(Overlay):
    """Ways to delete, with what goes; the one under the cursor is taken with Enter."""

    DEFAULT_CSS = """
    DeleteCard VirtualList { background: $surface; }
    DeleteCard Static { padding: 1 2 0 4; color: $foreground 60%; }
    """

    def __init__(self, title: str, ways: Sequence[Way], take: Callable[[Way], object]) -> None:
        super().__init__()
        self._title = title
        self._ways = ways
        self._take = take
        self._sure = ""  # the way that was chosen once and asks whether it is meant

    def compose(self) -> ComposeResult:
        with Vertical(classes="card") as card:
            yield VirtualList[Way](self._draw, row_height=2, classes="picks")
            yield Static("", markup=False)
        card.border_title = content(cut(printable(self._title), 76))
        self.card = card

    def on_mount(self) -> None:
        rows = self.query_one(VirtualList)
        rows.set_rows(self._ways, lambda way: way.id)
        rows.styles.height = 2 * len(self._ways)
        rows.focus()
        self._say("")
        self._show_pages(self._ways[0])

    def _show_pages(self, way: Way) -> None:
        """Which pages go, and which of those that cite it stay."""
        lines = [f"− {path}" for path in way.goes] + [f"  {path} stays" for path in way.stays]
        if len(lines) > MOST_PAGES:
            lines = [*lines[: MOST_PAGES - 1], f"  … and {len(lines) - MOST_PAGES + 1} more"]
        told = self.query_one(Static)
        told.display = bool(lines)
        told.update(content_lines("\n".join(lines)))

    def _draw(self, way: Way, cells: int, state: RowState) -> Sequence[Line]:
        style = "row--bad" if way.sure else "row--title"
        return [[(way.title, (style,))], [("  ", ()), (printable(way.help), ("row--muted",))]]

    def _say(self, sure: str) -> None:
        self._sure = sure
        way = next((one for one in self._ways if one.id == sure), None)
        self.card.border_subtitle = (
            f"{way.sure} · esc keeps it" if way else "⏎ do it · ↑↓ choose · esc cancel"
        )

    def on_virtual_list_highlighted(self, event: VirtualList.Highlighted) -> None:
        event.stop()
        if event.key != self._sure:
            self._say("")
        if event.row is not None:
            self._show_pages(event.row)

    def on_virtual_list_selected(self, event: VirtualList.Selected) -> None:
        event.stop()
        way = event.row
        if way is None:
            return
        if way.sure and self._sure != way.id:
            self._say(way.id)
            return
        self.close()
        with self.memex_app.guarded():
            self._take(way)


class ReportCard(Overlay):
    """What a capture did, line by line."""

    STYLES = {"+": "row--good", "-": "row--warn", "!": "row--bad"}  # noqa: RUF012 - never changed

    def __init__(self, title: str, lines: Sequence[Told]) -> None:
        super().__init__()
        self._title = title
        self._lines = lines

    def compose(self) -> ComposeResult:
        with Vertical(classes="card") as card:
            yield VirtualList[tuple[int, Told]](self._draw, classes="picks", empty="Nothing was new")
        card.border_title = content(cut(printable(self._title), 92))
        card.border_subtitle = "↑↓ look · esc close"

    def on_mount(self) -> None:
        rows = self.query_one(VirtualList)
        rows.set_rows(list(enumerate(self._lines)), lambda row: str(row[0]))
        rows.styles.height = max(min(len(self._lines), REPORT_ROWS), 1)
        rows.focus()

    def on_virtual_list_selected(self, event: VirtualList.Selected) -> None:
        event.stop()
        self.close()

    def _draw(self, row: tuple[int, Told], cells: int, state: RowState) -> Sequence[Line]:
        line = row[1]
        keep = "tail" if line.sign != "+" else "head"
        what = cut(printable(line.what), max(cells // 2, 12), keep=keep)
        left: Line = [(f"{line.sign} ", (self.STYLES[line.sign],)), (what, ("row--text",))]
        room = max(cells - len(what) - 4, 8)
        return [spread(left, [(cut(printable(line.rest), room), ("row--muted",))], cells)]


class CaptureFileCard(FieldsCard):
    """The file or folder to capture."""

    KEYS = "⏎ capture · esc cancel"
