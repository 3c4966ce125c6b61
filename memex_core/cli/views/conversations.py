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


def captured(result: Result, paper: Paper, request: Request) -> None:
    fresh = [one for one in result["sessions"] if one["new_turns"]]
    if fresh:
        paper.table(
            ("session", "title", "agent", ">new", ">turns"),
            (
                (
                    (one["session_id"], "name"),
                    one["title"],
                    (one["agent"] or "", "dim"),
                    (f"{one['new_turns']:,}", "good"),
                    f"{one['turns']:,}",
                )
                for one in fresh
            ),
            flexible=(0, 1),
        )
    would = "would be " if result["dry_run"] else ""
    new = sum(one["new_turns"] for one in fresh)
    same = len(result["sessions"]) - len(fresh)
    taken = f"{plural(new, 'new turn')} {would}captured from {plural(len(fresh), 'session')}"
    told = [taken if new else "nothing new"]
    if same:
        told.append(f"{plural(same, 'session')} as before")
    paper.line(("; ".join(told), "good" if new else "dim"))
    for one in result["left_out"]:
        paper.line(("left out  ", "warn"), place(one["path"]), (f"  {one['reason']}", "dim"))
        for key, label in (("erased", "erased with it: "), ("kept", "kept, without its words: ")):
            if one.get(key):
                paper.line((label, "dim"), ", ".join(one[key]), indent=2)


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
        left = "  taken back" if turn.get("abandoned") else ""
        paper.line(
            (f"{turn['turn']:>4}  ", "dim"), (str(who), style), (f"  {turn.get('ts') or ''}{left}", "dim")
        )
        said = str(turn.get("content") or turn.get("result") or "")
        for line in said.rstrip("\n").split("\n"):
            paper.line(line, indent=6)


def trace(result: Result, paper: Paper, request: Request) -> None:
    style = {"direct": "good", "inferred": "warn"}.get(result["confidence"], "bad")
    paper.line((result["slug"], "title"), ("  provenance: ", "dim"), (result["confidence"], style))
    for lane in ("evidence", "context"):
        paper.heading(lane.capitalize())
        if not result[lane]:
            paper.line(("not collected", "dim"), indent=2)
        for turn in result[lane]:
            found = ("✓ ", "good") if turn.get("found") else ("✗ ", "bad")
            if turn["session"] is None:
                found, name = ("  ", "dim"), turn["resource"] or turn["title"]
            else:
                name = f"{turn['session']}#{turn['turn']}" if turn["turn"] else turn["session"]
            paper.line(found, str(name), (f"  {said_by(turn)}", "dim"), indent=2)
            if turn.get("quote"):
                paper.line(f"“{turn['quote']}”", indent=4)
            elif turn.get("text"):
                paper.line((one_line(turn["text"])[:200], "dim"), indent=4)
    if result["statements"]:
        paper.heading("Statements")
    for one in result["statements"]:
        named = f"{one['session']}#{one['turn']}" if one["session"] else one["resource"] or "no source"
        paper.line(f"{one['line']:>4}  ", one["text"], (f"  [{one['id']}] {named}", "dim"))
    for key, label in (("linked_episodes", "Linked episodes"), ("transcript_files", "Transcripts")):
        if result.get(key):
            paper.heading(label)
        for name in result.get(key) or ():
            paper.line(place(name) if key == "transcript_files" else name, indent=2)
    if result["missing_transcripts"]:
        when = str(result["transcripts_cleared"] or "")[:10]
        why = f"not stored: all transcripts were cleared on {when}" if when else "not stored"
        paper.line((f"{', '.join(result['missing_transcripts'])}: {why}", "warn"))


def said_by(turn: Result) -> str:
    """Who said a cited turn; nothing for a source that is no turn."""
    return str(turn.get("role") or ("not stored" if turn["session"] else ""))


def cleared(result: Result, paper: Paper, request: Request) -> None:
    count = plural(int(result["sessions"]), "conversation")
    done = bool(result.get("cleared"))
    paper.line(
        (f"{count} {'deleted' if done else 'would be deleted; pages stay'}", "good" if done else "bad")
    )


VIEWS: dict[str, Callable[[Result, Paper, Request], None]] = {
    "ingest-transcript": ingested,
    "capture": captured,
    "sessions": sessions,
    "session": session,
    "trace": trace,
    "clear-transcripts": cleared,
}
