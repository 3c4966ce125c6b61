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

from memex_core.files.atomic import digest
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
PATH, CREATED, DIGEST, MTIME, SIZE, INODE, PROBLEMS, FRONT = map(
    ENTRY_COLUMNS.index,
    ("path", "created", "digest", "mtime_ns", "size", "inode", "problems", "front"),
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

_HYPHEN = re.compile(r"-(?<=[^\W\d_]-)(?=[^\W\d_])")  # the hyphen first: it is what is searched for
"""Between two words of a file name: spelling, and no identifier that each page would bring anew."""

_COLUMNS = frozenset(("id", "title", "description", "tags", "aliases"))
"""Front matter keys not stored again in the column ``front``: columns of their own say the same."""


def make(layout: Layout, stats: Iterable[Stat], analyser: Analyser) -> list[Entry]:
    """The entries of the pages at the paths of ``stats``; files that are gone are left out.

    The stat stored is taken from the open file, so that it belongs to the bytes that were read.
    """
    entries: list[Entry] = []
    files: list[File] = []
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


class File(NamedTuple):
    """A file's bytes (None: not read, for ``reason``) and the stat that belongs to them."""

    stat: Stat
    data: bytes | None
    reason: str = ""
    born: int = 0  # when it was made, in seconds; 0 where the system does not say (Linux)
    page: Page | None = None  # what the bytes say, where that is known


def held(path: str, data: bytes, at: os.stat_result, page: Page | None) -> File:
    """A file as who has just written it knows it, so that nobody has to read and parse it again. It may have
    been changed since, in the same tick of the clock: as with :data:`RACY_NS`, the next check reads it."""
    stat = Stat(path, -at.st_mtime_ns, at.st_size, at.st_ino)
    return File(stat, data, born=_born(at), page=page)


def entry_of(layout: Layout, file: File, analyser: Analyser) -> Entry:
    """The entry of one file that was read."""
    return _finished(layout, _read_draft(layout, file), file, analyser)


def digest_of(layout: Layout, stat: Stat) -> tuple[str, Stat]:
    """The digest of a file's bytes now, and the stat that belongs to them; empty when it cannot be read."""
    found = _opened(layout, stat)
    if found is None or found.data is None:
        return "", stat
    return digest(found.data), found.stat


def _opened(layout: Layout, stat: Stat) -> File | None:
    try:
        data, stat, born = _read(layout.file_path(stat.path), stat)
    except FileNotFoundError:
        return None
    except OSError as error:
        return File(stat, None, f"the file cannot be read ({(error.strerror or 'error').lower()})")
    reason = "" if data is not None else f"too large to be searched ({stat.size >> 20} MB)"
    return File(stat, data, reason, born)


def _entries(layout: Layout, files: list[File], analyser: Analyser) -> list[Entry]:
    """All files read, then all their words analysed: each step finds its code and tables in the
    processor's cache, which makes the whole a fifth faster than page by page."""
    drafts = [_read_draft(layout, file) for file in files]
    return [_finished(layout, draft, file, analyser) for draft, file in zip(drafts, files, strict=True)]


def _read_draft(layout: Layout, file: File) -> _Draft:
    if file.data is None:
        return _without_text(layout, file, file.reason)
    try:
        page = file.page or read_page(file.stat.path, file.data, folder=layout.folder, indexed=True)
        if layout.items and file.page is None:
            from memex_core.files.items import links_to  # few stores have items

            page.aliases = (*page.aliases, *links_to(page.path, file.data))
        return _draft(page, file.stat, file.born)
    except _UNREADABLE as error:  # no content should: go on with the rest
        return _without_text(layout, file, f"the page cannot be parsed ({type(error).__name__})")


def _finished(layout: Layout, draft: _Draft, file: File, analyser: Analyser) -> Entry:
    try:
        return _analysed(draft, analyser)
    except _UNREADABLE as error:
        reason = f"the page cannot be parsed ({type(error).__name__})"
        return _analysed(_without_text(layout, file, reason), analyser)


def _without_text(layout: Layout, file: File, reason: str) -> _Draft:
    page = read_page(file.stat.path, b"", folder=layout.folder)
    page.problems = (Problem(reason, level="error"),)
    page.digest = ""
    return _draft(page, file.stat, file.born)


def _read(file_path: str, stat: Stat) -> tuple[bytes | None, Stat, int]:
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
    return data, Stat(stat.path, -mtime if racy else mtime, size, at.st_ino), _born(at)


def _born(at: os.stat_result) -> int:
    """When the file was made, in seconds; 0 where the system does not say."""
    return int(getattr(at, "st_birthtime", 0))


class _Draft(NamedTuple):
    """An entry whose texts wait to be analysed; ``row`` lacks its last two columns."""

    row: tuple[Any, ...]
    texts: tuple[str, ...]
    tags: list[tuple[str, str]]
    names: list[tuple[str, str]]
    links: list[tuple[Any, ...]]
    front: str


def made_by_file(row: tuple[Any, ...]) -> bool:
    """Whether a page does not say itself when it was made: then the oldest time known of its file counts,
    for each save makes the file younger."""
    front = row[FRONT].lower()
    said = '"created' in front or '"date"' in front
    return not said or bool(row[CREATED] == _stamp(abs(row[MTIME])))


def _draft(page: Page, stat: Stat, born: int) -> _Draft:
    changed = _stamp(abs(stat.mtime_ns))
    updated = page.updated or changed
    tags = {tag.casefold(): tag for tag in (*page.hashtags, *page.tags)}
    kept = {key: value for key, value in page.front.items() if key not in _COLUMNS}
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
        page.created or min(updated, changed, _stamp(born * 10**9) if born > 0 else changed),
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
    )
    names = keys_of(page.path, page.aliases, page.title)
    links = [_link(link) for link in page.links]
    return _Draft(row, _texts(page), list(tags.items()), names, links, _json(kept) if kept else "")


