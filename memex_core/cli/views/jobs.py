"""Jobs on a terminal: a line each, with what is wrong and what to do under it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from memex_core.cli.paper import Paper, plural
from memex_core.cli.parse import Request

Result = dict[str, Any]
_STYLE = {
    "pending": "name",
    "held": "warn",
    "running": "good",
    "retrying": "warn",
    "failed": "bad",
    "done": "dim",
}


def listing(result: Result, paper: Paper, request: Request) -> None:
    for row in result["jobs"]:
        _line(row, paper)
        if row["state"] in ("retrying", "failed"):
            _wrong(row, paper)
    held = result["held"]
    if held:
        paper.line(("held: ", "warn"), held["message"] or held["cause"])
        paper.line(("next: ", "dim"), held["next"], indent=2)
    counts = ", ".join(f"{number:,} {name}" for name, number in result["counts"].items() if number)
    calls = result["calls"]
    used = f"{calls['day']:,} of {calls['max_per_day']:,} calls of 24 hours"
    paper.line(counts or "nothing unread", (f"; {used}", "dim"))


def show(result: Result, paper: Paper, request: Request) -> None:
    _line(result, paper)
    if result["code"]:
        _wrong(result, paper)
    for slug in result.get("pages", ()):
        paper.line(("page  ", "dim"), slug, indent=2)
    for row in result["history"]:
        paper.line((f"{row['at']}  {row['code']}  ", "dim"), row["message"], indent=2)
    if result["raw"]:
        paper.heading("The answer as it came")
        paper.verbatim(result["raw"])
        if result["raw_chars"] > len(result["raw"]):
            paper.line((f"… {result['raw_chars']:,} characters in all", "dim"))


def _line(row: Result, paper: Paper) -> None:
    span = f"turns {row['first']} to {row['last']}"
    tries = f", {plural(row['attempts'], 'attempt')}" if row["attempts"] else ""
    state = (f"{row['state']:<9}", _STYLE[row["state"]])
    paper.line(state, (row["id"], "name"), (f"  {span}{tries}", "dim"))
    if row["title"]:
        paper.line(row["title"], indent=9)


def _wrong(row: Result, paper: Paper) -> None:
    paper.line((row["message"] or row["cause"], "warn"), (f"  {row['code']}", "dim"), indent=9)
    if row["message"] and row["message"] != row["cause"]:
        paper.line((row["cause"], "dim"), indent=9)
    paper.line((row["impact"], "dim"), indent=9)
    paper.line(("next: ", "dim"), row["next"], indent=9)


def retry(result: Result, paper: Paper, request: Request) -> None:
    would = "would be tried" if result["dry_run"] else "will be tried"
    for name in result["retried"]:
        paper.line((name, "name"))
    paper.line(f"{plural(len(result['retried']), 'job')} {would} again by memex consolidate")
    if result["released"]:
        paper.line(("what was held is let go", "dim"))


def dismiss(result: Result, paper: Paper, request: Request) -> None:
    did = "given up" if result["dismissed"] else "would be given up"
    paper.line((result["id"], "name"), f": {plural(result['turns'], 'turn')} {did}")


VIEWS: dict[str, Callable[[Result, Paper, Request], None]] = {
    "jobs list": listing,
    "jobs show": show,
    "jobs retry": retry,
    "jobs dismiss": dismiss,
}
