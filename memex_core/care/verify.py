"""The checks of ``memex verify``: what in the folder a person should look at, with file and line."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from memex_core.care import anchors, ordering, yields
from memex_core.care.cleared import dangling
from memex_core.care.sources import CitedTurns
from memex_core.files.atomic import digest
from memex_core.files.scan import scan
from memex_core.model.actor import is_agent
from memex_core.model.errors import BadInput
from memex_core.model.results import Check, VerifyReport
from memex_core.model.slug import fold

if TYPE_CHECKING:
    from memex_core.files.layout import Layout
    from memex_core.index.index import Index
    from memex_core.model.page import Problem, Source

    Progress = Callable[[int, int], None]

_FILE_ENDING = re.compile(r"\.(?!md\Z|markdown\Z)[A-Za-z][A-Za-z0-9]{1,4}\Z", re.IGNORECASE)
"""What a link to a picture or another file that is no page ends in."""

Found = list[dict[str, Any]]


def verify(
    layout: Layout,
    index: Index,
    *,
    since: str | None = None,
    require_recall: bool = False,
    require_write: bool = False,
    progress: Progress | None = None,
) -> VerifyReport:
    """Run every check. ``ok`` is false when one of level ``error`` does not hold; the others warn."""
    if (require_recall or require_write) and not since:
        raise BadInput("activity since when?", hint="add --since 2026-11-30")
    found = read_all(layout, index, progress)
    ends, stale = ordering.times(layout, index)
    checks = [
        check("pages-parse", found["parse"], "pages that do not parse"),
        check("index-fresh", found["fresh"], "pages that differ from the index"),
        check("links-resolve", broken_links(index), "links to nothing"),
        check("names-unambiguous", ambiguous(index), "links that could mean several pages", level="warning"),
        check("headings-found", astray(layout, index), "links to no such heading", level="warning"),
        check("names-portable", collisions(index), "names that collide on other systems", level="warning"),
        check("keys-unique", found["keys"], "duplicate front matter keys", level="warning"),
        check("text-readable", found["text"], "oddities in pages", level="warning"),
        check("parents-acyclic", ordering.circles(layout, index), "pages above themselves", level="warning"),
        check("validity-ordered", ends, "pages that end before they begin", level="warning"),
        check("stale-in-window", stale, "pages that go stale outside their time", level="warning"),
        check("journal-whole", journal(layout), "lines of the journal that are no events", level="warning"),
        check("consolidation-yields", yielding(layout), "runs of models in vain", level="warning"),
        check(
            "sources-hold",
            found["sources"] + dangling(layout, index),
            "sources that do not hold",
            level="warning",
        ),
        check("sources-undisputed", found["disputed"], "sources that somebody doubts", level="warning"),
    ]
    if since:
        checks += activity(layout, index, since, require_recall, require_write)
    warnings = [f"{c['name']}: {c['detail']}" for c in checks if not c["ok"] and c["level"] == "warning"]
    return {
        "ok": all(c["ok"] for c in checks if c["level"] == "error"),
        "checks": checks,
        "warnings": warnings,
    }


def check(name: str, files: Found, what: str, *, level: str = "error") -> Check:
    return {
        "name": name,
        "ok": not files,
        "level": level,
        "detail": f"{len(files)} {what}" if files else "holds",
        "files": files,
    }


def read_all(layout: Layout, index: Index, progress: Progress | None) -> dict[str, Found]:
    """Read every file of the folder once; sort what is odd about it under the check concerned.

    A file with the bytes that were indexed need not be parsed again: the index has noted what is odd.
    """
    from memex_core.files.values import as_sources
    from memex_core.index.sourced import told

    found: dict[str, Found] = {"parse": [], "fresh": [], "keys": [], "text": []}
    cited = CitedTurns()
    known = told(index.db)
    seen = scan(layout)
    for passed in seen.problems:
        found["text"].append(entry(passed.path, message=passed.message))
    for number, path in enumerate(sorted(seen.pages), 1):
        if progress is not None:
            progress(number, len(seen.pages))
        try:
            with open(layout.file_path(path), "rb", buffering=0) as file:  # half the price of a buffered one
                data = file.readall()
        except OSError as error:
            found["parse"].append(entry(path, message=f"cannot be read ({error.strerror})"))
            continue
        page = known.pop(path, None)
        problems: Sequence[Problem]
        if page is not None and page.digest == digest(data):
            problems, sources = page.problems, as_sources(page.sources)
        else:
            message = "the index has another text; run `memex rebuild-index`"
            found["fresh"].append(entry(path, message=message))
            problems, sources = parsed(layout, path, data)
        sort_problems(path, problems, found)
        cited.add(path, sources, data)
    found["sources"] = cited.amiss(layout)
    found["disputed"] = cited.disputed
    gone = sorted(path for path in known if seen.may_be_deleted(path))
    found["fresh"] += [entry(path, message="the file is gone") for path in gone]
    return found


def parsed(layout: Layout, path: str, data: bytes) -> tuple[tuple[Problem, ...], tuple[Source, ...]]:
    from memex_core.files.reading import read_page

    page = read_page(path, data, folder=layout.folder)
    return page.problems, page.sources


def sort_problems(path: str, problems: Iterable[Problem], found: dict[str, Found]) -> None:
    for problem in problems:
        kind = (
            "parse" if problem.level == "error" else "keys" if "duplicate key" in problem.message else "text"
        )
        found[kind].append(entry(path, problem.line, problem.column, problem.message))


def journal(layout: Layout) -> Found:
    from memex_core.files.journal import Journal

    return [entry("journal.jsonl", line, message=text) for line, text in Journal(layout).problems()]


def yielding(layout: Layout) -> Found:
    told = yields.warning(yields.zero_yield_streak(layout))
    return [entry("logs/runs.jsonl", message=told)] if told else []


def broken_links(index: Index) -> Found:
    out = []
    for link in index.unresolved():
        word = "file" if link.form == "markdown" or _FILE_ENDING.search(link.target) else "page"
        out.append(entry(link.source, link.line, message=f"no {word} {link.target!r}"))
    return out


def ambiguous(index: Index) -> Found:
    return [
        entry(link.source, link.line, message=f"{link.target!r} could be {', '.join(link.ambiguous)}")
        for link in index.ambiguous()
    ]


def astray(layout: Layout, index: Index) -> Found:
    return [
        entry(link.source, link.line, message=f"{link.dst} has no {place}")
        for link, place in anchors.lost(layout, index)
    ]


def collisions(index: Index) -> Found:
    """Paths that one folder could not hold on a file system that ignores case or the form of accents."""
    same: dict[str, list[str]] = defaultdict(list)
    for path in index.paths():
        same[fold(path)].append(path)
    return [
        entry(path, message=f"is the same as {paths[0]} where case does not count")
        for paths in same.values()
        for path in paths[1:]
    ]


def activity(
    layout: Layout, index: Index, since: str, require_recall: bool, require_write: bool
) -> list[Check]:
    """Whether memory was used and written since a time: for CI, from the journal and the use counts."""
    from memex_core.files import runs
    from memex_core.files.journal import Journal
    from memex_core.files.receipts import EMITTED
    from memex_core.model import clock

    start = clock.normal(since)
    if not start:
        raise BadInput(f"{since!r} is no time", hint="write 2026-11-30 or 2026-11-30T06:00:00Z")
    writes: list[bool] = []
    recalls = [True for run in runs.read(layout, "mcp") if run.get("tool") in _READING and run["ts"] >= start]
    for event in Journal(layout).read(reverse=True):
        if event["ts"] < start:
            break
        if event["action"] == "recall" and event["detail"].get("state", EMITTED) == EMITTED:
            recalls.append(True)
        elif event["action"] in _WRITES:
            writes.append(is_agent(event["actor"]))
    used = index.used_since(start)
    return [
        activity_check("recall-seen", recalls, used, require_recall, start),
        activity_check("write-seen", writes, 0, require_write, start),
    ]


_WRITES = ("add", "update", "merge", "diary", "ingest")
_READING = ("memex_recall", "memex_search_transcripts")


def activity_check(name: str, seen: list[bool], more: int, required: bool, since: str) -> Check:
    """``seen`` says of each act whether an agent did it; ``more`` are pages used by who knows whom."""
    by_agents = f", {sum(seen)} of them by agents" if any(seen) else ""
    return {
        "name": name,
        "ok": bool(seen or more),
        "level": "error" if required else "warning",
        "detail": f"{len(seen) + more} since {since}{by_agents}",
        "files": [],
    }


def entry(file: str, line: int = 0, column: int = 0, message: str = "") -> dict[str, Any]:
    return {"file": file, "line": line, "column": column, "message": message}
