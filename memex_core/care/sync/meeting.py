"""The place where a person's devices meet: a folder with an archive a device, or one archive for all."""

from __future__ import annotations

import os

from memex_core.care.sync import archive, share
from memex_core.care.sync.archive import opened
from memex_core.care.sync.record import State
from memex_core.files import atomic
from memex_core.files.layout import Layout
from memex_core.model.errors import MemexError, Refused


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


def check_met(state: State, path: str) -> None:
    """In one shared file, what another device left there is taken in before it is written over."""
    if not os.path.lexists(path):
        return
    with opened(path) as found:
        seen = state.peers.get(found.device, {}).get("count", -1)
        if found.device != state.device and found.number > seen:
            raise Refused(
                f"{path} holds what {found.name} exported, and it is not imported yet",
                hint="memex sync import comes first",
            )


def archives(target: str) -> list[str]:
    """The archives in a shared folder, or the one shared file."""
    if not os.path.isdir(target):
        if os.path.lexists(target):
            return [target]
        if target.endswith(archive.SUFFIX) and os.path.isdir(os.path.dirname(target)):
            return []
        raise Refused(f"there is no {target}", hint="is the drive mounted? nothing was changed")
    names = sorted(name for name in os.listdir(target) if name.endswith(archive.SUFFIX))
    return [os.path.join(target, name) for name in names if not name.startswith(".")]


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


def prove_writable(folder: str) -> None:
    probe = os.path.join(folder, atomic.temporary_name())
    try:
        os.makedirs(folder, exist_ok=True)
        with open(probe, "xb"):
            pass
        os.unlink(probe)
    except OSError as error:
        raise atomic.failure(folder, error) from error
