"""What the Sessions area shows: conversations, their turns by day, and how to go on with one.

Plain functions over the core; those that take a ``Memex`` are called in a lane of the gateway.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, timedelta
from typing import Any, NamedTuple

from memex_core.files.sessions import list_sessions
from memex_core.index.activity import Fed, fed_pages, turns_by_day
from memex_core.memex import Memex
from memex_core.model import clock
from memex_core.model.results import SessionSummary
from memex_tui.render.text import printable

WEEKS = 26  # weeks of activity that are asked for
LEVELS = "▁▂▃▄▅▆▇█"
RESUME = {
    "claude": "claude --resume {id}",
    "codex": "codex resume {id}",
    "gemini": "gemini --resume {id}",
    "pi": "pi --session {id}",
}
HOW_THEY_COME = (
    "No conversation is kept here yet.\n\n"
    "c captures what the agents on this machine have said: Claude Code, Codex, pi and Gemini CLI keep their "
    "sessions in your home folder, some only for weeks. Nothing there is changed, secrets are taken out, and "
    "a later capture adds only what is new.\n\n"
    "C captures one file: an export of ChatGPT or claude.ai, or a session file of an agent.\n\n"
    "`memex capture --all` does the same on the command line."
)


class Session(NamedTuple):
    """A conversation in the list. ``tokens`` is None where its source told none; ``ended`` may be empty."""

    id: str
    title: str
    agent: str
    project: str
    started: str
    ended: str
    turns: int
    typed: int
    answers: int
    tools: int
    tokens: int | None


class Fruit(NamedTuple):
    """What came of all conversations: their turns by day, and the pages that they fed."""

    days: Mapping[str, Mapping[str, int]] = {}
    pages: Mapping[str, Sequence[Fed]] = {}


# -- loading -----------------------------------------------------------------------------------


def load(memex: Memex) -> tuple[Session, ...]:
    """All conversations, newest first; neither turns nor the index are read."""
    found = [session_of(one) for one in list_sessions(memex.store.layout)]
    return tuple(sorted(found, key=lambda one: (one.started, one.id), reverse=True))


def load_fruit(memex: Memex) -> Fruit:
    """What came of them; of days the last weeks."""
    memex.store.look_again()
    first = date.fromisoformat(clock.today()) - timedelta(weeks=WEEKS)
    db = memex.store.index.db
    return Fruit(turns_by_day(db, first.isoformat()), fed_pages(db))


def session_of(found: SessionSummary) -> Session:
    return Session(
        found["session_id"],
        found["title"],
        found["agent"] or "",
        found["project"],
        found["started_at"] or "",
        found["ended_at"] or "",
        found["turn_count"],
        found["user_turns"],
        found["agent_turns"],
        found["tool_turns"],
        tokens_of(found["token_usage"]),
    )


def tokens_of(usage: Mapping[str, Any] | None) -> int | None:
    """Tokens that were new to the model or came from it; what it read again from its cache is left out."""
    keys = ("input", "cache_creation", "cache_write", "output", "thoughts", "tool")
    known = [usage[key] for key in keys if isinstance(usage.get(key), int)] if usage else []
    return sum(known) if known else None


def resume_command(memex: Memex, session: str) -> str:
    """The command that goes on with the conversation in its folder; empty when its agent has none."""
    about = memex.session(session, turns="1-1")
    command = RESUME.get(about["agent"] or "", "").format(id=shlex.quote(session))
    folder = about["cwd"]
    if command and isinstance(folder, str) and folder:
        return f"cd {shlex.quote(folder)} && {command}"
    return command


# -- in words ----------------------------------------------------------------------------------


def when(stamp: str, today: str) -> str:
    """A time as one remembers it: ``today 09:14``, ``yesterday``, ``21 Nov``, ``2025-11-21``."""
    day, time = stamp[:10], stamp[11:16]
    try:
        ago = (date.fromisoformat(today) - date.fromisoformat(day)).days
    except ValueError:
        return "no date" if not stamp else printable(stamp[:16])
    if ago in (0, 1):
        return f"{'today' if ago == 0 else 'yesterday'} {time}".strip()
    if 0 < ago < 300:
        return f"{int(day[8:])} {date.fromisoformat(day):%b} {time}".strip()
    return day


def length(started: str, ended: str) -> str:
    """How long it went on: ``40 s``, ``12 min``, ``3 h 05``, ``4 days``; empty for no or an unknown time."""
    begin, end = clock.parse(started), clock.parse(ended)
    if begin is None or end is None or len(started) < 16 or len(ended) < 16 or end < begin:
        return ""
    seconds = int((end - begin).total_seconds())
    if seconds < 60:
        return f"{seconds} s" if seconds else ""
    if seconds < 3_600:
        return f"{seconds // 60} min"
    hours, minutes = seconds // 3_600, seconds % 3_600 // 60
    return f"{hours} h {minutes:02}" if hours < 48 else f"{hours // 24} days"


def short_number(number: int) -> str:
    """``950``, ``12k``, ``3.4M``."""
    if number < 1_000:
        return str(number)
    if number < 999_500:
        return f"{number / 1_000:.1f}k" if number < 9_950 else f"{round(number / 1_000)}k"
    return f"{number / 1_000_000:.1f}M"


def roles(one: Session) -> str:
    """The turns by who speaks: ``4 you · 48 agent · 44 tools``."""
    parts = ((one.typed, "you"), (one.answers, "agent"), (one.tools, "tool" if one.tools == 1 else "tools"))
    return " · ".join(f"{number:,} {name}" for number, name in parts if number)


# -- activity ----------------------------------------------------------------------------------


def activity(fruit: Fruit, sessions: Iterable[Session], today: str, days: int) -> list[int]:
    """Turns of the sessions on each of the last days, today the last."""
    last = date.fromisoformat(today)
    first = last - timedelta(days=days - 1)
    counts = [0] * days
    for one in sessions:
        for day, count in fruit.days.get(one.id, {}).items():
            place = (date.fromisoformat(day) - first).days
            if 0 <= place < days:
                counts[place] += count
    return counts


def sparks(counts: Sequence[int]) -> str:
    """A bar a day: a dot for nothing, else by the root of its share of the busiest day."""
    top = max(counts, default=0)
    bars = []
    for count in counts:
        step = round((count / top) ** 0.5 * (len(LEVELS) - 1)) if top else 0
        bars.append(LEVELS[step] if count else "·")
    return "".join(bars)
