"""Items on a terminal."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from memex_core.cli.paper import Paper, plural
from memex_core.cli.parse import Request

Result = dict[str, Any]


def ls(result: Result, paper: Paper, request: Request) -> None:
    if not result["files"]:
        paper.line(("no item", "dim"))
        return
    paper.table(
        (">items", "file"),
        ((f"{one['items']:,}", (one["file"], "link")) for one in result["files"]),
        flexible=(1,),
    )


def show(result: Result, paper: Paper, request: Request) -> None:
    paper.verbatim(result["text"])


def grep(result: Result, paper: Paper, request: Request) -> None:
    for one in result["matches"]:
        paper.line((f"{one['file']}:{one['name']}", "link"), (":", "dim"), one["line"])
    if not result["matches"]:
        paper.line(("no item matches", "dim"))


def explain(result: Result, paper: Paper, request: Request) -> None:
    from memex_core.wikimem.looking import explain_text

    paper.verbatim(explain_text(result))


def graph(result: Result, paper: Paper, request: Request) -> None:
    """Every item with what it links to."""
    missing = {one["id"] for one in result["nodes"] if one["unresolved"]}
    leaving: dict[str, list[str]] = {}
    for edge in result["edges"]:
        leaving.setdefault(edge["source"], []).append(edge["target"])
    for one in result["nodes"]:
        if one["unresolved"]:
            continue
        paper.line((one["id"], "title"))
        for target in leaving.get(one["id"], ()):
            paper.line(("→ ", "dim"), (target, "warn" if target in missing else "link"), indent=2)
    count = sum(not one["unresolved"] for one in result["nodes"])
    paper.line((f"{plural(count, 'item')}, {plural(len(result['edges']), 'link')}", "dim"))


VIEWS: dict[str, Callable[[Result, Paper, Request], None]] = {
    "items ls": ls,
    "items show": show,
    "items grep": grep,
    "items explain": explain,
    "items graph": graph,
}
