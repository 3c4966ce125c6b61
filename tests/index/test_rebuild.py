"""Building the index anew: aside, in one step, whatever was there before and whoever else does it."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from memex_core.files import diary, transcripts
from memex_core.files.layout import create_store
from memex_core.files.scan import scan
from memex_core.index import schema, worker
from memex_core.index.index import Index
from memex_core.index.rebuild import building, rebuild
from memex_core.index.segments import segment_levels
from memex_core.index.worker import parse_all
from memex_core.model.errors import Unreachable
from tests.index.folders import hits, image, many, put, same_as_built, vault


def leftovers(index: str) -> list[str]:
    return sorted(name for name in os.listdir(os.path.dirname(index)) if name.endswith((".new", ".links")))


def test_a_missing_index_is_built_at_open(tmp_path: Path) -> None:
    layout = many(tmp_path / "v", 30)
    seen: list[tuple[int, int]] = []
    with Index.open(layout, progress=lambda done, total: seen.append((done, total))) as index:
        assert index.built is not None
        assert index.built["nodes_indexed"] == 30 == index.total()
        assert (index.built["nodes_errored"], index.built["errors"]) == (0, [])
        assert index.refresh().first
        assert not index.refresh().first
        assert hits(index, "word7") == ["f7/p7.md"]
    assert (seen[0], seen[-1]) == ((0, 30), (30, 30))
    assert leftovers(layout.index) == []
    with Index.open(layout) as again:
        assert again.built is None


@pytest.mark.parametrize(
    "damage",
    [b"", b"no database" * 1000, b"SQLite format 3\x00" + b"\x07" * 5000],
    ids=["empty", "text", "garbage behind the head"],
)
def test_a_file_that_is_no_index_is_replaced(tmp_path: Path, damage: bytes) -> None:
    layout = many(tmp_path / "v", 12)
    Path(layout.index).write_bytes(damage)
    with Index.open(layout) as index:
        assert index.total() == 12
        same_as_built(index, tmp_path / "other.db")


def test_an_index_of_another_version_is_replaced(tmp_path: Path) -> None:
    """CC-09: an older or newer program's index is not trusted and not migrated."""
    layout = many(tmp_path / "v", 12)
    Index.open(layout).close()
    for version in (schema.VERSION - 1, schema.VERSION + 1, 0):
        db = sqlite3.connect(layout.index)
        db.execute("DELETE FROM page_text")
        db.execute(f"PRAGMA user_version={version}")
        db.commit()
        db.close()
        with Index.open(layout) as index:
            assert index.built is not None
            same_as_built(index, tmp_path / f"other{version}.db")


def test_damage_found_later_is_repaired(tmp_path: Path) -> None:
    layout = many(tmp_path / "v", 40)
    Index.open(layout).close()
    size = os.path.getsize(layout.index)
    with open(layout.index, "r+b") as file:
        file.seek(4096 * 2)
        file.write(os.urandom(size - 4096 * 2))
    with Index.open(layout) as index:
        put(tmp_path / "v", "f1/p1.md", "# Page 1\n\nafter the damage\n", age=3)
        index.refresh()
        assert hits(index, "damag") == ["f1/p1.md"]
        same_as_built(index, tmp_path / "other.db")


def test_a_store_without_pages(tmp_path: Path) -> None:
    layout = create_store(str(tmp_path / "store"))
    with Index.open(layout) as index:
        assert index.total() == 0
        assert index.rows() == ([], 0, None)
        put(Path(layout.pages), "entities/one.md", "---\ntype: entity\ntitle: One\n---\nfirst\n")
        assert index.refresh().added == ("entities/one.md",)
        assert index.total() == 1


def test_readers_keep_their_view_until_they_ask_anew(tmp_path: Path) -> None:
    layout = many(tmp_path / "v", 30)
    with Index.open(layout) as reader, Index.open(layout) as builder:
        reader.db.execute("BEGIN")
        before = reader.db.execute("SELECT count(*) FROM page").fetchone()
        put(tmp_path / "v", "f0/more.md", "more needle\n")
        builder.rebuild()
        assert reader.db.execute("SELECT count(*) FROM page").fetchone() == before == (30,)
        reader.db.execute("COMMIT")
        assert reader.db.execute("SELECT count(*) FROM page").fetchone() == (31,)
        assert hits(reader, "needl") == ["f0/more.md"]
        same_as_built(reader, tmp_path / "other.db")


