"""Acceptance tests 20 and 21: an archive brings everything back, with or without an index."""

from __future__ import annotations

import shutil
import tarfile
from pathlib import Path
from typing import Any

from tests.acceptance.test_transcripts import TURNS


def filled(memex: Any) -> None:
    memex.write(type="entity", title="Kept", body="treasure [[Other]]", tags=["gold"])
    memex.write(type="entity", title="Other", body="also here")
    memex.ingest_transcript("sess-abc", turns=TURNS)


def texts(root: Path) -> dict[str, bytes]:
    folders = (root / "docs", root / "transcripts")
    return {str(f.relative_to(root)): f.read_bytes() for d in folders for f in d.rglob("*") if f.is_file()}


def test_backup_and_restore(memex: Any, cli: Any, root: Path, tmp_path: Path) -> None:
    filled(memex)
    before = texts(root)
    archive = tmp_path / "memory.tar.gz"
    report = cli("backup", "-o", str(archive), "--json").json
    assert report["file_counts"]["wiki"] == 3
    assert report["file_counts"]["transcripts"] == 2
    assert report["size_bytes"] == archive.stat().st_size
    memex.close()
    shutil.rmtree(root / "docs")
    shutil.rmtree(root / "transcripts")

    restored = cli("restore", "-i", str(archive), "--json")
    assert restored.returncode == 0, restored.stderr
    assert restored.json["restored"] is True
    assert restored.json["index_rebuilt"] is True
    assert texts(root) == before
    assert [hit["slug"] for hit in memex.recall("treasure")["hits"]] == ["kept"]
    assert memex.sessions()["total"] == 1
    assert cli("verify", "--json").json["ok"] is True


def test_backup_restore_skips_missing_mem_db(memex: Any, root: Path, tmp_path: Path) -> None:
    filled(memex)
    archive, elsewhere = tmp_path / "memory.tar.gz", tmp_path / "elsewhere"
    memex.close()
    for file in root.glob("mem.db*"):
        file.unlink()
    memex.backup(archive)
    with tarfile.open(archive) as tar:
        assert not [name for name in tar.getnames() if "mem.db" in name]
    report = memex.restore(archive, target=elsewhere)
    assert report["index_rebuilt"] is True
    assert texts(elsewhere) == texts(root)

    from memex_core import Memex

    with Memex(elsewhere) as other:
        assert [hit["slug"] for hit in other.recall("treasure")["hits"]] == ["kept"]
        assert other.list()["total"] == 3
