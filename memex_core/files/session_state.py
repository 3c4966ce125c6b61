"""What one agent's session has been given so far: ``state/sessions/<session>.json``.

An agent's context begins empty, grows, and begins anew when it is cleared or compacted: an epoch. The
file tells which pages are in it, as they were then. It holds no text of pages and none of the
conversation but the words of the present topic; deleting it costs a repetition and nothing else.
"""

# No postponed annotations here: they make each named tuple's fields a compilation at start-up.

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NamedTuple

from memex_core.files import atomic
from memex_core.files.layout import Layout
from memex_core.model import clock
from memex_core.model.errors import MemexError

KEPT_DAYS = 30
"""A session that was silent so long is forgotten."""

COMPACTING = ("pre-compact", "post-compact", "session-start compact")
"""The events of one compaction in their order; few agents tell all of them."""

PATIENCE = 2.0
"""Seconds that a hook waits for another one of its session; an agent waits with it."""

_PLACE = "state/sessions"
_LARGEST = 4 << 20


class Given(NamedTuple):
    """A page that the agent has: ``digest`` of its file, ``said`` of its title and body, as they were in
    the ``epoch`` it was sent in."""

    path: str
    slug: str
    uid: str
    digest: str
    said: str
    epoch: int


class Session:
    """``given`` by path. ``prompts`` counts those of this epoch, ``began`` is the event that began it.
    ``work_due``: the working state is to be given back. ``excluded``: nothing of it is to be kept."""

    def __init__(self, session_id: str) -> None:
        self.session_id = session_id
        self.epoch = 1
        self.began = ""
        self.prompts = 0
        self.topic: tuple[str, ...] = ()
        self.since_retrieval = 0
        self.given: dict[str, Given] = {}
        self.work_due = False
        self.excluded = False
        self.known = False
        """Whether there was a file."""

    def begin(self, event: str, *, empty: bool) -> None:
        """Begin an epoch. ``empty``: what was said before is gone; else a summary of it may be left, and
        what was given still wants correcting when it changes.

        Of a compaction agents tell up to three times: what comes later in the order of its events, with
        no prompt between, is the same one.
        """
        if self.began in COMPACTING and event in COMPACTING and not self.prompts:
            later = COMPACTING.index(event) > COMPACTING.index(self.began)
            if later:
                self.began = event
                return
        self.epoch += 1
        self.began = event
        self.prompts = self.since_retrieval = 0
        self.topic = ()
        if empty:
            self.given.clear()
            self.work_due = False

    def has(self, path: str) -> bool:
        """Whether the page stands in the agent's context, in this wording or an older one."""
        one = self.given.get(path)
        return one is not None and one.epoch == self.epoch

    def give(self, path: str, slug: str, uid: str, digest: str, said: str) -> None:
        self.given[path] = Given(path, slug, uid, digest, said, self.epoch)


def file_of(layout: Layout, session_id: str) -> str:
    """The file, whether or not it is there."""
    return os.path.join(_folder(layout), f"{session_id}.json")


@contextmanager
def alone(layout: Layout, session_id: str) -> Iterator[None]:
    """Keep other hooks of the session out between :func:`load` and :func:`save`: agents call several at
    once. Where that cannot be had in time, or not at all, it is done without: a repetition at worst.
    """
    from memex_core.files.lock import StoreLock

    lock: StoreLock | None = None
    if session_id:
        name = f".{atomic.digest(session_id.encode())[:2]}.lock"  # few files, of which none is ever too old
        try:
            layout.ensure_state()
            os.makedirs(_folder(layout), exist_ok=True)
            path = atomic.inside(layout.state, f"{_PLACE}/{name}")
            lock = StoreLock(path, timeout=PATIENCE).__enter__()
        except (MemexError, OSError):
            lock = None
    try:
        yield
    finally:
        if lock is not None:
            lock.__exit__()


def load(layout: Layout, session_id: str) -> Session:
    """The session's state; a new one where there is none, or none that can be read."""
    state = Session(session_id)
    value = _read(file_of(layout, session_id)) if session_id else None
    if value is None:
        return state
    state.known = True
    state.epoch = _count(value, "epoch") or 1
    state.prompts = _count(value, "prompts")
    state.since_retrieval = _count(value, "since_retrieval")
    state.began = str(value.get("began") or "")
    state.work_due = value.get("work_due") is True
    state.excluded = value.get("excluded") is True
    topic = value.get("topic")
    state.topic = tuple(word for word in topic if isinstance(word, str)) if isinstance(topic, list) else ()
    rows = value.get("given")
    for row in rows if isinstance(rows, list) else ():
        if isinstance(row, list) and len(row) == 6 and isinstance(row[5], int):
            path, slug, uid, digest, said = map(str, row[:5])
            state.given[path] = Given(path, slug, uid, digest, said, row[5])
    return state


def save(layout: Layout, state: Session) -> None:
    """Write the state, whole or not at all. Raises WriteFailed. A session without an id has none.

    A session that is excluded stays so, whoever read its state before that was said.
    """
    if not state.session_id:
        return
    path = file_of(layout, state.session_id)
    if not state.excluded:
        before = _read(path)
        state.excluded = before is not None and before.get("excluded") is True
    layout.ensure_state()
    folder = _folder(layout)
    try:
        os.makedirs(folder, exist_ok=True)
    except OSError as error:
        raise atomic.failure(folder, error) from error
    value: dict[str, Any] = {
        "session": state.session_id,
        "updated": clock.stamp(),
        "excluded": state.excluded,
    }
    if not state.excluded:
        value |= {
            "epoch": state.epoch,
            "began": state.began,
            "prompts": state.prompts,
            "since_retrieval": state.since_retrieval,
            "work_due": state.work_due,
            "topic": list(state.topic),
            "given": [list(one) for one in state.given.values()],
        }
    atomic.inside(layout.state, f"{_PLACE}/{os.path.basename(path)}")
    # Lost in a crash it costs a repetition: not worth waiting for the disk.
    atomic.write(path, json.dumps(value, ensure_ascii=False).encode("utf-8", "replace"), sync=False)


def forget(layout: Layout, session_id: str) -> None:
    """Remove what is kept of the session."""
    try:
        os.unlink(file_of(layout, session_id))
    except OSError:
        pass


def sweep(layout: Layout) -> None:
    """Forget sessions that have been silent for :data:`KEPT_DAYS`."""
    oldest = clock.now().timestamp() - KEPT_DAYS * 86_400
    try:
        with os.scandir(_folder(layout)) as entries:
            for entry in entries:
                if entry.name.endswith((".json", ".tmp")):
                    _unlink_older(entry, oldest)
    except OSError:
        pass


def _unlink_older(entry: "os.DirEntry[str]", oldest: float) -> None:
    try:
        if entry.stat(follow_symlinks=False).st_mtime < oldest:
            os.unlink(entry.path)
    except OSError:
        pass  # gone already, or not ours to remove: the others still go


def _folder(layout: Layout) -> str:
    return os.path.join(layout.state, *_PLACE.split("/"))


def _read(path: str) -> Mapping[str, Any] | None:
    try:
        if os.stat(path).st_size > _LARGEST:
            return None
        value = json.loads(atomic.read_file(path))
    except (OSError, ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _count(value: Mapping[str, Any], key: str) -> int:
    number = value.get(key)
    return number if isinstance(number, int) and not isinstance(number, bool) and number > 0 else 0
