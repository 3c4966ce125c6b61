"""Sync between a person's devices: turn it on, tell the others what is new here, take in what they tell."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

from memex_core.care.sync import archive, conversations, days, meeting, record, share
from memex_core.care.sync.archive import Generation, opened
from memex_core.care.sync.conflict import page_of
from memex_core.care.sync.naming import Naming
from memex_core.care.sync.observe import ident_of, observe
from memex_core.care.sync.plan import Plan, plan
from memex_core.care.sync.record import HERE, PURGED, State
from memex_core.files.diary import DiaryEntry
from memex_core.files.scrubbing import Scrubber
from memex_core.model import clock
from memex_core.model.actor import is_agent
from memex_core.model.errors import BadInput, Damaged, MemexError, Refused

if TYPE_CHECKING:
    from memex_core.actions.store import Store
    from memex_core.model.results import Event


def enable(store: Store, target: str, *, name: str = "", dry_run: bool = False) -> dict[str, Any]:
    """Meet the other devices at ``target``, a folder or one archive file, once it is proved that it can be
    written. ``name`` is what the others call this device."""
    _check_person(store)
    path = os.path.abspath(os.path.expanduser(target))
    meeting.check_outside(store.layout, path)
    single = os.path.isfile(path) or (path.endswith(archive.SUFFIX) and not os.path.isdir(path))
    folder = os.path.dirname(path) if single else path
    if not os.path.isdir(os.path.dirname(path)):
        raise Refused(f"there is no folder {os.path.dirname(path)}", hint="is the drive mounted?")
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
        "dry_run": dry_run,
    }


def disable(store: Store, *, dry_run: bool = False) -> dict[str, Any]:
    """Sync no more. What is known of the other devices stays, and so does what lies in the folder."""
    _check_person(store)
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
    _check_person(store)
    for word in filter(None, (local, remote)):
        if "/" in word or "\\" in word or word.startswith(".") or not word.strip():
            raise BadInput(f"{word!r} is no project's name")
    with store.alone(unless=dry_run):
        state = _state(store)
        kept = {there: here for there, here in state.aliases.items() if here != local and there != remote}
        if not remote and len(kept) == len(state.aliases):
            raise BadInput(f"{local!r} has no other name", hint="`memex sync status` lists them")
        state.aliases = {**kept, remote: local} if remote else kept
        if not dry_run:
            record.save(store.layout, state)
    return {"aliases": {here: there for there, here in state.aliases.items()}, "dry_run": dry_run}


def status(store: Store) -> dict[str, Any]:
    """Whether sync is on, what waits to be told, and what is known of the other devices."""
    state = record.load(store.layout)
    known = {
        device: {"device": device, "name": told["name"], "imported": told["at"], "new": False, "file": ""}
        for device, told in state.peers.items()
    }
    problems = []
    for file in meeting.archives(state.target) if state.enabled else ():
        try:
            with opened(file) as found:
                if found.device != state.device:
                    seen = state.peers.get(found.device, {}).get("count", -1)
                    one = {"device": found.device, "name": found.name, "imported": ""}
                    known[found.device] = {
                        **known.get(found.device, one),
                        "new": found.number > seen,
                        "file": file,
                        "exported": found.manifest["at"],
                    }
        except MemexError as error:
            problems.append({"file": file, "reason": error.message})
    was = (state.exported.get("print"), state.exported.get("target"))
    shared = share.gather(store.layout, state)
    return {
        "enabled": state.enabled,
        "target": state.target,
        "device": state.device,
        "name": state.name,
        "pages": sum(1 for one in state.pages.values() if one.life == HERE),
        "unexported": state.enabled and was != (share.content_print(shared), state.target),
        "exported": state.exported.get("at", ""),
        "imported": state.imported_at,
        "devices": sorted(known.values(), key=lambda one: (str(one["name"]), str(one["device"]))),
        "problems": problems,
        "aliases": {here: there for there, here in state.aliases.items()},
    }


def export(store: Store, output: str | None = None, *, dry_run: bool = False) -> dict[str, Any]:
    """Write this device's generation: into the shared folder or file, or to ``output``."""
    _check_person(store)
    with store.alone(unless=dry_run):
        state = _state(store)
        if output is None and not state.enabled:
            raise Refused("sync is off", hint="memex sync enable DIR, or name a file: memex sync export FILE")
        path = os.path.abspath(os.path.expanduser(output)) if output is not None else meeting.own_file(state)
        meeting.check_outside(store.layout, path)
        if output is None and path == state.target and not meeting.holds_ours(state, path):
            meeting.check_met(state, path)
        if not dry_run:
            _catch_up(store)
        shared = share.gather(store.layout, state)
        if not dry_run:
            _erase_drafts(store, state)
        told = share.content_print(shared)
        done = state.exported
        unchanged = (
            output is None
            and (done.get("print"), done.get("target")) == (told, state.target)
            and meeting.holds_ours(state, path)
        )
        size = 0
        if not dry_run and not unchanged:
            size = archive.write(path, shared.manifest, shared.files(store.layout))
        if not dry_run:
            if output is None and not unchanged:
                state.exported = {
                    "print": told,
                    "target": state.target,
                    "at": shared.manifest["at"],
                    "stat": meeting.stat_of(path),
                }
            _save(store, state)
    here = [one for one in shared.manifest["pages"].values() if one["life"] == HERE]
    return {
        "file": path,
        "exported": not dry_run and not unchanged,
        "unchanged": unchanged,
        "pages": len(here),
        "tombstones": len(shared.manifest["pages"]) - len(here),
        "sessions": len(shared.manifest["sessions"]),
        "size_bytes": size,
        "dry_run": dry_run,
    }


