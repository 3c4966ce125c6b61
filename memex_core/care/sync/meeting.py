"""The place where a person's devices meet: a folder with an archive a device, or one archive for all."""

from __future__ import annotations

import os
from contextlib import suppress

from memex_core.care.sync import archive, share
from memex_core.care.sync.archive import opened
from memex_core.care.sync.record import State
from memex_core.files import atomic
from memex_core.files.layout import Layout
from memex_core.model.errors import MemexError, Refused, Unreachable


def own_file(state: State) -> str:
    single = state.target.endswith(archive.SUFFIX) or os.path.isfile(state.target)
    single = single and not os.path.isdir(state.target)
    return state.target if single else os.path.join(state.target, share.file_name(state))


def stat_of(path: str) -> list[int]:
    """By which a file is known to be still the same; empty where there is none."""
    try:
        found = os.stat(path)
    except OSError:
        return []
    return [found.st_size, found.st_mtime_ns, found.st_ino]


def holds_ours(state: State, path: str) -> bool:
    """Whether what this device exported last still lies at ``path``, untouched."""
    return bool(state.exported.get("stat")) and state.exported["stat"] == stat_of(path)


def holder(path: str) -> tuple[str, int]:
    """Whose generation lies at ``path``, and which; nobody's when it cannot be read."""
    try:
        with opened(path) as found:
            return found.device, found.number
    except MemexError:
        return "", -1


class Waits(Refused):
    """In the one shared file lies what another device told, and it is not here yet."""


def check_met(state: State, path: str) -> None:
    """In one shared file, what another device left there is taken in before it is written over: raises
    Waits."""
    if not os.path.lexists(path):
        return
    with opened(path) as found:
        seen = state.peers.get(found.device, {}).get("count", -1)
        if found.device != state.device and found.number > seen:
            name = state.labels({found.device: found.name})[found.device]
            raise Waits(
                f"{path} holds what {name} exported, and it is not imported yet",
                hint="memex sync import comes first",
            )


def check_there(target: str) -> None:
    """Raises Unreachable where the folder that devices meet in, or that of the shared file, is gone."""
    single = not os.path.isdir(target) and (target.endswith(archive.SUFFIX) or os.path.lexists(target))
    folder = os.path.dirname(target) if single else target
    if not os.path.isdir(folder):
        hint = "is its drive mounted? `memex sync enable DIR` names another place; nothing was changed"
        raise Unreachable(f"the shared folder {folder} is not there", hint=hint)


def archives(target: str) -> list[str]:
    """The archives in a shared folder, or the one shared file. Raises Unreachable."""
    check_there(target)
    if not os.path.isdir(target):
        return [target] if os.path.lexists(target) else []
    try:
        names = sorted(name for name in os.listdir(target) if name.endswith(archive.SUFFIX))
    except OSError as error:
        raise Unreachable(f"{target} cannot be listed ({(error.strerror or '').lower()})") from None
    return [os.path.join(target, name) for name in names if not name.startswith(".")]


def clear_earlier_names(state: State, path: str) -> None:
    """Take away what this device exported to the shared folder under another name, where that can be."""
    if path == state.target:
        return
    folder, name = os.path.split(path)
    with suppress(OSError):
        for other in os.listdir(folder):
            if other != name and other.endswith(f"-{state.device}{archive.SUFFIX}"):
                os.unlink(os.path.join(folder, other))


def check_outside(layout: Layout, path: str) -> None:
    """A place in the store itself is shared with nobody, and an archive there could replace a page."""
    real = os.path.join(os.path.realpath(os.path.dirname(path)), os.path.basename(path))
    for folder in {os.path.realpath(one) for one in (layout.root, layout.state)}:
        if (
            real == folder
            or os.path.realpath(path).startswith(folder + os.sep)
            or real.startswith(folder + os.sep)
        ):
            raise Refused(f"{path} lies in this store", hint="choose a folder outside of it")


def check_parent(folder: str) -> None:
    """One folder may be made, more may not: a slip in a path would make a place where nobody meets."""
    parent = os.path.dirname(folder)
    if not os.path.isdir(parent):
        hint = "if the path is right and the drive is mounted, make it first"
        raise Refused(f"there is no folder {parent}", hint=hint)
    if os.path.lexists(folder) and not os.path.isdir(folder):
        raise Refused(f"{folder} is no folder", hint=f"name one, or a file that ends in {archive.SUFFIX}")


def prove_writable(folder: str) -> None:
    probe = os.path.join(folder, atomic.temporary_name())
    try:
        os.makedirs(folder, exist_ok=True)
        with open(probe, "xb"):
            pass
        os.unlink(probe)
    except OSError as error:
        raise atomic.failure(folder, error) from error
