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
    dry_run: bool = False,
) -> WriteResult:
    """Change a page's title, body, a section, tags or any key; everything else stays byte for byte.

    ``sources`` and ``quotes`` add to the page's sources. ``text`` replaces the whole file. ``expect``
    is the digest that the caller saw: when the file has changed since, nothing is written and Conflict
    is raised.
    """
    from memex_core.actions.citing import cited
    from memex_core.actions.write import body_warnings, one_line, result

    row = store.find(slug, scope=scope)
    scrub = store.scrubber()
    whole = body is not None or text is not None  # two of these at once: the later one is told
    with store.alone(unless=dry_run or whole):
        before = store.read_bytes(row.path)
        if expect is not None and expect != digest(before):
            raise Conflict(
                f"{row.path} changed since you read it", hint="read it again; your text was not written"
            )
        data = before
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
            changes["links"] = [*_maps(store, row.path, before, "links"), *terms.as_links(scrub.value(links))]
        if sources:
            present = _maps(store, row.path, before, "sources")
            changes["sources"] = [*present, *cited(store, sources, quotes, present, scrub=scrub)]
        changes.update(scrub.value(_assignments(set, unset)))
        try:
            if text is not None:
                data = text.encode("utf-8", "surrogateescape")
            data = _edit_body(data, body, scrub.text(append) if append else append, section)
            if changes:
                data = surgeon.set_keys(data, changes)
            data = scrub.file(data, before)  # what the page held before stays in it
            if data != before:
                data = _stamp(store, row.path, data, changes)
        except MemexError as error:
            if row.path not in error.message:
                error.message = f"{row.path}: {error.message}"
            raise
        changed = data != before
        if changed and not dry_run:
            store.commit([Edit(row.path, before, data)], action="update", item=row.slug, scrubber=scrub)
    notes = [*(body_warnings(store, body) if body else []), *scrub.notes()]
    return result(store, row.path, data, changed=changed, dry_run=dry_run, warnings=notes)


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


def _stamp(store: Store, path: str, data: bytes, changes: dict[str, Value | None]) -> bytes:
    """Renew ``generated`` where the page keeps it; a page without it gets no key nobody asked for."""
    if "generated" in changes or b"generated" not in data:
        return data
    page = store.page(path, data)
    if page.front_kind != "yaml" or not isinstance(page.front.get("generated"), dict):
        return data
    return surgeon.set_keys(data, {"generated": {"by": store.actor, "at": clock.stamp()}})
