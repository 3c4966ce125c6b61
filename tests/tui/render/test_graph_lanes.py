import pytest

from memex_core.model.graph_export import Edge, Graph, Node
from memex_tui.render.graph_lanes import (
    FOCUS,
    IN,
    OUT,
    draw_lanes,
    draw_list,
    lanes_of,
    list_rows,
    step_lanes,
    step_list,
)
from memex_tui.render.graph_look import look_of
from memex_tui.render.line import line_text, line_width
from tests.tui.frames import check_frame
from tests.tui.render.graphs import sample

GRAPH = Graph(
    (Node("f", "Focus", degree=4), Node("a", "Aa", degree=2, distance=1),
     Node("b", "Bb", degree=9, distance=1),
     Node("c", "Both", degree=1, distance=1), Node("g", "Ghost", ghost=True, distance=1),
     Node("z", "Far", distance=2)),
    (Edge("a", "f"), Edge("b", "f", "part of"), Edge("f", "c"), Edge("c", "f"), Edge("f", "g"),
     Edge("b", "z"), Edge("f", "f")),
    "f",
)  # fmt: skip


def test_lanes_sort_by_direction_and_links() -> None:
    lanes = lanes_of(GRAPH)
    assert [(entry.node.id, entry.rel, entry.both) for entry in lanes.sources] == [
        ("b", "part of", False), ("a", "", False), ("c", "", True),
    ]  # fmt: skip
    assert [(entry.node.id, entry.both) for entry in lanes.targets] == [("c", True), ("g", False)]
    assert [node.id for node in lanes.others] == ["z"]


def test_arrows_walk_the_lanes() -> None:
    lanes = lanes_of(GRAPH)
    assert step_lanes(lanes, "f", FOCUS, -1, 0) == ("a", IN)
    assert step_lanes(lanes, "a", IN, 0, 1) == ("c", IN)
    assert step_lanes(lanes, "c", IN, 0, 1) is None
    assert step_lanes(lanes, "c", IN, 1, 0) == ("f", FOCUS)
    assert step_lanes(lanes, "f", FOCUS, 1, 0) == ("g", OUT)
    assert step_lanes(lanes, "c", OUT, 0, 1) == ("g", OUT)
    assert step_lanes(lanes, "c", OUT, 1, 0) is None
    assert step_lanes(lanes, "z", FOCUS, 0, 1) is None
    assert step_lanes(lanes_of(Graph()), "", FOCUS, 1, 0) is None


def test_the_list_has_every_node() -> None:
    lanes = lanes_of(GRAPH)
    assert [(sign, node.id if node else "") for sign, node, _ in list_rows(lanes)] == [
        (" ", "f"), ("linked from (3)", ""), ("←", "b"), ("←", "a"), ("⇄", "c"),
        ("links to (2)", ""), ("⇄", "c"), ("→", "g"), ("2 hops (1)", ""), ("·", "z"),
    ]  # fmt: skip
    at, lane = "f", FOCUS
    seen = [at]
    while step := step_list(lanes, at, lane, 1):
        at, lane = step
        seen.append(at)
    assert seen == ["f", "b", "a", "c", "c", "g", "z"]
    assert step_list(lanes, "c", OUT, -1) == ("c", IN)
    assert step_list(lanes, "f", FOCUS, -1) is None


@pytest.mark.parametrize("size", [(78, 20), (40, 8), (12, 3), (1, 1)])
@pytest.mark.parametrize("count", [1, 3, 60])
def test_lines_have_the_asked_width(size: tuple[int, int], count: int) -> None:
    graph = sample(count)
    lanes, look = lanes_of(graph), look_of(graph)
    for draw in (draw_lanes, draw_list):
        for node in graph.nodes[:: max(count // 6, 1)]:
            picture = draw(lanes, look, *size, node.id, IN)
            assert {line_width(line) for line in picture.lines} == {size[0]}
            assert len(picture.lines) == size[1]


def test_the_selected_entry_is_always_in_sight() -> None:
    nodes = tuple(Node(f"n{n}", f"Page {n}", distance=min(n, 1)) for n in range(60))
    graph = Graph(nodes, tuple(Edge(f"n{n}", "n0") for n in range(1, 60)), "n0")
    lanes, look = lanes_of(graph), look_of(graph)
    for node in nodes:
        for draw in (draw_lanes, draw_list):
            picture = draw(lanes, look, 60, 10, node.id, IN)
            assert node.id in {box.id for box in picture.boxes}
            assert any(node.title in line_text(line) for line in picture.lines)


def test_boxes_find_the_node_under_a_cell() -> None:
    picture = draw_lanes(lanes_of(GRAPH), look_of(GRAPH), 78, 12, "f", FOCUS)
    for box in picture.boxes:
        found = picture.at(box.x, box.y)
        assert found is not None
        assert found.id == box.id
        assert line_text(picture.lines[box.y])[box.x] in "●◆▲■▼★◉◌"
    for x, y in ((-1, 0), (0, -1), (78, 12), (500, 500)):
        assert picture.at(x, y) is None


def test_lanes_and_list_as_they_look() -> None:
    graph = sample(24)
    lanes, look = lanes_of(graph), look_of(graph)
    for name, draw in (("lanes", draw_lanes), ("list", draw_list)):
        picture = draw(lanes, look, 78, 20, graph.focus, FOCUS)
        text = "\n".join(line_text(line).rstrip() for line in picture.lines) + "\n"
        check_frame(f"render/graph-{name}", text)
