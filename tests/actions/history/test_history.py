"""What the journal can bring back, and what a purge leaves of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from memex_core import Memex
from memex_core.index import earlier
from memex_core.model.errors import Conflict, NotFound, Refused


def test_each_version_comes_back(memex: Any) -> None:
    path = Path(memex.write(type="entity", title="Draft", body="one")["file_path"])
    versions = [path.read_bytes()]
    for body in ("two", "three", "four"):
        memex.edit("draft", body=body)
        versions.append(path.read_bytes())
    events = memex.history("draft")["events"]
    assert [event["action"] for event in events] == ["update", "update", "update", "add"]
    for event, text in zip(reversed(events), versions, strict=True):
        memex.revert("draft", to=event["seq"])
        assert path.read_bytes() == text


def test_a_forgotten_page_comes_back_byte_for_byte(memex: Any) -> None:
    path = Path(memex.write(type="entity", title="Lost", body="found")["file_path"])
    text = path.read_bytes()
    memex.forget("lost")
    assert not path.exists()
    memex.revert("lost")
    assert path.read_bytes() == text


def test_an_outside_edit_is_taken_back_and_comes_back(memex: Any) -> None:
    path = Path(memex.write(type="entity", title="Moving", body="one")["file_path"])
    memex.edit("moving", body="two")
    before = path.read_bytes()
    path.write_text("by hand\n")
    memex.look_again()
    assert "+by hand" in memex.diff("moving")["diff"]
    assert memex.revert("moving")["reverted"] == 3
    assert path.read_bytes() == before
    memex.revert("moving")
    assert path.read_text() == "by hand\n"


def test_outside_edits_in_quick_succession_are_one_change(
    memex: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = [1_000.0]
    monkeypatch.setattr(earlier, "now", lambda: at[0])
    path = Path(memex.write(type="entity", title="Typed", body="one")["file_path"])
    before = path.read_bytes()
    for words in ("first words\n", "first words and more\n", "all of it, at last\n"):
        path.write_text(words)
        memex.look_again()
        memex.list()
    hands = [one for one in memex.store.journal.read() if one["action"] == "hand"]
    assert [one["before"] is None for one in hands] == [False, True, True]
    diff = memex.diff("typed")["diff"].split("\n")
    assert "+all of it, at last" in diff and "-one" in diff
    assert "first words" not in memex.diff("typed")["diff"]
    at[0] += earlier.BURST
    path.write_text("much later\n")
    memex.look_again()
    memex.revert("typed")
    assert path.read_text() == "all of it, at last\n"
    assert memex.revert("typed", to=1)["to"] == 1
    assert path.read_bytes() == before


def test_what_was_removed_or_moved_outside_comes_back(memex: Any) -> None:
    path = Path(memex.write(type="entity", title="Kept", body="one")["file_path"])
    before = path.read_bytes()
    path.unlink()
    memex.look_again()
    memex.list()
    assert memex.revert("kept")["files"] == ["entities/kept.md"]
    assert path.read_bytes() == before
    path.rename(path.with_name("moved.md"))
    memex.look_again()
    memex.list()
    memex.revert("moved")
    assert path.read_bytes() == before and not path.with_name("moved.md").exists()


def test_an_edit_whose_earlier_text_nobody_knows_is_not_taken_back(memex: Any, root: Path) -> None:
    path = Path(memex.write(type="entity", title="Moving", body="one")["file_path"])
    (root / "texts.db").unlink()
    path.write_text("by hand\n")
    memex.look_again()
    with pytest.raises(Conflict, match="outside memex"):
        memex.revert("moving")
    assert path.read_text() == "by hand\n"


def test_a_copy_that_is_not_the_text_before_is_not_taken_for_it(memex: Any, root: Path) -> None:
    path = Path(memex.write(type="entity", title="Moving", body="one")["file_path"])
    old = path.read_bytes()
    memex.edit("moving", body="two")
    earlier.keep(
        memex.store.layout, {"entities/moving.md": old}
    )  # as if another way of writing had passed it
    path.write_text("by hand\n")
    memex.look_again()
    memex.list()
    hand = next(event for event in memex.store.journal.read(reverse=True))
    assert (hand["action"], hand["before"]) == ("hand", None)


def test_a_damaged_store_of_earlier_texts_begins_anew(memex: Any, root: Path) -> None:
    path = Path(memex.write(type="entity", title="Moving", body="one")["file_path"])
    (root / "texts.db").write_bytes(b"no database" * 500)
    path.write_text("by hand\n")
    memex.look_again()
    memex.list()
    memex.edit("moving", append="more")
    assert [one["action"] for one in memex.history("moving")["events"]] == ["update", "hand", "add"]
    path.write_text("by another hand\n")
    memex.look_again()
    memex.revert("moving")
    assert path.read_text() == "by hand\nmore\n"


def test_history_follows_a_rename(memex: Any) -> None:
    memex.write(type="entity", title="First name", body="x")
    memex.edit("first-name", append="y")
    memex.rename("first-name", "Second name")
    assert [event["action"] for event in memex.history("second-name")["events"]] == [
        "rename",
        "update",
        "add",
    ]


def test_diff_shows_the_last_change(memex: Any) -> None:
    memex.write(type="entity", title="Page", body="alpha\nbeta")
    memex.edit("page", body="alpha\ngamma")
    text = memex.diff("page")["diff"]
    assert "-beta" in text
    assert "+gamma" in text
    assert "-alpha" not in text


def test_a_version_that_never_was_is_no_empty_difference(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("one\n")
    with Memex(tmp_path) as memex:
        assert memex.diff("a")["diff"] == ""
        for versions in ({"old": 999}, {"new": 999}, {"old": 0, "new": 1}):
            with pytest.raises(NotFound, match=r"is no version of a\.md; versions: none but"):
                memex.diff("a", **versions)


def test_a_purge_leaves_no_text_anywhere(memex: Any, root: Path) -> None:
    done = memex.write(type="entity", title="Secret plan", body="xyzzy-one")
    memex.edit("secret-plan", body="xyzzy-two")
    memex.rename("secret-plan", "Hidden plan")
    with pytest.raises(Refused, match="needs its id"):
        memex.purge("hidden-plan")
    assert memex.purge("hidden-plan", id=done["id"], dry_run=True)["purged"] is False
    assert memex.purge("hidden-plan", id=done["id"])["purged"] is True
    memex.close()
    for file in root.rglob("*"):
        if file.is_file() and not file.name.startswith("mem.db"):
            assert b"xyzzy" not in file.read_bytes(), file
    with pytest.raises(NotFound):
        memex.revert("hidden-plan")


def test_outside_edits_are_history_too(memex: Any, root: Path) -> None:
    path = Path(memex.write(type="entity", title="Shared", body="x")["file_path"])
    path.write_text("edited in another editor, long enough\n")
    memex.look_again()
    memex.list()
    events = memex.history("shared")["events"]
    assert [(event["action"], event["actor"]) for event in events] == [
        ("hand", "hand"),
        ("add", "human:tester"),
    ]
    path.rename(path.with_name("elsewhere.md"))
    memex.look_again()
    memex.list()
    assert [event["action"] for event in memex.history("elsewhere")["events"]] == ["hand", "hand", "add"]


@pytest.mark.parametrize("decision", ["waiting", "approved", "rejected"])
def test_a_purge_takes_what_was_proposed_and_what_a_restore_set_aside(
    memex: Memex, root: Path, tmp_path: Path, decision: str
) -> None:
    done = memex.write(type="entity", title="Secret plan", body="xyzzy-one")
    memex.write(type="entity", title="Bystander", body="before")
    memex.backup(tmp_path / "b.tar.gz")
    memex.edit("secret-plan", body="xyzzy-two")
    memex.edit("bystander", body="after")
    memex.restore(tmp_path / "b.tar.gz")
    with Memex(root, actor="codex/1") as agent:
        agent.edit("secret-plan", body="xyzzy-three")
    memex.look_again()
    (proposal,) = (row["slug"] for row in memex.list(status="draft")["pages"])
    if decision == "approved":
        memex.approve([proposal])
    elif decision == "rejected":
        memex.reject([proposal], why="no")
    report = memex.purge("secret-plan", id=done["id"])
    assert report["proposals"] == ([f"entities/{proposal}.md"] if decision == "waiting" else [])
    assert [row["slug"] for row in memex.list()["pages"]] == ["bystander"]
    memex.close()
    for file in root.rglob("*"):
        if file.is_file():
            assert b"xyzzy" not in file.read_bytes(), file
    copies = root.glob("pre-restore-*/docs/entities/*")
    assert [file.name for file in copies] == ["bystander.md"]
