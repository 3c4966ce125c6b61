"""Which agents have memex, which files an installation changed, and what to do next."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from memex_core.cli.paper import Paper, Span, place
from memex_core.cli.parse import Request
from memex_core.cli.views.history import diff

Result = dict[str, Any]
_SIGNS = {"created": ("+ ", "added"), "changed": ("~ ", "warn"), "removed": ("- ", "removed")}


def install(result: Result, paper: Paper, request: Request) -> None:
    if "agents" in result:
        _agents(result, paper)
    elif "mcp" in result:
        _custom(result, paper)
    else:
        _files(result, paper, "installed for", "is installed already for")
        paper.line(("its memory: ", "dim"), place(result["root"]), indent=2)
        _rest(result, paper)


def uninstall(result: Result, paper: Paper, request: Request) -> None:
    _files(result, paper, "removed from", "has nothing to remove from")
    _rest(result, paper)


def _agents(result: Result, paper: Paper) -> None:
    paper.table(
        ("agent", "", "hooks", "MCP", "settings"),
        ((one["agent"], _state(one), *_has(one), (_settings(one), "dim")) for one in result["agents"]),
        flexible=(4,),
    )
    for one in result["agents"]:
        if one["problem"]:
            paper.line((f"{one['agent']}: ", "name"), (one["problem"], "bad"))
        elif one["changed"]:
            paper.line((f"{one['agent']}: ", "name"), (f"changed by you: {', '.join(one['changed'])}", "dim"))
    paper.gap()
    paper.line(("memory: ", "dim"), place(result["root"]))
    paper.verbatim("memex install NAME connects one; --dry-run shows what would change")


def _state(one: Result) -> Span:
    if one["problem"]:
        return ("problem", "bad")
    if one["installed"]:
        return ("installed", "good") if one["complete"] else ("in part", "warn")
    return ("not installed", "") if one["found"] else ("not here", "dim")


def _has(one: Result) -> tuple[str, str]:
    return str(len(one["hooks"])) if one["hooks"] else "", "yes" if one["mcp"] else ""


def _settings(one: Result) -> str:
    return ", ".join(place(path) for path in one["config"])


def _files(result: Result, paper: Paper, done: str, nothing: str) -> None:
    changed = [one for one in result["files"] if one["change"] != "unchanged"]
    would = bool(result["dry_run"])
    if not changed:
        paper.line((f"memex {nothing} ", "dim"), result["title"])
    else:
        paper.line((f"{'would be ' if would else ''}{done} ", "warn" if would else "good"), result["title"])
    for one in changed:
        paper.line(_SIGNS[one["change"]], place(one["path"]), (f"  {one['change']}", "dim"), indent=2)
        if one["backup"]:
            paper.line(("as it was: ", "dim"), place(one["backup"]), indent=4)
    if would:
        for one in changed:
            paper.gap()
            diff(one, paper, Request())


def _rest(result: Result, paper: Paper) -> None:
    for note in result["notes"]:
        paper.line(("! ", "warn"), note, indent=2)
    if result["next"] and not result["dry_run"]:
        paper.gap()
        for line in result["next"]:
            paper.line(("→ ", "dim"), line)


def _custom(result: Result, paper: Paper) -> None:
    paper.line(("memory: ", "dim"), place(result["root"]), ("  made" if result["created"] else "", "good"))
    paper.gap()
    paper.heading("MCP server")
    paper.verbatim(json.dumps(result["mcp"], ensure_ascii=False, indent=2), "code", indent=2)
    paper.gap()
    paper.heading("Hooks")
    for one in result["hooks"]:
        paper.verbatim(one["command"], "code", indent=2)
    _rest(result, paper)


VIEWS: dict[str, Callable[[Result, Paper, Request], None]] = {"install": install, "uninstall": uninstall}
