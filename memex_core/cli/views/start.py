"""The demo's first look on a terminal."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from memex_core.cli.paper import Paper, plural
from memex_core.cli.parse import Request
from memex_core.cli.views import pages, recall

Result = dict[str, Any]


def demo(result: Result, paper: Paper, request: Request) -> None:
    count = plural(result["pages"], "page")
    if result.get("dry_run"):
        paper.line(("would build ", "warn"), f"a demo store of {count} in {result['root']}")
        return
    paper.line(
        ("built " if result["created"] else "found ", "good"), f"a demo store of {count} in {result['root']}"
    )
    paper.gap()
    paper.line(("$ ", "dim"), (result["next"][0], "code"))
    paper.gap()
    recall.recall(result["recall"], paper, request)
    paper.gap()
    paper.line(("$ ", "dim"), (f"memex show {result['page']['slug']}", "code"))
    paper.gap()
    pages.show(result["page"], paper, request)
    paper.gap()
    paper.heading("Go on with")
    for command in result["next"][1:]:
        paper.verbatim(command, indent=2)
    paper.gap()
    paper.heading("Take it away")
    paper.verbatim(result["remove"], indent=2)


VIEWS: dict[str, Callable[[Result, Paper, Request], None]] = {"demo": demo}
