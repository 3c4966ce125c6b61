"""The neighbourhood as it was: a bar above the picture moves it through time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from memex_core.actions.history.past_graph import Stop, StorePast
from memex_core.memex import Memex
from memex_core.model.graph_export import Graph, Node
from memex_core.model.names import stem_of
from memex_tui.messages import open_page
from memex_tui.screens.graph import presenter
from memex_tui.screens.graph.presenter import LOADED, Card
from memex_tui.screens.time_bar import TimeBar, act_of, said

if TYPE_CHECKING:
    from memex_tui.screens.graph.screen import GraphScreen

NOT_YET = "The page was not there"


class Travelled(NamedTuple):
    """A moment: ``at`` counts the stops from the oldest. ``past`` is kept for the next one."""

    past: StorePast
    stops: tuple[Stop, ...]
    at: int
    graph: Graph


def travel(memex: Memex, past: StorePast | None, path: str, at: int | None, hops: int) -> Travelled:
    """The neighbourhood of the page now at ``path`` at stop ``at`` (None: now)."""
    store = memex.store
    if past is None or not past.is_of(store):
        past = StorePast(store)
    stops = past.stops_of(path)
    last = len(stops) - 1
    at = last if at is None else min(at, last)
    if at == last:
        return Travelled(past, stops, at, store.index.graph(path, hops=hops, limit=LOADED))
    return Travelled(past, stops, at, past.graph(path, stops[at].seq, hops=hops, limit=LOADED))


def what(stop: Stop) -> str:
    """What happened at a stop, in a few words."""
    if not stop.paths:
        return act_of("")
    more = f" and {len(stop.paths) - 1} more" if len(stop.paths) > 1 else ""
    return f"{act_of(stop.action)} {stem_of(stop.paths[0])}{more}"


class Travelling:
    """The part of the Graph area that moves through time."""

    def __init__(self) -> None:
        super().__init__()
        self.travelling = False
        self._past: StorePast | None = None
        self._stops: tuple[Stop, ...] = ()
        self._at: int | None = None  # the stop shown; None: now

    @property
    def _graph(self) -> GraphScreen:
        return self  # type: ignore[return-value]

    @property
    def in_the_past(self) -> bool:
        """Whether what is shown is not what is now."""
        return self.travelling and self._at is not None

    @property
    def _bar(self) -> TimeBar:
        found: TimeBar = self._graph.query_one(TimeBar)
        return found

    def do_graph_past(self) -> None:
        if self.travelling:
            self.do_graph_past_close()
        elif self._graph._where.path:
            self.travelling = True
            self._go(None)

    def do_graph_past_close(self) -> None:
        self.travelling, self._at = False, None
        self._bar.display = False
        self._graph._load(self._graph._where)

    def follow_time(self, select: str) -> bool:
        """After the neighbourhood of now was loaded: show that of the moment, and say so."""
        if not self.travelling:
            return False
        if not self._graph._where.path:
            self.travelling, self._at = False, None
            self._bar.display = False
            return False
        self._go(self._at)
        return True

    def _go(self, at: int | None) -> None:
        where, past = self._graph._where, self._past
        self._graph.ask("past", lambda memex: travel(memex, past, where.path, at, where.hops), self._arrived)

    def _arrived(self, found: Travelled) -> None:
        if not self.travelling:
            return
        bar = self._bar
        self._past = found.past
        if not found.stops:
            self.do_graph_past_close()
            self._graph.memex_app.toast("memex has not seen a page change yet")
            return
        if found.stops != self._stops or not bar.display:
            self._stops = found.stops
            bar.display = True
            bar.set_moments([stop.ts for stop in found.stops])
        stop = found.stops[found.at]
        self._at = found.at if found.at < len(found.stops) - 1 else None
        who = stop.actor.partition(":")[2] or stop.actor
        bar.show(found.at, said(found.at, len(found.stops), stop.ts, what(stop), who))
        self._graph.show_graph(found.graph, NOT_YET)
        self._graph.refresh_keys()

    def on_time_bar_moved(self, event: TimeBar.Moved) -> None:
        event.stop()
        bar = self._bar
        stop = self._stops[event.number]
        who = stop.actor.partition(":")[2] or stop.actor
        bar.show(event.number, said(event.number, len(self._stops), stop.ts, what(stop), who))
        self._go(event.number)

    # -- a page of then ---------------------------------------------------------------------------

    def _then(self) -> tuple[StorePast, int]:
        assert self._past is not None and self._at is not None
        return self._past, self._stops[self._at].seq

    def ask_past_card(self, graph: Graph, node: Node) -> None:
        """The card of a page as it was."""
        past, seq = self._then()
        card = presenter.node_card(graph, node)

        def read(memex: Memex) -> Card:
            return card._replace(text=presenter.beginning(past.text_at(node.id, seq), node.title))

        self._graph.ask("card", read, self._graph.show_card)

    def open_past(self, node: Node) -> None:
        """Read the page as it is now, wherever it went."""
        past, seq = self._then()

        def found(path: str) -> None:
            if path:
                self._graph.post_message(open_page(path, title=node.title))
            else:
                self._graph.memex_app.toast(f"{node.title} is not there any more", hint="R brings it back")

        self._graph.ask("now", lambda memex: past.path_now(node.id, seq), found)

    def do_graph_past_revert(self) -> None:
        node = self._graph.canvas.selected
        if node is None or node.ghost or not self.in_the_past:
            return
        past, seq = self._then()

        def revert(memex: Memex) -> dict[str, Any]:
            path = past.path_now(node.id, seq) or node.id
            return memex.revert(path, to=past.version_at(path, seq))

        def done(result: dict[str, Any]) -> None:
            text = (
                f"{node.title} is as it was" if result["reverted"] else f"{node.title} has this text already"
            )
            self._graph.memex_app.toast(text, hint="u takes it back" if result["reverted"] else "")

        self._graph.write(revert, done)

    # -- moving -----------------------------------------------------------------------------------

    def do_graph_past_older(self) -> None:
        self._bar.step(-1)

    def do_graph_past_newer(self) -> None:
        self._bar.step(1)

    def do_graph_past_day_before(self) -> None:
        self._bar.step_day(-1)

    def do_graph_past_day_after(self) -> None:
        self._bar.step_day(1)

    def do_graph_past_first(self) -> None:
        self._bar.to_end(last=False)

    def do_graph_past_now(self) -> None:
        self._bar.to_end(last=True)
