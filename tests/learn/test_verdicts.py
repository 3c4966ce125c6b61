"""What becomes of a note that is about a page the store has: no twin, but a source, a change or a conflict."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from memex_core import Memex
from tests.chat_server import ChatServer
from tests.learn.conftest import Talk, choose, note, said

RUFF = "For this project I prefer ruff over flake8 and always will."
OLD = "We lint with flake8 in every project."


@pytest.fixture
def linter(memex: Memex, talk: Talk, server: ChatServer) -> Memex:
    """A person's page about linting, and a conversation that concerns it."""
    memex.write(type="preference", title="Linter", body=OLD)
    talk("sess-1", RUFF, ("agent", "Understood."))
    choose(memex, server)
    return memex


def queue(memex: Memex) -> list[tuple[str, str]]:
    return [(item["kind"], item["target"]) for item in memex.review()["items"]]


def verdict_of(memex: Memex, slug: str) -> Any:
    return memex.history(slug)["events"][0]["detail"]["learned"]["verdict"]


def test_a_duplicate_adds_its_source_and_no_page(linter: Memex, server: ChatServer) -> None:
    server.says = [said(note(verdict="duplicate", page="linter", body=""))]
    report = linter.consolidate()
    assert report["duplicates"] == [{"title": "Ruff for linting", "page": "linter"}]
    assert report["nodes_created"] == report["nodes_updated"] == []
    assert queue(linter) == [("change", "linter")]
    (item,) = linter.review()["items"]
    assert (item["before"], item["after"]) == (item["after"], item["before"])  # the text stays
    linter.approve([item["slug"]])
    assert linter.trace("linter")["evidence"][0]["quote"] == "I prefer ruff over flake8"
    assert linter.show("linter")["body"].strip() == OLD


def test_an_evolution_is_a_proposed_change_of_the_page(linter: Memex, server: ChatServer) -> None:
    server.says = [said(note(verdict="evolution", page="Linter"))]
    report = linter.consolidate()
    assert (report["nodes_updated"], report["nodes_created"]) == (["linter"], [])
    assert linter.show("linter")["body"].strip() == OLD  # a person decides
    (item,) = linter.review()["items"]
    assert (item["kind"], item["target"], item["after"].strip()) == ("change", "linter", note()["body"])
    assert verdict_of(linter, item["slug"]) == "evolution"
    linter.approve([item["slug"]])
    assert linter.show("linter")["body"].strip() == note()["body"]
    linter.revert("linter")
    assert linter.show("linter")["body"].strip() == OLD


def test_a_contradiction_is_a_draft_that_names_its_rival(linter: Memex, server: ChatServer) -> None:
    server.says = [said(note(verdict="contradiction", page="linter"))]
    report = linter.consolidate()
    assert report["conflicts"] == [
        {"title": "Ruff for linting", "page": "ruff-for-linting", "against": "linter"}
    ]
    links = linter.show("ruff-for-linting")["front_matter"]["links"]
    assert links == [{"target": "linter", "rel": "contradicts"}]
    assert linter.show("linter")["body"].strip() == OLD
    (waiting,) = linter.review()["items"]
    assert waiting["why"] == "a new page; contradicts linter"
    linter.approve(["ruff-for-linting"])
    assert ("dispute", "linter") in queue(linter)


def test_an_independent_note_may_say_how_it_belongs_to_what_is_there(
    linter: Memex, server: ChatServer
) -> None:
    server.says = [said(note(links=["linter:supports", "no-such-page", "linter"]))]
    report = linter.consolidate()
    assert (report["links_added"], report["nodes_created"][0]["links"]) == (1, ["linter"])
    links = linter.show("ruff-for-linting")["front_matter"]["links"]
    assert links == [{"target": "linter", "rel": "supports"}]


@pytest.mark.parametrize("title", ["Linter", "LINTER", "linter"])
def test_a_note_of_a_page_s_name_changes_that_page(linter: Memex, server: ChatServer, title: str) -> None:
    """Whatever the model thinks: there is never a second page of the same name."""
    server.says = [said(note(title=title, type="procedure"))]
    report = linter.consolidate()
    assert (report["nodes_created"], report["nodes_updated"]) == ([], ["linter"])
    assert queue(linter) == [("change", "linter")]


def test_a_note_that_says_what_a_page_says_is_known(linter: Memex, server: ChatServer) -> None:
    server.says = [said(note(body="We lint with flake8, in every project!"))]
    report = linter.consolidate()
    assert report["duplicates"] == [{"title": "Ruff for linting", "page": "linter"}]


