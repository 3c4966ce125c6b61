"""Sync that goes on by itself: hooks export and import once a person has begun it, and not before."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from memex_core import Memex
from memex_core.actions.agents import hook_capture
from tests.harness.writing import Claude, lines

SID = "5e551000-0000-4000-8000-000000000001"


@pytest.fixture
def share(tmp_path: Path) -> Path:
    return tmp_path / "shared"


@pytest.fixture
def two(memex: Any, tmp_path: Path, share: Path) -> Iterator[tuple[Any, Any]]:
    """Two stores that meet in a folder; neither has exported yet."""
    with Memex(tmp_path / "other", create=True) as other:
        for store, name in ((memex, "one"), (other, "two")):
            store.sync_enable(share, name=name)
        memex.write(type="entity", title="Rye", body="Bake it long.")
        yield memex, other


def end(memex: Any, path: Path | str = "") -> dict[str, Any]:
    done: dict[str, Any] = memex.hook(
        "session-end", {"session_id": SID, "transcript_path": str(path)}, wait=True
    )
    return done


def start(memex: Any) -> dict[str, Any]:
    done: dict[str, Any] = memex.hook("session-start", {"session_id": "s2", "source": "startup"}, wait=True)
    memex.look_again()
    return done


def slugs(memex: Any) -> list[str]:
    return sorted(row["slug"] for row in memex.list()["pages"])


def test_a_first_export_begins_it(two: tuple[Any, Any], share: Path) -> None:
    one, other = two
    end(one)
    assert list(share.iterdir()) == []
    one.sync_export()
    other.sync_export()
    one.write(type="entity", title="Spelt", body="Bake it short.")
    end(one)
    assert one.sync_status()["unexported"] is False
    assert start(other)["failed"] is False
    assert slugs(other) == ["rye", "spelt"]
    assert other.status()["last_runs"]["sync"]["ok"] is True


def test_the_session_that_ends_travels(two: tuple[Any, Any], tmp_path: Path) -> None:
    one, other = two
    one.sync_export()
    other.sync_export()
    said = Claude(SID)
    path = lines(tmp_path / f"{SID}.jsonl", said.user("u1", "Why so flat?"), said.agent("a1", "Proof it."))
    assert end(one, path)["outcome"] == "captured"
    start(other)
    assert [row["session_id"] for row in other.sessions()["sessions"]] == [SID]


def test_where_nothing_changed_nothing_is_written(two: tuple[Any, Any], share: Path) -> None:
    one, _ = two
    one.sync_export()
    (file,) = share.iterdir()
    before = file.stat().st_mtime_ns, file.stat().st_ino
    end(one)
    assert (file.stat().st_mtime_ns, file.stat().st_ino) == before


def test_disabled_it_does_nothing_and_starts_nothing(
    two: tuple[Any, Any], share: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = two
    one.sync_export()
    other.sync_export()
    other.sync_disable()
    started: list[Any] = []
    with monkeypatch.context() as patched:
        patched.setattr(hook_capture, "detached", lambda *given: started.append(given))
        start(other)
        end(other)
    assert (started, slugs(other)) == ([], [])
    assert other.sync_import(background=True) == {"skipped": "sync is off"}
    assert other.sync_export(background=True) == {"skipped": "sync is off"}


def test_a_place_that_is_not_there_is_not_made_anew(two: tuple[Any, Any], share: Path) -> None:
    one, _ = two
    one.sync_export()
    (file,) = share.iterdir()
    file.unlink()
    one.write(type="entity", title="Spelt", body="Bake it short.")
    told = one.sync_export(background=True)
    assert told == {"skipped": "what was exported by hand is not there any more"}
    assert list(share.iterdir()) == []


def test_the_hook_of_an_agent_acts_for_its_person(
    two: tuple[Any, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = two
    one.sync_export()
    other.sync_export()
    monkeypatch.setenv("MEMEX_ACTOR", "agent:claude")
    start(other)
    assert slugs(other) == ["rye"]
    (event,) = [event for event in other.store.journal.read() if event["action"] == "sync"]
    assert event["actor"] == "human:tester"
