"""``memex extract``: drafts of what people said plainly, found by rules and without a model."""

from __future__ import annotations

import os
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

from memex_core import __version__
from memex_core.actions.here import here
from memex_core.actions.holding import rules_fail
from memex_core.actions.offering import said_already
from memex_core.actions.write import write
from memex_core.files import transcripts
from memex_core.learn import marks
from memex_core.learn.extract import Candidate, candidate
from memex_core.model.errors import Locked, MemexError, NotFound, Refused, Unreachable, WriteFailed

if TYPE_CHECKING:
    from memex_core.actions.store import Store

ACTOR = f"memex-extract/{__version__}"
BY = "rules"
_PATIENCE = 60.0  # seconds to wait for another extraction's end


def extract(store: Store, *, session: str | None = None, dry_run: bool = False) -> dict[str, Any]:
    """Look through the turns that no extraction has seen yet, of ``session`` or of all conversations.

    Returns ``{sessions, turns, created, known, rejected, dry_run, warnings}``: ``created`` are the drafts
    ``{slug, type, title, cue, session_id, turn, quote}``, ``known`` what a page says already ``{title, page,
    session_id, turn}``, ``rejected`` what could not be written ``{title, reason}``. Raises NotFound, and
    Refused while the rules of what is never kept cannot be tried.
    """
    if session is not None and not transcripts.exists(store.layout, transcripts.check_session_id(session)):
        raise NotFound(f"no session {session!r}", hint="`memex sessions` lists them")
    with ExitStack() as stack:
        if not dry_run:
            _alone(store, stack)
        return _extracted(store, session, dry_run)


def _alone(store: Store, stack: ExitStack) -> None:
    """One at a time: two would read the same turns. The next one finds them read."""
    from memex_core.files.lock import StoreLock

    store.layout.ensure_state()
    path = os.path.join(store.layout.state, "state", "extract.lock")
    os.makedirs(os.path.dirname(path), exist_ok=True)
    try:
        stack.enter_context(StoreLock(path, timeout=_PATIENCE))
    except Locked:
        raise Locked("another memex extract is at work", hint="let it finish") from None


def _extracted(store: Store, session: str | None, dry_run: bool) -> dict[str, Any]:
    report: dict[str, Any] = {
        "sessions": 0,
        "turns": 0,
        "created": [],
        "known": [],
        "rejected": [],
        "dry_run": dry_run,
        "warnings": [],
    }
    out_of_order = rules_fail(store)
    if out_of_order:
        raise Refused(f"nothing was extracted: {out_of_order}", hint="`memex rules validate` says more")
    actor, store.actor = store.actor, ACTOR
    try:
        known = marks.newest(store.journal, BY)
        for name, meta in marks.sessions(store.layout):
            if session in (None, name):
                _session(store, name, meta, known.get(name), report)
    finally:
        store.actor, store.cause = actor, {}
    return report


def _session(
    store: Store, session: str, meta: dict[str, Any], mark: marks.Mark | None, report: dict[str, Any]
) -> None:
    quiet = store.config.consolidation.settle_minutes
    turns = marks.fresh(store.layout, session, meta, mark, quiet=quiet, whole=True)
    if not turns:
        return
    cwd = str(meta.get("cwd") or "")
    own = here(store, cwd) if cwd and os.path.isdir(cwd) else None
    project = own.id if own is not None and own.git else ""
    report["sessions"] += 1
    report["turns"] += len(turns)
    before = len(report["created"])
    for turn in turns:
        found = candidate(turn)
        if found is not None:
            _draft(store, session, turn, found, "" if found.type == "preference" else project, report)
    if not report["dry_run"]:
        last = turns[-1]
        detail = {
            "by": BY,
            "session": session,
            "first": turns[0]["turn"],
            "last": last["turn"],
            "xid": str(last.get("xid") or ""),
            "created": [one["slug"] for one in report["created"][before:]],
        }
        marks.settle(store.journal, ACTOR, detail)


def _draft(
    store: Store,
    session: str,
    turn: dict[str, Any],
    found: Candidate,
    project: str,
    report: dict[str, Any],
) -> None:
    where = {"session_id": session, "turn": turn["turn"]}
    present = said_already(store, found.title, found.quote)
    if not present and any(one["quote"] == found.quote for one in report["created"]):
        present = found.title  # a dry run has not written it
    if present:
        report["known"].append({"title": found.title, "page": present, **where})
        return
    store.cause = {
        marks.KEY: {
            "by": BY,
            "session": session,
            "turns": [turn["turn"]],
            "xids": [str(turn.get("xid") or "")],
            "verdict": "independent",
            "grounding": "explicit",
            "cue": found.cue,
        }
    }
    try:
        done = write(
            store,
            type=found.type,
            title=found.title,
            body=found.quote,
            sources=[{"session": session, "turn": turn["turn"], "quote": found.quote}],
            scope="project" if project else "global",
            project=project,
            status="draft",
            dry_run=report["dry_run"],
        )
    except (WriteFailed, Locked, Unreachable):
        raise
    except MemexError as error:
        report["rejected"].append({"title": found.title, "reason": error.message, **where})
        return
    finally:
        store.cause = {}
    report["created"].append(
        {
            "slug": done["slug"],
            "type": found.type,
            "title": found.title,
            "cue": found.cue,
            **where,
            "quote": found.quote,
        }
    )
