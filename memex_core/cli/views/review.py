"""What a reviewer's act did, on a terminal."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from memex_core.cli.paper import Paper
from memex_core.cli.parse import Request

Result = dict[str, Any]


def judged(result: Result, paper: Paper, request: Request) -> None:
    """What approve and reject did, a line a page."""
    word = "approved" if "approved" in result else "rejected"
    would = "would be " if result["dry_run"] else ""
    for slug in result[word]:
        paper.line((slug, "name"), (f" {would}{word}", "warn" if would else "good"))


def merged(result: Result, paper: Paper, request: Request) -> None:
    would = "would be " if result["dry_run"] else ""
    paper.line(
        (result["merged"], "name"),
        (f" {would}merged into ", "warn" if would else "good"),
        (result["slug"], "name"),
    )


def tier(result: Result, paper: Paper, request: Request) -> None:
    would = "would go" if result["dry_run"] else "went"
    paper.line((result["slug"], "name"), (f" {would} from {result['was']} to {result['scope']}", "good"))
    paper.line((result["path"], "dim"), indent=2)


VIEWS: dict[str, Callable[[Result, Paper, Request], None]] = {
    "approve": judged,
    "reject": judged,
    "merge": merged,
    "promote": tier,
    "demote": tier,
}
