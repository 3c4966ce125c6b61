"""Keeping in step with the folder: what is found changed, what is never lost, and what costs nothing."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

from memex_core.files.lock import StoreLock
from memex_core.files.scan import scan
from memex_core.index import freshness
from memex_core.index.freshness import Refresh
from memex_core.index.index import WATCH_LOCK, Index, watcher_alive
from memex_core.model.errors import Unreachable
from tests.index.folders import given_away, hits, image, many, public, put, same_as_built, vault

NOTHING = Refresh()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "v"


@pytest.fixture
def index(folder: Path) -> Index:
    layout = vault(
        folder,
        {
            "a.md": "# Alpha\n\nfirst [[b]]\n",
            "b.md": "---\nid: bbbb\n---\n# Beta\n\nsecond [[sub/c]]\n",
            "sub/c.md": "# Gamma\n\nthird\n",
        },
    )
    opened = Index.open(layout)
    opened.refresh()
    return opened


def writes(index: Index) -> int:
    """Changes that the database has seen from this connection."""
    return index.db.total_changes


def test_nothing_changed_writes_nothing(index: Index) -> None:
    time.sleep(0.05)  # a file as young as its index row is read once more, to be sure of it
    index.refresh()
    before = writes(index)
    for _ in range(3):
        assert index.refresh() == NOTHING
    assert writes(index) == before


class TestReadTooSoon:
    """A file that was read so soon after a save that it might have changed again with the same mtime."""

    @pytest.fixture
    def doubted(self, index: Index) -> Index:
        index.db.execute("UPDATE page SET mtime_ns = -mtime_ns WHERE path = 'a.md'")
        return index

    def mtimes(self, index: Index) -> list[int]:
        return [mtime for (mtime,) in index.db.execute("SELECT mtime_ns FROM page WHERE mtime_ns < 0")]

    def test_the_same_bytes_settle_it_and_are_not_parsed(
        self, doubted: Index, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.delattr("memex_core.index.entries.read_page")
        assert len(self.mtimes(doubted)) == 1
        assert doubted.refresh() == NOTHING
        assert self.mtimes(doubted) == []

    def test_while_it_is_young_it_is_not_parsed_either(
        self, index: Index, folder: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("memex_core.index.entries.RACY_NS", 3600 * 10**9)
        put(folder, "a.md", "# Omega\n", age=1)
        assert index.refresh().changed == ("a.md",)
        monkeypatch.delattr("memex_core.index.entries.read_page")
        before = writes(index)
        for _ in range(2):
            assert index.refresh() == NOTHING
        assert (len(self.mtimes(index)), writes(index)) == (1, before)

    def test_other_bytes_of_the_same_length_and_time_are_found(self, doubted: Index, folder: Path) -> None:
        file = folder / "a.md"
        at = file.stat()
        with open(file, "r+b") as opened:
            opened.write(b"# Alpht")
        os.utime(file, ns=(at.st_mtime_ns, at.st_mtime_ns))
        assert doubted.refresh().changed == ("a.md",)
        assert (hits(doubted, "alpha"), hits(doubted, "alpht")) == ([], ["a.md"])


def test_added_changed_removed(index: Index, folder: Path, tmp_path: Path) -> None:
    put(folder, "new.md", "fresh words\n")
    put(folder, "a.md", "# Alpha\n\nother text, of another length\n")
    (folder / "sub/c.md").unlink()
    change = index.refresh()
    assert (change.added, change.changed, change.removed) == (("new.md",), ("a.md",), ("sub/c.md",))
    assert change.renamed == {}
    assert set(change.digests) == {"new.md", "a.md"}
    assert change.digests["a.md"] == index.row("a.md").digest  # type: ignore[union-attr]
    assert not change.first
    same_as_built(index, tmp_path / "other.db")
    assert index.refresh() == NOTHING


def test_a_touched_file_is_not_changed(index: Index, folder: Path) -> None:
    os.utime(folder / "a.md", ns=(10**18, 10**18))
    assert index.refresh() == NOTHING
    before = writes(index)
    assert index.refresh() == NOTHING
    assert writes(index) == before


def test_an_edit_within_the_clock_tick_of_the_indexing_is_seen(index: Index, folder: Path) -> None:
    file = folder / "a.md"
    file.write_text("# Alpha\n\nfirst edition\n")
    index.refresh()
    stat = file.stat()
    file.write_text("# Alpha\n\nFIRST EDITION\n")
    os.utime(file, ns=(stat.st_mtime_ns, stat.st_mtime_ns))  # same size, inode and mtime
    time.sleep(0.03)
    assert index.refresh().changed == ("a.md",)
    assert index.refresh() == NOTHING


def test_a_page_saved_by_memex_is_settled_after_one_more_look(index: Index, folder: Path) -> None:
    (folder / "a.md").write_text("# Alpha\n\nnow\n")
    index.update(["a.md"])
    time.sleep(0.03)
    assert index.refresh() == NOTHING
    before = writes(index)
    assert index.refresh() == NOTHING
    assert writes(index) == before


def test_pages_that_cannot_be_read_well_are_recorded_once(index: Index, folder: Path) -> None:
    """WT-10: a bad page is no reason to work at every check."""
    put(folder, "bad.md", "---\ntitle: [open\n---\nbad yaml needle\n")
    put(folder, "binary.md", bytes(range(256)) * 40)
    os.symlink("/etc/hosts", folder / "outside.md")
    change = index.refresh()
    assert sorted(change.added) == ["bad.md", "binary.md"]
    assert hits(index, "needl") == ["bad.md"]
    before = writes(index)
    for _ in range(3):
        assert index.refresh() == NOTHING
    assert writes(index) == before


def test_too_large_a_page_is_recorded_once(
    index: Index, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from memex_core.index import entries

    monkeypatch.setattr(entries, "LARGEST", 1000)
    put(folder, "huge.md", "# Huge\n" + "needle " * 1000)
    assert index.refresh().added == ("huge.md",)
    row = index.row("huge.md")
    assert row is not None
    assert (row.title, row.digest) == ("huge", "")
    before = writes(index)
    assert index.refresh() == NOTHING
    assert writes(index) == before
    assert index.renew()["nodes_errored"] == 1


AS_NOBODY = """
import os, sys
import memex_core.index.apply, memex_core.index.load
import memex_core.index.passage_writer, memex_core.index.rebuild
from memex_core.files.layout import open_layout
from memex_core.index.index import Index
if os.getuid() == 0:
    os.setuid(65534)  # root may read anything
