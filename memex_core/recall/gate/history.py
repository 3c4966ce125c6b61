"""States of a rules file that were replaced, so that a change can be taken back.

``rules/history/gate-0007.toml`` is what the seventh change of ``rules/gate.toml`` replaced; the newest twenty
are kept. ``of`` is the file's name without its ending.
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, NamedTuple

from memex_core.files import atomic
from memex_core.model import clock
from memex_core.model.errors import NotFound

if TYPE_CHECKING:
    from memex_core.files.layout import Layout

KEPT = 20


class Snapshot(NamedTuple):
    """``number`` is what ``rollback --to`` takes; ``at`` the time when it was replaced."""

    number: int
    at: str
    size: int


def snapshots(layout: Layout, of: str = "gate") -> list[Snapshot]:
    """All that are kept, the newest first."""
    named = re.compile(rf"{of}-(\d{{4,9}})\.toml")
    found = []
    try:
        with os.scandir(_folder(layout)) as entries:
            for entry in entries:
                name = named.fullmatch(entry.name)
                if name and entry.is_file(follow_symlinks=False):
                    at = entry.stat(follow_symlinks=False)
                    found.append(Snapshot(int(name[1]), _stamp(at.st_mtime), at.st_size))
    except (FileNotFoundError, NotADirectoryError):
        return []
    return sorted(found, reverse=True)


def read(layout: Layout, number: int, of: str = "gate") -> bytes:
    """The bytes of a snapshot. Raises NotFound."""
    try:
        return atomic.read_file(_file(layout, number, of))
    except OSError:
        kept = ", ".join(str(one.number) for one in snapshots(layout, of)) or "none"
        raise NotFound(f"no state {number} of rules/{of}.toml is kept", hint=f"kept: {kept}") from None


def keep(layout: Layout, data: bytes, of: str = "gate") -> int:
    """Keep a state that is about to be replaced; its number. The caller holds the lock."""
    found = snapshots(layout, of)
    number = found[0].number + 1 if found else 1
    atomic.inside(layout.state, f"rules/history/{of}-{number:04d}.toml")
    try:
        os.makedirs(_folder(layout), exist_ok=True)
    except OSError as error:
        raise atomic.failure(_folder(layout), error) from error
    atomic.write(_file(layout, number, of), data, new=True)
    for old in found[KEPT - 1 :]:
        try:
            os.unlink(_file(layout, old.number, of))
        except OSError:
            pass  # one too many is no harm
    return number


def _folder(layout: Layout) -> str:
    return os.path.join(layout.rules, "history")


def _file(layout: Layout, number: int, of: str) -> str:
    return os.path.join(_folder(layout), f"{of}-{number:04d}.toml")


def _stamp(seconds: float) -> str:
    from datetime import UTC, datetime

    return clock.stamp(datetime.fromtimestamp(seconds, UTC))
