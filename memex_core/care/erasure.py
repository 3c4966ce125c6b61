"""Erasing for good: what of a page or a conversation has to leave the store besides its file.

That is more than one step, and none of them may be the last one taken: so all of it is told in one
:class:`Erasure`, which is noted before the first step, and each step can be taken twice.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple

from memex_core.care import set_aside, unfinished
from memex_core.files import atomic, session_state, transcripts, unnaming
from memex_core.files.atomic import digest
from memex_core.files.exclusion import excluded_sessions, remember
from memex_core.files.journal import Journal, bytes_before
from memex_core.index import earlier
from memex_core.learn import job_state
from memex_core.model.errors import MemexError, NotFound

if TYPE_CHECKING:
    from memex_core.files.layout import Layout
    from memex_core.model.results import Event


class Erasure(NamedTuple):
    """``item``: what is erased, as the person calls it. ``names``: paths that its pages had. ``seqs``: events
    of the journal that hold its text. ``removed``: the files that one act takes away, each with the digest
    of what it held; ``after`` is the last event before that act, whose own events hold these texts too.

    ``copies``: names of copies that were set aside, each with the id of its page, where it has one.
    ``sessions`` are conversations to be deleted, of which ``barred`` is not to come back, because of ``why``.
    ``nameless`` are pages whose names leave the journal too.
    """

    item: str
    names: list[str]
    seqs: list[int]
    removed: dict[str, str]
    after: int
    copies: dict[str, str]
    sessions: Sequence[str] = ()
    barred: str = ""
    why: str = ""
    nameless: Sequence[str] = ()

    @classmethod
    def of(cls, item: str, events: Iterable[Event], removed: dict[str, str], **more: Any) -> Erasure:
        """What ``events`` and the files in ``removed`` hold."""
        found = list(events)
        seqs = sorted({event["seq"] for event in found})
        every = {*removed, *(event["file"] for event in found)}
        every |= {str(event["detail"]["from"]) for event in found if "from" in event["detail"]}
        return cls(item, sorted(every), seqs, removed, **more)


def noted(layout: Layout, told: dict[str, Any]) -> Erasure | None:
    """The erasure that was noted; None for what no act of ours can have noted: a folder that comes from
    elsewhere must not name files outside of it."""
    try:
        one = Erasure(**told)
        for name in (*one.names, *one.removed):
            atomic.inside(layout.pages, name)
        for name in one.copies:
            atomic.inside(layout.state, name)
        for session in filter(None, (*one.sessions, one.barred)):
            transcripts.check_session_id(session)
        return one if type(one.after) is int and all(type(seq) is int for seq in one.seqs) else None
    except (TypeError, AttributeError, IndexError, MemexError):
        return None


def begun(layout: Layout, erasure: Erasure) -> bool:
    """Whether the files are removed already: before that nothing is lost yet, and nothing to be finished."""
    return not erasure.removed or bool(_act(layout, erasure))


def carry_out(layout: Layout, erasure: Erasure, actor: str) -> None:
    """Erase all of it that is no page's file. The index is the caller's. Raises WriteFailed."""
    seqs = {*erasure.seqs, *(event["seq"] for event in _act(layout, erasure))}
    if seqs:
        # By number, not by name: another page may have had one of its names before or since.
        Journal(layout).rewrite_without(set(erasure.names), seqs)
    set_aside.erase(layout, erasure.copies)
    gone = [name for name in erasure.names if not os.path.lexists(layout.file_path(name))]
    earlier.keep(layout, dict.fromkeys(gone))
    for session in erasure.sessions:
        with suppress(NotFound):
            transcripts.delete(layout, session)
    if erasure.barred:
        session_state.forget(layout, erasure.barred)
        job_state.forget(layout, erasure.barred)
        known = excluded_sessions(layout)
        for session in dict.fromkeys(
            (erasure.barred, *erasure.sessions)
        ):  # its agents do not come back either
            if session not in known:
                remember(layout, session, erasure.why, actor)
    unfinished.sweep(layout)


def unname(layout: Layout, erasure: Erasure) -> None:
    """Take names out of the journal, when all else is done: by them an erasure that broke off is known."""
    unnaming.unname(Journal(layout), erasure.nameless)


def _act(layout: Layout, erasure: Erasure) -> list[Event]:
    """The events of the act that removed the files. By what they held: in the same act, another page may
    leave or take one of the names."""
    return [
        event
        for event in Journal(layout).read(after=erasure.after)
        if event["file"] in erasure.removed and _held(event) == erasure.removed[event["file"]]
    ]


def _held(event: Event) -> str:
    """The digest of the file before the event; empty where there was none."""
    before = bytes_before(event)
    if before is not None:
        return digest(before)
    return str((event["before"] or {}).get("purged", ""))
