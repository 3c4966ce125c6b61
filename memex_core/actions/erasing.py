"""Erasing a conversation for good: its transcript, its episode, and what was learnt from it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from memex_core.actions.history import events_of
from memex_core.care import set_aside
from memex_core.files import session_state, transcripts
from memex_core.files.commit import Edit
from memex_core.files.exclusion import remember
from memex_core.files.journal import bytes_before
from memex_core.files.sessions import agents_of
from memex_core.files.values import as_actors
from memex_core.learn import job_state
from memex_core.model.errors import MemexError, NotFound
from memex_core.model.evidence import parse_resource

if TYPE_CHECKING:
    from memex_core.actions.store import Store
    from memex_core.model.page import Page
    from memex_core.model.results import Event


def purge_session(
    store: Store, session: str, *, why: str = "purged", dry_run: bool = False
) -> dict[str, Any]:
    """Erase a stored conversation with its episode pages, the journal's copies of them included.

    Pages that a model made of it go too (``pages``), whichever lane they cite it in; pages that a person
    wrote or reviewed stay, and are named (``citing``). It is not captured again. With ``dry_run`` only
    the impact is told.
    """
    from memex_core.actions.embed import erase_gone

    turns = sum(1 for _ in transcripts.iter_turns(store.layout, session))
    episodes = [row.path for row in store.index.rows(session_id=session, type="episode")[0]]
    earlier = _pages_gone(store, session)
    if not turns and not episodes and not earlier:
        raise NotFound(f"no session {session!r}", hint="`memex sessions` lists them")
    made, kept = _citing(store, session, set(episodes))
    gone = [*episodes, *made]
    known = {event["seq"]: event for path in gone for event in events_of(store, path)}
    events = list({**known, **{event["seq"]: event for event in earlier}}.values())
    impact: dict[str, Any] = {
        "session_id": session,
        "turns": turns,
        "episodes": episodes,
        "pages": made,
        "citing": kept,
        "journal_lines": len(events),
        "purged": False,
    }
    if dry_run:
        return impact
    for path in gone:
        edit = Edit(path, store.read_bytes(path), None)
        events += store.commit([edit], action="purge", item=session, detail={"session": session})
    if events:
        seqs = {event["seq"] for event in events}
        store.journal.rewrite_without({event["file"] for event in events}, seqs)
    for one in (session, *agents_of(store.layout, session)):
        if transcripts.exists(store.layout, one):
            transcripts.delete(store.layout, one)
    copies = {f"docs/{name}" for name in (*gone, *(event["file"] for event in events))}
    copies |= {f"transcripts/{session}{end}" for end in (".jsonl", ".meta.json")}
    set_aside.erase(store.layout, copies)
    session_state.forget(store.layout, session)
    job_state.forget(store.layout, session)
    remember(store.layout, session, why, store.actor)
    store.index.rebuild()  # deleted rows leave their words in its file until their space is used again
    erase_gone(store)
    return {**impact, "purged": True}


def exclude(store: Store, session: str, why: str) -> bool:
    """Keep nothing of a conversation, now and later; whether there was anything to erase."""
    try:
        purge_session(store, session, why=why)
    except NotFound:
        remember(store.layout, session, why, store.actor)
        return False
    return True


def delete_transcript(store: Store, session: str) -> dict[str, Any]:
    """Remove a conversation and its episode pages; `revert` brings the pages back, not the turns."""
    from memex_core.actions.embed import erase_gone

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


def _citing(store: Store, session: str, but: set[str]) -> tuple[list[str], list[str]]:
    """Paths of the pages that name the session as a source: those a model made, and all others."""
    named = re.compile(rb"memex:" + re.escape(session).encode() + rb"(?![A-Za-z0-9_-])")
    made: list[str] = []
    kept: list[str] = []
    for path in store.index.paths():
        if path in but:
            continue
        try:
            data = store.read_bytes(path)
        except MemexError:
            continue
        if named.search(data):
            page = store.page(path, data)
            if _cites(page, session):
                (kept if _by_a_person(page) else made).append(path)
    return made, kept


def _pages_gone(store: Store, session: str) -> list[Event]:
    """The journal's copies of pages that are gone by now: episodes of the session, and what a model made
    of it."""
    named = session.encode()
    found: list[Event] = []
    for event in store.journal.read():
        data = bytes_before(event)
        if not data or named not in data or store.index.row(event["file"]) is not None:
            continue
        page = store.page(event["file"], data)
        episode = page.type == "episode" and page.session_id == session
        if episode or (_cites(page, session) and not _by_a_person(page)):
            found.append(event)
    return found


def _cites(page: Page, session: str) -> bool:
    return any((parse_resource(one.resource) or ("",))[0] == session for one in page.sources)


def _by_a_person(page: Page) -> bool:
    """Whether a person wrote or reviewed the page; one that does not say is taken for a person's."""
    writers = list(as_actors(page.front.get("generated")))
    if not writers:
        return True
    return any(one.startswith("human:") for one in (*writers, *as_actors(page.front.get("verified"))))
