from pathlib import Path
from typing import Any

import pytest

from memex_core.index.groups import groups, members, projects, types
from memex_core.model.errors import BadInput
from memex_core.model.graph_export import Edge


@pytest.fixture
def db(memex: Any, root: Path) -> Any:
    """Three types, two projects, tags that overlap."""
    memex.write(type="entity", title="Ada", tags=["people"], body="Runs [[Shop]].")
    memex.write(
        type="entity", title="Shop", tags=["people", "shop"], project="bakery", body="See [[Deploy]]."
    )
    memex.write(
        type="procedure", title="Deploy", tags=["shop"], project="bakery", body="For [[Shop]], [[Ada]]."
    )
    memex.write(type="decision", title="Alone", body="No links.")
    return memex.store.index.db


def test_groups_by_type_are_joined_by_their_pages_links(db: Any) -> None:
    graph = groups(db, "type")
    assert [(node.id, node.title, node.kind) for node in graph.nodes] == [
        ("type:entity", "entity · 2", "group"),
        ("type:decision", "decision · 1", "group"),
        ("type:procedure", "procedure · 1", "group"),
    ]
    assert graph.edges == (  # two links lead from the procedure, one to it
        Edge("type:procedure", "type:entity"),
        Edge("type:entity", "type:procedure"),
    )
    assert [node.degree for node in graph.nodes] == [2, 0, 2]


def test_groups_by_tag_folder_and_project(db: Any) -> None:
    tags = groups(db, "tag")
    assert [(node.group, node.title) for node in tags.nodes] == [
        ("people", "people · 2"),
        ("shop", "shop · 2"),
        ("", "untagged · 1"),
    ]
    assert tags.edges == (Edge("tag:people", "tag:shop"),)
    assert {node.title for node in groups(db, "project").nodes} == {"bakery · 2", "no project · 2"}
    folders = {path.split("/")[0] for (path,) in db.execute("SELECT path FROM page")}
    assert {node.group for node in groups(db, "folder").nodes} == folders
    assert len(folders) > 1


def test_the_largest_groups_are_kept_and_the_rest_counted(db: Any) -> None:
    graph = groups(db, "type", limit=1)
    assert [node.group for node in graph.nodes] == ["entity"]
    assert (graph.edges, graph.omitted) == ((), 2)


def test_a_group_opens_into_its_pages_most_linked_first(db: Any) -> None:
    graph = members(db, "type", "entity")
    assert [(node.title, node.degree) for node in graph.nodes] == [("Shop", 3), ("Ada", 2)]
    assert [(edge.src.rpartition("/")[2], edge.dst.rpartition("/")[2]) for edge in graph.edges] == [
        ("ada.md", "shop.md")
    ]
    assert [node.title for node in members(db, "tag", "SHOP", limit=1).nodes] == ["Shop"]
    assert members(db, "tag", "shop", limit=1).omitted == 1
    assert [node.title for node in members(db, "tag", "").nodes] == ["Alone"]
    assert {node.title for node in members(db, "project", "").nodes} == {"Ada", "Alone"}


def test_another_way_of_gathering_is_refused(db: Any) -> None:
    with pytest.raises(BadInput, match="'colour'"):
        groups(db, "colour")
    with pytest.raises(BadInput):
        members(db, "colour", "red")


def test_every_type_is_named_once(db: Any) -> None:
    assert types(db) == ["decision", "entity", "procedure"]
    assert projects(db) == ["bakery"]
