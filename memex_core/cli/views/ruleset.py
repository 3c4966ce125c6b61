"""What a change of a rules file did, and which patterns are set aside: for the gate and for extraction."""

from __future__ import annotations

from typing import Any

from memex_core.cli.paper import Paper, place, plural

Result = dict[str, Any]


def changed(result: Result, paper: Paper, subject: str, done: str, every: str) -> None:
    """``subject`` (an id) is ``done`` ("added"); "reset" and "rollback" concern ``every`` rule."""
    if not result["changed"]:
        paper.line(("nothing to change", "dim"))
        return
    would = "would be " if result["dry_run"] else ""
    if done == "reset":
        paper.line(f"all {every} ", (f"{would}given up", "warn"))
    elif done == "rollback":
        paper.line(f"the rules {would or 'are '}back as they were before change {result['to']}")
    else:
        paper.line((subject, "name"), (f" {would}{done}", "good"))
    if result["dry_run"]:
        paper.line((f"seen: revision {result['was'] or 'none'}; --expect keeps to it", "dim"))
    else:
        kept = f", state {result['kept']} kept for rollback" if result["kept"] else ""
        paper.line((f"{place(result['file'])}, revision {result['revision']}{kept}", "dim"))


def quarantine(result: Result, paper: Paper, what: str) -> None:
    """``what`` is what may be set aside: a rule, a pattern."""
    would = "would be " if result["dry_run"] else ""
    for id in result["cleared"]:
        paper.line((id, "name"), (f" {would}released", "good"))
    if not result["cleared"] or not result["dry_run"]:
        for row in result["quarantine"]:
            aside(row, paper)
    if not result["quarantine"] and not result["cleared"]:
        paper.line((f"no {what} is set aside", "dim"))


def aside(row: Result, paper: Paper) -> None:
    """A pattern that took too long, with when and on what."""
    paper.line(
        (str(row.get("id")), "warn"),
        f"  set aside {str(row.get('at'))[:16].replace('T', ' ')}: {row.get('elapsed_ms')} ms on "
        f"{plural(int(row.get('size') or 0), 'character')}",
    )
