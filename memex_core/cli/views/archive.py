"""Archives on a terminal."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from memex_core.cli.paper import Paper, place, plural
from memex_core.cli.parse import Request

Result = dict[str, Any]


def backup(result: Result, paper: Paper, request: Request) -> None:
    would = bool(request.values.get("dry_run"))
    paper.line(
        ("would pack " if would else "packed ", "warn" if would else "good"), place(result["archive_path"])
    )
    _counts(result, paper)
    if result.get("size_bytes"):
        paper.line(
            (f"{result['size_bytes']:,} bytes in {result['duration_ms'] / 1000:.1f} s", "dim"), indent=2
        )


def restore(result: Result, paper: Paper, request: Request) -> None:
    would = bool(result.get("dry_run"))
    paper.line(("would restore" if would else "restored", "warn" if would else "good"))
    _counts(result, paper)
    if result.get("previous_backup_dir"):
        paper.line("what was there before: ", place(result["previous_backup_dir"]), indent=2)


def _counts(result: Result, paper: Paper) -> None:
    parts = [f"{count:,} {name}" for name, count in (result.get("file_counts") or {}).items() if count]
    if parts:
        paper.line(", ".join(parts), indent=2)


def export(result: Result, paper: Paper, request: Request) -> None:
    would = bool(result.get("dry_run"))
    to = f" to {place(result['output'])}" if result.get("output") else ""
    paper.line(
        ("would export " if would else "exported ", "warn" if would else "good"),
        plural(result["nodes"], "page"),
        to,
    )


def import_(result: Result, paper: Paper, request: Request) -> None:
    would = bool(result.get("dry_run"))
    paper.line(
        ("would import " if would else "imported ", "warn" if would else "good"),
        plural(result["imported"], "page"),
        f" and {plural(result['diary'], 'diary entry')}" if result.get("diary") else "",
    )
    if result.get("unchanged"):
        paper.line((f"{plural(result['unchanged'], 'page')} there already", "dim"), indent=2)
    for there, here in (result.get("renamed") or {}).items():
        paper.line((f"{there} → {here}", "dim"), indent=2)
    if result.get("attachments"):
        count = plural(len(result["attachments"]), "other file")
        paper.line((f"left where it is: {count}, such as {result['attachments'][0]}", "dim"), indent=2)
    for one in result.get("damaged") or ():
        where = f"{one['file']}:{one['line']}" if one["line"] else one["file"]
        paper.line((f"{where}: {one['message']}", "bad"), indent=2)
    for one in result.get("skipped") or ():
        paper.line(
            (f"{one.get('path') or one.get('title') or ''}: {one.get('reason', '')}", "warn"), indent=2
        )


VIEWS: dict[str, Callable[[Result, Paper, Request], None]] = {
    "backup": backup,
    "restore": restore,
    "export": export,
    "import": import_,
}
