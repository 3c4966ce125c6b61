"""Sync between a person's devices: turn it on, tell the others what is new here, take in what they tell."""

from __future__ import annotations

import json
import os
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any

from memex_core.actions.exchange import purged
from memex_core.care import erasure, unfinished
from memex_core.care.sync import archive, conversations, days, meeting, record, share
from memex_core.care.sync.archive import Generation, opened
from memex_core.care.sync.naming import Naming
from memex_core.care.sync.observe import observe
from memex_core.care.sync.plan import Plan, plan
from memex_core.care.sync.record import HERE, State
from memex_core.files.diary import DiaryEntry
from memex_core.files.scan import scan
from memex_core.files.scrubbing import Scrubber
from memex_core.model import clock
from memex_core.model.actor import is_agent
from memex_core.model.errors import BadInput, Damaged, MemexError, NotFound, Refused

if TYPE_CHECKING:
    from memex_core.actions.store import Store


def enable(store: Store, target: str, *, name: str = "", dry_run: bool = False) -> dict[str, Any]:
    """Meet the other devices at ``target``, a folder or one archive file, once it is proved that it can be
    written. ``name`` is what the others call this device."""
    check_person(store)
    path = os.path.abspath(os.path.expanduser(target))
    meeting.check_outside(store.layout, path)
    single = os.path.isfile(path) or (path.endswith(archive.SUFFIX) and not os.path.isdir(path))
    folder = os.path.dirname(path) if single else path
    meeting.check_parent(folder)
    made = not os.path.isdir(folder)
    if not dry_run:
        meeting.prove_writable(folder)
        with store.alone():
            state = _state(store)
            state.target, state.name = path, name.strip() or state.name
            record.save(store.layout, state)
    return {
        "enabled": not dry_run,
        "target": path,
        "kind": "file" if single else "folder",
        "folder_made": made,
        "dry_run": dry_run,
    }


def disable(store: Store, *, dry_run: bool = False) -> dict[str, Any]:
    """Sync no more. What is known of the other devices stays, and so does what lies in the folder."""
    check_person(store)
    state = record.load(store.layout)
    was = state.target
    if was and not dry_run:
        with store.alone():
            state = _state(store)
            state.target = ""
            record.save(store.layout, state)
    return {"enabled": bool(was and dry_run), "target": was, "dry_run": dry_run}


def alias(store: Store, local: str, remote: str = "", *, dry_run: bool = False) -> dict[str, Any]:
    """Say that the project ``remote`` of the other devices is ``local`` here; without ``remote``, forget
    what was said of ``local``."""
    check_person(store)
    for word in filter(None, (local, remote)):
        if "/" in word or "\\" in word or word.startswith(".") or not word.strip():
            raise BadInput(f"{word!r} is no project's name")
    with store.alone(unless=dry_run):
        state = _state(store)
        kept = {there: here for there, here in state.aliases.items() if here != local and there != remote}
        if not remote and len(kept) == len(state.aliases):
            raise NotFound(f"{local!r} has no other name", hint="`memex sync status` lists them")
        state.aliases = {**kept, remote: local} if remote else kept
        if not dry_run:
            record.save(store.layout, state)
    return {"aliases": {here: there for there, here in state.aliases.items()}, "dry_run": dry_run}


