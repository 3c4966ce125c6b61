"""Answers on a terminal: ranked hits with the words found, and the block an agent gets."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from memex_core.cli.paper import Paper, Span, place, plural
from memex_core.cli.parse import Request

Result = dict[str, Any]

_MARK = re.compile(r"<mark>(.*?)</mark>", re.DOTALL)


def recall(result: Result, paper: Paper, request: Request) -> None:
    hits = result["hits"]
    explain = bool(request.values.get("explain"))
    for hit in hits:
        _hit(hit, paper, explain)
    _summary(result, paper)


def _reviewed(hit: Result) -> str:
    """How far a page can be trusted, where anybody has said so."""
    trust = str(hit.get("trust") or "unreviewed")
    return trust if hit["kind"] == "page" and trust != "unreviewed" else ""


def _hit(hit: Result, paper: Paper, explain: bool) -> None:
    kind = hit["node_type"] if hit["kind"] == "page" else hit["kind"]
    left: list[Span] = [(f"{hit['rank']:>2}  ", "dim"), (hit["title"] or hit["slug"], "title")]
    paper.ends(left, [(f"{kind} {hit['score']:6.2f}", "dim")])
    if hit["snippet"].strip():
        paper.line(*marked(" ".join(hit["snippet"].split())), indent=4)
    where: list[str] = [place(hit["file_path"], hit.get("line") or 0)]
    if hit["kind"] == "turn":
        where.append(f"turn {hit.get('turn')}, {hit.get('name') or hit.get('role')}")
        where.append("taken back" if hit.get("abandoned") else "")
    if hit.get("heading"):
        where.append(hit["heading"])
    where += [
        (hit.get("date") or hit["updated"])[:10],
        "" if hit["status"] in ("", "stable") else hit["status"],
        _reviewed(hit),
    ]
    paper.line((" · ".join(part for part in where if part), "dim"), indent=4)
    if explain:
        _why(hit, paper)
    paper.gap()


def marked(snippet: str) -> list[Span]:
    """``<mark>`` spans as highlighted words; a mark that the page itself holds is text."""
    from memex_core.recall.snippet import unmarked

    spans: list[Span] = []
    at = 0
    for match in _MARK.finditer(snippet):
        spans += [unmarked(snippet[at : match.start()]), (unmarked(match.group(1)), "mark")]
        at = match.end()
    return [*spans, unmarked(snippet[at:])]


def _why(hit: Result, paper: Paper) -> None:
    if hit["matched"]:
        paper.line(("found: ", "dim"), ", ".join(hit["matched"]), indent=4)
    parts = []
    for name, value in hit["why"].items():
        if name == "matched" or value in (None, "", [], {}, False):
            continue
        if isinstance(value, float):
            value = f"{value:.2f}"
        elif isinstance(value, dict):
            value = " ".join(
                f"{key} {part:.2f}" if isinstance(part, float) else f"{key} {part}"
                for key, part in value.items()
            )
        elif isinstance(value, (list, tuple)):
            value = ", ".join(map(str, value))
        parts.append(f"{name.replace('_', ' ')}: {value}")
    if parts:
        paper.line(("why: ", "dim"), "; ".join(parts), indent=4)


def _summary(result: Result, paper: Paper) -> None:
    count = len(result["hits"])
    searched = plural(result["total_indexed"], "document")
    if not count:
        paper.line(
            f"Nothing found for “{result['query']}” in {searched}." if result["query"] else "No page yet."
        )
    else:
        paper.line((f"{plural(count, 'hit')} in {searched}, {result['search_time_ms']:.1f} ms", "dim"))
    if result.get("relaxed") and count:
        paper.line(("Not every hit holds all words.", "warn"))
    for wrong, right in (result.get("corrected") or {}).items():
        paper.line((f"{wrong} is not known: searched for {right}.", "warn"))
    window = result.get("time_range")
    if window:
        paper.line((time_words(window), "dim"))
    if result.get("omitted"):
        paper.line((f"{plural(result['omitted'], 'hit')} left out by the budget.", "dim"))
    if result.get("stale"):
        paper.line(
            ("The last edits outside may be missing; memex rebuild-index looks at every file.", "warn")
        )


def time_words(window: Result) -> str:
    """What time was searched, and why."""
    first, last = window["start"], last_day(window["end"])
    days = first if first == last else f"{first} to {last}"
    widened = ", with the days around, since nothing was found within" if window["widened"] else ""
    return f"Time: {days} ({window['zone']}), from “{window['words']}”{widened}."


def last_day(end: str) -> str:
    """The day before ``end``, which a range excludes."""
    from datetime import date, timedelta

    return (date.fromisoformat(end) - timedelta(1)).isoformat()


def context(result: Result, paper: Paper, request: Request) -> None:
    if result["block"]:
        paper.verbatim(result["block"].rstrip("\n"))
    else:
        paper.line(("Nothing worth an agent's attention: the block is empty.", "dim"))


VIEWS: dict[str, Callable[[Result, Paper, Request], None]] = {"recall": recall, "context": context}
