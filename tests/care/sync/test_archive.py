"""An archive is taken whole or not at all: torn, damaged and hostile ones change nothing, and are named."""

from __future__ import annotations

import gzip
import io
import json
import os
import tarfile
import zipfile
from pathlib import Path
from typing import Any

import pytest

from memex_core import Memex
from memex_core.care.sync import archive
from memex_core.care.sync.archive import opened, sha
from memex_core.model.errors import Damaged, MemexError, Refused

BODY = b"---\ntitle: Rye\nid: 11\n---\ntext\n"


@pytest.fixture
def sound(tmp_path: Path) -> bytes:
    """A small archive that another device exported."""
    with Memex(tmp_path / "other", create=True) as other:
        other.write(type="entity", title="Rye", body="text of rye")
        other.sync_export(tmp_path / "sound.memexsync")
    return (tmp_path / "sound.memexsync").read_bytes()


def contents(path: Path) -> tuple[Any, dict[str, bytes]]:
    with opened(str(path)) as found:
        return found.manifest, {name: found.blob(name) for name in found.manifest["files"]}


def page(path: str = "rye.md", blob: str = sha(BODY), **more: Any) -> dict[str, Any]:
    clocks = {name: {"dev": 1} for name in ("text", "status", "sources", "path", "life")}
    told = {
        "path": path,
        "raw": "x",
        "life": "here",
        "past": [],
        "digests": {},
        "clocks": clocks,
        "blob": blob,
    }
    return {**told, **more}


def manifest(**more: Any) -> dict[str, Any]:
    diary = sha(b"")
    told = {
        "memex_sync": 1,
        "device": "dev",
        "name": "evil",
        "count": 1,
        "at": "2026-01-01T00:00:00Z",
        "pages": {"id:11": page()},
        "sessions": {},
        "excluded": {},
        "diary": diary,
        "struck": [],
        "files": {sha(BODY): len(BODY), diary: 0},
    }
    return {**told, **more}


def packed(path: Path, told: Any, members: list[tuple[tarfile.TarInfo, bytes]] | None = None) -> Path:
    """A hand-made archive; by default with the two files that :func:`manifest` lists."""
    if members is None:
        members = [entry(f"files/{sha(data)}", data) for data in (BODY, b"")]
    head = told if isinstance(told, bytes) else json.dumps(told).encode()
    with gzip.GzipFile(path, "wb", mtime=0) as file, tarfile.open(fileobj=file, mode="w|") as tar:
        for info, data in [entry("manifest.json", head), *members]:
            tar.addfile(info, io.BytesIO(data))
    # a header without the file's name, as memex writes it
    data = gzip.compress(gzip.decompress(path.read_bytes()), mtime=0)
    path.write_bytes(data)
    return path


def entry(
    name: str, data: bytes, kind: bytes = tarfile.REGTYPE, link: str = ""
) -> tuple[tarfile.TarInfo, bytes]:
    info = tarfile.TarInfo(name)
    info.size, info.type, info.linkname = len(data), kind, link
    return info, data


def everything(root: str) -> dict[str, bytes]:
    """Every file of a store but the index, which is disposable, its lock, and the log of what was called."""
    found = {}
    for folder, _, files in os.walk(root):
        for name in files:
            if not name.startswith(("mem.db", ".lock")) and os.path.basename(folder) != "logs":
                full = os.path.join(folder, name)
                found[os.path.relpath(full, root)] = Path(full).read_bytes()
    return found


def refused(memex: Any, path: Path, why: type[MemexError] = Damaged, says: str = "") -> None:
    """``path`` is refused by name, and the store stays as it is."""
    before = everything(memex.root)
    with pytest.raises(why) as error:
        memex.sync_import(path)
    assert str(path) in error.value.message
    assert says in error.value.message
    assert everything(memex.root) == before


def test_a_hand_made_one_is_sound(memex: Any, tmp_path: Path) -> None:
    """The control: without a flaw the archives of these tests are taken."""
    done = memex.sync_import(packed(tmp_path / "a.memexsync", manifest()))
    assert done["devices"][0]["added"] == ["rye.md"]
    assert (Path(memex.store.layout.pages) / "rye.md").read_bytes() == BODY


def test_every_truncation_is_found(memex: Any, sound: bytes, tmp_path: Path) -> None:
    memex.write(type="entity", title="Mine", body="mine")
    torn = tmp_path / "torn.memexsync"
    for length in [*range(0, len(sound), 7), len(sound) - 1]:
        torn.write_bytes(sound[:length])
        with pytest.raises(Damaged) as error, opened(str(torn)):
            pass
        assert str(torn) in error.value.message
    refused(memex, torn)


def test_every_flipped_bit_is_found_or_changes_nothing(sound: bytes, tmp_path: Path) -> None:
    whole, flipped = tmp_path / "whole.memexsync", tmp_path / "flipped.memexsync"
    whole.write_bytes(sound)
    truth = contents(whole)
    silent = []
    for at in range(len(sound)):
        data = bytearray(sound)
        data[at] ^= 1 << (at % 8)
        flipped.write_bytes(data)
        try:
            assert contents(flipped) == truth
        except Damaged:
            continue
        silent.append(at)
    assert set(range(4, 10)) <= set(silent)  # when and where it was packed, which says nothing
    assert len(silent) < 12


