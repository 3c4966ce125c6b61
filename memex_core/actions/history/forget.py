"""Letting go of pages: at once, from a day on, slowly, or for good with every trace."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memex_core.actions import terms
from memex_core.actions.history import erasing
from memex_core.actions.history.history import current, events_of
from memex_core.actions.pages.write import page_slug
from memex_core.actions.reviewing import governance, proposal
from memex_core.actions.store import Store
from memex_core.files import surgeon
from memex_core.files.atomic import digest
from memex_core.files.commit import Edit
from memex_core.files.journal import bytes_before
from memex_core.model import clock
from memex_core.model.errors import BadInput, Conflict, NotFound, Refused
from memex_core.model.page import Value

if TYPE_CHECKING:
    from memex_core.model.results import ForgetResult


MODES = ("hard", "soft", "decay", "archive")
_AT_ONCE = {
    "hard": "valid_until does not go with hard: the page is removed at once",
    "archive": "valid_until does not go with archive: the page is out of use at once",
}


def forget(
    store: Store,
    slug: str,
    *,
    mode: str = "hard",
    valid_until: Any = None,
    scope: str | None = None,
    project: str | None = None,
    expect: str | None = None,
    dry_run: bool = False,
) -> ForgetResult:
    """Forget a page. ``hard`` removes the file (``revert`` brings it back), ``soft`` ends its validity
    now or at ``valid_until``, ``decay`` one half-life from now, ``archive`` marks it deprecated.
    A validity that ends earlier than that stays as it is.

    Where the actor's writes wait for review, forgetting a page in use is proposed: ``proposed`` is the
    slug of the draft that says so. Drafts go at once.
    """
    if mode not in MODES:
        raise BadInput(f"{mode!r} is no way to forget", hint="hard, soft, decay or archive")
    if valid_until is not None:
        _check_day(mode, valid_until)
    seen = store.journal.last_seq() if governance.waits(store) else 0
    row = store.find(slug, scope=scope, project=project)
    before = store.read_bytes(row.path)
    until = terms.as_time(valid_until, "valid_until")
    if expect is not None and expect != digest(before):
        raise Conflict(
            f"{row.path} changed since you read it", hint="look at it again; nothing was forgotten"
        )
    edit, until = forgetting(store, row.path, before, mode, until)
    done: ForgetResult = {
        "slug": row.slug,
        "forgotten": True,
        "mode": mode,
        "file_path": None if mode == "hard" else store.file_path(row.path),
        "valid_until": until or None,
        "dry_run": dry_run,
    }
    if governance.waits(store) and store.page(row.path, before).status != "draft":
        slug = ""
        with store.alone(unless=dry_run):
            if not dry_run:
                store.catch_up(seen)
                slug = proposal.propose_forgetting(store, row.path, before, mode, until)
        return {**done, "forgotten": False, "file_path": store.file_path(row.path), "proposed": slug}
    if not dry_run and edit.after != before:
        action = "remove" if mode == "hard" else "status"
        store.commit([edit], action=action, item=row.slug, detail={"mode": mode})
    return done


def _check_day(mode: str, valid_until: Any) -> None:
    """Raise BadInput where a day was given that would not count."""
    if not str(valid_until).strip():
        raise BadInput("valid_until is empty", hint="leave it out, or write a day such as 2026-11-30")
    if mode in _AT_ONCE:
        raise BadInput(_AT_ONCE[mode], hint="with a day to end on, the mode is soft or decay")


def forgetting(store: Store, path: str, before: bytes, mode: str, until: str) -> tuple[Edit, str]:
    """The edit that forgets the page at ``path``, and the time from which it is out of use, if any."""
    if mode == "hard":
        return Edit(path, before, None), until
    changes: dict[str, Value | None] = {"status": "deprecated"}
    if mode != "archive":
        half_life = store.config.recency_decay.half_life_days
        until = until or (clock.stamp() if mode == "soft" else clock.after_days(half_life))
        ends = clock.normal(store.page(path, before).valid_until)
        if ends and ends <= until:
            return Edit(path, before, before), ends
        changes = {"valid_until": until}
    try:
        return Edit(path, before, surgeon.set_keys(before, changes)), until
    except Refused as error:
        raise Refused(f"{path}: {error.message}", hint="mend the front matter, or use --mode hard") from None


def purge(
    store: Store,
    slug: str = "",
    *,
    id: str = "",
    session: str = "",
    scope: str | None = None,
    project: str | None = None,
    dry_run: bool = False,
) -> dict[str, Any]:
    """Erase a page or a session for good, the journal's copies of its text included.

    With ``dry_run`` nothing happens: the answer says what would be erased. A page that has an id must
    be named by it too, so that a slip of the slug erases nothing.
    """
    if session:
        from memex_core.actions.conversations.erasing import purge_session

        return purge_session(store, session, dry_run=dry_run)
    row = _purged_row(store, slug, scope, project)
    path, uid = row
    if uid and id != uid:
        raise Refused(
            f"{path} has another id than {id!r}" if id else f"purging {path} needs its id",
            hint=f"add --id {uid}",
        )
    with store.alone(unless=dry_run):
        events = events_of(store, path)
        names = {
            path,
            *(name for event in events for name in (event["file"], event["detail"].get("from", path))),
        }
        waiting = proposal.every(store, path)
        proposed = [event for one in waiting for event in events_of(store, one.path)]
        proposed += proposal.decided(store, {page_slug(name) for name in names})
        impact = {
            "slug": slug,
            "path": path,
            "id": uid,
            "proposals": [one.path for one in waiting],
            "journal_lines": len({event["seq"] for event in (*events, *proposed)}),
            "purged": False,
        }
        if dry_run:
            return impact
        edits = [Edit(one.path, one.data, None) for one in waiting]
        before = current(store, path)
        if before is not None:
            edits.append(Edit(path, before, None))
        copies = {f"docs/{name}": uid for name in names} | {f"docs/{one.path}": "" for one in waiting}
        detail = {"ident": uid} if uid else None  # by which another text of it is known, see care.tombstones
        erasing.erase(store, edits, slug, [*events, *proposed], copies, detail=detail)
    return {**impact, "purged": True}


def _purged_row(store: Store, slug: str, scope: str | None, project: str | None) -> tuple[str, str]:
    """The page's path and id; a page already removed is found through the journal."""
    try:
        row = store.find(slug, scope=scope, project=project)
        return row.path, row.uid
    except NotFound:
        for event in store.journal.read(reverse=True, item=slug):
            before = bytes_before(event)
            return event["file"], store.page(event["file"], before).id if before is not None else ""
        raise
