"""Moving through the Review area, and from it to the pages and turns behind a proposal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from memex_tui.messages import Go, Place, open_page
from memex_tui.screens.base import AreaScreen
from memex_tui.screens.review import presenter
from memex_tui.screens.review.hunks import SIDES
from memex_tui.widgets.virtual_list import VirtualList

if TYPE_CHECKING:
    from memex_tui.screens.review.hunks import Change
    from memex_tui.screens.review.presenter import Item, Proof, Queue, Row
    from memex_tui.screens.review.widgets import HunkList


class Acting(AreaScreen):
    """Methods ``do_<command id>`` that write nothing."""

    queue: VirtualList[Row]
    hunks: HunkList
    proofs: VirtualList[Proof]
    _queue: Queue
    _rows: Sequence[Row]
    _kind: str
    _grouping: str

    if TYPE_CHECKING:

        @property
        def item(self) -> Item | None: ...
        @property
        def change(self) -> Change: ...
        @property
        def proof(self) -> Proof | None: ...
        def _list(self) -> None: ...
        def _lay_out(self, *, hunk: int = -1) -> None: ...
        def _redraw(self) -> None: ...
        def _tell(self) -> None: ...

    # -- moving -----------------------------------------------------------------------------------

    def on_virtual_list_selected(self, event: VirtualList.Selected) -> None:
        event.stop()
        if event.view is self.queue:
            self.do_review_look()
        elif event.view is self.proofs:
            self.run_command("review.turn")
        else:
            self.run_command("review.toggle")

    def do_review_look(self) -> None:
        if self.item is not None:
            self.add_class("-looking")
            (self.hunks if self.hunks.count or not self.proofs.count else self.proofs).focus()

    def do_review_back(self) -> None:
        self.remove_class("-looking")
        self.queue.focus()

    def do_review_mark(self) -> None:
        """The item, or on the head of a group all of it; then on to the next row."""
        row = self.queue.row
        if row is not None:
            self.queue.toggle_marks([one.id for one in row.members] if row.item is None else [row.key])
            self.queue.move(1)
            self._tell()

    def do_review_unmark(self) -> None:
        self.queue.clear_marks()
        self._tell()

    def do_review_next(self) -> None:
        self._step(1)

    def do_review_previous(self) -> None:
        self._step(-1)

    def _step(self, by: int) -> None:
        at = self.queue.cursor + by
        while 0 <= at < len(self._rows):
            if self._rows[at].item is not None:
                self.queue.move_to(at)
                return
            at += by

    def do_review_next_hunk(self) -> None:
        self._to_hunk(1)

    def do_review_previous_hunk(self) -> None:
        self._to_hunk(-1)

    def _to_hunk(self, by: int) -> None:
        number = self.hunks.hunk + by
        if 0 <= number < len(self.change.hunks):
            self.hunks.to_hunk(number)

    # -- hunks --------------------------------------------------------------------------------------

    def do_review_toggle(self) -> None:
        number, item = self.hunks.hunk, self.item
        if number < 0 or item is None or not item.partly:
            return
        sides = SIDES if item.kind == "conflict" else SIDES[:2]
        side = self.change.hunks[number].side
        self.change.take(number, sides[(sides.index(side) + 1) % len(sides)] if side in sides else "new")
        self._redraw()

    def do_review_only_hunk(self) -> None:
        number = self.hunks.hunk
        if number >= 0:
            self.change.take_all("old")
            self.change.take(number, "new")
            self._redraw()

    def do_review_every_hunk(self) -> None:
        self.change.take_all("old" if self.change.whole else "new")
        self._redraw()

    def do_review_split(self) -> None:
        number = self.hunks.hunk
        if number >= 0 and self.change.split(number):
            self._lay_out(hunk=number)
        elif number >= 0:
            self.memex_app.toast("This hunk is as small as can be", hint="e edits the text")

    # -- elsewhere ------------------------------------------------------------------------------------

    def do_review_turn(self) -> None:
        item, proof = self.item, self.proof
        if item is None:
            return
        if proof is not None and proof.session:
            title = f"{item.title or item.slug} · sources"
            self.post_message(Go(Place("sources", item.path, turn=proof.turn, title=title)))
        else:
            self.do_review_session()

    def do_review_session(self) -> None:
        item, proof = self.item, self.proof
        session = proof.session if proof is not None and proof.session else item.session if item else ""
        if session:
            turn = proof.turn if proof is not None and proof.session == session else 0
            title = self._queue.titles.get(session, session)
            self.post_message(Go(Place("sessions", session=session, turn=turn, title=title)))

    def do_review_page(self) -> None:
        item = self.item
        if item is not None:
            self.post_message(
                open_page(
                    item.target_path if item.kind != "dispute" and item.target_path else item.path,
                    title=item.title,
                )
            )

    # -- what is listed -------------------------------------------------------------------------------

    def do_review_kind(self) -> None:
        self._only(presenter.next_kind(self._kind, self._queue.items))

    def do_review_only_all(self) -> None:
        self._only("")

    def do_review_only_draft(self) -> None:
        self._only("draft")

    def do_review_only_change(self) -> None:
        self._only("change")

    def do_review_only_conflict(self) -> None:
        self._only("conflict")

    def do_review_only_dispute(self) -> None:
        self._only("dispute")

    def _only(self, kind: str) -> None:
        self._kind = kind
        self._list()

    def do_review_group(self) -> None:
        ring = presenter.GROUPINGS
        self._grouping = ring[(ring.index(self._grouping) + 1) % len(ring)]
        self._list()
