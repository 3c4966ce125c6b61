"""The rules of extraction on a terminal: what holds, what they keep out, and what a change did."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from memex_core.cli.paper import Paper, place, plural
from memex_core.cli.parse import Request

Result = dict[str, Any]


def show(result: Result, paper: Paper, request: Request) -> None:
    where = place(result["file"])
    if not result["applied"]:
        paper.line((where, "name"), ("  does not load: nothing is extracted", "bad"))
    elif not result["exists"]:
        paper.line((where, "name"), ("  not there: nothing is kept out", "dim"))
    else:
        paper.line((where, "name"), (f"  revision {result['revision']}", "dim"))
    paper.table(
        ("rule", "where", "", "says", "note"),
        [
            (
                (row["id"], "name"),
                row["project"] or ("everywhere", "dim"),
                (row["state"], "dim" if row["state"] == "on" else "bad"),
                row["says"] + (f"  ({row['scope']})" if row.get("scope", "both") != "both" else ""),
                (row.get("note", ""), "dim"),
            )
            for row in result["rules"]
        ],
        flexible=(3, 4),
    )
    if result["clause"]:
        paper.line(("A model is told:", "dim"))
        for line in result["clause"].split("\n"):
            paper.line(line, indent=2)
    for row in result["history"][:5]:
        paper.line((f"kept state {row['number']}", "name"), f"  replaced {row['at'][:16].replace('T', ' ')}")


def validate(result: Result, paper: Paper, request: Request) -> None:
    if not result["exists"]:
        paper.line((place(result["file"]), "name"), "  not there: nothing is kept out")
        return
    for problem in result["problems"]:
        paper.line(("✗ ", "bad"), problem)
    if result["ok"]:
        paper.line(("✓ ", "good"), (place(result["file"]), "name"), f"  {plural(result['rules'], 'rule')}")


def test(result: Result, paper: Paper, request: Request) -> None:
    if result["held"]:
        paper.line((f"nothing can be told, and nothing would be stored: {result['held']}", "bad"))
        return
    for row in result["pages"]:
        paper.line((row["path"], "name"), f"  {', '.join(row['rules'])}")
    for row in result["turns"]:
        paper.line((f"{row['session_id']} turn {row['turn']}", "name"), f"  {', '.join(row['rules'])}")
    pages, turns = plural(result["pages_checked"], "page"), plural(result["turns_checked"], "turn")
    paper.line(
        f"{len(result['pages'])} of {pages} and {len(result['turns'])} of {turns} would be kept out by "
        f"{plural(result['bans'], 'pattern')}"
    )
    if result["unmeasured"]:
        told = plural(result["unmeasured"], "other rule")
        paper.line((f"{told} only told to a model: not measured here", "dim"))


def changed(result: Result, paper: Paper, request: Request) -> None:
    what = {"rules add": "added", "rules remove": "taken out"}
    name = request.operation.name if request.operation else ""
    if not result["changed"]:
        paper.line(("nothing to change", "dim"))
        return
    would = "would be " if result["dry_run"] else ""
    if name in what:
        paper.line((result["id"], "name"), (f" {would}{what[name]}", "good"))
    elif name == "rules reset":
        paper.line("all rules of extraction ", (f"{would}given up", "warn"))
    else:
        paper.line(f"the rules {would or 'are '}back as they were before change {result['to']}")
    if result["dry_run"]:
        paper.line((f"seen: revision {result['was'] or 'none'}; --expect keeps to it", "dim"))
    else:
        kept = f", state {result['kept']} kept for rollback" if result["kept"] else ""
        paper.line((f"{place(result['file'])}, revision {result['revision']}{kept}", "dim"))


def quarantine(result: Result, paper: Paper, request: Request) -> None:
    would = "would be " if result["dry_run"] else ""
    for id in result["cleared"]:
        paper.line((id, "name"), (f" {would}released", "good"))
    if not result["cleared"] or not result["dry_run"]:
        for row in result["quarantine"]:
            paper.line(
                (str(row.get("id")), "warn"),
                f"  set aside {str(row.get('at'))[:16].replace('T', ' ')}: {row.get('elapsed_ms')} ms on "
                f"{plural(int(row.get('size') or 0), 'character')}",
            )
    if not result["quarantine"] and not result["cleared"]:
        paper.line(("no pattern is set aside", "dim"))


VIEWS: dict[str, Callable[[Result, Paper, Request], None]] = {
    "rules show": show,
    "rules validate": validate,
    "rules test": test,
    "rules add": changed,
    "rules remove": changed,
    "rules reset": changed,
    "rules rollback": changed,
    "rules quarantine": quarantine,
}
