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
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import IO, TYPE_CHECKING, Any

import memex_core
from memex_core.care import unfinished
from memex_core.files import atomic
from memex_core.files.atomic import inside
from memex_core.files.lock import StoreLock
from memex_core.files.opening import regular
from memex_core.files.scan import scan
from memex_core.index import earlier
from memex_core.model import clock
from memex_core.model.errors import BadInput, Damaged, MemexError, NotFound, Refused, WriteFailed
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
    if output == "-":
        raise BadInput("a backup goes to a file, not to standard output", hint="-o memory.tar.gz")
    output = os.path.abspath(os.path.expanduser(output))
    check_output(layout, output)
    check_outside(layout, output)
    names = list(members(layout))
    counts = count([name for name, _ in names])
    size = 0
    if not dry_run:
        try:
            with spooling(os.path.dirname(output)) as spool:
                files = gather(layout, spool, progress)
                part = os.path.join(spool, "archive.tar.gz")
                pack(part, spool, files)
                verify(part)
                os.replace(part, output)
                atomic.sync_folders([output])
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


@contextmanager
def spooling(folder: str) -> Iterator[str]:
    """A folder to work in, beside the output: it holds every text, so a killed backup's goes first."""
    for name in atomic.leftovers(folder):
        if os.path.isdir(os.path.join(folder, name)):
            shutil.rmtree(os.path.join(folder, name), ignore_errors=True)
    spool = os.path.join(folder, atomic.temporary_name())
    os.mkdir(spool, 0o700)
    try:
        yield spool
    finally:
        shutil.rmtree(spool, ignore_errors=True)


def gather(layout: Layout, spool: str, progress: Progress | None) -> list[dict[str, Any]]:
    """Copy the store into ``spool/data`` and describe each file: ``{path, size, sha256}``."""
    files: dict[str, dict[str, Any]] = {}
    stats: dict[str, tuple[int, int, int]] = {}

    def copy(name: str, full: str) -> None:
        try:
            now = os.stat(full)
            if stats.get(name) == (now.st_mtime_ns, now.st_size, now.st_ino):
                return
            with open(full, "rb", opener=regular) as file:
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


def check_outside(layout: Layout, output: str) -> None:
    """Refuse an archive or export that would be a file of the store: it would lie among the pages, and each
    backup would hold it."""
    real = os.path.join(os.path.realpath(os.path.dirname(os.path.abspath(output))), os.path.basename(output))
    for place in (layout.pages, layout.diary, layout.transcripts, layout.rules, layout.sync):
        path = os.path.relpath(real, os.path.realpath(place))
        if not any(part.startswith(".") for part in path.split(os.sep)):  # not outside, nor hidden
            raise Refused(
                f"{output} would lie among this memory's own files",
                hint=f"put it elsewhere: -o ~/{os.path.basename(output)}",
            )


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
    with open(archive, "xb") as raw, tarfile.open(fileobj=raw, mode="w:gz", compresslevel=6) as tar:
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
            tar.getmembers().clear()  # or it remembers every file until the end


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
            if first is None:
                raise Damaged(f"{archive} is empty", hint="nothing was changed")
            told = None
            if posixpath.basename(first.name) == "manifest.json":
                told = read_manifest(archive, tar.extractfile(first), first.size)
            if told is None:
                from memex_core.care import documented

                yield from documented.contents(archive, tar, manifest)
                return
            manifest.update(told)
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
        tar.members.clear()  # type: ignore[attr-defined]  # as above; reading, getmembers would read all
        name = member.name.removeprefix(f"{top}/")
        if member.name == name or not keeps_inside(name):
            raise Damaged(f"{archive}: {member.name!r} leads out of the archive", hint="nothing was changed")
        if not member.isfile():
            raise Damaged(f"{archive}: {name!r} is no plain file", hint="nothing was changed")
        entry = wanted.pop(name, None)
        if entry is None or not is_kind(name):
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


def keeps_inside(name: str) -> bool:
    try:
        inside(os.path.join(os.sep, "nowhere"), name)  # by its text alone: no such folder is there
    except Refused:
        return False
    return os.name != "nt" or "\\" not in name


