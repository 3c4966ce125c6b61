"""Single pages on a terminal: a page to read, a list, and what a change did."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from memex_core.cli.paper import Paper, Span, place, plural
from memex_core.cli.parse import Request

Result = dict[str, Any]
DOT: Span = (" · ", "dim")

_SHOWN = 20  # links of a page that moved; --json has them all

_INLINE = re.compile(r"(`[^`\n]+`)|(!?\[\[[^\]\n]+\]\])|(\*\*[^*\n]+\*\*)")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_HEADING = re.compile(r" {0,3}#{1,6}(\s|$)")
_VERBATIM = re.compile(r"( {4,}|\t|\s*\|)")  # indented code and table rows keep their shape


def init(result: Result, paper: Paper, request: Request) -> None:
    kind = "a folder of Markdown, opened as it is" if result["folder"] else "a store"
    if result["dry_run"]:
        paper.line(("would make ", "warn"), place(result["root"]), f": {kind}")
        return
    done = "made" if result["created"] else "already there:"
    paper.line((f"{done} ", "good"), place(result["root"]), f": {kind}")
    paper.line((f"  {plural(result.get('indexed', 0), 'page')} in {place(result['pages'])}", "dim"))


def change(result: Result, paper: Paper, request: Request) -> None:
    """What write and edit did."""
    new = request.operation is not None and request.operation.name == "write"
    if result["dry_run"]:
        word: Span = (f"would {'write' if new else 'change'} ", "warn")
    elif not result["changed"]:
        word = ("unchanged ", "dim")
    else:
        word = (f"{'wrote' if new else 'changed'} ", "good")
    state: list[Span] = (
        [(f" ({result['status']})", "dim")] if result.get("status") not in ("", "stable") else []
    )
    paper.line(word, (result["slug"], "name"), *state, DOT, (place(result["file_path"]), "dim"))


def show(page: Result, paper: Paper, request: Request) -> None:
    paper.line((page["title"], "title"))
    about = [
        page["node_type"],
        page["status"] if page["status"] != "stable" else "",
        page["scope"] if page["scope"] != "global" else "",
        page["project"],
    ]
    about += [page["updated"][:10], "" if page["trust"] == "unreviewed" else page["trust"]]
    paper.line((" · ".join(part for part in about if part), "dim"))
    paper.line((place(page["file_path"]), "dim"))
    tags = " ".join(f"#{tag}" for tag in page["tags"])
    if tags or page["aliases"]:
        names = f"also: {', '.join(page['aliases'])}" if page["aliases"] else ""
        paper.line(("  ".join(part for part in (tags, names) if part), "link"))
    if page["description"]:
        paper.line(page["description"])
    paper.gap()
    _body(page["body"].strip("\n"), paper)
    if page["sources"]:
        paper.gap()
        paper.heading("Sources")
        for source in page["sources"]:
            quote = f" “{source['quote']}”" if source["quote"] else ""
            paper.line((source["lane"], "dim"), f" {source['resource']}{quote}", indent=2)
        for lane in ("evidence", "context"):
            if all(source["lane"] != lane for source in page["sources"]):
                paper.line((f"{lane}: not collected", "dim"), indent=2)
    if page["backlinks"]:
        paper.gap()
        paper.heading("Linked from")
        for link in page["backlinks"]:
            paper.line(
                (link["slug"], "link"),
                (f":{link['line']}  " if link["line"] else "  ", "dim"),
                link["text"],
                indent=2,
            )


def _body(text: str, paper: Paper) -> None:
    """Markdown as written, coloured a little; code and tables keep their lines, prose wraps at words."""
    fence = ""
    for line in text.split("\n"):
        mark = _FENCE.match(line)
        if fence:
            paper.verbatim(line, "dim" if mark and mark.group(1).startswith(fence) else "code")
            if mark and mark.group(1).startswith(fence) and not line.strip(" `~"):
                fence = ""
        elif mark:
            fence = mark.group(1)
            paper.verbatim(line, "dim")
        elif _HEADING.match(line):
            paper.line((line, "heading"))
        elif _VERBATIM.match(line):
            paper.verbatim(line)
        else:
            paper.line(*_inline(line))


def _inline(line: str) -> list[Span]:
    spans: list[Span] = []
    at = 0
    for match in _INLINE.finditer(line):
        style = "code" if match.group(1) else "link" if match.group(2) else "title"
        spans += [line[at : match.start()], (match.group(), style)]
        at = match.end()
    return [*spans, line[at:]]


def list_(result: Result, paper: Paper, request: Request) -> None:
    if not result["pages"]:
        paper.line(("no page", "dim"))
        return
    paper.table(
        ("slug", "title", "type", "tags", "updated"),
        (
            (
                (page["slug"], "name"),
                page["title"],
                (
                    page["node_type"]
                    if page["status"] == "stable"
                    else f"{page['node_type']}, {page['status']}",
                    "dim",
                ),
                (",".join(page["tags"]), "link"),
                (page["updated"][:10], "dim"),
            )
            for page in result["pages"]
        ),
        flexible=(0, 1, 3),
    )
    total = result["total"]
    more = f" · --cursor {result['cursor']} goes on" if result.get("cursor") else ""
    paper.line((f"{len(result['pages']):,} of {plural(total, 'page')}{more}", "dim"))


def moved(result: Result, paper: Paper, request: Request) -> None:
    """What rename and move did, with every link they rewrote."""
    would = bool(result["dry_run"])
    paper.line(("would move " if would else "moved ", "warn" if would else "good"), result["old_path"])
    paper.line(("→ ", "dim"), (result["path"], "name"), indent=2)
    title = result.get("retitled")
    if title:
        paper.line(
            (f"{result['old_path']}:{title['line']}  ", "dim"),
            (title["before"], "removed"),
            " → ",
            (title["after"], "added"),
            indent=2,
        )
    for link in result["rewritten"][:_SHOWN]:
        line = f":{link['line']}" if link.get("line") else ""
        paper.line(
            (f"{link['path']}{line}  ", "dim"),
            (link["before"], "removed"),
            " → ",
            (link["after"], "added"),
            indent=2,
        )
    more = len(result["rewritten"]) - _SHOWN
    if more > 0:
        paper.line((f"… and {more:,} more; --json lists them all", "dim"), indent=2)
    count = plural(len(result["rewritten"]), "link")
    paper.line((f"{count} {'to rewrite' if would else 'rewritten'}", "dim"))


def forgot(result: Result, paper: Paper, request: Request) -> None:
    would = "would be " if result["dry_run"] else ""
    what = {
        "hard": f"{would}removed; memex revert {result['slug']} brings it back",
        "soft": f"{would}not recalled from {result['valid_until']} on",
        "decay": f"{would}less important",
        "archive": f"{would}archived: kept, deprecated, not recalled",
    }
    if result["mode"] == "decay" and result["valid_until"]:
        what["decay"] = f"{would}not recalled from {result['valid_until']} on"
    style = "warn" if result["dry_run"] else "good"
    if "proposed" in result:
        said = " would wait" if result["dry_run"] else " waits"
        paper.line((result["slug"], "name"), (f"{said} for a person to forget it: memex review", "warn"))
        return
    paper.line((result["slug"], "name"), (f" {what.get(result['mode'], result['mode'])}", style))


VIEWS: dict[str, Callable[[Result, Paper, Request], None]] = {
    "init": init,
    "write": change,
    "edit": change,
    "show": show,
    "list": list_,
    "rename": moved,
    "move": moved,
    "forget": forgot,
}
