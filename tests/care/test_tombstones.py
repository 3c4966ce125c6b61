"""What was purged here stays away, whatever an older backup or export holds; another store gets all of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from memex_core import Memex
from tests.actions.talk import TURNS


@pytest.fixture
def archive(memex: Memex, tmp_path: Path) -> str:
    """A backup of three pages, of which one was then purged."""
    for title in ("Gone", "Kept", "Forgotten"):
        memex.write(type="entity", title=title, body=f"{title} zinnia")
    memex.edit("gone", body="another zinnia")
    memex.backup(str(tmp_path / "b.tgz"))
    memex.purge("gone", id=str(memex.show("gone")["id"]))
    memex.forget("forgotten")
    return str(tmp_path / "b.tgz")


def test_a_restore_leaves_out_what_was_purged(memex: Memex, archive: str, root: Path) -> None:
    told = "1 file was purged here and stays away: docs/entities/gone.md"
    tried = memex.restore(archive, dry_run=True)
    done = memex.restore(archive)
    assert [told in report["warnings"] for report in (tried, done)] == [True, True]
    assert [report["file_counts"]["wiki"] for report in (tried, done)] == [2, 2]
    found = sorted(path.name for path in (root / "docs").rglob("*.md"))
    assert found == ["forgotten.md", "kept.md"]
    assert len(memex.recall("zinnia")["hits"]) == 2


def test_an_earlier_version_stays_away_too(memex: Memex, tmp_path: Path) -> None:
    memex.write(type="entity", title="Gone", body="first zinnia")
    first = memex.export()
    memex.backup(str(tmp_path / "b.tgz"))
    memex.edit("gone", body="second zinnia")
    memex.purge("gone", id=str(memex.show("gone")["id"]))
    memex.restore(str(tmp_path / "b.tgz"))
    assert memex.list()["total"] == 0
    tried = [memex.import_(first, dry_run=dry_run) for dry_run in (True, False)]
    skipped = [{"path": "entities/gone.md", "reason": "it was purged here"}]
    assert [(one["imported"], one["skipped"]) for one in tried] == [(0, skipped), (0, skipped)]
    assert memex.list()["total"] == 0


def test_a_version_that_memex_never_saw_is_known_by_its_id(memex: Memex, tmp_path: Path) -> None:
    page = Path(memex.write(type="entity", title="Gone", body="zinnia")["file_path"])
    text = page.read_text()
    page.write_text(text + "by hand\n")
    memex.look_again()
    by_hand = memex.export()
    memex.backup(str(tmp_path / "b.tgz"))
    page.write_text(text)
    memex.look_again()
    memex.purge("gone", id=str(memex.show("gone")["id"]))
    assert memex.import_(by_hand)["imported"] == 0
    memex.restore(str(tmp_path / "b.tgz"))
    assert not page.exists()


def test_in_another_folder_the_backup_is_whole(memex: Memex, archive: str, tmp_path: Path) -> None:
    done = memex.restore(archive, target=str(tmp_path / "else"))
    assert done["warnings"] == []
    assert len(list((tmp_path / "else" / "docs").rglob("*.md"))) == 3
    with Memex(tmp_path / "else") as there:
        assert len(there.recall("zinnia")["hits"]) == 3


def test_a_purged_conversation_stays_away(memex: Memex, root: Path, tmp_path: Path) -> None:
    for session in ("s-gone", "s-kept"):
        memex.ingest_transcript(session, turns=TURNS)
    memex.backup(str(tmp_path / "b.tgz"))
    memex.purge(session="s-gone")
    tried = memex.restore(str(tmp_path / "b.tgz"), dry_run=True)
    done = memex.restore(str(tmp_path / "b.tgz"))
    assert "transcripts/s-gone.jsonl" in str(tried["warnings"])
    assert "transcripts/s-gone.jsonl" in str(done["warnings"])
    left = sorted(path.name for path in (root / "transcripts").rglob("*.jsonl"))
    assert left == ["s-kept.jsonl"]


def test_nor_does_what_its_agents_said(memex: Memex, root: Path, tmp_path: Path) -> None:
    memex.ingest_transcript("s-gone", turns=TURNS)
    told = {"subagent": True, "parent_session": "s-gone"}
    memex.ingest_transcript("s-agent", turns=TURNS, metadata=told)
    memex.backup(str(tmp_path / "b.tgz"))
    memex.purge(session="s-gone")
    memex.restore(str(tmp_path / "b.tgz"))
    assert list((root / "transcripts").rglob("*.jsonl")) == []
