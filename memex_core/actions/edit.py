"""Changing a page: only the spans that were asked for move."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memex_core.actions import terms
from memex_core.files import surgeon
from memex_core.files.atomic import digest
from memex_core.files.commit import Edit
from memex_core.model import clock
from memex_core.model.errors import BadInput, Conflict, MemexError
from memex_core.model.page import Value

if TYPE_CHECKING:
    from memex_core.actions.store import Store
    from memex_core.files.scrubbing import Scrubber
    from memex_core.model.results import WriteResult

LISTS = {"tags", "aliases", "supersedes", "superseded_by", "depends_on", "implements"}


def edit(
    store: Store,
    slug: str,
    *,
    title: str | None = None,
    body: str | None = None,
    append: str | None = None,
    section: str | None = None,
    tags: Any = None,
    description: str | None = None,
    importance: Any = None,
    links: Any = None,
    sources: Any = None,
    quotes: Any = None,
    set: Any = None,
    unset: Any = None,
    text: str | None = None,
    expect: str | None = None,
    scope: str | None = None,
    project: str | None = None,
    dry_run: bool = False,
) -> WriteResult:
    """Change a page's title, body, a section, tags or any key; everything else stays byte for byte.

    ``sources`` and ``quotes`` add to the page's sources. ``text`` replaces the whole file. ``expect``
    is the digest that the caller saw: when the file has changed since, nothing is written and Conflict
    is raised. Where the actor's writes wait for review, a page in use stays as it is and the change is
    proposed: the answer is then the draft that holds it.
    """
    from memex_core.actions import governance, proposal
    from memex_core.actions.write import body_warnings, result

    waits = governance.waits(store)
    seen = store.journal.last_seq() if waits else 0
    row = store.find(slug, scope=scope, project=project)
    scrub = store.scrubber()
    whole = body is not None or text is not None  # two of these at once: the later one is told
    with store.alone(unless=dry_run or (whole and not waits)):
        if waits and not dry_run:
            store.catch_up(seen)  # another process may have proposed a change of this page
        path, before = row.path, store.read_bytes(row.path)
        if expect is not None and expect != digest(before):
            raise Conflict(
                f"{row.path} changed since you read it", hint="read it again; your text was not written"
            )
        draft = store.page(path, before).status == "draft"
        known = None
        if waits:
            known = proposal.read(store, path, before) if draft else proposal.of(store, path)
            if known is not None and known.target:  # one proposal a page: this goes into it
                path, draft = known.target, False
                before = store.read_bytes(path)
        proposed = waits and not draft
        start, assignments = before, _assignments(set, unset)
        if known is not None and proposed:
            start = proposal.applied(known, store.page(path, before), before)
        try:
            data = _changed(
                store,
                path,
                start,
                title=title,
                body=body,
                append=append,
                section=section,
                tags=tags,
                description=description,
                importance=importance,
                links=links,
                sources=sources,
                quotes=quotes,
                assignments=assignments,
                text=text,
                scrub=scrub,
            )
            data = scrub.file(data, before)  # what the page held before stays in it
            if data != before and not proposed and "generated" not in assignments:
                data = _stamp(store, path, data)
        except MemexError as error:
            if path not in error.message:
                error.message = f"{path}: {error.message}"
            raise
        notes = [*(body_warnings(store, body) if body else []), *scrub.notes()]
        if proposed:
            anew = text is not None or (body is not None and section is None)
            return proposal.propose(
                store,
                path,
                before,
                data,
                known=known,
                anew=anew,
                scrub=scrub,
                dry_run=dry_run,
                notes=notes,
            )
        changed = data != before
        if changed:
            page = store.page(path, data)
            governance.check_not_refused(store, page.title, page.body, store.page(path, before).body)
        if changed and not dry_run:
            store.commit([Edit(path, before, data)], action="update", item=row.slug, scrubber=scrub)
    return result(store, path, data, changed=changed, dry_run=dry_run, warnings=notes)


def _changed(
    store: Store,
    path: str,
    before: bytes,
    *,
    title: str | None,
    body: str | None,
    append: str | None,
    section: str | None,
    tags: Any,
    description: str | None,
    importance: Any,
    links: Any,
    sources: Any,
    quotes: Any,
    assignments: dict[str, Value | None],
    text: str | None,
    scrub: Scrubber,
) -> bytes:
    """The page's bytes as the caller wants them."""
    from memex_core.actions.citing import cited
    from memex_core.actions.governance import check_keys
    from memex_core.actions.write import one_line

    check_keys(store, assignments)
    changes: dict[str, Value | None] = {}
    if title is not None:
        changes["title"] = scrub.text(one_line(title, "title"))
    if description is not None:
        line = scrub.text(description)
        changes["description"] = one_line(line, "description", limit=512) if line else None
    if tags is not None:
        changes["tags"] = list(terms.as_tags(scrub.value(tags))) or None
    if importance is not None:
        changes["importance"] = terms.plain(terms.as_importance(importance))
    if links:
        changes["links"] = [*_maps(store, path, before, "links"), *terms.as_links(scrub.value(links))]
    if sources:
        present = _maps(store, path, before, "sources")
        changes["sources"] = [*present, *cited(store, sources, quotes, present, scrub=scrub)]
    changes.update(scrub.value(assignments))
    data = before
    if text is not None:
        data = text.encode("utf-8", "surrogateescape")
        check_keys(store, _differing(store, path, before, data))
    data = _edit_body(data, body, scrub.text(append) if append else append, section)
    return surgeon.set_keys(data, changes) if changes else data


