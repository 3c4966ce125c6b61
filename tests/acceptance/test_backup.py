"""Acceptance tests 20 and 21: an archive brings everything back, with or without an index; and so does one
that was made while others wrote."""

from __future__ import annotations

import gzip
import re
import shutil
import tarfile
import threading
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


def test_backups_during_a_thousand_writes_are_each_one_moment(memex: Any, root: Path, tmp_path: Path) -> None:
    """Two writers make chains of pages, 1,000 in all: a page of a chain is never in an archive without the
    one before it, and its journal knows every page that is there."""
    from memex_core import Memex

    chains, length = 2, 500
    written = [threading.Event() for _ in range(3)]

    def write(chain: int) -> None:
        with Memex(root) as other:
            for number in range(length):
                body = f"after [[chain {chain} page {number - 1}]]" if number else "the first"
                other.write(type="entity", title=f"Chain {chain} page {number}", body=body)
                if number in (1, 160, 320):
                    written[(1, 160, 320).index(number)].set()

    writers = [threading.Thread(target=write, args=(chain,)) for chain in range(chains)]
    for writer in writers:
        writer.start()
    archives = []
    for number, moment in enumerate(written):
        assert moment.wait(600)
        archives.append(tmp_path / f"{number}.tar.gz")
        memex.backup(archives[-1])
    for writer in writers:
        writer.join()
    assert memex.list()["total"] == chains * length

    sizes = []
    for number, archive in enumerate(archives):
        target = tmp_path / f"copy-{number}"
        memex.restore(archive, target=target)
        with Memex(target) as copy:
            names = [file.stem for file in (target / "docs").rglob("*.md")]
            sizes.append(len(names))
            for chain in range(chains):
                found = [
                    match for name in names if (match := re.fullmatch(rf"chain-{chain}-page-(\d+)", name))
                ]
                assert sorted(int(match[1]) for match in found) == list(range(len(found)))
            added = {event["file"] for event in copy.store.journal.read() if event["action"] == "add"}
            assert {f"entities/{name}.md" for name in names} == added
            assert copy.list()["total"] == len(names)
            assert copy.verify()["ok"] is True
    assert sizes == sorted(sizes) and sizes[0] >= 2


def test_one_flipped_byte_is_found_and_its_file_named(
    memex: Any, cli: Any, root: Path, tmp_path: Path
) -> None:
    filled(memex)
    archive = tmp_path / "memory.tar.gz"
    memex.backup(archive)
    data = bytearray(gzip.decompress(archive.read_bytes()))
    data[data.index(b"treasure")] ^= 1
    archive.write_bytes(gzip.compress(bytes(data)))
    before = texts(root)
    refused = cli("restore", "-i", str(archive))
    assert refused.returncode != 0
    assert "docs/entities/kept.md is damaged" in refused.stderr
    assert texts(root) == before
