"""The replay side of the Sessions area: turns by range, what cites them, prompts and words to jump to."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from textual.timer import Timer
from textual.widgets import Input

from memex_core.files.turn_walk import Stopped, next_prompt, previous_prompt, wanted
from memex_core.index.activity import Fed
from memex_core.memex import Memex
from memex_core.model.errors import MemexError, NotFound
from memex_tui.conversations import Conversation, next_cited, open_session, turns
from memex_tui.render.text import cut, printable
from memex_tui.render.transcript import Quote, Turn, TurnMark
from memex_tui.screens.base import AreaScreen
from memex_tui.screens.sessions.walking import MOST, Walk
from memex_tui.screens.sessions.widgets import FindLine
from memex_tui.widgets.scrolling import set_frame
from memex_tui.widgets.transcript_view import TranscriptView

NOT_KEPT = (
    "The conversation {session} is not kept here.\n\n"
    "`memex capture` takes in the conversations that the agents on this machine still have."
)
Jump = Callable[..., int]

TURNS = "search"  # the lane that conversations are read in: no walk or look at the index is before them
DEBOUNCE = 0.15  # seconds between a key and the search for it
TICK = 0.1  # seconds between looks at a search that takes long
MARKED = 600  # turns before and after the cursor in which found words are marked


class Replaying(AreaScreen):
    """Shows the turns of one conversation at a time."""

    replay: TranscriptView

    def __init__(self) -> None:
        super().__init__()
        self._session = ""  # the conversation shown, or being opened
        self._talk: Conversation | None = None
        self._left: dict[str, int] = {}  # turns where conversations were left
        self._cited: Sequence[Fed] = ()
        self._walk: Walk | None = None
        self._aimed = False  # whether the search has brought the cursor to a match
        self._marked_at = 0  # the turn around which found words are marked
        self._jump = threading.Event()  # set: the way to a prompt is not wanted any more
        self._jumping: Jump | None = None  # the way that is being gone
        self._jumps = 0  # how often it is to be gone again
        self._find_timer: Timer | None = None
        self._tick_timer: Timer | None = None

    if TYPE_CHECKING:

        def _tell(self) -> None: ...

    @property
    def find_line(self) -> FindLine:
        return self.query_one(FindLine)

    def on_unmount(self) -> None:
        self._stop_walks()

    def _stop_walks(self) -> None:
        self._jump.set()
        if self._walk is not None:
            self._walk.stopped.set()
        if self._find_timer is not None:  # typed for the conversation that is left
            self._find_timer.stop()

    # -- turns --------------------------------------------------------------------------------------

    def _open(self, session: str, turn: int = 0, *, again: bool = False) -> None:
        """Show a conversation at a turn, or where it was left; ``again``: it may have grown."""
        if session == self._session and not again:
            if turn and self._talk is not None:
                self.replay.go_to(turn)
                self._tell()
            return
        self._leave()
        turn = turn or self._left.get(session, 0)
        if session != self._session:
            self._stop_walks()
            self._walk, self._cited = None, ()
            self.find_line.display = False
        self._session = session
        if not again:
            self._talk = None
        self.ask(
            "session",
            lambda memex: open_session(memex, session),
            lambda found: self._opened(found, turn),
            lambda error: self._not_opened(session, error),
            lane=TURNS,
        )

    def _leave(self) -> None:
        if self._session and self._talk is not None:
            self._left[self._session] = self.replay.number

    def _opened(self, found: Conversation, turn: int) -> None:
        before, self._talk = self._talk, found
        if before is not None and before.session == found.session and before.numbers == found.numbers:
            self._tell()
            return
        self.replay.show(found.numbers, self._want, turn=turn)
        self._mark()
        self._tell()
        here, history = self.place(), self.memex_app.history
        if here is not None and self.is_current and history.here is not None and history.here.same(here):
            history.visit(here)  # its title is known only now
            self.refresh_frame()

    def _not_opened(self, session: str, error: MemexError) -> None:
        self._talk = None
        if not isinstance(error, NotFound):
            self.memex_app.report(error)
            self._session = ""  # asked for again, it is tried again
        known = isinstance(error, NotFound)
        self.replay.clear(NOT_KEPT.format(session=session) if known else error.message)
        self._tell()

    def _show_nothing(self, text: str) -> None:
        self._stop_walks()
        self._session, self._talk, self._walk, self._cited = "", None, None, ()
        self.find_line.display = False
        self.replay.clear(text)
        self._tell()

    def _want(self, first: int, last: int) -> None:
        session = self._session

        def loaded(found: list[Turn]) -> None:
            if session == self._session:
                self.replay.turns_loaded(found, first, last)
                self._tell()

        def failed(error: MemexError) -> None:
            self.replay.turns_failed()
            self.memex_app.report(error)

        call = partial(turns, session=session, first=first, last=last)
        self.ask("turns", call, loaded, failed, lane=TURNS)

    def on_transcript_view_moved(self, event: TranscriptView.Moved) -> None:
        event.stop()
        if self._walk is not None and abs(event.number - self._marked_at) > MARKED // 2:
            self._mark()
        self._tell()

    def on_transcript_view_chosen(self, event: TranscriptView.Chosen) -> None:
        event.stop()
        self.do_sessions_fold()

    def _frame_replay(self) -> None:
        talk, number = self._talk, self.replay.number
        if talk is None:
            set_frame(self.replay, "replay" if self._session else "sessions")
            return
        room = max(self.replay.size.width - 6, 12)
        about = [one for one in (talk.agent, talk.started[:10]) if one]
        if talk.numbers:
            about.append(f"turn {number:,} of {len(talk.numbers):,}")
        set_frame(self.replay, cut(printable(talk.title), room), " · ".join(about))

    # -- marks ----------------------------------------------------------------------------------------

    def _mark(self, around: int = 0) -> None:
        """Letters beside the turns that pages cite, and the found words in the turns around one, by default
        the one under the cursor."""
        # What proves a page and what does not is told in Sources.
        marks = {turn: TurnMark("❝", "turn--evidence") for page in self._cited for turn in page.turns}
        walk, self._marked_at = self._walk, around or self.replay.number
        for turn in walk.around(self._marked_at, MARKED) if walk is not None else ():
            quote = Quote(walk.words[turn], "turn--current-quote")  # type: ignore[union-attr]
            letter, style, _ = marks.get(turn, TurnMark("·", "turn--other"))
            marks[turn] = TurnMark(letter, style, (quote,))
        self.replay.set_marks(marks)

    def _cite(self, pages: Sequence[Fed]) -> None:
        self._cited = pages
        self._mark()

    # -- jumping ----------------------------------------------------------------------------------------

    def _go_to(self, number: int) -> None:
        self.replay.go_to(number)
        self._tell()

    def do_sessions_next_prompt(self) -> None:
        self._to_prompt(next_prompt)

    def do_sessions_previous_prompt(self) -> None:
        self._to_prompt(previous_prompt)

    def _to_prompt(self, jump: Jump) -> None:
        if self._jumping is jump and not self._jump.is_set():
            self._jumps += 1
            return
        self._jump.set()
        self._jump, self._jumps = threading.Event(), 0
        self._go_to_prompt(jump, self._jump)

    def _go_to_prompt(self, jump: Jump, given_up: threading.Event) -> None:
        session, number = self._session, self.replay.number
        self._jumping = jump

        def find(memex: Memex) -> int:
            try:
                return jump(memex.store.layout, session, number, stop=given_up.is_set)
            except Stopped:
                return -1

        def arrived(found: int) -> None:
            self._jumping = None
            if given_up.is_set() or session != self._session:
                return
            if found > 0:
                self._go_to(found)
                if self._jumps:
                    self._jumps -= 1
                    self._go_to_prompt(jump, given_up)
            else:
                self.memex_app.toast(f"No typed prompt {'below' if jump is next_prompt else 'above'}")

        self.ask("prompt", find, arrived, self._no_prompt)

    def _no_prompt(self, error: MemexError) -> None:
        self._jumping = None
        self.memex_app.report(error)

    def do_sessions_next_cited(self) -> None:
        self._to_cited(1)

    def do_sessions_previous_cited(self) -> None:
        self._to_cited(-1)

    def _to_cited(self, step: int) -> None:
        cited = {turn for page in self._cited for turn in page.turns}
        number = next_cited(cited, self.replay.number, step)
        if number:
            self._go_to(number)
        else:
            where = ("below" if step > 0 else "above") if cited else "in this conversation"
            self.memex_app.toast(f"No page cites a turn {where}")

    # -- folding ----------------------------------------------------------------------------------------

    def do_sessions_fold(self) -> None:
        if not self.replay.fold():
            self.memex_app.toast("This turn has no tool call", hint="t unfolds them all")

    def do_sessions_tools(self) -> None:
        self.replay.fold_all()

    # -- searching in the turns ---------------------------------------------------------------------------

    def do_sessions_find(self) -> None:
        line = self.find_line
        line.display = True
        line.field.focus()
        line.field.action_select_all()
        self.refresh_keys()

    def do_sessions_find_close(self) -> None:
        if not self.find_line.field.value.strip():
            self.find_line.display = False
        self.replay.focus()

    def _look_for(self, event: Input.Changed) -> None:
        if self._find_timer is not None:
            self._find_timer.stop()
        self._find_timer = self.set_timer(DEBOUNCE, self._search)

    def _search(self) -> None:
        """Look for what stands in the field, from the turn under the cursor on."""
        if self._walk is not None:
            self._walk.stopped.set()
        words = wanted(self.find_line.field.value)
        self._aimed = False
        if words is None or self._talk is None:
            self._walk = None
            self.find_line.say("")
            self._mark()
            return
        walk = self._walk = Walk(self._session, words, max(self.replay.number, 1))
        self.ask("find", walk.run, self._searched, self._not_searched)
        self._tick_timer = self.set_timer(TICK, self._tick)

    def _tick(self) -> None:
        """While a search goes on: show what it has found so far."""
        walk = self._walk
        if walk is None or walk.done:
            return
        if self._session == walk.session:
            self._follow_walk(walk)
        self._tick_timer = self.set_timer(TICK, self._tick)

    def _searched(self, walk: Walk) -> None:
        if walk is self._walk:
            self._follow_walk(walk)

    def _not_searched(self, error: MemexError) -> None:
        self._walk = None
        self.memex_app.report(error)

    def _follow_walk(self, walk: Walk) -> None:
        if not self._aimed:
            first = walk.next(walk.start, 0)
            if first:
                self._aimed = True
                self._mark(first)
                self._go_to(first)
        if walk.done:
            self._mark()
        self._say_found()

    def _say_found(self) -> None:
        walk = self._walk
        if walk is None or not self.find_line.display:
            return
        count, place = len(walk.found), walk.place(self.replay.number)
        more = "+" if not walk.done or count >= MOST else ""
        if not count:
            text = "no turn says this" if walk.done else "searching …"
        else:
            text = f"{place:,} of {count:,}{more}" if place else f"{count:,}{more} turn{'s' * (count != 1)}"
        self.find_line.say(text, bad=walk.done and not count)

    def do_sessions_next_match(self) -> None:
        self._to_match(1)

    def do_sessions_previous_match(self) -> None:
        self._to_match(-1)

    do_sessions_find_next = do_sessions_next_match
    do_sessions_find_previous = do_sessions_previous_match

    def _to_match(self, step: int) -> None:
        walk = self._walk
        if walk is None:
            self.do_sessions_find()
            return
        number = walk.next(self.replay.number, step)
        if number:
            self._mark(number)
            self._go_to(number)
        elif not walk.done:
            self.memex_app.toast("Still searching …")
