"""Looking at the user's rules of extraction and changing them: what the command line and the app do."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from typing import Any

from memex_core.actions.learning.keeping_out import texts_of
from memex_core.actions.store import Store
from memex_core.learn.extract_rules import DOCUMENT, Checker, Text, load, prompt_clause
from memex_core.learn.extract_rules.document import KEYS, Entry, entry_of, read, why_refused
from memex_core.learn.extract_rules.editing import HEAD, with_entry, without_entry
from memex_core.model.actor import is_agent
from memex_core.model.errors import BadInput, NotFound, Refused
from memex_core.model.identity import same_project
from memex_core.recall.gate import history, quarantine
from memex_core.recall.gate.adding import check_new
from memex_core.recall.gate.changing import Changed, change
from memex_core.recall.gate.overlay import pattern_of
from memex_core.recall.gate.probe import too_slow


def show(store: Store, project: str = "") -> dict[str, Any]:
    """The rules in force (of one project with ``project``), and what they tell a model."""
    rules = load(store.layout)
    aside = {row["hash"] for row in quarantine.read(store.layout, "extract")}
    entries = rules.entries
    if project:
        entries = tuple(entry for kind in KEYS for entry in rules.of(kind, project))
    return {
        "file": DOCUMENT.file(store.layout),
        "exists": bool(rules.revision),
        "applied": not rules.problems,
        "revision": rules.revision,
        "version": rules.version,
        "rules": [_row(entry, aside) for entry in entries],
        "clause": prompt_clause(rules, project),
        "quarantine": quarantine.read(store.layout, "extract"),
        "history": [one._asdict() for one in history.snapshots(store.layout, "extract")],
        "warnings": [f"nothing is extracted: {problem}" for problem in rules.problems],
    }


def _row(entry: Entry, aside: set[str]) -> dict[str, Any]:
    state = "set aside" if entry.kind == "never" and entry.hash in aside else "on"
    row = {"id": entry.id, "kind": entry.kind, "says": entry.said, "project": entry.project, "state": state}
    if entry.kind == "never":
        row |= {"flags": entry.flags, "scope": entry.scope, "note": entry.note}
    return row


def validate(store: Store, file: str | None = None) -> dict[str, Any]:
    """Whether a file of rules is sound: ``{file, exists, ok, problems, rules, slow}``."""
    path = os.path.abspath(os.path.expanduser(file)) if file else DOCUMENT.file(store.layout)
    try:
        with open(path, "rb") as opened:
            data: bytes | None = opened.read()
    except FileNotFoundError:
        if file:
            raise NotFound(f"there is no file {file}", hint="name a file of rules") from None
        data = None
    except OSError as error:
        raise BadInput(f"{path} cannot be read ({(error.strerror or 'unknown').lower()})") from error
    entries, problems = read(data or b"", path)
    slow = [why for entry in entries if entry.kind == "never" and (why := _slow(entry))]
    told = [*map(str, problems), *slow, *([] if file else _aside(store, entries))]
    return {"file": path, "exists": data is not None, "ok": not told, "problems": told, "rules": len(entries)}


def _aside(store: Store, entries: list[Entry]) -> list[str]:
    """The bans in force that are set aside: until somebody decides on them, no machine stores anything."""
    hashes = {row["hash"] for row in quarantine.read(store.layout, "extract")}
    return [
        f"{entry.id}: set aside for taking too long: change it, or `memex rules quarantine clear`"
        for entry in entries
        if entry.kind == "never" and entry.hash in hashes
    ]


def add(
    store: Store,
    kind: str,
    said: str,
    *,
    scope: str = "both",
    flags: str = "i",
    note: str = "",
    project: str = "",
    expect: str | None = None,
    dry_run: bool = False,
) -> dict[str, Any]:
    """Add a rule. BadInput for what is none, Refused for one that is too slow or there already."""
    if kind not in KEYS:
        raise BadInput(f"{kind!r} is no kind of rule", hint=f"one of {', '.join(KEYS)}")
    ban = {"flags": flags, "scope": scope, "note": " ".join(note.split())} if kind == "never" else {}
    entry = entry_of(kind, said if kind == "never" else said.strip(), project=project.strip(), **ban)
    check_new(
        store.scrubber(),
        f"{said}\n{note}",
        why_refused(entry),
        "`memex rules add --help` says what a rule is",
        lambda: _slow(entry) if kind == "never" else "",
    )
    file = DOCUMENT.file(store.layout)

    def make(data: bytes) -> bytes:
        if any(known.id == entry.id for known in read(data, file, tried=False)[0]):
            raise Refused(f"that rule is there already: {entry.id}", hint="`memex rules show` lists them")
        return with_entry(data or HEAD.encode(), entry, file)

    return _told(store, make, expect, dry_run, id=entry.id)


def _slow(entry: Entry) -> str:
    why = too_slow(pattern_of("memory", entry.said, entry.flags))
    return f"{entry.id}: {why}" if why else ""


def remove(store: Store, id: str, *, expect: str | None = None, dry_run: bool = False) -> dict[str, Any]:
    """Take a rule out of the file. NotFound for an unknown id."""
    file = DOCUMENT.file(store.layout)

    def make(data: bytes) -> bytes:
        after = without_entry(data, id, file)
        if after == data:
            raise NotFound(f"no rule has the id {id!r}", hint="`memex rules show` lists them")
        return after

    return _told(store, make, expect, dry_run, id=id)


def reset(store: Store, *, expect: str | None = None, dry_run: bool = False) -> dict[str, Any]:
    """Give all rules of extraction up; the file as it was is kept for ``rollback``."""
    empty = HEAD.encode()
    return _told(store, lambda data: empty if data else data, expect, dry_run, sound=False)


def rollback(
    store: Store, *, to: int | None = None, expect: str | None = None, dry_run: bool = False
) -> dict[str, Any]:
    """Put a kept state of the file back, by default the one that was replaced last."""
    kept = history.snapshots(store.layout, "extract")
    if not kept:
        raise NotFound(
            "the rules of extraction were never changed here", hint="there is nothing to go back to"
        )
    number = kept[0].number if to is None else to
    data = history.read(store.layout, number, "extract")
    return _told(store, lambda _: data, expect, dry_run, sound=False, to=number)


def set_aside(
    store: Store,
    action: str | None = None,
    id: str | None = None,
    *,
    all: bool = False,
    dry_run: bool = False,
) -> dict[str, Any]:
    """The bans that took too long; with ``action`` "clear" one or all of them may try again."""
    if action not in (None, "clear"):
        raise BadInput(f"{action!r} is no action on the quarantine", hint="clear")
    cleared: list[str] = []
    if action == "clear":
        _check_person(store)
        if bool(id) == all:
            raise BadInput("which rule is to be released?", hint="give its id, or --all")
        cleared = quarantine.clear(store.layout, id or None, dry_run=dry_run, overlay="extract")
        if id and not cleared:
            raise NotFound(f"{id!r} is not in quarantine", hint="`memex rules quarantine` lists what is")
    rows = quarantine.read(store.layout, "extract")
    return {"quarantine": rows, "cleared": cleared, "dry_run": dry_run}


def tried(
    store: Store,
    *,
    limit: int = 200,
    project: str = "",
    progress: Callable[[int, int], None] | None = None,
) -> dict[str, Any]:
    """What the bans would keep out of a machine's hands among stored pages and the newest ``limit`` turns.

    Nothing is changed. ``held`` says why nothing could be told. What topics, hints and language do is a
    model's business and not measured: ``unmeasured`` counts them.
    """
    rules = load(store.layout)
    found: dict[str, Any] = {"pages": [], "turns": [], "pages_checked": 0, "turns_checked": 0, "held": ""}
    with Checker(rules) as checker:
        paths = store.index.paths()
        for number, path in enumerate(paths, 1):
            page = store.page(path)
            if project and not same_project(project, page.project):
                continue
            found["pages_checked"] += 1
            verdict = checker.check(texts_of(store, page), project=page.project)
            if verdict.held:
                return _tested(found, rules.entries, verdict.held)
            if verdict.blocked:
                ids = [ban.id for ban in verdict.blocked]
                found["pages"].append({"slug": page.slug, "path": path, "title": page.title, "rules": ids})
            if progress is not None:
                progress(number, len(paths))
        for session, turn, where, text in _newest_turns(store, limit, project):
            found["turns_checked"] += 1
            verdict = checker.check((Text("text", text), Text("evidence", text)), project=where)
            if verdict.held:
                return _tested(found, rules.entries, verdict.held)
            if verdict.blocked:
                ids = [ban.id for ban in verdict.blocked]
                found["turns"].append({"session_id": session, "turn": turn, "rules": ids})
    return _tested(found, rules.entries, "")


def _tested(found: dict[str, Any], entries: tuple[Entry, ...], held: str) -> dict[str, Any]:
    bans = sum(entry.kind == "never" for entry in entries)
    return {**found, "bans": bans, "unmeasured": len(entries) - bans, "held": held}


def _newest_turns(store: Store, limit: int, project: str) -> Iterator[tuple[str, int, str, str]]:
    """(session, turn, its project, text) of the newest turns, session by session, each from its end."""
    from memex_core.files.sessions import list_sessions
    from memex_core.files.transcripts import iter_turns
    from memex_core.files.turns import text_of

    sessions = list_sessions(store.layout)
    sessions.sort(
        key=lambda one: (one["ended_at"] or one["started_at"] or "", one["session_id"]), reverse=True
    )
    left = limit
    for one in sessions:
        if project and not same_project(project, one["project"]):
            continue
        if left <= 0:
            return
        first = max(1, one["turn_count"] - left + 1)
        for turn in iter_turns(store.layout, one["session_id"], first):
            left -= 1
            yield one["session_id"], turn["turn"], one["project"], text_of(turn)


def _check_person(store: Store) -> None:
    """Raise Refused for an agent: nobody loosens the rules that hold himself."""
    if is_agent(store.actor):
        raise Refused(
            "an agent cannot change the rules of extraction", hint="a person does, with `memex rules`"
        )


def _told(
    store: Store,
    make: Callable[[bytes], bytes],
    expect: str | None,
    dry_run: bool,
    sound: bool = True,
    **more: Any,
) -> dict[str, Any]:
    """Make the change and say what it did; ``revision`` is what the next one may ``expect``."""
    _check_person(store)
    done: Changed = change(store.layout, make, expect=expect, dry_run=dry_run, sound=sound, of=DOCUMENT)
    return {
        **more,
        "file": DOCUMENT.file(store.layout),
        "changed": done.before != done.after,
        "was": done.before,
        "revision": done.after,
        "kept": done.kept,
        "dry_run": dry_run,
        "warnings": [] if dry_run else [str(problem) for problem in load(store.layout).problems],
    }