def test_use_counts_survive(tmp_path: Path) -> None:
    layout = many(tmp_path / "v", 10)
    with Index.open(layout) as index:
        index.touch(["f1/p1.md", "f2/p2.md"], "2026-01-01T00:00:00Z")
        index.touch(["f1/p1.md"], "2026-01-02T00:00:00Z")
        (tmp_path / "v/f2/p2.md").rename(tmp_path / "v/f2/renamed.md")
        index.rebuild()
        used = {row.path: (row.access_count, row.last_access) for row in index.rows(sort="used", limit=2)[0]}
    assert used == {"f1/p1.md": (2, "2026-01-02T00:00:00Z"), "f2/renamed.md": (1, "2026-01-01T00:00:00Z")}


class Broken(Exception):
    pass


def test_broken_off_it_leaves_the_old_index(tmp_path: Path) -> None:
    layout = many(tmp_path / "v", 30)
    with Index.open(layout) as index:
        before = image(index.db)
        put(tmp_path / "v", "f0/more.md", "more\n")
        for error in (KeyboardInterrupt, Broken):

            def stop(done: int, total: int, error: type[BaseException] = error) -> None:
                if done:
                    raise error

            with pytest.raises(error):
                index.rebuild(progress=stop)
            assert image(index.db) == before
            assert leftovers(layout.index) == []
        index.rebuild()
        assert index.total() == 31


def test_an_unreachable_folder_is_no_reason_to_lose_the_index(tmp_path: Path) -> None:
    layout = many(tmp_path / "v", 8)
    path = str(tmp_path / "i.db")
    with building(path):
        rebuild(layout, path)
    before = Path(path).read_bytes()
    os.rename(layout.pages, tmp_path / "away")
    with building(path), pytest.raises(Unreachable):
        rebuild(layout, path)
    assert Path(path).read_bytes() == before
    assert leftovers(path) == []


BUILDER = """
import sys
from memex_core.files.layout import open_layout
from memex_core.index.index import Index
with Index.open(open_layout(sys.argv[1])) as index:
    print(index.built is not None, index.total())
"""


def test_two_processes_that_find_no_index_build_one(tmp_path: Path) -> None:
    """CC-09: both end with a usable index, and one of them did the work."""
    layout = many(tmp_path / "v", 400)
    command = [sys.executable, "-c", BUILDER, layout.root]
    both = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(3)]
    said = sorted(process.communicate()[0].strip() for process in both)
    assert [process.returncode for process in both] == [0, 0, 0]
    assert said == ["False 400", "False 400", "True 400"]
    with Index.open(layout) as index:
        same_as_built(index, tmp_path / "other.db")


def test_killed_in_the_middle_it_is_begun_again(tmp_path: Path) -> None:
    layout = many(tmp_path / "v", 600)
    command = [sys.executable, "-c", BUILDER, layout.root]
    for pause in (0.15, 0.3, 0.45):
        process = subprocess.Popen(command, stdout=subprocess.PIPE)
        time.sleep(pause)
        process.send_signal(signal.SIGKILL)
        process.wait()
    with Index.open(layout) as index:
        assert index.total() == 600
        same_as_built(index, tmp_path / "other.db")
        assert leftovers(layout.index) == []


def test_what_a_killed_builder_left_behind_is_swept(tmp_path: Path) -> None:
    layout = many(tmp_path / "v", 3)
    Index.open(layout).close()
    for ending in (".new", ".new-journal", ".links"):
        Path(layout.index + ending).write_bytes(b"half")
    with building(layout.index), ThreadPoolExecutor(1) as other:  # its builder lives
        other.submit(lambda: Index.open(layout).close()).result()
        assert Path(layout.index + ".new").exists()
    Index.open(layout).close()
    assert leftovers(layout.index) == []


def test_parsers_in_other_processes_make_the_same_entries(tmp_path: Path) -> None:
    layout = many(tmp_path / "v", 450)
    stats = list(scan(layout).pages.values())

    def gathered(processes: int) -> tuple[list[object], dict[str, str], int]:
        entries: list[object] = []
        words: dict[str, str] = {}
        done = 0
        for made, spelt, count in parse_all(layout, stats, processes):
            entries += made
            words.update(spelt)
            done += count
        return sorted(entries, key=repr), words, done

    alone, two = gathered(0), gathered(2)
    assert two == alone
    assert alone[2] == 450
    assert alone[1]["word17"] == "word17"


