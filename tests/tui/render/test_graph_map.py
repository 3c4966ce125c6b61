import pytest

from memex_core.model.graph_export import Edge, Graph, Node
from memex_tui.render.graph_layout import SHORTEST, Spot, place, spots
from memex_tui.render.graph_look import legend, look_of
from memex_tui.render.graph_map import draw_map, nearest
from memex_tui.render.line import line_text, line_width
from memex_tui.render.picture import Picture
from memex_tui.render.text import printable, width
from tests.tui.frames import check_frame
from tests.tui.render.graphs import sample

SIZES = [(78, 20), (118, 36), (40, 12)]


def drawn(graph: Graph, columns: int, rows: int, selected: str = "", ascii_only: bool = False) -> Picture:
    points = place(graph, columns, rows)
    found = spots(graph, points, columns, rows)
    look = look_of(graph, ascii_only=ascii_only)
    return draw_map(graph, look, found, points, columns, rows, selected or graph.focus)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("count", [1, 2, 12, 24, 60])
def test_titles_never_overlap(size: tuple[int, int], count: int) -> None:
    graph = sample(count)
    found = spots(graph, place(graph, *size), *size)
    taken: dict[tuple[int, int], str] = {}
    for spot in found:
        assert 0 <= spot.x0 <= spot.x < spot.x1 <= size[0]
        for x in range(spot.x0, spot.x1):
            assert taken.setdefault((x, spot.y), spot.node.id) == spot.node.id
    for (x, y), node in taken.items():
        assert taken.get((x + 1, y), node) == node or (x + 1, y) not in taken


@pytest.mark.parametrize(
    ("size", "count", "least"), [((78, 20), 24, 22), ((118, 36), 60, 52), ((78, 20), 12, 12)]
)
def test_nearly_all_titles_can_be_read(size: tuple[int, int], count: int, least: int) -> None:
    graph = sample(count)
    found = spots(graph, place(graph, *size), *size)
    assert len(found) >= count - 2
    assert sum(bool(spot.label) for spot in found) >= least
    assert all(
        width(spot.label) >= SHORTEST or spot.label == printable(spot.node.title)
        for spot in found
        if spot.label
    )


def test_the_layout_is_the_same_every_time_and_keeps_the_focus_in_the_middle() -> None:
    graph = sample(24)
    points = place(graph, 100, 30)
    assert place(graph, 100, 30) == points
    assert points[graph.focus] == (50, 15)
    assert all(0 <= x <= 100 and 0 <= y <= 30 for x, y in points.values())


def test_a_known_picture_moves_little() -> None:
    before = sample(24)
    points = place(before, 100, 30)
    after = before._replace(nodes=before.nodes[:-1])
    cold, warm = place(after, 100, 30), place(after, 100, 30, points)
    shift = {
        node: abs(warm[node][0] - x) + abs(warm[node][1] - y)
        for node, (x, y) in points.items()
        if node in warm
    }
    assert sum(shift.values()) / len(shift) < 12
    assert cold.keys() == warm.keys()


@pytest.mark.parametrize("size", SIZES)
def test_lines_have_the_asked_width_and_spare_the_titles(size: tuple[int, int]) -> None:
    graph = sample(24)
    points = place(graph, *size)
    found = spots(graph, points, *size)
    picture = draw_map(graph, look_of(graph), found, points, *size, graph.focus)
    assert len(picture.lines) == size[1]
    assert {line_width(line) for line in picture.lines} == {size[0]}
    for spot in found:
        assert spot.label in line_text(picture.lines[spot.y])
    assert not any("⠀" < char <= "⣿" for spot in found for char in spot.label)


def test_nothing_is_drawn_for_nothing() -> None:
    assert drawn(Graph(), 10, 3).lines == [[("          ", ())]] * 3
    assert drawn(sample(3), 0, 0) == Picture([], [])
    assert place(sample(3), 0, 5) == {}


def test_tiny_canvases() -> None:
    for columns, rows in ((1, 1), (3, 2), (8, 1), (1, 30)):
        picture = drawn(sample(24), columns, rows)
        assert {line_width(line) for line in picture.lines} == {columns}


