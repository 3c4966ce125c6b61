"""A stored conversation that was replaced: what it said before is in the journal, and can be brought back."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from memex_core.files import atomic, transcripts
from memex_core.files.journal import before_of, bytes_before
from memex_core.files.lock import StoreLock

if TYPE_CHECKING:
    from memex_core.actions.store import Store
    from memex_core.model.results import Event

_ACTIONS = ("ingest", "restore")


def file_name(session: str) -> str:
    """How the journal calls the file of a conversation."""
    return f"transcripts/{session}.jsonl"


def held(store: Store, session: str) -> tuple[bytes, bytes] | None:
    """The transcript as it is, and the file beside it; None where there is none."""
    try:
        said = atomic.read_file(transcripts.file_of(store.layout, session))
    except FileNotFoundError:
        return None
    beside = transcripts.meta_of(store.layout, session)
    return said, atomic.read_file(beside) if os.path.isfile(beside) else b""


def note(store: Store, session: str, before: tuple[bytes, bytes], action: str = "ingest") -> None:
    """Keep what the conversation was, now that it is another."""
    said, beside = before
    event = {
        "action": action,
        "file": file_name(session),
        "item": session,
        "actor": store.actor,
        "before": before_of(said),
        "detail": {"session": session, "beside": before_of(beside)},
    }
    store.journal.append([event])


def events_of(store: Store, session: str) -> list[Event]:
    """The journal's copies of a conversation, the newest first."""
    return [event for event in store.journal.read(reverse=True, file=file_name(session)) if event["before"]]


def last(store: Store, session: str, after: int) -> Event | None:
    """The replacing of a conversation that is newer than the event ``after``."""
    event = next(iter(events_of(store, session)), None) if session else None
    if event is None or event["seq"] < after or event["action"] not in _ACTIONS:
        return None
    return event if bytes_before(event) is not None else None


def put_back(store: Store, event: Event) -> None:
    """Give the conversation the turns that it had before the event; that can be taken back too."""
    session, said = event["item"], bytes_before(event)
    told: Any = event["detail"].get("beside")
    beside = bytes_before({**event, "before": told}) if isinstance(told, dict) else None
    now = held(store, session)
    transcripts.make_place(store.layout, session)
    with StoreLock(store.layout.lock):
        atomic.write(transcripts.file_of(store.layout, session), said or b"")
        atomic.write(transcripts.meta_of(store.layout, session), beside or b"{}")
    if now is not None:
        note(store, session, now, "restore")
    store.look_at_conversations()
