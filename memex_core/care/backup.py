"""One verified archive of a store, and bringing it back without losing what is newer.

The index is never in it: it is rebuilt. Every file is listed in ``manifest.json`` with its size and
SHA-256; the archive is read back before success is reported, and read in full before a restore writes.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import posixpath
import shutil
import tarfile
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from typing import IO, TYPE_CHECKING, Any

import memex_core
from memex_core.files.atomic import inside
from memex_core.files.atomic import write as atomic_write
from memex_core.files.lock import StoreLock
from memex_core.files.scan import scan
from memex_core.model import clock
from memex_core.model.errors import Damaged, NotFound, Refused, WriteFailed
from memex_core.model.results import BackupReport, RestoreReport

if TYPE_CHECKING:
    from memex_core.files.layout import Layout

    Progress = Callable[[int, int], None]

VERSION = 1
PAGES = "docs"  # in the archive, whatever the folder is called here
JOURNAL = "journal.jsonl"
FOLDERS = (PAGES, "diary", "transcripts", "rules", "sync")
ROOMY, RATIO = 256 * 1024 * 1024, 100  # bytes; times its own size that an archive may hold beyond them


def members(layout: Layout) -> Iterator[tuple[str, str]]:
    """(name in the archive, file on disk) of all that a store is made of."""
    found = scan(layout)
    for path in sorted([*found.pages, *found.assets]):
        yield f"{PAGES}/{path}", layout.file_path(path)
    for name, place in (
        ("diary", layout.diary),
        ("transcripts", layout.transcripts),
        ("rules", layout.rules),
        ("sync", layout.sync),
    ):
        for folder, _, files in os.walk(place):
            for file in sorted(files):
                full = os.path.join(folder, file)
                if not file.startswith(".") and os.path.isfile(full):
                    yield f"{name}/{os.path.relpath(full, place).replace(os.sep, '/')}", full
    for name, full in (("memex.toml", layout.config), (JOURNAL, layout.journal)):
        if os.path.isfile(full):
            yield name, full
    ignore = os.path.join(layout.pages, ".memexignore")
    if os.path.isfile(ignore):
        yield f"{PAGES}/.memexignore", ignore


def backup(
    layout: Layout, output: str, *, progress: Progress | None = None, dry_run: bool = False
) -> BackupReport:
    """Write ``output`` (.tar.gz). Files are copied first, and those that changed meanwhile once more under
    the store's lock, so that the archive is one moment of the store and writers hardly wait."""
    began = time.perf_counter()
    output = os.path.abspath(os.path.expanduser(output))
    check_output(layout, output)
    names = list(members(layout))
    counts = count([name for name, _ in names])
    size = 0
    if not dry_run:
        try:
            with tempfile.TemporaryDirectory(dir=os.path.dirname(output), prefix=".memex-backup-") as spool:
                files = gather(layout, spool, progress)
                part = os.path.join(spool, "archive.tar.gz")
                pack(part, spool, files)
                verify(part)
                os.replace(part, output)
                counts = count([entry["path"] for entry in files])
        except OSError as error:
            raise WriteFailed(
                f"cannot write {output} ({error.strerror})", hint="choose another place"
            ) from None
        size = os.path.getsize(output)
    return {
        "archive_path": output,
        "size_bytes": size,
        "file_counts": counts,
        "duration_ms": round((time.perf_counter() - began) * 1000, 1),
    }


def gather(layout: Layout, spool: str, progress: Progress | None) -> list[dict[str, Any]]:
    """Copy the store into ``spool/data`` and describe each file: ``{path, size, sha256}``."""
    files: dict[str, dict[str, Any]] = {}
    stats: dict[str, tuple[int, int, int]] = {}

    def copy(name: str, full: str) -> None:
        try:
            now = os.stat(full)
            if stats.get(name) == (now.st_mtime_ns, now.st_size, now.st_ino):
                return
            with open(full, "rb") as file:
                data = file.read()
        except FileNotFoundError:
            return
        stats[name] = (now.st_mtime_ns, now.st_size, now.st_ino)
        at = os.path.join(spool, "data", *name.split("/"))
        os.makedirs(os.path.dirname(at), exist_ok=True)
        with open(at, "wb") as file:
            file.write(data)
        files[name] = {"path": name, "size": len(data), "sha256": hashlib.sha256(data).hexdigest()}

    names = list(members(layout))
    for number, (name, full) in enumerate(names, 1):
        copy(name, full)
        if progress is not None:
            progress(number, len(names))
    with quiet(layout):
        present = set()
        for name, full in members(layout):
            copy(name, full)
            present.add(name)
    return [files[name] for name in sorted(files) if name in present]