def test_relations_ghosts_and_counts_are_told_apart() -> None:
    graph = Graph(
        (Node("a", "Focus", "fact", degree=3), Node("b", "Typed", "rule", degree=5, distance=1),
         Node("c", "Gone", "", degree=1, ghost=True, distance=1)),
        (Edge("a", "b", "supersedes"), Edge("a", "c")), "a", 9,
    )  # fmt: skip
    picture = drawn(graph, 60, 14)
    text = "\n".join(line_text(line) for line in picture.lines)
    assert "supersedes" in text
    assert "+4" in text
    assert "+9 more" in text
    assert "◌" in text
    assert any(sign in text for sign in "▸◂▴▾")
    names = {name for line in picture.lines for _, names in line for name in names}
    assert {
        "graph--rel0-near",
        "graph--edge-near",
        "graph--ghost",
        "graph--focus",
        "graph--selected",
    } <= names
    shapes = [line_text(line) for line in legend(graph, look_of(graph))]
    assert shapes == ["● fact", "▲ rule", "◌ not written yet", "── link", "╌╌ supersedes"]


@pytest.mark.parametrize("ascii_only", [False, True])
def test_no_two_kinds_share_both_sign_and_colour(ascii_only: bool) -> None:
    kinds = (
        "decision entity episode event glossary list preference procedure rule session summary turn"
    ).split()
    graph = Graph(tuple(Node(kind, kind, kind=kind) for kind in kinds), (), "decision")
    look = look_of(graph, ascii_only=ascii_only, kinds=[*kinds, "fact", "list", "note", "question"])
    found = {(look.shape(node), *look.names(node)) for node in graph.nodes}
    assert len(found) == len(kinds)
    if not ascii_only:
        assert look.shape(Node("a", "a", kind="summary")) == "▤"  # as in the list of results


def test_without_braille() -> None:
    picture = drawn(sample(12), 78, 20, ascii_only=True)
    text = "".join(line_text(line) for line in picture.lines)
    assert not any("⠀" < char <= "⣿" for char in text)
    assert not set("●◆▲■◉▸◂") & set(text)
    assert {"-", "|", "/"} <= set(text)


def test_arrows_lead_to_linked_nodes_first() -> None:
    graph = Graph(
        tuple(Node(id, id) for id in "fabcd"),
        (Edge("f", "a"), Edge("b", "f"), Edge("f", "d")),
        "f",
    )
    cells = {"f": (20, 10), "a": (40, 10), "b": (20, 2), "c": (26, 10), "d": (38, 18)}
    boxes = draw_map(
        graph, look_of(graph), [Spot(Node(n, n), *cells[n], n, False) for n in cells],
        {n: (float(x), float(y)) for n, (x, y) in cells.items()}, 60, 20, "f",
    ).boxes  # fmt: skip
    places = {n: (float(x), float(y)) for n, (x, y) in cells.items()}
    assert nearest(graph, boxes, places, "f", 1, 0) == "a"
    assert nearest(graph, boxes, places, "f", 0, -1) == "b"
    assert nearest(graph, boxes, places, "f", 0, 1) == "d"
    assert nearest(graph, boxes, places, "f", -1, 0) is None
    assert nearest(graph, boxes, places, "a", -1, 0) == "f"
    assert nearest(graph, boxes, places, "c", -1, 0) == "f"  # not linked, but the only one there
    assert nearest(graph, boxes, places, "gone", 1, 0) in cells


@pytest.mark.parametrize("count", [5, 24, 60])
def test_arrows_reach_every_node_and_come_back(count: int) -> None:
    graph = sample(count)
    points = place(graph, 118, 36)
    found = spots(graph, points, 118, 36)
    boxes = draw_map(graph, look_of(graph), found, points, 118, 36, graph.focus).boxes
    cells = {spot.node.id: (float(spot.x), float(spot.y)) for spot in found}
    reached, queue = {graph.focus}, [graph.focus]
    for node in queue:
        for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            following = nearest(graph, boxes, cells, node, dx, dy)
            if following and following not in reached:
                reached.add(following)
                queue.append(following)
    assert len(reached) >= count * 0.85


@pytest.mark.parametrize(("count", "size"), [(12, (78, 20)), (24, (86, 30))])
def test_the_map_as_it_looks(count: int, size: tuple[int, int]) -> None:
    lines = [line_text(line).rstrip() for line in drawn(sample(count), *size).lines]
    check_frame(f"render/graph-map-{count}", "\n".join(lines) + "\n")
