"""Backup, restore and purge killed at each of their file operations: nothing is lost, nothing is half done."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from memex_core import Memex
from memex_core.care import backup, unfinished
from memex_core.files.exclusion import excluded_sessions
from memex_core.files.layout import open_layout
from memex_core.index import earlier
from tests.acceptance.test_transcripts import TURNS
from tests.care import dying

WORD = "zebraword"


def pages(root: Path) -> dict[str, bytes]:
    return {
        file.relative_to(root).as_posix(): file.read_bytes()
        for name in ("docs", "diary", "transcripts")
        for file in sorted((root / name).rglob("*"))
        if file.is_file() and not file.name.startswith(".")
    }


def traces(root: Path, *paths: str) -> list[str]:
    """Files of the store in which the word stands, compressed copies too."""
    named = [str(file) for file in root.rglob("*") if file.is_file() and WORD.encode() in file.read_bytes()]
    copies = earlier.known(open_layout(str(root)), paths)
    return named + [path for path, copy in copies.items() if WORD.encode() in copy.data]


def leftovers(root: Path) -> list[str]:
    return [file.name for file in root.rglob("*") if file.name.endswith((".tmp", ".part"))]


def sound(memex: Memex) -> None:
    report = memex.verify()
    assert [one["name"] for one in report["checks"] if not one["ok"]] == []
    assert not Path(memex.store.layout.state, unfinished.FOLDER).exists()


def test_a_purge_is_finished_or_was_never_begun(memex: Memex, root: Path, tmp_path: Path) -> None:
    memex.write(type="entity", title="Rye", body=f"{WORD} one\n")
    memex.write(type="entity", title="Oat", body="stays\n")
    memex.backup(tmp_path / "b.tar.gz")
    memex.edit("rye", body=f"{WORD} two\n")
    memex.restore(tmp_path / "b.tar.gz")  # so that there is a set-aside copy
    memex.edit("rye", body=f"{WORD} three\n")
    memex.rename("rye", "Rye bread")
    ident = memex.show("rye-bread")["id"]
    memex.close()
    saved = dying.Saved(tmp_path / "saved", root)
    names = ("entities/rye.md", "entities/rye-bread.md")
    ends = set()
    for at in dying.deaths(lambda: Memex(root).purge("rye-bread", id=ident), saved.put):
        with Memex(root) as after:
            slugs = {row["slug"] for row in after.list()["pages"]}
            sound(after)
            told = [one for one in after.store.warnings if "purge of rye-bread" in one]
        left = traces(root, *names)
        assert leftovers(root) == []
        ends.add((len(slugs), bool(left), bool(told)))
        if "rye-bread" in slugs:
            assert (root / "docs/entities/rye-bread.md").read_bytes().endswith(b"three\n"), at
        else:
            assert left == [], f"killed at operation {at}"
            assert slugs == {"oat"}
    assert {(2, True, False), (1, False, True)} <= ends


def test_a_purge_of_a_conversation_is_finished_or_was_never_begun(
    memex: Memex, root: Path, tmp_path: Path
) -> None:
    turns = [{"role": "user", "content": f"{WORD} {n}", "turn": n, "xid": f"x{n}"} for n in (1, 2)]
    memex.ingest_transcript("sess-zebra", turns=turns)
    memex.write(type="entity", title="Oat", body="stays\n")
    memex.close()
    saved = dying.Saved(tmp_path / "saved", root)
    (episode,) = (path for path in pages(root) if path.startswith("docs/episodes/"))
    gone = 0
    for at in dying.deaths(lambda: Memex(root).purge(session="sess-zebra"), saved.put):
        with Memex(root) as after:
            after.list()
            sessions = after.sessions()["total"]
            assert after.verify()["ok"] is True
        if sessions:
            assert (root / episode).exists(), at
            assert (root / "transcripts/sess-zebra.jsonl").exists(), at
        else:
            assert traces(root, episode.removeprefix("docs/")) == [], f"killed at operation {at}"
            assert not (root / episode).exists()
            assert excluded_sessions(open_layout(str(root))) == {"sess-zebra": "purged"}
            gone += 1
    assert gone > 5


def test_a_restore_is_finished_by_whoever_comes_next(
    memex: Memex, root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from memex_core.care import unpack

    monkeypatch.setattr(unpack, "CHUNK", 2)
    for number in range(5):
        memex.write(type="entity", title=f"Page {number}", body=f"then {number}\n")
    memex.ingest_transcript("sess-abc", turns=TURNS)
    memex.diary_append("a day\n")
    archive = tmp_path / "b.tar.gz"
    memex.backup(archive)
    wanted = pages(root)
    for number in range(4):
        memex.edit(f"page-{number}", body=f"since {number}\n")
    memex.write(type="entity", title="Newer", body="newer\n")
    memex.diary_append("another day\n")
    memex.close()
    saved = dying.Saved(tmp_path / "saved", root)
    now = pages(root)
    assert now != wanted
    ends = set()
    for at in dying.deaths(lambda: Memex(root).restore(archive), saved.put):
        with Memex(root) as after:
            after.list()
            told = [one for one in after.store.warnings if "restore had broken off" in one]
            assert after.verify()["ok"] is True
            assert after.store.journal.problems() == []
            history = b"".join(map(bytes_of, after.store.journal.read()))
        found = pages(root)
        assert found in (now, wanted), f"killed at operation {at}"
        assert leftovers(root) == []
        ends.add((found == wanted, bool(told)))
        if found == wanted:  # and what was newer is not lost
            assert all(f"since {number}\n".encode() in history for number in range(4))
            kept = b"".join(file.read_bytes() for file in root.glob("pre-restore-*/**/*") if file.is_file())
            assert b"newer\n" in kept
            assert b"another day\n" in kept
    assert (False, False) in ends
    assert (True, True) in ends


def bytes_of(event: Any) -> bytes:
    from memex_core.files.journal import bytes_before

    return bytes_before(event) or b""


def test_a_restore_that_cannot_be_finished_says_so_until_another_one_is(
    memex: Memex, root: Path, tmp_path: Path
) -> None:
    memex.write(type="entity", title="Page", body="then\n")
    archive, moved = tmp_path / "b.tar.gz", tmp_path / "moved.tar.gz"
    memex.backup(archive)
    memex.edit("page", body="since\n")
    memex.close()
    saved = dying.Saved(tmp_path / "saved", root)
    deaths = dying.deaths(lambda: Memex(root).restore(archive), saved.put)
    assert any(list(root.glob("unfinished/*.json")) for _ in deaths)
    archive.rename(moved)
    for _ in range(2):
        with Memex(root) as after:
            after.list()
            (said,) = (one for one in after.store.warnings if "broke off" in one)
            assert f"no file {archive}" in said
            assert "memex restore" in said
    with Memex(root) as after:
        after.restore(moved)
        assert after.show("page")["body"] == "then\n"
        assert not [one for one in after.store.warnings if "broke off" in one]
        sound(after)


def test_a_purge_that_is_running_is_left_alone(memex: Memex, root: Path) -> None:
    memex.write(type="entity", title="Rye", body=f"{WORD}\n")
    layout = memex.store.layout
    with unfinished.act(layout, unfinished.PURGE, {"item": "rye"}):
        assert dying.run(lambda: Memex(root).list()) >= 0
        assert list(root.glob("unfinished/*.json"))
    assert not list(root.glob("unfinished*"))


def test_a_half_written_backup_is_none(memex: Memex, root: Path, tmp_path: Path) -> None:
    """Under the name that was asked for lies the backup from before or the new one, whole; and what a killed
    one left beside it is gone with the next."""
    memex.write(type="entity", title="Page", body="then\n")
    memex.ingest_transcript("sess-abc", turns=TURNS)
    there = tmp_path / "backups"
    there.mkdir()
    archive = there / "b.tar.gz"
    memex.backup(archive)
    old = archive.read_bytes()
    memex.edit("page", body="since\n")
    memex.close()
    saved = dying.Saved(tmp_path / "saved", root)
    before = pages(root)
    ends = set()

    def prepare() -> None:
        saved.put()
        archive.write_bytes(old)

    for at in dying.deaths(lambda: Memex(root).backup(archive), prepare):
        assert pages(root) == before
        names = [entry["path"] for entry in backup.verify(str(archive))["files"]]
        assert "docs/entities/page.md" in names, at
        ends.add(archive.read_bytes() == old)
    with Memex(root) as after:
        after.backup(archive)
        sound(after)
    assert [file.name for file in there.iterdir()] == ["b.tar.gz"]
    assert True in ends


@pytest.mark.parametrize(
    "note",
    [
        "{",
        "[]",
        '{"item": "x"}',
        '{"item": "x", "names": ["../../x"], "seqs": [], "removed": {}, "after": 0, "copies": {}}',
        '{"item": "x", "names": [1], "seqs": [], "removed": {}, "after": 0, "copies": {}}',
        '{"item": "x", "names": [], "seqs": ["1"], "removed": {}, "after": 0, "copies": {}}',
        '{"item": "x", "names": [], "seqs": [], "removed": {}, "after": 0, "copies": {"docs/../../../precious": ""}}',
        '{"item": "x", "names": [], "seqs": [], "removed": {}, "after": 0, "copies": {"out/precious": ""}}',
        '{"item": "x", "names": [], "seqs": [], "removed": {}, "after": 0, "copies": {}, "sessions": ["../a"]}',
    ],
)
def test_a_note_that_came_with_a_folder_from_elsewhere_erases_nothing_outside(
    memex: Memex, root: Path, tmp_path: Path, note: str
) -> None:
    memex.write(type="entity", title="Rye", body="stays\n")
    memex.close()
    precious = tmp_path / "precious"
    precious.write_text("precious")
    (root / "pre-restore-1" / "docs").mkdir(parents=True)
    (root / "pre-restore-1" / "out").symlink_to(tmp_path)
    (root / "pre-restore-2").symlink_to(tmp_path)
    (root / unfinished.FOLDER).mkdir()
    (root / unfinished.FOLDER / "purge.json").write_text(note)
    before = pages(root)
    with Memex(root) as after:
        assert after.list()["total"] == 1
        sound(after)
    assert pages(root) == before
    assert precious.read_text() == "precious"
