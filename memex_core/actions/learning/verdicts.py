"""What becomes of a proved note: a new draft, a change of a page, one more source, or a conflict to decide.

Everything goes through the write path of all pages, as an agent: where models' writes wait for review, so
does this. A note never makes a second page of the same name.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

from memex_core.actions.learning.proposing import propose_change
from memex_core.actions.pages.edit import edit
from memex_core.actions.pages.write import write
from memex_core.actions.reviewing import proposal
from memex_core.files.atomic import digest
from memex_core.files.surgeon import replace_body
from memex_core.learn.failures import holds
from memex_core.model.errors import Conflict, Locked, MemexError, Unreachable, WriteFailed
from memex_core.model.evidence import resource
from memex_core.model.slug import fold, slugify

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memex_core.actions.learning.offering import Shown
    from memex_core.actions.store import Store
    from memex_core.index.lookup import Row
    from memex_core.learn.answer import Note
    from memex_core.learn.prompt import Offered
    from memex_core.learn.proof import Proof
    from memex_core.model.page import Page

_RELATIONS = ("relates-to", "supports", "influences", "depends-on")
_SERIOUS = (WriteFailed, Locked, Unreachable, Conflict)
"""What goes wrong with the store and not with the note: the job fails, and is tried again."""


class Outcome(NamedTuple):
    """``kind`` is ``created``, ``updated``, ``known``, ``conflict`` or ``rejected``. ``page`` is the slug of
    the page that was written, or for ``known`` says it already; ``against`` of the one it contradicts."""

    kind: str
    title: str
    page: str = ""
    reason: str = ""
    links: tuple[str, ...] = ()
    against: str = ""


class Place(NamedTuple):
    """Where a session's notes belong. ``project`` is empty where it has none that is known, ``branch`` where
    they concern all of it."""

    session: str
    project: str
    branch: str = ""


def settle_note(
    store: Store, note: Note, proof: Proof, place: Place, shown: Shown, *, dry_run: bool = False
) -> Outcome:
    """Do what the note's verdict asks for. A failure of the store is raised, one of the note told."""
    try:
        return _settled(store, note, proof, place, shown, dry_run)
    except _SERIOUS:
        raise
    except MemexError as error:
        if holds(error.code):
            raise
        return Outcome("rejected", note.title, reason=error.message)


class Trial:
    """:func:`settle_note` without writing. What the notes before would have written is known to those after
    them, as it would be in the store."""

    def __init__(self) -> None:
        self._made: list[tuple[tuple[str, str], str, str]] = []

    def __call__(self, store: Store, note: Note, proof: Proof, place: Place, shown: Shown) -> Outcome:
        name, letters = (slugify(note.title), _project(note, place)), _letters(note.body)
        for known, said, page in self._made:
            if known == name:
                return Outcome("known" if said == letters else "updated", note.title, page)
        outcome = settle_note(store, note, proof, place, shown, dry_run=True)
        if outcome.kind in ("created", "conflict"):
            self._made.append((name, letters, outcome.page))
        return outcome


def _project(note: Note, place: Place) -> str:
    return place.project if note.scope == "project" else ""


def _settled(store: Store, note: Note, proof: Proof, place: Place, shown: Shown, dry_run: bool) -> Outcome:
    pages = shown.pages
    project = _project(note, place)
    branch = place.branch if project else ""
    scope = "branch" if branch else "project" if project else "global"
    sources = [
        {"session": place.session, "turn": one.turn, "quote": one.quote, "lane": one.lane}
        for one in proof.cited
    ]
    target = _named(note.page, pages)
    verdict = note.verdict
    if verdict != "independent" and target is None:
        if verdict == "duplicate":
            why = f"the page {note.page!r} that it repeats was not shown"
            return Outcome("rejected", note.title, reason=why)
        verdict = "independent"
    named = _of_its_name(store, note, (scope, project, branch))
    if verdict in ("independent", "contradiction"):
        twin = _twin(store, note, named, pages)
        if twin is not None and (target is None or twin.path != target.path):
            target, verdict = twin, "evolution"  # whatever the model thinks: no second page of that name
    if target is not None and verdict in ("duplicate", "evolution"):
        return _into(store, target, note, sources, verdict, shown.files, dry_run)
    links = _links(note, pages)
    if target is not None:
        links.append({"target": target.slug, "rel": "contradicts"})
    done = write(
        store,
        type=note.type,
        title=note.title,
        body=note.body,
        tags=note.tags,
        importance=note.importance,
        links=links,
        sources=sources,
        scope=scope,
        project=project,
        branch=branch,
        new=bool(named),  # what is left of that name is deprecated, or the page it contradicts
        dry_run=dry_run,
    )
    if not dry_run:
        shown.files[done["path"]] = store.read_bytes(done["path"])
    made = Outcome("created", note.title, done["slug"], links=tuple(done["links"]))
    return made if target is None else made._replace(kind="conflict", against=target.slug)


