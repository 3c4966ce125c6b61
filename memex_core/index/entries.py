"""From one page file to the rows that stand for it: read, parsed and analysed, no database needed.

An *entry* is made of plain tuples, lists, texts and numbers, so that a parser process can send it
through a pipe with ``marshal``. It is never an exception: a file that cannot be read becomes an entry
with its name, its stat and the reason, recorded once like any other.
"""

from __future__ import annotations

import json
import os
import re
import time
from collections.abc import Iterable
from json.encoder import encode_basestring as _quoted
from typing import Any, NamedTuple

from memex_core.files.layout import Layout
from memex_core.files.reading import read_page
from memex_core.files.scan import Stat
from memex_core.index.analyse import Analyser
from memex_core.model.page import Link, Page, Problem, Value
from memex_core.model.resolve import key_of_target, keys_of, label_target

Entry = tuple[
    tuple[Any, ...], tuple[str, ...], list[tuple[str, str]], list[tuple[str, str]], list[tuple[Any, ...]]
]
"""``(page, text, tags, names, links)``: the columns of :data:`ENTRY_COLUMNS`, the analysed texts in the
order of ``schema.TEXT_COLUMNS``, ``(folded, shown)`` tags, ``(kind, key)`` names, and links as
``(target, key, label, form, rel, alias, heading, block, line)``."""

ENTRY_COLUMNS = (
    "path", "slug", "uid", "title", "type", "status", "scope", "project", "branch", "importance", "created",
    "updated", "occurred_at", "valid_from", "valid_until", "stale_after", "description", "tags", "aliases",
    "trust", "transcript_ref", "session_id", "digest", "mtime_ns", "size", "inode", "problems", "words",
    "front",
)  # fmt: skip
PATH, DIGEST, MTIME, SIZE, INODE, PROBLEMS = (
    ENTRY_COLUMNS.index(name) for name in ("path", "digest", "mtime_ns", "size", "inode", "problems")
)

RACY_NS = 20_000_000
"""A file changed less than this before it was read may change again without a new mtime (the clocks of
file systems tick every 1 to 10 ms): its mtime is stored negated, so that the next check reads it again."""

LARGEST = 256 << 20
"""Bytes above which a file's text is not read (a Markdown file of this size is a data dump)."""

_TOGETHER = 4 << 20  # bytes of files held at a time
_UNREADABLE = (RecursionError, MemoryError, ValueError)

_KNOWN = frozenset(
    (
        "type", "title", "description", "aliases", "alias", "resource", "tags", "tag", "sources",
        "generated", "verified", "status", "stale_after", "id", "created", "importance", "valid_from",
        "valid_until", "scope", "project", "branch", "supersedes", "superseded_by", "parent", "depends_on",
        "implements", "links", "session_id", "transcript_ref", "occurred_at", "updated", "timestamp",
        "updated_at", "valid_to", "expires_at", "access_count", "last_access", "content_hash",
        "okf_version", "date", "modified",
    )
)  # fmt: skip
"""Front matter keys whose values have their own place; those of all others are searched with the body."""

_HYPHEN = re.compile(r"(?<=[^\W\d_])-(?=[^\W\d_])")
"""Between two words of a file name: spelling, and no identifier that each page would bring anew."""

_COLUMNS = frozenset(("id", "title", "description", "tags", "aliases"))
"""Front matter keys not stored again in the column ``front``: columns of their own say the same."""


def make(layout: Layout, stats: Iterable[Stat], analyser: Analyser) -> list[Entry]:
    """The entries of the pages at the paths of ``stats``; files that are gone are left out.

    The stat stored is taken from the open file, so that it belongs to the bytes that were read.
    """
    entries: list[Entry] = []
    files: list[_File] = []
    size = 0
    for stat in stats:
        found = _opened(layout, stat)
        if found is None:
            continue
        files.append(found)
        size += found.stat.size
        if size > _TOGETHER:
            entries += _entries(layout, files, analyser)
            files, size = [], 0
    return entries + _entries(layout, files, analyser)


class _File(NamedTuple):
    """A file's bytes (None: not read, for ``reason``) and the stat that belongs to them."""

    stat: Stat
    data: bytes | None
    reason: str = ""


def _opened(layout: Layout, stat: Stat) -> _File | None:
    try:
        data, stat = _read(layout.file_path(stat.path), stat)
    except FileNotFoundError:
        return None
    except OSError as error:
        return _File(stat, None, f"the file cannot be read ({(error.strerror or 'error').lower()})")
    return _File(stat, data, "" if data is not None else f"too large to be searched ({stat.size >> 20} MB)")


def _entries(layout: Layout, files: list[_File], analyser: Analyser) -> list[Entry]:
    """All files parsed, then all analysed: each step finds its code and tables in the processor's cache,
    which makes the whole a fifth faster than page by page."""
    pages = [_parsed(layout, file) for file in files]
    return [_analysed(layout, page, file, analyser) for page, file in zip(pages, files, strict=True)]


def _parsed(layout: Layout, file: _File) -> Page:
    if file.data is None:
        return _without_text(layout, file, file.reason)
    try:
        return read_page(file.stat.path, file.data, folder=layout.folder)
    except _UNREADABLE as error:  # no content should: go on with the rest
        return _without_text(layout, file, f"the page cannot be parsed ({type(error).__name__})")


def _analysed(layout: Layout, page: Page, file: _File, analyser: Analyser) -> Entry:
    try:
        return of_page(page, file.stat, analyser)
    except _UNREADABLE as error:
        reason = f"the page cannot be parsed ({type(error).__name__})"
        return of_page(_without_text(layout, file, reason), file.stat, analyser)


