"""A page made ready for the reader: its text, what its links mean, what is known of it.

Cheaper than ``Memex.show``: nothing here reads any file but the page's own. Called in a lane of the
gateway, never on the loop.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple
from urllib.parse import unquote

from memex_core.files import frontmatter
from memex_core.index import links
from memex_core.memex import Memex
from memex_core.model.evidence import parse_resource
from memex_tui.render.markdown.model import AMBIGUOUS, RESOLVED, UNRESOLVED, Hooks, Link, Property


class Target(NamedTuple):
    """What a link of a page means: the page at ``path`` (empty: none) and other candidates."""

    path: str
    state: str
    others: tuple[str, ...] = ()


class Neighbour(NamedTuple):
    """A page at the other end of a link."""

    path: str
    title: str


class Reading(NamedTuple):
    """A page as it is read. ``first_line`` is the line of its file that ``body`` begins at."""

    path: str
    title: str
    file_path: str
    type: str
    status: str
    tags: tuple[str, ...]
    updated: str
    digest: str
    body: str
    first_line: int
    properties: tuple[Property, ...]
    targets: Mapping[str, Target]
    backlinks: tuple[Neighbour, ...]
    links_out: int
    turns: tuple[tuple[str, int], ...]  # (session, turn) of its sources

    def target(self, link: Link) -> Target | None:
        """What a link on the page means; None for one that is no link to a page."""
        name = link.target
        return self.targets.get(name) or self.targets.get(unquote(name))

    def hooks(self) -> Hooks:
        """For ``MarkdownView.set_page``: links are shown as found or missing; embeds as links."""

        def resolve(link: Link) -> str:
            if not link.target:
                return RESOLVED  # a place on this page
            found = self.target(link)
            return found.state if found is not None else RESOLVED

        return Hooks(resolve)


def read(memex: Memex, name: str) -> Reading:
    """The page called ``name`` (path, slug, title or alias) as its file says now. Raises NotFound."""
    store = memex.store
    row = store.index.row(name) or store.find(name, loose=True)
    front = frontmatter.read(store.read_bytes(row.path))
    db = store.index.db
    targets: dict[str, Target] = {}
    outgoing = links.links_from(db, row.path)
    missing = {link.target for link in links.unresolved(db, row.path)}
    for link in outgoing:
        if not link.dst and link.target not in missing:
            continue  # a file that is no page
        state = AMBIGUOUS if link.ambiguous else RESOLVED if link.dst else UNRESOLVED
        targets.setdefault(link.target, Target(link.dst or "", state, tuple(link.ambiguous)))
    incoming = {link.source: link.title for link in links.links_to(db, row.path) if link.source != row.path}
    return Reading(
        path=row.path,
        title=row.title,
        file_path=store.file_path(row.path),
        type=row.type,
        status=row.status,
        tags=tuple(row.tags),
        updated=row.updated,
        digest=row.digest,
        body=front.body,
        first_line=front.body_line,
        properties=tuple(properties_of(front.fields)),
        targets=targets,
        backlinks=tuple(Neighbour(path, title) for path, title in incoming.items()),
        links_out=len({link.dst for link in outgoing if link.dst}),
        turns=tuple(_turns(front.fields)),
    )


def _turns(fields: Mapping[str, object]) -> Iterator[tuple[str, int]]:
    """The turns that the page names as its sources."""
    sources = fields.get("sources")
    for source in sources if isinstance(sources, list) else ():
        resource = source.get("resource") if isinstance(source, dict) else source
        found = parse_resource(resource) if isinstance(resource, str) else None
        if found is not None:
            yield found


def properties_of(fields: Mapping[str, object]) -> list[Property]:
    """Front matter for the property panel: lists as chips, everything else as its text."""
    found: list[Property] = []
    for key, value in fields.items():
        if isinstance(value, list) and all(not isinstance(one, list | dict) for one in value):
            found.append(Property(key, [_text(one) for one in value]))
        elif value not in (None, "", [], {}):
            found.append(Property(key, _text(value)))
    return found


def _text(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dict):
        return _entry(value) or ", ".join(f"{key}: {_text(one)}" for key, one in value.items())
    if isinstance(value, list):
        maps = any(isinstance(one, dict) for one in value)
        return (" · " if maps else ", ").join(_text(one) for one in value)
    return str(value)


def _entry(value: Mapping[str, object]) -> str:
    """A typed link, a source or a signature as people say it; empty for any other map."""
    if "target" in value and value.keys() <= {"target", "rel"}:
        return f"{value.get('rel') or 'relates-to'} [[{value['target']}]]"
    if "resource" in value:
        name = str(value.get("title") or value["resource"])
        return f"{name}: “{value['quote']}”" if value.get("quote") else name
    if "by" in value and value.keys() <= {"by", "at"}:
        return " ".join([str(value["by"]), str(value.get("at") or "")[:10]]).strip()
    return ""
