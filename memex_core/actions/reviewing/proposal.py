"""Proposed changes: a page's new text waits beside it, as a draft that names the page in ``supersedes``.

``proposes`` lists the front matter keys that are to change, and ``body``; ``sources`` and ``links`` hold
only what is to be added. ``basis`` is a digest of what would be replaced: when the page says something
else by then, the two are in conflict. ``forget`` instead of these proposes that the page goes. A draft with
``supersedes`` and nothing else (somebody else's tool, a hand) proposes its body, sources and links.
"""

from __future__ import annotations

import json
import os
import re
import uuid
from typing import TYPE_CHECKING, Any, NamedTuple

from memex_core.actions.reviewing.governance import OWN_WORD
from memex_core.files import surgeon
from memex_core.files.atomic import digest, inside
from memex_core.files.commit import Edit
from memex_core.files.compose import new_page
from memex_core.files.journal import bytes_before
from memex_core.model import clock
from memex_core.model.slug import numbered, portable_name, slugify

if TYPE_CHECKING:
    from memex_core.actions.store import Store
    from memex_core.files.scrubbing import Scrubber
    from memex_core.model.page import Page, Value
    from memex_core.model.results import Event, WriteResult

ADDED = ("sources", "links")
"""Keys whose proposed entries are added to those the page has."""

_WHOLE = ("body", "forget")
_USUAL = ("body", *ADDED)


class Proposal(NamedTuple):
    """A draft that would change another page. ``target`` is that page's path, empty when it is gone."""

    path: str
    data: bytes
    page: Page
    named: str  # the target as the draft names it
    target: str

    @property
    def keys(self) -> tuple[str, ...]:
        return keys_in(self.page.front)

    @property
    def forgets(self) -> str:
        """The way in which the page shall be forgotten; empty: it shall change."""
        mode = self.page.front.get("forget")
        return mode if isinstance(mode, str) else ""


def read(store: Store, path: str, data: bytes | None = None) -> Proposal | None:
    """The proposal in the file at ``path``; None when it is a page of another kind."""
    data = store.read_bytes(path) if data is None else data
    page = store.page(path, data)
    name = named_in(page.front) if page.status == "draft" else ""
    return Proposal(path, data, page, name, target_of(store, path, name)) if name else None


def named_in(front: dict[str, Value]) -> str:
    """The one page that the front matter of a draft names in ``supersedes``; empty when there is none."""
    named = front.get("supersedes")
    if isinstance(named, list) and len(named) == 1:
        named = named[0]
    return named.strip().removeprefix("[[").removesuffix("]]") if isinstance(named, str) else ""


def keys_in(front: dict[str, Value]) -> tuple[str, ...]:
    """The keys that a draft proposes, ``body`` among them."""
    listed = front.get("proposes")
    if isinstance(listed, str):
        listed = [listed]
    if not isinstance(listed, list):
        return _USUAL
    return tuple(key for key in listed if isinstance(key, str) and (key in ADDED or key not in OWN_WORD))


def target_of(store: Store, path: str, name: str) -> str:
    """The path of the page that the draft at ``path`` means by ``name``; empty when it is gone."""
    target = store.index.resolve(name, "typed", path) or ""
    return target if target != path else ""


def of(store: Store, path: str) -> Proposal | None:
    """What is proposed for the page at ``path``; the oldest of several."""
    return min(every(store, path), key=lambda one: (one.page.created, one.path), default=None)


def every(store: Store, path: str) -> list[Proposal]:
    """All that is proposed for the page at ``path``."""
    waiting = sorted({link.source for link in store.index.links_to(path) if link.rel == "supersedes"})
    return [one for source in waiting if (one := read(store, source)) and one.target == path]


def decided(store: Store, names: set[str]) -> list[Event]:
    """The journal's copies of what was proposed for a page of these slugs, and approved or rejected since."""
    found = []
    for event in store.journal.read(holding=(b"supersedes",)):
        data = bytes_before(event)
        if data is None or b"supersedes" not in data:
            continue
        page = store.page(event["file"], data)
        named = page.front.get("supersedes")
        named = named[0] if isinstance(named, list) and len(named) == 1 else named
        if page.status == "draft" and isinstance(named, str) and slugify(named.strip("[] ")) in names:
            found.append(event)
    return found


def basis(page: Page, keys: tuple[str, ...]) -> str:
    """A digest of what a proposal for these keys would replace in ``page``."""
    kept: dict[str, Any] = {key: page.front.get(key) for key in sorted(keys) if key not in (*ADDED, *_WHOLE)}
    if not set(_WHOLE).isdisjoint(keys):
        kept["body"] = page.body.strip()
    return digest(json.dumps(kept, sort_keys=True).encode("utf-8", "surrogatepass"))


def outdated(proposal: Proposal, target: Page) -> bool:
    """Whether the target says something else than what the proposal was made from."""
    known = proposal.page.front.get("basis")
    return isinstance(known, str) and known != basis(target, proposal.keys)


def applied(proposal: Proposal, target: Page, data: bytes, text: str | None = None) -> bytes:
    """The target's bytes ``data`` with the proposal in them; ``text`` instead of the body it proposes."""
    body = text if text is not None else proposal.page.body if "body" in proposal.keys else None
    fresh, labels = _fresh_labels(proposal, target)
    if body is not None:
        body = _relabelled(body, labels)
    if body is not None and body.rstrip("\n") != target.body.rstrip("\n"):
        data = surgeon.replace_body(data, body)
    changes: dict[str, Value | None] = {}
    for key in proposal.keys:
        value = proposal.page.front.get(key)
        if key in ADDED:
            present = listed(target.front.get(key))
            new = fresh if key == "sources" else [one for one in listed(value) if one not in present]
            if new:
                changes[key] = [*present, *new]
        elif key != "body":
            changes[key] = value
    return surgeon.set_keys(data, changes) if changes else data


