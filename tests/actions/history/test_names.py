"""Which page a name means that no page has now, and how far an undo reaches."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from memex_core import Memex
from memex_core.cli.paper import Paper
from memex_core.cli.parse import Request
from memex_core.cli.views import history as view
from memex_core.model.errors import Conflict, NotFound


@pytest.fixture
def linked(memex: Memex) -> Memex:
    """``old-name`` and ``linker``, which links to it."""
    memex.write(type="entity", title="Old Name", body="old words")
    memex.write(type="entity", title="Linker", body="see [[Old Name]]")
    return memex


def actions(memex: Memex, name: str) -> list[str]:
    return [event["action"] for event in memex.history(name)["events"]]


def text_of(memex: Memex, path: str) -> str:
    return (Path(memex.store.layout.pages) / path).read_text()


def test_a_name_of_before_a_rename_never_means_a_page_that_linked_to_it(linked: Memex) -> None:
    linked.rename("old-name", "New Name")
    linked.revert("new-name")
    linked.revert("old-name")
    linked.edit("linker", append="IMPORTANT")
    before = text_of(linked, "entities/linker.md")
    with pytest.raises(Conflict, match=r"entities/linker\.md changed"):
        linked.revert("old-name")
    assert text_of(linked, "entities/linker.md") == before
    assert linked.history("old-name")["path"] == "entities/new-name.md"


def test_the_history_of_a_former_name_says_where_the_page_went(
    linked: Memex, capsys: pytest.CaptureFixture[str]
) -> None:
    linked.rename("old-name", "New Name")
    linked.rename("new-name", "Third Name")
    found = linked.history("old-name")
    assert (found["path"], found["was"]) == ("entities/third-name.md", "entities/old-name.md")
    assert actions(linked, "old-name") == ["rename", "rename", "add"]
    assert "+title: Third Name" in linked.diff("old-name")["diff"]
    assert linked.history("third-name")["was"] == ""
    view.history(found, Paper(), Request())
    assert "entities/old-name.md is entities/third-name.md now" in " ".join(capsys.readouterr().out.split())
    linked.forget("third-name")
    assert linked.revert("old-name")["files"] == ["entities/third-name.md"]


def test_a_page_that_took_a_place_later_is_not_the_one_that_was_renamed_to_it(memex: Memex) -> None:
    memex.write(type="entity", title="First", body="1")
    memex.rename("first", "Second")
    memex.forget("second")
    memex.write(type="entity", title="Second", body="2")
    memex.rename("second", "Third")
    assert memex.history("first")["path"] == "entities/second.md"
    assert memex.history("third")["events"][0]["action"] == "rename"


def test_what_only_bears_a_name_is_no_page(memex: Memex) -> None:
    """A device, or a conversation, is the ``item`` of events about other files or about none."""
    page = Path(memex.write(type="episode", title="S5", body="what was said", session_id="s5")["file_path"])
    before = page.read_bytes()
    memex.forget("s5")
    memex.store.journal.append(
        [
            {"action": "learn", "item": "s5", "actor": "tester"},
            {"action": "ingest", "item": "s5", "file": "transcripts/s5.jsonl", "actor": "tester"},
            {"action": "sync", "item": "laptop", "file": "entities/rye.md", "actor": "tester"},
        ]
    )
    assert memex.history("s5")["path"] == "episodes/s5.md"
    assert actions(memex, "s5") == ["remove", "add"]
    assert memex.revert("s5")["files"] == ["episodes/s5.md"]
    assert page.read_bytes() == before
    for name in ("laptop", "transcripts/s5.jsonl"):
        with pytest.raises(NotFound):
            memex.history(name)


def test_a_page_of_another_project_does_not_answer(memex: Memex) -> None:
    for project in ("shop", "bakery"):
        memex.write(type="entity", title="Oven", body=f"of the {project}", scope="project", project=project)
    for act in (memex.history, memex.diff, memex.revert):
        with pytest.raises(NotFound):
            act("oven", project="elsewhere")
    memex.forget("oven", project="shop")
    memex.forget("oven", project="bakery")
    (path,) = memex.revert("oven", project="shop")["files"]
    assert "of the shop" in text_of(memex, path)
    with pytest.raises(NotFound):
        memex.revert("oven", scope="global")


def test_a_refused_undo_names_a_version_that_there_is(linked: Memex) -> None:
    linked.rename("old-name", "New Name")
    linked.edit("linker", append="more")
    with pytest.raises(Conflict) as refused:
        linked.revert("new-name")
    named = re.search(r"`memex revert (\S*linker\S*) --to (\d+)`", refused.value.hint or "")
    assert named is not None
    assert linked.revert(named[1], to=int(named[2]))["reverted"]
    linked.revert("new-name")
    assert "[[Old Name]]" in text_of(linked, "entities/linker.md")
    assert "old words" in text_of(linked, "entities/old-name.md")


def tags(memex: Memex, *names: str) -> list[list[str]]:
    return [memex.show(name)["tags"] for name in names]


def test_an_act_on_many_pages_is_undone_for_the_named_page_alone(
    memex: Memex, capsys: pytest.CaptureFixture[str]
) -> None:
    for title in ("One", "Two", "Three"):
        memex.write(type="entity", title=title, tags=["old"])
    memex.tags_rename("old", "new")
    tried = memex.revert("two", dry_run=True)
    assert (tried["files"], tried["left"]) == (["entities/two.md"], 2)
    view.revert(tried, Paper(), Request())
    assert "2 other pages changed in the same act stay as they are; --group takes them too" in " ".join(
        capsys.readouterr().out.split()
    )
    memex.revert("two")
    assert tags(memex, "one", "two", "three") == [["new"], ["old"], ["new"]]
    memex.revert("two")
    assert tags(memex, "one", "two", "three") == [["new"], ["new"], ["new"]]


def test_an_act_on_many_pages_is_undone_whole_when_asked(memex: Memex) -> None:
    for title in ("One", "Two", "Three"):
        memex.write(type="entity", title=title, tags=["old"])
    memex.tags_rename("old", "new")
    done = memex.revert("two", group=True)
    assert sorted(done["files"]) == ["entities/one.md", "entities/three.md", "entities/two.md"]
    assert done["left"] == 0
    assert tags(memex, "one", "two", "three") == [["old"], ["old"], ["old"]]
    assert memex.revert("one")["left"] == 2  # what undid many is an act on many itself
    assert tags(memex, "one", "two", "three") == [["new"], ["old"], ["old"]]


def test_what_was_undone_alone_does_not_stop_the_others(memex: Memex) -> None:
    for title in ("One", "Two", "Three"):
        memex.write(type="entity", title=title, tags=["old"])
    memex.tags_rename("old", "new")
    memex.revert("two")
    assert sorted(memex.revert("one", group=True)["files"]) == ["entities/one.md", "entities/three.md"]
    assert tags(memex, "one", "two", "three") == [["old"], ["old"], ["old"]]


def test_a_rename_is_undone_with_its_links(linked: Memex) -> None:
    linked.rename("old-name", "New Name")
    done: dict[str, Any] = linked.revert("new-name")
    assert sorted(done["files"]) == ["entities/linker.md", "entities/old-name.md"]
    assert done["left"] == 0