def _without_text(layout: Layout, file: _File, reason: str) -> Page:
    page = read_page(file.stat.path, b"", folder=layout.folder)
    page.problems = (Problem(reason, level="error"),)
    page.digest = ""
    return page


def _read(file_path: str, stat: Stat) -> tuple[bytes | None, Stat]:
    descriptor = os.open(file_path, os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_NONBLOCK", 0))
    try:
        at = os.fstat(descriptor)
        now = time.time_ns()
        size = at.st_size
        data: bytes | None = None
        if size <= LARGEST:
            data = os.read(descriptor, size + 1)
            while len(data) < size or len(data) > size:  # a short read, or a file that grew meanwhile
                more = os.read(descriptor, 1 << 20)
                if not more:
                    break
                data += more
    finally:
        os.close(descriptor)
    mtime = at.st_mtime_ns
    racy = now - mtime < RACY_NS or (data is not None and len(data) != size)
    return data, Stat(stat.path, -mtime if racy else mtime, size, at.st_ino)


def of_page(page: Page, stat: Stat, analyser: Analyser) -> Entry:
    """The entry of a parsed page."""
    updated = page.updated or _stamp(abs(stat.mtime_ns))
    tags = {tag.casefold(): tag for tag in (*page.hashtags, *page.tags)}
    text = _texts(page, analyser)
    kept = {key: value for key, value in page.front.items() if key not in _COLUMNS}
    front = _json(kept) if kept else ""
    row = (
        page.path,
        page.slug,
        page.id,
        page.title,
        page.type,
        page.status,
        page.scope,
        page.project,
        page.branch,
        page.importance,
        page.created or updated,
        updated,
        page.occurred_at,
        page.valid_from,
        page.valid_until,
        page.stale_after,
        page.description,
        _json(page.tags) if page.tags else "",
        _json(page.aliases) if page.aliases else "",
        page.trust,
        page.transcript_ref,
        page.session_id,
        page.digest,
        stat.mtime_ns,
        stat.size,
        stat.inode,
        _problems(page.problems) if page.problems else "",
        text[5].count(" ") + 1,
        front,
    )
    names = keys_of(page.path, page.aliases, page.title)
    entry: Entry = (row, text, list(tags.items()), names, [_link(link) for link in page.links])
    if not front.isascii() and not _encodable(front):
        scrubbed: Entry = _scrub(entry)
        return scrubbed
    return entry


def _texts(page: Page, analyser: Analyser) -> tuple[str, ...]:
    """The analysed texts in the order of ``schema.TEXT_COLUMNS``."""
    read = analyser.body
    wholes: dict[str, None] = {}
    title = read(page.title, wholes)
    stem = read(_HYPHEN.sub(" ", os.path.splitext(page.path.rpartition("/")[2])[0]), wholes)
    names = read("\n".join(page.aliases), wholes) if page.aliases else ""
    if stem != title:
        names = f"{names} {stem}" if names else stem
    tags = read("\n".join(page.tags), wholes) if page.tags else ""
    description = read(page.description, wholes) if page.description else ""
    other = [heading.text for heading in page.headings if heading.text != page.title]
    headings = read("\n".join(other), wholes) if other else ""
    extra = _extra(page)
    body = read(f"{page.body}\n{extra}" if extra else page.body, wholes)
    return title, names, tags, description, headings, body, " ".join(wholes)


def _extra(page: Page) -> str:
    """What unknown front matter keys say, as lines. Dates, numbers and identifiers are left to filters:
    they would be most of the vocabulary."""
    lines: list[str] = []
    for key, value in page.front.items():
        if key in _KNOWN or not value:
            continue
        _flatten(value, lines)
    return "\n".join(lines)


def _flatten(value: Any, lines: list[str]) -> None:
    if isinstance(value, str):
        if value.isalpha() or " " in value:
            lines.append(value)
    elif isinstance(value, list):
        for item in value:
            _flatten(item, lines)
    elif isinstance(value, dict):
        for item in value.values():
            _flatten(item, lines)


def _link(link: Link) -> tuple[Any, ...]:
    label = label_target(link.alias) if link.alias else None
    return (
        link.target,
        key_of_target(link.target),
        key_of_target(label) if label else None,
        link.form,
        link.rel,
        link.alias,
        link.heading,
        link.block,
        link.line,
    )


def _problems(problems: tuple[Problem, ...]) -> str:
    rows = [[p.message, p.line, p.column, p.level] for p in problems]
    return json.dumps(rows, ensure_ascii=False, separators=(",", ":"))


def _json(value: Value | tuple[str, ...]) -> str:
    """A front matter value as compact JSON. It knows the four kinds there are, and is three times as fast
    as the encoder for everything."""
    if isinstance(value, str):
        return _quoted(value)
    if isinstance(value, dict):
        members = [f"{_quoted(key)}:{_json(item)}" for key, item in value.items()]
        return f"{{{','.join(members)}}}"
    return "null" if value is None else f"[{','.join(map(_json, value))}]"


def _stamp(mtime_ns: int) -> str:
    try:
        return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(mtime_ns // 1_000_000_000))
    except (OverflowError, ValueError, OSError):
        return "1970-01-01T00:00:00Z"


def _encodable(text: str) -> bool:
    """False when an escape of the front matter made half of a surrogate pair, which no database holds."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _scrub(value: Any) -> Any:
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode("utf-8")
    if isinstance(value, tuple):
        return tuple(_scrub(item) for item in value)
    if isinstance(value, list):
        return [_scrub(item) for item in value]
    return value
