"""Sync as hooks do it: what a person has begun, with a first export, goes on without them."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from memex_core.care.sync import meeting, record
from memex_core.files.runs import Run
from memex_core.model.actor import is_agent
from memex_core.model.errors import Unreachable

if TYPE_CHECKING:
    from memex_core.actions.store import Store


def export(store: Store) -> dict[str, Any]:
    """As :func:`.syncing.export`; where it is not begun or is off, only ``skipped`` says why."""
    from memex_core.actions.exchange import syncing

    return _done(store, "export", syncing.export)


def import_(store: Store) -> dict[str, Any]:
    """As :func:`.syncing.import_`; where it is not begun or is off, only ``skipped`` says why."""
    from memex_core.actions.exchange import syncing

    return _done(store, "import", syncing.import_)


def _done(store: Store, stage: str, act: Callable[[Store], dict[str, Any]]) -> dict[str, Any]:
    skipped = _reason(store)
    if skipped:
        return {"skipped": skipped}
    from memex_core.actions.store import login

    actor = store.actor
    store.actor = login() if is_agent(actor) else actor  # the agent's hook acts for the person who began it
    try:
        with Run(store.layout, "sync", stage=stage) as log:
            try:
                result = act(store)
                log.note(ok=not result.get("refused"))
            except meeting.Waits as error:
                log.note(waits="memex sync import")  # and nothing failed: the next session's start does it
                result = {"skipped": str(error), "waits": True}
    finally:
        store.actor = actor
    return result


def _reason(store: Store) -> str:
    """Why nothing is done; empty where a person's export lies where the devices meet."""
    state = record.load(store.layout)
    if not state.enabled:
        return "sync is off"
    if state.exported.get("target") != state.target:
        return "nothing was exported here by hand yet"
    try:
        meeting.check_there(state.target)
    except Unreachable as error:
        return error.message
    if not os.path.lexists(meeting.own_file(state)):
        return "what was exported by hand is not there any more"
    return ""
