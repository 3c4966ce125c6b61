"""Archives of the documented form: restored as far as they can be trusted, else refused with the reason."""

from __future__ import annotations

import io
import json
import tarfile
from pathlib import Path
from typing import Any

import pytest

from memex_core import Memex
from memex_core.care import backup
from memex_core.model.errors import Damaged

TOLD = {
    "version": "1.0",
    "backed_up_at": "2026-01-01T00:00:00Z",
    "memex_version": "0.1.0",
    "file_counts": {"wiki": 1},
}
PAGE = b"---\ntype: entity\ntitle: Hull\n---\nOak.\n"
TURN = b'{"role": "user", "content": "Row"}\n'


def archive(path: Path, told: Any = TOLD, *, last: bool = False, **files: bytes) -> Path:
    """An archive whose manifest says ``told``; ``__`` in a name stands for a slash."""
    named = [(f"t/{name.replace('__', '/')}", data) for name, data in files.items()]
    manifest = [("t/manifest.json", json.dumps(told).encode())]
    with tarfile.open(path, "w:gz") as tar:
        folder = tarfile.TarInfo("t/docs")
        folder.type = tarfile.DIRTYPE
        if last:
            tar.addfile(folder)
        for name, data in [*named, *manifest] if last else [*manifest, *named]:
            info = tarfile.TarInfo(name)
            info.size = len(data)
            tar.addfile(info, io.BytesIO(data))
    return path


@pytest.mark.parametrize("folder", ["wiki", "docs"])
@pytest.mark.parametrize("told", [TOLD, {**TOLD, "version": 1}, {**TOLD, "files": []}])
@pytest.mark.parametrize("last", [True, False])
def test_it_is_restored_into_todays_places(tmp_path: Path, folder: str, told: Any, last: bool) -> None:
    files = {f"{folder}__entities__hull.md": PAGE, "transcripts__s.jsonl": TURN, "mem.db": b"an index"}
    made = archive(tmp_path / "b.tar.gz", told, last=last, **files)
    with Memex(tmp_path / "s", create=True) as memex:
        plan = memex.restore(made, dry_run=True)
        assert plan["file_counts"]["wiki"] == 1 and memex.list()["total"] == 0
        done = memex.restore(made)
        assert (done["file_counts"]["wiki"], done["file_counts"]["transcripts"]) == (1, 1)
        assert [hit["slug"] for hit in memex.recall("oak")["hits"]] == ["hull"]
    assert (tmp_path / "s" / "docs" / "entities" / "hull.md").read_bytes() == PAGE
    assert (tmp_path / "s" / "transcripts" / "s.jsonl").read_bytes() == TURN
    assert not (tmp_path / "s" / "wiki").exists()


@pytest.mark.parametrize(
    ("told", "files", "says"),
    [
        ({**TOLD, "version": "9.0"}, {"docs__a.md": PAGE}, "is of version 9.0"),
        ({"version": "1.0"}, {"docs__a.md": PAGE}, "is no memex backup"),
        ([1], {"docs__a.md": PAGE}, "is no memex backup"),
        (TOLD, {"strange.bin": b"x"}, "'strange.bin' does not belong there"),
        (TOLD, {"docs__a.md": PAGE, "wiki__a.md": PAGE}, "'docs/a.md' does not belong there"),
        (TOLD, {"docs__..__..__evil.md": PAGE}, "leads out of the archive"),
        (TOLD, {"..__evil.md": PAGE}, "leads out of the archive"),
    ],
)
def test_what_is_wrong_is_said_and_nothing_written(
    tmp_path: Path, told: Any, files: dict[str, bytes], says: str
) -> None:
    made = archive(tmp_path / "b.tar.gz", told, **files)
    with Memex(tmp_path / "s", create=True) as memex:
        with pytest.raises(Damaged, match=says.replace(".", r"\.")):
            memex.restore(made)
        assert memex.list()["total"] == 0
    assert not (tmp_path / "evil.md").exists()


def test_it_unpacks_to_no_more_than_it_may(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(backup, "ROOMY", 1000)
    made = archive(tmp_path / "b.tar.gz", docs__a=b"0" * 1_000_000)
    with pytest.raises(Damaged, match="would unpack to"):
        backup.verify(str(made))


def test_an_archive_without_a_manifest_is_none(tmp_path: Path) -> None:
    with tarfile.open(tmp_path / "b.tar.gz", "w:gz") as tar:
        info = tarfile.TarInfo("t/docs/a.md")
        info.size = len(PAGE)
        tar.addfile(info, io.BytesIO(PAGE))
    with pytest.raises(Damaged, match="is no memex backup"):
        backup.verify(str(tmp_path / "b.tar.gz"))
