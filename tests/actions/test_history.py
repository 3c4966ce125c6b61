"""What the journal can bring back, and what a purge leaves of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

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


def test_reverting_a_page_that_changed_since_is_refused(memex: Any) -> None:
    path = Path(memex.write(type="entity", title="Moving", body="one")["file_path"])
    memex.edit("moving", body="two")
    path.write_text("by hand\n")
    memex.look_again()
    with pytest.raises((Conflict, NotFound)):
        memex.revert("moving")
    assert path.read_text() == "by hand\n"


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
