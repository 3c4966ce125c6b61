"""A name that two pages have had: each keeps a history of its own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from memex_core import Memex
from memex_core.model.errors import BadInput, NotFound, Refused


@pytest.fixture
def two(memex: Any) -> Any:
    memex.write(type="entity", title="Alpha", body="first words")
    memex.edit("alpha", append="more")
    memex.rename("alpha", "Gamma")
    memex.write(type="entity", title="Alpha", body="second words")
    memex.edit("alpha", append="again")
    return memex


def actions(memex: Any, slug: str) -> list[str]:
    return [event["action"] for event in memex.history(slug)["events"]]


def test_history_ends_where_the_other_page_moved_away(two: Any) -> None:
    assert actions(two, "alpha") == ["update", "add"]
    assert actions(two, "gamma") == ["rename", "update", "add"]
    with pytest.raises(NotFound):
        two.revert("alpha", to=1)


def test_purging_one_leaves_the_undo_of_the_other(two: Any, root: Path) -> None:
    page = Path(two.show("alpha")["file_path"])
    two.purge("gamma", id=two.show("gamma")["id"])
    journal = (root / "journal.jsonl").read_text()
    assert "first words" not in journal
    two.revert("alpha")
    assert page.read_text().endswith("second words\n")


def test_a_forgotten_page_is_purged_by_its_id_only(memex: Any, root: Path) -> None:
    ident = memex.write(type="entity", title="Gone", body="hunter2 words")["id"]
    memex.forget("gone")
    with pytest.raises(Refused, match="needs its id"):
        memex.purge("gone")
    assert "hunter2" in (root / "journal.jsonl").read_text()
    assert memex.purge("gone", id=ident)["purged"] is True
    assert "hunter2" not in (root / "journal.jsonl").read_text()


def test_an_absolute_folder_is_no_folder_of_the_memory(two: Any, root: Path) -> None:
    for folder in ("/etc", "../x", "a/../../x", "~/x", "C:/x"):
        with pytest.raises(Refused):
            two.move("alpha", folder=folder)
    assert two.move("alpha", folder="notes/")["path"] == "notes/alpha.md"
    assert two.move("alpha", folder="/")["path"] == "alpha.md"


@pytest.mark.parametrize("slug", ["CON", "a:b", "x?", "sub/x", "..", "end.", "a\nb", "a\x1bb", ".hidden"])
def test_a_chosen_file_name_fits_every_system(root: Path, slug: str) -> None:
    root.mkdir()
    (root / "here.md").write_text("# Here\n")
    with Memex(root) as memex:
        with pytest.raises(BadInput):
            memex.write(type="entity", title="T", slug=slug)
        with pytest.raises(BadInput):
            memex.rename("here", "There", new_slug=slug)
        assert memex.write(type="entity", title="T", slug="A fine Name")["path"] == "A fine Name.md"
    assert sorted(path.name for path in root.glob("**/*.md")) == ["A fine Name.md", "here.md"]


def test_a_page_that_another_process_has_written_and_not_indexed_yet_gets_no_twin(memex: Any) -> None:
    from memex_core.files.commit import Edit, commit
    from memex_core.files.compose import new_page
    from memex_core.model.errors import AlreadyExists

    memex.list()
    data = new_page({"type": "entity", "title": "Twin"}, "the first\n")
    commit(
        memex.store.layout, [Edit("entities/twin.md", None, data)], action="add", item="twin", actor="human:b"
    )
    with pytest.raises(AlreadyExists):
        memex.write(type="entity", title="Twin", body="the second")
    assert [page["slug"] for page in memex.list()["pages"]] == ["twin"]
    assert memex.write(type="entity", title="Twin", body="the second", new=True)["slug"] == "twin-2"
