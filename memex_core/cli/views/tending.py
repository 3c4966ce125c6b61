"""Upkeep of all pages on a terminal: what fades, what a bundle lacks, which files were written."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from memex_core.cli.paper import Paper, plural
from memex_core.cli.parse import Request

Result = dict[str, Any]


def decay(result: Result, paper: Paper, request: Request) -> None:
    if result["changed"]:
        paper.table(
            ("page", ">was", ">is", "last used"),
            [
                ((row["path"], "name"), f"{row['before']:g}", f"{row['after']:g}", (row["used"][:10], "dim"))
                for row in result["changed"]
            ],
            flexible=(0,),
        )
    would = "would change" if result["dry_run"] else "changed"
    paper.line(f"{len(result['changed'])} of {plural(result['checked'], 'page')} {would}")
    spared = [f"{count} {why}" for why, count in result["spared"].items() if count]
    if spared:
        paper.line((f"spared: {', '.join(spared)}", "dim"))


def check(result: Result, paper: Paper, request: Request) -> None:
    for one in result["findings"]:
        error = one["level"] == "error"
        paper.line(
            ("✗ " if error else "! ", "bad" if error else "warn"),
            (f"{one['file']}:{one['line']}" if one["line"] else one["file"], "name"),
            f"  {one['message']}",
        )
    verdict = f"an OKF {result['okf_version']} bundle" if result["ok"] else "no OKF bundle yet"
    errors, warnings = plural(result["errors"], "error"), plural(result["warnings_count"], "warning")
    paper.line(
        (f"{verdict}: ", "good" if result["ok"] else "bad"),
        f"{plural(result['pages'], 'page')}, {errors}, {warnings}",
    )


def index(result: Result, paper: Paper, request: Request) -> None:
    would = "would be " if result["dry_run"] else ""
    for row in result["written"]:
        paper.line((row["path"], "name"), (f"  {would}{row['what']}", "good"))
    for row in result["refused"]:
        paper.line((row["path"], "name"), (f"  left alone: {row['reason']}", "warn"))
    paper.line((f"{plural(result['unchanged'], 'file')} as it should be", "dim"))


VIEWS: dict[str, Callable[[Result, Paper, Request], None]] = {
    "decay": decay,
    "okf check": check,
    "okf index": index,
}
