"""What waits for a person: drafts, proposed changes, conflicts, and pages in dispute."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from memex_core.actions import terms
from memex_core.actions.conversations.provenance import looked_up
from memex_core.actions.here import known_as
from memex_core.actions.reviewing import proposal
from memex_core.actions.reviewing.checks import checks_of
from memex_core.files.atomic import digest
from memex_core.files.standing import disputed, doubt
from memex_core.files.values import as_sources
from memex_core.index import disputes, drafts
from memex_core.model.errors import BadInput, NotFound
from memex_core.model.evidence import parse_resource

if TYPE_CHECKING:
    from memex_core.actions.reviewing.proposal import Proposal
    from memex_core.actions.store import Store
    from memex_core.index.drafts import Draft
    from memex_core.model.page import Page, Source
    from memex_core.model.results import ReviewItem, ReviewQueue, Waiting, WaitingList

KINDS = ("draft", "change", "conflict", "dispute")


class Dispute(NamedTuple):
    """Why a page in use is in dispute: sources that are ``doubted``, and ``rivals``, the paths of pages in
    use that it says it contradicts."""

    doubted: list[dict[str, Any]]
    rivals: list[str]


class _Waiting(NamedTuple):
    """One item as the index knows it. ``kind`` is ``draft``, ``dispute``, or ``change`` for what may be in
    conflict too; ``target`` is a path, empty when there is none."""

    kind: str
    draft: Draft
    named: str = ""  # what a proposal would change, as it says it
    target: str = ""


def review(
    store: Store,
    *,
    kind: Any = (),
    project: str | None = None,
    limit: int = 200,
) -> ReviewQueue:
    """``{items, total}``: what waits for review, the oldest first and what was deferred last.

    An item's ``before`` and ``after`` are bodies. A ``change`` is made in ``target``; in a ``conflict`` that
    page says something else by now than when the change was proposed, or is gone; in a ``dispute`` a page
    in use contradicts ``target``, or somebody doubts its sources. ``digest`` is for ``expect``. Only what is
    given is read from files, and of the rest the pages that changes of a wanted kind would be made in.
    """
    kinds = terms.as_list(kind, "kind")
    for word in kinds:
        if word not in KINDS:
            raise BadInput(f"nothing of kind {word!r} is reviewed", hint=", ".join(KINDS))
    project = known_as(store, project or "")
    if limit < 1:
        raise BadInput(f"limit {limit} is too small", hint="from 1")
    found = _sorted(store, project)
    if kinds:
        loose = {"change", "conflict"} & set(kinds)
        found = [one for one in found if one.kind in kinds or (loose and one.kind == "change")]
        if len(loose) == 1:
            found = [one for one in found if one.kind != "change" or _kind(store, one) in kinds]
    items = [item for one in found[:limit] if (item := _item(store, one)) is not None]
    return {"items": items, "total": len(found)}


def waiting(store: Store) -> WaitingList:
    """All of :func:`review` in short, from the index; of files only the pages that would change are read, to
    tell a change from a conflict."""
    found = _sorted(store)
    targets = drafts.at(store.index.db, (one.target for one in found if one.target))
    return {"items": [_short(store, one, targets.get(one.target)) for one in found], "total": len(found)}


def pending(store: Store) -> int:
    """How many wait: the total of :func:`review`, from the index alone."""
    db = store.index.db
    waiting: int = db.execute("SELECT count(*) FROM page WHERE status = 'draft'").fetchone()[0]
    doubtful = {*disputes.disputed(db), *(path for path, _ in disputes.contradictions(db))}
    return waiting + len(doubtful)


def look_at(store: Store, path: str, *, brief: bool = False) -> ReviewItem | None:
    """What waits in the page at ``path``, as :func:`review` has it; None when nothing does. ``brief`` is
    without evidence and checks, which take longer than all else."""
    draft = drafts.at(store.index.db, [path]).get(path)
    if draft is None:
        return None
    if draft.status == "draft":
        return _item(store, _as_draft(store, draft), brief=brief)
    found = _disputes(store, None, path)
    return _item(store, found[0], brief=brief) if found else None


def _sorted(store: Store, project: str | None = None) -> list[_Waiting]:
    db = store.index.db
    found = [_as_draft(store, one) for one in drafts.drafts(db) if not project or one.project == project]
    found += _disputes(store, project)
    return sorted(
        found, key=lambda one: ("deferred" in one.draft.front, _written(one.draft)[1], one.draft.path)
    )


def dispute_of(store: Store, path: str, page: Page) -> Dispute | None:
    """Why the page at ``path`` is in dispute; None when it is not, or is out of use."""
    if page.status != "stable":
        return None
    doubted = disputed(page.front.get("sources"))
    rivals = [other for one, other in disputes.contradictions(store.index.db, path)]
    return Dispute(doubted, rivals) if doubted or rivals else None


def _as_draft(store: Store, draft: Draft) -> _Waiting:
    named = proposal.named_in(draft.front)
    if not named:
        return _Waiting("draft", draft)
    return _Waiting("change", draft, named, proposal.target_of(store, draft.path, named))


def _disputes(store: Store, project: str | None, only: str = "") -> list[_Waiting]:
    """A page is one item for all its rivals together with its doubted sources: one verdict settles them."""
    db = store.index.db
    rivals: dict[str, str] = {}
    for one, other in disputes.contradictions(db, only or None):
        rivals.setdefault(one, other)
    paths = [path for path in disputes.disputed(db) if not only or path == only]
    found = drafts.at(db, [*paths, *rivals])
    return [
        _Waiting("dispute", one, target=rivals.get(path, ""))
        for path, one in found.items()
        if not project or one.project == project
    ]


def _kind(store: Store, one: _Waiting) -> str:
    """The kind of an item: a change that its target has left behind is a conflict."""
    if one.kind != "change":
        return one.kind
    if not one.target:
        return "conflict"
    known = one.draft.front.get("basis")
    if not isinstance(known, str):
        return "change"
    try:
        now = _basis_of(store, one.target, proposal.keys_in(one.draft.front))
    except NotFound:
        return "conflict"
    return "change" if known == now else "conflict"


_BASES: dict[tuple[str, str, tuple[str, ...]], str] = {}
_MOST_BASES = 20_000


def _basis_of(store: Store, path: str, keys: tuple[str, ...]) -> str:
    """:func:`proposal.basis` of the page at ``path``. It is kept by the text it was made of: a long queue is
    asked for after every write."""
    row = store.index.row(path)
    key = path, row.digest if row is not None else "", keys
    if key in _BASES:
        return _BASES[key]
    page = store.page(path)
    made = proposal.basis(page, keys)
    if page.digest == key[1]:  # what the index knows: else the file is newer
        if len(_BASES) >= _MOST_BASES:
            _BASES.clear()
        _BASES[key] = made
    return made


def _short(store: Store, one: _Waiting, target: Draft | None) -> Waiting:
    draft = one.draft
    by, at = _written(draft)
    kind = _kind(store, one)
    return {
        "id": f"{kind}:{draft.path}",
        "kind": kind,
        "slug": draft.slug,
        "path": draft.path,
        "title": target.title if target is not None and one.kind == "change" else draft.title,
        "type": draft.type,
        "by": by,
        "at": at,
        "scope": draft.scope,
        "project": draft.project,
        "session_id": draft.session_id or _cited(as_sources(draft.front.get("sources"))),
        "target": target.slug if target is not None else "",
        "target_path": one.target,
        "target_digest": target.digest if target is not None else "",
        "digest": draft.digest,
        "deferred": "deferred" in draft.front,
    }


def _item(store: Store, one: _Waiting, *, brief: bool = False) -> ReviewItem | None:
    """The item as its files say it now; None when they say that it does not wait."""
    path = one.draft.path
    try:
        data = store.read_bytes(path)
    except NotFound:
        return None
    page = store.page(path, data)
    change = proposal.read(store, path, data) if one.kind == "change" else None
    dispute = dispute_of(store, path, page) if one.kind == "dispute" else None
    if (change, dispute) == (None, None) and one.kind != "draft":
        return None  # changed since the index saw it
    target = _page(store, one.target)
    outdated = change is not None and (target is None or proposal.outdated(change, target))
    kind = "conflict" if outdated else one.kind
    sources = () if brief else page.sources
    evidence = [{**looked_up(store, source), "lane": source.lane} for source in sources]
    by, at = _written(one.draft)
    before, after = "", page.body
    if target is not None:
        before = target.body
        if change is not None and "body" not in change.keys and not change.forgets:
            after = target.body
    return {
        "id": f"{kind}:{path}",
        "kind": kind,
        "slug": page.slug,
        "path": path,
        "title": target.title if target is not None and change is not None else page.title,
        "type": page.type,
        "by": by,
        "at": at,
        "scope": page.scope,
        "project": page.project,
        "session_id": page.session_id or _cited(page.sources),
        "why": _why(kind, one, page, change, dispute),
        "target": target.slug if target is not None else "",
        "target_path": one.target if target is not None else "",
        "target_digest": target.digest if target is not None else "",
        "before": before,
        "after": after,
        "keys": _keys(change, target) if change is not None and target is not None else [],
        "forget": change.forgets if change is not None else "",
        "digest": digest(data),
        "evidence": evidence,
        "checks": [] if brief else checks_of(store, page, change, target, evidence),
        "deferred": "deferred" in page.front,
    }


def _page(store: Store, path: str) -> Page | None:
    try:
        return store.page(path) if path else None
    except NotFound:
        return None


def _cited(sources: Sequence[Source]) -> str:
    """The first session that sources name."""
    return next((cited[0] for source in sources if (cited := parse_resource(source.resource))), "")


def _keys(change: Proposal, target: Page) -> list[dict[str, Any]]:
    """The front matter that a change proposes, key by key; of lists that grow, what is added."""
    return [
        {
            "key": key,
            "before": None if key in proposal.ADDED else target.front.get(key),
            "after": change.page.front.get(key),
        }
        for key in change.keys
        if key != "body" and (key in target.front or key in change.page.front)
    ]


def _written(draft: Draft) -> tuple[str, str]:
    """Who wrote the page, and when; where it does not say, when its file was written."""
    made = draft.front.get("generated")
    by = made.get("by") if isinstance(made, dict) else made
    at = made.get("at") if isinstance(made, dict) else None
    return by if isinstance(by, str) else "", at if isinstance(at, str) and at else draft.updated


def _why(kind: str, one: _Waiting, page: Page, change: Proposal | None, dispute: Dispute | None) -> str:
    """In a line, why a person should look."""
    if dispute is not None:
        doubts = [doubt(source) for source in page.sources if source.disputed is not None]
        return "; ".join([*doubts, *(f"contradicts {rival}" for rival in dispute.rivals)])
    if change is None:
        rivals = [link.target for link in page.links if link.rel == "contradicts"]
        return f"a new page; contradicts {', '.join(rivals)}" if rivals else "a new page"
    if not change.target:
        return f"the page {change.named} that it would change is gone"
    if kind == "conflict":
        return f"{one.target} has changed since"
    return f"would forget {one.target}" if change.forgets else f"would change {one.target}"
