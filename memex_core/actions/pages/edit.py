"""Changing a page: only the spans that were asked for move."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from memex_core.actions import terms
from memex_core.actions.pages import strict
from memex_core.files import frontmatter, surgeon
from memex_core.files.atomic import digest
from memex_core.files.commit import Edit
from memex_core.model import clock
from memex_core.model.actor import is_person
from memex_core.model.errors import BadInput, Conflict, MemexError, NotFound
from memex_core.model.page import Value

if TYPE_CHECKING:
    from collections.abc import Callable

    from memex_core.actions.reviewing.proposal import Proposal
    from memex_core.actions.store import Store
    from memex_core.files.scrubbing import Scrubber
    from memex_core.index.lookup import Row
    from memex_core.model.results import WriteResult

LISTS = {"tags", "aliases", "supersedes", "superseded_by", "depends_on", "implements"}


class _Wish(NamedTuple):
    """What a caller wants of a page. None: as it is; ``assignments`` with None: the key goes."""

    title: str | None
    body: str | None
    append: str | None
    section: str | None
    tags: Any
    description: str | None
    importance: Any
    links: Any
    sources: Any
    quotes: Any
    assignments: dict[str, Value | None]
    text: str | None

    @property
    def whole(self) -> bool:
        """Whether it tells a whole text: of two such at once, the later one is told."""
        return self.body is not None or self.text is not None

    @property
    def anew(self) -> bool:
        """Whether nothing of the body that there was goes into it."""
        return self.text is not None or (self.body is not None and self.section is None)


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
    wish = _Wish(
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
        assignments=_assignments(set, unset),
        text=text,
    )
    find = partial(store.find, slug, scope=scope, project=project)
    return _edited(store, find, wish, expect=expect, dry_run=dry_run)


def _edited(
    store: Store, find: Callable[[], Row], wish: _Wish, *, expect: str | None, dry_run: bool
) -> WriteResult:
    """Find the page, read it, make its new bytes, and write or propose them."""
    from memex_core.actions.pages.write import body_warnings, result
    from memex_core.actions.reviewing import governance, proposal

    waits = governance.waits(store)
    seen = store.journal.last_seq() if waits else 0
    row, scrub = find(), store.scrubber()
    with store.alone(unless=dry_run or (wish.whole and not waits)):
        if waits and not dry_run:
            store.catch_up(seen)  # another process may have proposed a change of this page
        row, before = _read(store, row, find)
        if expect is not None and expect != digest(before):
            raise Conflict(
                f"{row.path} changed since you read it", hint="read it again; your text was not written"
            )
        strict.check(wish.assignments, folder=store.layout.folder)
        place = _place(store, row.path, before, waits)
        data = _rewritten(store, place, wish, scrub)
        notes = [*(body_warnings(store, wish.body) if wish.body else []), *scrub.notes()]
        if place.proposed:
            return proposal.propose(
                store,
                place.path,
                place.before,
                data,
                known=place.known,
                anew=wish.anew,
                scrub=scrub,
                dry_run=dry_run,
                notes=notes,
            )
        changed = data != place.before
        if changed:
            _check_not_refused(store, place, data)
            made = [Edit(place.path, place.before, data)]
            store.commit(made, action="update", item=row.slug, scrubber=scrub, dry_run=dry_run)
    return result(store, place.path, data, changed=changed, dry_run=dry_run, warnings=notes)


def _read(store: Store, row: Row, find: Callable[[], Row]) -> tuple[Row, bytes]:
    """The page's file. When the index knows another text, or the file is gone, somebody was at it outside
    memex: a look at the folder notes that first, so that no version is missing from the history."""
    try:
        data = store.read_bytes(row.path)
        if digest(data) == row.digest:
            return row, data
    except NotFound:
        pass
    store.look_again()
    row = find()
    return row, store.read_bytes(row.path)


class _Place(NamedTuple):
    """The page that a change is made of, or ``proposed`` for, with what is proposed for it so far."""

    path: str
    before: bytes
    known: Proposal | None = None
    proposed: bool = False


def _place(store: Store, path: str, before: bytes, waits: bool) -> _Place:
    """A page in use stays as it is where writes wait; a draft is changed, unless it is a proposal itself."""
    from memex_core.actions.reviewing import proposal

    if not waits:
        return _Place(path, before)
    draft = store.page(path, before).status == "draft"
    known = proposal.read(store, path, before) if draft else proposal.of(store, path)
    if known is not None and known.target:  # one proposal a page: this goes into it
        return _Place(known.target, store.read_bytes(known.target), known, proposed=True)
    return _Place(path, before, known, proposed=not draft)


def _rewritten(store: Store, place: _Place, wish: _Wish, scrub: Scrubber) -> bytes:
    """The page's bytes as they shall be: changed, scrubbed, and signed. Errors name the page."""
    from memex_core.actions.reviewing import proposal

    path, before = place.path, place.before
    start = before
    if place.known is not None and place.proposed:
        start = proposal.applied(place.known, store.page(path, before), before)
    try:
        data = _changed(store, path, start, wish, scrub)
        data = scrub.file(data, before)  # what the page held before stays in it
        if data != before and not place.proposed and "generated" not in wish.assignments:
            data = _stamp(store, data)
    except MemexError as error:
        if path not in error.message:
            error.message = f"{path}: {error.message}"
        raise
    return data


