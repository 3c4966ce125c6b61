"""What a store holds and how it is: ``status`` for people at a glance, ``info`` for the details."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any

import memex_core
from memex_core.files import runs, sessions
from memex_core.files.config import SCRUB_OFF

if TYPE_CHECKING:
    from memex_core.files.config import Config
    from memex_core.files.layout import Layout
    from memex_core.index.index import Index
    from memex_core.model.results import SessionSummary


def status(layout: Layout, index: Index, config: Config, warnings: list[str]) -> dict[str, Any]:
    """Counts by type, status and scope, links, sessions, what waits, what ran last, warnings.

    ``last_session`` is the time of each agent's newest conversation, ``last_runs`` the last run of each
    kind: ``{ts, ok, ms}``, with ``waits`` where it could do nothing before that command. ``learning`` counts
    what waits for a model: ``{unread, failed, retrying, held}``; ``attention`` is what waits for the person:
    ``{message, next}``. ``zero_yield_streak``: how many consolidations in a row found nothing.
    """
    from memex_core.care.backlog import attention, backlog
    from memex_core.care.yields import warning as yield_warning
    from memex_core.care.yields import zero_yield_streak
    from memex_core.files import diary
    from memex_core.files.journal import Journal

    streak = zero_yield_streak(layout)
    told = [*warnings, *([] if config.capture.scrub != "off" else [SCRUB_OFF]), yield_warning(streak)]
    last = next(iter(Journal(layout).read(reverse=True)), None)
    counts = index.counts()
    stored = sessions.list_sessions(layout)
    waits = backlog(layout, config, stored)
    pending = counts["status"].get("draft", 0)
    waiting = {"draft": pending, "disputed": counts["disputed"]}
    return {
        "root": layout.root,
        "pages": index.total(),
        "by_type": counts["type"],
        "by_status": counts["status"],
        "by_scope": counts["scope"],
        "projects": len(index.projects()),
        "pending": pending,
        "archived": counts["status"].get("deprecated", 0),
        "disputed": counts["disputed"],
        "unresolved_links": counts["unresolved"],
        "problems": counts["problems"],
        "sessions": len(stored),
        "last_session": _last_by_agent(stored),
        "diary_days": len(diary.dates(layout)),
        "learning": waits._asdict(),
        "attention": attention(waiting, waits, layout),
        "last_change": {key: last[key] for key in ("seq", "ts", "action", "file", "actor")} if last else None,
        "last_runs": _last_runs(layout),
        "last_index_rebuild": index.get_meta("last_index_rebuild"),
        "index_bytes": size_of(index.path),
        "zero_yield_streak": streak,
        "warnings": list(dict.fromkeys(filter(None, told))),
    }


def _last_by_agent(stored: list[SessionSummary]) -> dict[str, str]:
    last: dict[str, str] = {}
    for one in stored:
        agent, at = one["agent"] or "unknown", one["ended_at"] or one["started_at"] or ""
        last[agent] = max(at, last.get(agent, ""))
    return dict(sorted(last.items()))


def _last_runs(layout: Layout) -> dict[str, dict[str, Any]]:
    last: dict[str, dict[str, Any]] = {}
    for run in runs.read(layout):
        kind = str(run.get("kind"))
        if kind not in last and run.get("mode") != "dry-run":  # a look ahead did nothing
            last[kind] = {key: run.get(key) for key in ("ts", "ok", "ms")}
            if run.get("waits"):
                last[kind]["waits"] = run["waits"]
    return last


def info(layout: Layout, index: Index, config: Config) -> dict[str, Any]:
    """Versions, places on disk, the index's schema, and every setting with where it comes from."""
    import sqlite3

    return {
        "version": memex_core.__version__,
        "python": sys.version.split()[0],
        "sqlite": sqlite3.sqlite_version,
        "root": layout.root,
        "pages": layout.pages,
        "opened_as": "folder" if layout.folder else "store",
        "index": index.path,
        "index_schema": index.schema(),
        "journal": layout.journal,
        "config": layout.config if os.path.exists(layout.config) else None,
        "total_indexed": index.total(),
        "by_type": index.counts()["type"],
        "last_index_rebuild": index.get_meta("last_index_rebuild"),
        "settings": config.described(),
        "warnings": [SCRUB_OFF] if config.capture.scrub == "off" else [],
    }


def size_of(path: str) -> int:
    try:
        return os.path.getsize(path)
    except OSError:
        return 0
