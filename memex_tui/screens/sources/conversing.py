"""The conversation side of the Sources area: open it, fetch turns, mark them, and say who else cites them."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from memex_core.model.errors import MemexError, NotFound
from memex_tui.conversations import Conversation, open_session, turns
from memex_tui.render.transcript import Turn
from memex_tui.screens.base import AreaScreen
from memex_tui.screens.sources import presenter
from memex_tui.screens.sources.presenter import Loaded, Statement
from memex_tui.widgets.scrolling import set_frame
from memex_tui.widgets.transcript_view import TranscriptView
from memex_tui.widgets.virtual_list import VirtualList

NOT_KEPT = (
    "The conversation {session} is not stored here, so its words cannot be shown.\n\n"
    "`memex capture` stores the conversations that the agents on this machine still have."
)
NO_TURN = (
    "This source is no turn of a conversation:\n\n{resource}\n\n"
    "What it says cannot be looked up here. y c copies it."
)
NO_NAME = (
    "The footnote [^{id}] names no source of this page: nobody is known to have said it.\n\n"
    "o opens the page there; give it an entry under `sources`, or take the mark away."
)


class Conversing(AreaScreen):
    """Shows the turns of one conversation at a time."""

    statements: VirtualList[Statement]
    also: VirtualList[Statement]
    transcript: TranscriptView
    _loaded: Loaded
    _locked: bool

    def __init__(self) -> None:
        super().__init__()
        self._talk: Conversation | None = None
        self._session = ""  # the conversation shown, or being opened
        self._turn = 0  # where it is to be shown
        self._citing: tuple[Statement, ...] = ()  # of any page, from the conversation shown
        self._others = 0  # statements of other pages that cite the turn under the cursor

    if TYPE_CHECKING:

        def _tell(self) -> None: ...

    def _show_turn(self) -> None:
        """Show the turn of the statement under the cursor, or say why there is none."""
        row = self.statements.row
        if row is None:
            return
        if row.session:
            self._open(row.session, row.turn)
            return
        self._talk, self._session, self._citing = None, "", ()
        text = NO_TURN.format(resource=row.resource) if row.resource else NO_NAME.format(id=row.id)
        self.transcript.clear(text)
        self._follow()

    def _open(self, session: str, turn: int) -> None:
        """Show a turn of a conversation, which may be another one than is shown."""
        self._turn = turn
        if session == self._session:
            if self._talk is not None:
                self._mark()
                self.transcript.go_to(turn)
                self._follow()
            return
        self._session, self._talk = session, None
        self.ask(
            "session",
            lambda memex: open_session(memex, session),
            self._opened,
            lambda error: self._not_opened(session, error),
        )

    def _opened(self, found: Conversation) -> None:
        self._talk, self._citing = found, ()
        self.transcript.show(found.numbers, self._want, turn=self._turn)
        self._mark()
        self._follow()
        self.ask("citing", lambda memex: presenter.citing(memex, found.session), self._know_citing)

    def _not_opened(self, session: str, error: MemexError) -> None:
        self._talk, self._citing = None, ()
        if not isinstance(error, NotFound):
            self.memex_app.report(error)
        self.transcript.clear(NOT_KEPT.format(session=session))
        self._follow()

    def _want(self, first: int, last: int) -> None:
        session = self._session

        def loaded(found: list[Turn]) -> None:
            if session == self._session:
                self.transcript.turns_loaded(found, first, last)
                self._tell()

        def failed(error: MemexError) -> None:
            self.transcript.turns_failed()
            self.memex_app.report(error)

        self.ask("turns", partial(turns, session=session, first=first, last=last), loaded, failed)

    def _know_citing(self, found: tuple[Statement, ...]) -> None:
        self._citing = found
        self._mark()
        self._follow()

    def _mark(self) -> None:
        """Put letters beside the turns that are cited, and mark their quotes."""
        own = [one for one in self._loaded.statements if one.session == self._session]
        others = [one for one in self._citing if one.path != self._loaded.path]
        self.transcript.set_marks(presenter.marks(own, others, self.statements.row))

    def _follow(self) -> None:
        """Show which other pages cite the turn under the cursor, and tell where we are."""
        turn = self.transcript.number
        found: list[Statement] = []
        if turn and self._loaded.path and self._talk is not None:
            found = [one for one in self._citing if one.turn == turn and one.path != self._loaded.path]
        if not found and self.focused is self.also:
            self.transcript.focus()
        self.also.set_rows(found, lambda row: row.key)
        self.also.set_class(bool(found), "-cited-elsewhere")
        if len(found) != self._others:
            self._others = len(found)
            self.also.styles.height = self._others + 2
        self._tell()

    def _frame_talk(self, talk: Conversation | None) -> None:
        title, about = "conversation", ""
        if talk is not None:
            title = talk.title if talk.title == talk.session else f"{talk.session} · {talk.title}"
            about = " · ".join(one for one in (talk.agent, talk.started[:10]) if one)
        set_frame(self.transcript, presenter.shortened(title, self.transcript.size.width - 4), about)