@pytest.mark.parametrize(
    "told",
    [
        manifest(pages={"id:11": page("../evil.md")}),
        manifest(pages={"id:11": page("/etc/evil.md")}),
        manifest(pages={"id:11": page("a/../../evil.md")}),
        manifest(pages={"id:11": page("C:\\evil.md")}),
        manifest(pages={"id:11": page("~/evil.md")}),
        manifest(pages={"id:11": page("a\0b.md")}),
        manifest(pages={"id:11": page("evil.sh")}),
        manifest(pages={"no-key": page()}),
        manifest(pages={"id:11": page(blob="0" * 64)}),
        manifest(pages={"id:11": page(life="undead")}),
        manifest(pages={"id:11": page(clocks={"text": {"dev": -1}})}),
        manifest(pages={"id:11": 7}),
        manifest(pages=[]),
        manifest(count="1"),
        manifest(device=None),
        manifest(files={"../x": 1}),
        manifest(files={sha(BODY): -5}),
        manifest(files={sha(BODY): len(BODY), sha(b""): 0, "0" * 64: 4}),
        manifest(diary="0" * 64),
        manifest(diary=sha(BODY)),
        manifest(sessions={"../../evil": {"turns": sha(BODY)}}),
        manifest(sessions={"s1": {}}),
        b"{",
        b"[]",
        b"\xff\xfe",
        b"[" * 100_000,
    ],
)
def test_a_hostile_manifest_writes_nothing(memex: Any, tmp_path: Path, told: Any) -> None:
    refused(memex, packed(tmp_path / "evil.memexsync", told))
    assert not (tmp_path / "evil.md").exists()


@pytest.mark.parametrize(
    "members",
    [
        [entry("../evil.md", b"x")],
        [entry("/evil.md", b"x")],
        [entry(f"files/{sha(BODY)}", b"", tarfile.SYMTYPE, "/etc/passwd")],
        [entry(f"files/{sha(BODY)}", b"", tarfile.LNKTYPE, "/etc/passwd")],
        [entry(f"files/{sha(BODY)}", b"", tarfile.CHRTYPE)],
        [entry(f"files/{sha(BODY)}", b"", tarfile.DIRTYPE)],
        [entry(f"files/{sha(BODY)}", BODY.upper())],
        [entry(f"files/{sha(BODY)}", BODY[:-1])],
        [entry(f"files/{sha(BODY)}", BODY)] * 2,
        [entry(f"files/{sha(BODY)}", BODY)],
    ],
    ids=[
        "parent",
        "absolute",
        "symlink",
        "hard link",
        "device",
        "folder",
        "other",
        "short",
        "twice",
        "missing",
    ],
)
def test_a_hostile_member_writes_nothing(memex: Any, tmp_path: Path, members: Any) -> None:
    refused(memex, packed(tmp_path / "evil.memexsync", manifest(), members))


def test_a_bomb_is_not_unpacked(memex: Any, tmp_path: Path) -> None:
    huge = manifest(files={sha(BODY): 10**12, sha(b""): 0})
    refused(memex, packed(tmp_path / "a.memexsync", huge), says="would unpack to")
    stream = gzip.compress(gzip.decompress((tmp_path / "a.memexsync").read_bytes())[:512] + bytes(1 << 20))
    (tmp_path / "b.memexsync").write_bytes(stream)
    refused(memex, tmp_path / "b.memexsync")
    more = gzip.decompress(packed(tmp_path / "c.memexsync", manifest()).read_bytes()) + b"x" * (1 << 20)
    (tmp_path / "c.memexsync").write_bytes(gzip.compress(more, mtime=0))
    refused(memex, tmp_path / "c.memexsync")


def test_other_kinds_of_archive_are_refused(memex: Any, tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "a.memexsync", "w") as file:
        file.writestr("../evil.md", "x")
    refused(memex, tmp_path / "a.memexsync")
    memex.backup(tmp_path / "b.tar.gz")
    refused(memex, tmp_path / "b.tar.gz")
    (tmp_path / "c.memexsync").write_bytes(b"")
    refused(memex, tmp_path / "c.memexsync")


def test_one_of_a_later_version_asks_for_a_newer_memex(memex: Any, tmp_path: Path) -> None:
    refused(memex, packed(tmp_path / "a.memexsync", manifest(memex_sync=2)), Refused, "version 2")


def test_a_link_out_of_the_store_is_not_written_through(memex: Any, tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    Path(memex.store.layout.pages, "linked").symlink_to(tmp_path / "outside")
    told = manifest(pages={"id:11": page("linked/evil.md")})
    refused(memex, packed(tmp_path / "a.memexsync", told))
    assert list((tmp_path / "outside").iterdir()) == []


def test_in_a_folder_the_sound_ones_are_taken_and_the_others_named(
    memex: Any, sound: bytes, tmp_path: Path
) -> None:
    share = tmp_path / "share"
    memex.sync_enable(share)
    (share / "a.memexsync").write_bytes(sound[:-9])
    (share / "b.memexsync").write_bytes(sound)
    done = memex.sync_import()
    assert [one["file"] for one in done["refused"]] == [str(share / "a.memexsync")]
    assert [one["added"] for one in done["devices"]] == [["entities/rye.md"]]
    assert [one["file"] for one in memex.sync_status()["problems"]] == [str(share / "a.memexsync")]


def test_the_same_content_makes_the_same_bytes(tmp_path: Path) -> None:
    files = [(sha(data), data) for data in (BODY, b"")]
    for name in ("a", "b"):
        archive.write(str(tmp_path / name), manifest(), files)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    assert sorted(os.listdir(tmp_path)) == ["a", "b", "home"]