"""
LOCKED_OUT = """
layout = open_layout(sys.argv[1])
index = Index.open(layout)
print(sorted(index.refresh().added), index.total())
row = index.row("secret.md")
print(row.title, repr(row.digest))
before = index.db.total_changes
index.refresh()
print(index.db.total_changes - before)
os.chmod(os.path.join(sys.argv[1], "secret.md"), 0o644)
print(index.refresh().changed)
"""


def as_nobody(script: str, folder: Path) -> list[str]:
    """What the script prints, run by a user whom permissions bind."""
    given_away(folder)
    command = [sys.executable, "-c", AS_NOBODY + script, str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_a_page_without_permission_is_kept_by_name_and_read_once_it_may_be() -> None:
    with public() as folder:
        vault(folder, {"open.md": "# Open\n", "secret.md": "# Secret title\n"})
        os.chmod(folder / "secret.md", 0)
        assert as_nobody(LOCKED_OUT, folder) == ["[] 2", "secret ''", "0", "('secret.md',)"]


def test_a_renamed_page_stays_the_same_page(index: Index, folder: Path, tmp_path: Path) -> None:
    """WT-16: identity, use count and backlinks follow a rename, seen or not."""
    index.touch(["a.md", "b.md", "sub/c.md"], "2026-01-01T00:00:00Z")
    ids = {path: index.row(path).id for path in ("a.md", "b.md", "sub/c.md")}  # type: ignore[union-attr]
    (folder / "a.md").rename(folder / "alpha two.md")  # same inode, same bytes
    data = (folder / "sub/c.md").read_bytes()
    (folder / "sub/c.md").unlink()
    put(folder, "else/c2.md", data)  # same bytes, maybe another inode
    (folder / "b.md").unlink()
    put(folder, "deep/beta.md", "---\nid: bbbb\n---\n# Beta\n\nedited meanwhile [[c2]]\n")  # same id
    change = index.refresh()
    assert change.renamed == {"alpha two.md": "a.md", "else/c2.md": "sub/c.md", "deep/beta.md": "b.md"}
    assert (change.added, change.removed) == ((), ())
    for old, new in (("a.md", "alpha two.md"), ("b.md", "deep/beta.md"), ("sub/c.md", "else/c2.md")):
        row = index.row(new)
        assert row is not None
        assert (row.id, row.access_count) == (ids[old], 1)
    same_as_built(index, tmp_path / "other.db")


def test_a_new_page_is_not_taken_for_a_deleted_one(index: Index, folder: Path) -> None:
    (folder / "a.md").unlink()
    put(folder, "other.md", "# Something else\n\nof another size altogether\n")  # may get the freed inode
    change = index.refresh()
    assert (change.added, change.removed, change.renamed) == (("other.md",), ("a.md",), {})


def test_a_copy_at_the_old_place_is_a_page_too(index: Index, folder: Path) -> None:
    """LK-26."""
    (folder / "a.md").rename(folder / "moved.md")
    index.refresh()
    put(folder, "a.md", (folder / "moved.md").read_bytes())
    assert index.refresh().added == ("a.md",)
    assert hits(index, "first") == ["a.md", "moved.md"]


def test_a_renamed_folder_of_many_pages(tmp_path: Path) -> None:
    """WT-15: every page under its new path, links intact, none twice."""
    layout = many(tmp_path / "v", 300)
    with Index.open(layout) as index:
        index.refresh()
        ids = {path: index.row(path).id for path in index.paths()}  # type: ignore[union-attr]
        (tmp_path / "v/f3").rename(tmp_path / "v/renamed")
        change = index.refresh()
        assert len(change.renamed) == 30
        assert (change.added, change.removed) == ((), ())
        assert index.total() == 300 == len(index.paths())
        for new, old in change.renamed.items():
            assert old == new.replace("renamed", "f3")
            assert index.row(new).id == ids[old]  # type: ignore[union-attr]
        assert index.counts()["unresolved"] == 0
        same_as_built(index, tmp_path / "other.db")


def test_an_unreachable_folder_keeps_the_index(index: Index, folder: Path, tmp_path: Path) -> None:
    """WT-11: gone, replaced by an empty mount point, or unlistable: nothing is taken for deleted."""
    before = image(index.db)
    away = tmp_path / "away"
    folder.rename(away)
    with pytest.raises(Unreachable):
        index.refresh()
    with pytest.raises(Unreachable):
        index.update(["a.md"])
    folder.mkdir()
    with pytest.raises(Unreachable) as empty:
        index.refresh()
    assert "mounted" in str(empty.value)
    folder.rmdir()
    away.rename(folder)
    assert index.refresh() == NOTHING
    assert image(index.db) == before


def test_deleting_the_last_page_is_believed(tmp_path: Path) -> None:
    layout = vault(tmp_path / "v", {"only.md": "one\n"})
    with Index.open(layout) as index:
        index.refresh()
        (tmp_path / "v/only.md").unlink()
        assert index.refresh().removed == ("only.md",)
        assert index.total() == 0


UNLISTABLE = """
folder = sys.argv[1]
index = Index.open(open_layout(folder))
index.refresh()
os.chmod(os.path.join(folder, "sub"), 0)
try:
    change = index.refresh()
    print(change.removed, index.total())
    index.rebuild()
    print(index.total(), index.row("sub/c.md").title)