def quiet(layout: Layout) -> AbstractContextManager[object]:
    """The store without a writer. One that cannot be written, or never was, has none anyway."""
    writable = os.access(layout.state, os.W_OK | os.X_OK)
    return StoreLock(layout.lock) if writable else nullcontext()


def check_output(layout: Layout, output: str) -> None:
    """Refuse a file of the person's choice that would replace a page, or what memex itself keeps."""
    real = os.path.join(os.path.realpath(os.path.dirname(os.path.abspath(output))), os.path.basename(output))
    kept = {*(full for _, full in members(layout)), layout.index, layout.lock, layout.pending}
    if real in {os.path.realpath(full) for full in kept} or os.path.realpath(output) in kept:
        raise Refused(f"{output} is a file of this memory", hint="choose another name; nothing was written")


def pack(archive: str, spool: str, files: list[dict[str, Any]]) -> None:
    stamp = clock.stamp().replace(":", "")
    top = f"memex-backup-{stamp}"
    manifest = {
        "version": VERSION,
        "backed_up_at": clock.stamp(),
        "memex_version": memex_core.__version__,
        "file_counts": count([entry["path"] for entry in files]),
        "files": files,
    }
    with tarfile.open(archive, "w:gz", compresslevel=6) as tar:
        data = json.dumps(manifest, ensure_ascii=False, indent=1).encode()
        head = tarfile.TarInfo(f"{top}/manifest.json")
        head.size, head.mtime = len(data), int(clock.now().timestamp())
        tar.addfile(head, io.BytesIO(data))
        for entry in files:
            tar.add(
                os.path.join(spool, "data", *entry["path"].split("/")),
                f"{top}/{entry['path']}",
                recursive=False,
            )


def count(names: list[str]) -> dict[str, int]:
    """Files by kind: pages under ``wiki``, as the specification calls them."""
    return {
        "wiki": sum(1 for n in names if n.startswith(f"{PAGES}/") and n.lower().endswith(".md")),
        "assets": sum(1 for n in names if n.startswith(f"{PAGES}/") and not n.lower().endswith(".md")),
        "diary": sum(1 for n in names if n.startswith("diary/")),
        "transcripts": sum(1 for n in names if n.startswith("transcripts/")),
        "mem_db": 0,
    }


def verify(archive: str) -> dict[str, Any]:
    """The manifest, once every file has been read and compared with it. Damaged names the file."""
    manifest: dict[str, Any] = {}
    for name, data in contents(archive, manifest):
        del name, data
    return manifest


def contents(archive: str, manifest: dict[str, Any]) -> Iterator[tuple[str, bytes]]:
    """(path, bytes) of every file in an archive, checked; fills ``manifest`` first.

    Refuses paths out of the archive, links, devices, files the manifest does not name, sizes other than
    it says, what a store does not keep, and far more than its own size (so no bomb is unpacked).
    """
    try:
        with tarfile.open(archive, "r:gz") as tar:
            first = tar.next()
            if first is None or posixpath.basename(first.name) != "manifest.json":
                raise Damaged(f"{archive} is no memex backup", hint="its first file should be manifest.json")
            manifest.update(read_manifest(archive, tar.extractfile(first), first.size))
            top = posixpath.dirname(first.name)
            wanted = {entry["path"]: entry for entry in manifest["files"]}
            yield from read_members(archive, tar, top, wanted)
            if wanted:
                missing = sorted(wanted)[0]
                raise Damaged(
                    f"{archive}: {missing} is missing", hint="take another backup; nothing was changed"
                )
    except FileNotFoundError:
        raise NotFound(f"no file {archive}", hint="check the path") from None
    except (tarfile.TarError, EOFError, OSError, ValueError) as error:
        raise Damaged(f"{archive} cannot be read ({error})", hint="nothing was changed") from None


