"""Conversations: taking them in, listing and reading them, and tracing pages back to their turns."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

from memex_core.actions import terms
from memex_core.actions.erasing import exclude
from memex_core.actions.keeping_out import quotable
from memex_core.actions.store import Store
from memex_core.actions.write import page_slug
from memex_core.files import session_meta, session_state, surgeon, transcripts
from memex_core.files import sessions as stored
from memex_core.files.commit import Edit
from memex_core.files.compose import new_page
from memex_core.learn.episodes import digest_turns
from memex_core.model import clock
from memex_core.model.errors import AlreadyExists, BadInput, NotFound, Refused
from memex_core.model.exclusion import Excluded, why_excluded
from memex_core.model.page import Value
from memex_core.model.slug import RESERVED, numbered

if TYPE_CHECKING:
    from memex_core.files.scrubbing import Scrubber
    from memex_core.model.results import IngestReport, SessionSummary


def read_turns_file(name: str) -> list[dict[str, Any]]:
    """Turns from a JSONL file; BadInput names the line that is no turn."""
    try:
        with open(name, "rb") as file:
            data = file.read()
    except OSError as error:
        raise NotFound(f"cannot read {name}", hint=error.strerror or "check the path") from None
    turns = []
    for number, line in enumerate(data.decode("utf-8", "replace").split("\n"), 1):
        if not line.strip():
            continue
        try:
            turn = json.loads(line)
        except ValueError as error:
            raise BadInput(f"{name}:{number} is no JSON", hint=str(error)) from None
        if not isinstance(turn, dict):
            raise BadInput(f"{name}:{number} is no JSON object", hint="one turn a line")
        if turn.get("type") != "memex_session_header":
            turns.append(turn)
    return turns


def ingest_transcript(
    store: Store,
    *,
    session_id: str,
    turns: list[dict[str, Any]] | None = None,
    turns_file: str = "",
    project: str | None = None,
    metadata: dict[str, Any] | None = None,
    overwrite: bool = False,
    dry_run: bool = False,
) -> IngestReport:
    """Store a conversation and write its episode page; one that is there is refused unless ``overwrite``."""
    if turns is None:
        turns = read_turns_file(turns_file)
    scrub = store.scrubber()
    if scrub.holds(session_id):
        raise BadInput("the session id holds a secret", hint="give another")
    store.layout.ensure_state()
    _refuse_excluded(store, session_id, turns, dry_run)
    known = transcripts.exists(store.layout, session_id)
    if known and not overwrite:
        raise AlreadyExists(f"session {session_id} is stored already", hint="--overwrite replaces it")
    done = transcripts.ingest(
        store.layout,
        session_id,
        turns,
        overwrite=overwrite,
        meta={**(metadata or {}), **({"project": project} if project else {})},
        scrubber=scrub,
        dry_run=dry_run,
    )
    path = episode_path(store, session_id)
    warnings = scrub.notes()
    if not dry_run:
        try:
            write_episode(store, session_id, path, scrub)
        except Refused as error:  # the folder may be ignored: the turns are kept
            warnings.append(f"no episode page: {error.message}")
        store.look_again()
    return {
        "session_id": session_id,
        "transcript_file": transcripts.file_of(store.layout, session_id),
        "meta_file": transcripts.meta_of(store.layout, session_id),
        "episode_node": page_slug(path),
        "episode_file_path": store.file_path(path),
        "turn_count": done.turn_count,
        "user_turns": done.user_turns,
        "agent_turns": done.agent_turns,
        "tool_turns": done.tool_turns,
        "new_turns": done.new_turns,
        "warnings": warnings,
    }


def _refuse_excluded(store: Store, session_id: str, turns: list[dict[str, Any]], dry_run: bool) -> None:
    """A conversation that its user excluded is not stored, and what was kept of it goes."""
    why = why_excluded(turn for turn in turns if isinstance(turn, dict))
    if not why:
        return
    gone = not dry_run and exclude(store, session_id, why)
    kept = "what was kept of it is erased" if gone else "nothing of it is kept"
    raise Excluded(f"session {session_id} is not stored: {why}", hint=kept)


def episode_path(store: Store, session_id: str) -> str:
    """Where the episode page of a session is, or would be."""
    for row in store.index.rows(session_id=session_id, type="episode")[0]:
        return row.path
    home = "memex-episodes" if store.layout.folder else "episodes"
    head, dot, rest = session_id.partition(".")
    stem = f"{head}-page{dot}{rest}" if head.lower() in RESERVED else session_id
    return (
        f"{home}/{numbered(stem, lambda name: _is_another_page(store, f'{home}/{name}.md', session_id))}.md"
    )


def _is_another_page(store: Store, path: str, session_id: str) -> bool:
    """Whether a page stands there that is not the session's: it is not written over."""
    try:
        page = store.page(path, store.read_bytes(path))
    except NotFound:
        return False
    return bool(page.body.strip()) and page.session_id != session_id


