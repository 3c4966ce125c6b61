"""What came in before, so that a second import knows it again although its links were turned, it was edited
since, or it moved. Lost without harm: then a page that is there already is a collision, and is left alone."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import TYPE_CHECKING

from memex_core.files import atomic
from memex_core.files.journal import Journal

if TYPE_CHECKING:
    from memex_core.files.layout import Layout


class Came:
    """The pages of one kind of store: what each was called there, and the text that it had."""

    def __init__(self, layout: Layout, source: str) -> None:
        self._layout = layout
        self._name = f"imports/{source}.json"
        self._known = _read(os.path.join(layout.state, self._name))
        self._moves: dict[str, str] | None = None

    def where(self, key: str, digest: str) -> str:
        """The path that the page with this text has by now; empty when it never came."""
        path = self._known.get(key, {}).get(digest, "")
        if not path:
            return ""
        if self._moves is None:
            self._moves = _moves(self._layout)
        return self._moves.get(path, path)

    def keep(self, came: Mapping[str, tuple[str, str]]) -> None:
        """Note what came: key -> (digest of the text, path here)."""
        for key, (digest, path) in came.items():
            self._known.setdefault(key, {})[digest] = path
        target = atomic.inside(self._layout.state, self._name)
        os.makedirs(os.path.dirname(target), exist_ok=True)
        text = json.dumps(self._known, ensure_ascii=False, indent=0, sort_keys=True) + "\n"
        atomic.write(target, text.encode("utf-8", "surrogatepass"))


def _read(file: str) -> dict[str, dict[str, str]]:
    try:
        found = json.loads(atomic.read_file(file))
    except (OSError, ValueError, RecursionError):
        return {}
    if not isinstance(found, dict):
        return {}
    return {
        key: {name: path for name, path in texts.items() if isinstance(path, str)}
        for key, texts in found.items()
        if isinstance(texts, dict)
    }


def _moves(layout: Layout) -> dict[str, str]:
    """Path that a page once had -> its path now, for pages that were renamed or moved."""
    now: dict[str, str] = {}
    for event in Journal(layout).read(holding=(b'"from"',)):
        old, new = event["detail"].get("from"), event["file"]
        if isinstance(old, str) and event["action"] in ("rename", "scope", "hand", "restore", "update"):
            for first, last in now.items():
                if last == old:
                    now[first] = new
            now[old] = new
    return now