def read_members(
    archive: str, tar: tarfile.TarFile, top: str, wanted: dict[str, Any]
) -> Iterator[tuple[str, bytes]]:
    while (member := tar.next()) is not None:
        name = member.name.removeprefix(f"{top}/")
        if member.name == name or not _keeps_inside(name):
            raise Damaged(f"{archive}: {member.name!r} leads out of the archive", hint="nothing was changed")
        if not member.isfile():
            raise Damaged(f"{archive}: {name!r} is no plain file", hint="nothing was changed")
        entry = wanted.pop(name, None)
        if entry is None or not _is_kind(name):
            raise Damaged(f"{archive}: {name!r} does not belong there", hint="nothing was changed")
        if member.size != entry["size"]:
            raise Damaged(
                f"{archive}: {name} has another size than the manifest says", hint="nothing was changed"
            )
        file = tar.extractfile(member)
        data = file.read() if file else b""
        if hashlib.sha256(data).hexdigest() != entry["sha256"]:
            raise Damaged(f"{archive}: {name} is damaged", hint="nothing was changed; use another backup")
        yield name, data


def _keeps_inside(name: str) -> bool:
    try:
        inside(os.path.join(os.sep, "nowhere"), name)  # by its text alone: no such folder is there
    except Refused:
        return False
    return os.name != "nt" or "\\" not in name


def _is_kind(name: str) -> bool:
    """Whether :func:`members` could have named it: never the index, a lock, or a hidden file."""
    if name in ("memex.toml", JOURNAL, f"{PAGES}/.memexignore"):
        return True
    head, *rest = name.split("/")
    return head in FOLDERS and bool(rest) and not any(part.startswith(".") for part in rest)


def read_manifest(archive: str, file: IO[bytes] | None, size: int) -> dict[str, Any]:
    if size > 512 * 1024 * 1024 or file is None:
        raise Damaged(f"{archive}: its manifest is too large", hint="nothing was changed")
    manifest = json.loads(file.read())
    if not isinstance(manifest, dict) or not isinstance(manifest.get("files"), list):
        raise Damaged(f"{archive} has no manifest", hint="nothing was changed")
    if manifest.get("version") != VERSION:
        raise Damaged(
            f"{archive} is of version {manifest.get('version')}", hint="restore it with a newer memex"
        )
    for entry in manifest["files"]:
        fields = [entry.get(key) for key in ("path", "size", "sha256")] if isinstance(entry, dict) else []
        if [type(value) for value in fields] != [str, int, str]:
            raise Damaged(f"{archive}: its manifest is damaged", hint="nothing was changed")
    total = sum(entry["size"] for entry in manifest["files"])
    if total > ROOMY + RATIO * os.path.getsize(archive):
        raise Damaged(f"{archive} would unpack to {total:,} bytes", hint="that is no backup of memex's")
    return manifest


def restore(layout: Layout, archive: str, *, actor: str, dry_run: bool = False) -> RestoreReport:
    """Make the store what the archive says. What is replaced or not in the archive goes to a
    ``pre-restore-…`` folder and, for pages, to the journal: ``revert`` finds it there."""
    from memex_core.care.unpack import Restoring

    archive = os.path.abspath(os.path.expanduser(archive))
    manifest = verify(archive)
    work = Restoring(layout, actor=actor, dry_run=dry_run)
    work.check([entry["path"] for entry in manifest["files"]])
    if not dry_run:
        for folder in (layout.pages, layout.state):
            os.makedirs(folder, exist_ok=True)
        if not os.path.exists(layout.journal):  # before the pages: their restoring is its last chapter
            for name, data in contents(archive, {}):
                if name == JOURNAL:
                    work.file(name, data)
                    break
    for name, data in contents(archive, {}):
        work.file(name, data)
    work.finish({entry["path"] for entry in manifest["files"]})
    return {
        "restored": not dry_run,
        "file_counts": count([entry["path"] for entry in manifest["files"]]),
        "index_rebuilt": False,
        "warnings": work.warnings,
        "previous_backup_dir": work.kept,
        "dry_run": dry_run,
    }


def put(full: str, data: bytes) -> None:
    os.makedirs(os.path.dirname(full), exist_ok=True)
    atomic_write(full, data)


def keep(full: str, at: str) -> None:
    os.makedirs(os.path.dirname(at), exist_ok=True)
    shutil.copy2(full, at)
