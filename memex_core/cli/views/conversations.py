"""Conversations and provenance on a terminal."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from memex_core.cli.paper import Paper, place, plural
from memex_core.cli.parse import Request
from memex_core.model.printable import one_line

Result = dict[str, Any]


def ingested(result: Result, paper: Paper, request: Request) -> None:
    would = bool(request.values.get("dry_run"))
    parts = f"{result['user_turns']} user, {result['agent_turns']} agent, {result['tool_turns']} tool"
    paper.line(
        ("would store " if would else "stored ", "warn" if would else "good"), (result["session_id"], "name")
    )
    paper.line(f"{plural(result['turn_count'], 'turn')} ({parts}), {result['new_turns']:,} new", indent=2)
    paper.line((f"{place(result['episode_file_path'])}", "dim"), indent=2)


def sessions(result: Result, paper: Paper, request: Request) -> None:
    if not result["sessions"]:
        paper.line(("no conversation", "dim"))
        return
    paper.table(
        ("session", "title", "agent", "started", ">turns"),
        (
            (
                (one["session_id"], "name"),
                one.get("title") or "",
                (one.get("agent") or "", "dim"),
                ((one.get("started_at") or "")[:16].replace("T", " "), "dim"),
                f"{one['turn_count']:,}",
            )
            for one in result["sessions"]
        ),
        flexible=(0, 1),
    )
    paper.line((f"{len(result['sessions']):,} of {plural(result['total'], 'conversation')}", "dim"))


def session(result: Result, paper: Paper, request: Request) -> None:
    paper.line((result.get("title") or result["session_id"], "title"))
    about = [
        result["session_id"],
        result.get("agent"),
        (result.get("started_at") or "")[:16].replace("T", " "),
    ]
    paper.line((" · ".join(str(part) for part in about if part), "dim"))
    for turn in result["turns"]:
        paper.gap()
        who = turn.get("name") or turn.get("tool_name") or turn["role"]
        style = {"user": "heading", "agent": "title"}.get(turn["role"], "dim")
        paper.line((f"{turn['turn']:>4}  ", "dim"), (str(who), style), (f"  {turn.get('ts') or ''}", "dim"))
        said = str(turn.get("content") or turn.get("result") or "")
        for line in said.rstrip("\n").split("\n"):
            paper.line(line, indent=6)


def trace(result: Result, paper: Paper, request: Request) -> None:
    style = {"direct": "good", "inferred": "warn"}.get(result["confidence"], "bad")
    paper.line((result["slug"], "title"), ("  provenance: ", "dim"), (result["confidence"], style))
    for lane in ("evidence", "context"):
        if result[lane]:
            paper.heading(lane.capitalize())
        for turn in result[lane]:
            found = ("✓ ", "good") if turn.get("found") else ("✗ ", "bad")
            paper.line(
                found, f"{turn['session']}#{turn['turn']}", (f"  {turn.get('role') or ''}", "dim"), indent=2
            )
            if turn.get("quote"):
                paper.line(f"“{turn['quote']}”", indent=4)
            elif turn.get("text"):
                paper.line((one_line(turn["text"])[:200], "dim"), indent=4)
    for key, label in (("linked_episodes", "Linked episodes"), ("transcript_files", "Transcripts")):
        if result.get(key):
            paper.heading(label)
        for name in result.get(key) or ():
            paper.line(place(name) if key == "transcript_files" else name, indent=2)


def cleared(result: Result, paper: Paper, request: Request) -> None:
    count = plural(int(result["sessions"]), "conversation")
    done = bool(result.get("cleared"))
    paper.line(
        (f"{count} {'deleted' if done else 'would be deleted; pages stay'}", "good" if done else "bad")
    )


VIEWS: dict[str, Callable[[Result, Paper, Request], None]] = {
    "ingest-transcript": ingested,
    "sessions": sessions,
    "session": session,
    "trace": trace,
    "clear-transcripts": cleared,
}
