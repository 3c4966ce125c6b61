"""What an extraction or a consolidation brought, on a terminal."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from memex_core.cli.paper import Paper, plural
from memex_core.cli.parse import Request

Result = dict[str, Any]


def extract(result: Result, paper: Paper, request: Request) -> None:
    would = "would be drafted" if result["dry_run"] else "drafted"
    for row in result["created"]:
        paper.line((row["title"], "name"), (f"  {row['type']}  {row['session_id']}#{row['turn']}", "dim"))
    for row in result["known"]:
        paper.line(("known  ", "dim"), row["title"], (f"  as {row['page']}", "dim"))
    _rejected(result, paper)
    seen = f"{plural(result['turns'], 'turn')} of {plural(result['sessions'], 'conversation')} looked at"
    paper.line(f"{plural(len(result['created']), 'page')} {would}", (f"; {seen}", "dim"))
    _review(result, paper)


def consolidate(result: Result, paper: Paper, request: Request) -> None:
    would = "would be " if result["dry_run"] else ""
    for row in result["nodes_created"]:
        against = next((one["against"] for one in result["conflicts"] if one["page"] == row["slug"]), "")
        paper.line(
            (row["title"], "name"), (f"  {row['type']}, {row['grounding']}  {row['session_id']}", "dim")
        )
        if against:
            paper.line((f"contradicts {against}", "warn"), indent=2)
    for slug in result["nodes_updated"]:
        paper.line(("change  ", "dim"), (slug, "name"))
    for row in result["duplicates"]:
        paper.line(("known  ", "dim"), row["title"], (f"  as {row['page']}", "dim"))
    _rejected(result, paper)
    if result["dry_run"] or not result["llm_calls"]:
        _prompts(result, paper)
    if result["llm_calls"]:
        made = f"{plural(len(result['nodes_created']), 'page')} {would}drafted"
        changed = f", {len(result['nodes_updated'])} {would}changed" if result["nodes_updated"] else ""
        paper.line(made + changed, (f"; {_usage(result)}", "dim"))
    elif not result["prompts"] and not result["held"] and not result["waiting"]:
        paper.line("Nothing else is unread." if result["warnings"] else "Nothing unread.")
    _review(result, paper)
    for row in result["failed"]:
        _wrong(paper, f"{row['job']} failed", row)
    if result["held"]:
        _wrong(paper, "held", result["held"])
    if result["waiting"]:
        _wrong(paper, "waiting", {**result["waiting"], "message": ""})


def _prompts(result: Result, paper: Paper) -> None:
    for row in result["prompts"]:
        span = f"{row['session_id']}, turns {row['first']} to {row['last']}"
        beside = f", beside {plural(len(row['pages']), 'page')}" if row["pages"] else ""
        paper.line(f"{span}: about {row['tokens']:,} tokens{beside}")
    if len(result["prompts"]) > 1:
        total = sum(row["tokens"] for row in result["prompts"])
        paper.line((f"{plural(len(result['prompts']), 'call')}, about {total:,} tokens in all", "dim"))


def _usage(result: Result) -> str:
    counts = [result["llm_prompt_tokens"], result["llm_completion_tokens"]]
    more = "more than " if result["llm_usage"] == "partial" else ""  # some calls told nothing
    tokens = ", ".join("unknown" if one is None else f"{more}{one:,}" for one in counts)
    return f"{plural(result['llm_calls'], 'call')} of {result['model']}, tokens sent and received: {tokens}"


def _rejected(result: Result, paper: Paper) -> None:
    for row in result["rejected"]:
        paper.line(("rejected  ", "warn"), row["title"] or "(no title)", (f"  {row['reason']}", "dim"))


def _review(result: Result, paper: Paper) -> None:
    made = result.get("created") or result.get("nodes_created") or result.get("nodes_updated")
    if made and not result["dry_run"]:
        paper.line(("memex review lists what waits for you", "dim"))


def _wrong(paper: Paper, what: str, row: Result) -> None:
    paper.line((f"{what}: ", "bad"), row["message"] or row["cause"])
    paper.line((f"{row['impact']}", "dim"), indent=2)
    paper.line(("next: ", "dim"), row["next"], indent=2)


VIEWS: dict[str, Callable[[Result, Paper, Request], None]] = {"extract": extract, "consolidate": consolidate}
