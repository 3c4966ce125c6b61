"""Conversations: taking them in, listing and reading them, and tracing pages back to their turns."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

from memex_core.actions.store import Store
from memex_core.actions.write import page_slug
from memex_core.files import transcripts
from memex_core.files.commit import Edit
from memex_core.files.compose import new_page
from memex_core.learn.episodes import digest_turns
from memex_core.model import clock
from memex_core.model.errors import AlreadyExists, BadInput, NotFound
from memex_core.model.evidence import find_quote, parse_resource
from memex_core.model.page import Page, Value

if TYPE_CHECKING:
    from memex_core.model.results import IngestReport, Provenance, SessionSummary


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
    store.layout.ensure_state()
    known = transcripts.exists(store.layout, session_id)
    if known and not overwrite:
        raise AlreadyExists(f"session {session_id} is stored already", hint="--overwrite replaces it")
    done = transcripts.ingest(
        store.layout,
        session_id,
        turns,
        overwrite=overwrite,
        meta={**(metadata or {}), **({"project": project} if project else {})},
        dry_run=dry_run,
    )
    path = episode_path(store, session_id)
    if not dry_run:
        write_episode(store, session_id, path)
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
    }


def episode_path(store: Store, session_id: str) -> str:
    """Where the episode page of a session is, or would be."""
    for row in store.index.rows(session_id=session_id, type="episode")[0]:
        return row.path
    home = "memex-episodes" if store.layout.folder else "episodes"
    return f"{home}/{session_id}.md"


def write_episode(store: Store, session_id: str, path: str) -> None:
    """Write or renew the episode page: a digest made by rules, no model."""
    made = digest_turns(list(transcripts.read_turns(store.layout, session_id)), session_id)
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
    if before is not None and old is not None and store.page(path, after).body == old.body:
        return
    store.commit(
        [Edit(path, before, after)], action="ingest", item=page_slug(path), detail={"session": session_id}
    )


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
    """``{sessions: [SessionSummary], total}``, newest first."""
    episodes = {row.session_id: row.slug for row in store.index.rows(type="episode", limit=1_000_000)[0]}
    out: list[SessionSummary] = []
    for found in transcripts.list_sessions(store.layout):
        if (agent and found["agent"] != agent) or (project and found["project"] != project):
            continue
        if since and (found["ended_at"] or found["started_at"] or "") < since:
            continue
        found["episode_slug"] = episodes.get(found["session_id"], "")
        out.append(found)
    out.sort(key=lambda s: (s["started_at"] or "", s["session_id"]), reverse=True)
    return {"sessions": out[:limit], "total": len(out)}


def session(store: Store, session: str, *, turns: str | None = None) -> dict[str, Any]:
    """One conversation; ``turns`` as ``A-B`` reads only those."""
    start, end = _range(turns)
    return transcripts.read_session(store.layout, session, start, end)


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
    names = [found["session_id"] for found in transcripts.list_sessions(store.layout)]
    if not dry_run:
        for name in names:
            transcripts.delete(store.layout, name)
        store.look_again()
    return {"sessions": len(names), "cleared": not dry_run}


def trace(store: Store, slug: str, *, scope: str | None = None) -> Provenance:
    """Where a page comes from: its cited turns (direct), or the episodes linked with it (inferred)."""
    row = store.find(slug, scope=scope, loose=True)
    page = store.page(row.path)
    lanes: dict[str, list[dict[str, Any]]] = {"evidence": [], "context": []}
    refs = [page.transcript_ref] if page.transcript_ref else []
    for source in page.sources:
        entry = _turn_of(store, source.resource, source.quote)
        if entry is not None:
            lanes["context" if source.lane == "context" else "evidence"].append(entry)
            ref = f"transcripts/{entry['session']}.jsonl"
            refs += [ref] if ref not in refs else []
    episodes = linked_episodes(store, page)
    confidence = "direct" if refs else "none"
    if not refs:
        for path in episodes:
            ref = store.page(path).transcript_ref
            refs += [ref] if ref and ref not in refs else []
        confidence = "inferred" if refs else "none"
    files = [os.path.join(store.layout.transcripts, os.path.basename(ref)) for ref in refs]
    return {
        "slug": row.slug,
        "direct_transcript_ref": page.transcript_ref or None,
        "evidence": lanes["evidence"],
        "context": lanes["context"],
        "linked_episodes": [page_slug(path) for path in episodes],
        "transcript_files": [name for name in files if os.path.exists(name)],
        "meta_files": [m for n in files if os.path.exists(m := n.removesuffix(".jsonl") + ".meta.json")],
        "confidence": confidence,
    }


def linked_episodes(store: Store, page: Page) -> list[str]:
    """Paths of the episode pages that link to the page or that it links to."""
    near = [link.source for link in store.index.links_to(page.path)]
    near += [link.dst for link in store.index.links_from(page.path) if link.dst]
    if page.session_id:
        near += [row.path for row in store.index.rows(session_id=page.session_id, type="episode")[0]]
    found = []
    for path in dict.fromkeys(near):
        row = store.index.row(path)
        if row is not None and row.type == "episode" and path != page.path:
            found.append(path)
    return found


def _turn_of(store: Store, resource: str, quote: str) -> dict[str, Any] | None:
    cited = parse_resource(resource)
    if cited is None:
        return None
    session_id, number = cited
    turns = list(transcripts.read_turns(store.layout, session_id, number, number)) if number else []
    turn = turns[0] if turns else None
    said = str(turn.get("content") or "") + "\n" + str(turn.get("result") or "") if turn else ""
    return {
        "session": session_id,
        "turn": number,
        "quote": quote,
        "role": turn.get("role") if turn else None,
        "ts": turn.get("ts") if turn else None,
        "text": said.strip() if turn else None,
        "found": bool(turn) and (not quote or find_quote(quote, said)),
    }
