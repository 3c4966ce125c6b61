"""``memex jobs``: what is unread, held, at work, tried again, failed and done, put together from journal and
transcripts.

A job is the unread, settled part of a conversation; its id is the session and the first of its turns. There
is no queue that could get lost: take away the state file, and what is unread is still unread.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memex_core.actions.learning.consolidating import BY
from memex_core.actions.learning.holding import Hold, by_refusal, by_settings
from memex_core.files import transcripts
from memex_core.files.session_meta import title_of
from memex_core.learn import marks
from memex_core.learn.chat import Model
from memex_core.learn.failures import told
from memex_core.learn.job_state import Learning, changing, lock_of
from memex_core.model.errors import BadInput, Locked, NotFound, Refused

if TYPE_CHECKING:
    from memex_core.actions.store import Store

STATES = ("pending", "held", "running", "retrying", "failed", "done")
"""``retrying`` has failed, and the next run tries it again by itself; ``failed`` waits for ``jobs retry``."""

AGAIN = ("held", "retrying", "failed")
"""Those that ``jobs retry`` lets be tried anew, with all their attempts."""


def jobs_list(store: Store, *, state: Any = (), limit: int = 50) -> dict[str, Any]:
    """``{jobs, total, counts, held, calls, warnings}``: jobs, the newest first, of these states if any.

    A job is ``{id, state, session_id, title, first, last, turns, at, attempts, code, message, cause, impact,
    next}``, the last five empty where nothing is wrong. ``held`` is what holds all that waits; ``calls`` are
    ``{day, max_per_day, max_per_run}``.
    """
    from memex_core.actions.asking.recalling import words

    wanted = words(state)
    for word in wanted:
        if word not in STATES:
            raise BadInput(f"no job is {word!r}", hint=", ".join(STATES))
    if limit < 1:
        raise BadInput(f"limit {limit} is too small", hint="from 1")
    rules, learning = store.config.consolidation, Learning(store.layout)
    hold = _hold(store, learning)
    every = _every(store, learning, hold)
    every.sort(key=lambda job: (job["at"], job["id"]), reverse=True)
    shown = [job for job in every if job["state"] in wanted or not wanted]
    counts = {name: sum(job["state"] == name for job in every) for name in STATES}
    return {
        "jobs": shown[:limit],
        "total": len(shown),
        "counts": counts,
        "held": hold if counts["held"] or counts["retrying"] else None,
        "calls": {
            "day": learning.calls_of_the_day(),
            "max_per_day": rules.max_calls_per_day,
            "max_per_run": rules.max_calls,
        },
        "warnings": [],
    }


def jobs_show(store: Store, job: str) -> dict[str, Any]:
    """A job with its ``history`` of failures and ``raw``, the last answer that could not be read, or with
    the ``pages`` that came of it. Raises NotFound."""
    found = _named(store, job)
    kept = Learning(store.layout).jobs.get(job, {})
    return {
        **found,
        "history": kept.get("history", []),
        "raw": str(kept.get("raw") or ""),
        "raw_chars": int(kept.get("raw_chars") or 0),
        "warnings": [],
    }


def jobs_retry(store: Store, job: str = "", *, all: bool = False, dry_run: bool = False) -> dict[str, Any]:
    """Let jobs that failed have all attempts again, and what is held be tried; `memex consolidate` then runs.

    Returns ``{retried: [id], released, dry_run, warnings}``.
    """
    if bool(job) == all:
        raise BadInput("name a job, or --all", hint="memex jobs list --state failed")
    learning = Learning(store.layout)
    if all:
        names = [row["id"] for row in _open(store, learning, None) if row["state"] in ("failed", "retrying")]
    else:
        row = _named(store, job)
        if row["state"] not in AGAIN:
            raise Refused(
                f"{job} is {row['state']}: there is nothing to try again",
                hint="`memex jobs list --state failed,retrying,held` shows what can be",
            )
        names = [job] if job in learning.jobs else []
    released = learning.hold is not None
    if not dry_run and (names or released):
        with changing(store.layout) as state:
            for name in names:
                if name in state.jobs:
                    state.retry(name)
            state.hold = None
    return {"retried": names, "released": released, "dry_run": dry_run, "warnings": []}


def jobs_dismiss(store: Store, job: str, *, why: str = "", dry_run: bool = False) -> dict[str, Any]:
    """Give a job's turns up: they count as read, and nothing is learnt from them.

    Returns ``{id, dismissed, turns, why, dry_run, warnings}``. The journal keeps who did it and why.
    """
    row = _named(store, job)
    if row["state"] in ("done", "running"):
        raise Refused(
            f"{job} is {row['state']}: there is nothing to give up",
            hint="`memex jobs list` shows what waits",
        )
    if not dry_run:
        last = transcripts.read_turns(store.layout, row["session_id"], row["last"], row["last"])
        detail = {
            "by": BY,
            "session": row["session_id"],
            "first": row["first"],
            "last": row["last"],
            "xid": str(last[0].get("xid") or "") if last else "",
            "dismissed": why or "no reason given",
        }
        marks.settle(store.journal, store.actor, detail)
        with changing(store.layout) as state:
            state.done(job)
    return {
        "id": job,
        "dismissed": not dry_run,
        "turns": row["turns"],
        "why": why,
        "dry_run": dry_run,
        "warnings": [],
    }


def _named(store: Store, job: str) -> dict[str, Any]:
    learning = Learning(store.layout)
    every = _every(store, learning, _hold(store, learning))
    found = next((row for row in every if row["id"] == job), None)
    if found is None:
        raise NotFound(f"no job {job!r}", hint="`memex jobs list` shows them")
    return found


def _every(store: Store, learning: Learning, hold: Hold | None) -> list[dict[str, Any]]:
    """Each job once: a conversation that was stored anew is unread again, whatever was read under that id."""
    rows: dict[str, dict[str, Any]] = {}
    for row in (*_open(store, learning, hold), *_done(store)):  # of what is done the newest comes first
        rows.setdefault(row["id"], row)
    return list(rows.values())


def _hold(store: Store, learning: Learning) -> Hold | None:
    model = Model.of(store.config)
    return by_settings(store, model) or by_refusal(learning, model)


def _open(store: Store, learning: Learning, hold: Hold | None) -> list[dict[str, Any]]:
    known = marks.newest(store.journal, BY)
    quiet = store.config.consolidation.settle_minutes
    running = learning.running if learning.running and _at_work(store) else ""
    rows = []
    for session, meta in marks.sessions(store.layout):
        mark = known.get(session)
        turns = marks.fresh(store.layout, session, meta, mark, quiet=quiet)
        failed = next((one for one in learning.jobs.values() if one.get("session") == session), None)
        if not turns and failed is not None:  # it was read while it went on
            turns = marks.fresh(store.layout, session, meta, mark, quiet=quiet, whole=True)
        if not turns:
            continue
        name = f"{session}#{turns[0]['turn']}"
        job = learning.jobs.get(name)
        wrong: dict[str, str] = {"code": "", "message": "", "cause": "", "impact": "", "next": ""}
        if name == running or (running and running.startswith(f"{session}#")):
            state = "running"
        elif job is not None and job["attempts"] > 0:
            again = job["attempts"] < store.config.consolidation.max_attempts
            state = "retrying" if again else "failed"
            wrong = {**told(job["code"], name, again=again), "message": str(job.get("message") or "")}
        elif hold is not None:
            state = "held"
            wrong = {key: hold[key] for key in wrong}
        else:
            state = "pending"
        rows.append(
            {
                "id": name,
                "state": state,
                "session_id": session,
                "title": _title(session, meta, turns),
                "first": turns[0]["turn"],
                "last": turns[-1]["turn"],
                "turns": len(turns),
                "at": str((job or {}).get("at") or turns[-1].get("ts") or meta.get("ended_at") or ""),
                "attempts": int(job["attempts"]) if job else 0,
                **wrong,
            }
        )
    return rows


def _title(session: str, meta: dict[str, Any], turns: list[dict[str, Any]]) -> str:
    noted = meta.get("index")
    prompt = noted.get("prompt") if isinstance(noted, dict) else ""
    return title_of(meta, str(prompt or ""), session)[0]


def _done(store: Store) -> list[dict[str, Any]]:
    rows = []
    for mark in marks.stretches(store.journal, BY):
        detail = mark.detail
        first = detail.get("first")
        rows.append(
            {
                "id": f"{mark.session}#{first}",
                "state": "done",
                "session_id": mark.session,
                "title": f"dismissed: {detail['dismissed']}" if detail.get("dismissed") else "",
                "first": first,
                "last": mark.last,
                "turns": mark.last - first + 1 if isinstance(first, int) else 0,
                "at": mark.ts,
                "attempts": 0,
                "code": "",
                "message": "",
                "cause": "",
                "impact": "",
                "next": "",
                "pages": [
                    slug for kind in ("created", "conflict", "updated") for slug in detail.get(kind, ())
                ],
            }
        )
    return rows


def _at_work(store: Store) -> bool:
    """Whether somebody consolidates at this moment."""
    import os

    from memex_core.files.lock import StoreLock

    if not os.path.exists(lock_of(store.layout)):
        return False
    try:
        with StoreLock(lock_of(store.layout), timeout=0):
            return False
    except Locked:
        return True
