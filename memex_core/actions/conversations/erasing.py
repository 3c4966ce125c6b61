"""Erasing a conversation for good: its transcript, its episode, and what was learnt from it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memex_core.actions.conversations.drawn import drawn_from
from memex_core.actions.history.erasing import erase
from memex_core.actions.history.history import events_of
from memex_core.files import session_state, transcripts
from memex_core.files.commit import Edit
from memex_core.files.exclusion import remember
from memex_core.files.sessions import agents_of
from memex_core.learn import job_state
from memex_core.model.errors import NotFound

if TYPE_CHECKING:
    from memex_core.actions.store import Store


def purge_session(
    store: Store, session: str, *, why: str = "purged", dry_run: bool = False
) -> dict[str, Any]:
    """Erase a stored conversation with its episode pages, the journal's copies of them included.

    Pages drawn from it go too (``pages``), whichever lane they cite it in; those that stay (``citing``) lose
    the sources that name it: :mod:`.drawn` says which. It is not captured again. With ``dry_run`` only the
    impact is told.
    """
    sessions = [session, *agents_of(store.layout, session)]
    turns = sum(1 for _ in transcripts.iter_turns(store.layout, session))
    episodes = [row.path for one in sessions for row in store.index.rows(session_id=one, type="episode")[0]]
    drawn = drawn_from(store, sessions, episodes)
    if not (turns or episodes or drawn.goes or drawn.edits or drawn.events):
        raise NotFound(f"no session {session!r}", hint="`memex sessions` lists them")
    gone = [*episodes, *drawn.goes]
    known = {event["seq"]: event for path in gone for event in events_of(store, path)}
    events = list({**known, **{event["seq"]: event for event in drawn.events}}.values())
    impact: dict[str, Any] = {
        "session_id": session,
        "turns": turns,
        "episodes": episodes,
        "pages": drawn.goes,
        "citing": drawn.stays,
        "journal_lines": len(events),
        "purged": False,
    }
    if dry_run:
        return impact
    named = (*gone, *drawn.stays, *(event["file"] for event in events))
    copies = {f"docs/{name}": "" for name in named}
    copies |= {f"transcripts/{one}{end}": "" for one in sessions for end in (".jsonl", ".meta.json")}
    with store.alone():
        erase(
            store,
            [*(Edit(path, store.read_bytes(path), None) for path in gone), *drawn.edits],
            session,
            events,
            copies,
            detail={"session": session},
            sessions=sessions,
            barred=session,
            why=why,
            nameless=[*drawn.goes, *drawn.gone],
        )
    return {**impact, "purged": True}


def exclude(store: Store, session: str, why: str) -> dict[str, Any] | None:
    """Keep nothing of a conversation, now and later; what was erased, as :func:`purge_session` tells it."""
    try:
        return purge_session(store, session, why=why)
    except NotFound:
        remember(store.layout, session, why, store.actor)
        return None


def delete_transcript(store: Store, session: str) -> dict[str, Any]:
    """Remove a conversation and its episode pages; `revert` brings the pages back, not the turns."""
    from memex_core.actions.asking.embed import erase_gone

    episodes = list(store.index.rows(session_id=session, type="episode")[0])
    transcripts.delete(store.layout, session)
    session_state.forget(store.layout, session)
    job_state.forget(store.layout, session)
    for row in episodes:
        edit = Edit(row.path, store.read_bytes(row.path), None)
        store.commit([edit], action="remove", item=row.slug, detail={"session": session})
    store.look_again()
    erase_gone(store)
    return {"session_id": session, "deleted": True, "episodes": [row.path for row in episodes]}
