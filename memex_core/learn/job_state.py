"""What the journal does not say of learning: failed attempts, the hold, and the calls of the last 24 hours.

``state/learning.json`` may be deleted: what is unread and what is done is known from journal and transcripts,
and only the story of failures and the count of calls begin anew. Answers that could not be read are kept in
it, cut to :data:`RAW` characters, so that a person can look at them.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from memex_core.files import atomic
from memex_core.files.lock import StoreLock
from memex_core.model import clock
from memex_core.model.errors import MemexError

if TYPE_CHECKING:
    from memex_core.files.layout import Layout

RAW = 20_000
_JOBS, _HISTORY = 100, 10  # failed jobs kept, and attempts of each
_LARGEST = 8_000_000


class Learning:
    """The state, read from its file; :meth:`save` writes it whole or not at all.

    ``jobs`` maps a job to ``{session, attempts, code, message, at, raw, history}``; ``hold`` is None or
    ``{code, message, fingerprint, since}``; ``running`` is the job being worked on by who holds the lock.
    """

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        value = _read(path_of(layout))
        jobs, calls, hold = value.get("jobs"), value.get("calls"), value.get("hold")
        self.jobs: dict[str, dict[str, Any]] = {}
        for name, job in jobs.items() if isinstance(jobs, dict) else ():
            if isinstance(job, dict) and _is_str(job.get("code")) and isinstance(job.get("attempts"), int):
                self.jobs[name] = job
        self.calls = [one for one in calls if isinstance(one, str)] if isinstance(calls, list) else []
        self.hold: dict[str, Any] | None = (
            hold if isinstance(hold, dict) and isinstance(hold.get("code"), str) else None
        )
        self.running = str(value.get("running") or "")

    def save(self) -> None:
        """Raises WriteFailed. Use :func:`changing`, which keeps what others have written meanwhile."""
        kept = sorted(self.jobs.items(), key=lambda item: str(item[1].get("at")), reverse=True)[:_JOBS]
        value = {"jobs": dict(kept), "calls": self.calls, "hold": self.hold, "running": self.running}
        data = json.dumps(value, ensure_ascii=False, indent=1).encode("utf-8", "replace")
        atomic.write(path_of(self.layout), data, mode=0o600)

    # -- calls -----------------------------------------------------------------------------

    def calls_of_the_day(self) -> int:
        """The model calls of the last 24 hours."""
        now = clock.now()
        oldest, latest = clock.stamp(now - timedelta(hours=24)), clock.stamp(now + timedelta(hours=24))
        self.calls = [one for one in self.calls if oldest < one < latest]  # a clock was wrong about others
        return len(self.calls)

    def reserve(self, most: int) -> bool:
        """Count a call before it is made, so that a killed run counts too; false where 24 hours have seen
        ``most`` already."""
        if self.calls_of_the_day() >= most:
            return False
        self.calls.append(clock.stamp())
        return True

    def give_back(self) -> None:
        """A setting refused the call: it does not count."""
        if self.calls:
            self.calls.pop()

    # -- jobs ------------------------------------------------------------------------------

    def failed(self, job: str, session: str, code: str, message: str, raw: str = "") -> None:
        """Note an attempt that failed."""
        before = self.jobs.get(job, {})
        history = [*before.get("history", []), {"at": clock.stamp(), "code": code, "message": message}]
        self.jobs[job] = {
            "session": session,
            "attempts": int(before.get("attempts", 0)) + 1,
            "code": code,
            "message": message,
            "at": clock.stamp(),
            "raw": raw[:RAW],
            "raw_chars": len(raw),
            "history": history[-_HISTORY:],
        }

    def done(self, job: str) -> None:
        self.jobs.pop(job, None)

    def retry(self, job: str) -> None:
        """Let a failed job have all its attempts again; its history stays."""
        self.jobs[job]["attempts"] = 0

    # -- the hold --------------------------------------------------------------------------

    def held(self, code: str, message: str, fingerprint: str) -> None:
        since = self.hold["since"] if self.hold and self.hold.get("code") == code else clock.stamp()
        self.hold = {"code": code, "message": message, "fingerprint": fingerprint, "since": since}

    def holds(self, fingerprint: str) -> dict[str, Any] | None:
        """The hold, if it is of this very selection: another one has not been refused yet."""
        return self.hold if self.hold and self.hold.get("fingerprint") == fingerprint else None


@contextmanager
def changing(layout: Layout) -> Iterator[Learning]:
    """The state as it is now, alone, and saved when the block ends without an error."""
    path = path_of(layout)
    layout.ensure_state()
    try:
        os.makedirs(os.path.dirname(path), exist_ok=True)
    except OSError as error:
        raise atomic.failure(path, error) from error
    with StoreLock(f"{path}.lock"):
        state = Learning(layout)
        yield state
        state.save()


def path_of(layout: Layout) -> str:
    return os.path.join(layout.state, "state", "learning.json")


def lock_of(layout: Layout) -> str:
    """The lock of who consolidates: one at a time."""
    return os.path.join(layout.state, "state", "learning.lock")


def forget(layout: Layout, session: str) -> None:
    """Remove what is kept of a conversation's jobs, answers included."""
    if not any(map(os.path.exists, (path_of(layout), f"{path_of(layout)}.lock"))):
        return
    try:  # under the lock in any case: an answer may be on its way into the file
        with changing(layout) as state:
            state.jobs = {name: job for name, job in state.jobs.items() if job.get("session") != session}
    except MemexError:  # better no state than one that keeps what was to go
        if os.path.exists(path_of(layout)):
            os.unlink(path_of(layout))


def _is_str(value: Any) -> bool:
    return isinstance(value, str)


def _read(path: str) -> dict[str, Any]:
    try:
        if os.stat(path).st_size > _LARGEST:
            return {}
        value = json.loads(atomic.read_file(path))
    except (OSError, ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}