finally:
    os.chmod(os.path.join(folder, "sub"), 0o755)
print(index.refresh().removed, index.total())
"""


def test_pages_in_a_folder_that_cannot_be_listed_are_kept() -> None:
    with public() as folder:
        vault(folder, {"a.md": "# A\n", "sub/c.md": "# Gamma\n", "sub/d.md": "# Delta\n"})
        assert as_nobody(UNLISTABLE, folder) == ["() 3", "3 Gamma", "() 3"]


def test_a_page_made_while_the_folder_was_walked_stays(
    index: Index, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """WT-12: a walk that began before the page is no proof that it is not there."""
    put(folder, "late.md", "late needle\n")
    index.update(["late.md"])
    found = scan(index.layout)
    del found.pages["late.md"]
    monkeypatch.setattr(freshness, "scan", lambda layout: found)
    assert index.refresh().removed == ()
    assert hits(index, "needl") == ["late.md"]


def test_a_page_gone_between_stat_and_reading_is_left_for_the_next_look(
    index: Index, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """WT-02."""
    put(folder, "brief.md", "brief\n")
    found = scan(index.layout)
    (folder / "brief.md").unlink()
    monkeypatch.setattr(freshness, "scan", lambda layout: found)
    assert index.refresh().added == ()
    monkeypatch.undo()
    put(folder, "brief.md", "brief\n")
    assert index.refresh().added == ("brief.md",)


def test_ignored_pages_leave_the_index_and_come_back(index: Index, folder: Path) -> None:
    """WT-14: what the walk passes by is not in the index, and the files stay."""
    put(folder, "drafts/d.md", "draft needle\n")
    index.refresh()
    (folder / ".memexignore").write_text("drafts/\n")
    assert index.refresh().removed == ("drafts/d.md",)
    assert (folder / "drafts/d.md").exists()
    assert index.update(["drafts/d.md"]) == NOTHING
    (folder / ".memexignore").unlink()
    assert index.refresh().added == ("drafts/d.md",)


def test_update_reads_only_what_it_is_told(index: Index, folder: Path) -> None:
    put(folder, "a.md", "# Alpha\n\nchanged\n")
    put(folder, "new.md", "unseen\n")
    assert index.update(["a.md", "a.md", "nowhere.md", "../b.md", ""]).changed == ("a.md",)
    assert index.row("new.md") is None
    (folder / "a.md").unlink()
    assert index.update(["a.md"]).removed == ("a.md",)


def test_a_move_that_is_known_for_sure(index: Index, folder: Path) -> None:
    """A rename with a new title, as memex does it: nothing of the file's looks the same."""
    before = index.row("a.md")
    assert before is not None
    (folder / "a.md").unlink()
    put(folder, "omega.md", "# Omega\n\nall else differs too\n")
    change = index.update([], moved={"omega.md": "a.md"})
    assert change.renamed == {"omega.md": "a.md"}
    assert index.row("omega.md").id == before.id  # type: ignore[union-attr]
    assert index.row("a.md") is None