def test_a_parser_that_dies_loses_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    layout = many(tmp_path / "v", 900)
    stats = list(scan(layout).pages.values())
    killed: list[int] = []
    start = worker._Pool._start

    def starting(pool: worker._Pool) -> subprocess.Popen[bytes]:
        child = start(pool)
        if not killed:
            killed.append(child.pid)
            child.kill()
        return child

    monkeypatch.setattr(worker._Pool, "_start", starting)
    assert sum(len(entries) for entries, _, _ in parse_all(layout, stats, 2)) == 900
    assert killed


def test_without_other_processes_it_goes_on_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    layout = many(tmp_path / "v", 300)
    stats = list(scan(layout).pages.values())
    monkeypatch.setattr(worker.sys, "executable", "/nowhere/python")
    assert sum(len(entries) for entries, _, _ in parse_all(layout, stats, 2)) == 300


def test_no_process_is_left_when_it_is_broken_off(tmp_path: Path) -> None:
    layout = many(tmp_path / "v", 900)
    making = parse_all(layout, list(scan(layout).pages.values()), 2)
    next(making)
    pool = making.gi_frame.f_locals  # type: ignore[attr-defined]
    assert pool["processes"] == 2
    making.close()
    listed = subprocess.run(
        ["ps", "-o", "args=", "--ppid", str(os.getpid())], capture_output=True, text=True, check=False
    ).stdout
    assert "memex_core.index.parser" not in listed


def test_the_merged_segment_stands_where_saves_leave_it(tmp_path: Path) -> None:
    layout = many(tmp_path / "v", 200)
    with Index.open(layout) as index:
        levels = segment_levels(index.db, "page_fts")
        assert sum(levels) == 1
        assert levels.index(1) >= 3
        settings = dict(index.db.execute("SELECT k, v FROM page_fts_config").fetchall())
        assert {name: settings[name] for name in schema.FTS_DEFAULTS} == schema.FTS_DEFAULTS
        for turn in range(120):  # enough saves for the engine to merge several times
            put(tmp_path / "v", f"f{turn % 10}/p{turn}.md", f"# Page {turn}\n\nsave{turn}\n", age=2)
            index.update([f"f{turn % 10}/p{turn}.md"])
        levels = segment_levels(index.db, "page_fts")
        assert levels[3:].count(1) >= 1
        same_as_built(index, tmp_path / "other.db")


def test_files_that_fail_do_not_stop_the_rest(tmp_path: Path) -> None:
    """FM-03: the others are found, and the report names the one that failed."""
    layout = vault(
        tmp_path / "v", {"a.md": "one\n", "b.md": "---\ntitle: 2024-06-01\n---\ntwo\n", "c.md": "three\n"}
    )
    os.symlink("nowhere.md", tmp_path / "v/dangling.md")
    path = str(tmp_path / "i.db")
    with building(path):
        report = rebuild(layout, path)
    assert report["nodes_indexed"] == 3
    assert report["nodes_skipped"] == 1
    assert [entry["file"] for entry in report["errors"]] == ["dangling.md"]
    assert report["nodes_errored"] == 0


def test_conversations_and_the_diary_are_built_too(tmp_path: Path) -> None:
    layout = create_store(str(tmp_path / "store"))
    put(Path(layout.pages), "entities/kettle.md", "# Kettle\n")
    turn = {"role": "user", "content": "the kettle leaks", "ts": "2026-01-01T10:00:00Z"}
    transcripts.ingest(layout, "sess-1", [turn])
    diary.append(layout, "bought a kettle", date="2026-01-02", time="08:00")
    with Index.open(layout) as index:
        rows = index.db.execute("SELECT count(*) FROM passage_fts WHERE passage_fts MATCH 'body : \"kettl\"'")
        assert rows.fetchone() == (2,)
        index.rebuild()
        rows = index.db.execute("SELECT count(*) FROM passage_fts WHERE passage_fts MATCH 'body : \"kettl\"'")
        assert rows.fetchone() == (2,)
        assert sum(segment_levels(index.db, "passage_fts")) == 1


def test_indexing_touches_no_page(tmp_path: Path) -> None:
    """FM-09."""
    layout = many(tmp_path / "v", 20)
    os.symlink("f1/p1.md", tmp_path / "v/link.md")

    def state() -> dict[str, tuple[bytes, int]]:
        return {
            str(path): (path.read_bytes(), path.stat().st_mtime_ns)
            for path in sorted((tmp_path / "v").rglob("*.md"))
        }

    before = state()
    with Index.open(layout) as index:
        index.refresh()
        index.rebuild()
        index.update(index.paths())
    assert state() == before
