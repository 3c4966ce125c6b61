"""The state of a store on a terminal: checks with ✓ and ✗, what a rebuild did, what a watcher saw."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from memex_core.cli.paper import Paper, Span, place, plural
from memex_core.cli.parse import Request

Result = dict[str, Any]
_SHOWN = 20  # findings of one check; --json has them all


def status(result: Result, paper: Paper, request: Request) -> None:
    paper.line((place(result["root"]), "title"))
    kinds = ", ".join(f"{count:,} {kind}" for kind, count in (result.get("by_type") or {}).items())
    paper.line(plural(result["pages"], "page"), (f": {kinds}" if kinds else "", "dim"), indent=2)
    for one in result.get("attention") or ():
        paper.line((f"{one['message']}: {one['next']}", "warn"), indent=2)
    if result.get("projects"):
        paper.line((f"{plural(result['projects'], 'project')}", "dim"), indent=2)
    if result.get("unresolved_links"):
        paper.line(
            (f"{plural(result['unresolved_links'], 'link')} to pages that do not exist", "dim"), indent=2
        )
    if result.get("problems"):
        paper.line((f"{plural(result['problems'], 'page')} with problems: memex verify", "warn"), indent=2)
    sessions, days = result.get("sessions", 0), result.get("diary_days", 0)
    unread = _unread(result.get("learning") or {})
    paper.line(f"{plural(sessions, 'conversation')}, {plural(days, 'diary day')}", (unread, "dim"), indent=2)
    if result.get("vectors"):
        from memex_core.cli.views.embed import coverage

        coverage(result["vectors"], paper)
    last = result.get("last_change")
    if last:
        what = f"{last['action']} {last['file']} by {last['actor']}"
        paper.line(("last change: ", "dim"), f"{_moment(last['ts'])}  {what}", indent=2)
    for kind, run in (result.get("last_runs") or {}).items():
        waits = f", waits for {run['waits']}" if run.get("waits") else ""
        mark: Span = (waits, "warn") if run["ok"] else (" failed", "bad")
        paper.line((f"last {kind} run: ", "dim"), _moment(run["ts"]), mark, indent=2)
    size = f"{result.get('index_bytes', 0) / 1e6:.1f} MB"
    built = _moment(str(result.get("last_index_rebuild") or ""))
    paper.line(("index: ", "dim"), f"{size}, built {built}" if built else size, indent=2)


def _unread(waits: Result) -> str:
    """What waits for a model."""
    parts = [f"{waits['unread']:,} unread" if waits.get("unread") else ""]
    parts.append(f"{plural(waits['retrying'], 'job')} tried again" if waits.get("retrying") else "")
    if waits.get("unread") and waits["held"] and waits["held"]["code"] == "no-model":
        parts.append("no model is named to read them")
    told = ", ".join(filter(None, parts))
    return f": {told}" if told else ""


def _moment(stamp: str) -> str:
    return stamp[:16].replace("T", " ")


def info(result: Result, paper: Paper, request: Request) -> None:
    paper.outline({key: value for key, value in result.items() if key != "settings"})
    rows = [[_shown(part) for part in setting.values()] for setting in result.get("settings") or ()]
    if rows:
        paper.heading("settings")
        paper.table(list(result["settings"][0]), rows, flexible=(1,))


def _shown(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return ", ".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)


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


_LEVELS: dict[str, Span] = {"ok": ("✓ ", "good"), "warn": ("! ", "warn"), "fail": ("✗ ", "bad")}
_RESULTS = {"PASS": "good", "PARTIAL": "warn", "FAIL": "bad"}


def doctor(result: Result, paper: Paper, request: Request) -> None:
    for check in result["checks"]:
        paper.line(_LEVELS[check["level"]], (f"{check['name']:<10}", "name"), check["detail"])
        for finding in check["files"][:_SHOWN]:
            paper.line((_where(finding), "link"), f"  {finding['message']}", indent=12)
        if check["fix"]:
            paper.line(("→ ", "dim"), check["fix"], indent=12)
    done = "would clear up " if request.values.get("dry_run") else "cleared up "
    for name in result["fixed"]:
        paper.line((done, "good"), name)
    paper.line((result["result"], _RESULTS[result["result"]]))


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
    if request.values.get("dry_run"):
        paper.line((f"would index {count}, {result['nodes_skipped']:,} unchanged", "dim"))
        return
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
    "info": info,
    "verify": verify,
    "doctor": doctor,
    "rebuild-index": rebuilt,
    "watch": watch,
}