def _check_not_refused(store: Store, place: _Place, data: bytes) -> None:
    from memex_core.actions.reviewing.governance import check_not_refused

    page = store.page(place.path, data)
    if not is_person(store.actor):  # the page before is not parsed for nothing
        check_not_refused(store, page.title, page.body, store.page(place.path, place.before).body)


def _changed(store: Store, path: str, before: bytes, wish: _Wish, scrub: Scrubber) -> bytes:
    """The page's bytes as the caller wants them."""
    from memex_core.actions.reviewing.governance import check_keys

    check_keys(store, wish.assignments)
    changes = _keys(store, path, before, wish, scrub)
    data = before
    if wish.text is not None:
        data = wish.text.encode("utf-8", "surrogateescape")
        check_keys(store, _differing(store, path, before, data))
    append = scrub.text(wish.append) if wish.append else wish.append
    data = _edit_body(data, wish.body, append, wish.section)
    return surgeon.set_keys(data, changes) if changes else data


def _keys(store: Store, path: str, before: bytes, wish: _Wish, scrub: Scrubber) -> dict[str, Value | None]:
    """The front matter keys to set, None for those that go."""
    from memex_core.actions.conversations.citing import cited
    from memex_core.actions.pages.write import one_line

    changes: dict[str, Value | None] = {}
    if wish.title is not None:
        changes["title"] = scrub.text(one_line(wish.title, "title"))
    if wish.description is not None:
        line = scrub.text(wish.description)
        changes["description"] = one_line(line, "description", limit=512) if line else None
    if wish.tags is not None:
        changes["tags"] = list(terms.as_tags(scrub.value(wish.tags))) or None
    if wish.importance is not None:
        changes["importance"] = terms.plain(terms.as_importance(wish.importance))
    if wish.links:
        present = _maps(store, path, before, "links")
        changes["links"] = [*present, *terms.as_links(scrub.value(wish.links))]
    if wish.sources:
        present = _maps(store, path, before, "sources")
        changes["sources"] = [*present, *cited(store, wish.sources, wish.quotes, present, scrub=scrub)]
    changes.update(scrub.value(wish.assignments))
    if isinstance(wanted := changes.get("tags"), list):
        changes["tags"] = list(terms.spelt_as(store.page(path, before).tags, wanted))
    for key in ("tags", "aliases"):
        if key in changes:
            front = store.page(path, before).front
            changes = {**dict.fromkeys(surgeon.other_keys(front, key)), **changes}
    if any(changes.get(key) for key in strict.WINDOW):
        strict.check_window({**store.page(path, before).front, **changes})
    return changes


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
        if set_ is not None and not isinstance(set_, str | list | tuple):
            raise BadInput("set must be a map, or KEY=VALUE texts", hint=f"not {type(set_).__name__}")
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


def _stamp(store: Store, data: bytes) -> bytes:
    """Renew ``generated`` where the page keeps it; a page without it gets no key nobody asked for."""
    if b"generated" not in data:
        return data
    front = frontmatter.read(data)
    if front.kind != "yaml" or not isinstance(front.fields.get("generated"), dict):
        return data
    return surgeon.set_keys(data, {"generated": {"by": store.actor, "at": clock.stamp()}})
