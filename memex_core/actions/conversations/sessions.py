"""Conversations: taking them in, listing and reading them, and tracing pages back to their turns."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from memex_core.actions import terms
from memex_core.actions.conversations import replaced
from memex_core.actions.conversations.erasing import exclude
from memex_core.actions.here import root_of, to_read
from memex_core.actions.learning.keeping_out import quotable
from memex_core.actions.pages.write import page_slug
from memex_core.actions.store import Store
from memex_core.files import session_meta, session_state, surgeon, transcripts
from memex_core.files import sessions as stored
from memex_core.files.commit import Edit
from memex_core.files.compose import new_page
from memex_core.files.turns import HEADER
from memex_core.learn.episodes import digest_turns
from memex_core.model import clock
from memex_core.model.actor import is_agent
from memex_core.model.errors import AlreadyExists, BadInput, NotFound, Refused
from memex_core.model.exclusion import Excluded, why_excluded
from memex_core.model.identity import same_project
from memex_core.model.page import Value
from memex_core.model.slug import RESERVED, numbered

if TYPE_CHECKING:
    from memex_core.files.scrubbing import Scrubber
    from memex_core.model.results import IngestReport, SessionSummary


def read_turns_file(name: str) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """Turns from a JSONL file, and what its first line tells of the conversation, as keys of the meta file.

    BadInput names the line that is no turn.
    """
    try:
        with open(name, "rb") as file:
            data = file.read()
    except OSError as error:
        raise NotFound(f"cannot read {name}", hint=error.strerror or "check the path") from None
    turns: list[dict[str, Any]] = []
    told: dict[str, Any] = {}
    for number, line in enumerate(data.decode("utf-8", "replace").split("\n"), 1):
        if not line.strip():
            continue
        try:
            turn = json.loads(line)
        except ValueError as error:
            raise BadInput(f"{name}:{number} is no JSON", hint=str(error)) from None
        if not isinstance(turn, dict):
            raise BadInput(f"{name}:{number} is no JSON object", hint="one turn a line")
        if turn.get("type") == HEADER:
            told = told or session_meta.from_header(turn)
        else:
            turns.append(turn)
    return turns, told


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
    """Store a conversation and write its episode page; one that is there is refused unless ``overwrite``.

    What an agent tells of a conversation is the agent's word: its turns prove nothing, and it replaces no
    stored conversation; with ``overwrite`` it may add to one of its own, whose turns it repeats.
    """
    told: dict[str, Any] = {}
    if turns is None:
        if not turns_file:
            raise BadInput("a conversation needs turns", hint="give turns, or a file of them")
        turns, told = read_turns_file(turns_file)
    if not isinstance(turns, list | tuple):
        raise BadInput("turns must be a list of maps", hint=f"not {type(turns).__name__}")
    scrub = store.scrubber()
    if scrub.holds(session_id):
        raise BadInput("the session id holds a secret", hint="give another")
    store.layout.ensure_state()
    _refuse_excluded(store, session_id, turns, dry_run)
    known = transcripts.exists(store.layout, session_id)
    by_agent = is_agent(store.actor)
    if known and not overwrite:
        hint = "give it another id" if by_agent else "--overwrite replaces it"
        raise AlreadyExists(f"session {session_id} is stored already", hint=hint)
    if by_agent:
        turns = [_by_an_agent(turn) for turn in turns]
        if known:
            _check_goes_on(store, session_id, turns)
    before = replaced.held(store, session_id) if known else None
    done = transcripts.ingest(
        store.layout,
        session_id,
        turns,
        overwrite=overwrite,
        meta={**told, **(metadata or {}), **({"project": project} if project else {})},
        scrubber=scrub,
        dry_run=dry_run,
    )
    path = episode_path(store, session_id)
    warnings = scrub.notes()
    if not dry_run:
        try:
            warnings += write_episode(store, session_id, path, scrub)
        except Refused as error:  # the folder may be ignored: the turns are kept
            warnings.append(f"no episode page: {error.message}")
        if before is not None and before != replaced.held(store, session_id):
            replaced.note(store, session_id, before)
        store.look_at_conversations()
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


def _by_an_agent(turn: Any) -> Any:
    """A turn as an agent tells it: not to be taken for a person's, or a tool's, own word."""
    if not isinstance(turn, Mapping) or turn.get("trust") == "recall":
        return turn
    return {**turn, "trust": "agent"}


def _check_goes_on(store: Store, session_id: str, turns: list[Any]) -> None:
    """Raise Refused unless the turns begin with all that is stored, and that came from an agent too."""
    stored = transcripts.read_turns(store.layout, session_id)
    same = len(turns) >= len(stored) and all(
        isinstance(new, Mapping)
        and old.get("trust") != "human"
        and all(
            (new.get(key) or "") == (old.get(key) or "") for key in ("role", "content", "query", "result")
        )
        for old, new in zip(stored, turns, strict=False)
    )
    if not same:
        raise Refused(
            f"only a person replaces a stored conversation, and {session_id} is one",
            hint="repeat its turns and add to them, or give another id",
        )


def _refuse_excluded(store: Store, session_id: str, turns: list[dict[str, Any]], dry_run: bool) -> None:
    """A conversation that its user excluded is not stored, and what was kept of it goes."""
    why = why_excluded(turn for turn in turns if isinstance(turn, dict))
    if not why:
        return
    gone = None if dry_run or is_agent(store.actor) else exclude(store, session_id, why)
    kept = "what was kept of it is erased" if gone else "nothing of it is kept"
    if gone and gone["citing"]:
        kept += f"; these pages stay without its words: {', '.join(gone['citing'])}"
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


def write_episode(store: Store, session_id: str, path: str, scrub: Scrubber | None = None) -> list[str]:
    """Write or renew the episode page: a digest made by rules, no model. What is amiss with it is returned.

    ``scrub`` is what the turns were scrubbed with: the journal counts what it took out.
    """
    meta = transcripts.read_meta(store.layout, session_id)
    taken_back = session_meta.abandoned(meta)
    every, held = transcripts.iter_turns(store.layout, session_id), list[str]()
    turns = quotable(store, every, str(meta.get("project") or ""), held=held)
    made = digest_turns(({**turn, "abandoned": taken_back(turn["turn"])} for turn in turns), session_id)
    amiss = [f"the episode page lacks words that were said: {why}" for why in held[:1]]
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
            return amiss
        after = surgeon.replace_body(before, made.body)  # tags and other keys that were added stay
        after = surgeon.set_keys(after, {key: value for key, value in fields.items() if key not in _ONCE})
    store.commit(
        [Edit(path, before, after)],
        action="ingest",
        item=page_slug(path),
        detail={"session": session_id},
        scrubber=scrub,
    )
    return amiss


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

    ``project`` is a project's name or id, or a folder: see :func:`memex_core.model.identity.same_project`;
    ``since`` a date or time by which it had not ended.
    """
    within = to_read(store, None, project)
    root = root_of(store, within)
    start = terms.as_time(since, "since")
    episodes = {row.session_id: row.slug for row in store.index.rows(type="episode", limit=1_000_000)[0]}
    out: list[SessionSummary] = []
    for found in stored.list_sessions(store.layout):
        if agent and (found["agent"] or "").casefold() != agent.casefold():
            continue
        if within and not same_project(within, found["project"], root=root):
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
    from memex_core.actions.asking.embed import erase_gone
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
