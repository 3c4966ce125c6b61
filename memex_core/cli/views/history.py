"""The journal on a terminal: changes of a page, coloured diffs, what a purge takes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from memex_core.cli.paper import Paper, plural
from memex_core.cli.parse import Request

Result = dict[str, Any]


def history(result: Result, paper: Paper, request: Request) -> None:
    paper.line((result["path"], "title"))
    if result["was"]:
        paper.line((f"{result['was']} is {result['path']} now", "dim"))
    if not result["events"]:
        paper.line(("no change is recorded: the file came from outside and was not touched since", "dim"))
        return
    paper.table(
        (">seq", "time", "change", "by", "file"),
        (
            (
                f"{event['seq']}",
                (event["ts"].replace("T", " ").rstrip("Z"), "dim"),
                (event["action"], "name"),
                event["actor"],
                (_file(event), "dim"),
            )
            for event in result["events"]
        ),
        flexible=(4,),
    )
    for event in result["events"]:
        why = _why(event)
        if why:
            paper.line((f"{event['seq']:>3}  ", "dim"), why)


def _why(event: Result) -> str:
    """What a person said for a reason, and from where to where a page moved in reach."""
    detail = event.get("detail") or {}
    moved, why = detail.get("scope"), detail.get("why")
    told = [" → ".join(map(str, moved))] if isinstance(moved, list) and event["action"] == "scope" else []
    return ": ".join([*told, *([str(why)] if why else [])])


def _file(event: Result) -> str:
    was = (event.get("detail") or {}).get("from")
    return f"{was} → {event['file']}" if was else str(event["file"])


def diff(result: Result, paper: Paper, request: Request) -> None:
    if not result["diff"]:
        paper.line(("no difference", "dim"))
        return
    for line in result["diff"].rstrip("\n").split("\n"):
        if line.startswith(("+++", "---")):
            style = "title"
        elif line.startswith("@@"):
            style = "link"
        else:
            style = {"+": "added", "-": "removed"}.get(line[:1], "")
        paper.verbatim(line, style)


def revert(result: Result, paper: Paper, request: Request) -> None:
    would = bool(result["dry_run"])
    if not result["files"]:
        paper.line((result["slug"], "name"), (" is that version already", "dim"))
        return
    paper.line(
        (result["slug"], "name"),
        (" would be reverted" if would else " reverted", "warn" if would else "good"),
    )
    for path in result["files"]:
        paper.line((f"{'removed ' if path in result.get('removed', ()) else ''}{path}", "dim"), indent=2)
    left = int(result["left"])
    if left:
        others, stay = plural(left, "other page"), "stays as it is" if left == 1 else "stay as they are"
        them = "it" if left == 1 else "them"
        paper.line((f"{others} changed in the same act {stay}; --group takes {them} too", "dim"))


def purge(result: Result, paper: Paper, request: Request) -> None:
    done = bool(result.get("purged"))
    name = result.get("slug") or result.get("session_id") or ""
    paper.line(
        (name, "name"),
        (" is erased for good" if done else " would be erased for good:", "good" if done else "bad"),
    )
    if done:
        return
    for key, label in (
        ("path", "file"),
        ("id", "id"),
        ("episodes", "episode pages"),
        ("pages", "pages made of it"),
        ("proposals", "what was proposed for it"),
        ("citing", "pages that cite it, kept without its words"),
    ):
        value = result.get(key)
        if value:
            paper.line(
                (f"{label}: ", "dim"), ", ".join(value) if isinstance(value, list) else str(value), indent=2
            )
    for key, label in (("turns", "turn"), ("journal_lines", "journal line")):
        if result.get(key):
            paper.line(plural(int(result[key]), label), indent=2)


VIEWS: dict[str, Callable[[Result, Paper, Request], None]] = {
    "history": history,
    "diff": diff,
    "revert": revert,
    "purge": purge,
}
