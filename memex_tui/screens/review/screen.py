"""The Review area: what waits at the left; at the right what would change, and why one may believe it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from textual.app import ComposeResult
from textual.containers import Container, Vertical

from memex_core.model import clock
from memex_core.model.errors import MemexError, StoreMissing
from memex_tui.messages import PagesChanged, Place
from memex_tui.render.line import Line
from memex_tui.screens.base import Item as PageItem
from memex_tui.screens.review import layout, presenter
from memex_tui.screens.review.acting import Acting
from memex_tui.screens.review.comparing import Comparing
from memex_tui.screens.review.deciding import Deciding
from memex_tui.screens.review.hunks import Change
from memex_tui.screens.review.presenter import GROUPINGS, KINDS, Item, Proof, Queue, Row
from memex_tui.screens.review.widgets import About, EmptyNote, HunkList, KindBar, draw_proof, draw_row
from memex_tui.widgets.rows import RowState
from memex_tui.widgets.scrolling import set_frame
from memex_tui.widgets.virtual_list import VirtualList

PROOF_LINES = 3


class ReviewScreen(Comparing, Acting, Deciding):
    """The queue, and the item under its cursor."""

    AREA = "review"
    CSS_PATH = "review.tcss"
    CRUMBS = True
    HELP_TEXT = (
        "Nothing that an agent proposes is in force before you say so. Under the item stand the turns it "
        "rests on, with whether its quotes were found there. Hunks are taken or left one by one: + comes, "
        "− goes, · is a blank at a line's end. What is decided leaves the queue; u takes it back."
    )

    def __init__(self) -> None:
        super().__init__()
        self.queue = VirtualList[Row](self._draw, row_height=2, empty="", id="queue", classes="pane")
        self.hunks = HunkList()
        self.proofs = VirtualList[Proof](
            self._draw_proof, row_height=PROOF_LINES, empty="", id="proofs", classes="pane"
        )
        self._queue = Queue()
        self._rows: Sequence[Row] = ()
        self._kind = ""
        self._grouping = GROUPINGS[0]
        self._gone: set[str] = set()
        self._finished: set[str] = set()
        self._decided: set[str] = set()  # what was decided here and is no longer in the queue
        self._loaded = self._stale = False
        self._wanted: Sequence[str] = ()  # items to go to once the queue is read; the first that is there
        self._shown: Item | None = None
        self._read: Item | None = None  # the same with its texts, once they are known
        self._seen: Item | None = None  # the same with its evidence and checks
        self._then: list[Callable[[], None]] = []  # what was asked for before the texts were known
        self._change = Change("", "")
        self._changes: dict[tuple[str, ...], Change] = {}  # how hunks were decided, by item and version
        self._kept: Mapping[str, Any] = {}  # the same from the last session, of one item

    def compose_area(self) -> ComposeResult:
        with Container(id="panes"):
            with Vertical(id="waiting"):
                yield KindBar()
                yield self.queue
            with Vertical(id="decided"):
                yield About()
                yield self.hunks
                yield self.proofs
        yield EmptyNote()

    def on_mount(self) -> None:
        self.queue.focus()
        self.call_after_refresh(self.do_review_reload)

    def on_hunk_list_resized(self, event: HunkList.Resized) -> None:
        event.stop()
        self._lay_out(hunk=self.hunks.hunk if self.hunks.cursor else -1)

    def _draw(self, row: Row, cells: int, state: RowState) -> Sequence[Line]:
        return draw_row(row, cells, clock.today())

    def _draw_proof(self, row: Proof, cells: int, state: RowState) -> Sequence[Line]:
        return draw_proof(row, cells, self._queue.titles)

    # -- what is under the cursor -----------------------------------------------------------------

    @property
    def item(self) -> Item | None:
        """The item that commands mean, with its texts as soon as they are known."""
        row = self.queue.row if self.is_mounted else None
        item = row.item if row is not None else None
        read = self._read
        return read if item is not None and read is not None and read.id == item.id else item

    @property
    def group(self) -> Sequence[Item]:
        """The items of the group under the cursor."""
        row = self.queue.row if self.is_mounted else None
        if row is None:
            return ()
        if row.item is None:
            return row.members
        heads = [one for one in self._rows if row.item in one.members]
        listed = tuple(one.item for one in self._rows if one.item is not None)
        return heads[0].members if heads else listed

    @property
    def marked(self) -> Sequence[Item]:
        """The marked items that the list shows: what a filter hides is not decided unseen."""
        marked = self.queue.marked
        return tuple(row.item for row in self._rows if row.item is not None and row.key in marked)

    @property
    def change(self) -> Change:
        """The change of the item, with its hunks as decided."""
        return self._change

    @property
    def proof(self) -> Proof | None:
        """The evidence under the cursor; from elsewhere the first that names a turn."""
        if self.item is None:
            return None
        if self.focused is self.proofs:
            return self.proofs.row
        seen = self._seen.evidence if self._seen is not None else ()
        return next((one for one in seen if one.session), None)

    # -- what the frame asks ------------------------------------------------------------------

    def contexts(self) -> Sequence[str]:
        item = self.item
        found: list[str] = []
        if self.focused is self.queue:
            found += ["review.marked", "review.queue"] if self.marked else ["review.queue"]
        if item is not None:
            found += [f"review.{item.kind}"] if item.kind in ("conflict", "dispute") else []
            found += ["review.item"]
            found += ["review.hunks"] if self._change.hunks and item.partly else []
            found += ["review.several"] if len(self._change.hunks) > 1 else []
            found += ["review.proved"] if item.sessions else []
            found += ["review.every-kind"]
        if self.focused in (self.hunks, self.proofs):
            found.append("review.detail")
        if self._rows:
            found.append("review.not-empty")
        return [*found, "review"]

    def allowed(self, command: str) -> bool:
        name = command.removeprefix("review.")
        if name == "look":
            return self.item is not None
        if name in ("kind", "group"):
            return bool(self._queue.items)
        return True

    def current_item(self) -> PageItem | None:
        item = self.item
        return PageItem(item.path, item.title or item.slug) if item is not None else None

    async def visit(self, place: Place) -> None:
        wanted = place.extra.get("row")
        ids = [wanted] if isinstance(wanted, str) else []
        ids += [one.id for one in self._queue.items if place.path and place.path == one.path]
        self._wanted = ids
        self._to_wanted()

    def place(self) -> Place | None:
        item = self.item
        return Place("review", title="Review", extra={"row": item.id if item is not None else ""})

    def save_state(self) -> Mapping[str, Any]:
        item, change = self._shown, self._change
        kept = {"of": list(self._read.version)} if self._read is not None else {}
        few = len(change.hunks) <= 200 and not change.whole
        return {
            "kind": self._kind,
            "grouping": self._grouping,
            "row": self.queue.key,
            "looking": self.has_class("-looking"),
            "hunks": {**kept, "choices": change.choices()} if item is not None and few else {},
        }

    def restore_state(self, state: Mapping[str, Any]) -> None:
        kind, grouping, row = state.get("kind"), state.get("grouping"), state.get("row")
        self._kind = kind if kind in KINDS else ""
        self._grouping = grouping if grouping in GROUPINGS else GROUPINGS[0]
        self._wanted = [row] if isinstance(row, str) and row else []
        hunks = state.get("hunks")
        self._kept = hunks if isinstance(hunks, dict) else {}
        self.set_class(state.get("looking") is True, "-looking")

    def pages_changed(self, change: PagesChanged) -> None:
        if self.is_current:
            self.do_review_reload()
        else:
            self._stale = True

    def on_screen_resume(self) -> None:
        if self._stale:
            self.do_review_reload()

    # -- the queue ------------------------------------------------------------------------------

    def do_review_reload(self) -> None:
        self._stale = False
        finished = frozenset(self._finished)  # what is written is not in the answer any more
        known = self._queue.titles
        self.ask(
            "queue",
            lambda memex: presenter.load(memex, known),
            lambda queue: self._show(queue, finished),
            self._failed,
        )

    def _failed(self, error: MemexError) -> None:
        self._loaded = True
        if isinstance(error, StoreMissing):
            self._show(Queue(), frozenset())
            return
        if not self._queue.items:
            self._say_nothing(f"{error.message}\n\n{error.hint}".strip())
        self.memex_app.report(error)

    def _show(self, queue: Queue, finished: frozenset[str]) -> None:
        self._gone -= finished
        self._finished -= finished
        self._queue, self._loaded = queue, True
        known = {one.id: one.version for one in queue.items}
        self._changes = {key: change for key, change in self._changes.items() if known.get(key[0]) == key}
        back = [id for id in known if id in self._decided and id not in self._gone]  # by an undo
        self._decided = (self._decided | finished) - known.keys()
        if back:
            self._wanted = back
        elif not self._wanted and self.queue.key:  # the one under the cursor may be decided elsewhere
            self._wanted = [self.queue.key, *presenter.around(self._rows, {self.queue.key})]
        self._list()
        if queue.items and self.focused is None:
            self.queue.focus()

    def _list(self) -> None:
        """Show what the filter lets through, in its groups."""
        waiting = [one for one in self._queue.items if one.id not in self._gone]
        counts = presenter.counts(waiting)
        if self._kind and not counts[self._kind]:
            self._kind = ""
        self._rows = presenter.rows(self._queue, self._kind, self._grouping, self._gone)
        self.queue.set_rows(self._rows, lambda row: row.key)
        self.query_one(KindBar).show(counts, self._kind)
        by = f"by {self._grouping}" if self._grouping else "in order"
        set_frame(self.queue, "queue", by.replace("session", "conversation"))
        if waiting:
            self.remove_class("-none")
        elif self._loaded:
            self._say_nothing(presenter.HOW_THEY_COME)
        self._to_wanted()
        self._show_item()

    def _say_nothing(self, text: str) -> None:
        self.add_class("-none")
        self.remove_class("-looking")
        self.query_one(EmptyNote).say(text)

    def _to_wanted(self) -> None:
        """Go to the first of the items wanted that is listed; never stay on the head of a group at first."""
        if not self._loaded:
            return
        wanted, self._wanted = self._wanted, ()
        if any(self.queue.move_to_key(key) for key in wanted):
            return
        row = self.queue.row
        if row is not None and row.item is None and (wanted or self.queue.cursor == 0):
            self._step(1)

    def leave(self, items: Sequence[Item]) -> None:
        """Items are decided: the queue goes on to the next, and so does what was asked for meanwhile."""
        then = self._then
        self.queue.toggle_marks(self.queue.marked & {one.id for one in items})
        self._wanted = presenter.around(self._rows, {one.id for one in items})
        self._list()
        self._then = then

    def come_back(self, items: Sequence[Item]) -> None:
        """Items could not be decided: they are there again."""
        self._wanted = [one.id for one in items]
        self._list()

    def on_virtual_list_highlighted(self, event: VirtualList.Highlighted) -> None:
        event.stop()
        if event.view is self.queue:
            self._show_item()
        else:
            self.refresh_keys()

    # -- the item -------------------------------------------------------------------------------

    def _show_item(self) -> None:
        """Show what the cursor is on: what the queue says of it at once, its texts when they are read."""
        row = self.queue.row
        item = row.item if row is not None else None
        if item is not None:
            self.ask("look", lambda memex: presenter.read(memex, item), self._was_read, lambda _: None)
        same = item is not None and self._shown is not None and item.id == self._shown.id
        self._shown = item
        if not same:
            self._read = self._seen = None
            self._then = []
            self._show_seen()
            known = self._changes.get(item.version) if item is not None else None
            self._take_change(known or Change("", ""))
        if item is None:
            self.remove_class("-looking")
        self._tell()

    def when_read(self, then: Callable[[], None]) -> None:
        """Do something as soon as it is known how the hunks of the item under the cursor were decided."""
        if self._read is not None:
            then()
        else:
            self._then.append(then)

    def _was_read(self, item: Item) -> None:
        if self._shown is None or item.id != self._shown.id:
            return
        before, self._read = self._read, item
        self.ask("checks", lambda memex: presenter.look(memex, item), self._saw, lambda _: None)
        if before is None:
            self._show_seen()
        if before is None or before.version != item.version:
            self._show_change(item, hunk=self.hunks.hunk if before is not None else -1)
        if self._then:
            self._then.pop(0)()

    def _saw(self, item: Item) -> None:
        if self._shown is not None and item.id == self._shown.id:
            self._seen = item
            self._show_seen()

    def _show_seen(self) -> None:
        """Who, when and why; evidence and checks as far as they are known."""
        item = self._seen or self._read or self._shown
        session = next(iter(item.sessions), "") if item is not None else ""
        self.query_one(About).show(item, clock.today(), self._queue.titles.get(session, session))
        proofs = item.evidence if item is not None else ()
        self.proofs.set_rows(proofs, lambda row: row.key)
        self.proofs.styles.height = len(proofs) * PROOF_LINES + 2
        self.proofs.set_class(not proofs, "-bare")
        found = sum(one.found is True for one in proofs)
        set_frame(self.proofs, "evidence", f"{found} of {len(proofs)} found" if proofs else "")
        if not proofs and self.focused is self.proofs:
            self.hunks.focus()
        self.refresh_keys()

    def _tell(self) -> None:
        """Frames, breadcrumbs and keys as they are now."""
        if not self.is_mounted:
            return
        item, rows = self._shown, self._rows
        if item is not None:
            name = f"{presenter.WORDS.get(item.kind, item.kind)} · {item.title or item.slug}"
            said = layout.summary(self._change) if self._change.hunks else ""
            set_frame(self.hunks, layout.drawn(name), said)
        else:
            set_frame(self.hunks, "nothing under the cursor")
        listed = [row.item for row in rows if row.item is not None]
        line: Line = []
        if listed and item in listed:
            line = [(f"{listed.index(item) + 1:,} of {len(listed):,}", ("bar--muted",))]
        elif listed:
            line = [(presenter.kinds_told(listed), ("bar--muted",))]
        if self.marked:
            line = [(f"{len(self.marked):,} marked", ("bar--accent",)), (" · ", ("bar--faint",)), *line]
        self.set_status(line)
        self.refresh_keys()
