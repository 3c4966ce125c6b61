"""The follower: one message a batch, nothing for own saves, failures are told and survived."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from textual.message import Message

from memex_core.memex import Memex
from memex_core.model.errors import SearchFailed
from memex_tui import worker
from memex_tui.messages import PagesChanged, Watching
from memex_tui.worker import Follower


class Inbox:
    """Messages as they come, from any thread."""

    def __init__(self) -> None:
        self.messages: list[Message] = []
        self.came = threading.Condition()

    def __call__(self, message: Message) -> None:
        with self.came:
            self.messages.append(message)
            self.came.notify_all()

    def wait(self, fits: Callable[[Any], bool], seconds: float = 30.0) -> Any:
        end = time.monotonic() + seconds
        with self.came:
            while True:
                for message in self.messages:
                    if fits(message):
                        return message
                if not self.came.wait(max(end - time.monotonic(), 0)) and time.monotonic() >= end:
                    raise AssertionError(f"not among {self.messages}")


@pytest.fixture
def store(root: Path) -> Path:
    with Memex(root, create=True) as memex:
        memex.write("entity", "Ada", "One.")
        memex.write("entity", "Bob", "Two.")
    return root


@pytest.fixture
def inbox() -> Inbox:
    return Inbox()


@pytest.fixture
def follow(store: Path, inbox: Inbox) -> Iterator[Callable[..., Follower]]:
    started: list[Follower] = []

    def start(is_own: Callable[[str, str | None], bool] = lambda *_: False, **options: Any) -> Follower:
        follower = Follower(str(store), inbox, is_own, **options)
        started.append(follower)
        follower.start()
        assert follower.ready.wait(30)
        return follower

    yield start
    for one in started:
        one.stop(wait=5)


def changed(message: Any) -> bool:
    return isinstance(message, PagesChanged)


def test_an_outside_edit_is_one_message(store: Path, inbox: Inbox, follow: Callable[..., Follower]) -> None:
    follow()
    page = store / "docs" / "entities" / "ada.md"
    page.write_text(page.read_text() + "\nMore.\n")
    message = inbox.wait(changed)
    assert message.changed == ("entities/ada.md",)
    assert (message.added, message.removed, message.renamed) == ((), (), {})
    assert not message.own


def test_pages_that_come_go_and_move_are_told_apart(
    store: Path, inbox: Inbox, follow: Callable[..., Follower]
) -> None:
    follow()
    folder = store / "docs" / "entities"
    (folder / "new.md").write_text("# New\n")
    inbox.wait(lambda m: changed(m) and m.added == ("entities/new.md",))
    (folder / "bob.md").rename(folder / "robert.md")
    inbox.wait(lambda m: changed(m) and m.renamed == {"entities/robert.md": "entities/bob.md"})
    (folder / "new.md").unlink()
    message = inbox.wait(lambda m: changed(m) and m.removed)
    assert message.removed == ("entities/new.md",)
    assert message.paths == {"entities/new.md"}


def test_own_saves_cause_no_message(store: Path, inbox: Inbox, follow: Callable[..., Follower]) -> None:
    own: dict[str, str | None] = {}
    follow(lambda path, digest: path in own and own[path] == digest)
    page = store / "docs" / "entities" / "ada.md"
    from memex_core.files.atomic import digest

    text = page.read_bytes() + b"\nMine.\n"
    own["entities/ada.md"] = digest(text)
    page.write_bytes(text)
    other = store / "docs" / "entities" / "bob.md"
    other.write_text(other.read_text() + "\nTheirs.\n")
    message = inbox.wait(changed)
    assert message.changed == ("entities/bob.md",)
    page.write_text(page.read_text() + "\nTheirs, after mine.\n")
    inbox.wait(lambda m: changed(m) and m.changed == ("entities/ada.md",))


def test_what_another_memex_writes_is_told(
    store: Path, inbox: Inbox, follow: Callable[..., Follower]
) -> None:
    """Another process's write brings the index in step itself: its journal line tells of it."""
    follow()
    with Memex(store, actor="human:ben") as other:
        other.write("entity", "Cid", "Three, see [[Ada]].")
        assert inbox.wait(lambda m: changed(m) and m.added).added == ("entities/cid.md",)
        other.edit("bob", body="Four.")
        assert inbox.wait(lambda m: changed(m) and m.changed).changed == ("entities/bob.md",)
        other.rename("ada", "Adele")
        message = inbox.wait(lambda m: changed(m) and m.renamed)
        assert message.renamed == {"entities/adele.md": "entities/ada.md"}
        other.forget("bob")
        assert inbox.wait(lambda m: changed(m) and m.removed).removed == ("entities/bob.md",)
    told = [path for message in inbox.messages if changed(message) for path in message.added]
    assert told == ["entities/cid.md"]


def test_an_edit_that_another_process_indexed_first_is_told(
    store: Path, inbox: Inbox, follow: Callable[..., Follower]
) -> None:
    follow()
    (store / "docs" / "entities" / "new.md").write_text("# New\n")
    with Memex(store) as other:
        assert other.recall("new")["hits"]
    inbox.wait(lambda m: changed(m) and m.added == ("entities/new.md",))


def test_a_raising_watch_is_told_and_begun_anew(
    store: Path, inbox: Inbox, follow: Callable[..., Follower], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worker, "AGAIN_AFTER", (0.05,))
    failures = [SearchFailed("the index is [/broken]"), ValueError("odd")]

    class Failing(Memex):
        def watch(self, *args: Any, **options: Any) -> Iterator[dict[str, Any]]:
            if failures:
                raise failures.pop(0)
            return super().watch(*args, **options)

    follow(opened=lambda: Failing(store))
    inbox.wait(lambda m: isinstance(m, Watching) and "[/broken]" in m.problem)
    inbox.wait(lambda m: isinstance(m, Watching) and "ValueError: odd" in m.problem)
    page = store / "docs" / "entities" / "ada.md"
    page.write_text(page.read_text() + "x")
    assert inbox.wait(changed).changed == ("entities/ada.md",)


def test_a_folder_that_is_back_is_no_problem_any_more(
    store: Path, inbox: Inbox, follow: Callable[..., Follower]
) -> None:
    follow()
    away = store.with_name("away")
    store.rename(away)
    inbox.wait(lambda m: isinstance(m, Watching) and "cannot be read" in m.problem)
    away.rename(store)
    inbox.wait(lambda m: isinstance(m, Watching) and m.problem.endswith("is readable again"))
    inbox.wait(lambda m: m is inbox.messages[-1] and isinstance(m, Watching) and not m.problem)


def test_without_events_it_says_that_it_polls(
    store: Path, inbox: Inbox, follow: Callable[..., Follower], monkeypatch: pytest.MonkeyPatch
) -> None:
    import watchfiles

    def full(*_: Any, **__: Any) -> Any:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(watchfiles, "watch", full)
    follow()
    message = inbox.wait(lambda m: isinstance(m, Watching) and m.polling)
    assert message.polling
    page = store / "docs" / "entities" / "ada.md"
    page.write_text(page.read_text() + "\nSeen all the same.\n")
    assert inbox.wait(changed).changed == ("entities/ada.md",)


def test_a_stopped_follower_ends(store: Path, inbox: Inbox, follow: Callable[..., Follower]) -> None:
    follower = follow()
    follower.stop(wait=10)
    assert not follower._thread.is_alive()
