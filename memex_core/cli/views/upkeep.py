"""The state of a store on a terminal: checks with ✓ and ✗, what a rebuild did, what a watcher saw."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from memex_core.cli.paper import Paper, Span, plural
from memex_core.cli.parse import Request

Result = dict[str, Any]
_SHOWN = 20  # findings of one check; --json has them all


def status(result: Result, paper: Paper, request: Request) -> None:
    well: list[Span] = []
    if "ok" in result:
        well = [("✓ all is well", "good") if result["ok"] else ("✗ needs attention", "bad")]
    paper.line((str(result.get("root", "")), "title"), "  ", *well)
    paper.outline({key: value for key, value in result.items() if key not in ("ok", "root", "warnings")}, 2)


def verify(result: Result, paper: Paper, request: Request) -> None:
    for check in result["checks"]:
        mark: Span = ("✓ ", "good") if check["ok"] else ("✗ ", "bad")
        if not check["ok"] and check.get("level") == "warning":
            mark = ("! ", "warn")
        paper.line(mark, (check["name"], "name"), f"  {check['detail']}" if check["detail"] else "")
        for finding in check["files"][:_SHOWN]:
            paper.line((_where(finding), "link"), f"  {finding.get('message', '')}", indent=4)
        if len(check["files"]) > _SHOWN:
            paper.line((f"and {len(check['files']) - _SHOWN:,} more; --json lists them all", "dim"), indent=4)
    failed = sum(not check["ok"] and check.get("level") != "warning" for check in result["checks"])
    if result["ok"]:
        paper.line((f"all {plural(len(result['checks']), 'check')} hold", "good"))
    else:
        paper.line((f"{plural(failed, 'check')} of {len(result['checks'])} did not hold", "bad"))


def _where(finding: Result) -> str:
    """``file:line:column``, as editors and terminals follow it."""
    where = str(finding.get("file", ""))
    if finding.get("line"):
        where += f":{finding['line']}"
        if finding.get("column"):
            where += f":{finding['column']}"
    return where


def rebuilt(result: Result, paper: Paper, request: Request) -> None:
    seconds = result["duration_ms"] / 1000
    count = plural(result["nodes_indexed"], "page")
    paper.line(
        (f"indexed {count}", "good"), (f" in {seconds:.2f} s, {result['nodes_skipped']:,} unchanged", "dim")
    )
    for error in result["errors"][:_SHOWN]:
        paper.line((_where(error), "link"), f"  {error.get('message', '')}", indent=2)


def watch(batch: Result, paper: Paper, request: Request) -> None:
    """One line a batch."""
    from memex_core.model import clock

    parts: list[Span] = []
    if batch.get("ready"):
        parts.append(("ready, comparing by and by " if batch.get("polling") else "ready ", "good"))
    for key, sign, style in (("added", "+", "added"), ("changed", "~", "warn"), ("removed", "-", "removed")):
        paths = batch.get(key) or []
        parts += [(f"{sign}{path} ", style) for path in paths[:3]]
        if len(paths) > 3:
            parts.append((f"{sign}{len(paths) - 3:,} more ", style))
    renamed = list((batch.get("renamed") or {}).items())
    parts += [(f"{old} → {new} ", "link") for old, new in renamed[:3]]
    if len(renamed) > 3:
        parts.append((f"{len(renamed) - 3:,} more renamed ", "link"))
    if parts:
        paper.line((f"{clock.now():%H:%M:%S}  ", "dim"), *parts)


VIEWS: dict[str, Callable[[Result, Paper, Request], None]] = {
    "status": status,
    "verify": verify,
    "rebuild-index": rebuilt,
    "watch": watch,
}
