"""What the commands of the Sources area do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from memex_core.model.errors import MemexError
from memex_core.model.results import WriteResult
from memex_tui.conversations import next_cited
from memex_tui.messages import Go, Place, open_page
from memex_tui.screens.base import AreaScreen
from memex_tui.screens.sources import changing, presenter
from memex_tui.screens.sources.dialogs import Choice, CiteCard, CitedInCard, DisputeCard
from memex_tui.widgets.transcript_view import TranscriptView
from memex_tui.widgets.virtual_list import VirtualList

if TYPE_CHECKING:
    from memex_tui.conversations import Conversation
    from memex_tui.screens.sources.presenter import Loaded, Statement


class Acting(AreaScreen):
    """Methods ``do_<command id>``."""

    statements: VirtualList[Statement]
    also: VirtualList[Statement]
    transcript: TranscriptView
    _loaded: Loaded
    _talk: Conversation | None
    _session: str
    _locked: bool

    if TYPE_CHECKING:

        @property
        def statement(self) -> Statement | None: ...
        def _show_turn(self) -> None: ...
        def _tell(self) -> None: ...

    # -- from one side to the other -----------------------------------------------------------------

    def on_virtual_list_selected(self, event: VirtualList.Selected) -> None:
        event.stop()
        self.run_command("sources.follow" if event.view is self.also else "sources.turn")

    def on_transcript_view_chosen(self, event: TranscriptView.Chosen) -> None:
        event.stop()
        self.do_sources_statement()

    def do_sources_turn(self) -> None:
        self._show_turn()
        self.transcript.focus()

    def do_sources_statement(self) -> None:
        number = self.transcript.number
        row, statements = self.statements.row, self._loaded.statements
        if row is not None and (row.session, row.turn) == (self._session, number):
            self.statements.focus()
            return
        index = presenter.resting_on(statements, self._session, number)
        if index is not None:
            self.statements.move_to(index)
            self.statements.focus()
        elif self.also.count:
            self.also.focus()
        elif number:
            self.memex_app.toast(f"No page cites turn {number}", hint="c cites it")

    def do_sources_follow(self) -> None:
        row = self.also.row
        if row is not None:
            place = Place("sources", row.path, title=f"{row.page} · sources", extra={"row": row.key})
            self.post_message(Go(place))

    def do_sources_next(self) -> None:
        self.statements.move(1)

    def do_sources_previous(self) -> None:
        self.statements.move(-1)

    def do_sources_next_turn(self) -> None:
        self._to_cited(1)

    def do_sources_previous_turn(self) -> None:
        self._to_cited(-1)

    def _to_cited(self, step: int) -> None:
        talk = self.transcript.talk
        cited = [number for number in talk.marked if talk.has(number)]
        number = next_cited(cited, self.transcript.number, step)
        if number:
            self.transcript.move_to(talk.index_of(number))

    def do_sources_conversation(self) -> None:
        title = self._talk.title if self._talk is not None else self._session
        self.post_message(
            Go(
                Place(
                    "sources", session=self._session, turn=self.transcript.number, title=f"{title} · sources"
                )
            )
        )

    # -- elsewhere ------------------------------------------------------------------------------------

    def do_sources_page(self) -> None:
        row = self.statement
        if row is not None:
            self.post_message(open_page(row.path, line=row.line, title=row.page))

    def do_sources_session(self) -> None:
        title = self._talk.title if self._talk is not None else self._session
        turn = self.transcript.number
        self.post_message(Go(Place("sessions", session=self._session, turn=turn, title=title)))

    async def do_sources_copy(self) -> None:
        row = self.statement
        if row is not None:
            await self.memex_app.copy(row.citation, "citation")

    async def do_sources_copy_turn(self) -> None:
        await self.memex_app.copy(f"{self._session}#{self.transcript.number}", "turn")

    # -- how it is shown --------------------------------------------------------------------------------

    def do_sources_lock(self) -> None:
        self._locked = not self._locked
        if self._locked and self.focused is not self.transcript:
            self._show_turn()
        self._tell()

    def do_sources_tools(self) -> None:
        self.transcript.fold_all()

    def do_sources_fold(self) -> None:
        if self.transcript.number and not self.transcript.fold():
            self.memex_app.toast("This turn has no tool call")

    # -- changing the page --------------------------------------------------------------------------------

    def do_sources_dispute(self) -> None:
        row = self.statement
        if row is None:
            return
        app = self.memex_app
        if row.disputed is not None:
            self.write(
                lambda memex: changing.withdraw(memex, row),
                lambda _: app.toast("The source is disputed no more", hint="u takes it back"),
            )
            return

        def done(typed: Sequence[str]) -> None:
            card.dismiss()
            self.write(
                lambda memex: changing.dispute(memex, row, typed[0]),
                lambda _: app.toast(f"Noted in {row.path}", hint="u takes it back"),
            )

        title = f"dispute · {row.page} · {row.id or row.resource}"
        card = DisputeCard(title, [("Why is it doubted? It may stay empty.", "")], done)
        app.push_screen(card)

    def do_sources_cite(self) -> None:
        self._cite(Choice(self._loaded.path, self._loaded.title))

    def do_sources_cite_in(self) -> None:
        self.memex_app.push_screen(CitedInCard(self._cite))

    def _cite(self, page: Choice) -> None:
        turn, session, app = self.transcript.turn, self._session, self.memex_app
        if turn is None:
            return

        def written(_: WriteResult) -> None:
            card.dismiss()
            app.toast(f"{page.title} cites turn {turn.number} now", hint="u takes it back")

        def refused(error: MemexError) -> None:
            card.say(f"{error.message}; {error.hint}" if error.hint else error.message)

        def done(typed: Sequence[str]) -> None:
            quote, says = typed
            self.write(
                lambda memex: changing.cite(memex, page.path, session, turn, quote, says), written, refused
            )

        quote = changing.proposed_quote(turn)
        says = f"What “{page.title}” says from it; empty: only the source is added"
        fields = [(f"Words of turn {turn.number}, exactly", quote), (says, quote)]
        card = CiteCard(f"cite · {session} · turn {turn.number}", fields, done)
        app.push_screen(card)
