from typing import Any

import pytest
from textual.app import App, ComposeResult
from textual.geometry import Region

from memex_core.model.graph_export import Edge, Graph, Node
from memex_tui.render.line import line_width
from memex_tui.widgets.graph_canvas import GraphCanvas
from tests.tui.brackets import AWKWARD, BRACKETS
from tests.tui.frames import check_frame, frame, running, settle, text_frame
from tests.tui.render.graphs import sample


class GraphApp(App[None]):
    def __init__(self, graph: Graph, view: str = "map") -> None:
        super().__init__()
        self.graph = graph
        self.view = view
        self.heard: list[tuple[str, str]] = []

    def compose(self) -> ComposeResult:
        yield GraphCanvas(view=self.view)

    def on_mount(self) -> None:
        self.canvas.focus()
        self.canvas.set_graph(self.graph)

    @property
    def canvas(self) -> GraphCanvas:
        return self.query_one(GraphCanvas)

    def on_graph_canvas_highlighted(self, event: GraphCanvas.Highlighted) -> None:
        self.heard.append(("highlighted", event.node.id))

    def on_graph_canvas_selected(self, event: GraphCanvas.Selected) -> None:
        self.heard.append(("selected", event.node.id))

    def on_graph_canvas_hint_chosen(self, event: GraphCanvas.HintChosen) -> None:
        self.heard.append((event.purpose, event.node.id))


def box_of(app: GraphApp, id: str) -> tuple[int, int]:
    box = next(box for box in app.canvas._picture.boxes if box.id == id)
    return box.x, box.y


async def test_arrows_and_enter() -> None:
    app = GraphApp(sample(12))
    async with running(app, (78, 20)) as pilot:
        assert app.heard == [("highlighted", "p0.md")]
        await pilot.press("right", "enter", "left")
        await settle(pilot)
        assert [kind for kind, _ in app.heard] == ["highlighted", "highlighted", "selected", "highlighted"]
        assert app.heard[1][1] == app.heard[2][1] != "p0.md"
        assert app.heard[3][1] == "p0.md"


async def test_views_share_one_selection() -> None:
    app = GraphApp(sample(12))
    async with running(app, (78, 20)) as pilot:
        app.canvas.select("p5.md")
        for view in ("lanes", "list", "map"):
            app.canvas.show_view(view)
            assert app.canvas.view == view
            await settle(pilot)
            assert app.canvas.selected is not None
            assert app.canvas.selected.id == "p5.md"
            assert any("Deploy checklist" in line for line in frame(app))
        app.canvas.show_view("lanes")
        await pilot.press("left", "left", "down")
        await settle(pilot)
        assert app.canvas.selected.id not in ("p5.md", "p0.md")
        app.canvas.show_view("nonsense")
        assert app.canvas.view == "lanes"


async def test_clicks_select_and_open() -> None:
    app = GraphApp(sample(12))
    async with running(app, (78, 20)) as pilot:
        await pilot.click(GraphCanvas, offset=box_of(app, "p3.md"))
        assert app.heard[-1] == ("highlighted", "p3.md")
        await pilot.click(GraphCanvas, offset=box_of(app, "p4.md"), times=2)
        assert app.heard[-1] == ("selected", "p4.md")
        count = len(app.heard)
        await pilot.click(GraphCanvas, offset=(0, 9))
        assert len(app.heard) == count


async def test_hints() -> None:
    app = GraphApp(sample(12))
    async with running(app, (78, 20)) as pilot:
        assert app.canvas.show_hints("peek") == 12
        await settle(pilot)
        x, y = box_of(app, "p0.md")
        assert frame(app)[y][x] == "a"
        await pilot.press("s")
        await settle(pilot)
        assert app.heard[-1][0] == "peek"
        assert not app.canvas.hinting
        app.canvas.show_hints()
        await pilot.press("escape")
        assert not app.canvas.hinting


async def test_zoom_and_pan_keep_to_the_pointer() -> None:
    app = GraphApp(sample(24))
    async with running(app, (100, 30)) as pilot:
        canvas = app.canvas
        x, y = box_of(app, "p0.md")
        canvas.zoom_by(2.0, x, y)
        await settle(pilot)
        assert abs(box_of(app, "p0.md")[0] - x) <= 1
        assert len(canvas._picture.boxes) < 24
        canvas.zoom_by(100)
        assert canvas.zoom == 4.0
        canvas.fit()
        await settle(pilot)
        assert canvas.zoom == 1.0
        assert box_of(app, "p0.md") == (x, y)
        await pilot.mouse_down(GraphCanvas, offset=(2, 2))
        await pilot.hover(GraphCanvas, offset=(12, 5))
        await pilot.mouse_up(GraphCanvas, offset=(12, 5))
        await settle(pilot)
        assert box_of(app, "p0.md") == (x + 10, y + 3)


