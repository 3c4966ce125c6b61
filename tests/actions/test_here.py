"""Acts in a project's folder: what a scope means there, and pages of two projects with one name."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from memex_core.model.errors import Ambiguous, BadInput, NotFound
from tests.files.test_repository import repository


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    return repository(tmp_path / "shop", "git@github.com:ann/shop.git", "fix")


@pytest.fixture
def bakery(tmp_path: Path) -> Path:
    return repository(tmp_path / "bakery", "git@github.com:ann/bakery.git")


@pytest.fixture
def both(memex: Any, shop: Path, bakery: Path) -> Any:
    """The same page in two projects, and one for all."""
    for folder in (shop, bakery):
        memex.store.cwd = str(folder)
        memex.write(type="procedure", title="Deploy", body=f"Deploy the {folder.name}.", scope="project")
    memex.write(type="preference", title="Tabs", body="Deploy no tabs.")
    memex.store.cwd = ""
    return memex


def test_writing_takes_the_project_of_the_folder(memex: Any, shop: Path) -> None:
    memex.store.cwd = str(shop / ".git")
    done = memex.write(type="procedure", title="Deploy", body="x", scope="project")
    view = memex.show(done["path"])
    mine = memex.project()
    assert (view["scope"], view["project"]) == ("project", mine["project"])
    assert done["path"] == f"projects/{mine['project']}/procedures/deploy.md"
    assert (mine["name"], mine["branch"], mine["default_branch"], mine["pages"]) == ("shop", "fix", False, 1)
    branch = memex.write(type="procedure", title="Fix", body="x", scope="branch")
    assert memex.show(branch["path"])["front_matter"]["branch"] == "fix"
    assert memex.write(type="procedure", title="All", body="x")["path"] == "procedures/all.md"


def test_a_folder_that_is_none_needs_a_name(memex: Any, tmp_path: Path) -> None:
    memex.store.cwd = str(tmp_path)
    for scope in ("project", "branch"):
        with pytest.raises(BadInput, match="this folder is no project"):
            memex.write(type="procedure", title="Deploy", body="x", scope=scope)
    memex.write(type="procedure", title="Deploy", body="x", scope="project", project="shop")
    with pytest.raises(BadInput, match="no branch is checked out here"):
        memex.write(type="procedure", title="Fix", body="x", scope="branch", project="shop")
    assert memex.project()["project"] == ""
    assert memex.project(str(tmp_path))["reason"] == "none"


def test_reading_in_a_project_sees_its_pages_before_the_limit(both: Any, shop: Path, bakery: Path) -> None:
    both.store.cwd = str(shop)
    mine = both.project()["project"]
    for number in range(5):
        both.write(
            type="procedure",
            title=f"Deploy {number}",
            body="Deploy, deploy.",
            scope="project",
            project="bakery",
        )
    hits = both.recall("deploy", k=1, scope="project")["hits"]
    assert [hit["file_path"].split("projects/")[1] for hit in hits] == [f"{mine}/procedures/deploy.md"]
    assert both.list(scope="project", limit=1)["total"] == 1
    assert both.list(scope="project", project="bakery")["total"] == 6
    assert "Deploy the shop." in both.context("deploy", scope="project")["block"]
    assert "bakery" not in both.context("deploy", scope="project")["block"]
    assert len(both.recall("deploy", k=20)["hits"]) == 8
    block = both.context("deploy")["block"]
    assert "Deploy the shop." in block and "Deploy no tabs." in block
    assert "bakery" not in block
    both.store.cwd = str(bakery)
    assert "Deploy the bakery." in both.context("deploy")["block"]


def test_a_new_project_does_not_see_another_ones(both: Any, tmp_path: Path) -> None:
    both.store.cwd = str(repository(tmp_path / "new"))
    assert both.recall("deploy", scope="project")["hits"] == []
    assert both.list(scope="project")["total"] == 0


def test_one_name_in_two_projects(both: Any, shop: Path) -> None:
    with pytest.raises(Ambiguous) as caught:
        both.show("deploy")
    assert caught.value.message.count("procedures/deploy.md") == 2
    assert "--project" in caught.value.hint
    assert both.show("deploy", project="shop")["body"] == "Deploy the shop.\n"
    assert both.show("deploy", project="Bakery")["body"] == "Deploy the bakery.\n"
    with pytest.raises(NotFound):
        both.show("deploy", project="elsewhere")
    for act in (
        lambda: both.edit("deploy", append="x"),
        lambda: both.forget("deploy"),
        lambda: both.rename("deploy", "Other"),
        lambda: both.promote("deploy"),
        lambda: both.links("deploy"),
        lambda: both.trace("deploy"),
        lambda: both.merge("tabs", "deploy"),
    ):
        with pytest.raises(Ambiguous):
            act()
    one = {"project": "shop"}
    both.edit("deploy", append="More.", **one)
    assert both.show("deploy", **one)["body"].endswith("More.\n")
    assert len(both.history("deploy", **one)["events"]) == 2
    assert "+More." in both.diff("deploy", **one)["diff"]
    both.revert("deploy", **one)
    assert both.links("deploy", **one)["path"].startswith("projects/shop-")
    assert both.trace("deploy", **one)["slug"] == "deploy"
    assert both.graph(around="deploy", **one)["focus"].startswith("projects/shop-")
    assert both.promote("deploy", why="both do it", **one)["path"] == "procedures/deploy.md"
    assert both.read_bytes("deploy", scope="global").endswith(b"Deploy the shop.\n")
    assert both.demote("deploy", scope="global", project="shop", why="no")["scope"] == "project"
    assert both.forget("deploy", **one)["forgotten"] is True
    assert both.show("deploy")["body"] == "Deploy the bakery.\n"


def test_two_projects_of_one_name_are_told_apart(memex: Any, tmp_path: Path) -> None:
    ids = []
    for owner in ("ann", "ben"):
        memex.store.cwd = str(repository(tmp_path / owner / "shop", f"git@github.com:{owner}/shop.git"))
        memex.write(type="procedure", title="Deploy", body="x", scope="project")
        ids.append(memex.project()["project"])
    with pytest.raises(BadInput, match="the name of 2 projects") as caught:
        memex.show("deploy", project="shop")
    assert caught.value.hint == ", ".join(sorted(ids))
    assert memex.show("deploy", project=ids[0])["project"] == ids[0]


def test_the_reason_of_a_tier_is_on_record(both: Any) -> None:
    both.demote("tabs", project="shop", why="only here")
    event = both.history("tabs")["events"][0]
    assert (event["action"], event["detail"]["why"], event["detail"]["scope"]) == (
        "scope",
        "only here",
        ["global", "project"],
    )


@pytest.mark.parametrize("name", ["/", "//", "unknown", "Unknown", ".", "..", "\\"])
def test_what_names_no_project_is_refused(memex: Any, name: str) -> None:
    with pytest.raises(BadInput, match="is no project"):
        memex.write(type="entity", title="Till", body="x", scope="project", project=name)
    with pytest.raises(BadInput, match="is no project"):
        memex.recall("till", project=name)
    assert memex.list()["total"] == 0
