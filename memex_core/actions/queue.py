"""What waits for a person: drafts, proposed changes, conflicts, and pages in dispute."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from memex_core.actions import proposal, terms
from memex_core.actions.checks import checks_of
from memex_core.actions.here import known_as
from memex_core.actions.provenance import looked_up
from memex_core.files.atomic import digest
from memex_core.files.standing import disputed, doubt
from memex_core.index import disputes
from memex_core.model.errors import BadInput
from memex_core.model.evidence import parse_resource

if TYPE_CHECKING:
    from memex_core.actions.proposal import Proposal
    from memex_core.actions.store import Store
    from memex_core.model.page import Page
    from memex_core.model.results import ReviewItem, ReviewQueue

KINDS = ("draft", "change", "conflict", "dispute")


class Dispute(NamedTuple):
    """Why a page in use is in dispute: sources that are ``doubted``, and ``rivals``, the paths of pages in
    use that it says it contradicts."""

    doubted: list[dict[str, Any]]
    rivals: list[str]


class _Waiting(NamedTuple):
    """One item before it is looked at closely. ``target`` is a path, empty when there is none."""

    kind: str
    path: str
    data: bytes
    page: Page
    target: str
    change: Proposal | None = None
    dispute: Dispute | None = None


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
    in use contradicts ``target``, or somebody doubts its sources. ``digest`` is for ``expect``.
    """
    kinds = terms.as_list(kind, "kind")
    for word in kinds:
        if word not in KINDS:
            raise BadInput(f"nothing of kind {word!r} is reviewed", hint=", ".join(KINDS))
    project = known_as(store, project or "")
    if limit < 1:
        raise BadInput(f"limit {limit} is too small", hint="from 1")
    found = [one for one in _sorted(store, project) if one.kind in kinds or not kinds]
    return {"items": [_item(store, one) for one in found[:limit]], "total": len(found)}


def waiting(store: Store) -> ReviewQueue:
    """All of :func:`review`, but without evidence and checks, which take longer than all else."""
    found = _sorted(store)
    return {"items": [_item(store, one, brief=True) for one in found], "total": len(found)}


def pending(store: Store) -> int:
    """How many wait: the total of :func:`review`, from the index alone."""
    db = store.index.db
    drafts: int = db.execute("SELECT count(*) FROM page WHERE status = 'draft'").fetchone()[0]
    doubtful = {*disputes.disputed(db), *(path for path, _ in disputes.contradictions(db))}
    return drafts + len(doubtful)


def look_at(store: Store, path: str) -> ReviewItem | None:
    """What waits in the page at ``path``, as :func:`review` has it; None when nothing does."""
    found = [*_drafts(store, None, path), *_disputes(store, None, path)]
    return _item(store, found[0]) if found else None


def _sorted(store: Store, project: str | None = None) -> list[_Waiting]:
    found = [*_drafts(store, project), *_disputes(store, project)]
    return sorted(found, key=lambda one: ("deferred" in one.page.front, _written(one.page)[1], one.path))


def dispute_of(store: Store, path: str, page: Page) -> Dispute | None:
    """Why the page at ``path`` is in dispute; None when it is not, or is out of use."""
    if page.status != "stable":
        return None
    doubted = disputed(page.front.get("sources"))
    rivals = [other for one, other in disputes.contradictions(store.index.db, path)]
    return Dispute(doubted, rivals) if doubted or rivals else None


def _drafts(store: Store, project: str | None, only: str = "") -> list[_Waiting]:
    found = []
    rows, _, _ = store.index.rows(status="draft", project=project or None, sort="path", limit=1_000_000_000)
    for row in rows:
        if only and row.path != only:
            continue
        data = store.read_bytes(row.path)
        page = store.page(row.path, data)
        change = proposal.read(store, row.path, data)
        kind = "draft"
        if change is not None:
            gone = not change.target
            kind = "conflict" if gone or proposal.outdated(change, store.page(change.target)) else "change"
        found.append(_Waiting(kind, row.path, data, page, change.target if change else "", change))
    return found


def _disputes(store: Store, project: str | None, only: str = "") -> list[_Waiting]:
    """A page is one item for all its rivals together with its doubted sources: one verdict settles them."""
    paths = [one for one, _ in disputes.contradictions(store.index.db)]
    found = []
    for path in dict.fromkeys([*disputes.disputed(store.index.db), *paths]):
        if only and path != only:
            continue
        data = store.read_bytes(path)
        page = store.page(path, data)
        dispute = dispute_of(store, path, page)
        if dispute is not None and (not project or page.project == project):
            target = dispute.rivals[0] if dispute.rivals else ""
            found.append(_Waiting("dispute", path, data, page, target, dispute=dispute))
    return found


def _item(store: Store, one: _Waiting, *, brief: bool = False) -> ReviewItem:
    page, change = one.page, one.change
    target = store.page(one.target) if one.target else None
    sources = () if brief else page.sources
    evidence = [{**looked_up(store, source), "lane": source.lane} for source in sources]
    by, at = _written(page)
    before, after = "", page.body
    if target is not None:
        before = target.body
        if change is not None and "body" not in change.keys and not change.forgets:
            after = target.body
    sessions = [cited[0] for source in page.sources if (cited := parse_resource(source.resource))]
    return {
        "id": f"{one.kind}:{one.path}",
        "kind": one.kind,
        "slug": page.slug,
        "path": one.path,
        "title": target.title if target is not None and change is not None else page.title,
        "type": page.type,
        "by": by,
        "at": at,
        "scope": page.scope,
        "project": page.project,
        "session_id": page.session_id or next(iter(sessions), ""),
        "why": _why(one),
        "target": target.slug if target is not None else "",
        "target_path": one.target,
        "before": before,
        "after": after,
        "keys": _keys(change, target) if change is not None and target is not None else [],
        "forget": change.forgets if change is not None else "",
        "digest": digest(one.data),
        "evidence": evidence,
        "checks": [] if brief else checks_of(store, page, one.change, target, evidence),
        "deferred": "deferred" in page.front,
    }


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


def _written(page: Page) -> tuple[str, str]:
    """Who wrote the page, and when; empty where it does not say."""
    made = page.front.get("generated")
    by = made.get("by") if isinstance(made, dict) else made
    at = made.get("at") if isinstance(made, dict) else None
    return by if isinstance(by, str) else "", at if isinstance(
        at, str
    ) and at else page.updated or page.created


def _why(one: _Waiting) -> str:
    """In a line, why a person should look."""
    if one.dispute is not None:
        doubts = [doubt(source) for source in one.page.sources if source.disputed is not None]
        return "; ".join([*doubts, *(f"contradicts {rival}" for rival in one.dispute.rivals)])
    if one.change is None:
        return "a new page"
    if not one.target:
        return f"the page {one.change.named} that it would change is gone"
    if one.kind == "conflict":
        return f"{one.target} has changed since"
    return f"would forget {one.target}" if one.change.forgets else f"would change {one.target}"
