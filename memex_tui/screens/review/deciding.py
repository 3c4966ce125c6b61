"""Decisions of the Review area: what is decided leaves the queue at once, and comes back if it failed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from memex_core.memex import Memex
from memex_core.model.errors import MemexError
from memex_tui.messages import open_page
from memex_tui.render.text import counted
from memex_tui.screens.base import AreaScreen
from memex_tui.screens.review import judging, presenter
from memex_tui.screens.review.dialogs import DoubtCard, GroupCard, ReasonCard
from memex_tui.screens.review.presenter import Item

if TYPE_CHECKING:
    from memex_tui.screens.review.hunks import Change
    from memex_tui.screens.review.widgets import HunkList

UNDO = "u takes it back"


class Deciding(AreaScreen):
    """Methods ``do_<command id>`` that write."""

    hunks: HunkList
    _gone: set[str]  # decided, but perhaps still in the queue as it was read
    _kept: Mapping[str, Any]
    _finished: set[str]  # of those, the ones whose writing is over

    if TYPE_CHECKING:

        @property
        def item(self) -> Item | None: ...
        @property
        def group(self) -> Sequence[Item]: ...
        @property
        def marked(self) -> Sequence[Item]: ...
        @property
        def change(self) -> Change: ...
        def when_read(self, then: Callable[[], None]) -> None: ...
        def do_review_reload(self) -> None: ...
        def leave(self, items: Sequence[Item]) -> None: ...
        def come_back(self, items: Sequence[Item]) -> None: ...

    # -- one item -------------------------------------------------------------------------------

    def do_review_accept(self) -> None:
        """What nobody took apart yet is accepted whole, if its texts are read or not: keys may come fast."""
        item = self.item
        if item is not None and item.kind == "conflict":  # a menu knows no kinds
            self.do_review_theirs()
        elif item is not None and self._kept.get("of") == list(item.version):
            self.when_read(self._accept)
        elif item is not None:
            self._accept()

    def _accept(self) -> None:
        item, change = self.item, self.change
        if item is None:
            return
        if change.none:
            self.memex_app.toast("Every hunk is left out", hint="r rejects it all, * takes all hunks again")
            return
        text = None if change.whole else change.text()
        word = "Accepted" if change.whole else f"Accepted {taken(change)} of"
        self._decide([item], word, lambda memex: judging.accept(memex, [item], text))

    def do_review_theirs(self) -> None:
        self._of_conflict(self._theirs)

    def _of_conflict(self, then: Callable[[], None]) -> None:
        """When it is read; a key that came twice finds the next item there, which may be no conflict."""

        def when_read() -> None:
            if self.item is not None and self.item.kind == "conflict":
                then()

        self.when_read(when_read)

    def _theirs(self) -> None:
        if self.change.none:
            self.memex_app.toast("Every hunk is yours", hint="r keeps your text, * takes all of theirs again")
        else:
            self._keep(self.change.text(), "Took their text of")

    def do_review_both(self) -> None:
        self._of_conflict(self._both)

    def _both(self) -> None:
        self.change.take_all("both")
        self._keep(self.change.text(), "Kept both texts of")

    def _keep(self, text: str, word: str) -> None:
        item = self.item
        if item is not None:
            self._decide([item], word, lambda memex: judging.accept(memex, [item], text))

    def do_review_mine(self) -> None:
        item = self.item
        if item is not None:
            word = "Kept your text of"
            self._decide(
                [item], word, lambda memex: judging.reject(memex, [item], "the page's own text is kept")
            )

    def do_review_holds(self) -> None:
        item = self.item
        if item is not None:
            self._decide([item], "It holds:", lambda memex: judging.accept(memex, [item]))

    def do_review_doubt(self) -> None:
        item = self.item
        if item is not None:
            self._ask_why(DoubtCard, [item], "No longer in force:")

    def do_review_reject(self) -> None:
        item = self.item
        if item is not None:
            self._ask_why(ReasonCard, [item], "Rejected")

    def do_review_defer(self) -> None:
        item = self.item
        if item is not None:
            word = "Taken up again:" if item.deferred else "Put off"
            self._decide([item], word, lambda memex: judging.defer(memex, item))

    # -- several: a group, or what is marked ------------------------------------------------------

    def do_review_accept_group(self) -> None:
        self._accept_all(self.group, "What is in this group")

    def do_review_accept_marked(self) -> None:
        self._accept_all(self.marked, "What is marked")

    def do_review_reject_group(self) -> None:
        self._reject_all(self.group, "What is in this group")

    def do_review_reject_marked(self) -> None:
        self._reject_all(self.marked, "What is marked")

    def do_review_defer_marked(self) -> None:
        items = tuple(one for one in self.marked if not one.deferred)
        if items:
            self._decide(items, "Put off", lambda memex: judging.defer_all(memex, items))
        else:
            self.memex_app.toast("What is marked is put off already", hint="d without marks takes it up")

    def _accept_all(self, among: Sequence[Item], name: str) -> None:
        items = self._alike(among, name, "draft", "change")
        if items:
            title = f"accept {counted(len(items), 'item')}"
            if len(items) < len(among):
                title = f"accept {len(items):,} of {len(among):,}, the others are decided one by one"
            call: Callable[[Memex], Any] = lambda memex: judging.accept(memex, items)  # noqa: E731
            self.app.push_screen(GroupCard(title, items, lambda: self._decide(items, "Accepted", call)))

    def _reject_all(self, among: Sequence[Item], name: str) -> None:
        items = self._alike(among, name, "draft", "change", "conflict")
        if items:
            self._ask_why(ReasonCard, items, "Rejected")

    def _alike(self, among: Sequence[Item], name: str, *kinds: str) -> Sequence[Item]:
        """What can be decided alike."""
        items = tuple(one for one in among if one.kind in kinds)
        if not items:
            self.memex_app.toast(f"{name} is decided one by one")
        return items

    def _ask_why(self, kind: type[ReasonCard | DoubtCard], items: Sequence[Item], word: str) -> None:
        name = items[0].title or items[0].slug
        title = name if len(items) == 1 else counted(len(items), "item")

        def done(typed: Sequence[str]) -> None:
            card.dismiss()
            why = " ".join(typed[0].split())
            self._decide(items, word, lambda memex: judging.reject(memex, items, why))

        card = kind(
            f"{word.lower()} · {title}", [("Why? Who proposed it is told; it may stay empty.", "")], done
        )
        self.app.push_screen(card)

    # -- writing ------------------------------------------------------------------------------------

    def _decide(self, items: Sequence[Item], word: str, call: Callable[[Memex], Any]) -> None:
        ids = {one.id for one in items}
        self._gone |= ids
        self.leave(items)

        def written(_: Any) -> None:
            self._finished.update(ids)
            self.memex_app.toast(presenter.decided(word, items), hint=UNDO)
            self.do_review_reload()

        def failed(error: MemexError) -> None:
            self._gone -= ids
            self.memex_app.report(error)
            self.come_back(items)
            self.do_review_reload()

        self.write(call, written, failed)

    # -- editing ------------------------------------------------------------------------------------

    def do_review_edit(self) -> None:
        if self.item is not None:
            self.when_read(self._edit)

    def _edit(self) -> None:
        item, change = self.item, self.change
        if item is None:
            return

        def edit(_: Any = None) -> None:
            self.memex_app.toast("^s saves the proposal; alt+5 comes back to decide")
            self.post_message(open_page(item.path, title=item.title, edit=True))

        if change.whole:
            edit()
        else:
            text = change.text()
            self.write(lambda memex: judging.revise(memex, item, text), edit)


def taken(change: Change) -> str:
    """``2 of 3 hunks``."""
    count = len(change.hunks)
    return f"{sum(hunk.side != 'old' for hunk in change.hunks)} of {counted(count, 'hunk')}"
