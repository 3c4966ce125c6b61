"""New pages: ``write``. A page of the same type, scope and title is never overwritten unasked."""

from __future__ import annotations

import os
import re
import uuid
from typing import TYPE_CHECKING, Any

from memex_core.actions import terms
from memex_core.actions.conversations.citing import cited
from memex_core.actions.here import to_write
from memex_core.actions.pages import strict
from memex_core.actions.pages.edit import edit
from memex_core.actions.reviewing import governance
from memex_core.actions.store import Store
from memex_core.files.commit import Edit
from memex_core.files.compose import new_page
from memex_core.model import clock
from memex_core.model.errors import AlreadyExists, BadInput
from memex_core.model.page import TYPE_FOLDERS, Page, Value
from memex_core.model.scope import check_scope
from memex_core.model.slug import numbered, portable_name, sha1_slug, slugify

if TYPE_CHECKING:
    from memex_core.files.scrubbing import Scrubber
    from memex_core.model.results import WriteResult


def write(
    store: Store,
    *,
    type: str,
    title: str,
    body: str = "",
    tags: Any = None,
    description: str = "",
    aliases: Any = None,
    importance: Any = None,
    links: Any = None,
    sources: Any = None,
    quotes: Any = None,
    resource: str = "",
    valid_from: Any = None,
    valid_until: Any = None,
    stale_after: Any = None,
    occurred_at: Any = None,
    scope: str = "global",
    project: str = "",
    branch: str = "",
    session_id: str = "",
    transcript_ref: str = "",
    status: str = "",
    slug: str = "",
    folder: str = "",
    update: bool = False,
    new: bool = False,
    dry_run: bool = False,
) -> WriteResult:
    """Write a new page. ``new`` takes ``-2`` where one has that name; ``update`` changes that one instead, if
    there is one, in what is told and nothing else: without a body it keeps its text.

    It is a draft where the actor's writes wait for review; episodes, which say that a conversation took
    place, do not wait.
    """
    if new and update:
        raise BadInput("a page is new, or an update of another", hint="--new or --update, not both")
    kind = terms.as_type(type)
    if kind == "episode" and not session_id:
        raise BadInput("an episode needs its session", hint="add --session-id")
    scrub = store.scrubber()
    title = scrub.text(one_line(title, "title"))  # before names are made of it
    where = check_scope(*to_write(store, scope, scrub.text(project), scrub.text(branch)))
    scope, project, branch = where
    seen = store.journal.last_seq()
    present = same_page(store, kind, title, *where)
    if present and update:
        _check_stays(present[0], slug, folder)
        return edit(
            store,
            present[0],
            body=body or None,
            tags=tags,
            description=description or None,
            importance=importance,
            links=links,
            sources=sources,
            quotes=quotes,
            set=_told_anew(
                aliases=terms.as_list(aliases, "aliases"),
                status="" if governance.waits(store) else status,
                resource=resource,
                session_id=session_id,
                transcript_ref=transcript_ref,
                valid_from=valid_from,
                valid_until=valid_until,
                stale_after=stale_after,
                occurred_at=occurred_at,
            ),
            dry_run=dry_run,
        )
    if present and not new:
        raise _twin(present[0], kind, title)

    governance.check_not_refused(store, title, body)
    fields = _fields(
        store,
        scrub,
        description=description,
        aliases=aliases,
        importance=importance,
        links=links,
        sources=cited(store, sources, quotes, scrub=scrub),
        resource=resource,
        tags=tags,
        session_id=session_id,
        transcript_ref=transcript_ref,
        valid_from=valid_from,
        valid_until=valid_until,
        stale_after=stale_after,
        occurred_at=occurred_at,
    )
    fields |= {"type": kind, "title": title, "scope": scope, "project": project, "branch": branch}
    fields["status"] = "draft" if governance.waits(store) and kind != "episode" else status
    data = scrub.file(new_page(fields, body))
    warnings = [*body_warnings(store, body), *scrub.notes()]
    with store.alone(unless=dry_run):
        if store.catch_up(seen) and not new:
            present = same_page(store, kind, title, *where)
            if present:  # another process was a moment faster
                raise _twin(present[0], kind, title)
        ident = str(fields["id"])
        path = new_path(store, kind, title, ident, scope=scope, project=project, slug=slug, folder=folder)
        if not new and not dry_run:
            _check_names_before(store, path, kind, title, where)
        made = [Edit(path, None, data)]
        store.commit(made, action="add", item=page_slug(path), scrubber=scrub, dry_run=dry_run)
    return result(store, path, data, changed=True, dry_run=dry_run, warnings=warnings)


