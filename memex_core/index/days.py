"""What the index knows of days on this machine's calendar: pages written and changed, conversations held."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from datetime import date, timedelta
from typing import NamedTuple

from memex_core.index.passages import BITS
from memex_core.model import clock


class PageOfDay(NamedTuple):
    """``what`` is ``written``, ``changed`` or ``happened`` (what the page tells did)."""

    day: str
    path: str
    title: str
    type: str
    what: str


class SessionOfDay(NamedTuple):
    """A conversation with its turns of one day."""

    day: str
    session: str
    title: str
    agent: str
    turns: int


def pages_between(db: sqlite3.Connection, start: date, end: date) -> Iterator[PageOfDay]:
    """What befell pages from ``start`` on, before ``end``; of a day and a page the first of it only."""
    first, last = (start - timedelta(1)).isoformat(), (end + timedelta(1)).isoformat()
    rows = db.execute(
        "SELECT path, title, type, occurred_at, created, updated FROM page"
        " WHERE (occurred_at >= ? AND occurred_at < ?)"
        " OR (created >= ? AND created < ?) OR (updated >= ? AND updated < ?) ORDER BY title, path",
        (first, last) * 3,
    )
    for path, title, type, occurred, created, updated in rows:
        told: set[str] = set()
        for what, at in (("happened", occurred), ("written", created), ("changed", updated)):
            day = local_day(at)
            if start.isoformat() <= day < end.isoformat() and day not in told:
                told.add(day)
                yield PageOfDay(day, path, title, type, what)


def sessions_between(db: sqlite3.Connection, start: date, end: date) -> list[SessionOfDay]:
    """The conversations with turns from the day ``start`` on, before ``end``, in the order of their turns."""
    rows = db.execute(
        "SELECT d.name, d.title, d.agent, p.date, p.time, count(*) FROM passage p"
        f" JOIN passage_doc d ON d.id = p.id >> {BITS}"
        " WHERE d.kind = 'turn' AND p.date >= ? AND p.date < ? AND p.start = 0"
        " GROUP BY p.id >> 24, p.date, p.time ORDER BY p.date, p.time",
        ((start - timedelta(1)).isoformat(), (end + timedelta(1)).isoformat()),
    )
    found: dict[tuple[str, str], SessionOfDay] = {}
    for name, title, agent, on, at, turns in rows:
        day = local_day(f"{on}T{at}:00Z" if at else on)
        if start.isoformat() <= day < end.isoformat():
            before = found.get((day, name))
            found[day, name] = SessionOfDay(day, name, title, agent, turns + (before.turns if before else 0))
    return list(found.values())


def local_day(at: str | None) -> str:
    """The day of a stamp on this machine's calendar; a bare date is that day, "" is none."""
    if not at or len(at) <= 10:
        return at or ""
    moment = clock.parse(at)
    return moment.astimezone().date().isoformat() if moment else at[:10]
