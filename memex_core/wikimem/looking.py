"""A store of items looked at from a shell: what the face's own command line and ``memex items`` print.

Each question is answered as plain maps and lists, and each answer has its text.
"""

from __future__ import annotations

import os
import re
from dataclasses import asdict
from typing import Any

from memex_core.files import items
from memex_core.files.layout import of_items
from memex_core.model.errors import BadInput, NotFound, StoreMissing
from memex_core.model.graph_export import Edge, Graph, Node, to_mermaid
from memex_core.wikimem.retrieval import MemoryIndex
from memex_core.wikimem.store import MemoryStore
from memex_core.wikimem.timeparse import TimeRange
from memex_core.wikimem.tokenize import tokenize

Answer = dict[str, Any]


def opened(root: str) -> MemoryStore:
    """The store at ``root``. Raises StoreMissing when there is no such folder."""
    if not os.path.isdir(root):
        raise StoreMissing(f"no folder {root}", hint="name the folder that holds wiki/ and diary/")
    return MemoryStore(root)


def ls(store: MemoryStore) -> Answer:
    """``{files: [{file, items}], total}``."""
    files = [{"file": file, "items": len(store.items(file))} for file in store.files()]
    return {"files": files, "total": sum(one["items"] for one in files)}


def ls_text(answer: Answer) -> str:
    width = max((len(one["file"]) for one in answer["files"]), default=0) + 2
    return "".join(f"{one['file']:{width}}{one['items']:>5}\n" for one in answer["files"])


def show(store: MemoryStore, file: str, name: str = "") -> Answer:
    """``{file, name, items, text}``, the text as the file has it. Raises NotFound."""
    layout = of_items(os.path.abspath(store.root))
    found = items.read(layout, file)
    if name:
        found = [item for item in found if item.name == items.one_space(name)]
    if not found:
        what = f"{file}:{name}" if name else file
        raise NotFound(f"there is no {what} in {store.root}", hint="`ls` lists the files")
    text = ("" if name else f"# {file}\n\n") + "\n".join(map(items.render, found))
    kept = [store.get(item.file, item.name) for item in found]
    return {"file": file, "name": name, "items": [asdict(item) for item in kept if item], "text": text}


def grep(store: MemoryStore, pattern: str, *, ignore_case: bool = False) -> Answer:
    """``{matches: [{file, name, line}]}``: lines of content, or an item's first one where its name matches.

    Raises BadInput for a pattern that is none.
    """
    try:
        wanted = re.compile(pattern, re.IGNORECASE if ignore_case else 0)
    except re.error as error:
        raise BadInput(f"{pattern!r} is no pattern ({error})", hint="put a backslash before signs") from None
    matches = []
    for item in store.items():
        lines = item.content.split("\n")
        found = [line for line in lines if wanted.search(line)]
        if not found and wanted.search(item.name):
            found = lines[:1]
        matches += [{"file": item.file, "name": item.name, "line": line} for line in found]
    return {"matches": matches}


def grep_text(answer: Answer) -> str:
    return "".join(f"{one['file']}:{one['name']}:{one['line']}\n" for one in answer["matches"])


def explain(
    store: MemoryStore,
    query: str,
    *,
    limit: int = 10,
    budget: int | None = None,
    links: bool = True,
    use_jieba: bool | None = None,
    time_range: str | None = None,
) -> Answer:
    """How ``query`` is answered: the fields of a RetrievalResult, with ``query`` and its ``tokens``.

    ``time_range`` is ``DAY`` or ``DAY..DAY``. Raises BadInput for another one.
    """
    index = MemoryIndex(store, use_jieba=use_jieba)
    try:
        result = index.retrieve(
            query,
            limit=limit,
            budget_tokens=budget,
            expand_links=links,
            explain=True,
            time_range=_days(time_range) if time_range else None,
        )
    except ValueError as error:
        raise BadInput(str(error)) from error
    tokens = tokenize(query, use_jieba=use_jieba)
    return {"query": query, "tokens": tokens, **asdict(result)}


def explain_text(answer: Answer) -> str:
    used = "on" if answer["embedding_used"] else "off"
    lines = [
        f"query: {answer['query']}",
        f"query tokens: {', '.join(answer['tokens']) or 'none'}",
        f"ranking: BM25 (embedding: {used})",
        f"time gate: {_gate(answer)}",
        "",
    ]
    if answer["items"]:
        lines.append("  #  src      score     bm25    cos  ~tok  item")
    lines += [_row(number, one) for number, one in enumerate(answer["items"], 1)]
    if not answer["items"]:
        lines.append("nothing found")
    cap = answer["budget_tokens"]
    lines += ["", f"budget: used {answer['budget_used']} / {'no limit' if cap is None else cap}"]
    if answer["dropped"]:
        lines.append("cut by the budget:")
        lines += [_row(number, one) for number, one in enumerate(answer["dropped"], len(answer["items"]) + 1)]
    if answer["unresolved_links"]:
        lines.append(f"links to nothing: {', '.join(answer['unresolved_links'])}")
    return "\n".join(lines) + "\n"


def graph(store: MemoryStore) -> Answer:
    """``{nodes: [{id, file, name, unresolved}], edges: [{source, target}]}`` of all items and their links."""
    known = store.items()
    nodes = {f"{item.file}:{item.name}": (item.file, item.name, False) for item in known}
    edges: dict[tuple[str, str], None] = {}
    for item in known:
        for link in item.links:
            name = items.one_space(link.name)
            target = f"{link.file}:{name}"
            nodes.setdefault(target, (link.file, name, True))
            edges[f"{item.file}:{item.name}", target] = None
    return {
        "nodes": [
            {"id": ident, "file": file, "name": name, "unresolved": unresolved}
            for ident, (file, name, unresolved) in nodes.items()
        ],
        "edges": [{"source": source, "target": target} for source, target in edges],
    }


def graph_text(answer: Answer) -> str:
    """The graph for Mermaid; items that are not there are dashed."""
    return to_mermaid(
        Graph(
            tuple(Node(one["id"], one["id"], ghost=one["unresolved"]) for one in answer["nodes"]),
            tuple(Edge(one["source"], one["target"]) for one in answer["edges"]),
        )
    )


def _days(text: str) -> TimeRange:
    start, dots, end = text.partition("..")
    return start.strip(), (end if dots else start).strip()


def _gate(answer: Answer) -> str:
    if answer["time_range"] is None:
        return "none (whole store)"
    start, end = answer["time_range"]
    days = start if start == end else f"{start}..{end}"
    widened = " (widened: the window was empty)" if answer["time_range_widened"] else ""
    return f"{days}  [{answer['time_range_source']}]{widened}"


def _row(number: int, one: Answer) -> str:
    item = one["item"]
    numbers = (_number(one["score"], 8), _number(one["bm25_score"], 8), _number(one["cos_score"], 6))
    why = f"  (via {one['via']})" if one["via"] else ""
    terms = f"  [{', '.join(one['matched_terms'])}]" if one["matched_terms"] else ""
    cells = " ".join((f"{number:>3}  {one['source']:4}", *numbers, f"{one['tokens_est']:>5}"))
    return f"{cells}  {item['file']}:{item['name']}{why}{terms}"


def _number(value: float | None, width: int) -> str:
    return f"{value:>{width}.3f}" if value is not None else f"{'-':>{width}}"
