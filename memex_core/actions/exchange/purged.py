"""What of a page that was purged, here or on another device, leaves this store besides its file."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from memex_core.care.erasure import Erasure
from memex_core.care.sync.conflict import page_of
from memex_core.care.sync.observe import ident_of
from memex_core.care.sync.plan import Plan
from memex_core.care.sync.record import HERE, PURGED, State
from memex_core.files.atomic import digest
from memex_core.files.journal import bytes_before

if TYPE_CHECKING:
    from memex_core.actions.store import Store
    from memex_core.model.results import Event


def erasure_of(store: Store, state: State, name: str, made: Plan) -> Erasure:
    """What leaves with the pages that the device ``name`` purged. ``state`` is from before the plan."""
    from memex_core.actions.history.history import events_of

    about = _events_about(store, made.purged)
    copies: dict[str, str] = {}
    here = set()
    for key, path in made.purged.items():
        events = about.setdefault(key, [])
        if key.startswith("path:") and path:
            events += events_of(store, path)
        names = {path, *(event["file"] for event in events)} - {""}
        copies |= {f"docs/{one}": _ident(key) for one in names}
        known = state.pages.get(key)
        if known is not None and known.life == HERE:
            here.add(known.path)
    removed = {
        edit.path: digest(edit.before)
        for edit in made.edits
        if edit.after is None and edit.before is not None and edit.path in here
    }
    every = [event for events in about.values() for event in events]
    return Erasure.of(name, every, removed, after=store.journal.last_seq(), copies=copies)


def erase_drafts(store: Store, state: State) -> None:
    """Pages that were purged on this device since the last look leave no other text of theirs behind."""
    fresh = {key for key, one in state.pages.items() if one.life == PURGED and one.raw}
    events = [event for found in _events_about(store, fresh).values() for event in found]
    if events:
        store.journal.rewrite_without({event["file"] for event in events}, {event["seq"] for event in events})
    for key in fresh:
        state.pages[key].raw, state.pages[key].past = "", []


def _events_about(store: Store, keys: Iterable[str]) -> dict[str, list[Event]]:
    """The journal's events that hold a text of these pages, or of a draft made of one, by the page's key."""
    wanted = {_ident(key): key for key in keys if key.startswith("id:")}
    found: dict[str, list[Event]] = {}
    for event in store.journal.read(holding=tuple(name.encode() for name in wanted)) if wanted else ():
        before = bytes_before(event)
        if before is not None:
            for name in {ident_of(before), _ident(page_of(before))} & wanted.keys():
                found.setdefault(wanted[name], []).append(event)
    return found


def _ident(key: str) -> str:
    """The id in a page's key; empty where the page has none."""
    return key.removeprefix("id:") if key.startswith("id:") else ""
