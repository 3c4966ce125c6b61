"""Settings files written all or none, each with a way back beside it.

A file that is changed gets its bytes from before kept as ``NAME.memex-bak``; beside one that memex makes
lies ``NAME.memex-made``, which names the folders that were made for it. Both go when uninstalling has
brought back what was there.
"""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Iterable
from typing import NamedTuple

from memex_core.files import atomic
from memex_core.harness.setup.entry import Settings
from memex_core.model.errors import Conflict, MemexError, Refused, Unreachable, WriteFailed

BACKUP = ".memex-bak"
MADE = ".memex-made"


class Change(NamedTuple):
    """One file to write, or (``after`` None) to remove. ``like`` names the file whose mode it takes."""

    path: str
    before: bytes | None
    after: bytes | None
    like: str = ""


class Step(NamedTuple):
    """What becomes of one settings file, with what is kept beside it.

    ``change`` is ``created``, ``changed``, ``removed`` or ``unchanged``; ``backup`` the path of the kept
    bytes, "" for none; ``folders`` go at the end if they are empty.
    """

    path: str
    change: str
    before: bytes | None
    after: bytes | None
    backup: str = ""
    notes: tuple[str, ...] = ()
    changes: tuple[Change, ...] = ()
    folders: tuple[str, ...] = ()


def read(path: str, inside: Iterable[str]) -> bytes | None:
    """The bytes of a settings file, None when there is none.

    Raises Refused for what is not a file and for a link that leads out of the folders ``inside``, and
    Unreachable when the disk does not give it.
    """
    real = os.path.realpath(path)
    if not any(_is_in(real, folder) for folder in inside):
        raise Refused(f"{path} leads to {real}, outside the home", hint="memex follows no such link")
    try:
        return atomic.read_file(path)
    except FileNotFoundError:
        return None
    except (IsADirectoryError, NotADirectoryError):
        raise Refused(f"{path} is not a file", hint="move it away") from None
    except OSError as error:
        raise Unreachable(f"{path} cannot be read: {(error.strerror or '').lower()}") from error


def installing(settings: Settings, inside: Iterable[str]) -> Step:
    """What putting memex's entries into a file would do."""
    path = settings.path
    data = read(path, inside)
    edited = settings.put(data)
    if edited.data == data or edited.data is None:
        return Step(path, "unchanged", data, data, _kept(path), edited.notes)
    if data is None:
        folders = _missing_folders(path)
        note = json.dumps({"made by": "memex install", "folders": folders}, ensure_ascii=False) + "\n"
        made = Change(path + MADE, _note(path + MADE), note.encode("utf-8"), path)
        changes = (made, Change(path, None, edited.data))
        return Step(path, "created", None, edited.data, "", edited.notes, changes)
    _check_writable(path)
    seen = settings.look(data)
    keep: tuple[Change, ...] = ()
    if not (seen.entries or seen.changed):  # these are the bytes from before memex, whatever lay here once
        keep = (Change(path + BACKUP, _note(path + BACKUP), data, path),)
        stale = _note(path + MADE)
        if stale is not None:
            keep += (Change(path + MADE, stale, None),)
    backup = path + BACKUP if keep else _kept(path)
    return Step(
        path,
        "changed",
        data,
        edited.data,
        backup,
        edited.notes,
        (*keep, Change(path, data, edited.data)),
    )


def uninstalling(settings: Settings, inside: Iterable[str]) -> Step:
    """What taking memex's entries out of a file would do."""
    path = settings.path
    data = read(path, inside)
    note, backup = _note(path + MADE), _note(path + BACKUP)
    away = () if note is None else (Change(path + MADE, note, None),)
    folders = _folders_of(note, path)
    if data is None:
        return Step(path, "unchanged", None, None, _kept(path), (), away, folders)
    before = None if note is not None else backup if _is_before(settings, backup) else settings.nothing
    edited = settings.take(data, before)
    after, left = edited.data, _has_entries(settings, edited.data)
    if not left and (note is not None or before is backup) and settings.put(before).data == data:
        after = before  # nobody touched it since
    changes: list[Change] = []
    if after != data:
        _check_writable(path)
        changes.append(Change(path, data, after))
    if not left:
        changes += away
    if backup is not None and after == backup:
        changes.append(Change(path + BACKUP, backup, None, path))
        backup = None
    word = "unchanged" if after == data else "removed" if after is None else "changed"
    kept = path + BACKUP if backup is not None else ""
    return Step(
        path, word, data, after, kept, edited.notes, tuple(changes), () if after is not None else folders
    )