def _fresh_labels(proposal: Proposal, target: Page) -> tuple[list[Value], dict[str, str]]:
    """The sources that the target lacks, and old label -> new one where another source has that by now."""
    present = listed(target.front.get("sources"))
    taken = {str(one.get("id")) for one in present if isinstance(one, dict)}
    fresh: list[Value] = []
    labels: dict[str, str] = {}
    for one in listed(proposal.page.front.get("sources")) if "sources" in proposal.keys else []:
        if one in present:
            continue
        label = str(one.get("id") or "") if isinstance(one, dict) else ""
        if isinstance(one, dict) and label in taken:
            new = next(f"s{n}" for n in range(1, 100_000) if f"s{n}" not in taken)
            if f"[^{label}]" not in target.body:
                labels[label] = new
            one, label = {**one, "id": new}, new
        taken.add(label)
        fresh.append(one)
    return fresh, labels


def _relabelled(body: str, labels: dict[str, str]) -> str:
    """``body`` with its footnotes under their new labels."""
    return re.sub(r"\[\^([^\]\s]+)\]", lambda m: f"[^{labels.get(m[1], m[1])}]", body) if labels else body


def listed(value: Value) -> list[Value]:
    return list(value) if isinstance(value, list) else [] if value is None else [value]


def propose(
    store: Store,
    path: str,
    before: bytes,
    after: bytes,
    *,
    known: Proposal | None,
    anew: bool,
    scrub: Scrubber,
    dry_run: bool,
    notes: list[str],
) -> WriteResult:
    """Propose that the page at ``path`` becomes ``after``; ``known`` is what was proposed so far.

    ``anew``: the whole text is given, so that what the page says now is what it is made from.
    """
    from memex_core.actions.pages.write import result
    from memex_core.actions.reviewing.governance import check_not_refused

    target, wanted = store.page(path, before), store.page(path, after)
    check_not_refused(store, target.title, wanted.body, target.body)
    fields = _changed(target, wanted)
    keys = (*(("body",) if wanted.body.rstrip("\n") != target.body.rstrip("\n") else ()), *fields)
    fields["proposes"] = list(keys)
    stale = known is not None and not anew and outdated(known, target)
    fields["basis"] = known.page.front.get("basis") if known and stale else basis(target, keys)
    if not keys and known is None:
        return result(store, path, before, changed=False, dry_run=dry_run, warnings=notes)
    where, data = _draft(store, path, target, fields, wanted.body if "body" in keys else "", known)
    put(store, where, data, known, scrub=scrub, dry_run=dry_run)
    told = f"a change of {target.slug} is proposed; a person decides on it"
    return result(store, where, data, changed=True, dry_run=dry_run, warnings=[*notes, told])


def propose_forgetting(store: Store, path: str, before: bytes, mode: str, until: str) -> str:
    """Propose that the page goes, in place of what was proposed for it; the draft's slug."""
    target = store.page(path, before)
    known = of(store, path)
    fields: dict[str, Value] = {"forget": mode, "valid_until": until or None, "proposes": ["forget"]}
    fields["basis"] = basis(target, ("forget",))
    where, data = _draft(store, path, target, fields, "", known)
    put(store, where, data, known)
    return store.page(where, data).slug


def _changed(target: Page, wanted: Page) -> dict[str, Value]:
    """The front matter that differs: new values, None where a key goes, the additions of lists."""
    fields: dict[str, Value] = {}
    for key in dict.fromkeys([*wanted.front, *target.front]):
        old, new = target.front.get(key), wanted.front.get(key)
        if old == new or (key in OWN_WORD and key not in ADDED):
            continue
        if key in ADDED:
            present = listed(old)
            fields[key] = [one for one in listed(new) if one not in present]
        else:
            fields[key] = new
    return fields


def _draft(
    store: Store, path: str, target: Page, fields: dict[str, Value], body: str, known: Proposal | None
) -> tuple[str, bytes]:
    """Where the draft goes, and its bytes. Its own title keeps links by title from meaning it."""
    now = clock.stamp()
    where = known.path if known else _beside(store, path)
    named = target.slug if store.index.resolve(target.slug, "typed", where) == path else path[:-3]
    whole: dict[str, Value] = {
        "type": target.type,
        "title": f"{target.title} (proposed change)",
        **fields,
        "generated": {"by": store.actor, "at": now},
        "status": "draft",
        "id": known.page.id if known and known.page.id else str(uuid.uuid4()),
        "created": known.page.created if known and known.page.created else now,
        "supersedes": named,
    }
    for key in ("scope", "project", "branch"):
        if key not in fields:
            whole[key] = target.front.get(key)
    return where, new_page(whole, body)


def _beside(store: Store, path: str) -> str:
    """A free name in the folder of the page at ``path``."""
    home, _, name = path.rpartition("/")
    stem = name[:-3]
    stem = portable_name(f"{stem} proposed") if store.layout.folder else slugify(f"{stem}-proposed")

    def file(candidate: str) -> str:
        return f"{home}/{candidate}.md" if home else f"{candidate}.md"

    free = numbered(stem, lambda candidate: os.path.lexists(store.file_path(file(candidate))))
    inside(store.layout.pages, file(free))
    return file(free)


def put(
    store: Store,
    where: str,
    data: bytes,
    known: Proposal | None,
    *,
    scrub: Scrubber | None = None,
    dry_run: bool = False,
) -> None:
    """Write a proposal's file, the first time or over what was proposed before."""
    edit = Edit(where, known.data if known else None, data)
    item = store.page(where, data).slug
    action = "update" if known else "add"
    store.commit([edit], action=action, item=item, scrubber=scrub, dry_run=dry_run)
