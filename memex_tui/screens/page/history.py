"""The past of a page: a bar of its moments, its versions at the left, and at the right the page as it was,
with what changed marked, or the change itself."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.message import Message

from memex_core.actions.history.past import ABSENT, KEPT, Moment, PagePast, page_past
from memex_core.memex import Memex
from memex_tui.render.line import Line, spread
from memex_tui.render.markdown.model import Hooks
from memex_tui.render.text import content, counted, cut, printable
from memex_tui.screens.page.diffs import DiffLine, DiffList, laid_out
from memex_tui.screens.page.past import PAGE, WAYS, PastPage, PastReader, Shown, shown
from memex_tui.screens.search.presenter import age
from memex_tui.screens.time_bar import TimeBar, act_of, said
from memex_tui.widgets.rows import RowState
from memex_tui.widgets.virtual_list import VirtualList

_LEFT = {KEPT: "", ABSENT: "no page any more"}


class Version(NamedTuple):
    """A moment of the page: ``number`` counts from the oldest, ``seq`` names the text right after it."""

    number: int
    seq: int
    act: str
    actor: str
    when: str
    note: str
    kept: bool


class Past(NamedTuple):
    """A page through time: its texts, and its versions from the newest on."""

    texts: PagePast
    versions: tuple[Version, ...]


def load(memex: Memex, path: str) -> Past:
    """Everything that the journal knows of a page."""
    found = page_past(memex.store, path)
    versions = [version_of(number, moment) for number, moment in enumerate(found.moments)]
    return Past(found, tuple(reversed(versions)))


def version_of(number: int, moment: Moment) -> Version:
    """A moment in words."""
    note = f"from {moment.came_from}" if moment.came_from else _LEFT.get(moment.state, "no text kept")
    act = act_of(moment.action)
    who = moment.actor.partition(":")[2] or moment.actor
    return Version(number, moment.seq, act, who, moment.ts, note, moment.state == KEPT)


def draw_version(row: Version, cells: int, state: RowState) -> Sequence[Line]:
    """A row of the list of versions."""
    left: Line = [
        (row.act, ("row--title",)),
        (f"  {printable(row.note)}" if row.note else "", ("row--muted",)),
    ]
    when = f"{row.when[:10]} {row.when[11:16]}" if row.when else "before memex changed it"
    who = f" · {printable(row.actor)}" if row.actor else ""
    below: Line = [(cut(f"{when}{who}", cells), ("row--path",))]
    return [spread(left, [(age(row.when) if row.when else "", ("row--muted",))], cells), below]


class HistoryView(Vertical):
    """Moments, versions, and what there was."""

    class Asked(Message):
        """What there was at a version is wanted."""

        def __init__(self, texts: PagePast, version: Version, way: str) -> None:
            super().__init__()
            self.texts = texts
            self.version = version
            self.way = way

    def __init__(self, hooks: Hooks | None = None) -> None:
        super().__init__()
        self.way = PAGE
        self._hooks = hooks
        self._texts: PagePast | None = None
        self._lines: Sequence[DiffLine] = ()
        self._begun = False

    def compose(self) -> ComposeResult:
        yield TimeBar(id="page-time")
        with Horizontal(id="history-panes"):
            yield VirtualList[Version](
                draw_version,
                row_height=2,
                id="versions",
                classes="pane",
                empty="memex has not seen it change yet",
            )
            yield PastReader(id="past-reader", classes="pane")
            yield DiffList(id="version-diff", empty="The text is the same")

    @property
    def list(self) -> VirtualList[Version]:
        return self.query_one("#versions", VirtualList)

    @property
    def diff(self) -> DiffList:
        return self.query_one(DiffList)

    @property
    def reader(self) -> PastReader:
        return self.query_one(PastReader)

    @property
    def bar(self) -> TimeBar:
        return self.query_one(TimeBar)

    @property
    def version(self) -> Version | None:
        """The version under the cursor."""
        return self.list.row

    def show(self, past: Past) -> None:
        """The versions, newest first."""
        found = past.versions
        self._texts = past.texts
        self.list.set_rows(found, lambda version: str(version.seq))
        self.list.border_title = "history"
        self.list.border_subtitle = content(counted(len(found), "version"))
        self.bar.set_moments([version.when for version in reversed(found)])
        self.bar.display = bool(found)
        self._show_way()
        self.list.focus()
        self.ask()

    def turn(self, way: str) -> None:
        """Show the page as it was, what changed in it, or what changed since."""
        self.way = way
        self._show_way()
        self.ask()

    def _show_way(self) -> None:
        found = bool(self.list.count)  # without a version there is nothing to show
        self.reader.display = found and self.way == PAGE
        self.diff.display = found and self.way != PAGE

    def ask(self) -> None:
        """Ask for what there was at the version under the cursor."""
        version = self.version
        if version is not None and self._texts is not None:
            note = said(version.number, self.list.count, version.when, version.act, version.actor)
            self.bar.show(version.number, note)
            self.post_message(self.Asked(self._texts, version, self.way))

    def show_past(self, version: Version, found: Shown) -> None:
        """What was asked for."""
        changed = f"+{found.added} -{found.removed}"
        if isinstance(found.view, PastPage):
            self.reader.border_title = content(f"{found.view.title} · {changed}")
            self.reader.border_subtitle = content(found.view.path)
            self.reader.show(found.view, self._hooks, anew=not self._begun)
            self._begun = True
            return
        self._lines = found.view
        self.diff.border_title = content(f"{WAYS[found.way]} · {changed}")
        self.diff.border_subtitle = content(f"version {version.seq}")
        self._lay_out()

    def _lay_out(self) -> None:
        self.diff.show(laid_out(self._lines, max(self.diff.size.width - 4, 20)))

    def on_resize(self) -> None:
        self.call_after_refresh(self._lay_out)

    def on_virtual_list_highlighted(self, event: VirtualList.Highlighted) -> None:
        event.stop()
        if event.view is self.list:
            self.ask()

    def on_time_bar_moved(self, event: TimeBar.Moved) -> None:
        event.stop()
        self.list.move_to(self.list.count - 1 - event.number)


def look(texts: PagePast, version: Version, way: str) -> Shown:
    """What there was at a version; runs beside the screen."""
    return shown(texts, version.number, way)
