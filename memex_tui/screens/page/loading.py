"""What the Page area asks of the core. Every function runs in a lane of the gateway."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from memex_core.actions.pages.mentions import elsewhere, here
from memex_core.actions.pages.put import put
from memex_core.actions.pages.view import backlinks
from memex_core.files import frontmatter
from memex_core.files.atomic import digest
from memex_core.files.decoding import raw_text
from memex_core.index.named import named
from memex_core.memex import Memex
from memex_core.model import markdown
from memex_core.model.errors import MemexError, NotFound, Unreachable
from memex_core.model.names import stem_of
from memex_core.model.page import Value
from memex_tui.pages import Reading, Target, read
from memex_tui.screens.page.linking import Choice, linkable

OFFERED = 8  # pages offered while a link is typed


class Pointer(NamedTuple):
    """A line on another page that leads or could lead here."""

    path: str
    title: str
    line: int
    text: str
    rel: str = ""


class Opened(NamedTuple):
    """A page with what is known of it. ``data`` are the bytes that all of it was read from."""

    reading: Reading
    data: bytes
    backlinks: tuple[Pointer, ...]
    created: str
    front: Mapping[str, Value]
    front_kind: str
    problems: tuple[str, ...]

    @property
    def path(self) -> str:
        return self.reading.path

    @property
    def digest(self) -> str:
        return self.reading.digest


def open_page(memex: Memex, name: str) -> Opened:
    """The page called ``name`` (path, slug, title or alias). Raises NotFound."""
    try:
        reading = read(memex, name)
    except NotFound:
        memex.look_again()  # it may have come into being outside since the last look
        reading = read(memex, name)
    store = memex.store
    data = store.read_bytes(reading.path)
    front = frontmatter.read(data)
    row = store.index.row(reading.path)
    return Opened(
        reading=reading._replace(body=front.body, first_line=front.body_line, digest=digest(data)),
        data=data,
        backlinks=tuple(
            Pointer(link["path"], link["title"], link["line"], link["text"], link["rel"])
            for link in backlinks(store, reading.path)
        ),
        created=row.created if row is not None else "",
        front=front.fields,
        front_kind=front.kind,
        problems=tuple(
            f"line {problem.line}: {problem.message}" if problem.line else problem.message
            for problem in front.problems
        ),
    )


def first_page(memex: Memex, recent: Sequence[str]) -> str:
    """The page to begin with: the one read last that is still there, else the one that changed last;
    empty when there is none."""
    for path in recent:
        if current_bytes(memex, path) is not None:
            return path
    pages = memex.list(limit=1)["pages"]
    return pages[0]["path"] if pages else ""


def named_elsewhere(memex: Memex, path: str) -> tuple[Pointer, ...]:
    """Pages whose text names this one without a link."""
    return tuple(
        Pointer(one["path"], one["title"], one["line"], one["text"]) for one in elsewhere(memex.store, path)
    )


class Named(NamedTuple):
    """``text[start:end]`` of line ``line`` (from 0 in the text looked at) names pages without a link.

    ``title`` is that of the first page.
    """

    line: int
    start: int
    end: int
    name: str
    paths: tuple[str, ...]
    title: str


def named_here(memex: Memex, path: str, lines: Sequence[str]) -> list[Named]:
    """Names of other pages in these lines of the page at ``path``; ones over a line's end are left out."""
    text = "\n".join(lines)
    found: list[Named] = []
    for one in here(memex.store, path, text, 0):
        begin = text.rfind("\n", 0, one["start"]) + 1
        if "\n" not in one["name"]:
            span = (one["start"] - begin, one["end"] - begin)
            row = memex.store.index.row(one["paths"][0])
            title = row.title if row is not None else one["name"]
            found.append(Named(one["line"], *span, one["name"], tuple(one["paths"]), title))
    return found


class Embedded(NamedTuple):
    """A part of another page, with what its own links mean."""

    title: str
    text: str
    targets: Mapping[str, Target]


def embedded(memex: Memex, path: str, heading: str, block: str) -> Embedded | None:
    """The text that ``![[path#heading]]`` stands for; None when there is no such part."""
    page = read(memex, path)
    text, title = page.body, page.title
    if heading:
        span = markdown.section(text, heading)
        if span is None:
            return None
        text, title = text[span[0] : span[1]], f"{title} › {heading}"
    elif block:
        part = paragraph(text.split("\n"), block)
        if part is None:
            return None
        text, title = part, f"{title} › ^{block}"
    return Embedded(title, text, page.targets)


def paragraph(lines: Sequence[str], block: str) -> str | None:
    """The lines of the paragraph or item that is marked ``^block``."""
    mark = f"^{block}".casefold()
    for at, line in enumerate(lines):
        if line.rstrip().casefold().endswith(mark):
            if line.lstrip().startswith(("-", "*", "+")) or line.strip().casefold() != mark:
                begin = at
                while begin and lines[begin - 1].strip() and not line.lstrip().startswith(("-", "*", "+")):
                    begin -= 1
                return "\n".join(lines[begin : at + 1])
            end = at
            while end and not lines[end - 1].strip():
                end -= 1
            begin = end
            while begin and lines[begin - 1].strip():
                begin -= 1
            return "\n".join(lines[begin:end])
    return None


def line_of_heading(body: str, first_line: int, heading: str) -> int:
    """The line (in the file) of the heading that a link names; 0 when there is none."""
    span = markdown.section(body, heading)
    return first_line + body.count("\n", 0, span[0]) if span is not None else 0


