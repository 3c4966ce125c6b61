"""Names that people gave to Codex sessions, in ``session_index.jsonl`` beside the sessions."""

from __future__ import annotations

import os
from functools import lru_cache

from memex_core.harness.opening import Bytes, opened
from memex_core.harness.records import records
from memex_core.model.errors import MemexError


def title_of(path: str, session_id: str) -> str:
    """The newest name of the session in the file ``path``; empty when it has none."""
    home = os.path.dirname(os.path.abspath(path))
    while os.path.basename(home) not in ("sessions", "archived_sessions"):
        up = os.path.dirname(home)
        if up == home:
            return ""
        home = up
    index = os.path.join(os.path.dirname(home), "session_index.jsonl")
    try:
        return _titles(index, os.stat(index).st_mtime_ns).get(session_id, "")
    except OSError:
        return ""


@lru_cache(maxsize=2)
def _titles(index: str, _mtime_ns: int) -> dict[str, str]:
    newest: dict[str, tuple[str, str]] = {}
    try:
        with opened(index) as raw:
            for record in records(Bytes(raw)):
                name, title = record.value.get("id"), record.value.get("thread_name")
                if isinstance(name, str) and isinstance(title, str) and title.strip():
                    told = (str(record.value.get("updated_at") or ""), title.strip())
                    newest[name] = max(newest.get(name, told), told, key=lambda one: one[0])
    except MemexError:
        return {}
    return {name: title for name, (_, title) in newest.items()}
