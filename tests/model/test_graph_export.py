import json
import xml.etree.ElementTree as ElementTree

import pytest

from memex_core.model.errors import BadInput
from memex_core.model.graph_export import (
    FORMATS,
    Edge,
    Graph,
    Node,
    as_dict,
    export,
    from_dict,
    known_edges,
    relation,
    ring_points,
)
from memex_core.model.graph_rings import distances, neighbours, rings

GRAPH = Graph(
    nodes=(
        Node("a.md", "Rate limits", "fact", "api", 5),
        Node("b/c.md", 'Quo"te [x] <b> # `c` \\', "rule", "api", 2, False, 1),
        Node("Ghost", "Ghost", "", "", 1, True, 1),
        Node("d.md", "日本語\x1b[0m\nzwei", "fact", "api", 1, False, 2),
    ),
    edges=(
        Edge("a.md", "b/c.md", "supersedes"),
        Edge("b/c.md", "a.md", "mentions"),
        Edge("a.md", "Ghost"),
        Edge("a.md", "Ghost"),
        Edge("b/c.md", "d.md", 'part "of"'),
        Edge("a.md", "elsewhere.md"),
    ),
    focus="a.md",
    omitted=3,
)


def test_dictionaries_go_both_ways() -> None:
    assert from_dict(as_dict(GRAPH)) == GRAPH
    assert from_dict(json.loads(export(GRAPH, "json"))) == GRAPH
    assert from_dict({"nodes": [{"id": "x", "title": "X", "odd": 1}], "edges": []}) == Graph(
        (Node("x", "X"),)
    )


def test_edges_to_nowhere_and_doubles_are_left_out() -> None:
    assert len(known_edges(GRAPH)) == 4
    assert [relation(edge) for edge in known_edges(GRAPH)] == ["supersedes", "", "", 'part "of"']


def test_mermaid() -> None:
    assert export(GRAPH, "mermaid").splitlines() == [
        "flowchart LR",
        '    n0["Rate limits"]',
        '    n1["Quo#quot;te [x] #lt;b#gt; #35; #96;c#96; \\"]',
        '    n2["Ghost"]',
        '    n3["日本語␛[0m zwei"]',
        '    n0 -->|"supersedes"| n1',
        "    n1 --> n0",
        "    n0 --> n2",
        '    n1 -->|"part #quot;of#quot;"| n3',
        "    classDef ghost stroke-dasharray: 4 4",
        "    class n2 ghost",
        "    classDef focus stroke-width: 3px",
        "    class n0 focus",
    ]


def test_dot() -> None:
    text = export(GRAPH, "dot")
    assert text.startswith("digraph memex {\n")
    assert '    n1 [label="Quo\\"te [x] <b> # `c` \\\\"];' in text
    assert '    n2 [label="Ghost", style="rounded,dashed"];' in text
    assert '    n0 -> n1 [label="supersedes"];' in text
    assert text.endswith("}\n")


def test_canvas() -> None:
    canvas = json.loads(export(GRAPH, "canvas"))
    kinds = {card["id"]: (card["type"], card.get("file") or card.get("text")) for card in canvas["nodes"]}
    assert kinds["n0"] == ("file", "a.md")
    assert kinds["n2"] == ("text", "Ghost")
    boxes = [(card["x"], card["y"], card["width"], card["height"]) for card in canvas["nodes"]]
    for index, (x, y, width, height) in enumerate(boxes):
        for a, b, w, h in boxes[:index]:
            assert x + width <= a or a + w <= x or y + height <= b or b + h <= y
    assert {edge["id"]: edge.get("label") for edge in canvas["edges"]} == {
        "e0": "supersedes", "e1": None, "e2": None, "e3": 'part "of"',
    }  # fmt: skip


def test_svg_is_well_formed_and_safe() -> None:
    root = ElementTree.fromstring(export(GRAPH, "svg"))
    name = "{http://www.w3.org/2000/svg}"
    assert len(root.findall(f"{name}circle")) == 4
    assert len(root.findall(f"{name}line")) == 4
    shown = {text.text for text in root.iter(f"{name}text")}
    assert {"Rate limits", "Ghost", 'Quo"te [x] <b> # `c` \\', "supersedes"} <= shown


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize(
    "graph", [Graph(), Graph((Node("x", ""),)), Graph((Node("x", "X"),), (), "gone"), GRAPH]
)
def test_every_format_of_every_graph(format: str, graph: Graph) -> None:
    assert export(graph, format).endswith("\n")
    assert export(graph, format) == export(graph, format)
    assert "\x1b" not in export(graph, format)


def test_an_unknown_format_is_named() -> None:
    with pytest.raises(BadInput, match="'gif' is no graph format"):
        export(GRAPH, "gif")


def test_rings_stand_by_hops() -> None:
    ids = ["f", "a", "b", "a1", "a2", "lost"]
    edges = [("f", "a"), ("b", "f"), ("a", "a1"), ("a", "a2"), ("a", "a")]
    linked = neighbours(ids, edges)
    assert linked == {
        "f": ["a", "b"],
        "a": ["f", "a1", "a2"],
        "b": ["f"],
        "a1": ["a"],
        "a2": ["a"],
        "lost": [],
    }
    assert distances(ids, linked, "f") == {"f": 0, "a": 1, "b": 1, "a1": 2, "a2": 2, "lost": 3}
    places = rings(ids, edges, "f")
    assert {node: place.ring for node, place in places.items()} == distances(ids, linked, "f")
    assert len({place.angle for node, place in places.items() if node != "f"}) >= 4
    assert rings(ids, edges, "f") == places
    assert {place.ring for place in rings(ids, edges, "gone").values()} == {1}


def test_points_of_a_crowded_ring_keep_apart() -> None:
    nodes = tuple(Node(str(n), str(n), distance=min(n, 1)) for n in range(40))
    graph = Graph(nodes, tuple(Edge("0", str(n)) for n in range(1, 40)), "0")
    points = list(ring_points(graph, 100, 30).values())
    for index, (x, y) in enumerate(points):
        for a, b in points[:index]:
            assert (x - a) ** 2 + (y - b) ** 2 > 25**2
