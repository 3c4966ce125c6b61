"""What deleting conversations will take, and what a capture did, in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from memex_core.model.results import CaptureReport
from memex_tui.render.text import counted


class Way(NamedTuple):
    """A way to take conversations away; ``goes`` and ``stays`` are paths of the pages concerned."""

    id: str
    title: str
    help: str
    sure: str = ""  # what is asked before it is done
    goes: tuple[str, ...] = ()
    stays: tuple[str, ...] = ()


def ways(impact: Mapping[str, Any]) -> list[Way]:
    """How a session can be deleted; ``impact`` is what `purge` would take."""
    turns = counted(impact["turns"], "turn")
    episodes, made, citing = (tuple(impact[key]) for key in ("episodes", "pages", "citing"))
    lines = counted(impact["journal_lines"], "line")
    pages = counted(len(episodes) + len(made), "page")
    return [
        Way(
            "delete",
            "Delete",
            f"Takes {turns} and {counted(len(episodes), 'episode page')}. A capture may bring it again.",
            goes=episodes,
            stays=(*made, *citing),
        ),
        Way(
            "purge",
            "Erase for good",
            f"Takes {turns}, {pages} and {lines} of the journal. It is never captured again.",
            "⏎ again erases it for good",
            (*episodes, *made),
            citing,
        ),
    ]


def clearing(sessions: int) -> list[Way]:
    """The one way to delete all conversations."""
    what = counted(sessions, "conversation")
    return [
        Way(
            "clear", f"Delete {what}", "Their turns go; pages stay, episodes too.", "⏎ again deletes them all"
        )
    ]


def told(report: CaptureReport) -> str:
    """What a capture did, in a line."""
    fresh = [one for one in report["sessions"] if one["new_turns"]]
    new = sum(one["new_turns"] for one in fresh)
    parts = [f"{counted(new, 'new turn')} from {counted(len(fresh), 'session')}" if new else "nothing new"]
    same = len(report["sessions"]) - len(fresh)
    parts += [f"{same:,} as before"] if same else []
    parts += [f"{len(report['left_out']):,} left out"] if report["left_out"] else []
    parts += [counted(len(report["warnings"]), "warning")] if report["warnings"] else []
    return " · ".join(parts)


class Told(NamedTuple):
    """A line of what a capture did: its sign (``+``, ``-``, ``!``), what, and the rest."""

    sign: str
    what: str
    rest: str


def told_lines(report: CaptureReport) -> list[Told]:
    """What a capture did, one line a session or file; sessions that are as they were are left out."""
    found = [
        Told(
            "+", one["title"], f"{one['agent'] or ''} · {counted(one['new_turns'], 'new turn')}".lstrip(" ·")
        )
        for one in report["sessions"]
        if one["new_turns"]
    ]
    found += [Told("-", one["path"], one["reason"]) for one in report["left_out"]]
    for one in report["warnings"]:
        where = one["file"] + (f":{one['line']}" if one["line"] else "")
        found.append(Told("!", where or "capture", one["message"]))
    return found
