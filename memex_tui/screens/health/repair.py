"""Mending links: what one may have meant, and the one span of text to change.

Everything is called in a lane of the gateway. Pages are changed through ``Memex.edit`` with the digest of
what was read, so that an edit made meanwhile outside is never lost.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterable, Sequence

from memex_core.files.atomic import digest
from memex_core.files.scalars import SLUG_KEYS
from memex_core.index.links import LinkRow
from memex_core.index.named import named, resembling
from memex_core.memex import Memex
from memex_core.model import relink
from memex_core.model.errors import Refused
from memex_core.model.links import find_links
from memex_core.model.names import stem_of, without_ending
from memex_core.model.nearness import NEAR, nearness
from memex_core.model.page import Link, Value
from memex_tui.screens.health.presenter import Finding, Suggestion

_UNLINKABLE = re.compile(r"[\[\]|#^\r\n]|\A[/.]")
_WORD = re.compile(r"\w{3,}")


def suggestions(memex: Memex, link: LinkRow, limit: int) -> list[Suggestion]:
    """Pages that a link to nothing may have meant, the likeliest first."""
    index = memex.store.index
    name = without_ending(link.target.replace("\\", "/").rpartition("/")[2]) or link.target
    found: dict[str, str] = {}
    for slug in index.suggest(name):
        found.update((row.path, row.title) for row in index.find(slug, near=link.source)[:3])
    for part in [name, *_WORD.findall(name)]:
        found.update((one.path, one.title) for one in named(index.db, part, 12))
    found.update((one.path, one.title) for one in resembling(index.db, name))
    found.pop(link.source, None)
    near = {path: max(nearness(name, title), nearness(name, stem_of(path))) for path, title in found.items()}
    home = posixpath.dirname(link.source)
    likely = sorted(
        (path for path in found if near[path] >= NEAR),
        key=lambda path: (-near[path], posixpath.dirname(path) != home, len(found[path]), path),
    )
    return [Suggestion(path, found[path], target_for(memex, link, path)) for path in likely[:limit]]


def link_to(memex: Memex, findings: Sequence[Finding], path: str) -> int:
    """Let the links that findings are about mean the page at ``path``; how many pages were changed."""
    return _each_page(memex, findings, lambda text, ones: _relinked(memex, text, ones, path), path)


def unlink(memex: Memex, findings: Sequence[Finding]) -> int:
    """Make links plain text: what they show stays; how many pages were changed."""
    return _each_page(memex, findings, _unlinked, "")


def _each_page(
    memex: Memex,
    findings: Sequence[Finding],
    change: Callable[[str, Sequence[LinkRow]], str],
    path: str,
) -> int:
    """Change every page concerned. Relations in front matter only follow where there is a ``path``."""
    pages: dict[str, list[LinkRow]] = {}
    for finding in findings:
        if finding.link is not None:
            pages.setdefault(finding.file, []).append(finding.link)
    done = 0
    for page, links in pages.items():
        before = memex.store.read_bytes(page)
        text = before.decode("utf-8", "surrogateescape")
        after = change(text, links)
        typed = [link for link in links if link.form == "typed"] if path else []
        fields = _typed_fields(memex, page, typed, path) if typed else {}
        if after == text and not fields:
            continue
        seen = digest(before)
        if after != text:
            memex.edit(page, text=after, set=fields or None, expect=seen)
        else:
            memex.edit(page, set=fields, expect=seen)
        done += 1
    if not done:
        raise Refused("the link is not there any more", hint="check again")
    return done


def _relinked(memex: Memex, text: str, links: Sequence[LinkRow], path: str) -> str:
    wanted = {(link.target, link.line): link for link in links}

    def target(link: Link) -> str | None:
        row = wanted.get((link.target, link.line))
        return target_for(memex, row, path) if row is not None else None

    return relink.rewrite_file(text, target)[0]


def target_for(memex: Memex, link: LinkRow, path: str) -> str:
    """What the link must say to mean the page at ``path`` and no other: its title or name where that is
    enough, else its path."""
    index = memex.store.index
    if link.form == "markdown":
        return posixpath.relpath(path, posixpath.dirname(link.source) or ".")
    row = index.row(path)
    names = [row.title if row is not None else "", stem_of(path)]
    for name in reversed(names) if link.form == "typed" else names:
        if name and not _UNLINKABLE.search(name):
            meant = index.resolve_full(name, link.form, link.source)
            if meant.path == path and not meant.ambiguous:
                return name
    return without_ending(path)


def _unlinked(text: str, links: Sequence[LinkRow]) -> str:
    cut = relink.front_matter_end(text)[0]
    wanted = {(link.target, link.line) for link in links}
    body = text[cut:]
    for found in reversed(find_links(body, 1 + text.count("\n", 0, cut))):
        if (found.target, found.line) in wanted and found.start >= 0:
            shown = found.alias or " › ".join(part for part in (found.target, found.heading) if part)
            body = body[: found.start] + shown + body[found.end :]
    return text[:cut] + body


def _typed_fields(memex: Memex, page: str, links: Iterable[LinkRow], path: str) -> dict[str, Value]:
    """The front matter keys of relations, with these targets replaced by the page's name."""
    new = {link.target: target_for(memex, link, path) for link in links}
    front = memex.store.page(page).front
    found: dict[str, Value] = {}
    for key in (*SLUG_KEYS, "links"):
        value = front.get(key)
        swapped = _swapped(value, new)
        if value is not None and swapped != value:
            found[key] = swapped
    return found


def _swapped(value: Value | None, new: dict[str, str]) -> Value:
    if isinstance(value, list):
        return [_swapped(one, new) for one in value]
    if isinstance(value, dict):
        return {key: _swapped(one, new) if key == "target" else one for key, one in value.items()}
    return new.get(value, value) if isinstance(value, str) else ""
