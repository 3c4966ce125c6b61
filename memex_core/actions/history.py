"""What happened to a page, what it said before, and how to go back."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING, Any

from memex_core.actions.store import Store
from memex_core.files.atomic import digest
from memex_core.files.commit import Edit
from memex_core.files.journal import bytes_before
from memex_core.model.errors import Conflict, NotFound

if TYPE_CHECKING:
    from memex_core.model.results import Event


def page_path(store: Store, slug: str, scope: str | None = None, project: str | None = None) -> str:
    """The page's path; one that was removed is found by its last name in the journal."""
    try:
        return store.find(slug, scope=scope, project=project).path
    except NotFound:
        for event in store.journal.read(reverse=True):
            if slug in (event["item"], event["file"]):
                return event["file"]
        raise


def events_of(store: Store, path: str) -> list[Event]:
    """The journal's events of one page, oldest first, followed back through its renames.

    What another page did under the same name, before it moved away, is not this page's, and neither is what
    joined the diary: its files have names of the same form.
    """
    found: list[Event] = []
    here = path
    for event in store.journal.read(reverse=True):
        if event["action"] in ("recall", "diary"):
            continue
        if event["file"] == here:
            found.append(event)
            here = event["detail"].get("from", here)
        elif event["detail"].get("from") == here:
            break
    return found[::-1]


def history(
    store: Store, slug: str, *, limit: int = 50, scope: str | None = None, project: str | None = None
) -> dict[str, Any]:
    """``{slug, path, events: [{seq, ts, action, actor, detail, size}]}``, newest first."""
    path = page_path(store, slug, scope, project)
    rows = []
    for event in reversed(events_of(store, path)):
        before = bytes_before(event)
        rows.append(
            {
                "seq": event["seq"],
                "ts": event["ts"],
                "action": event["action"],
                "actor": event["actor"],
                "file": event["file"],
                "detail": {k: v for k, v in event["detail"].items() if k != "after"},
                "size_before": None if before is None else len(before),
            }
        )
    return {"slug": slug, "path": path, "events": rows[:limit], "total": len(rows)}


def version(store: Store, path: str, events: list[Event], seq: int) -> bytes:
    """The page as it was right after event ``seq``; ``seq`` just below its first event is before it."""
    later = [event for event in events if event["seq"] > seq]
    if not later:
        return store.read_bytes(path)
    before = bytes_before(later[0])
    if before is None:
        raise NotFound(
            f"the journal holds no text of {path} at {seq}", hint="`memex history` lists the versions"
        )
    return before


def diff(
    store: Store,
    slug: str,
    old: int | None = None,
    new: int | None = None,
    *,
    scope: str | None = None,
    project: str | None = None,
) -> dict[str, Any]:
    """A unified diff: of the last change, from a version to now, or between two versions."""
    path = page_path(store, slug, scope, project)
    events = events_of(store, path)
    if not events:
        return {"slug": slug, "path": path, "from": None, "to": None, "diff": ""}
    if old is None:
        found = outside(events) or (len(events) - 1, bytes_before(events[-1]) or b"")
        was, label = found[1], f"{events[found[0]]['seq'] - 1}"
    else:
        check_seq(events, old, path)
        was, label = version(store, path, events, old), str(old)
    if new is None:
        now, other = current(store, path) or b"", "now"
    else:
        check_seq(events, new, path)
        now, other = version(store, path, events, new), str(new)
    lines = difflib.unified_diff(
        was.decode("utf-8", "replace").split("\n"),
        now.decode("utf-8", "replace").split("\n"),
        f"{path} @{label}",
        f"{path} @{other}",
        lineterm="",
    )
    return {"slug": slug, "path": path, "from": label, "to": other, "diff": "\n".join(lines)}


def check_seq(events: list[Event], seq: int, path: str) -> None:
    known = [event["seq"] for event in events]
    if seq not in known and seq != known[0] - 1:
        raise NotFound(f"{seq} is no version of {path}", hint=f"versions: {', '.join(map(str, known[-12:]))}")


def revert(
    store: Store,
    slug: str,
    *,
    to: int | None = None,
    scope: str | None = None,
    project: str | None = None,
    dry_run: bool = False,
) -> dict[str, Any]:
    """Take back the page's last change, with every file that the same act touched; or, with ``to``,
    give the page the text it had right after that event."""
    path = page_path(store, slug, scope, project)
    events = events_of(store, path)
    if not events:
        raise NotFound(
            f"the journal knows no change of {path}", hint="only changes made through memex can be undone"
        )
    if to is not None:
        check_seq(events, to, path)
        edits = [_to_version(store, path, events, to)]
        note: dict[str, Any] = {"to": to}
    else:
        last = events[-1]
        group = last["detail"].get("group", last["seq"])
        if last["action"] == "hand":
            edits = [_undo_outside(store, events)]
        else:
            same = [e for e in store.journal.read(after=group - 1) if e["detail"].get("group") == group]
            edits = [undo(store, event) for event in reversed(same)]
        note = {"reverted": group}
    edits = [edit for edit in edits if edit.before != edit.after or edit.moved_from]
    if edits and not dry_run:
        store.commit(edits, action="restore", item=slug, detail=note)
    return {
        "slug": slug,
        "reverted": bool(edits),
        "files": [edit.path for edit in edits],
        "removed": [edit.path for edit in edits if edit.after is None],
        "dry_run": dry_run,
        **note,
    }


def outside(events: list[Event]) -> tuple[int, bytes] | None:
    """Of the edits made outside memex that ``events`` end in: where they begin, and the text before them.

    Edits in quick succession count as one, of which the first keeps the text. None when none is known.
    """
    for at in range(len(events) - 1, -1, -1):
        event = events[at]
        before = bytes_before(event)
        if event["action"] != "hand":
            return None
        if before is not None or event["detail"].get("what") != "changed":
            return None if before is None else (at, before)
    return None


def _undo_outside(store: Store, events: list[Event]) -> Edit:
    """The edit that takes back what was done outside memex last."""
    last, found = events[-1], outside(events)
    if found is None:
        raise Conflict(
            f"{last['file']} was {last['detail'].get('what') or 'changed'} outside memex, "
            "and no text from before is kept",
            hint="`memex history` lists the versions; --to takes one of them",
        )
    return undo(store, {**last, "before": events[found[0]]["before"]})


def undo(store: Store, event: Event) -> Edit:
    """The edit that takes an event back. Conflict when the file is no longer what the event left."""
    path, moved_from = event["file"], event["detail"].get("from", "")
    old = bytes_before(event)
    now = current(store, path)
    left = event["detail"].get("after")
    if event["before"] and old is None:
        raise NotFound(f"the text of {path} before {event['seq']} was purged", hint="it cannot come back")
    if (digest(now) if now is not None else None) != left:
        raise Conflict(
            f"{path} changed after event {event['seq']}",
            hint=f"`memex revert --to {event['seq'] - 1}` takes that text",
        )
    if moved_from:
        return Edit(moved_from, now, old, moved_from=path)
    return Edit(path, now, old)


def _to_version(store: Store, path: str, events: list[Event], seq: int) -> Edit:
    return Edit(path, current(store, path), version(store, path, events, seq))


def current(store: Store, path: str) -> bytes | None:
    try:
        return store.read_bytes(path)
    except NotFound:
        return None
