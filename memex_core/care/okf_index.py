"""Navigation of a bundle for readers that have no index: an ``index.md`` a folder, and one ``log.md``.

Both follow from the pages and the journal alone, so that the same store gives the same bytes, and a file is
written only when it would differ. A file that memex did not make is left alone.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import quote

from memex_core.files import atomic
from memex_core.files.ignore import GENERATED
from memex_core.files.journal import Journal, bytes_before
from memex_core.files.reading import read_page
from memex_core.model.page import TYPE_FOLDERS

if TYPE_CHECKING:
    from memex_core.files.layout import Layout
    from memex_core.model.results import Event

MARK = "<!-- written by memex okf index; what you change here is written over -->"
_VERSION = '---\nokf_version: "0.2"\n---\n\n'
_LOGGED = 500  # entries of the log
_SPECIAL = re.compile(r"([\\`*_\[\]<>])")
_ACTS = {
    "add": "Creation",
    "ingest": "Creation",
    "update": "Update",
    "merge": "Update",
    "status": "Update",
    "scope": "Update",
    "restore": "Update",
    "sync": "Update",
    "hand": "Update",
    "rename": "Rename",
    "remove": "Removal",
}


class Listed(NamedTuple):
    """A page that the navigation names."""

    path: str
    title: str
    type: str
    description: str


class Planned(NamedTuple):
    """What is to become of one file: ``what`` is written, rewritten, removed, unchanged or foreign."""

    path: str
    what: str
    data: bytes


def plan(layout: Layout, pages: Sequence[Listed]) -> list[Planned]:
    """What every navigation file of the bundle should be, beside what it is."""
    wanted = dict(_indexes(pages))
    if pages:
        wanted["log.md"] = _log(layout, pages)
    planned = []
    there = {_key(path): path for path in _there(layout)}
    for key in sorted({*wanted, *there}):
        text, path = wanted.get(key), there.get(key, key)
        data = text.encode("utf-8") if text is not None else b""
        now = _now(layout, path)
        if now is not None and MARK.encode() not in now:
            what = "foreign" if text is not None else "unchanged"
        elif text is None:
            what = "removed"
        else:
            what = "written" if now is None else "unchanged" if now == data else "rewritten"
        planned.append(Planned(path, what, data))
    return planned


def made(layout: Layout) -> bool:
    """Whether there is a navigation file that memex wrote."""
    return any(MARK.encode() in (_now(layout, path) or b"") for path in _there(layout))


def _now(layout: Layout, path: str) -> bytes | None:
    """What stands there; None where nothing does. What cannot be read is not memex's."""
    try:
        return atomic.read_file(layout.file_path(path))
    except FileNotFoundError:
        return None
    except OSError:
        return b""


def carry_out(layout: Layout, planned: Planned) -> None:
    """Write or remove one file. Raises Refused for a place outside the pages, WriteFailed."""
    target = atomic.inside(layout.pages, planned.path)
    if planned.what == "removed":
        try:
            os.unlink(target)
        except OSError as error:
            raise atomic.failure(target, error) from error
    elif planned.what in ("written", "rewritten"):
        atomic.write(target, planned.data)


def _there(layout: Layout) -> Iterator[str]:
    """Navigation files that stand in the page folder, whoever made them."""
    for folder, folders, names in os.walk(layout.pages):
        folders[:] = [name for name in folders if not name.startswith(".")]
        home = os.path.relpath(folder, layout.pages).replace(os.sep, "/")
        for name in sorted(names):  # the name as memex writes it comes last, and so counts
            if name.lower() in GENERATED and not (name.lower() == "log.md" and home != "."):
                yield name if home == "." else f"{home}/{name}"


def _key(path: str) -> str:
    """The path as memex writes it: to some file systems ``Log.md`` is ``log.md``."""
    folder, slash, name = path.rpartition("/")
    return f"{folder}{slash}{name.lower()}"


def _indexes(pages: Sequence[Listed]) -> Iterator[tuple[str, str]]:
    """(path, text) of the index of every folder that has pages, itself or below."""
    here: dict[str, list[Listed]] = {}
    below: dict[str, set[str]] = {"": set()} if pages else {}
    for page in pages:
        folder = page.path.rpartition("/")[0]
        here.setdefault(folder, []).append(page)
        while folder:
            above, _, name = folder.rpartition("/")
            below.setdefault(folder, set())
            below.setdefault(above, set()).add(name)
            folder = above
    for folder, folders in below.items():
        text = _index(folder, here.get(folder, []), folders)
        yield (f"{folder}/index.md" if folder else "index.md"), text


def _index(folder: str, pages: Iterable[Listed], folders: Iterable[str]) -> str:
    by_type: dict[str, list[Listed]] = {}
    for page in pages:
        by_type.setdefault(page.type, []).append(page)
    order = [*TYPE_FOLDERS, *sorted(set(by_type) - set(TYPE_FOLDERS))]
    parts = [f"# {_escaped(folder)}" if folder else "# Index"]
    for kind in order:
        if kind in by_type:
            rows = sorted(by_type[kind], key=lambda page: page.path)
            title = TYPE_FOLDERS.get(kind, kind).capitalize()
            parts.append(f"## {_escaped(title)}\n\n" + "\n".join(map(_row, rows)))
    names = sorted(folders)
    if names:
        rows_of_folders = [f"* [{_escaped(name)}]({quote(name)}/index.md)" for name in names]
        parts.append("## Folders\n\n" + "\n".join(rows_of_folders))
    head = "" if folder else _VERSION
    return f"{head}{MARK}\n\n" + "\n\n".join(parts) + "\n"


def _row(page: Listed) -> str:
    said = f" - {_escaped(page.description)}" if page.description else ""
    return f"* [{_escaped(page.title)}]({quote(page.path.rpartition('/')[2])}){said}"


def _escaped(text: str) -> str:
    return _SPECIAL.sub(r"\\\1", " ".join(text.split()))


def _log(layout: Layout, pages: Sequence[Listed]) -> str:
    """What happened to the pages that the navigation names, the newest day first, a page once a day."""
    listed = {page.path: page for page in pages}
    days: dict[str, dict[str, str]] = {}
    count = 0
    for event in Journal(layout).read(reverse=True):
        line = _entry(event, listed)
        day = days.setdefault(event["ts"][:10], {}) if line else {}
        if not line or event["file"] in day:
            continue
        day[event["file"]] = line
        count += 1
        if count == _LOGGED:
            break
    parts = [
        f"## {day}\n\n" + "\n".join(lines.values())
        for day, lines in sorted(days.items(), reverse=True)
        if lines
    ]
    return f"{MARK}\n\n" + "\n\n".join(["# Log", *parts]) + "\n"


def _entry(event: Event, listed: dict[str, Listed]) -> str:
    path = event["file"]
    act = _ACTS.get(event["action"], "")
    if event["action"] == "hand":
        act = {"added": "Creation", "removed": "Removal", "renamed": "Rename"}.get(
            str(event["detail"].get("what")), act
        )
    if not act or not path.endswith(".md"):
        return ""
    if act == "Removal":
        before = bytes_before(event)
        if path in listed or before is None or read_page(path, before).status != "stable":
            return ""  # it is back, it was never in use, or nothing is to be known of it
        return f"* **{act}**: {_escaped(path)}"
    page = listed.get(path)
    if page is None:
        return ""
    came = (
        f" from {_escaped(str(event['detail']['from']))}"
        if act == "Rename" and event["detail"].get("from")
        else ""
    )
    return f"* **{act}**: [{_escaped(page.title)}](/{quote(path)}){came}"
