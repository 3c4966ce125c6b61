"""What is done to a page as a whole: new, renamed, of another type, deleted; and its past."""

from __future__ import annotations

from typing import Any

from memex_core.model.errors import MemexError
from memex_core.model.results import ForgetResult, RenameResult
from memex_tui.render.text import counted
from memex_tui.screens.overlays.rename import RenameCard
from memex_tui.screens.page import history
from memex_tui.screens.page.conflict import ConflictView
from memex_tui.screens.page.dialogs import TypeCard
from memex_tui.screens.page.finding import FindingPart
from memex_tui.screens.page.form import PropertiesCard
from memex_tui.screens.page.frame import HISTORY, READ
from memex_tui.screens.page.history import HistoryView
from memex_tui.screens.page.past import IN_IT, PAGE, SINCE, Shown


class Managing(FindingPart):
    """The parts of the area that act on whole pages."""

    # -- new, renamed, moved, deleted -------------------------------------------------------

    def do_page_new(self) -> None:
        self.memex_app.ask_new()

    def saved_first(self) -> bool:
        """Whether there is no unsaved text; says so when there is."""
        if self.dirty:
            self.memex_app.toast("Save first: ^s", severity="warning")
        return not self.dirty

    def do_page_rename(self) -> None:
        if self.saved_first():
            self.app.push_screen(RenameCard(self.path, self.title_of_page, self._renamed_here))

    def _renamed_here(self, done: RenameResult) -> None:
        count = len(done["rewritten"])
        links = f", {counted(count, 'link')} rewritten" if count else ""
        self.memex_app.toast(f"Renamed to {done['path']}{links}", hint="u takes it back")

    def do_page_move(self) -> None:
        if self.opened is not None and self.saved_first():
            self.app.push_screen(TypeCard(self.path, self.opened.reading.type))

    def do_page_delete(self) -> None:
        if self.opened is None or not self.saved_first():
            return
        path, digest, title = self.path, self.opened.digest, self.title_of_page

        def done(_: ForgetResult) -> None:
            self.memex_app.toast(f"Deleted {title}", hint="u brings it back")

        self.write(lambda memex: memex.forget(path, expect=digest), done)

    def do_page_properties(self) -> None:
        if self.opened is None:
            return
        if self.opened.front_kind == "error":
            self.memex_app.toast(
                "The front matter cannot be read", hint="e opens the text", severity="warning"
            )
            return
        front = dict(self.opened.front)
        self.app.push_screen(PropertiesCard(self.title_of_page, front, self.set_properties))

    # -- history ----------------------------------------------------------------------------

    def do_page_history(self) -> None:
        if self.opened is None:
            return
        path = self.path
        for old in self.query(HistoryView):
            old.remove()
        view = HistoryView(self.links.hooks())
        self.set_mode(HISTORY)
        self.query_one("#area").mount(view)

        def failed(error: MemexError) -> None:
            self.do_page_history_close()
            self.memex_app.report(error)

        self.ask("history", lambda memex: history.load(memex, path), view.show, failed)

    def on_history_view_asked(self, event: HistoryView.Asked) -> None:
        event.stop()
        texts, version, way = event.texts, event.version, event.way

        def show(found: Shown) -> None:
            for view in self.query(HistoryView):
                if view.version == version and view.way == way:
                    view.show_past(version, found)
                    self.refresh_keys()

        self.ask("past", lambda memex: history.look(texts, version, way), show)

    @property
    def _past(self) -> HistoryView:
        return self.query(HistoryView).last()

    def do_page_history_against(self) -> None:
        self._past.turn(SINCE if self._past.way == IN_IT else IN_IT)

    def do_page_history_page(self) -> None:
        self._past.turn(IN_IT if self._past.way == PAGE else PAGE)

    def do_page_history_older(self) -> None:
        self._past.bar.step(-1)

    def do_page_history_newer(self) -> None:
        self._past.bar.step(1)

    def do_page_history_day_before(self) -> None:
        self._past.bar.step_day(-1)

    def do_page_history_day_after(self) -> None:
        self._past.bar.step_day(1)

    def do_page_history_first(self) -> None:
        self._past.bar.to_end(last=False)

    def do_page_history_now(self) -> None:
        self._past.bar.to_end(last=True)

    def do_page_history_revert(self) -> None:
        version, path = self._past.version, self.path
        if version is None:
            return
        if self.dirty:
            self.memex_app.toast("Save your text first, or throw it away", severity="warning")
            return

        def done(result: dict[str, Any]) -> None:
            text = f"Back to version {version.seq}" if result["reverted"] else "It is this text already"
            self.memex_app.toast(text, hint="u takes it back" if result["reverted"] else "")
            self.do_page_history_close()

        self.write(lambda memex: memex.revert(path, to=version.seq), done)

    def do_page_history_close(self) -> None:
        for view in self.query(HistoryView):
            view.remove()
        self.set_mode(READ)
        self.reader.focus()

    # -- two texts --------------------------------------------------------------------------

    @property
    def conflict(self) -> ConflictView:
        return self.query(ConflictView).last()

    def do_page_pick_mine(self) -> None:
        self.conflict.pick("mine")

    def do_page_pick_theirs(self) -> None:
        self.conflict.pick("theirs")

    def do_page_pick_both(self) -> None:
        self.conflict.pick("both")

    def do_page_all_mine(self) -> None:
        self.conflict.pick_all("mine")

    def do_page_all_theirs(self) -> None:
        self.conflict.pick_all("theirs")

    def do_page_next_change(self) -> None:
        self.conflict.step(1)

    def do_page_previous_change(self) -> None:
        self.conflict.step(-1)

    def do_page_take_merge(self) -> None:
        view = self.conflict
        if view.comparison.open:
            self.memex_app.toast(
                f"{view.comparison.open} places are not decided yet", hint="m mine · t theirs · b both"
            )
            return
        self.take_merge(view)

    def do_page_decide_later(self) -> None:
        self.end_comparison()
