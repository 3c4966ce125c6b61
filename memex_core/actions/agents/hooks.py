"""Hooks: what memex does when an agent says that something happens in its session.

A hook may put a block of memory into the agent's context, and may have the session captured. It costs
milliseconds, asks no model, and what goes wrong in it is for the person to read, never for the agent.
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, Any

from memex_core.files import receipts, session_state
from memex_core.harness.hook_input import HookInput
from memex_core.model.errors import MemexError
from memex_core.model.internal import INTERNAL

if TYPE_CHECKING:
    from collections.abc import Callable

    from memex_core.actions.agents.injecting import Gift
    from memex_core.actions.store import Store
    from memex_core.files.session_state import Session
    from memex_core.recall.gate.decision import Decision

    Emit = Callable[[HookInput, str], None]

_BARE_COMMAND = re.compile(r"/[\w:.-]+\s*")  # a command to the host, no question to a model
_MANY_PAGES = 2_000  # from which building an index takes longer than an agent should wait
_MANY_CHANGES = 500  # files, the same for bringing it in step with the folder


def run(store: Store, call: HookInput, *, emit: Emit | None = None, wait: bool = False) -> dict[str, Any]:
    """Do what the event asks for, and tell what was done: ``{event, session_id, agent, outcome, block,
    receipt, pages, withheld, notices, failed}``; ``failed``: something could not be written.

    ``emit`` prints the block; only when it returns the pages count as given. ``wait``: return when what
    runs by itself (the capture, the sync with other devices) has ended. Raises MemexError, and whatever
    ``emit`` raises.
    """
    result: dict[str, Any] = {
        "event": call.event,
        "session_id": call.session_id,
        "agent": call.agent,
        "outcome": "nothing to do",
        "block": "",
        "receipt": 0,
        "pages": [],
        "withheld": [],
        "notices": [],
        "failed": False,
    }
    if os.environ.get(INTERNAL) == "1":
        result["outcome"] = "one of memex's own calls"
        return result
    if call.event not in ("transcript", "session-end"):
        with session_state.alone(store.layout, call.session_id):
            if call.guessed and call.event == "session-start" and call.source in ("", "startup", "clear"):
                session_state.forget(store.layout, call.session_id)  # that was another one
            state = session_state.load(store.layout, call.session_id)
            if call.event in ("pre-compact", "post-compact"):
                _compacted(store, call, state, result)
            elif state.excluded or _excludes(store, call, state):
                result["outcome"] = "the user said DO NOT INDEX"
            else:
                _given(store, call, state, result, emit)
    if call.event == "session-start" and call.source != "compact":
        from memex_core.actions.agents.hook_capture import import_later

        import_later(store, wait=wait)
    if call.event in ("transcript", "pre-compact", "session-end"):
        from memex_core.actions.agents.hook_capture import capture_later

        capture_later(store, call, result, wait=wait)
    return result


def _compacted(store: Store, call: HookInput, state: Session, result: dict[str, Any]) -> None:
    """What the agent has goes, or is gone: pages may be given again, and where the work stands is owed."""
    if state.excluded:
        return
    state.begin(call.event, empty=False)
    state.work_due = True
    result["outcome"] = "a new context begins"
    try:
        session_state.save(store.layout, state)
    except MemexError:  # a store that cannot be written: nothing was given to this session
        result["failed"] = True


def _excludes(store: Store, call: HookInput, state: Session) -> bool:
    """Whether the prompt asks to keep nothing of its session. From then on no hook of it does anything."""
    from memex_core.model.exclusion import excludes

    if not excludes(call.prompt):
        return False
    state.excluded = True
    session_state.save(store.layout, state)
    return True


def _ready(store: Store, result: dict[str, Any]) -> bool:
    """Whether there is an index to ask. A large one that is missing, damaged or of another version is built
    behind the agent's back, by one process however many hooks ask for it."""
    if store.has_index():
        return True
    from memex_core.files.scan import scan

    if len(scan(store.layout).pages) < _MANY_PAGES:
        return True
    _build_behind(store, result)
    return False


