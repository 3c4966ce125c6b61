"""Outside edits reach the index by events, by comparison, and never as a deletion of what cannot be read."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from memex_core import Memex
from memex_core.care import watch as watching
from memex_core.files.layout import open_layout


class Watching:
    """A watch in a thread of its own, with the reports it made."""

    def __init__(self, root: Path, **options: Any) -> None:
        self.stop = threading.Event()
        self.reports: list[dict[str, Any]] = []
        self.memex = Memex(root)
        self.thread = threading.Thread(target=self._run, kwargs=options)
        self.thread.start()
        self.until(lambda: any(report.get("ready") for report in self.reports))

    def _run(self, **options: Any) -> None:
        for report in self.memex.watch(stop=self.stop, **options):
            self.reports.append(report)

    def until(self, held: Callable[[], bool], seconds: float = 15.0) -> None:
        end = time.monotonic() + seconds
        while not held():
            assert time.monotonic() < end, self.reports
            time.sleep(0.01)

    def paths(self, kind: str) -> set[str]:
        return {path for report in self.reports for path in report.get(kind) or ()}

    def close(self) -> None:
        self.stop.set()
        self.thread.join(20)
        assert not self.thread.is_alive()
        self.memex.close()


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    (tmp_path / "v" / "sub").mkdir(parents=True)
    (tmp_path / "v" / "a.md").write_text("alpha\n")
    (tmp_path / "v" / "sub" / "b.md").write_text("beta\n")
    Memex.init(tmp_path / "v")
    return tmp_path / "v"


@pytest.fixture(params=[False, True], ids=["events", "polling"])
def watched(
    vault: Path, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Watching]:
    monkeypatch.setattr(watching, "POLL_S", 0.1)
    running = Watching(vault, poll=request.param)
    yield running
    running.close()


def test_edits_new_pages_moves_and_deletes_arrive(vault: Path, watched: Watching) -> None:
    (vault / "a.md").write_text("alpha changed\n")
    watched.until(lambda: "a.md" in watched.paths("changed"))
    (vault / "new").mkdir()
    (vault / "new" / "c.md").write_text("gamma\n")
    watched.until(lambda: "new/c.md" in watched.paths("added"))
    (vault / "new" / "c.md").write_text("gamma, second text\n")
    watched.until(lambda: "new/c.md" in watched.paths("changed"))
    os.rename(vault / "sub" / "b.md", vault / "sub" / "moved.md")
    watched.until(lambda: "sub/moved.md" in watched.paths("renamed") | watched.paths("added"))
    (vault / "a.md").unlink()
    watched.until(lambda: "a.md" in watched.paths("removed"))
    with Memex(vault) as memex:
        assert sorted(page["path"] for page in memex.list()["pages"]) == ["new/c.md", "sub/moved.md"]
        assert memex.recall("second text")["hits"][0]["slug"] == "c"


def test_editors_leftovers_are_no_news(vault: Path, watched: Watching) -> None:
    for name in (".a.md.swp", "a.md~", "4913", "#a.md#", ".#a.md", "a.md.tmp", ".~lock.a#", "a.tmp"):
        (vault / name).write_text("x")
    (vault / "last.md").write_text("sentinel\n")
    watched.until(lambda: "last.md" in watched.paths("added"))
    assert watched.paths("added") == {"last.md"}


def test_a_vanished_folder_keeps_the_index(vault: Path, watched: Watching) -> None:
    os.rename(vault, vault.with_name("away"))
    if watched.memex.store.layout.folder:
        watched.until(lambda: any(report.get("warnings") for report in watched.reports))
    assert watched.paths("removed") == set()
    os.rename(vault.with_name("away"), vault)
    (vault / "back.md").write_text("again\n")
    watched.until(lambda: "back.md" in watched.paths("added"))
    assert watched.paths("removed") == set()


def test_no_room_for_watches_falls_back_to_comparing(vault: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import watchfiles

    def full(*_: Any, **__: Any) -> Iterator[Any]:
        raise OSError(28, "No space left on device")
        yield

    monkeypatch.setattr(watchfiles, "watch", full)
    monkeypatch.setattr(watching, "POLL_S", 0.1)
    running = Watching(vault)
    try:
        running.until(
            lambda: any("No space left" in str(report.get("warnings")) for report in running.reports)
        )
        (vault / "a.md").write_text("alpha, found by comparing\n")
        running.until(lambda: "a.md" in running.paths("changed"))
    finally:
        running.close()


def test_a_folder_that_cannot_be_watched_is_not_passed_over_in_silence(vault: Path) -> None:
    """As where there is no room for another watch: events of the others alone would look like all events."""
    layout = open_layout(str(vault))
    with pytest.raises(OSError):
        next(watching._batches(layout, {str(vault), str(vault / "gone")}, threading.Event()))


@pytest.mark.parametrize("late", ["moved", "new"])
def test_a_folder_that_moves_or_comes_while_the_folders_are_listed(
    vault: Path, late: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    folders = watching.Follower.folders

    def listed_too_early(follower: watching.Follower) -> set[str]:
        found = folders(follower)
        if late == "moved" and (vault / "sub").exists():
            os.rename(vault / "sub", vault / "moved")
        elif late == "new" and not (vault / "new").exists():
            os.mkdir(vault / "new")
            (vault / "new" / "b.md").write_text("beta\n")
        return found

    monkeypatch.setattr(watching.Follower, "folders", listed_too_early)
    running = Watching(vault, poll_interval=3600.0)
    try:
        running.until(lambda: f"{late}/b.md" in running.paths("renamed") | running.paths("added"))
        assert all("polling" not in report for report in running.reports[1:])
        (vault / late / "c.md").write_text("gamma\n")
        running.until(lambda: f"{late}/c.md" in running.paths("added"))
        (vault / late / "b.md").unlink()
        running.until(lambda: f"{late}/b.md" in running.paths("removed"))
    finally:
        running.close()


def test_only_a_look_at_the_whole_folder_says_that_it_is_back(vault: Path) -> None:
    with Memex(vault) as memex:
        follower = watching.Follower(memex.store.layout, memex.store.open_index())
        os.rename(vault, vault.with_name("away"))
        vault.mkdir()
        (said,) = follower.compare()["warnings"]
        assert "is empty and not the folder that was indexed" in said
        assert follower.look([])["warnings"] == []
        assert follower.compare()["warnings"] == []  # told already
        vault.rmdir()
        os.rename(vault.with_name("away"), vault)
        assert follower.compare()["warnings"] == [f"{vault} is readable again"]


def test_watching_changes_no_page(vault: Path, watched: Watching) -> None:
    before = {f: (f.read_bytes(), f.stat().st_mtime_ns) for f in vault.rglob("*.md")}
    (vault / "poke.md").write_text("x\n")
    watched.until(lambda: "poke.md" in watched.paths("added"))
    assert {f: (f.read_bytes(), f.stat().st_mtime_ns) for f in before} == before


def test_a_folder_that_is_only_read_is_followed_too(tmp_path: Path) -> None:
    """Others see that it is followed, and nothing is made in it."""
    from memex_core.index.index import watcher_alive

    folder = tmp_path / "bare"
    folder.mkdir()
    (folder / "a.md").write_text("alpha\n")
    running = Watching(folder)
    try:
        layout = running.memex.store.layout
        assert not os.path.exists(layout.state)
        assert watcher_alive(layout)
    finally:
        running.close()
    assert not watcher_alive(layout)
    assert os.listdir(folder) == ["a.md"]