def _fields(store: Store, scrub: Scrubber, *, sources: list[Value], **told: Any) -> dict[str, Value]:
    """The front matter of a page with a new identity: what the caller told of it, read and scrubbed."""
    now = clock.stamp()
    importance, description = told["importance"], told["description"]
    weight = store.config.pages.default_importance if importance is None else terms.as_importance(importance)
    fields: dict[str, Value] = {
        "id": str(uuid.uuid4()),
        "created": now,
        "generated": {"by": store.actor, "at": now},
        "description": one_line(scrub.text(description), "description", limit=512) if description else None,
        "aliases": list(terms.as_list(scrub.value(told["aliases"]), "aliases")),
        "tags": list(terms.as_tags(scrub.value(told["tags"]))),
        "links": terms.as_links(scrub.value(told["links"])),
        "sources": sources,
        "importance": None if weight == 0.5 else terms.plain(weight),
        **{key: scrub.text(told[key]) for key in ("resource", "session_id", "transcript_ref")},
        **{key: terms.as_time(told[key], key) or None for key in _TIMES},
    }
    strict.check_window(fields)
    return fields


_TIMES = ("valid_from", "valid_until", "stale_after", "occurred_at")


def _told_anew(**told: Any) -> dict[str, Value]:
    """The keys of a page there is that the caller told a value for."""
    times = {key: terms.as_time(told.pop(key), key) for key in _TIMES}
    told["aliases"] = list(told["aliases"])
    return {key: value for key, value in (told | times).items() if value}


def _check_stays(path: str, slug: str, folder: str) -> None:
    """An update leaves the page where it is. Raises BadInput where the caller names another place."""
    home, _, name = path.rpartition("/")
    if (slug and slugify(slug) != page_slug(name)) or (folder and folder.strip("/") != home):
        raise BadInput(f"the page is {path} already", hint="memex rename gives it another name or place")


def _check_names_before(store: Store, path: str, kind: str, title: str, where: tuple[str, str, str]) -> None:
    """A page of the name without its number may be one that another process has written and not indexed yet:
    then it is the page that this one would be a second of. Raises AlreadyExists."""
    found = re.fullmatch(r"(.+)-([0-9]{1,3})\.md", path)
    if found is None:
        return
    stem, number = found[1], int(found[2])
    before = [f"{stem}.md", *(f"{stem}-{one}.md" for one in range(2, number))]
    missing = [one for one in before if store.index.row(one) is None]
    if missing:
        store.index.update(missing)
        present = same_page(store, kind, title, *where)
        if present:
            raise _twin(present[0], kind, title)


def _twin(path: str, kind: str, title: str) -> AlreadyExists:
    return AlreadyExists(
        f"{path} is a {kind} titled {title!r} already", hint="--update changes it, --new writes another"
    )


def same_page(store: Store, kind: str, title: str, scope: str, project: str, branch: str) -> list[str]:
    """Paths of the pages of this type, scope and title."""
    rows = store.index.find(title, exact=True)
    wanted = (kind, scope, project, branch)
    return [
        row.path
        for row in rows
        if (row.type, row.scope, row.project, row.branch) == wanted
        and row.title.casefold() == title.casefold()
    ]