def is_kind(name: str) -> bool:
    """Whether :func:`members` could have named it: never the index, a lock, or a hidden file."""
    if name in ("memex.toml", JOURNAL, f"{PAGES}/.memexignore"):
        return True
    head, *rest = name.split("/")
    return head in FOLDERS and bool(rest) and not any(part.startswith(".") for part in rest)


def read_manifest(archive: str, file: IO[bytes] | None, size: int) -> dict[str, Any] | None:
    """What :func:`pack` wrote; None for a manifest that does not list the files, or is another program's."""
    if size > 512 * 1024 * 1024 or file is None:
        raise Damaged(f"{archive}: its manifest is too large", hint="nothing was changed")
    manifest = json.loads(file.read())
    if not isinstance(manifest, dict) or "files" not in manifest or isinstance(manifest.get("version"), str):
        return None
    if manifest.get("version") != VERSION:
        raise Damaged(
            f"{archive} is of version {manifest.get('version')}", hint="restore it with a newer memex"
        )
    files = manifest["files"]
    for entry in files if isinstance(files, list) else [None]:
        fields = [entry.get(key) for key in ("path", "size", "sha256")] if isinstance(entry, dict) else []
        if [type(value) for value in fields] != [str, int, str]:
            raise Damaged(f"{archive}: its manifest is damaged", hint="nothing was changed")
    check_size(archive, sum(entry["size"] for entry in files))
    return manifest


def check_size(archive: str, total: int) -> None:
    """Refuse what would unpack to far more than its own size."""
    if total > ROOMY + RATIO * os.path.getsize(archive):
        raise Damaged(f"{archive} would unpack to {total:,} bytes", hint="that is no backup of memex's")


def restore(layout: Layout, archive: str, *, actor: str, dry_run: bool = False) -> RestoreReport:
    """Make the store what the archive says. What is replaced or not in the archive goes to a
    ``pre-restore-…`` folder and, for pages, to the journal: ``revert`` finds it there. When this is broken
    off, whoever opens the store next goes on with it. What was purged in this store does not come back."""
    from memex_core.care.notice import copy_all
    from memex_core.care.unpack import Restoring

    archive = os.path.abspath(os.path.expanduser(archive))
    manifest = verify(archive)
    work = Restoring(layout, actor=actor, dry_run=dry_run)
    names = [entry["path"] for entry in manifest["files"]]
    work.check(names)
    if dry_run:
        work.all(contents(archive, {}), set(names))
    else:
        for folder in (layout.pages, layout.state):
            os.makedirs(folder, exist_ok=True)
        told = {"archive": archive, "print": print_of(manifest)}
        with unfinished.act(layout, unfinished.RESTORE, told):
            if not os.path.exists(layout.journal):  # before the pages: their restoring is its last chapter
                for name, data in contents(archive, {}):
                    if name == JOURNAL:
                        work.file(name, data)
                        break
            work.all(contents(archive, {}), set(names))
            earlier.begin_anew(layout)
            copy_all(layout)
    return {
        "restored": not dry_run,
        "file_counts": count([name for name in names if name not in set(work.left)]),
        "index_rebuilt": False,
        "warnings": work.warnings,
        "previous_backup_dir": work.kept,
        "dry_run": dry_run,
    }


def go_on(layout: Layout, told: dict[str, Any], *, actor: str) -> RestoreReport:
    """Finish a restore that was noted and broken off. Raises what ``restore`` does, and Refused where the
    archive is another one by now."""
    archive = str(told.get("archive"))
    try:
        if print_of(verify(archive)) != told.get("print"):
            raise Refused(f"{archive} is another archive by now")
        return restore(layout, archive, actor=actor)
    except MemexError as error:
        error.hint = "the pages are partly restored: memex restore, of this or another backup"
        raise


def print_of(manifest: dict[str, Any]) -> str:
    """By which an archive is known again: a digest of all that it lists."""
    return hashlib.sha256(json.dumps(manifest, sort_keys=True).encode()).hexdigest()


def put(full: str, data: bytes) -> None:
    os.makedirs(os.path.dirname(full), exist_ok=True)
    atomic.write(full, data)


def keep(full: str, at: str) -> None:
    os.makedirs(os.path.dirname(at), exist_ok=True)
    shutil.copy2(full, at)
