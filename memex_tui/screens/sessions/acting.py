"""What the commands of the Sessions area do with the conversation under the cursor."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from memex_core.memex import Memex
from memex_tui.messages import Go, Place, open_page
from memex_tui.screens.sessions import deeds, presenter
from memex_tui.screens.sessions.capturing import Capturing
from memex_tui.screens.sessions.deeds import Way
from memex_tui.screens.sessions.dialogs import DeleteCard
from memex_tui.screens.sessions.replaying import Replaying
from memex_tui.widgets.virtual_list import VirtualList

if TYPE_CHECKING:
    from memex_core.index.activity import Fed
    from memex_tui.screens.sessions.presenter import Session


class Acting(Replaying, Capturing):
    """Methods ``do_<command id>``."""

    sessions: VirtualList[Session]
    pages: VirtualList[Fed]

    if TYPE_CHECKING:

        @property
        def here(self) -> str: ...
        def _to_list(self) -> None: ...

    def on_virtual_list_selected(self, event: VirtualList.Selected) -> None:
        event.stop()
        self.run_command("sessions.page" if event.view is self.pages else "sessions.replay")

    # -- elsewhere ------------------------------------------------------------------------------------

    def do_sessions_pages(self) -> None:
        if not self.pages.count:
            self.memex_app.toast("No page was written in this conversation or cites it")
            return
        self.add_class("-pages")
        self.remove_class("-replaying")
        self.pages.focus()

    def do_sessions_leave_pages(self) -> None:
        self._to_list()

    def do_sessions_page(self) -> None:
        row = self.pages.row
        if row is not None:
            self.post_message(open_page(row.path, title=row.title))

    def do_sessions_sources(self) -> None:
        title = self._talk.title if self._talk is not None else self._session
        place = Place("sources", session=self._session, turn=self.replay.number, title=f"{title} · sources")
        self.post_message(Go(place))

    # -- copying ------------------------------------------------------------------------------------

    async def do_sessions_copy_turn(self) -> None:
        await self.memex_app.copy(f"{self._session}#{self.replay.number}", "turn reference")

    async def do_sessions_copy_id(self) -> None:
        await self.memex_app.copy(self.here, "session id")

    async def do_sessions_copy_resume(self) -> None:
        session, app = self.here, self.memex_app
        command = await app.gateway.ask(
            "sessions.resume", lambda memex: presenter.resume_command(memex, session)
        )
        if command:
            await app.copy(command, "resume command")
        else:
            agents = ", ".join(presenter.RESUME)
            app.toast("Its agent cannot go on with a conversation by its id", hint=f"these can: {agents}")

    # -- deleting -------------------------------------------------------------------------------------

    def do_sessions_delete(self) -> None:
        session = self.here
        name = self._talk.title if self._talk is not None and self._session == session else session

        def show(impact: Mapping[str, Any]) -> None:
            self.memex_app.push_screen(DeleteCard(f"delete · {name}", deeds.ways(impact), take))

        def take(way: Way) -> None:
            if way.id == "purge":
                self._delete(lambda memex: memex.purge(session=session), f"“{name}” is erased for good")
            else:
                hint = "a capture may bring it again"
                self._delete(lambda memex: memex.delete_transcript(session), f"“{name}” is deleted", hint)

        self.ask("impact", lambda memex: memex.purge(session=session, dry_run=True), show)

    def do_sessions_clear(self) -> None:
        def show(found: Mapping[str, Any]) -> None:
            ways = deeds.clearing(found["sessions"])
            self.memex_app.push_screen(DeleteCard("delete all conversations", ways, take))

        def take(_: Way) -> None:
            self._delete(lambda memex: memex.clear_transcripts(), "All conversations are deleted")

        self.ask("impact", lambda memex: memex.clear_transcripts(dry_run=True), show)

    def _delete(self, call: Callable[[Memex], object], done: str, hint: str = "") -> None:
        def deleted(_: object) -> None:
            self.memex_app.toast(done, hint=hint)
            self.remove_class("-replaying")
            self.sessions.focus()
            self.do_sessions_reload()

        self.write(call, deleted)