def _texts(page: Page) -> tuple[str, ...]:
    """The texts to analyse: in the order of ``schema.TEXT_COLUMNS``, the file name after the title."""
    extra = _extra(page)
    stem = os.path.splitext(page.path[page.path.rfind("/") + 1 :])[0]
    return (
        page.title,
        _HYPHEN.sub(" ", stem) if "-" in stem else stem,
        "\n".join(page.aliases),
        "\n".join(page.tags),
        page.description,
        "\n".join([heading.text for heading in page.headings if heading.text != page.title]),
        f"{page.body}\n{extra}" if extra else page.body,
    )


def _analysed(draft: _Draft, analyser: Analyser) -> Entry:
    row, texts, tags, name_keys, links, front = draft
    wholes: dict[str, None] = {}
    title, stem, names, tag_words, description, headings, body = analyser.bodies(texts, wholes)
    if stem != title:
        names = f"{names} {stem}" if names else stem
    text = (title, names, tag_words, description, headings, body, " ".join(wholes))
    entry: Entry = ((*row, body.count(" ") + 1, front), text, tags, name_keys, links)
    if not front.isascii() and not _encodable(front):
        scrubbed: Entry = _scrub(entry)
        return scrubbed
    return entry


def _extra(page: Page) -> str:
    """What unknown front matter keys say, as lines. Dates, numbers and identifiers are left to filters:
    they would be most of the vocabulary."""
    lines: list[str] = []
    front = page.front
    for key in [key for key in front if key not in _KNOWN]:
        _flatten(front[key], lines)
    return "\n".join(lines)


def _flatten(value: Any, lines: list[str]) -> None:
    if isinstance(value, str):
        if value.isalpha() or " " in value or not value.isascii():
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
        members = [
            f"{_quoted(key)}:{_quoted(item) if item.__class__ is str else _json(item)}"
            for key, item in value.items()
        ]
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
