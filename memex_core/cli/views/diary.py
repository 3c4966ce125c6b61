"""The diary on a terminal."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from memex_core.cli.paper import Paper, place
from memex_core.cli.parse import Request

Result = dict[str, Any]


def append(result: Result, paper: Paper, request: Request) -> None:
    would = bool(result.get("dry_run"))
    at = f"{result['date']} {result['time']}"
    paper.line(
        ("would note " if would else "noted ", "warn" if would else "good"),
        at,
        (f" · {place(result['file_path'])}", "dim"),
    )


def show(result: Result, paper: Paper, request: Request) -> None:
    if not result["entries"]:
        paper.line(("no entry", "dim"))
        return
    day = ""
    for entry in result["entries"]:
        if entry["date"] != day:
            if day:
                paper.gap()
            day = entry["date"]
            paper.heading(day)
        paper.line((f"{entry['time']}  ", "name"), entry["text"])


def dates(result: Result, paper: Paper, request: Request) -> None:
    if not result["dates"]:
        paper.line(("no day has an entry", "dim"))
    for day in result["dates"]:
        paper.line(day)


VIEWS: dict[str, Callable[[Result, Paper, Request], None]] = {
    "diary append": append,
    "diary show": show,
    "diary dates": dates,
    "diary on-this-day": show,
}
