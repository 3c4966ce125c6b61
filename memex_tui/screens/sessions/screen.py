"""The Sessions area: captured conversations, and each one replayed beside the pages that it fed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from textual import events
from textual.app import ComposeResult
from textual.containers import Container, Vertical
from textual.timer import Timer
from textual.widgets import Input

from memex_core.index.activity import Fed
from memex_core.model import clock
from memex_core.model.errors import MemexError, StoreMissing
from memex_tui.messages import PagesChanged, Place
from memex_tui.render.line import Line
from memex_tui.render.text import counted
from memex_tui.screens.base import Item
from memex_tui.screens.sessions import presenter
from memex_tui.screens.sessions.acting import Acting
from memex_tui.screens.sessions.filtering import Filter, narrowed, read_filter
from memex_tui.screens.sessions.narrowing import Narrowing
from memex_tui.screens.sessions.presenter import Fruit, Session
from memex_tui.screens.sessions.replaying import TURNS
from memex_tui.screens.sessions.widgets import (
    ActivityBars,
    FilterInput,
    FilterLine,
    FindLine,
    draw_page,
    draw_session,
)
from memex_tui.widgets.rows import RowState
from memex_tui.widgets.scrolling import set_frame
from memex_tui.widgets.transcript_view import TranscriptView
from memex_tui.widgets.virtual_list import VirtualList

OPEN_AFTER = 0.04  # seconds the cursor rests on a conversation before it is opened


class SessionsScreen(Narrowing, Acting):
    """A list with filters and activity, a replay, and the pages of the conversation under the cursor."""

    AREA = "sessions"
    CSS_PATH = "sessions.tcss"
    CRUMBS = True
    AUTO_FOCUS = "#sessions"
    HELP_TEXT = (
        "What you and your agents said, as it was captured. Enter replays the conversation under the "
        "cursor; n and p go from one typed prompt to the next, / searches its turns. ❝ beside a turn "
        "says that a page cites it: s shows which."
    )

    def __init__(self) -> None:
        super().__init__()
        self.sessions = VirtualList[Session](
            self._draw, row_height=2, empty="", id="sessions", classes="pane"
        )
        self.pages = VirtualList[Fed](draw_page, empty="", id="pages", classes="pane")
        self.replay = TranscriptView(id="replay", classes="pane")
        self._listed: Sequence[Session] = ()
        self._fruit = Fruit()
        self._filter = Filter()
        self._from = ""  # the row at which filtering began
        self._placed = ""  # the row that filtering has put the cursor on
        self._problem = ""
        self._loaded = self._stale = False
        self._to_replay = False  # whether the focus goes there once the list is read
        self._wanted: Place | None = None
        self._open_timer: Timer | None = None

    def compose_area(self) -> ComposeResult:
        with Container(id="panes"):
            with Vertical(id="listed"):
                yield FilterLine()
                yield self.sessions
                yield self.pages
                yield ActivityBars()
            with Vertical(id="replayed"):
                yield self.replay
                yield FindLine()

    def on_mount(self) -> None:
        self.call_after_refresh(self.do_sessions_reload)

    def on_resize(self, event: events.Resize) -> None:
        self.sessions.set_row_height(3 if event.size.width >= 100 and event.size.height >= 30 else 2)
        self.call_after_refresh(self._show_activity)
        self.call_after_refresh(self._tell)

    def _draw(self, row: Session, cells: int, state: RowState) -> Sequence[Line]:
        pages = len(self._fruit.pages.get(row.id, ()))
        return draw_session(row, cells, clock.today(), pages, self.sessions.row_height)

    # -- what the frame asks ------------------------------------------------------------------

    @property
    def here(self) -> str:
        """The id of the conversation that commands mean: the one replayed, or the one under the cursor."""
        if not self.is_mounted:
            return ""
        return self.sessions.key if self.focused is self.sessions and self.sessions.key else self._session

    def contexts(self) -> Sequence[str]:
        found = ["sessions.capturing"] if self._capture is not None else []
        focused = self.focused
        parts = {"sessions": "list", "replay": "replay", "pages": "pages"}
        parts.update({"session-filter": "filter", "turns-find": "find"})
        if focused is not None and focused.id in parts:
            found.append(f"sessions.{parts[focused.id]}")
        return [*found, "sessions"]

    def allowed(self, command: str) -> bool:
        name = command.removeprefix("sessions.")
        if name in ("replay", "delete", "copy-id", "copy-resume", "pages"):
            return bool(self.here)
        if name in ("clear", "agent", "project", "since", "filter"):
            return bool(self._listed)
        if name == "list":
            return self._loaded and bool(self._listed)
        if name == "all":
            return self._filter != Filter()
        if name in ("next-match", "previous-match"):
            return self._walk is not None
        if name == "sources":
            return self._talk is not None
        if name in ("find", "fold", "tools", "next-prompt", "previous-prompt", "copy-turn"):
            return self._talk is not None
        if name in ("next-cited", "previous-cited"):
            return bool(self._cited)
        if name == "report":
            return self._report is not None
        return True

    def current_item(self) -> Item | None:
        row = self.pages.row if self.is_mounted and self.focused is self.pages else None
        return Item(row.path, row.title) if row is not None else None

    async def visit(self, place: Place) -> None:
        if not place.session:
            return
        self._wanted = place
        self._go_on()
        if place.extra.get("side") == "list":
            self._to_list()
        else:
            self._to_turns()

    def _go_on(self) -> None:
        """Show the place that is wanted, as far as the list is there."""
        place = self._wanted
        if place is None:
            return
        if self._loaded:
            self._wanted = None
            if all(one.id != place.session for one in self._narrowed()):
                self._set_filter("")
            self.sessions.move_to_key(place.session)
        self._open(place.session, place.turn)
        self._show_fed()

    def place(self) -> Place | None:
        if not self._session:
            return None
        title = self._talk.title if self._talk is not None else self._session
        side = "replay" if self.focused in (self.replay, self.find_line.field) else "list"
        turn = self.replay.number
        return Place("sessions", session=self._session, turn=turn, title=title, extra={"side": side})

    def save_state(self) -> Mapping[str, Any]:
        return {
            "session": self._session,
            "turn": self.replay.number,
            "filter": self.query_one(FilterInput).value,
            "side": "replay" if self.focused is self.replay else "list",
            "tools": self.replay.talk.all_open,
        }

    def restore_state(self, state: Mapping[str, Any]) -> None:
        def text(key: str) -> str:
            value = state.get(key)
            return value if isinstance(value, str) else ""

        turn = state.get("turn")
        self.replay.talk.open_all(state.get("tools") is True)
        self._set_filter(text("filter"))
        if text("session"):
            turn = turn if isinstance(turn, int) and turn > 0 else 0
            self._wanted = Place("sessions", session=text("session"), turn=turn)
            self._left[text("session")] = turn
            self._to_replay = text("side") == "replay"

    def pages_changed(self, change: PagesChanged) -> None:
        if self.is_current:
            self.do_sessions_reload()
        else:
            self._stale = True

    def on_screen_resume(self) -> None:
        if self._stale:
            self.do_sessions_reload()

    # -- the list -----------------------------------------------------------------------------

    def do_sessions_reload(self) -> None:
        self._stale = False
        self.ask("list", presenter.load, self._show, self._failed, lane=TURNS)
        self.ask("fruit", presenter.load_fruit, self._know_fruit, lambda _: None, lane="care")

    def _failed(self, error: MemexError) -> None:
        if isinstance(error, StoreMissing):
            self._show(())
            return
        self._loaded = True
        self._problem = f"The list could not be read: {error.message}"
        self._listed = ()
        self._list()
        if not self._session:
            self._show_nothing(f"{error.message}\n\n{error.hint}\n\nr tries again".strip())
        self.memex_app.report(error)

    def _know_fruit(self, fruit: Fruit) -> None:
        self._fruit = fruit
        if self._loaded:
            self._list()
            self._show_fed()

    def _show(self, sessions: Sequence[Session]) -> None:
        before, self._listed, self._problem = self._listed, sessions, ""
        self._loaded = True
        none = not sessions
        self.set_class(none, "-none")
        self._list()
        if none:
            self._wanted = None
            self._show_nothing(presenter.HOW_THEY_COME)
            self.call_after_refresh(self.replay.focus)  # in sight only then
        else:
            if self.focused is None:
                self.sessions.focus()
            again = self._session  # it may have grown, or be gone; a subagent's is never listed
            gone = {one.id for one in before} - {one.id for one in sessions}
            if self._wanted is not None:
                self._go_on()
                if self._to_replay:
                    self._to_replay = False
                    self._to_turns()
            elif not again or again in gone:
                self._open_row()
            else:
                self._open(again, self.replay.number, again=True)
        self._show_fed()

    def _narrowed(self) -> list[Session]:
        return narrowed(self._listed, self._filter, clock.today())

    def _list(self) -> None:
        """Show the conversations that the filter lets through."""
        rows = self._narrowed()
        fits = "No conversation fits; esc shows all" if self._listed else ""
        self.sessions.set_empty(self._problem or fits)
        before = self.sessions.key
        self.sessions.set_rows(rows, lambda row: row.id)
        if not before and self._session:  # nothing fitted for a while
            self.sessions.move_to_key(self._session)
        every = len(self._listed)
        line = self.query_one(FilterLine)
        if self._filter.wrong:
            line.say(f"since: {self._filter.wrong}?", bad=True)
        else:
            line.say(f"{len(rows):,} of {every:,}" if self._filter != Filter() else f"{every:,}")
        set_frame(self.sessions, "sessions", "newest first")
        self._show_activity()

    def on_input_changed(self, event: Input.Changed) -> None:
        event.stop()
        if event.input.id == "turns-find":
            self._look_for(event)
            return
        self._filter = read_filter(event.value)
        if self._loaded:
            self._list_filtered()

    def _list_filtered(self) -> None:
        """While the filter is typed the cursor stays on the row it came from, or on the first that fits:
        what fitted half a word must not matter."""
        if self.sessions.key != self._placed:  # moved by hand since
            self._from = self.sessions.key
        self._list()
        if not self.sessions.move_to_key(self._from):
            self.sessions.move_to(0)
        self._placed = self.sessions.key

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()

    def _set_filter(self, text: str) -> None:
        self._filter = read_filter(text)
        self.query_one(FilterInput).value = text
        if self._loaded:
            self._list()
        self.refresh_keys()

    def on_virtual_list_highlighted(self, event: VirtualList.Highlighted) -> None:
        event.stop()
        if event.view is self.pages:
            self.refresh_keys()
            return
        if self._open_timer is not None:
            self._open_timer.stop()
        if self._wanted is None:
            self._open_timer = self.set_timer(OPEN_AFTER, self._open_row)

    def _open_row(self) -> None:
        row = self.sessions.row
        if row is not None and self._wanted is None:
            self._open(row.id)
            self._show_fed()

    def do_sessions_replay(self) -> None:
        if self._open_timer is not None:
            self._open_timer.stop()
        if self.focused is self.sessions:
            self._open_row()
        self._to_turns()

    def _to_turns(self) -> None:
        self.remove_class("-pages")
        self.add_class("-replaying")
        self.replay.focus()

    def do_sessions_list(self) -> None:
        self._to_list()

    def _to_list(self) -> None:
        self.remove_class("-replaying", "-pages")
        if self._session and self.sessions.key != self._session:
            self.sessions.move_to_key(self._session)
        self.sessions.focus()

    # -- beside it ----------------------------------------------------------------------------

    def _show_fed(self) -> None:
        """The pages of the conversation shown, and its days among the others."""
        pages = self._fruit.pages.get(self._session, ())
        self.pages.set_rows(pages, lambda row: row.path)
        self.pages.set_class(bool(pages), "-fed")
        self.pages.styles.height = len(pages) + 2
        wrote = sum(one.wrote for one in pages)
        set_frame(self.pages, "pages from it", f"✎ {wrote} written · ❝ {len(pages) - wrote} citing")
        if not pages:
            self.remove_class("-pages")
            if self.focused is self.pages:
                self.sessions.focus()
        self._cite(pages)
        self._show_activity()
        self._tell()

    def _show_activity(self) -> None:
        bars = self.query_one(ActivityBars)
        days, today = bars.days, clock.today()
        counts = presenter.activity(self._fruit, self._narrowed(), today, days)
        bars.show(counts, today, self._fruit.days.get(self._session, {}).keys())
        busiest = f"busiest day {counted(max(counts), 'turn')}" if any(counts) else "no turn in these weeks"
        set_frame(bars, f"activity · {counted(days // 7, 'week')}", busiest)

    def _tell(self) -> None:
        """Where we are: frames, breadcrumbs, the keys that make sense."""
        if not self.is_mounted:
            return
        self._frame_replay()
        self._say_found()
        line: Line = []
        capture, turn = self._capture, self.replay.turn
        if capture is not None:
            share = f" {100 * capture.done // capture.total} %" if capture.total else " …"
            line = [(f"capturing{share}", ("bar--accent",))]
        elif self._talk is not None and turn is not None:
            at = turn.ts[:16].replace("T", " ")
            count = f"turn {turn.number:,} of {len(self._talk.numbers):,}"
            line = [(f"{count} · {at}" if at else count, ("bar--muted",))]
        elif self._listed:
            rows = self._narrowed()
            said = counted(sum(one.turns for one in rows), "turn")
            line = [(f"{said} in {counted(len(rows), 'conversation')}", ("bar--muted",))]
        self.set_status(line)
        self.refresh_keys()