def carry_out(steps: Iterable[Step]) -> None:
    """Do all the steps, or none. Raises Conflict when a file is no longer what was read, and WriteFailed."""
    steps = list(steps)
    changes = [change for step in steps for change in step.changes]
    folders = _make_folders([change.path for change in changes if change.after is not None])
    staged: list[atomic.Staged] = []
    done: list[Change] = []
    try:
        for change in changes:
            if change.after is not None:
                staged.append(atomic.stage(change.path, change.after, like=_model(change)))
        for change in changes:
            _check_same(change)
        waiting = iter(list(staged))
        for change in changes:
            if change.after is None:
                os.unlink(os.path.realpath(change.path))
            else:
                one = next(waiting)
                staged.remove(one)
                atomic.publish(one, new=change.before is None)
            done.append(change)
    except BaseException as error:
        atomic.discard(staged)
        _undo(done)
        _remove_folders(folders)
        if isinstance(error, OSError):
            raise atomic.failure(error.filename or changes[0].path, error) from error
        raise
    atomic.sync_folders(os.path.realpath(change.path) for change in changes)
    _remove_folders([folder for step in steps for folder in step.folders])


def _undo(done: list[Change]) -> None:
    """Bring back what was before, last change first, unless somebody has been there since."""
    for change in reversed(done):
        try:
            if _bytes(change.path) != change.after:
                continue
            if change.before is None:
                os.unlink(os.path.realpath(change.path))
            else:
                atomic.publish(atomic.stage(change.path, change.before, like=_model(change)))
        except (OSError, WriteFailed):
            continue  # the backup beside it has the bytes


def _model(change: Change) -> str | None:
    return change.like if change.like and os.path.exists(change.like) else None


def _check_same(change: Change) -> None:
    if _bytes(change.path) != change.before:
        raise Conflict(f"{change.path} changed a moment ago", hint="nothing was written; run it again")


def _check_writable(path: str) -> None:
    if not os.stat(path).st_mode & (stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH):
        raise Refused(f"{path} is read-only", hint="make it writable first; nothing was changed")


def _has_entries(settings: Settings, data: bytes | None) -> bool:
    if data is None:
        return False
    seen = settings.look(data)
    return bool(seen.entries or seen.changed)


def _note(path: str) -> bytes | None:
    """The bytes of what memex keeps beside a file. In its place a link is nobody's to write through."""
    if os.path.islink(path):
        raise Refused(f"{path} is a link", hint="remove it; nothing was changed")
    return _bytes(path)


def _bytes(path: str) -> bytes | None:
    try:
        return atomic.read_file(path)
    except OSError:
        return None


def _kept(path: str) -> str:
    return path + BACKUP if os.path.exists(path + BACKUP) else ""


def _is_before(settings: Settings, backup: bytes | None) -> bool:
    """Whether the kept bytes are those from before memex: readable, and without its entries."""
    try:
        return backup is not None and not _has_entries(settings, backup)
    except MemexError:
        return False


def _folders_of(note: bytes | None, path: str) -> tuple[str, ...]:
    """The folders that a note says were made; only those above the file count."""
    try:
        folders = json.loads(note or b"{}").get("folders", [])
        return tuple(folder for folder in folders if path.startswith(folder + os.sep))
    except (ValueError, AttributeError, TypeError):
        return ()


def _missing_folders(path: str) -> list[str]:
    """The folders above a file that are not there, the innermost first."""
    missing: list[str] = []
    folder = os.path.dirname(path)
    while folder and not os.path.isdir(folder) and os.path.dirname(folder) != folder:
        missing.append(folder)
        folder = os.path.dirname(folder)
    return missing


def _make_folders(paths: list[str]) -> list[str]:
    made = [folder for path in paths for folder in _missing_folders(path)]
    for path in paths:
        try:
            os.makedirs(os.path.dirname(path), exist_ok=True)
        except OSError as error:
            _remove_folders(made)
            raise atomic.failure(path, error) from error
    return made


def _remove_folders(folders: list[str]) -> None:
    """Those that are empty; inner ones before outer ones."""
    for folder in sorted(set(folders), key=len, reverse=True):
        try:
            os.rmdir(folder)
        except OSError:
            continue


def _is_in(path: str, folder: str) -> bool:
    root = os.path.realpath(folder)
    return path.startswith(root if root.endswith(os.sep) else root + os.sep)
