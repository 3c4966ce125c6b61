"""The Graph area: loads neighbourhoods for the canvas, and does what keys and clicks ask for."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical

from memex_core.index.groups import KIND
from memex_core.model.errors import Ambiguous, MemexError, NotFound, StoreMissing
from memex_core.model.graph_export import Graph, Node
from memex_tui.areas import NO_MEMORY
from memex_tui.messages import Go, PagesChanged, Place, new_page, open_graph, open_page
from memex_tui.render.text import content
from memex_tui.screens.base import AreaScreen, Item
from memex_tui.screens.graph import presenter
from memex_tui.screens.graph.dialogs import ExportCard, FindNode, TypesCard
from memex_tui.screens.graph.presenter import Card, Loaded, Shown, Where
from memex_tui.screens.graph.travelling import Travelling
from memex_tui.screens.graph.widgets import Legend, NodeCard, NodeStrip
from memex_tui.screens.time_bar import TimeBar
from memex_tui.widgets.graph_canvas import VIEWS, GraphCanvas

PAN = 6  # cells a key moves the map
ZOOM = 1.25
READABLE = {False: 16, True: 40}  # nodes with their titles, on a narrow and on a wide screen
WAIT = 0.04  # seconds a selection stands before its page is read: arrow keys may be held


class GraphScreen(Travelling, AreaScreen):
    """One neighbourhood, three drawings, one selection."""

    AREA = "graph"
    CSS_PATH = "graph.tcss"
    CRUMBS = True
    HELP_TEXT = (
        "The arrow keys follow links from page to page; enter reads the selected page, c makes it the middle "
        "and backspace goes back. v draws the same pages as map, lanes or list. o shows the whole memory as "
        "groups."
    )

    def __init__(self) -> None:
        super().__init__()
        plain = os.environ.get("TERM") == "linux"  # the console's fonts have no braille
        self.canvas = GraphCanvas(empty="", ascii_only=plain, id="picture", classes="pane")
        self._where = Where()
        self._loaded = Loaded(self._where, "Graph", Graph())
        self._shown = Shown(Graph(), 0)
        self._most = 0  # how many nodes were drawn at most
        self._hidden: set[str] = set()
        self._chosen_hops = 0  # as many as the person wants; 0: as many as can be read
        self._page_view = "map"  # the drawing chosen for pages; an overview has no lanes
        self._by_group = False
        self._begun = False
        self._stale = False
        self._wanted = ""  # the node to select when the answer comes
        self._card_timer: Any = None

    def compose_area(self) -> ComposeResult:
        yield TimeBar(id="graph-time")
        with Horizontal():
            yield self.canvas
            with Vertical(id="beside"):
                yield NodeCard(id="node-card", classes="pane")
                yield Legend(id="legend", classes="pane")
        with Vertical(id="under"):
            yield NodeStrip()
            yield Legend(flat=True, id="legend-row")

    def on_mount(self) -> None:
        self.query_one("#legend").border_title = "legend"
        self.canvas.focus()
        self.call_after_refresh(self._first)

    def _first(self) -> None:
        """Without a place to go to, begin where it ended, or with the overview."""
        if not self._begun:
            self._load(self._where, self._wanted)

    # -- what the frame asks ------------------------------------------------------------------

    def contexts(self) -> Sequence[str]:
        found = [f"graph.{self._where.mode}", "graph"]
        if self.focused is self.canvas:
            found.insert(0, "graph.canvas")
        return ["graph.past", *found] if self.travelling else found

    def allowed(self, command: str) -> bool:
        if command in ("graph.edit", "graph.centre", "graph.hints-centre"):
            if self.in_the_past:
                return False
            node = self.canvas.selected if self.is_mounted else None
            page = node is not None and not node.ghost and node.kind != KIND
            return page and (command == "graph.edit" or node.id != self._where.path)  # type: ignore[union-attr]
        if command == "graph.past-revert":
            return self.in_the_past
        if command in ("graph.open", "graph.hints", "graph.find", "graph.export"):
            return self.is_mounted and self.canvas.selected is not None
        if command in ("graph.view", "graph.types", "graph.gather", "graph.colour"):
            return bool(self._loaded.graph.nodes)
        if command == "graph.overview":
            return self._where.mode != "overview"
        if command in ("graph.zoom-in", "graph.zoom-out", "graph.fit"):
            return self.canvas.view == "map"
        if command == "graph.more-hops":
            return self._where.hops < presenter.MOST_HOPS
        if command == "graph.fewer-hops":
            return self._where.hops > 1
        return True

    def current_item(self) -> Item | None:
        node = self.canvas.selected if self.is_mounted else None
        if node is None or node.ghost or node.kind == KIND:
            return None
        return Item(node.id, node.title)

    async def visit(self, place: Place) -> None:
        where = presenter.where_from(place.extra, place.path, self._chosen_hops, self._where.by)
        selected = place.extra.get("selected")
        if selected is None and where.path == self._where.path and self.canvas.selected is not None:
            selected = self.canvas.selected.id  # the same picture again, as it was left
        self._load(where, selected if isinstance(selected, str) else "")

    def place(self) -> Place | None:
        selected = self.canvas.selected
        where = self._where
        extra = {"hops": where.hops, "by": where.by, "group": where.group}
        extra["selected"] = selected.id if selected is not None else ""
        title = self._loaded.title
        return Place("graph", where.path, title=f"{title} · graph" if where.path else title, extra=extra)

    def save_state(self) -> Mapping[str, Any]:
        where = self._where
        kept = {"path": where.path, "hops": self._chosen_hops, "by": where.by, "group": where.group}
        selected = self.canvas.selected.id if self.canvas.selected is not None else ""
        return {**kept, "view": self._page_view, "hidden": sorted(self._hidden), "selected": selected}

    def restore_state(self, state: Mapping[str, Any]) -> None:
        path, view, hidden = state.get("path"), state.get("view"), state.get("hidden")
        text = path if isinstance(path, str) else ""
        self._where = presenter.where_from(state, text, 0, self._where.by)
        self._chosen_hops = self._where.hops
        if view in VIEWS:
            self._page_view = str(view)
        if isinstance(hidden, list):
            self._hidden = {one for one in hidden if isinstance(one, str)}
        selected = state.get("selected")
        self._wanted = selected if isinstance(selected, str) else ""

    def pages_changed(self, change: PagesChanged) -> None:
        moved = {old: new for new, old in change.renamed.items()}
        self._where = self._where._replace(path=moved.get(self._where.path, self._where.path))
        node = self.canvas.selected
        self._wanted = moved.get(node.id, node.id) if node is not None else ""
        if self.is_current:
            self._load(self._where, self._wanted)
        else:
            self._stale = True

    def on_screen_resume(self) -> None:
        if self._stale:
            self._load(self._where, self._wanted)

    # -- loading ------------------------------------------------------------------------------

    def _load(self, where: Where, select: str = "") -> None:
        self._begun, self._stale = True, False
        room = READABLE[self.app.size.width >= 100]
        self.ask(
            "graph",
            lambda memex: presenter.load(memex, where, room),
            lambda loaded: self._show(loaded, select, where.path),
            lambda error: self._failed(where, error),
        )

    def _failed(self, where: Where, error: MemexError) -> None:
        if isinstance(error, StoreMissing):
            self.canvas.set_empty(NO_MEMORY)
            self.show_card(Card("", ()))
            return
        if not self._loaded.graph.nodes:
            self.canvas.set_empty(f"{error.message}\n{error.hint}".strip())
        self.memex_app.report(error)
        gone = where.path == self._loaded.where.path or not self._loaded.graph.nodes
        if gone and where.path and isinstance(error, NotFound | Ambiguous):
            self._load(where._replace(path="", group=None))

    def _show(self, loaded: Loaded, select: str, asked: str) -> None:
        self._take(loaded, asked)
        if self.follow_time(select):
            return
        self.canvas.set_empty("No pages yet")
        self._draw(select)

    def _take(self, loaded: Loaded, asked: str) -> None:
        if loaded.where.path != asked:  # it was called by another of its names
            self.memex_app.history.renamed({loaded.where.path: asked})
        self._where, self._loaded = loaded.where, loaded
        self.memex_app.history.leave(self.place())  # its title is known now

    def show_graph(self, graph: Graph, empty: str) -> None:
        """Draw another graph of the same neighbourhood."""
        self._loaded = self._loaded._replace(graph=graph)
        self.canvas.set_empty(empty)
        self._draw()

    def _draw(self, select: str = "") -> None:
        """Draw what was loaded, without the hidden types."""
        canvas = self.canvas
        hidden = self._hidden if self._where.mode != "overview" else set()
        self._most = self._room()
        self._shown = presenter.shown(self._loaded.graph, hidden, self._most)
        canvas.show_view(self._view())
        canvas.set_graph(self._shown.graph, select=select, kinds=self._loaded.types)
        canvas.border_title = content(f"graph · {self._loaded.title}" if self._where.path else self._title())
        self.query_one("#legend", Legend).show(canvas.legend())
        self.query_one("#legend-row", Legend).show(canvas.legend())
        self._tell()
        self._ask_card()

    def _room(self) -> int:
        """How many nodes the picture takes."""
        return presenter.SHOWN if self.app.size.width >= 100 else presenter.SHOWN_NARROW

    def on_resize(self) -> None:
        if self._most not in (0, self._room()):
            self._draw(self.canvas.selected.id if self.canvas.selected is not None else "")

    def _title(self) -> str:
        where = self._where
        if where.mode == "overview":
            return f"overview · by {where.by}"
        return f"{where.by} · {self._loaded.title}"

    def _view(self) -> str:
        """Lanes need a page in the middle."""
        return "map" if self._page_view == "lanes" and not self._where.path else self._page_view

    def _tell(self) -> None:
        self.set_status(presenter.status(self._loaded, self._shown, self.canvas.view))
        self.refresh_frame()

    # -- the selected node --------------------------------------------------------------------

    def on_graph_canvas_highlighted(self, event: GraphCanvas.Highlighted) -> None:
        event.stop()
        self.refresh_keys()
        self._ask_card()

    def _ask_card(self) -> None:
        if self._card_timer is not None:
            self._card_timer.stop()
        self._card_timer = self.set_timer(WAIT, self._read_card)

    def _read_card(self) -> None:
        node = self.canvas.selected
        if node is None:
            self.show_card(Card("", ()))
        elif node.ghost or node.kind == KIND:
            self.memex_app.gateway.drop("graph.card")
            self.show_card(presenter.node_card(self._shown.graph, node))
        elif self.in_the_past:
            self.ask_past_card(self._shown.graph, node)
        else:
            known = presenter.node_card(self._shown.graph, node)
            path = node.id
            self.ask(
                "card",
                lambda memex: presenter.read_card(memex, path),
                self.show_card,
                lambda _: self.show_card(known),
            )

    def show_card(self, card: Card) -> None:
        self.query_one(NodeCard).show(card)
        self.query_one(NodeStrip).show(card)

    def on_graph_canvas_selected(self, event: GraphCanvas.Selected) -> None:
        event.stop()
        self._open(event.node)

    def on_graph_canvas_hint_chosen(self, event: GraphCanvas.HintChosen) -> None:
        event.stop()
        if event.purpose == "centre":
            self.do_graph_centre()

    def _open(self, node: Node) -> None:
        if self.in_the_past and not node.ghost:
            self.open_past(node)
        elif node.kind == KIND:
            self._load(self._where._replace(path="", group=node.group))
        elif node.ghost:
            self.post_message(new_page(node.title))
        else:
            self.post_message(open_page(node.id, title=node.title))

    # -- commands -----------------------------------------------------------------------------

    def do_graph_left(self) -> None:
        self.canvas.action_step(-1, 0)

    def do_graph_right(self) -> None:
        self.canvas.action_step(1, 0)

    def do_graph_up(self) -> None:
        self.canvas.action_step(0, -1)

    def do_graph_down(self) -> None:
        self.canvas.action_step(0, 1)

    def do_graph_open(self) -> None:
        self.canvas.action_open()

    def do_graph_centre(self) -> None:
        node = self.canvas.selected
        if node is not None and not node.ghost and node.kind != KIND and node.id != self._where.path:
            self.post_message(open_graph(node.id, title=node.title))

    def do_graph_edit(self) -> None:
        node = self.canvas.selected
        if node is not None:
            self.post_message(open_page(node.id, title=node.title, edit=True))

    def do_graph_hints(self) -> None:
        self.canvas.show_hints("select")

    def do_graph_hints_centre(self) -> None:
        self.canvas.show_hints("centre")

    def do_graph_view(self) -> None:
        views = [view for view in VIEWS if view != "lanes" or self._where.path]
        at = views.index(self.canvas.view) if self.canvas.view in views else -1
        self._page_view = views[(at + 1) % len(views)]
        self.canvas.show_view(self._view())
        self._tell()

    def do_graph_more_hops(self) -> None:
        self._hops(1)

    def do_graph_fewer_hops(self) -> None:
        self._hops(-1)

    def _hops(self, by: int) -> None:
        hops = min(max(self._where.hops + by, 1), presenter.MOST_HOPS)
        if hops != self._where.hops:
            self._chosen_hops = hops
            self._load(self._where._replace(hops=hops))

    def do_graph_overview(self) -> None:
        if self._where.path:
            self.post_message(Go(Place("graph", title="Graph", extra={"by": self._where.by})))
        else:
            self.do_graph_out()

    def do_graph_out(self) -> None:
        group = self._where.group
        self._load(self._where._replace(path="", group=None), f"{self._where.by}:{group}")

    def do_graph_gather(self) -> None:
        self._load(self._where._replace(by=presenter.next_by(self._where.by), group=None))

    def do_graph_types(self) -> None:
        found = presenter.kinds(self._loaded.graph)
        self.app.push_screen(TypesCard(found, self._hidden, self._draw))

    def do_graph_find(self) -> None:
        self.app.push_screen(FindNode(self._shown.graph, self.canvas.select))

    def do_graph_export(self) -> None:
        folder = os.getcwd()
        folder = folder if os.access(folder, os.W_OK) else os.path.expanduser("~")
        name = presenter.file_name(self._loaded.title, presenter.FORMATS[0].ending)
        self.app.push_screen(ExportCard(self._shown.graph, os.path.join(folder, name)))

    def do_graph_colour(self) -> None:
        self._by_group = not self._by_group
        self.canvas.colour_by("group" if self._by_group else "kind")
        self.query_one("#legend", Legend).show(self.canvas.legend())
        self.query_one("#legend-row", Legend).show(self.canvas.legend())

    def do_graph_zoom_in(self) -> None:
        self.canvas.zoom_by(ZOOM)

    def do_graph_zoom_out(self) -> None:
        self.canvas.zoom_by(1 / ZOOM)

    def do_graph_fit(self) -> None:
        self.canvas.fit()

    def do_graph_pan_left(self) -> None:
        self.canvas.pan(PAN, 0)

    def do_graph_pan_right(self) -> None:
        self.canvas.pan(-PAN, 0)

    def do_graph_pan_up(self) -> None:
        self.canvas.pan(0, PAN // 2)

    def do_graph_pan_down(self) -> None:
        self.canvas.pan(0, -PAN // 2)
