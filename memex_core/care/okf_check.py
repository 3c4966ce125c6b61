"""Whether a folder is an Open Knowledge Format v0.2 bundle, and what a careful producer would mend.

Errors are what the format demands (its SPEC.md, "Conformance"): every page has front matter that parses, with
a ``type``; ``index.md`` and ``log.md`` have their own form. All else is a warning: a reader must accept it.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from datetime import date
from typing import Any, NamedTuple

from memex_core.care.ordering import WINDOW, amiss, line_in
from memex_core.files import frontmatter
from memex_core.files.frontmatter import FrontMatter
from memex_core.files.ignore import GENERATED, is_page_name
from memex_core.files.opening import regular
from memex_core.model import clock
from memex_core.model.links import find_links
from memex_core.model.page import Value

VERSION = "0.2"
_STATUS = ("draft", "stable", "deprecated")
_DAY = re.compile(r"(\d{4}-\d{2}-\d{2})(?:$|[\s:,.])")


class Finding(NamedTuple):
    """``level`` is error or warning; ``line`` counts from 1 in the file, 0: the file as a whole."""

    level: str
    file: str
    line: int
    message: str


def check(root: str) -> tuple[int, list[Finding]]:
    """How many pages the bundle at ``root`` has, and the findings in the order of its files.

    Names that begin with a dot are no part of it, links of the file system are not followed. Raises OSError
    when the folder cannot be listed.
    """
    found: list[Finding] = []
    names = list(files(root))
    for name in names:
        try:
            with open(os.path.join(root, *name.split("/")), "rb", opener=regular) as file:
                data = file.read()
        except OSError as error:
            found.append(Finding("error", name, 0, f"cannot be read ({(error.strerror or '').lower()})"))
            continue
        found += _file(root, name, data)
    return sum(not reserved(name) for name in names), found


def files(root: str) -> Iterator[str]:
    """The Markdown files of a bundle, as POSIX paths in order."""
    for folder, folders, names in os.walk(root, onerror=_raise):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        home = os.path.relpath(folder, root).replace(os.sep, "/")
        for name in sorted(names):
            if is_page_name(name, folder=True) and not os.path.islink(os.path.join(folder, name)):
                yield name if home == "." else f"{home}/{name}"


def _raise(error: OSError) -> None:
    raise error


def reserved(name: str) -> bool:
    """Whether the name is one of the format's own, in any case: to some file systems they are one file."""
    return name.rpartition("/")[2].lower() in GENERATED


def _file(root: str, name: str, data: bytes) -> Iterator[Finding]:
    front = frontmatter.read(data)
    if reserved(name):
        rows = _index(name, front) if name.lower().endswith("index.md") else _log(front)
    else:
        rows = _page(front)
    for level, line, message in rows:
        yield Finding(level, name, line, message)
    for line, target in _dead_links(root, name, front):
        yield Finding("warning", name, line, f"a link leads to nothing: {target}")


Row = tuple[str, int, str]


def _page(front: FrontMatter) -> Iterator[Row]:
    for problem in front.problems:
        if front.kind == "error" and problem.level != "warning":
            yield "error", problem.line, f"the front matter does not parse: {problem.message}"
        else:
            yield "warning", problem.line, problem.message
    if front.kind == "error":
        return
    if front.kind != "yaml":
        other = {"toml": "TOML", "logseq": "page properties"}.get(front.kind, "")
        yield "error", 1, f"front matter must be YAML, not {other}" if other else "there is no front matter"
        return
    fields = front.fields
    kind = fields.get("type")
    if not isinstance(kind, str) or not kind.strip():
        said = "is no text" if kind not in (None, "") else "is missing"
        yield "error", line_in(front, "type"), f"type {said}"
    for key in ("title", "description"):
        if not isinstance(fields.get(key), str) or not str(fields[key]).strip():
            yield "warning", line_in(front, key), f"{key} is missing"
    yield from _odd(front, fields)


def _odd(front: FrontMatter, fields: Mapping[str, Value]) -> Iterator[Row]:
    """Declared keys whose value is none that the format knows."""
    status = fields.get("status")
    if status is not None and status not in _STATUS:
        yield "warning", line_in(front, "status"), f"status {status!r} is none of {', '.join(_STATUS)}"
    if not isinstance(fields.get("tags"), list | None):
        yield "warning", line_in(front, "tags"), "tags are no list"
    for key in ("timestamp", "stale_after"):
        if fields.get(key) is not None and not _is_time(fields[key]):
            yield "warning", line_in(front, key), f"{key} is no ISO 8601 time"
    for key, message in amiss(*(fields.get(key) for key in WINDOW)):
        yield "warning", line_in(front, key), message
    signed = fields.get("generated")
    verified = fields.get("verified")
    marks = [("generated", signed)] if signed is not None else []
    marks += [("verified", one) for one in (verified if isinstance(verified, list) else [verified]) if one]
    for key, mark in marks:
        if not isinstance(mark, dict) or not mark.get("by") or not _is_time(mark.get("at")):
            yield "warning", line_in(front, key), f"{key} needs by and at"
    sources = fields.get("sources")
    if sources is not None and not isinstance(sources, list):
        yield "warning", line_in(front, "sources"), "sources are no list"
    for one in sources if isinstance(sources, list) else []:
        if not isinstance(one, dict) or not one.get("resource"):
            yield "warning", line_in(front, "sources"), "a source names no resource"


def _is_time(value: Value | Any) -> bool:
    return isinstance(value, str) and clock.parse(value) is not None


def _index(name: str, front: FrontMatter) -> Iterator[Row]:
    if front.kind != "none":
        strange = sorted(set(front.fields) - {"okf_version"}) if "/" not in name else ["front matter"]
        if strange or front.kind != "yaml":
            yield "error", 1, "only okf_version may stand in front of the root's index.md, nothing elsewhere"
    if not re.search(r"^#{1,6} ", front.body, re.MULTILINE):
        yield "error", front.body_line, "an index needs a heading"
    for number, line in enumerate(front.body.split("\n"), front.body_line):
        if re.match(r"[-*+] ", line) and "](" not in line:
            yield "error", number, "an entry of an index is a link"


def _log(front: FrontMatter) -> Iterator[Row]:
    if front.kind != "none":
        yield "error", 1, "a log has no front matter"
    last = ""
    for number, line in enumerate(front.body.split("\n"), front.body_line):
        if not line.startswith("## "):
            continue
        day = _DAY.match(line[3:].strip())
        try:
            date.fromisoformat(day[1] if day else "")
        except ValueError:
            yield "error", number, "a heading of a log begins with a day, as in ## 2026-11-30"
            continue
        assert day is not None
        if last and day[1] > last:
            yield "error", number, "a log goes from the newest day to the oldest"
        last = day[1]


def _dead_links(root: str, name: str, front: FrontMatter) -> Iterator[tuple[int, str]]:
    home = name.rpartition("/")[0]
    for link in find_links(front.body, front.body_line, context=False):
        if link.form != "markdown" or not link.target:
            continue
        target = link.target  # decoded already: a %20 that is left is part of a name
        path = target.lstrip("/") if target.startswith("/") else f"{home}/{target}"
        whole = os.path.normpath(os.path.join(root, *path.split("/")))
        if not os.path.exists(whole) and not os.path.exists(f"{whole}.md"):
            yield link.line, link.target