def import_(store: Store, source: str | None = None, *, dry_run: bool = False) -> dict[str, Any]:
    """Take in what the other devices have told, each device's archive whole or not at all.

    ``source`` is an archive or a folder of them, by default the shared one. Every hash of an archive is
    checked before anything is done; its pages are one act of the journal, which ``revert`` takes back.
    """
    _check_person(store)
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
        _erase_drafts(store, state)
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
    if made.edits:
        detail = {"device": generation.device, "name": generation.name, "conflicts": len(made.conflicts)}
        # What was written on the other device was scrubbed there; what a person keeps by hand is theirs.
        as_it_is = Scrubber(on=False)
        store.commit(made.edits, action="sync", item=generation.name, detail=detail, scrubber=as_it_is)
    if made.purged:
        _erase(store, made.purged)
    state.pages = made.pages


def _catch_up(store: Store) -> None:
    """Have outside edits in the journal before others' changes come on top, and before it is emptied."""
    store.look_again()
    store.index.total()


def _erase(store: Store, purged: dict[str, str]) -> None:
    """Take the text of purged pages out of the journal and the index; keys with their last paths."""
    from memex_core.actions.embed import erase_gone
    from memex_core.actions.history import events_of

    events = _events_about(store, set(purged))
    for key, path in purged.items():
        if key.startswith("path:") and path:
            events += events_of(store, path)
    _empty(store, events)
    store.index.rebuild()  # deleted rows leave their words in its file until their space is used again
    erase_gone(store)


def _erase_drafts(store: Store, state: State) -> None:
    """Pages that were purged on this device since the last look leave no other text of theirs behind."""
    fresh = {key for key, one in state.pages.items() if one.life == PURGED and one.raw}
    if fresh:
        _empty(store, _events_about(store, fresh))
    for key in fresh:
        state.pages[key].raw, state.pages[key].past = "", []


def _events_about(store: Store, keys: set[str]) -> list[Event]:
    """The journal's events that hold a text of these pages, or of a draft made of one."""
    from memex_core.files.journal import bytes_before

    names = {key.removeprefix("id:") for key in keys if key.startswith("id:")}
    found = []
    for event in store.journal.read(holding=tuple(name.encode() for name in names)) if names else ():
        before = bytes_before(event)
        if before is not None and {ident_of(before), page_of(before).removeprefix("id:")} & names:
            found.append(event)
    return found


def _empty(store: Store, events: list[Event]) -> None:
    if events:
        seqs = {event["seq"] for event in events}
        store.journal.rewrite_without({event["file"] for event in events}, seqs)


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
    from memex_core.actions.erasing import exclude

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


def _check_person(store: Store) -> None:
    if is_agent(store.actor):
        raise Refused("only a person syncs", hint="memex sync, on a command line")
