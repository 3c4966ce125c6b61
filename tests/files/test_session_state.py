"""What a session's file keeps, and when an agent's context begins anew."""

from __future__ import annotations

import os
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from memex_core.files import session_state
from memex_core.files.layout import Layout, create_store
from memex_core.files.session_state import Session, alone, file_of, forget, load, save, sweep
from memex_core.model.errors import Refused

SID = "sess-1"


@pytest.fixture
def layout(tmp_path: Path) -> Layout:
    return create_store(str(tmp_path / "store"))


def given(state: Session, *names: str) -> None:
    for name in names:
        state.give(f"entities/{name}.md", name, f"id-{name}", f"d-{name}", f"s-{name}")


def test_everything_comes_back(layout: Layout) -> None:
    state = load(layout, SID)
    assert (state.known, state.epoch, dict(state.given)) == (False, 1, {})
    given(state, "boat", "sail")
    state.prompts, state.since_retrieval, state.topic, state.work_due = 3, 2, ("boat", "ü"), True
    state.began = "session-start startup"
    save(layout, state)
    again = load(layout, SID)
    assert again.known
    assert (again.epoch, again.prompts, again.since_retrieval, again.topic) == (1, 3, 2, ("boat", "ü"))
    assert (again.work_due, again.began, again.excluded) == (True, "session-start startup", False)
    assert list(again.given) == ["entities/boat.md", "entities/sail.md"]
    assert again.given["entities/boat.md"] == ("entities/boat.md", "boat", "id-boat", "d-boat", "s-boat", 1)


def test_a_page_is_had_once_an_epoch(layout: Layout) -> None:
    state = Session(SID)
    given(state, "boat")
    assert state.has("entities/boat.md") and not state.has("entities/sail.md")
    state.begin("session-start compact", empty=False)
    assert state.epoch == 2
    assert not state.has("entities/boat.md")
    assert "entities/boat.md" in state.given  # a summary of it may be left: it still wants correcting
    state.begin("session-start clear", empty=True)
    assert state.epoch == 3 and not state.given


def test_a_compaction_told_twice_is_one(layout: Layout) -> None:
    state = Session(SID)
    state.begin("session-start startup", empty=True)
    state.prompts = 4
    epochs = []
    for event in ("pre-compact", "post-compact", "session-start compact"):
        state.begin(event, empty=False)
        epochs.append((state.epoch, state.prompts))
    assert epochs == [(3, 0)] * 3
    for event in ("pre-compact", "session-start compact"):  # the next one, with no prompt between
        state.begin(event, empty=False)
    assert state.epoch == 4
    state.begin("session-start compact", empty=False)
    assert state.epoch == 5
    state.prompts = 1
    state.begin("post-compact", empty=False)
    assert state.epoch == 6


def test_a_compaction_right_after_the_start_is_one(layout: Layout) -> None:
    state = Session(SID)
    state.begin("session-start startup", empty=True)
    state.begin("post-compact", empty=False)
    assert state.epoch == 3


def test_of_an_excluded_session_nothing_is_kept_but_that(layout: Layout) -> None:
    state = load(layout, SID)
    given(state, "boat")
    state.topic, state.excluded = ("mutiny",), True
    save(layout, state)
    text = Path(file_of(layout, SID)).read_text()
    assert "mutiny" not in text and "boat" not in text
    assert load(layout, SID).excluded


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"[]",
        b"{",
        b'{"epoch": "2", "given": {"a": 1}, "topic": 7, "prompts": -4}',
        b'{"given": [["a"], 7, ["a", "b", "c", "d", "e", "f"]]}',
        b"\xff\xfe",
    ],
)
def test_a_damaged_file_costs_a_repetition(layout: Layout, data: bytes) -> None:
    save(layout, Session(SID))
    Path(file_of(layout, SID)).write_bytes(data)
    state = load(layout, SID)
    assert (state.epoch, state.prompts, state.topic, dict(state.given)) == (1, 0, (), {})


def test_without_an_id_nothing_is_written(layout: Layout) -> None:
    save(layout, Session(""))
    assert not os.path.exists(os.path.join(layout.state, "state"))


def test_a_link_in_the_place_of_the_file_is_not_written_through(layout: Layout, tmp_path: Path) -> None:
    from memex_core.model.errors import MemexError

    outside = tmp_path / "outside.json"
    outside.write_text("mine")
    folder = Path(file_of(layout, SID)).parent
    folder.mkdir(parents=True)
    (folder / f"{SID}.json").symlink_to(outside)
    with pytest.raises(MemexError):
        save(layout, Session(SID))
    assert outside.read_text() == "mine"


def test_forgotten_and_swept(layout: Layout, monkeypatch: Any) -> None:
    for name in ("old", "new"):
        save(layout, Session(name))
    os.utime(file_of(layout, "old"), (1_000_000_000, 1_000_000_000))
    sweep(layout)
    assert not os.path.exists(file_of(layout, "old")) and os.path.exists(file_of(layout, "new"))
    forget(layout, "new")
    forget(layout, "never")
    assert not os.path.exists(file_of(layout, "new"))
    assert session_state.KEPT_DAYS == 30


def test_one_that_cannot_be_swept_does_not_keep_the_others(
    layout: Layout, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("a", "b", "c"):
        save(layout, Session(name))
        os.utime(file_of(layout, name), (0, 0))
    unlink = os.unlink

    def refusing(path: str) -> None:
        if path == file_of(layout, "b"):
            raise PermissionError(path)
        unlink(path)

    monkeypatch.setattr(os, "unlink", refusing)
    sweep(layout)
    assert [name for name in ("a", "b", "c") if os.path.exists(file_of(layout, name))] == ["b"]


def test_hooks_of_one_session_wait_for_each_other(layout: Layout, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session_state, "PATIENCE", 300.0)  # a busy machine is not what is tested
    inside: list[int] = []

    def count() -> None:
        for _ in range(20):
            with alone(layout, SID):
                state = load(layout, SID)
                state.prompts += 1
                save(layout, state)
                inside.append(state.prompts)

    threads = [Thread(target=count) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert inside == list(range(1, 61))


def test_where_there_is_no_lock_to_be_had_it_is_done_without(layout: Layout, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (Path(layout.state) / "state").mkdir(exist_ok=True)
    (Path(layout.state) / "state" / "sessions").symlink_to(tmp_path / "elsewhere")
    with alone(layout, SID), pytest.raises(Refused):
        save(layout, Session(SID))
    assert list((tmp_path / "elsewhere").iterdir()) == []
    with alone(layout, ""):
        pass
