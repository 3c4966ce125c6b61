"""The model that consolidates, on a terminal: its settings and where each is from."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from memex_core.cli.paper import Paper
from memex_core.cli.parse import Request

Result = dict[str, Any]


def show(result: Result, paper: Paper, request: Request) -> None:
    if result["name"]:
        paper.line((result["name"], "name"))
    for row in result["settings"]:
        value = str(row["value"]) if row["value"] not in ("", 0) else "–"
        paper.line((f"{row['name']:<11}", "dim"), value, (f"  {row['origin']}", "dim"), indent=2)
    calls = result["calls"]
    limits = f"at most {calls['max_per_run']:,} a run, {calls['max_per_day']:,} in 24 hours"
    paper.line((f"{calls['day']:,} calls in the last 24 hours; {limits}", "dim"))
    if result["held"]:
        _wrong(result["held"], paper)


def changed(result: Result, paper: Paper, request: Request) -> None:
    taken = not any(result["changes"].values())  # what a reset does
    tried, done, where = ("Would take", "Took", "out of") if taken else ("Would write", "Wrote", "in")
    did = tried if result["dry_run"] else done if result["changed"] else "Unchanged:"
    names = ", ".join(name for name in result["changes"]) or "nothing"
    paper.line(f"{did} {names} {where} [{result['table']}]")
    if not result["dry_run"]:
        show(result, paper, request)


def test(result: Result, paper: Paper, request: Request) -> None:
    if result["ok"]:
        took = f"  {result['ms']:,} ms"
        paper.line((result["name"], "name"), " answers: ", (result["answer"], "good"), (took, "dim"))
        if result["released"]:
            paper.line(("what was held is let go: memex consolidate", "dim"))
        return
    _wrong(result, paper)


def _wrong(row: Result, paper: Paper) -> None:
    paper.line((row["message"] or row["cause"], "bad"), (f"  {row['code']}", "dim"))
    if row["impact"]:
        paper.line((row["impact"], "dim"), indent=2)
    paper.line(("next: ", "dim"), row["next"], indent=2)


VIEWS: dict[str, Callable[[Result, Paper, Request], None]] = {
    "models show": show,
    "models set": changed,
    "models reset": changed,
    "models test": test,
}
