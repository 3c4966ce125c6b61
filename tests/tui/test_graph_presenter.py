from pathlib import Path
from typing import Any

import pytest

from memex_core.model.errors import NotFound
from memex_core.model.graph_export import Edge, Graph, Node
from memex_tui.render.line import line_text
from memex_tui.screens.graph import presenter
from memex_tui.screens.graph.presenter import Loaded, Where


@pytest.fixture
def linked(memex: Any) -> Any:
    memex.write(type="entity", title="Ada", body="# Ada\n\nRuns [[Shop]]. Likes [[Tea]].", tags=["people"])
    memex.write(type="entity", title="Shop", body="See [[Deploy]].", links=["ada:owned-by"])
    memex.write(type="procedure", title="Deploy", body="Ask [[Ada|her]] first.")
    memex.write(type="decision", title="Alone", body="No links.")
    return memex


def path_of(memex: Any, title: str) -> str:
    return str(memex.show(title)["path"])


def names(graph: Graph) -> list[str]:
    return [node.title for node in graph.nodes]


def test_a_neighbourhood_is_loaded_by_any_name_and_says_which_page_it_is(linked: Any) -> None:
    loaded = presenter.load(linked, Where("ada", 1))
    assert (loaded.where.path, loaded.title) == (path_of(linked, "Ada"), "Ada")
    assert names(loaded.graph) == ["Ada", "Shop", "Deploy", "Tea"]
    assert loaded.types == ("decision", "entity", "procedure")
    assert presenter.load(linked, Where("ada")).where.hops == 2
    assert presenter.load(linked, Where("ada"), room=3).where.hops == 1
    assert presenter.load(linked, Where("ada", 3), room=3).where.hops == 3
    with pytest.raises(NotFound):
        presenter.load(linked, Where("nobody"))


def test_groups_and_their_pages_are_loaded_too(linked: Any) -> None:
    overview = presenter.load(linked, Where(by="type"))
    assert names(overview.graph) == ["entity · 2", "decision · 1", "procedure · 1"]
    inside = presenter.load(linked, Where(by="type", group="entity"))
    assert (inside.title, inside.where.mode) == ("entity", "group")
    assert set(names(inside.graph)) == {"Ada", "Shop"}
    assert presenter.load(linked, Where(by="tag", group="")).title == "without tag"


def some(count: int) -> Graph:
    kinds = ("fact", "rule")
    nodes = [Node(f"p{i}", f"P{i}", kinds[i % 2], distance=min(i, 1)) for i in range(count)]
    return Graph(
        (*nodes, Node("g", "G", ghost=True)), (Edge("p0", "p1"), Edge("p0", "g"), Edge("p1", "p2")), "p0", 5
    )


def test_sixty_nodes_are_drawn_and_the_rest_counted() -> None:
    seen = presenter.shown(some(90), ())
    assert len(seen.graph.nodes) == presenter.SHOWN == 60
    narrow = presenter.shown(some(90), (), presenter.SHOWN_NARROW)
    assert (len(narrow.graph.nodes), narrow.graph.omitted - seen.graph.omitted) == (30, 30)
    assert (seen.graph.omitted, seen.hidden) == (5 + 31, 0)


def test_hidden_types_make_room_for_others_and_never_hide_the_focus() -> None:
    seen = presenter.shown(some(90), {"fact", presenter.GHOST})
    assert {node.kind for node in seen.graph.nodes} == {"fact", "rule"}
    assert [node.id for node in seen.graph.nodes if node.kind == "fact"] == ["p0"]
    assert (len(seen.graph.nodes), seen.hidden, seen.graph.omitted) == (46, 45, 5)
    assert seen.graph.edges == (Edge("p0", "p1"),)


def test_types_are_counted_without_the_focus_ghosts_last() -> None:
    assert presenter.kinds(some(4)) == [("rule", 2), ("fact", 1), (presenter.GHOST, 1)]