def write_episode(store: Store, session_id: str, path: str, scrub: Scrubber | None = None) -> None:
    """Write or renew the episode page: a digest made by rules, no model.

    ``scrub`` is what the turns were scrubbed with: the journal counts what it took out.
    """
    meta = transcripts.read_meta(store.layout, session_id)
    taken_back = session_meta.abandoned(meta)
    turns = quotable(store, transcripts.iter_turns(store.layout, session_id), str(meta.get("project") or ""))
    made = digest_turns(({**turn, "abandoned": taken_back(turn["turn"])} for turn in turns), session_id)
    try:
        before: bytes | None = store.read_bytes(path)
    except NotFound:
        before = None
    now = clock.stamp()
    old = store.page(path, before) if before is not None else None
    fields: dict[str, Value] = {
        "type": "episode",
        "title": made.title,
        "description": made.description or None,
        "generated": {"by": "process:memex", "at": now},
        "id": old.id if old and old.id else _episode_id(session_id),
        "created": old.created if old and old.created else now,
        "session_id": session_id,
        "transcript_ref": f"transcripts/{session_id}.jsonl",
        "occurred_at": made.started_at or None,
    }
    after = new_page(fields, made.body)
    if before is not None and old is not None:
        if store.page(path, after).body == old.body:
            return
        after = surgeon.replace_body(before, made.body)  # tags and other keys that were added stay
        after = surgeon.set_keys(after, {key: value for key, value in fields.items() if key not in _ONCE})
    store.commit(
        [Edit(path, before, after)],
        action="ingest",
        item=page_slug(path),
        detail={"session": session_id},
        scrubber=scrub,
    )


_ONCE = ("type", "id", "created")


def _episode_id(session_id: str) -> str:
    """The same session has the same episode id on every machine."""
    import uuid

    return str(uuid.uuid5(uuid.NAMESPACE_URL, f"memex:{session_id}"))


def sessions(
    store: Store,
    *,
    agent: str | None = None,
    project: str | None = None,
    since: str | None = None,
    limit: int = 50,
) -> dict[str, Any]:
    """``{sessions: [SessionSummary], total}``, newest first.

    ``project`` is a session's project or the last folder of it; ``since`` a date or time by which it
    had not ended.
    """
    start = terms.as_time(since, "since")
    episodes = {row.session_id: row.slug for row in store.index.rows(type="episode", limit=1_000_000)[0]}
    out: list[SessionSummary] = []
    for found in stored.list_sessions(store.layout):
        if agent and (found["agent"] or "").casefold() != agent.casefold():
            continue
        if project and project not in (found["project"], os.path.basename(found["project"].rstrip("/"))):
            continue
        if start and (found["ended_at"] or found["started_at"] or "") < start:
            continue
        found["episode_slug"] = episodes.get(found["session_id"], "")
        out.append(found)
    out.sort(key=lambda s: (s["started_at"] or "", s["session_id"]), reverse=True)
    return {"sessions": out[:limit], "total": len(out)}


def session(store: Store, session: str, *, turns: str | None = None) -> dict[str, Any]:
    """One conversation; ``turns`` as ``A-B`` reads only those."""
    start, end = _range(turns)
    return stored.read_session(store.layout, session, start, end)


def _range(text: str | None) -> tuple[int, int | None]:
    if not text:
        return 1, None
    first, dash, last = str(text).partition("-")
    try:
        start = int(first)
        end = int(last) if last else (None if dash else start)
    except ValueError:
        raise BadInput(f"{text!r} is no range of turns", hint="write 12 or 10-20") from None
    if start < 1 or (end is not None and end < start):
        raise BadInput(f"{text!r} is no range of turns", hint="write 12 or 10-20")
    return start, end


def clear_transcripts(store: Store, *, dry_run: bool = False) -> dict[str, Any]:
    """Remove every stored transcript; episode pages stay. ``dry_run`` only counts them."""
    from memex_core.actions.embed import erase_gone
    from memex_core.learn import job_state

    names = transcripts.session_ids(store.layout)
    if names and not dry_run:
        for name in names:
            transcripts.delete(store.layout, name)
            session_state.forget(store.layout, name)
            job_state.forget(store.layout, name)
        event = {"action": "remove", "file": "transcripts", "item": "", "actor": store.actor}
        store.journal.append([{**event, "detail": {"sessions": len(names)}}])
        store.look_again()
        erase_gone(store)
    return {"sessions": len(names), "cleared": not dry_run}