def export(store: Store, output: str | None = None, *, dry_run: bool = False) -> dict[str, Any]:
    """Write this device's generation: into the shared folder or file, or to ``output``.

    Pages, the diary and conversations travel; ``attachments_left`` counts the files beside pages that do not.
    """
    check_person(store)
    with store.alone(unless=dry_run):
        state = _state(store)
        if output is None and not state.enabled:
            raise Refused("sync is off", hint="memex sync enable DIR, or name a file: memex sync export FILE")
        if output is None:
            meeting.check_there(state.target)
        path = os.path.abspath(os.path.expanduser(output)) if output is not None else meeting.own_file(state)
        meeting.check_outside(store.layout, path)
        if output is None and path == state.target and not meeting.holds_ours(state, path):
            meeting.check_met(state, path)
        if not dry_run:
            _catch_up(store)
        shared = share.gather(store.layout, state)
        if not dry_run:
            purged.erase_drafts(store, state)
        told = share.content_print(shared)
        done = state.exported
        unchanged = (
            output is None
            and (done.get("print"), done.get("target")) == (told, state.target)
            and meeting.holds_ours(state, path)
        )
        size = 0
        if not dry_run and not unchanged:
            _save(store, state)  # before others see its counts, so that they are never given twice
            size = archive.write(path, shared.manifest, shared.files(store.layout))
        if not dry_run:
            if output is None and not unchanged:
                state.exported = {
                    "print": told,
                    "target": state.target,
                    "at": shared.manifest["at"],
                    "stat": meeting.stat_of(path),
                }
                meeting.clear_earlier_names(state, path)
            _save(store, state)
    here = [one for one in shared.manifest["pages"].values() if one["life"] == HERE]
    return {
        "file": path,
        "exported": not dry_run and not unchanged,
        "unchanged": unchanged,
        "pages": len(here),
        "tombstones": len(shared.manifest["pages"]) - len(here),
        "sessions": len(shared.manifest["sessions"]),
        "attachments_left": len(scan(store.layout).assets),
        "size_bytes": size,
        "dry_run": dry_run,
    }


def import_(store: Store, source: str | None = None, *, dry_run: bool = False) -> dict[str, Any]:
    """Take in what the other devices have told, each device's archive whole or not at all.

    ``source`` is an archive or a folder of them, by default the shared one. Every hash of an archive is
    checked before anything is done; its pages are one act of the journal,
    which ``revert`` with ``group`` takes back.
    """
    check_person(store)
    named = os.path.abspath(os.path.expanduser(source)) if source is not None else ""
    state = record.load(store.layout)
    if not named and not state.enabled:
        raise Refused("sync is off", hint="memex sync enable DIR, or name a file: memex sync import FILE")
    target = named or state.target
    done: dict[str, Any] = {"devices": [], "refused": [], "warnings": []}
    alone = bool(named) and not os.path.isdir(target)
    for file in [target] if alone else meeting.archives(target):
        if not alone and meeting.holds_ours(state, file):
            continue
        try:
            with opened(file) as generation, store.alone(unless=dry_run):
                one = _take_in(store, generation, alone, dry_run, done["warnings"])
                if one is not None:
                    done["devices"].append(one)
        except MemexError as error:
            if alone:
                raise
            done["refused"].append({"file": file, "reason": error.message})
    for kind in ("added", "changed", "deleted", "conflicts"):
        done[kind] = sum(len(one[kind]) for one in done["devices"])
    return {**done, "dry_run": dry_run}


def _take_in(
    store: Store, generation: Generation, alone: bool, dry_run: bool, warnings: list[str]
) -> dict[str, Any] | None:
    """Import one generation; None for this device's own, which ``alone`` refuses."""
    state = _state(store)
    if generation.device == state.device:
        if generation.number <= state.count:
            if alone:
                raise Refused(f"{generation.file} is this device's own", hint="import another device's")
            return None
        state.rename_device()  # this store was set back to an earlier day: its counts were given before
    if not dry_run:
        _catch_up(store)
    barred = _newly_excluded(store, generation)
    made, added, struck, talks = _news(store, state, generation)
    if barred and not dry_run:  # all of the archive is known to be sound by now
        _exclude(store, barred)
        made, added, struck, talks = _news(store, state, generation)
    warnings += made.warnings
    if not dry_run:
        purged.erase_drafts(store, state)
        _carry_out(store, state, generation, made)
        days.apply(store.layout, added, struck)
        conversations.apply(store.layout, talks)
        state.struck |= set(generation.manifest["struck"])
        days.observe(store.layout, state)
        conversations.observe(store.layout, state)
        told_at = clock.stamp()
        newest = max(generation.number, state.peers.get(generation.device, {}).get("count", 0))
        state.peers[generation.device] = {"name": generation.name, "count": newest, "at": told_at}
        state.imported_at = told_at
        _save(store, state)
        store.look_again()
    return {
        "device": generation.device,
        "name": generation.name,
        "label": state.labels({generation.device: generation.name})[generation.device],
        "file": generation.file,
        "exported": generation.manifest["at"],
        "added": made.added,
        "changed": made.changed,
        "deleted": made.deleted,
        "conflicts": [one._asdict() for one in made.conflicts],
        "purged": len(made.purged),
        "diary": len(added),
        "diary_struck": len(struck),
        "sessions": [{"session_id": one.session, "new_turns": one.new} for one in talks],
        "excluded": sorted(barred),
    }