def _differing(store: Store, path: str, before: bytes, data: bytes) -> list[str]:
    """The front matter keys in which two texts of a page differ."""
    old, new = store.page(path, before).front, store.page(path, data).front
    return [key for key in {**old, **new} if old.get(key) != new.get(key)]


def _edit_body(data: bytes, body: str | None, append: str | None, section: str | None) -> bytes:
    if section is not None:
        if body is None and append is None:
            raise BadInput("--section says where, not what", hint="add --body or --append")
        if body is not None:
            data = surgeon.replace_section(data, section, body)
        if append is not None:
            data = surgeon.append_section(data, section, append)
        return data
    if body is not None:
        data = surgeon.replace_body(data, body)
    if append is not None:
        data = surgeon.append_body(data, append)
    return data


def _assignments(set_: Any, unset: Any) -> dict[str, Value | None]:
    """``KEY=VALUE`` texts (or a map) and keys to remove, as changes for the surgeon."""
    out: dict[str, Value | None] = {}
    if isinstance(set_, dict):
        out.update(set_)
    else:
        for item in [set_] if isinstance(set_, str) else list(set_ or []):
            key, equals, value = str(item).partition("=")
            if not equals or not key.strip():
                raise BadInput(f"{item!r} sets nothing", hint="write KEY=VALUE")
            out[key.strip()] = _value(key.strip(), value.strip())
    for key in terms.as_list(unset, "unset"):
        out[key] = None
    return out


def _value(key: str, text: str) -> Value:
    if text[:1] in "[{":
        from memex_core.files.frontmatter import read_value

        return read_value(text)
    if key in LISTS:
        return list(terms.as_tags(text) if key == "tags" else terms.as_list(text, key))
    return text


def _maps(store: Store, path: str, data: bytes, key: str) -> list[Value]:
    """The entries of a list-of-maps key as they stand, so that new ones can be put after them."""
    value = store.page(path, data).front.get(key)
    if value is None:
        return []
    return list(value) if isinstance(value, list) else [value]


def _stamp(store: Store, path: str, data: bytes) -> bytes:
    """Renew ``generated`` where the page keeps it; a page without it gets no key nobody asked for."""
    if b"generated" not in data:
        return data
    page = store.page(path, data)
    if page.front_kind != "yaml" or not isinstance(page.front.get("generated"), dict):
        return data
    return surgeon.set_keys(data, {"generated": {"by": store.actor, "at": clock.stamp()}})