def test_a_draft_is_changed_in_place(memex: Memex, talk: Talk, server: ChatServer) -> None:
    talk("sess-1", RUFF)
    choose(memex, server)
    server.says = [
        said(note()),
        said(note(verdict="evolution", page="ruff-for-linting", body="Ruff, everywhere.")),
    ]
    memex.consolidate()
    talk("sess-2", RUFF, day="2026-11-21")
    report = memex.consolidate()
    assert report["nodes_updated"] == ["ruff-for-linting"]
    page = memex.show("ruff-for-linting")
    assert (page["body"].strip(), page["status"]) == ("Ruff, everywhere.", "draft")
    assert [row["session"] for row in memex.trace("ruff-for-linting")["evidence"]] == ["sess-1", "sess-2"]


def test_a_source_that_the_page_has_is_not_added_again(linter: Memex, talk: Talk, server: ChatServer) -> None:
    """A list that broke off after this note is asked for again."""
    repeated = note(verdict="duplicate", page="linter", body="")
    whole = said(repeated, note(title="Second", body="Another text."))
    server.says = [whole[:-30], said(repeated)]
    assert linter.consolidate()["failed"][0]["code"] == "cut-answer"
    linter.approve([linter.review()["items"][0]["slug"]])
    assert linter.consolidate()["duplicates"] == [{"title": "Ruff for linting", "page": "linter"}]
    assert queue(linter) == []
    assert len(linter.trace("linter")["evidence"]) == 1


def test_a_page_that_was_not_shown_cannot_be_repeated(linter: Memex, server: ChatServer) -> None:
    server.says = [said(note(verdict="duplicate", page="nowhere", body=""))]
    report = linter.consolidate()
    assert "'nowhere' that it repeats was not shown" in report["rejected"][0]["reason"]
    assert queue(linter) == []


def test_where_models_need_no_approval_pages_are_in_use_at_once(linter: Memex, server: ChatServer) -> None:
    config = Path(linter.root, "memex.toml")
    config.write_text(config.read_text() + '[governance]\nknowledge_approval = "auto"\n')
    linter.store.forget_config()
    evolved = note(verdict="evolution", page="linter", body="Ruff lints everything.")
    server.says = [said(note(title="New one", body="Something else entirely."), evolved)]
    linter.consolidate()
    assert linter.show("new-one")["status"] == "stable"
    assert linter.show("linter")["body"].strip() == "Ruff lints everything."
    assert queue(linter) == []


def test_what_holds_for_a_project_stays_in_it(memex: Memex, talk: Talk, server: ChatServer) -> None:
    talk("sess-1", RUFF, project="shop")
    choose(memex, server)
    server.says = [said(note(scope="project"), note(title="For all", body="Another text."))]
    memex.consolidate()
    assert memex.show("ruff-for-linting")["front_matter"]["project"] == "shop"
    assert "project" not in memex.show("for-all")["front_matter"]
    assert 'The project is called "shop"' in server.prompts[0]


def test_an_answer_that_comes_again_makes_no_second_page_and_no_second_source(
    linter: Memex, server: ChatServer
) -> None:
    """A list that broke off is asked for again; nobody has decided on its first notes meanwhile."""
    against = note(verdict="contradiction", page="linter", body="Ruff, never flake8.")
    repeated = note(title="Other", verdict="duplicate", page="linter", body="")
    server.says = [said(against, repeated, note(title="Third"))[:-30], said(against, repeated)]
    assert linter.consolidate()["failed"][0]["code"] == "cut-answer"
    before = queue(linter)
    again = linter.consolidate()
    assert (again["nodes_created"], again["nodes_updated"], queue(linter)) == ([], [], before)
    (change,) = [item for item in linter.review()["items"] if item["kind"] == "change"]
    assert len(linter.show(change["slug"])["sources"]) == 1


def test_a_name_that_only_a_deprecated_page_has_is_free(linter: Memex, server: ChatServer) -> None:
    linter.write(type="preference", title="Ruff for linting", body="Long ago.", status="deprecated")
    server.says = [said(note())]
    report = linter.consolidate()
    assert [row["slug"] for row in report["nodes_created"]] == ["ruff-for-linting-2"]


def test_a_page_of_its_own_name_can_be_contradicted(linter: Memex, server: ChatServer) -> None:
    server.says = [said(note(title="Linter", verdict="contradiction", page="linter"))]
    report = linter.consolidate()
    assert report["conflicts"] == [{"title": "Linter", "page": "linter-2", "against": "linter"}]
