"""What happened to a page, what it said before, and how to go back."""

from __future__ import annotations

import difflib
from shlex import quote
from typing import TYPE_CHECKING, Any

from memex_core.actions.conversations import replaced
from memex_core.actions.store import Store
from memex_core.files.atomic import digest
from memex_core.files.commit import Edit
from memex_core.files.journal import bytes_before
from memex_core.files.trail import trail
from memex_core.model.errors import Conflict, NotFound
from memex_core.model.identity import name_of
from memex_core.model.slug import slugify

if TYPE_CHECKING:
    from collections.abc import Iterable

    from memex_core.model.results import Event

_NO_CHANGES = ("recall", "diary")
"""Events that name a file and change no page."""

_MANY = ("import", "decay", "tag", "many")
"""What the events of an act on many pages tell, of which each can be undone alone."""


def page_path(store: Store, slug: str, scope: str | None = None, project: str | None = None) -> str:
    """The page's path; one that was removed or renamed is found in the journal by the name of its file."""
    return page_of(store, slug, scope, project)[0]


def page_of(store: Store, slug: str, scope: str | None = None, project: str | None = None) -> tuple[str, str]:
    """The page's path, and the one it had under this name when no page is called so any more."""
    try:
        return store.find(slug, scope=scope, project=project).path, ""
    except NotFound:
        later: list[Event] = []
        for event in store.journal.read(reverse=True):
            if event["action"] in _NO_CHANGES:
                continue
            for was in (event["file"], event["detail"].get("from", "")):
                if _is_called(was, slug) and _is_of(store, was, event, scope, project):
                    here = _followed(event["file"], reversed(later))
                    return here, was if was != here else ""
            later.append({**event, "before": None})
        raise


def _is_called(path: str, name: str) -> bool:
    """Whether ``name`` is this file or its slug. What an event is about (its ``item``) is no name: it may be
    the page that others were changed for, a device or a conversation."""
    if not path.lower().endswith((".md", ".canvas")):
        return False  # not of the page folder: a transcript, or no file at all
    return name == path or slugify(path.rpartition("/")[2].removesuffix(".md")) == name


def _is_of(store: Store, path: str, event: Event, scope: str | None, project: str | None) -> bool:
    """Whether the page of an event was of this scope, and of the project of this id or name."""
    if scope is None and not project:
        return True
    data = bytes_before(event) or current(store, event["file"])
    if data is None:
        return False
    page = store.page(path, data)
    names = (page.project.casefold(), name_of(page.project).casefold())
    return scope in (None, page.scope) and (not project or project.strip().casefold() in names)


def _followed(path: str, events: Iterable[Event]) -> str:
    """Where the page at ``path`` was moved by ``events``, the oldest first, until it was removed."""
    for event in events:
        if event["detail"].get("from") == path:
            path = event["file"]
        elif event["file"] == path and event["detail"].get("after", "") is None:
            break
    return path


def events_of(store: Store, path: str) -> list[Event]:
    """The journal's events of one page, oldest first, followed back through its renames.

    What another page did under the same name, before it moved away, is not this page's, and neither is what
    joined the diary: its files have names of the same form.
    """
    return [*trail(store.journal, path, but=_NO_CHANGES)][::-1]


def history(
    store: Store, slug: str, *, limit: int = 50, scope: str | None = None, project: str | None = None
) -> dict[str, Any]:
    """``{slug, path, was, events: [{seq, ts, action, actor, detail, size}]}``, newest first.

    ``was`` is the path that the page had under this name, when it has another now.
    """
    path, was = page_of(store, slug, scope, project)
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
    return {"slug": slug, "path": path, "was": was, "events": rows[:limit], "total": len(rows)}


