"""Sync on a terminal: where the devices meet, and what came and went."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from typing import Any

from memex_core.cli.paper import Paper, place, plural
from memex_core.cli.parse import Request

Result = dict[str, Any]
_SHOWN = 20  # pages of a kind that are named


def enable(result: Result, paper: Paper, request: Request) -> None:
    would = bool(result["dry_run"])
    paper.line(
        ("would meet in " if would else "sync is on, in ", "warn" if would else "good"),
        place(result["target"]),
    )
    if result["folder_made"]:
        paper.line(("a folder would be made for it" if would else "the folder is new", "dim"), indent=2)
    if not would:
        paper.line(
            ("memex sync export tells the others, memex sync import takes in what they told", "dim"), indent=2
        )
        paper.line(("after the first export agents' hooks do both by themselves", "dim"), indent=2)


def disable(result: Result, paper: Paper, request: Request) -> None:
    if not result["target"]:
        paper.line("sync was off")
        return
    would = bool(result["dry_run"])
    paper.line(("would turn sync off" if would else "sync is off", "warn" if would else "good"))
    paper.line(("what lies there stays: ", "dim"), place(result["target"]), indent=2)


def status(result: Result, paper: Paper, request: Request) -> None:
    if result["enabled"]:
        paper.line(("on, in ", "good"), place(result["target"]))
    else:
        paper.line(("off", "warn"), ("; memex sync enable DIR turns it on", "dim"))
    waiting = (", changes to export", "warn") if result["unexported"] else ("", "")
    paper.line(
        (result["label"], "name"), (" (this device)  ", "dim"), plural(result["pages"], "page"), waiting
    )
    for what in ("exported", "imported"):
        if result[what]:
            paper.line((f"last {what} {result[what]}", "dim"), indent=2)
    for one in result["devices"]:
        news = ("  has news: memex sync import", "warn") if one["new"] else ("", "")
        seen = f"  last exported {one['exported']}" if one.get("exported") else ""
        seen += f"  imported here {one['imported']}" if one["imported"] else ""
        paper.line((str(one["label"]), "name"), (seen, "dim"), news)
    if result["devices"]:
        paper.line(("memex sync forget DEVICE forgets one that is no more", "dim"), indent=2)
    for here, there in result["aliases"].items():
        paper.line(f"project {here}", (" is ", "dim"), there, (" elsewhere", "dim"))
    for one in result["problems"]:
        paper.line((one["reason"], "bad"))


def forget(result: Result, paper: Paper, request: Request) -> None:
    would = bool(result["dry_run"])
    paper.line(("would forget " if would else "forgot ", "warn" if would else "good"), str(result["label"]))
    if result["file"]:
        paper.line(
            ("its archive would go: " if would else "its archive is gone: ", "dim"),
            place(result["file"]),
            indent=2,
        )


def _skipped(result: Result, paper: Paper) -> bool:
    if result.get("skipped"):
        said = "waits" if result.get("waits") else "nothing to do"
        paper.line((f"{said}: {result['skipped']}", "dim"))
    return bool(result.get("skipped"))


def export(result: Result, paper: Paper, request: Request) -> None:
    if _skipped(result, paper):
        return
    if result["unchanged"]:
        paper.line(("nothing new since the last export to ", "dim"), place(result["file"]))
        return
    would = bool(result["dry_run"])
    paper.line(
        ("would export " if would else "exported ", "warn" if would else "good"),
        plural(result["pages"], "page"),
        (f" and {plural(result['sessions'], 'conversation')}" if result["sessions"] else ""),
        " to ",
        place(result["file"]),
    )
    left = result["attachments_left"]
    if left:
        paper.line(
            (f"{plural(left, 'attachment')} beside them {'do' if left > 1 else 'does'} not travel", "dim"),
            indent=2,
        )


def import_(result: Result, paper: Paper, request: Request) -> None:
    if _skipped(result, paper):
        return
    would = bool(result["dry_run"])
    if not result["devices"] and not result["refused"]:
        paper.line(("no other device has exported yet", "dim"))
    for one in result["devices"]:
        paper.line(
            ("would take in from " if would else "from ", "warn" if would else "good"),
            (str(one["label"]), "name"),
            (f", exported {one['exported']}", "dim"),
        )
        _device(one, paper)
    for one in result["refused"]:
        paper.line((one["reason"], "bad"))


def _device(one: Result, paper: Paper) -> None:
    quiet = True
    for kind, sign, style in (("added", "+", "added"), ("changed", "~", "warn"), ("deleted", "-", "removed")):
        for path in one[kind][:_SHOWN]:
            paper.line((f"{sign} {path}", style), indent=2)
        if len(one[kind]) > _SHOWN:
            paper.line((f"{sign} {len(one[kind]) - _SHOWN} more", style), indent=2)
        quiet = quiet and not one[kind]
    for found in one["conflicts"]:
        paper.line(
            (f"! {found['path']}", "bad"),
            (f"  the other text waits in review: {found['draft']}", "dim"),
            indent=2,
        )
    more = [
        (len(one["sessions"]), "conversation"),
        (one["diary"], "diary entry"),
        (one["purged"], "purged page"),
        (len(one["excluded"]), "excluded conversation"),
    ]
    told = ", ".join(plural(count, word) for count, word in more if count)
    if told:
        paper.line((told, "dim"), indent=2)
    if quiet and not told and not one["conflicts"]:
        paper.line(("nothing new", "dim"), indent=2)


def alias(result: Result, paper: Paper, request: Request) -> None:
    for here, there in result["aliases"].items():
        paper.line(f"{here} here", (" is ", "dim"), f"{there} elsewhere")
    if not result["aliases"]:
        paper.line(("no project has another name elsewhere", "dim"))


def git(result: Result, paper: Paper, request: Request) -> None:
    if result["changed"]:
        would = bool(result["dry_run"])
        paper.line(
            (
                "git would be told" if would else "git merges these pages with memex now",
                "warn" if would else "good",
            )
        )
    elif result["installed"]:
        paper.line(("git merges these pages with memex", "good"))
    else:
        paper.line("git is not told yet; memex sync git --install does what follows")
    paper.line(("in ", "dim"), place(result["attributes"]), indent=2)
    paper.verbatim(result["line"], indent=4)
    paper.line(("in the repository's config", "dim"), indent=2)
    for key, value in result["config"]:
        paper.verbatim(f"git config {key} {shlex.quote(value)}", indent=4)
    paper.line(("in .gitignore, where the whole store is in the repository", "dim"), indent=2)
    paper.verbatim("\n".join(result["ignore"]), indent=4)


def merge_driver(result: Result, paper: Paper, request: Request) -> None:
    if result["merged"]:
        return
    told = f"{plural(result['clashes'] + bool(result['keys']), 'conflict')} in the text"
    paper.line((f"{result['path']}: {told}", "warn"))


VIEWS: dict[str, Callable[[Result, Paper, Request], None]] = {
    "sync enable": enable,
    "sync disable": disable,
    "sync status": status,
    "sync forget": forget,
    "sync export": export,
    "sync import": import_,
    "sync alias": alias,
    "sync git": git,
    "sync merge-driver": merge_driver,
}
