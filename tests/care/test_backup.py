"""An archive is one moment of the store, and a damaged or hostile one changes nothing."""

from __future__ import annotations

import io
import json
import sqlite3
import tarfile
import threading
from pathlib import Path
from typing import Any

import pytest

from memex_core import Memex
from memex_core.care import notice
from memex_core.index import earlier
from memex_core.index.index import Index
from memex_core.model.errors import Damaged


def tar_of(path: Path, members: dict[str, bytes], *, link: str = "") -> Path:
    with tarfile.open(path, "w:gz") as tar:
        for name, data in members.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            tar.addfile(info, io.BytesIO(data))
        if link:
            info = tarfile.TarInfo(link)
            info.type, info.linkname = tarfile.SYMTYPE, "/etc/passwd"
            tar.addfile(info)
    return path


def manifest(*paths: str, size: int = 1) -> bytes:
    files = [{"path": path, "size": size, "sha256": "0" * 64} for path in paths]
    return json.dumps({"version": 1, "files": files}).encode()


def test_one_flipped_byte_is_found_and_named(memex: Any, tmp_path: Path) -> None:
    for number in range(20):
        memex.write(type="entity", title=f"Page {number}", body=f"{number} " * 200)
    archive = tmp_path / "b.tar.gz"
    memex.backup(archive)
    plain = tmp_path / "plain.tar"
    import gzip

    data = bytearray(gzip.decompress(archive.read_bytes()))
    at = data.index(b"7 7 7 7")
    data[at] ^= 1
    plain.write_bytes(gzip.compress(bytes(data)))
    with pytest.raises(Damaged, match=r"docs/entities/page-7\.md is damaged"):
        memex.restore(plain)
    assert memex.list()["total"] == 20


@pytest.mark.parametrize(
    ("members", "link"),
    [
        ({"t/manifest.json": manifest("docs/../../evil.md"), "t/docs/../../evil.md": b"x"}, ""),
        ({"t/manifest.json": manifest("docs/a.md"), "/etc/evil": b"x"}, ""),
        ({"t/manifest.json": manifest("docs/a.md")}, "t/docs/a.md"),
        ({"t/manifest.json": manifest("docs/a.md", size=10**10), "t/docs/a.md": b"x"}, ""),
        ({"t/manifest.json": manifest("docs/a.md"), "t/docs/b.md": b"x"}, ""),
        ({"t/manifest.json": manifest("docs/a.md")}, ""),
        ({"t/other": b"x"}, ""),
        ({"t/manifest.json": b"[1]"}, ""),
    ],
)
def test_hostile_archives_are_refused_before_the_first_write(
    memex: Any, root: Path, tmp_path: Path, members: dict[str, bytes], link: str
) -> None:
    memex.write(type="entity", title="Here", body="x")
    before = sorted(str(f) for f in root.rglob("*"))
    with pytest.raises(Damaged):
        memex.restore(tar_of(tmp_path / "evil.tar.gz", members, link=link))
    assert sorted(str(f) for f in root.rglob("*")) == before
    assert not (tmp_path / "evil.md").exists()


def test_what_is_newer_survives_a_restore(memex: Any, root: Path, tmp_path: Path) -> None:
    path = Path(memex.write(type="entity", title="Page", body="then")["file_path"])
    memex.backup(tmp_path / "b.tar.gz")
    old = path.read_bytes()
    memex.edit("page", body="newer words")
    memex.write(type="entity", title="Later", body="later words")
    newer = path.read_bytes()

    plan = memex.restore(tmp_path / "b.tar.gz", dry_run=True)
    assert plan["restored"] is False
    assert path.read_bytes() == newer
    report = memex.restore(tmp_path / "b.tar.gz")
    assert path.read_bytes() == old
    assert memex.list()["total"] == 1
    kept = Path(report["previous_backup_dir"])
    assert (kept / "docs" / "entities" / "page.md").read_bytes() == newer
    memex.revert("page")
    assert path.read_bytes() == newer
    memex.restore(tmp_path / "b.tar.gz")
    memex.restore(tmp_path / "b.tar.gz")
    assert memex.list()["total"] == 1


def test_a_backup_during_writes_is_consistent(memex: Any, root: Path, tmp_path: Path) -> None:
    for number in range(50):
        memex.write(type="entity", title=f"First {number}", body="x")
    stop = threading.Event()

    def writer() -> None:
        with Memex(root) as other:
            for number in range(1000):
                if stop.is_set():
                    return
                other.write(type="entity", title=f"While {number}", body=f"[[while-{number - 1}]]")

    thread = threading.Thread(target=writer)
    thread.start()
    try:
        report = memex.backup(tmp_path / "b.tar.gz")
    finally:
        stop.set()
        thread.join()
    assert report["file_counts"]["wiki"] >= 50
    memex.restore(tmp_path / "b.tar.gz", target=tmp_path / "copy")
    with Memex(tmp_path / "copy") as copy:
        assert copy.list()["total"] == report["file_counts"]["wiki"]
        titles = [page["title"] for page in copy.list(limit=2000)["pages"]]
        numbers = sorted(int(title.split()[1]) for title in titles if title.startswith("While"))
        assert numbers == list(range(len(numbers)))