def version(store: Store, path: str, events: list[Event], seq: int) -> bytes:
    """The page as it was right after event ``seq``; ``seq`` just below its first event is before it."""
    later = [event for event in events if event["seq"] > seq]
    if not later:
        return store.read_bytes(path)
    before = bytes_before(later[0])
    if before is None:
        raise NotFound(
            f"the journal holds no text of {path} at {seq}",
            hint=f"`memex history {quote(path)}` lists the versions",
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
    for seq in (old, new):
        if seq is not None:
            check_seq(events, seq, path)
    if not events:
        return {"slug": slug, "path": path, "from": None, "to": None, "diff": ""}
    if old is None:
        found = outside(events) or (len(events) - 1, bytes_before(events[-1]) or b"")
        was, label = found[1], f"{events[found[0]]['seq'] - 1}"
    else:
        was, label = version(store, path, events, old), str(old)
    if new is None:
        now, other = current(store, path) or b"", "now"
    else:
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
    if seq not in known and [seq + 1] != known[:1]:
        there = ", ".join(map(str, known[-12:])) or "none but the present one"
        raise NotFound(f"{seq} is no version of {path}", hint=f"versions: {there}")


def revert(
    store: Store,
    slug: str,
    *,
    to: int | None = None,
    group: bool = False,
    scope: str | None = None,
    project: str | None = None,
    dry_run: bool = False,
) -> dict[str, Any]:
    """Take back the page's last change, or, with ``to``, give it the text that it had right after that event.

    The files of an act on one page hang together and are all taken back: a rename with its links. Of an act
    on many (an import, a sync, a decay, a tag's new name) it is this page's part, unless ``group`` asks for
    all; ``left`` says how many other pages keep theirs.
    """
    path = page_path(store, slug, scope, project)
    events = events_of(store, path)
    if not events:
        raise NotFound(
            f"the journal knows no change of {path}", hint="only changes made through memex can be undone"
        )
    talk = None if to is not None else _replaced(store, path, events[-1])
    left = 0
    if to is not None:
        check_seq(events, to, path)
        edits = [_to_version(store, path, events, to)]
        note: dict[str, Any] = {"to": to}
    else:
        last = events[-1]
        number = last["detail"].get("group", last["seq"])
        note = {"reverted": number}
        if last["action"] == "hand":
            edits = [_undo_outside(store, events)]
        else:
            same = [e for e in store.journal.read(after=number - 1) if e["detail"].get("group") == number]
            if len(same) > 1 and _on_many(last):
                own = [event for event in events if event["seq"] >= number]
                left = 0 if group else len(same) - len(own)
                same = same if group else own
                note |= {"many": True} if group else {}
            edits = [undo(store, event) for event in reversed(same)]
    edits = [edit for edit in edits if edit.before != edit.after or edit.moved_from]
    if edits and not dry_run:
        store.commit(edits, action="restore", item=slug, detail=note)
    if talk is not None and not dry_run:
        replaced.put_back(store, talk)
    return {
        "slug": slug,
        "reverted": bool(edits) or talk is not None,
        "files": [edit.path for edit in edits] + ([talk["file"]] if talk is not None else []),
        "removed": [edit.path for edit in edits if edit.after is None],
        "left": left,
        "dry_run": dry_run,
        **{key: value for key, value in note.items() if key != "many"},
    }


def _on_many(event: Event) -> bool:
    return event["action"] == "sync" or any(key in event["detail"] for key in _MANY)


def _replaced(store: Store, path: str, last: Event) -> Event | None:
    """The replacing of the conversation that an episode page tells of, when nothing came after it."""
    data = current(store, path)
    page = store.page(path, data) if data is not None else None
    session = page.session_id if page is not None and page.type == "episode" else ""
    return replaced.last(store, session, last["seq"])


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
            hint=f"`memex history {quote(last['file'])}` lists the versions; revert --to takes one of them",
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
    if now == old and not moved_from:
        return Edit(path, now, old)  # it was taken back already
    if (digest(now) if now is not None else None) != left:
        raise Conflict(
            f"{path} changed after event {event['seq']}; nothing was undone", hint=_way_back(store, event)
        )
    if moved_from:
        return Edit(moved_from, now, old, moved_from=path)
    return Edit(path, now, old)


def _way_back(store: Store, event: Event) -> str:
    """What to do about a page that changed after an event which is to be undone."""
    path, seq = event["file"], event["seq"]
    numbers = [one["seq"] for one in events_of(store, page_path(store, path))]
    if seq in numbers[:-1]:
        return f"`memex revert {quote(path)} --to {seq}` takes its later changes back; then try again"
    return f"`memex history {quote(path)}` lists its versions; revert --to takes one of them"


def _to_version(store: Store, path: str, events: list[Event], seq: int) -> Edit:
    return Edit(path, current(store, path), version(store, path, events, seq))


def current(store: Store, path: str) -> bytes | None:
    try:
        return store.read_bytes(path)
    except NotFound:
        return None
