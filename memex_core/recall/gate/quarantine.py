"""Own rules that took too long: set aside until they are changed or their owner lets them try again.

``rules/quarantine.json`` names each with a hash of what it says, so that an edited rule is free. ``overlay``
is the rules file that it stands in: ``gate`` or ``extract``.
"""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

from memex_core.files import atomic
from memex_core.model import clock
from memex_core.model.errors import MemexError

if TYPE_CHECKING:
    from memex_core.files.layout import Layout

_MOST = 200  # rows that are kept


def file_of(layout: Layout) -> str:
    return os.path.join(layout.rules, "quarantine.json")


def hash_of(source: str, flags: str) -> str:
    """What an own rule says, in 12 hex digits."""
    return atomic.digest(f"{source}\0{flags}".encode())[:12]


def read(layout: Layout, overlay: str = "gate") -> list[dict[str, Any]]:
    """``{id, hash, at, elapsed_ms, size}`` of each rule set aside; none when the file is damaged."""
    return [row for row in _all(layout) if row.get("overlay", "gate") == overlay]


def _all(layout: Layout) -> list[dict[str, Any]]:
    try:
        rows = json.loads(atomic.read_file(file_of(layout))).get("patterns", [])
    except (OSError, ValueError, AttributeError, RecursionError):
        return []
    if not isinstance(rows, list):
        return []
    return [row for row in rows if isinstance(row, dict) and isinstance(row.get("hash"), str)]


def put(layout: Layout, id: str, hash: str, elapsed_ms: float, size: int, overlay: str = "gate") -> bool:
    """Set a rule aside; whether that could be written down. A prompt never waits long for it."""
    from memex_core.files.lock import StoreLock

    row = {
        "id": id,
        "hash": hash,
        "overlay": overlay,
        "at": clock.stamp(),
        "elapsed_ms": round(elapsed_ms, 1),
        "size": size,
    }
    try:
        with StoreLock(layout.lock, timeout=0.5):
            rows = [
                one for one in _all(layout) if (one["hash"], one.get("overlay", "gate")) != (hash, overlay)
            ]
            _write(layout, [*rows, row][-_MOST:])
    except MemexError:
        return False
    return True


def clear(layout: Layout, wanted: str | None, *, dry_run: bool = False, overlay: str = "gate") -> list[str]:
    """Let the rule with the id ``wanted`` (None: all of the file) try again; the ids that were set aside."""
    from memex_core.files.lock import StoreLock

    def meant(row: dict[str, Any]) -> bool:
        return row.get("overlay", "gate") == overlay and wanted in (None, row.get("id"))

    if dry_run or not read(layout, overlay):
        return [str(row.get("id")) for row in _all(layout) if meant(row)]
    with StoreLock(layout.lock):
        rows = _all(layout)
        kept = [row for row in rows if not meant(row)]
        if len(kept) != len(rows):
            _write(layout, kept)
        return [str(row.get("id")) for row in rows if meant(row)]


def _write(layout: Layout, rows: list[dict[str, Any]]) -> None:
    text = json.dumps({"patterns": rows}, ensure_ascii=False, indent=1) + "\n"
    atomic.write(atomic.inside(layout.state, "rules/quarantine.json"), text.encode("utf-8"))
