"""Archives of the documented form, by other programs and older ones: their manifest counts files, no more.

``manifest.json`` is ``{version, backed_up_at, memex_version, file_counts}``, at any place in the archive.
Pages lie in ``docs/``, or in ``wiki/`` as they once did; a ``mem.db`` is passed by, since an index is made
again. Nothing tells whether a file in such an archive is the one that was put in.
"""

from __future__ import annotations

import hashlib
import json
import posixpath
import tarfile
from collections.abc import Iterator
from typing import Any

from memex_core.care import backup
from memex_core.model.errors import Damaged

VERSIONS = ("1.0", "1", 1)
_MANIFEST = "manifest.json"
_INDEX = ("mem.db", "mem.db-wal", "mem.db-shm")
_UNCHANGED = "nothing was changed"


def contents(archive: str, tar: tarfile.TarFile, manifest: dict[str, Any]) -> Iterator[tuple[str, bytes]]:
    """(path, bytes) of every file, under the names that a store of today has for them.

    Fills ``manifest`` as that of an archive of ours. Refuses what :func:`memex_core.care.backup.contents`
    does, as far as it can be seen here.
    """
    members = list(_within_bounds(archive, tar))
    top, told = _manifest(archive, tar, members)
    manifest.update(told, files=[])
    seen = {""}
    for member in members:
        name = _name(archive, member, top)
        if not name or member.isdir() or name == _MANIFEST or name in _INDEX:
            continue
        if not member.isfile():
            raise Damaged(f"{archive}: {name!r} is no plain file", hint=_UNCHANGED)
        name = f"{backup.PAGES}/{name.removeprefix('wiki/')}" if name.startswith("wiki/") else name
        if name in seen or not backup.is_kind(name):
            raise Damaged(f"{archive}: {name!r} does not belong there", hint=_UNCHANGED)
        seen.add(name)
        data = _data(tar, member)
        print_ = hashlib.sha256(data).hexdigest()
        manifest["files"].append({"path": name, "size": len(data), "sha256": print_})
        yield name, data


def _within_bounds(archive: str, tar: tarfile.TarFile) -> Iterator[tarfile.TarInfo]:
    total = 0
    for member in tar:
        total += member.size
        backup.check_size(archive, total)
        yield member


def _manifest(
    archive: str, tar: tarfile.TarFile, members: list[tarfile.TarInfo]
) -> tuple[str, dict[str, Any]]:
    """The folder in the archive that holds all, and what the manifest tells."""
    found = [one for one in members if posixpath.basename(one.name) == _MANIFEST and one.isfile()]
    found = [one for one in found if posixpath.normpath(one.name).count("/") <= 1]
    if len(found) != 1:
        raise Damaged(f"{archive} is no memex backup", hint=f"there is no {_MANIFEST} in it")
    told = json.loads(_data(tar, found[0]))
    if not isinstance(told, dict) or not isinstance(told.get("file_counts"), dict):
        raise Damaged(f"{archive} is no memex backup", hint=f"its {_MANIFEST} is none of a backup's")
    if told.get("version") not in VERSIONS:
        raise Damaged(f"{archive} is of version {told.get('version')}", hint="restore it with a newer memex")
    return posixpath.dirname(posixpath.normpath(found[0].name)), told


def _name(archive: str, member: tarfile.TarInfo, top: str) -> str:
    """The member's path in the store; empty for the folder of all."""
    path = member.name.removeprefix("./").rstrip("/") if not member.name.startswith("/") else member.name
    if path in (top, ".", ""):
        return ""
    name = path.removeprefix(f"{top}/") if top else path
    if (top and name == path) or not backup.keeps_inside(name):
        raise Damaged(f"{archive}: {member.name!r} leads out of the archive", hint=_UNCHANGED)
    return name


def _data(tar: tarfile.TarFile, member: tarfile.TarInfo) -> bytes:
    file = tar.extractfile(member)
    return file.read() if file else b""
