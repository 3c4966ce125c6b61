"""Conversations that are not to come back: purged, or excluded by the user's ``DO NOT INDEX``.

The journal remembers them by id, without a word of theirs, so that the next capture leaves them alone.
"""

from __future__ import annotations

from memex_core.files.journal import Journal, event_of
from memex_core.files.layout import Layout
from memex_core.files.opening import regular


def excluded_sessions(layout: Layout) -> dict[str, str]:
    """Session id -> why it is not kept. Reads the journal once: ask once a run."""
    found: dict[str, str] = {}
    try:
        with open(layout.journal, "rb", opener=regular) as file:
            for line in file:
                if b'"purge"' not in line or b'"excluded"' not in line:
                    continue
                event = event_of(line)
                if event is not None and event["action"] == "purge" and event["detail"].get("excluded"):
                    found[str(event["detail"].get("session"))] = str(event["detail"]["excluded"])
    except (FileNotFoundError, NotADirectoryError):
        pass
    return found


def remember(layout: Layout, session_id: str, why: str, actor: str) -> None:
    """Note that the session is not to be kept again."""
    event = {
        "action": "purge",
        "file": f"transcripts/{session_id}.jsonl",
        "item": session_id,
        "actor": actor,
        "detail": {"session": session_id, "excluded": why},
    }
    Journal(layout).append([event])
