"""How far each conversation was learnt from: what the journal says of it, and the turns that are left.

Every page that was learnt, and the end of every stretch of turns that was looked at, is a line of the
journal whose detail has ``learned``: by whom (``rules`` or ``model``), of which session, and the ``xid`` of
the turns. A turn keeps its xid when its session grows or is captured anew, so nothing is learnt twice.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, NamedTuple

from memex_core.files import session_meta, transcripts
from memex_core.files.sessions import about
from memex_core.model import clock

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from memex_core.files.journal import Journal
    from memex_core.files.layout import Layout

KEY = "learned"
ACTION = "ingest"

Turn = dict[str, Any]


class Mark(NamedTuple):
    """The end of a stretch that was looked at. ``detail`` is what the journal says of it."""

    session: str
    last: int
    xid: str
    seq: int
    ts: str
    detail: dict[str, Any]


def stretches(journal: Journal, by: str) -> Iterator[Mark]:
    """Every stretch that ``by`` has looked at, the newest first."""
    for event in journal.read(reverse=True, holding=(b'"learned"',)):
        detail = event["detail"].get(KEY)
        if event["action"] != ACTION or not isinstance(detail, dict) or detail.get("by") != by:
            continue
        session, last, xid = detail.get("session"), detail.get("last"), detail.get("xid")
        if isinstance(session, str) and isinstance(last, int):
            yield Mark(session, last, str(xid or ""), event["seq"], event["ts"], detail)


def newest(journal: Journal, by: str) -> dict[str, Mark]:
    """The newest stretch of each session."""
    found: dict[str, Mark] = {}
    for mark in stretches(journal, by):
        found.setdefault(mark.session, mark)
    return found


def settle(journal: Journal, actor: str, detail: Mapping[str, Any]) -> None:
    """Note that a stretch was looked at; ``detail`` holds ``by``, ``session``, ``last`` and ``xid``."""
    session = str(detail["session"])
    noted = {KEY: dict(detail), "session": session}
    journal.append([{"action": ACTION, "item": session, "actor": actor, "detail": noted}])


def sessions(layout: Layout) -> Iterator[tuple[str, dict[str, Any]]]:
    """The conversations that may be learnt from, with their meta files; not those of an agent's agents."""
    for session in transcripts.session_ids(layout):
        meta = transcripts.read_meta(layout, session)
        if not about(meta).get("subagent"):
            yield session, meta


def fresh(
    layout: Layout,
    session: str,
    meta: Mapping[str, Any],
    mark: Mark | None,
    *,
    quiet: int,
    whole: bool = False,
) -> list[Turn]:
    """The turns after ``mark`` that are settled, without those that were taken back.

    An exchange is settled when a person has gone on after it, or when nothing has happened for ``quiet``
    minutes; with ``whole`` all of them are.
    """
    turns = _after(layout, session, mark)
    if not turns:
        return []
    if not whole and not _quiet(layout, session, turns, quiet):
        last = max((at for at, turn in enumerate(turns) if turn.get("role") == "user"), default=0)
        turns = turns[:last]
    gone = session_meta.abandoned(meta)
    return [turn for turn in turns if not gone(turn["turn"])]


def _after(layout: Layout, session: str, mark: Mark | None) -> list[Turn]:
    if mark is None:
        return transcripts.read_turns(layout, session)
    turns = transcripts.read_turns(layout, session, mark.last)
    if turns and turns[0]["turn"] == mark.last and _same(turns[0], mark):
        return turns[1:]
    every = transcripts.read_turns(layout, session)  # stored anew, with other numbers
    at = next((at for at, turn in enumerate(every) if mark.xid and turn.get("xid") == mark.xid), -1)
    return every[at + 1 :]


def _same(turn: Mapping[str, Any], mark: Mark) -> bool:
    return not mark.xid or turn.get("xid") == mark.xid


def _quiet(layout: Layout, session: str, turns: Iterable[Turn], minutes: int) -> bool:
    """Whether nothing has happened for so long. A stamp ahead of now is another machine's clock, which says
    nothing: then the time counts at which the turns came in, or else the last one that can be true."""
    now = clock.now().timestamp()
    stamps = [clock.parse(str(turn.get("ts") or "")) for turn in turns]
    known = [at.timestamp() for at in stamps if at is not None]
    if known and max(known) <= now:
        last = max(known)
    else:
        try:
            came = os.stat(transcripts.file_of(layout, session)).st_mtime
        except OSError:
            return False
        past = [at for at in known if at <= now]
        last = came if came <= now else max(past, default=0.0)
    return now - last >= minutes * 60
