"""Unsaved text on disk: written while a page is edited, offered when it is opened again.

One file a page and program, in the state folder of the store; in the user's cache folder where the
store takes nothing (it is read-only, or its disk is full). It holds the text as it was being
edited and the bytes that it was made from, so that it can still be saved, compared or merged after a
crash and after the page itself has changed.
"""

from __future__ import annotations

import json
import os
from base64 import b64decode, b64encode
from typing import Any, NamedTuple

from memex_core.files import atomic
from memex_core.files.layout import Layout
from memex_core.model import clock
from memex_core.model.errors import MemexError

FOLDER = "swap"
LARGEST = 40 << 20  # bytes; a larger file is not ours


class Swap(NamedTuple):
    """Text that was not saved. ``base`` are the bytes of the page it grew from (None: a page that had
    no file), ``lines`` the editor's, ``stamp`` when it was written, ``pid`` by which process, ``file``
    where it was read from."""

    path: str
    base: bytes | None
    lines: list[str]
    caret: tuple[int, int] = (0, 0)
    stamp: str = ""
    pid: int = 0
    file: str = ""

    @property
    def left_behind(self) -> bool:
        """Whether the program that wrote it is gone (or is this one)."""
        return self.pid == os.getpid() or not atomic.alive(self.pid)


def _folders(layout: Layout) -> tuple[str, str]:
    return os.path.join(layout.state, FOLDER), f"{layout.cache.removesuffix('.db')}.{FOLDER}"


def swap_paths(layout: Layout, path: str) -> list[str]:
    """Where this program may keep the unsaved text of a page, the best place first."""
    return [os.path.join(folder, f"{_stem(path)}{os.getpid()}.json") for folder in _folders(layout)]


def _stem(path: str) -> str:
    """How the names of all unsaved texts of a page begin."""
    return atomic.digest(path.encode("utf-8", "surrogatepass")) + "-"


def keep(layout: Layout, swap: Swap) -> bool:
    """Write it; False where no disk allows it (editing goes on all the same)."""
    data = {
        "path": swap.path,
        "base": None if swap.base is None else b64encode(swap.base).decode(),
        "text": "\n".join(swap.lines),
        "caret": list(swap.caret),
        "stamp": swap.stamp or clock.stamp(),
        "pid": swap.pid or os.getpid(),
    }
    written = json.dumps(data).encode("ascii")
    targets = swap_paths(layout, swap.path)
    for target in targets:
        try:
            if target == targets[0]:
                layout.ensure_state()
            os.makedirs(os.path.dirname(target), mode=0o700, exist_ok=True)
            atomic.write(target, written, mode=0o600, sync=False)
        except (OSError, MemexError):
            continue
        for other in targets:
            if other != target:  # it holds an older text
                _unlink(other)
        return True
    return False


def find(layout: Layout, path: str) -> Swap | None:
    """The unsaved text of a page, the newest one if several were left; None when there is none."""
    found = [swap for swap in _all(layout, _stem(path)) if swap.path == path]
    return max(found, key=lambda swap: swap.stamp, default=None)


def left_behind(layout: Layout) -> list[Swap]:
    """All unsaved texts whose program is gone, the newest first."""
    found = [swap for swap in _all(layout) if swap.left_behind]
    return sorted(found, key=lambda swap: swap.stamp, reverse=True)


def set_aside(layout: Layout, swap: Swap) -> Swap:
    """Give a text that was left a name of its own, so that the next unsaved text of its page does not
    take its place."""
    if swap.file not in swap_paths(layout, swap.path):
        return swap
    number = 1
    stem = swap.file.removesuffix(".json")
    while os.path.exists(f"{stem}.{number}.json"):
        number += 1
    try:
        os.rename(swap.file, f"{stem}.{number}.json")
    except OSError:
        return swap
    return swap._replace(file=f"{stem}.{number}.json")


def drop(layout: Layout, path: str) -> None:
    """Forget the text of a page that is being edited: it is saved, or is not wanted."""
    for file_path in swap_paths(layout, path):
        _unlink(file_path)


def forget(swap: Swap) -> None:
    """Forget a text that was left."""
    _unlink(swap.file)


def _unlink(file_path: str) -> None:
    try:
        os.unlink(file_path)
    except OSError:
        pass


def _all(layout: Layout, stem: str = "") -> list[Swap]:
    """The texts that were kept whose file name begins with ``stem``."""
    found: list[Swap] = []
    for folder in _folders(layout):
        try:
            names = [name for name in os.listdir(folder) if name.startswith(stem) and name.endswith(".json")]
        except OSError:
            continue
        found += [swap for name in sorted(names) if (swap := _read(os.path.join(folder, name)))]
    return found


def _read(file_path: str) -> Swap | None:
    try:
        if os.path.getsize(file_path) > LARGEST:
            return None
        with open(file_path, "rb") as file:
            data: Any = json.loads(file.read())
        base = None if data["base"] is None else b64decode(data["base"], validate=True)
        line, column = (int(one) for one in data["caret"])
        lines = str(data["text"]).split("\n")
        stamp, pid = str(data["stamp"]), int(data["pid"])
        return Swap(str(data["path"]), base, lines, (line, column), stamp, pid, file_path)
    except (OSError, ValueError, TypeError, KeyError, RecursionError):
        return None
