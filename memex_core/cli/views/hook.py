"""Receipts on a terminal. A hook's answer is for its agent, and is printed by the hook itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from memex_core.cli.paper import Paper
from memex_core.cli.parse import Request

Result = dict[str, Any]


def receipts(result: Result, paper: Paper, request: Request) -> None:
    if not result["receipts"]:
        asked = request.values.get("prompt")
        paper.line(("No hook has seen that prompt." if asked else "No agent was given anything yet.", "dim"))
        return
    for row in result["receipts"]:
        head = f"{row['event']} · {row['agent'] or 'an agent'}"
        paper.ends(
            [
                (f"{row['seq']:>5}  ", "dim"),
                (row["outcome"], "good" if row["state"] == "emitted" else "warn"),
            ],
            [(f"{head} · {row['ts'][:16].replace('T', ' ')}", "dim")],
        )
        about = " · ".join(part for part in (row["session"], row["project"]) if part)
        if about:
            paper.line((about, "dim"), indent=7)
        for line in row["why"]:
            paper.line(line, indent=7)
        paper.gap()


def hook(result: Result, paper: Paper, request: Request) -> None:
    """Nothing: see the module's description."""


VIEWS: dict[str, Callable[[Result, Paper, Request], None]] = {"receipts": receipts, "hook": hook}