def _carry_out(store: Store, state: State, generation: Generation, made: Plan) -> None:
    told = purged.erasure_of(store, state, generation.name, made) if made.purged else None
    with unfinished.act(store.layout, unfinished.PURGE, told._asdict()) if told else nullcontext():
        if made.edits:
            detail = {"device": generation.device, "name": generation.name, "conflicts": len(made.conflicts)}
            # What was written on the other device was scrubbed there; what a person keeps by hand is theirs.
            as_it_is = Scrubber(on=False)
            store.commit(made.edits, action="sync", item=generation.name, detail=detail, scrubber=as_it_is)
        if told:
            from memex_core.actions.history.erasing import erase_from_index

            erasure.carry_out(store.layout, told, store.actor)
            erase_from_index(store)
    state.pages = made.pages


def _catch_up(store: Store) -> None:
    """Have outside edits in the journal before others' changes come on top, and before it is emptied."""
    unfinished.sweep(store.layout)
    store.look_again()
    store.index.total()


def _news(
    store: Store, state: State, generation: Generation
) -> tuple[Plan, list[DiaryEntry], list[DiaryEntry], list[conversations.Fresh]]:
    """What they have that is not here: of pages, of the diary (to add, to take out), of conversations."""
    observe(store.layout, state)
    entries = days.observe(store.layout, state)
    conversations.observe(store.layout, state)
    made = plan(store.layout, state, generation)
    added, struck = days.differences(entries, state, _diary(generation), generation.manifest["struck"])
    talks = conversations.news(store.layout, state, generation, Naming.inward(state.aliases))
    return made, added, struck, talks


def _newly_excluded(store: Store, generation: Generation) -> dict[str, str]:
    """The conversations that another device excluded and this one has not: id -> why."""
    from memex_core.files.exclusion import excluded_sessions
    from memex_core.files.transcripts import check_session_id

    told = generation.manifest["excluded"]
    try:
        wanted = {check_session_id(session): str(why) for session, why in sorted(told.items())}
    except BadInput as error:
        raise Damaged(f"{generation.file}: {error.message}", hint="nothing was changed") from None
    known = excluded_sessions(store.layout)
    return {session: why for session, why in wanted.items() if session not in known}


def _exclude(store: Store, barred: dict[str, str]) -> None:
    """Erase these conversations, with what was learnt from them."""
    from memex_core.actions.conversations.erasing import exclude

    for session, why in barred.items():
        exclude(store, session, why)
    store.look_again()


def _diary(generation: Generation) -> list[DiaryEntry]:
    try:
        lines = generation.blob(generation.manifest["diary"]).decode().splitlines()
        return [days.of_json(json.loads(line)) for line in lines]
    except (KeyError, TypeError, ValueError) as error:
        raise Damaged(
            f"{generation.file}: its diary is damaged ({error})", hint="nothing was changed"
        ) from None


def _state(store: Store) -> State:
    """The state; as a new device's where the store was brought back from a backup since."""
    state = record.load(store.layout)
    for event in store.journal.read(reverse=True, after=state.seq, holding=(b'"archive": true',)):
        if state.seq and event["action"] == "restore":
            state.rename_device()
            break
    path = meeting.own_file(state) if state.enabled else ""
    if path and os.path.isfile(path) and not meeting.holds_ours(state, path):
        device, count = meeting.holder(path)
        if device == state.device and count > state.count:
            state.rename_device()
    return state


def _save(store: Store, state: State) -> None:
    store.layout.ensure_state()
    state.seq = store.journal.last_seq()
    record.save(store.layout, state)


def check_person(store: Store) -> None:
    """Raises Refused for an agent."""
    if is_agent(store.actor):
        raise Refused("only a person syncs", hint="memex sync, on a command line")
