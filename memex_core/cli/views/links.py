"""Links, the graph and tags on a terminal."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from memex_core.cli.paper import Paper, Span, plural
from memex_core.cli.parse import Request
from memex_core.model.graph_export import UNTYPED

Result = dict[str, Any]


def links(result: Result, paper: Paper, request: Request) -> None:
    back = bool(result.get("back"))
    paper.line((result["slug"], "title"), (" is linked from" if back else " links to", "dim"))
    for link in result["links"]:
        indent = 2 * int(link.get("hops", 1))
        rel = "" if link["rel"] in UNTYPED else f"{link['rel']} "
        route = link.get("route") or ()
        way = f"  via {' › '.join(route[1:-1])}" if len(route) > 2 else ""
        arrow: Span = ("← " if back else "→ ", "dim")
        paper.line(
            arrow, (rel, "dim"), (link["slug"], "link"), f"  {link['title']}", (way, "dim"), indent=indent
        )
    for target in result.get("unresolved") or ():
        paper.line(("→ ", "dim"), (f"{target}  (no such page)", "warn"), indent=2)
    if not result["links"] and not result.get("unresolved"):
        paper.line(("no other page", "dim"), indent=2)


def graph(result: Result, paper: Paper, request: Request) -> None:
    """Every page with what it links to."""
    nodes = {node["id"]: node for node in result["nodes"]}
    leaving: dict[str, list[Result]] = {}
    for edge in result["edges"]:
        leaving.setdefault(edge["src"], []).append(edge)
    for name, node in nodes.items():
        if node["ghost"]:
            continue
        paper.line((node["title"] or name, "title"), (f"  {node['kind']}", "dim"))
        for edge in leaving.get(name, ()):
            end = nodes.get(edge["dst"], {})
            rel = "" if edge["rel"] in UNTYPED else f"{edge['rel']} "
            other = end.get("title") or edge["dst"]
            paper.line(("→ ", "dim"), (rel, "dim"), (other, "warn" if end.get("ghost") else "link"), indent=2)
    omitted = f", {result['omitted']:,} left out" if result["omitted"] else ""
    count = sum(not node["ghost"] for node in nodes.values())
    paper.line((f"{plural(count, 'page')}, {plural(len(result['edges']), 'link')}{omitted}", "dim"))


def tags(result: Result, paper: Paper, request: Request) -> None:
    if not result["tags"]:
        paper.line(("no tag", "dim"))
        return
    paper.table(
        (">pages", "tag"),
        ((f"{row['pages']:,}", (row["tag"], "link")) for row in result["tags"]),
        flexible=(1,),
    )


def retagged(result: Result, paper: Paper, request: Request) -> None:
    would = "would become " if result["dry_run"] else "became "
    count = plural(len(result["pages"]), "page")
    paper.line(
        (result["was"], "link"),
        (f" {would}", "warn" if result["dry_run"] else "good"),
        (result["tag"], "link"),
        f" on {count}",
    )
    for path in result["pages"]:
        paper.line((path, "dim"), indent=2)
    for path in result.get("skipped") or ():
        paper.line((f"{path}: front matter cannot be read, left as it is", "warn"), indent=2)


VIEWS: dict[str, Callable[[Result, Paper, Request], None]] = {
    "links": links,
    "graph": graph,
    "tags": tags,
    "tags merge": retagged,
    "tags rename": retagged,
}
