"""Where an archive may write, what may be in it, and what an archive may overwrite."""

from __future__ import annotations

import hashlib
import io
import json
import os
import tarfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from memex_core.care import unpack
from memex_core.model.errors import BadInput, Damaged, Refused


def archive(path: Path, files: dict[str, bytes], manifest: Any = None) -> Path:
    entries = [
        {"path": name, "size": len(data), "sha256": hashlib.sha256(data).hexdigest()}
        for name, data in files.items()
    ]
    about = json.dumps({"version": 1, "files": entries} if manifest is None else manifest).encode()
    with tarfile.open(path, "w:gz") as tar:
        for name, data in {"manifest.json": about, **files}.items():
            info = tarfile.TarInfo(f"t/{name}")
            info.size = len(data)
            tar.addfile(info, io.BytesIO(data))
    return path


def everything(root: Path) -> dict[str, bytes]:
    """Every file but the log, which tells of refusals too."""
    files = (path for path in root.rglob("*") if path.is_file() and path.parent.name != "logs")
    return {str(path): path.read_bytes() for path in files}


def test_generated_pages_and_names_in_two_cases_survive(memex: Any, root: Path, tmp_path: Path) -> None:
    docs = root / "docs"
    (docs / "notes").mkdir(parents=True)
    kept = {"index.md": "nav\n", "log.md": "log\n", "notes/Case.md": "upper\n", "notes/case.md": "lower\n"}
    for name, text in kept.items():
        (docs / name).write_text(text)
    memex.backup(tmp_path / "b.tar.gz")
    memex.restore(tmp_path / "b.tar.gz", target=tmp_path / "copy")
    assert {name: (tmp_path / "copy" / "docs" / name).read_text() for name in kept} == kept


ELSEWHERE = """docs/out/a.png docs/out/a.md docs/out.bin docs/.git/hooks/x docs/.x.md bin/x mem.db
.pending.jsonl .lock docs/./a.md docs docs/%2e%2e/x.png journal.jsonl/x"""


@pytest.mark.parametrize("name", ELSEWHERE.split())
def test_nothing_is_written_elsewhere(memex: Any, root: Path, tmp_path: Path, name: str) -> None:
    memex.write(type="entity", title="Here", body="x")
    outside = tmp_path / "outside"
    outside.mkdir()
    (root / "docs" / "out").symlink_to(outside)
    (root / "docs" / "out.bin").symlink_to(outside / "new.bin")
    before = everything(root)
    with pytest.raises((Damaged, Refused)):
        memex.restore(archive(tmp_path / "evil.tar.gz", {"docs/fine.md": b"fine", name: b"evil"}))
    assert everything(root) == before
    assert os.listdir(outside) == []


@pytest.mark.parametrize(
    "files",
    [
        [{}],
        [5],
        [{"path": "docs/x.md"}],
        [{"path": 5, "size": 1, "sha256": ""}],
        [{"path": "docs/x.md", "size": 10**10, "sha256": "0" * 64}],
    ],
)
def test_a_manifest_of_another_shape_is_damaged(memex: Any, tmp_path: Path, files: Any) -> None:
    made = archive(tmp_path / "evil.tar.gz", {"docs/x.md": b"x"}, {"version": 1, "files": files})
    with pytest.raises(Damaged):
        memex.restore(made)


def test_a_bomb_is_refused_before_it_is_unpacked(memex: Any, tmp_path: Path) -> None:
    made = archive(tmp_path / "bomb.tar.gz", {"docs/zeros.bin": bytes(300 * 1024 * 1024)})
    with pytest.raises(Damaged, match="would unpack to 314,572,800 bytes"):
        memex.restore(made)


def test_two_names_that_one_disk_takes_for_one_are_refused(
    memex: Any, root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = archive(tmp_path / "b.tar.gz", {"docs/A.md": b"1", "docs/a.md": b"2"})
    monkeypatch.setattr(unpack, "ignores_case", lambda _folder: True)
    with pytest.raises(Refused, match="one file on this disk"):
        memex.restore(made)
    assert not list((root / "docs").rglob("*.md"))


@pytest.mark.parametrize("command", [("backup", "-o"), ("export", "-o")])
def test_a_page_is_never_the_output(
    memex: Any, root: Path, cli: Callable[..., Any], command: tuple[str, ...], tmp_path: Path
) -> None:
    page = Path(memex.write(type="entity", title="Here", body="x")["file_path"])
    before = page.read_bytes()
    (tmp_path / "linked").symlink_to(root)
    for place in (page, root / "journal.jsonl", tmp_path / "linked" / "docs" / "entities" / "here.md"):
        done = cli(*command, str(place))
        assert done.returncode == 1
        assert "is a file of this memory" in done.stderr
    assert page.read_bytes() == before
    assert cli(*command, str(tmp_path / "out")).returncode == 0
    assert cli(*command, str(tmp_path / "out")).returncode == 0


def test_a_folder_that_only_reading_has_touched_can_be_packed(root: Path, tmp_path: Path) -> None:
    from memex_core import Memex

    root.mkdir()
    (root / "a.md").write_text("# A\n")
    with Memex(root) as memex:
        assert memex.backup(tmp_path / "b.tar.gz")["file_counts"]["wiki"] == 1
    assert os.listdir(root) == ["a.md"]


@pytest.mark.parametrize("place", ["docs/b.tgz", "docs/deep/b.tgz", "diary/b.tgz", "transcripts/b.tgz"])
@pytest.mark.parametrize("dry_run", [False, True])
def test_an_archive_is_not_put_where_the_next_one_would_pack_it(
    memex: Any, root: Path, place: str, dry_run: bool
) -> None:
    memex.write(type="entity", title="Page")
    (root / place).parent.mkdir(parents=True, exist_ok=True)
    with pytest.raises(Refused, match="would lie among this memory's own files"):
        memex.backup(root / place, dry_run=dry_run)
    assert not (root / place).exists()


def test_an_archive_may_lie_beside_the_pages_or_hidden(memex: Any, root: Path) -> None:
    memex.write(type="entity", title="Page")
    (root / "docs" / ".kept").mkdir()
    for place in ("b.tgz", "docs/.kept/b.tgz"):
        memex.backup(root / place)
        assert memex.backup(root / "other.tgz")["file_counts"]["assets"] == 0


@pytest.mark.parametrize("dry_run", [False, True])
def test_an_archive_goes_to_a_file(
    memex: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, dry_run: bool
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(BadInput, match="not to standard output"):
        memex.backup("-", dry_run=dry_run)
    assert not (tmp_path / "-").exists()
