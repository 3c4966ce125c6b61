"""The rules of extraction on a terminal: what holds, what they keep out, and what a change did."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from memex_core.cli.paper import Paper, place, plural
from memex_core.cli.parse import Request
from memex_core.cli.views import ruleset

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
    done = {"add": "added", "remove": "taken out"}
    verb = request.operation.name.removeprefix("rules ") if request.operation else ""
    ruleset.changed(result, paper, result.get("id", ""), done.get(verb, verb), "rules of extraction")


def quarantine(result: Result, paper: Paper, request: Request) -> None:
    ruleset.quarantine(result, paper, "pattern")


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