# -- links being typed --------------------------------------------------------------------------


def page_choices(memex: Memex, typed: str, recent: Sequence[str], source: str) -> list[Choice]:
    """Pages that ``typed`` may become: the ones read last first, then by name; last a new one."""
    store = memex.store
    db = store.index.db
    found: dict[str, Choice] = {}
    if not typed.strip():
        for path in recent:
            row = store.index.row(path) if path != source else None
            if row is not None and len(found) < OFFERED:
                found[path] = _choice(memex, row.path, row.title, "", source)
    for one in named(db, typed, OFFERED):
        if one.path not in found and one.path != source:
            found[one.path] = _choice(memex, one.path, one.title, one.alias, source)
    choices = list(found.values())[:OFFERED]
    name = typed.strip()
    known = {choice.label.casefold() for choice in choices}
    if name and linkable(name) and name.casefold() not in known:
        choices.append(Choice("create", name, name, "a page not written yet"))
    return choices


def _choice(memex: Memex, path: str, title: str, alias: str, source: str) -> Choice:
    folder = path.rpartition("/")[0]
    note = f"{title} · {folder}/" if alias and folder else title if alias else f"{folder}/" if folder else ""
    insert = name_of(memex, path, alias or title, source)
    if alias and insert != alias:
        insert = f"{insert}|{alias}"
    return Choice("page", alias or title, insert, note, path)


def name_of(memex: Memex, path: str, title: str, source: str) -> str:
    """What to write in brackets so that a link on ``source`` means the page at ``path``."""
    index = memex.store.index
    stem = stem_of(path)
    names = (stem, title) if memex.store.layout.folder else (title, stem)
    for name in names:
        if linkable(name):
            meant = index.resolve_full(name, "wiki", source)
            if meant.path == path and not meant.ambiguous:
                return name
    return path.removesuffix(".md")


def part_choices(memex: Memex, kind: str, target: str, typed: str, source: str, own: str) -> list[Choice]:
    """Headings or marked blocks of the page ``target`` (empty: this page, whose text is ``own``)."""
    body = own
    if target:
        meant = memex.store.index.resolve_full(target, "wiki", source)
        if meant.path is None:
            return []
        body = read(memex, meant.path).body
    wanted = typed.casefold()
    if kind == "heading":
        heads = [(head.text, "#" * head.level) for head in markdown.headings(body)]
        choices = [
            Choice("heading", text, text.replace("#", " ").replace("|", " "), level) for text, level in heads
        ]
    else:
        lines = body.split("\n")
        choices = [
            Choice("block", f"^{name}", name, (paragraph(lines, name) or "").strip().split("\n")[0][:60])
            for name in markdown.block_ids(body)
        ]
    begins = [one for one in choices if one.label.lstrip("^").casefold().startswith(wanted)]
    holds = [one for one in choices if wanted in one.label.casefold() and one not in begins]
    return [*begins, *holds][: 2 * OFFERED]


def meanings(memex: Memex, path: str, targets: Sequence[str]) -> dict[str, Target]:
    """What wiki-links to ``targets`` on the page at ``path`` mean now."""
    found: dict[str, Target] = {}
    for target in targets:
        meant = memex.store.index.resolve_full(target, "wiki", path)
        state = "ambiguous" if meant.ambiguous else "resolved" if meant.path else "unresolved"
        found[target] = Target(meant.path or "", state, tuple(meant.ambiguous))
    return found


# -- writing ------------------------------------------------------------------------------------


class Kept(NamedTuple):
    """A page after it was saved: the bytes on disk."""

    path: str
    data: bytes
    digest: str
    warnings: tuple[str, ...]


def save(memex: Memex, path: str, data: bytes, expect: str | None) -> Kept:
    """Write the page's whole text; ``expect`` is the digest it was made from (None: it had no file).

    Raises Conflict when the file is another one by now, Unreachable when the whole memory is away. A
    file that was deleted is written anew.
    """
    folder = memex.store.layout.pages
    if not os.path.isdir(folder):
        raise Unreachable(f"{folder} is not there", hint="your text is kept: save again when it is back")
    try:
        if expect is None:
            raise NotFound(path)
        done = memex.edit(path, text=raw_text(data), expect=expect)
    except NotFound:
        done = put(memex.store, path, data, expect=expect)
    written = memex.store.read_bytes(done["path"])
    return Kept(done["path"], written, digest(written), tuple(done["warnings"]))


def set_properties(
    memex: Memex, path: str, changes: Mapping[str, Any], unset: Sequence[str], expect: str
) -> Kept:
    """Change front matter keys; everything else stays byte for byte."""
    done = memex.edit(path, set=dict(changes), unset=list(unset), expect=expect)
    written = memex.store.read_bytes(done["path"])
    return Kept(done["path"], written, digest(written), tuple(done["warnings"]))


def current_bytes(memex: Memex, path: str) -> bytes | None:
    """The file as it is now; None when it is gone."""
    try:
        return memex.store.read_bytes(path)
    except NotFound:
        return None


def types(memex: Memex) -> list[str]:
    """Page types: the common ones, then those in use."""
    from memex_core.model.page import TYPE_FOLDERS

    try:
        used = list(memex.store.index.counts()["type"])
    except MemexError:
        used = []
    return list(dict.fromkeys([*TYPE_FOLDERS, *(one for one in used if one)]))
