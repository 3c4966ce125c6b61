"""What waits for a reviewer, and what an act of his did, on a terminal."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from memex_core.cli.paper import Paper, plural
from memex_core.cli.parse import Request

Result = dict[str, Any]


def queue(result: Result, paper: Paper, request: Request) -> None:
    """An item in two lines: what it is and why a person should look, then what does not hold."""
    for item in result["items"]:
        later = ("  deferred", "dim") if item["deferred"] else ("", "dim")
        paper.line(
            (f"{item['kind']:<9}", _STYLES[item["kind"]]), (item["slug"], "name"), f"  {item['title']}", later
        )
        by = f"{item['by'] or 'unknown'}, {item['at'][:10]}"
        paper.line((f"{item['why']}; {by}", "dim"), indent=9)
        for check in item["checks"]:
            if not check["ok"]:
                paper.line((f"{check['name']}: {check['detail']}", "warn"), indent=9)
    rest = result["total"] - len(result["items"])
    if rest > 0:
        paper.line((f"and {rest:,} more; --limit shows more", "dim"))
    if not result["total"]:
        paper.line(("nothing waits for review", "good"))
    else:
        paper.line((f"{plural(result['total'], 'item')}: memex approve, reject, merge or defer SLUG", "dim"))


_STYLES = {"draft": "good", "change": "link", "conflict": "bad", "dispute": "warn"}


def judged(result: Result, paper: Paper, request: Request) -> None:
    """What approve, reject and defer did, a line a page."""
    word = next(word for word in ("approved", "rejected", "deferred") if word in result)
    would = "would be " if result["dry_run"] else ""
    for slug in result[word]:
        paper.line((slug, "name"), (f" {would}{word}", "warn" if would else "good"))


def disputed(result: Result, paper: Paper, request: Request) -> None:
    would = "would be " if result["dry_run"] else ""
    what = f"{would}disputed" if result["disputed"] else f"{would}disputed no more"
    paper.line(
        (result["slug"], "name"), (f" {result['source']} ", "dim"), (what, "warn" if would else "good")
    )


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
    "review": queue,
    "approve": judged,
    "reject": judged,
    "defer": judged,
    "dispute": disputed,
    "merge": merged,
    "promote": tier,
    "demote": tier,
}
