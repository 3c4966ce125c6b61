"""The graph as something to walk in: map, lanes and list of one neighbourhood with one selection."""

from __future__ import annotations

from collections.abc import Collection
from typing import ClassVar

from textual import events
from textual.binding import Binding
from textual.geometry import Region
from textual.message import Message
from textual.reactive import reactive
from textual.strip import Strip
from textual.widget import Widget

from memex_core.model.graph_export import Graph, Node
from memex_tui.render.graph_lanes import FOCUS, draw_lanes, draw_list, lanes_of, step_lanes, step_list
from memex_tui.render.graph_layout import place, spots
from memex_tui.render.graph_look import Look, legend, look_of
from memex_tui.render.graph_map import Points, draw_map, nearest
from memex_tui.render.hints import Hints
from memex_tui.render.line import Line, changed, fit_line, paint, stamp
from memex_tui.render.picture import Box, Picture
from memex_tui.render.wrap import wrap
from memex_tui.widgets.graph_styles import COMPONENTS, CSS
from memex_tui.widgets.palette import Palette

VIEWS = ("map", "lanes", "list")
CLOSEST, FARTHEST = 4.0, 0.5  # zoom


class GraphCanvas(Widget, can_focus=True):
    """Shows a graph around its focus; the owner loads neighbourhoods and hears what is chosen."""

    DEFAULT_CSS = CSS
    COMPONENT_CLASSES = COMPONENTS
    ALLOW_SELECT = False
    BINDINGS: ClassVar = [
        Binding("up", "step(0, -1)", "Up", show=False),
        Binding("down", "step(0, 1)", "Down", show=False),
        Binding("left", "step(-1, 0)", "Left", show=False),
        Binding("right", "step(1, 0)", "Right", show=False),
        Binding("enter", "open", "Open", show=False),
    ]

    hinting: reactive[bool] = reactive(False, repaint=False)

    class NodeMessage(Message):
        """Something about one node."""

        def __init__(self, view: GraphCanvas, node: Node) -> None:
            super().__init__()
            self.view = view
            self.node = node

        @property
        def control(self) -> GraphCanvas:
            return self.view

    class Highlighted(NodeMessage):
        """Another node is selected."""

    class Selected(NodeMessage):
        """A node was opened with Enter or a double click."""

    class HintChosen(NodeMessage):
        """A node was chosen by its hint letters (and is selected)."""

        def __init__(self, view: GraphCanvas, node: Node, purpose: str) -> None:
            super().__init__(view, node)
            self.purpose = purpose

    def __init__(
        self,
        *,
        view: str = "map",
        ascii_only: bool = False,
        empty: str = "No links yet",
        name: str | None = None,
        id: str | None = None,
        classes: str | None = None,
    ) -> None:
        """``view`` is ``map``, ``lanes`` or ``list``; ``ascii_only`` draws without braille and signs."""
        super().__init__(name=name, id=id, classes=classes)
        self._view = view
        self._ascii = ascii_only
        self._empty = empty
        self._by_group = False
        self._graph = Graph()
        self._by_id: dict[str, Node] = {}
        self._kinds: Collection[str] = ()
        self._look: Look = look_of(self._graph)
        self._lanes = lanes_of(self._graph)
        self._lane = FOCUS
        self._selected = ""
        self._places: Points = {}  # where nodes are at zoom 1
        self._cells: Points = {}  # the cells of their signs in the last picture
        self._zoom = 1.0
        self._pan = (0.0, 0.0)
        self._picture = Picture([], [])
        self._columns = 0  # of the picture
        self._palette = Palette(self)
        self._hints: Hints[Box] | None = None
        self._purpose = ""
        self._drag: tuple[int, int, bool] | None = None

    # -- the graph --------------------------------------------------------------------------

    @property
    def graph(self) -> Graph:
        """What is shown."""
        return self._graph

    def set_graph(self, graph: Graph, *, select: str = "", kinds: Collection[str] = ()) -> None:
        """Show a neighbourhood. Nodes that were there before keep their places around the focus; the
        selection is kept, or goes to ``select`` or to the focus. ``kinds`` are all kinds there are, so
        that each keeps its look from one neighbourhood to the next."""
        same_focus = graph.focus == self._graph.focus
        self._graph = graph
        self._by_id = {node.id: node for node in graph.nodes}
        self._kinds = kinds
        self._look = self._look_now()
        self._lanes = lanes_of(graph)
        self._hints = None
        self.hinting = False
        if not same_focus:
            self._pan = (0.0, 0.0)
            self._lane = FOCUS
        kept = self._selected if same_focus else ""
        wanted = [select, kept, graph.focus, *self._by_id]
        selected = next((node for node in wanted if node in self._by_id), "")
        changed = selected != self._selected
        self._selected = selected
        self._arrange(self._places)
        self.redraw()
        if changed and selected:
            self.post_message(self.Highlighted(self, self._by_id[selected]))

    def set_empty(self, text: str) -> None:
        """What is said when there is nothing to draw."""
        if text != self._empty:
            self._empty = text
            self.redraw()

    def colour_by(self, what: str) -> None:
        """Give colours and shapes by ``kind`` or by ``group``."""
        self._by_group = what == "group"
        self._look = self._look_now()
        self.redraw()

    def _look_now(self) -> Look:
        return look_of(self._graph, by_group=self._by_group, ascii_only=self._ascii, kinds=self._kinds)

    def legend(self) -> list[Line]:
        """What the colours, shapes and dashes mean, for a pane beside the canvas."""
        return legend(self._graph, self._look)

    @property
    def selected(self) -> Node | None:
        """The selected node."""
        return self._by_id.get(self._selected)

    def select(self, id: str) -> bool:
        """Select a node; False when it is not in the graph."""
        if id not in self._by_id:
            return False
        if id != self._selected:
            self._selected = id
            self._bring_into_sight()
            self.redraw()
            self.post_message(self.Highlighted(self, self._by_id[id]))
        return True

    @property
    def view(self) -> str:
        """``map``, ``lanes`` or ``list``."""
        return self._view

    def show_view(self, view: str) -> None:
        """Draw the same graph another way; the selection stays."""
        if view in VIEWS and view != self._view:
            self._view = view
            self.redraw()

    # -- moving -----------------------------------------------------------------------------

    def action_step(self, dx: int, dy: int) -> None:
        """Follow an arrow: on the map to the nearest linked node in that direction."""
        if not self._by_id:
            return
        if self._view == "map":
            found = nearest(self._graph, self._all_boxes(), self._cells, self._selected, dx, dy)
            if found:
                self.select(found)
            return
        if self._view == "lanes":
            stepped = step_lanes(self._lanes, self._selected, self._lane, dx, dy)
        else:
            stepped = step_list(self._lanes, self._selected, self._lane, dy or dx)
        if stepped is not None:
            self._lane = stepped[1]
            if stepped[0] == self._selected:
                self.redraw()
            self.select(stepped[0])

    def action_open(self) -> None:
        if self._selected in self._by_id:
            self.post_message(self.Selected(self, self._by_id[self._selected]))

    def pan(self, dx: float, dy: float) -> None:
        """Move the map by cells."""
        self._pan = (self._pan[0] + dx, self._pan[1] + dy)
        self.redraw()

    @property
    def zoom(self) -> float:
        """1.0 shows the whole neighbourhood."""
        return self._zoom

    def zoom_by(self, factor: float, x: float | None = None, y: float | None = None) -> None:
        """Zoom around a cell, by default the middle of the canvas."""
        old = self._zoom
        self._zoom = min(max(old * factor, FARTHEST), CLOSEST)
        middle_x, middle_y = self.size.width / 2, self.size.height / 2
        at_x = (middle_x if x is None else x) - middle_x
        at_y = (middle_y if y is None else y) - middle_y
        ratio = self._zoom / old
        self._pan = (at_x - (at_x - self._pan[0]) * ratio, at_y - (at_y - self._pan[1]) * ratio)
        self.redraw()

    def fit(self) -> None:
        """Show all of it again."""
        self._zoom = 1.0
        self._pan = (0.0, 0.0)
        self.redraw()

    def _point(self, x: float, y: float) -> tuple[float, float]:
        middle_x, middle_y = self.size.width / 2, self.size.height / 2
        zoom, (pan_x, pan_y) = self._zoom, self._pan
        return (x - middle_x) * zoom + middle_x + pan_x, (y - middle_y) * zoom + middle_y + pan_y

    def _bring_into_sight(self) -> None:
        """Pan as far as the selected node is out of sight."""
        if self._view != "map" or self._selected not in self._places:
            return
        x, y = self._point(*self._places[self._selected])
        width, height = self.size
        dx = min(width - 4 - x, 0) if x > width - 4 else max(4 - x, 0)
        dy = min(height - 1 - y, 0) if y > height - 1 else max(1 - y, 0)
        if not (0 <= x < width and 0 <= y < height):
            self._pan = (self._pan[0] + dx, self._pan[1] + dy)

    def _all_boxes(self) -> list[Box]:
        """The nodes in sight, and those out of sight at the cells where they would be."""
        seen = {box.id for box in self._picture.boxes}
        out = [(node, self._cells[node]) for node in self._by_id if node not in seen and node in self._cells]
        return [
            *self._picture.boxes,
            *(Box(node, int(x), int(x) + 1, int(y), int(x)) for node, (x, y) in out),
        ]

    # -- hints and mouse --------------------------------------------------------------------

    def show_hints(self, purpose: str = "select") -> int:
        """Put letters on the nodes in sight. ``purpose`` comes back in ``HintChosen``."""
        boxes = list({box.id: box for box in self._picture.boxes}.values())
        if boxes:
            self._hints = Hints(boxes)
            self._purpose = purpose
            self.hinting = True
            self.refresh()
        return len(boxes)

    def on_key(self, event: events.Key) -> None:
        if self._hints is None:
            return
        event.stop()
        event.prevent_default()
        letter = event.character if event.character and event.character.isalpha() else ""
        chosen = self._hints.type(letter) if letter and event.key != "escape" else None
        if chosen is not None or not letter or event.key == "escape":
            self._hints = None
            self.hinting = False
        self.refresh()
        if chosen is not None:
            self.select(chosen.id)
            self.post_message(self.HintChosen(self, self._by_id[chosen.id], self._purpose))

    def on_mouse_down(self, event: events.MouseDown) -> None:
        if event.button == 1:
            self._drag = (int(event.screen_x), int(event.screen_y), False)
            self.capture_mouse()

    def on_mouse_move(self, event: events.MouseMove) -> None:
        if self._drag is None or self._view != "map":
            return
        x, y, moved = self._drag
        dx, dy = int(event.screen_x) - x, int(event.screen_y) - y
        if dx or dy:
            self._drag = (x + dx, y + dy, True)
            self.pan(dx, dy)
        elif moved:
            self._drag = (x, y, True)

    def on_mouse_up(self, event: events.MouseUp) -> None:
        if self._drag is not None:
            self.release_mouse()
            if self._drag[2]:
                self.suppress_click()
            self._drag = None

    def on_click(self, event: events.Click) -> None:
        offset = event.get_content_offset(self)
        box = self._picture.at(offset.x, offset.y) if offset is not None else None
        if box is None or event.button != 1:
            return
        event.stop()
        self._lane = box.lane or self._lane
        self.select(box.id)
        if event.chain >= 2:
            self.action_open()

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        self._wheel(event, 1.15, -1)

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        self._wheel(event, 1 / 1.15, 1)

    def _wheel(self, event: events.MouseEvent, factor: float, step: int) -> None:
        event.stop()
        if self._view == "map":
            offset = event.get_content_offset(self)
            self.zoom_by(factor, *(offset or (None, None)))
        else:
            self.action_step(0, step)

    # -- drawing ----------------------------------------------------------------------------

    def _arrange(self, previous: Points | None = None) -> None:
        width, height = self.size
        self._places = place(self._graph, width, height, previous)

    def on_resize(self, event: events.Resize) -> None:
        self._arrange()
        self.redraw()

    def redraw(self) -> None:
        """Draw again, and repaint only the cells that came out different."""
        old, columns = self._picture.lines, self._columns
        self._picture, self._columns = self._draw(), self.size.width
        new = self._picture.lines
        if len(old) != len(new) or columns != self._columns or self._hints is not None:
            self.refresh()
            return
        regions = [
            Region(x0, y, x1 - x0, 1)
            for y, (before, after) in enumerate(zip(old, new, strict=True))
            if (span := changed(before, after, columns)) is not None
            for x0, x1 in (span,)
        ]
        if regions:
            self.refresh(*regions)

    def _draw(self) -> Picture:
        width, height = self.size
        if not width or not height:
            return Picture([], [])
        if not self._by_id:
            said = [self._empty[start:stop] for start, stop in wrap(self._empty, width - 4)]
            lines = [[("  ", ()), (text, ("graph--empty",))] for text in said]
            above: list[Line] = [[]] * max((height - len(lines)) // 2, 0)
            return Picture([fit_line(line, width) for line in [*above, *lines, *[[]] * height][:height]], [])
        if self._view == "lanes":
            return draw_lanes(self._lanes, self._look, width, height, self._selected, self._lane)
        if self._view == "list":
            return draw_list(self._lanes, self._look, width, height, self._selected, self._lane)
        points = {node: self._point(x, y) for node, (x, y) in self._places.items()}
        found = spots(self._graph, points, width, height, keep=[self._selected])
        self._cells = {**points, **{spot.node.id: (spot.x, spot.y) for spot in found}}
        return draw_map(self._graph, self._look, found, points, width, height, self._selected)

    def notify_style_update(self) -> None:
        super().notify_style_update()
        self._palette.clear()

    def render_line(self, y: int) -> Strip:
        """One line of the picture."""
        width = self.size.width
        line = self._picture.lines[y] if y < len(self._picture.lines) else []
        if not line or width != self._columns:
            line = fit_line(line, width)
        if self._hints is not None:
            for label, box in self._hints.shown():
                if box.y == y:
                    line = fit_line(stamp(line, box.x, label, ("graph--hint",)), width)
        return paint(line, self._palette, cells=width)
