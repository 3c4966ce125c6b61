"""What a run of ``memex embed`` did, or would do, on a terminal."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from memex_core.cli.paper import Paper, plural
from memex_core.cli.parse import Request

Result = dict[str, Any]


def embed(result: Result, paper: Paper, request: Request) -> None:
    tokens = f"about {result['tokens']:,} tokens"
    if result["dry_run"]:
        waiting = plural(result["waiting"], "text")
        paper.line(f"{waiting} without a vector of {result['model']}.")
        if result["would_embed"]:
            paper.line((f"A run would send {result['would_embed']:,} of them, {tokens}.", "dim"))
        return
    if result["embedded"]:
        made = f"{plural(result['embedded'], 'vector')} made by {result['model']}"
        paper.line(f"{made}, {result['width']} numbers each", (f" ({tokens})", "dim"))
    elif not result["waiting"]:
        paper.line("Every text has its vector.")
    if result["removed"]:
        paper.line((f"{plural(result['removed'], 'vector')} of texts that are gone taken out", "dim"))
    if result["waiting"]:
        paper.line((f"{plural(result['waiting'], 'text')} left: memex embed goes on", "warn"))


def coverage(vectors: Result, paper: Paper) -> None:
    """The line of ``memex status`` about them."""
    said = ", ".join(
        f"{vectors[kind]['with']:,} of {plural(vectors[kind]['all'], one)}"
        for kind, one in (("pages", "page"), ("diary", "diary entry"), ("turns", "turn"))
        if vectors[kind]["all"]
    )
    paper.line(("vectors: ", "dim"), f"{said or 'nothing to embed'} by {vectors['model']}", indent=2)
    if any(vectors[kind]["with"] < vectors[kind]["all"] for kind in ("pages", "diary", "turns")):
        paper.line(("the rest is found by its words only: memex embed", "warn"), indent=4)


VIEWS: dict[str, Callable[[Result, Paper, Request], None]] = {"embed": embed}