def _named(name: str, pages: Sequence[Offered]) -> Offered | None:
    """The offered page that the model means."""
    wanted = fold(name)
    return next((one for one in pages if name and wanted in (fold(one.slug), fold(one.title))), None)


def _of_its_name(store: Store, note: Note, place: tuple[str, str, str]) -> list[Row]:
    """The pages that are called as the note is, of the same scope, project and branch."""
    found = [
        row
        for name in (note.title, slugify(note.title))
        if name
        for row in store.index.find(name, exact=True)
    ]
    return [row for row in found if row.type != "episode" and (row.scope, row.project, row.branch) == place]


def _twin(store: Store, note: Note, named: Sequence[Row], pages: Sequence[Offered]) -> Offered | None:
    """A page that the note would be a second one of: of the same name, or with the same words in it."""
    from memex_core.learn.prompt import Offered

    for row in named:
        if row.status != "deprecated":
            page = store.page(row.path)
            return Offered(page.slug, row.path, page.type, page.title, page.status, page.body)
    letters = _letters(note.body)
    return next((one for one in pages if letters and letters == _letters(one.body)), None)


def _into(
    store: Store,
    target: Offered,
    note: Note,
    sources: list[dict[str, Any]],
    verdict: str,
    files: dict[str, bytes],
    dry_run: bool,
) -> Outcome:
    """Add to a page, or to what is proposed for it, what the note brings: sources, another text.

    A page that says something else by now than what the model was shown is a person's to decide on."""
    page = store.page(target.path)
    waiting = proposal.of(store, target.path)
    known = [page, waiting.page] if waiting is not None else [page]
    fresh = [one for one in sources if not any(_cites(there, one) for there in known)]
    said = [_letters(one.body) for one in known]
    body = note.body if verdict == "evolution" and _letters(note.body) not in said else None
    if body is None and not fresh:
        return Outcome("known", note.title, target.slug)
    before = files.get(target.path)
    if before is None:  # never shown: it came meanwhile, or lies too far from what was said
        before = replace_body(store.read_bytes(target.path), "")
    try:
        done = edit(
            store, target.path, body=body, sources=fresh or None, expect=digest(before), dry_run=dry_run
        )
    except Conflict:
        done = propose_change(store, target.path, before, body=body, sources=fresh, dry_run=dry_run)
        moved = store.page(target.path).body.strip() != store.page(target.path, before).body.strip()
        if done["changed"] and body is not None and moved:
            links = tuple(done["links"])
            return Outcome("conflict", note.title, done["slug"], links=links, against=target.slug)
    else:
        if done["path"] == target.path and not dry_run:
            files[target.path] = store.read_bytes(target.path)
    if not done["changed"]:
        return Outcome("known", note.title, target.slug)
    kind = "updated" if body is not None else "known"
    return Outcome(kind, note.title, target.slug, links=tuple(done["links"]))


def _cites(page: Page, source: dict[str, Any]) -> bool:
    where = resource(source["session"], source["turn"])
    return any(one.resource == where and one.quote == source["quote"] for one in page.sources)


def _links(note: Note, pages: Sequence[Offered]) -> list[dict[str, str]]:
    """The typed links of a note, to pages that the model was shown."""
    found: dict[str, str] = {}
    for name in note.links:
        slug, _, relation = name.partition(":")
        target = _named(slug.strip().removeprefix("[[").removesuffix("]]"), pages)
        if target is not None:
            found.setdefault(target.slug, relation if relation in _RELATIONS else "relates-to")
    return [{"target": slug, "rel": relation} for slug, relation in found.items()]


def _letters(text: str) -> str:
    return " ".join(re.findall(r"\w+", fold(text)))