def test_importing_twice_changes_nothing(memex: Any, tmp_path: Path) -> None:
    done = memex.write(type="entity", title="Ünïcode", body="naïve [[x]]", tags=["a"], status="draft")
    Path(done["file_path"]).with_name("raw.md").write_bytes(b"\xff\xfe not utf-8\r\n")
    memex.look_again()
    document = json.loads(json.dumps(memex.export()))
    with Memex(tmp_path / "other", create=True) as other:
        assert other.import_(document)["imported"] == 2
        again = other.import_(document)
        assert (again["imported"], again["unchanged"]) == (0, 2)
        assert other.read_bytes("entities/raw.md") == b"\xff\xfe not utf-8\r\n"
        page = other.show("ünïcode")
        assert (page["id"], page["status"]) == (done["id"], "draft")


def test_history_comes_back_however_many_pages_there_are(
    memex: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memex_core.care.unpack.CHUNK", 2)
    for number in range(5):
        memex.write(type="entity", title=f"Page {number}", body="first text")
        memex.edit(f"page-{number}", body="second text")
    memex.backup(tmp_path / "b.tar.gz")
    memex.restore(tmp_path / "b.tar.gz", target=tmp_path / "elsewhere")
    with Memex(tmp_path / "elsewhere") as other:
        actions = [event["action"] for event in other.store.journal.read()]
        assert actions == ["add", "update"] * 5 + ["restore"] * 5
        other.revert("page-3", to=7)
        assert other.show("page-3")["body"].strip() == "first text"


def test_a_restore_whose_index_cannot_follow_has_restored_all_the_same(
    memex: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    memex.write(type="entity", title="Page", body="then")
    memex.backup(tmp_path / "b.tar.gz")
    memex.edit("page", body="since")
    with monkeypatch.context() as patch:

        def full(*_: Any, **__: Any) -> None:
            raise sqlite3.OperationalError("database or disk is full")

        patch.setattr(Index, "rebuild", full)
        report = memex.restore(tmp_path / "b.tar.gz")
    assert (report["restored"], report["index_rebuilt"]) == (True, False)
    assert "restored, but the index could not follow yet" in report["warnings"][-1]
    assert memex.show("page")["body"] == "then\n"
    assert memex.recall("then")["hits"][0]["slug"] == "page"


def test_set_aside_copies_of_one_second_do_not_replace_each_other(
    memex: Any, tmp_path: Path, later: Any
) -> None:
    later("2026-03-01T12:00:00Z")
    memex.write(type="entity", title="Page", body="then")
    memex.backup(tmp_path / "b.tar.gz")
    kept = []
    for body in ("first", "second"):
        memex.edit("page", body=body)
        kept.append(Path(memex.restore(tmp_path / "b.tar.gz")["previous_backup_dir"]))
    texts = [(place / "docs/entities/page.md").read_text().rsplit("---\n", 1)[-1] for place in kept]
    assert texts == ["first", "second"]


def test_the_first_outside_edit_after_a_restore_can_be_taken_back(memex: Any, tmp_path: Path) -> None:
    memex.write(type="entity", title="Keep", body="kept words")
    memex.backup(tmp_path / "b.tar.gz")
    memex.restore(tmp_path / "b.tar.gz", target=tmp_path / "copy")
    page = tmp_path / "copy" / "docs" / "entities" / "keep.md"
    was = page.read_bytes()
    page.write_bytes(was + b"\nadded by hand\n")
    with Memex(tmp_path / "copy") as copy:
        assert copy.history("keep")["events"][0]["action"] == "hand"
        copy.revert("keep")
    assert page.read_bytes() == was


def test_a_restored_store_knows_the_texts_of_all_its_pages(
    memex: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However many there are: with the index made first there would be none in a large store."""
    for number in range(5):
        memex.write(type="entity", title=f"Page {number}", body=f"{number}")
    memex.backup(tmp_path / "b.tar.gz")
    monkeypatch.setattr(notice, "KEPT_AT_FIRST", 2)
    memex.restore(tmp_path / "b.tar.gz", target=tmp_path / "copy")
    with Memex(tmp_path / "copy") as copy:
        layout = copy.store.layout
    paths = [f"entities/page-{number}.md" for number in range(5)]
    known = earlier.known(layout, paths)
    assert {path: known[path].data for path in known} == {
        path: Path(layout.file_path(path)).read_bytes() for path in paths
    }
