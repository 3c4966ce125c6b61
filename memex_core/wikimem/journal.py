"""The face's side of the journal: one line a change, for people to read and follow."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from memex_core.files import atomic, journal
from memex_core.files.layout import is_store, of_items, open_layout
from memex_core.files.lock import StoreLock
from memex_core.wikimem.instants import utc_stamp


class Journal:
    """An append-only log at ``path``, a JSON object a line. In a store of memex's own its lines are
    numbered like all others there."""

    def __init__(self, path: Path | str) -> None:
        self.path = Path(path)
        self._lines = journal.Journal(of_items(os.path.dirname(os.path.abspath(path))))
        self._lines.path = os.path.abspath(path)

    def append(
        self,
        action: str,
        *,
        file: str,
        name: str,
        owner: str | None = None,
        source_conv: str | None = None,
        detail: str | None = None,
    ) -> None:
        """Note that the item ``name`` of ``file`` was added, updated or removed."""
        self._add({"action": action, "file": file, "item": name}, owner, source_conv, detail)

    def append_diary(
        self, *, date: str, time: str, owner: str | None = None, source_conv: str | None = None
    ) -> None:
        """Note that an event joined the diary."""
        self._add({"action": "diary", "date": date, "time": time}, owner, source_conv, None)

    def entries(self) -> list[dict[str, Any]]:
        """Every line, oldest first; what is no JSON object is passed by."""
        found = []
        for line in self._lines.lines():
            try:
                entry = json.loads(line)
            except (ValueError, RecursionError):
                continue
            if isinstance(entry, dict):
                found.append(entry)
        return found

    def _add(
        self, what: dict[str, str], owner: str | None, source_conv: str | None, detail: str | None
    ) -> None:
        entry: dict[str, Any] = {"ts": utc_stamp(), **what}
        if owner is not None:
            entry["owner"] = owner
        if source_conv is not None:
            entry["source_conv"] = source_conv
        if detail is not None:
            entry["detail"] = detail
        folder = self._lines.layout.root
        try:
            os.makedirs(folder, exist_ok=True)
        except OSError as error:
            raise atomic.failure(folder, error) from error
        with StoreLock(self._lines.layout.lock):
            if is_store(folder) and not open_layout(folder).folder:
                entry = _numbered(entry, self._lines.end() + 1)
            else:
                self._lines.last_line()  # makes a torn one whole, or drops it
            self._lines.append_lines(json.dumps(entry, ensure_ascii=False).encode() + b"\n")


def _numbered(entry: dict[str, Any], seq: int) -> dict[str, Any]:
    """The line as memex's own journal has it: a number first, and a detail that is a map."""
    if "detail" in entry:
        entry["detail"] = {"note": entry["detail"]}
    return {"seq": seq, **entry}