def test_many_differences_are_built_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(freshness, "REBUILD_FROM", 20)
    layout = many(tmp_path / "v", 60)
    with Index.open(layout) as index:
        index.refresh()
        index.touch(["f1/p1.md"], "2026-01-01T00:00:00Z")
        for number in range(40):
            put(
                tmp_path / "v",
                f"f{number % 10}/p{number}.md",
                f"# Other {number}\n\nrewritten{number}\n",
                age=9,
            )
        change = index.refresh()
        assert change.first
        assert hits(index, "rewritten7") == ["f7/p7.md"]
        assert index.row("f1/p1.md").access_count == 1  # type: ignore[union-attr]
        same_as_built(index, tmp_path / "other.db")
        assert index.refresh() == NOTHING


@pytest.fixture
def large(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Index:
    """A store that counts as large: 60 pages over a limit of 10."""
    monkeypatch.setattr(freshness, "FULL_CHECK_UP_TO", 10)
    monkeypatch.setattr(freshness, "_STEP", 8)
    opened = Index.open(many(tmp_path / "v", 60))
    opened.refresh()
    return opened


def test_a_glance_sees_what_came_went_or_was_replaced(large: Index, tmp_path: Path) -> None:
    """Folder mtimes tell, whatever the time that is left for looking at files."""
    folder = tmp_path / "v"
    put(folder, "f2/new.md", "new one\n")
    put(folder, "f9/deeper/still/new.md", "new folder\n")
    (folder / "f4/p4.md").unlink()
    put(folder, "f5/.p5.md.tmp", "# Page 5\n\nreplaced by renaming\n").rename(folder / "f5/p5.md")
    (folder / "f7").rename(folder / "g7")
    change = large.refresh(budget_ms=0)
    assert sorted(change.added) == ["f2/new.md", "f9/deeper/still/new.md"]
    assert change.removed == ("f4/p4.md",)
    assert change.changed == ("f5/p5.md",)
    assert sorted(change.renamed) == sorted(f"g7/p{number}.md" for number in range(7, 60, 10))
    assert change.stale
    large.refresh()
    same_as_built(large, tmp_path / "other.db")


def test_a_glance_with_time_sees_a_save_in_place(large: Index, tmp_path: Path) -> None:
    (tmp_path / "v/f3/p13.md").write_text("# Page 13\n\nsaved in place\n")
    change = large.refresh(budget_ms=10_000)
    assert change.changed == ("f3/p13.md",)
    assert not change.stale


def test_a_glance_without_time_looks_at_the_latest_first(large: Index, tmp_path: Path) -> None:
    put(tmp_path / "v", "f1/p21.md", "# Page 21\n\nworked on lately\n", age=1)
    large.refresh()
    (tmp_path / "v/f1/p21.md").write_text("# Page 21\n\nworked on again\n")
    change = large.refresh(budget_ms=0)
    assert change.changed == ("f1/p21.md",)
    assert change.stale


def test_while_it_is_watched_a_glance_is_enough(large: Index) -> None:
    assert not watcher_alive(large.layout)
    script = (
        "import sys, time\nfrom memex_core.files.lock import StoreLock\n"
        "with StoreLock(sys.argv[1]):\n    print('held', flush=True)\n    time.sleep(60)\n"
    )
    lock = large.layout.index + WATCH_LOCK
    watcher = subprocess.Popen([sys.executable, "-c", script, lock], stdout=subprocess.PIPE, text=True)
    try:
        assert watcher.stdout is not None
        assert watcher.stdout.readline() == "held\n"
        assert watcher_alive(large.layout)
        assert large.refresh(budget_ms=0) == NOTHING
    finally:
        watcher.kill()
        watcher.wait()
    assert not watcher_alive(large.layout)
    assert large.refresh(budget_ms=0).stale
    with StoreLock(lock):
        pass  # the dead watcher's lock is free


def test_small_stores_are_always_looked_at_in_full(index: Index, folder: Path) -> None:
    (folder / "a.md").write_text("# Alpha\n\nin place\n")
    change = index.refresh(budget_ms=0)
    assert change.changed == ("a.md",)
    assert not change.stale


def test_switching_branches_back_and_forth(tmp_path: Path) -> None:
    """WT-04: two sets of pages in one folder, exchanged while nobody looks."""
    folder = tmp_path / "v"
    layout = many(folder, 80)
    with Index.open(layout) as index:
        for turn in range(3):
            for number in range(0, 80, 2):
                name = f"f{number % 10}/p{number}.md"
                put(
                    folder,
                    name,
                    f"# Page {number}\n\nbranch{turn} [[p{(number * 7) % 80}]]\n",
                    age=100 - turn,
                )
            for number in range(1, 40, 4):
                file = folder / f"f{number % 10}/p{number}.md"
                if turn % 2:
                    put(folder, f"f{number % 10}/p{number}.md", f"# Page {number}\n", age=50 - turn)
                elif file.exists():
                    file.unlink()
            index.refresh()
            same_as_built(index, tmp_path / f"other{turn}.db")


EDITOR = """
import sys
from memex_core.files.layout import open_layout
from memex_core.index.index import Index
index = Index.open(open_layout(sys.argv[1]))
for _ in range(12):
    index.refresh()
    index.db.execute("SELECT count(*) FROM page_fts WHERE page_fts MATCH '\\"common\\"'").fetchone()
"""


def test_several_processes_refresh_and_search_at_once(tmp_path: Path) -> None:
    """CC-05: no error, nothing lost, nothing twice."""
    folder = tmp_path / "v"
    layout = many(folder, 60)
    with Index.open(layout) as index:
        others = [
            subprocess.Popen([sys.executable, "-c", EDITOR, str(folder)], stderr=subprocess.PIPE, text=True)
            for _ in range(3)
        ]
        turn = 0
        while any(other.poll() is None for other in others):
            turn += 1
            number = turn % 60
            put(folder, f"f{number % 10}/p{number}.md", f"# Page {number}\n\nturn{turn} common\n", age=1)
            if turn % 5 == 0:
                put(folder, f"f1/extra{turn}.md", f"extra{turn} common\n", age=1)
            index.refresh()
        for other in others:
            assert other.returncode == 0, other.stderr.read() if other.stderr else ""
        index.refresh()
        same_as_built(index, tmp_path / "other.db")


def test_an_index_that_cannot_be_written_says_so(index: Index, folder: Path) -> None:
    index.close()
    reader = Index.open(index.layout, write=False)
    put(folder, "new.md", "needle\n")
    change = reader.refresh()
    assert change.stale
    assert "cannot be written" in change.warnings[0]
    assert not reader.touch(["a.md"], "2026-01-01T00:00:00Z")
    assert hits(reader, "second") == ["b.md"]
    with pytest.raises(sqlite3.OperationalError):
        reader.db.execute("DELETE FROM page")
