"""``memex extract``: drafts of what people said plainly, found by rules and without a model."""

from __future__ import annotations

import os
import re
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

from memex_core import __version__
from memex_core.actions.learning.holding import rules_fail
from memex_core.actions.learning.landing import Landing, landing
from memex_core.actions.learning.offering import Drafted, drafted_already, said_already
from memex_core.actions.pages.write import write
from memex_core.files import transcripts
from memex_core.learn import marks
from memex_core.learn.extract import Candidate, candidate
from memex_core.model.errors import Locked, MemexError, NotFound, Refused, Unreachable, WriteFailed

if TYPE_CHECKING:
    from memex_core.actions.store import Store

ACTOR = f"memex-extract/{__version__}"
BY = "rules"
_HERE = re.compile(
    r"\bthis\s+(?:project|repo|repository|codebase|branch)\b|(?:这个|本|该)(?:项目|仓库|代码库|分支)"
    r"|이\s*(?:프로젝트|저장소|브랜치)",
    re.IGNORECASE,
)
"""By which a preference is one of the project, and not of the person wherever they work."""
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
        raise Refused(
            f"nothing was extracted: {out_of_order}", hint="`memex rules validate` checks the rules"
        )
    actor, store.actor = store.actor, ACTOR
    try:
        known = marks.newest(store.journal, BY)
        drafts: list[Drafted] = []
        for name, meta in marks.sessions(store.layout):
            if session in (None, name):
                _session(store, name, meta, known.get(name), report, drafts)
    finally:
        store.actor, store.cause = actor, {}
    return report


def _session(
    store: Store,
    session: str,
    meta: dict[str, Any],
    mark: marks.Mark | None,
    report: dict[str, Any],
    drafts: list[Drafted],
) -> None:
    quiet = store.config.consolidation.settle_minutes
    turns = marks.fresh(store.layout, session, meta, mark, quiet=quiet, whole=True)
    if not turns:
        return
    place = landing(store, meta)
    place = place if place.git else Landing()
    report["sessions"] += 1
    report["turns"] += len(turns)
    before = len(report["created"])
    for turn in turns:
        found = candidate(turn)
        if found is not None:
            of_all = found.type == "preference" and not _HERE.search(found.quote)
            _draft(store, session, turn, found, Landing() if of_all else place, report, drafts)
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
    place: Landing,
    report: dict[str, Any],
    drafts: list[Drafted],
) -> None:
    where = {"session_id": session, "turn": turn["turn"]}
    present = said_already(store, found.title, found.quote)
    if not present and report["dry_run"]:
        present = drafted_already(drafts, found.title, found.quote)
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
            scope=place.scope,
            project=place.project,
            branch=place.branch,
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
    drafts.append(Drafted(done["path"], found.title, found.quote))
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
