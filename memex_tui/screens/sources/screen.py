"""The Sources area: what a page says beside the turns that prove it, and from any turn back to the pages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from textual.app import ComposeResult
from textual.containers import Container, Vertical

from memex_core.model.errors import MemexError, NotFound, StoreMissing
from memex_tui.areas import NO_MEMORY
from memex_tui.messages import PagesChanged, Place
from memex_tui.render.line import Line
from memex_tui.screens.base import Item
from memex_tui.screens.note_bar import NoteBar
from memex_tui.screens.sources import presenter
from memex_tui.screens.sources.acting import Acting
from memex_tui.screens.sources.conversing import Conversing
from memex_tui.screens.sources.presenter import Loaded, Statement
from memex_tui.screens.sources.widgets import draw_other, draw_statement, note_of
from memex_tui.widgets.rows import RowState
from memex_tui.widgets.scrolling import set_frame
from memex_tui.widgets.transcript_view import TranscriptView
from memex_tui.widgets.virtual_list import VirtualList

NO_PAGE = "No page names a source yet. ^k opens a page; what agents write with a source is proved here."
NO_SOURCE = (
    "This page names no source.\n\n`memex edit PAGE --source SESSION#TURN` adds one, and [^s1] in the text "
    "ties a sentence to it. Where a conversation is shown, C cites its turns in any page."
)
NO_CITING = "No page cites this conversation"


class SourcesScreen(Acting, Conversing):
    """Statements, the conversation they rest on, and the other pages that cite the turn."""

    AREA = "sources"
    CSS_PATH = "sources.tcss"
    CRUMBS = True
    HELP_TEXT = (
        "At the left what the page says, at the right the turn that proves it. E is evidence: a person said "
        "it, or a tool of this machine showed it. C is context and proves nothing. Locked, either side "
        "follows the other; a dot beside a turn says that other pages cite it."
    )

    def __init__(self) -> None:
        super().__init__()
        self.statements = VirtualList[Statement](
            self._draw, row_height=3, empty="", id="statements", classes="pane"
        )
        self.also = VirtualList[Statement](draw_other, empty="", id="also", classes="pane")
        self.transcript = TranscriptView(id="transcript", classes="pane")
        self._loaded = Loaded()
        self._locked = True
        self._wanted = Place("sources")
        self._begun = self._stale = False
        self._recent = ""
        self._shown = ""  # the statement that the conversation was moved for

    def compose_area(self) -> ComposeResult:
        with Container(id="panes"):
            with Vertical(id="said"):
                yield self.statements
                yield self.also
            with Vertical(id="talk"):
                yield NoteBar(id="source-note")
                yield self.transcript

    def on_mount(self) -> None:
        self.also.border_title = "also cited in"
        self.statements.focus()
        self.call_after_refresh(self._first)

    def _draw(self, row: Statement, cells: int, state: RowState) -> Sequence[Line]:
        return draw_statement(row, cells, state, titled=not self._loaded.path)

    # -- what the frame asks ------------------------------------------------------------------

    @property
    def statement(self) -> Statement | None:
        """The statement under the cursor, of this page or, with the focus there, of another."""
        if not self.is_mounted:
            return None
        return self.also.row if self.focused is self.also else self.statements.row

    def contexts(self) -> Sequence[str]:
        sides = {
            self.statements: "sources.statements",
            self.also: "sources.also",
            self.transcript: "sources.transcript",
        }
        found = [context for widget, context in sides.items() if self.focused is widget]
        one = self.statement
        if one is not None and one.lane in ("evidence", "context"):
            found.append("sources.source")
        return [*found, "sources"]

    def allowed(self, command: str) -> bool:
        one = self.statement
        if command == "sources.session":
            return bool(self._session)
        if command == "sources.cite":
            return bool(self._loaded.path) and self._talk is not None
        if command in ("sources.copy-turn", "sources.cite-in"):
            return self._talk is not None
        if command == "sources.conversation":
            return self._talk is not None and bool(self._loaded.path)
        if command in ("sources.turn", "sources.page", "sources.copy"):
            return one is not None
        if command in ("sources.lock", "sources.tools", "sources.next-turn", "sources.previous-turn"):
            return self._talk is not None
        if command in ("sources.next", "sources.previous"):
            return len(self._loaded.statements) > 1
        return True

    def current_item(self) -> Item | None:
        one = self.statement
        if one is not None:
            return Item(one.path, one.page)
        return Item(self._loaded.path, self._loaded.title) if self._loaded.path else None

    async def visit(self, place: Place) -> None:
        if place.path or place.session:
            self.load(place)

    def place(self) -> Place | None:
        loaded = self._loaded
        if not loaded.path and not self._session:
            return None
        turn = self.transcript.number
        extra = {"row": self.statements.key, "side": "talk" if self.focused is self.transcript else ""}
        session = "" if loaded.path else self._session
        title = f"{loaded.title} · sources"
        return Place("sources", loaded.path, session=session, turn=turn, title=title, extra=extra)

    def save_state(self) -> Mapping[str, Any]:
        session = "" if self._loaded.path else self._session
        return {
            "path": self._loaded.path,
            "session": session,
            "turn": self.transcript.number,
            "row": self.statements.key,
            "locked": self._locked,
            "tools": self.transcript.talk.all_open,
        }

    def restore_state(self, state: Mapping[str, Any]) -> None:
        def text(key: str) -> str:
            value = state.get(key)
            return value if isinstance(value, str) else ""

        turn = state.get("turn")
        self._locked = state.get("locked") is not False
        self.transcript.talk.open_all(state.get("tools") is True)
        self._wanted = Place(
            "sources",
            text("path"),
            session=text("session"),
            turn=turn if isinstance(turn, int) else 0,
            extra={"row": text("row")},
        )

    def pages_changed(self, change: PagesChanged) -> None:
        moved = {old: new for new, old in change.renamed.items()}
        path = self._loaded.path
        if path in moved:
            self._loaded = self._loaded._replace(path=moved[path])
        if self.is_current:
            self.do_sources_reload()
        else:
            self._stale = True

    def on_screen_resume(self) -> None:
        recent = (self.memex_app.saved.recent or [""])[0]
        if self._begun and recent and recent != self._recent:
            self._recent = recent
            self.load(Place("sources", recent))
        elif self._stale:
            self.do_sources_reload()

    # -- the page -----------------------------------------------------------------------------

    def _first(self) -> None:
        """Without a place to go to, begin where it ended or with the page read last."""
        if self._begun:
            return
        wanted, recent = self._wanted, list(self.memex_app.saved.recent)
        self._recent = (recent or [""])[0]
        if wanted.path or wanted.session:
            self.load(wanted)
            return
        self.ask("page", lambda memex: presenter.first_page(memex, recent), self._begin, self._failed)

    def _begin(self, path: str) -> None:
        if path:
            self.load(Place("sources", path))
        else:
            self._begun = True
            self._say_nothing(NO_PAGE)

    def load(self, place: Place) -> None:
        """Show a page's sources, or with no page what all pages have from a conversation."""
        self._begun, self._stale, self._wanted = True, False, place
        if place.path:
            self.ask("page", lambda memex: presenter.load(memex, place.path), self._show, self._failed)
        else:
            session = place.session
            self.ask("page", lambda memex: presenter.load_session(memex, session), self._show, self._failed)

    def do_sources_reload(self) -> None:
        here = self.place()
        if here is not None:
            self._session = ""  # the conversation may have grown
            self.load(here._replace(extra={**here.extra, "again": True}))
        elif self._begun:
            self._begun, self._wanted = False, Place("sources")
            self._first()

    def _failed(self, error: MemexError) -> None:
        if isinstance(error, StoreMissing):
            self._say_nothing(f"{NO_MEMORY}.")
            return
        self._say_nothing(f"{error.message}\n{error.hint}".strip() if isinstance(error, NotFound) else "")
        if not isinstance(error, NotFound):
            self.memex_app.report(error)

    def _say_nothing(self, text: str) -> None:
        self._loaded, self._talk, self._session, self._citing = Loaded(), None, "", ()
        self.statements.clear()
        self.statements.set_empty("")
        self.transcript.clear(text)
        self._follow()

    def _show(self, loaded: Loaded) -> None:
        place = self._wanted
        if place.path and place.path != loaded.path:  # it was called by another of its names
            self.memex_app.history.renamed({loaded.path: place.path})
        self._loaded = loaded
        self.statements.set_empty("No source" if loaded.path else NO_CITING)
        again = place.extra.get("again") is True
        self.statements.set_rows(loaded.statements, lambda row: row.key, top=not again)
        index = presenter.chosen(loaded.statements, place)
        if index is not None and not again:
            self.statements.move_to(index)
        self._shown = self.statements.key
        if place.extra.get("side") == "talk":
            self.transcript.focus()
        if not loaded.statements and not place.session:
            self.transcript.clear(NO_SOURCE)
            self._talk, self._session, self._citing = None, "", ()
            self._follow()
        elif not loaded.path:
            self._open(place.session, place.turn)
        else:
            self._show_turn()
        here = self.place()
        if here is not None and self.is_current:
            self.memex_app.history.visit(here)  # an area that is opened by its number knows it only now
        self.refresh_frame()
        self._tell()

    def _tell(self) -> None:
        loaded, talk, row = self._loaded, self._talk, self.statements.row
        number, wide = self.transcript.number, self.size.width >= 100
        name = f"page · {loaded.title}" if loaded.path else "cited by pages" if self._session else "page"
        said = presenter.summary(loaded.statements) if loaded.path and loaded.statements else ""
        set_frame(self.statements, name, said)
        self._frame_talk(talk)
        last = talk.numbers[-1] if talk is not None and talk.numbers else 0
        here = row is not None and (talk is None or row.turn in (0, number) or row.turn > last)
        self.query_one(NoteBar).show(note_of(row, last) if here else None)
        count = len(loaded.statements)
        parts = [f"statement {self.statements.cursor + 1} of {count}"] if count else []
        if talk is not None:
            turn = self.transcript.turn
            at = f", {turn.ts[:16].replace('T', ' ')}" if wide and turn is not None and turn.ts else ""
            parts.append(f"turn {number} of {len(talk.numbers):,}{at}")
        lock, colour = ("  locked", "bar--accent") if self._locked else ("  free", "bar--faint")
        if talk is None:
            lock = ""
        self.set_status([(" · ".join(parts), ("bar--muted",)), (lock, (colour,))])
        self.refresh_keys()

    # -- following each other ---------------------------------------------------------------------

    def on_virtual_list_highlighted(self, event: VirtualList.Highlighted) -> None:
        event.stop()
        if event.view is self.also:
            self.refresh_keys()
            return
        row = self.statements.row
        here = row is not None and (row.session, row.turn) == (self._session, self.transcript.number)
        moved, self._shown = self._shown != self.statements.key, self.statements.key
        if self._locked and moved and not (here and self.focused is self.transcript):
            self._show_turn()
        else:
            self._mark()
            self._tell()

    def on_transcript_view_moved(self, event: TranscriptView.Moved) -> None:
        event.stop()
        if self._locked:
            index = presenter.resting_on(self._loaded.statements, self._session, event.number)
            row = self.statements.row
            if index is not None and (
                row is None or (row.session, row.turn) != (self._session, event.number)
            ):
                self.statements.move_to(index)
        self._follow()

    def on_resize(self) -> None:
        self.call_after_refresh(self._tell)