def new_path(
    store: Store,
    kind: str,
    title: str,
    ident: str,
    *,
    scope: str,
    project: str,
    slug: str = "",
    folder: str = "",
) -> str:
    """Where a new page goes: its type folder in a store, a readable file name in an opened folder."""
    from memex_core.files.atomic import inside

    layout = store.layout
    if folder:
        home = folder.rstrip("/")
        inside(layout.pages, f"{home}/x.md")
    elif layout.folder:
        home = ""
    else:
        home = TYPE_FOLDERS.get(kind, slugify(kind))
        if scope != "global":
            home = f"projects/{slugify(project)}/{home}"
    if slug:
        stem = chosen_stem(store, slug, ident)
    elif layout.folder:
        stem = portable_name(title)
    elif store.config.pages.slug_algo == "sha1":
        stem = sha1_slug(title)
    else:
        stem = slugify(title, ident=ident)

    def taken(candidate: str) -> bool:
        path = f"{home}/{candidate}.md" if home else f"{candidate}.md"
        if os.path.lexists(store.file_path(path)):
            return True
        same = store.index.find(slugify(candidate), exact=True)
        return (
            any(
                slugify(candidate) == row.slug and (row.scope, row.project) == (scope, project)
                for row in same
            )
            and not layout.folder
        )

    if slug and taken(stem):
        raise AlreadyExists(f"the slug {slug!r} is taken", hint="choose another, or leave out --slug")
    stem = numbered(stem, taken)
    path = f"{home}/{stem}.md" if home else f"{stem}.md"
    inside(layout.pages, path)
    return path


def chosen_stem(store: Store, slug: str, ident: str = "") -> str:
    """The file name that ``--slug`` asks for, if every system can hold it. Raises BadInput."""
    fit = portable_name(slug) if store.layout.folder else slugify(slug, ident=ident)
    if slug != fit:
        what = "file name for every system" if store.layout.folder else "slug"
        raise BadInput(f"{slug!r} is no {what}", hint=f"write {fit}")
    return slug


def one_line(text: str, name: str, limit: int = 0) -> str:
    """``text`` trimmed; refused when empty, broken over lines, or longer than ``limit`` bytes."""
    out = str(text or "").strip()
    if not out:
        raise BadInput(f"the {name} is empty", hint=f"give a {name}")
    if any(ord(c) < 32 or ord(c) == 127 or c in "\u2028\u2029\x85" for c in out):
        raise BadInput(f"the {name} has control characters or line breaks", hint="write it on one line")
    if limit and len(out.encode()) > limit:
        raise BadInput(f"the {name} is longer than {limit} bytes", hint="shorten it")
    return out


def body_warnings(store: Store, body: str) -> list[str]:
    limit = store.config.pages.max_body_chars
    if limit and len(body) > limit:
        return [f"the body has {len(body):,} characters, over the {limit:,} of [pages] max_body_chars"]
    return []


def page_slug(path: str) -> str:
    """The slug of the page at ``path``."""
    return slugify(path.rsplit("/", 1)[-1].removesuffix(".md"))


def result(
    store: Store,
    path: str,
    data: bytes,
    *,
    changed: bool,
    dry_run: bool,
    warnings: list[str] | None = None,
) -> WriteResult:
    """The answer of every write: what the page now is, its links, and what to look at."""
    page = store.page(path, data)
    notes = list(warnings or [])
    targets: dict[str, None] = {}  # in order, each once
    for name, missing in _targets(store, page, dry_run):
        if name:
            targets[name] = None
        if missing:
            notes.append(f"no page is called {name!r} yet")
    notes += [*(problem.message for problem in page.problems), *store.late]
    return {
        "slug": page.slug,
        "path": path,
        "file_path": store.file_path(path),
        "id": page.id,
        "created": page.created,
        "updated": page.updated,
        "status": page.status,
        "links": list(targets),
        "warnings": list(dict.fromkeys(notes)),
        "changed": changed,
        "dry_run": dry_run,
    }


def _targets(store: Store, page: Page, dry_run: bool) -> list[tuple[str, bool]]:
    """(slug, or the name as written; whether it is a page still to be written) for each link."""
    known: dict[tuple[str, str], str] = {}
    if not dry_run:  # the index has just resolved them
        known = {(link.target, link.form): link.dst for link in store.index.links_from(page.path) if link.dst}
    found = []
    for link in page.links:
        to = known.get((link.target, link.form)) or store.index.resolve(link.target, link.form, page.path)
        found.append((page_slug(to) if to else link.target, not to and link.form != "markdown"))
    return found