async def test_a_node_out_of_sight_is_brought_back() -> None:
    app = GraphApp(sample(24))
    async with running(app, (100, 30)) as pilot:
        app.canvas.zoom_by(3.0)
        out = next(n.id for n in app.graph.nodes if n.id not in {b.id for b in app.canvas._picture.boxes})
        assert app.canvas.select(out)
        await settle(pilot)
        assert out in {box.id for box in app.canvas._picture.boxes}
        assert not app.canvas.select("nowhere.md")


async def test_a_live_change_keeps_selection_and_view() -> None:
    graph = sample(12)
    app = GraphApp(graph)
    async with running(app, (78, 20)) as pilot:
        app.canvas.select("p3.md")
        app.canvas.zoom_by(1.5)
        await settle(pilot)
        app.heard.clear()
        more = graph._replace(
            nodes=(*graph.nodes, Node("new.md", "New page", "fact", distance=1)),
            edges=(*graph.edges, Edge("new.md", "p0.md")),
        )
        app.canvas.set_graph(more)
        await settle(pilot)
        assert app.canvas.selected is not None
        assert (app.canvas.selected.id, app.canvas.zoom, app.heard) == ("p3.md", 1.5, [])
        app.canvas.set_graph(sample(12)._replace(focus="p3.md"))
        await settle(pilot)
        assert app.canvas.selected.id == "p3.md"
        app.canvas.set_graph(Graph())
        await settle(pilot)
        assert app.canvas.selected is None
        assert any("No links yet" in line for line in frame(app))
        await pilot.press("up", "down", "left", "right", "enter")
        assert app.canvas.show_hints() == 0


async def test_a_selection_repaints_less_than_the_canvas(monkeypatch: pytest.MonkeyPatch) -> None:
    app = GraphApp(sample(24))
    async with running(app, (100, 30)) as pilot:
        regions: list[Region] = []
        plain = app.canvas.refresh

        def refresh(*args: Region, **options: Any) -> Any:
            regions.extend(args or [app.canvas.size.region])
            return plain(*args, **options)

        monkeypatch.setattr(app.canvas, "refresh", refresh)
        app.canvas.redraw()
        assert regions == []
        await pilot.press("right")
        assert 0 < sum(region.area for region in regions) < 100 * 30


@pytest.mark.parametrize("view", ["map", "lanes", "list"])
async def test_any_title_at_any_size(view: str) -> None:
    titles = [*BRACKETS, *AWKWARD]
    nodes = tuple(Node(str(n), title, title, distance=min(n, 1)) for n, title in enumerate(titles))
    graph = Graph(nodes, tuple(Edge(str(n), "0", titles[n]) for n in range(1, len(titles))), "0")
    for size in ((80, 24), (9, 4), (1, 1)):
        app = GraphApp(graph, view)
        async with running(app, size) as pilot:
            await pilot.press("right", "down", "left", "up")
            app.canvas.show_hints()
            await settle(pilot)
            shown = text_frame(app)
            assert "\x1b" not in shown
            for line in shown.splitlines():
                assert line_width([(line, ())]) <= size[0]
            assert app.canvas.legend()


async def test_mouse_events_outside_are_harmless() -> None:
    app = GraphApp(sample(5))
    async with running(app, (40, 12)) as pilot:
        for x, y in ((-1, -1), (40, 12), (400, 0)):
            assert app.canvas._picture.at(x, y) is None
        await pilot.click(GraphCanvas, offset=(39, 11))
        await pilot.click(GraphCanvas, offset=(0, 0))
        await pilot.resize_terminal(20, 6)
        await settle(pilot)
        assert len(frame(app)) == 6


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_the_canvas_as_it_looks(size: tuple[int, int]) -> None:
    app = GraphApp(sample(24))
    async with running(app, size) as pilot:
        await pilot.press("right")
        await settle(pilot)
        check_frame(f"widgets/graph-{size[0]}x{size[1]}", text_frame(app))