def _build_behind(store: Store, result: dict[str, Any]) -> None:
    from memex_core.index.rebuild import under_way

    if not under_way(store.layout.index):
        from memex_core.actions.agents.hook_capture import detached

        detached(store, ["rebuild-index"])
    result["outcome"] = "the index is being built"
    result["notices"].append("the index is being built; memory comes with a later prompt")


def _given(store: Store, call: HookInput, state: Session, result: dict[str, Any], emit: Emit | None) -> None:
    """As :func:`_give`; nothing where a large part of the folder has changed, as by a switch of branches."""
    from memex_core.index.index import Behind

    with store.hurried(_MANY_CHANGES):
        try:
            if _ready(store, result):
                _give(store, call, state, result, emit)
        except Behind:
            _build_behind(store, result)


def _give(store: Store, call: HookInput, state: Session, result: dict[str, Any], emit: Emit | None) -> None:
    from memex_core.actions.agents import injecting
    from memex_core.index.failing import index_errors

    decision: Decision | None = None
    if call.event == "session-start":
        if call.source != "resume" or not state.known:
            state.begin(f"session-start {call.source}".strip(), empty=call.source != "compact")
        state.work_due = state.work_due or call.source in ("resume", "compact")
        session_state.sweep(store.layout)
        with index_errors():
            gift = injecting.at_start(store, call, state)
    else:
        if not call.prompt.strip() or _BARE_COMMAND.fullmatch(call.prompt):
            return
        with index_errors():
            gift, decision = injecting.for_prompt(store, call, state)
        state.prompts += 1
    result["outcome"] = gift.outcome
    result["notices"] += gift.notices
    result["withheld"] = [{"slug": slug, "reason": reason} for slug, reason in gift.withheld]
    note = _receipt(call, state, gift, decision)
    if not gift.text:
        try:
            receipts.nothing(store.layout, note)
            session_state.save(store.layout, state)
        except MemexError:  # a store that cannot be written: nothing was given, and nothing is owed
            result["failed"] = True
        return
    try:
        receipt = receipts.prepare(store.layout, note)
    except MemexError as error:
        result.update(outcome="no receipt", failed=True)
        result["notices"].append(f"nothing was given, since it could not be noted ({error.message})")
        return
    if emit is not None:
        emit(call, gift.text)
    result.update(block=gift.text, receipt=receipt, pages=[one.slug for one in gift.pages])
    gift.take(state)
    try:
        receipts.emitted(store.layout, receipt, call.session_id)
    finally:
        session_state.save(store.layout, state)


def _receipt(call: HookInput, state: Session, gift: Gift, decision: Decision | None) -> dict[str, Any]:
    """What the journal keeps of it: names, digests and reasons, no text."""
    note: dict[str, Any] = {
        "session": call.session_id,
        "agent": call.agent,
        "event": call.event,
        "project": gift.project,
        "epoch": state.epoch,
        "outcome": gift.outcome,
    }
    if decision is not None:
        note["prompt"] = receipts.prompt_hash(call.prompt)
        note["gate"] = {
            "action": decision.action,
            "reason": decision.reason,
            "triggers": list(decision.triggers),
            "rules": [one.id for one in decision.fired],
        }
    if gift.text:
        note["pages"] = receipts.pages_of([(one.slug, one.digest) for one in gift.pages])
        note["tokens"] = gift.tokens
    for name, value in (
        ("updated", [one.slug for one in gift.pages if one.update]),
        ("withdrawn", [one.slug for one in gift.withdrawn]),
        ("elsewhere", [one.slug for one in gift.elsewhere]),
        ("withheld", [{"slug": slug, "reason": reason} for slug, reason in gift.withheld]),
        ("work", gift.work),
    ):
        if value:
            note[name] = value
    return note