def test_the_status_says_how_much_is_seen() -> None:
    graph = some(90)
    loaded = Loaded(Where("p0", 2), "P0", graph)
    line = line_text(presenter.status(loaded, presenter.shown(graph, {"rule"}), "map"))
    assert line == "2 hops · 46 of 51 · 45 hidden · map"
    one = Loaded(Where("p0", 1), "P0", Graph((Node("p0", "P0"),), (), "p0"))
    assert line_text(presenter.status(one, presenter.shown(one.graph, ()), "list")) == "1 hop · 1 page · list"
    groups = Loaded(Where(by="tag"), "Graph", Graph((Node("t", "t", "group"),)))
    assert (
        line_text(presenter.status(groups, presenter.shown(groups.graph, ()), "map"))
        == "by tag · 1 group · map"
    )


def test_the_ways_of_gathering_come_round() -> None:
    assert [presenter.next_by(by) for by in ("type", "folder", "project", "tag", "?")] == [
        "folder",
        "project",
        "tag",
        "type",
        "type",
    ]


def test_the_card_of_a_page_says_what_its_file_says(linked: Any) -> None:
    card = presenter.read_card(linked, path_of(linked, "Ada"))
    facts = [line_text(fact) for fact in card.facts]
    assert card.title == "Ada"
    assert facts[0] == "entity · people"
    assert facts[1].startswith("2 in · 1 out")
    assert facts[2] == path_of(linked, "Ada")
    assert card.text == "Runs [[Shop]]. Likes [[Tea]]."  # the heading only repeats the title
    assert presenter.sentence(card.text) == "Runs Shop. Likes Tea."


def test_ghosts_and_groups_have_cards_from_the_picture(linked: Any) -> None:
    graph = presenter.load(linked, Where("ada", 1)).graph
    ghost = next(node for node in graph.nodes if node.ghost)
    facts = [line_text(fact) for fact in presenter.node_card(graph, ghost).facts]
    assert facts == ["not written yet", "1 link to it", "← Ada", "", "⏎ writes it"]
    overview = presenter.load(linked, Where()).graph
    card = presenter.node_card(overview, overview.nodes[0])
    assert card.title == "entity"
    assert [line_text(fact) for fact in card.facts][:2] == ["2 pages", "joined to 1 of these groups"]
    page = next(node for node in graph.nodes if node.title == "Shop")
    assert line_text(presenter.node_card(graph, page).facts[1]) == "1 in · 2 out in this picture"


def test_the_first_sentence_skips_headings_code_and_signs() -> None:
    assert presenter.sentence("# T\n\n```sh\nrm\n```\n\n> **Bold** and [a link](x.md)") == "Bold and a link"
    assert presenter.sentence("\n\n") == ""
    assert presenter.sentence("a\x1b[31m [[x|y]]") == "a␛[31m y"


@pytest.mark.parametrize(
    ("path", "ending", "wanted"),
    [
        ("a.svg", "mmd", "a.mmd"),
        ("a.txt", "svg", "a.txt"),
        ("a", "dot", "a.dot"),
        ("b.c/a", "dot", "b.c/a.dot"),
        ("b/.a", "svg", "b/.a.svg"),
    ],
)
def test_the_ending_follows_the_format(path: str, ending: str, wanted: str) -> None:
    assert presenter.with_ending(path, ending) == wanted
    assert presenter.file_name("Quota [beta]: 日本", "svg").endswith("-graph.svg")


def test_nothing_kept_is_trusted(tmp_path: Path) -> None:
    odd = {"hops": 99, "by": ["x"], "group": 3}
    assert presenter.where_from(odd, "", 2, "type") == Where("", 2, "type", None)
    assert presenter.where_from({"hops": 3, "by": "tag", "group": ""}, "", 2, "type") == Where(
        "", 3, "tag", ""
    )
    assert presenter.where_from({"group": "x"}, "a.md", 2, "type").group is None
