"""A person's verdicts on what waits for review: approve, reject, defer and merge.

Each verdict on an item is one act of the journal, so that one ``revert`` takes it back.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from memex_core.actions import terms
from memex_core.actions.reviewing import proposal
from memex_core.actions.reviewing.governance import check_reviewer, marks_of
from memex_core.actions.reviewing.queue import Dispute, dispute_of
from memex_core.actions.store import Store
from memex_core.files import surgeon
from memex_core.files.atomic import digest
from memex_core.files.commit import Edit
from memex_core.model import clock
from memex_core.model.errors import BadInput, Conflict, NotFound, Refused
from memex_core.model.page import Page, Value


class _Verdict(NamedTuple):
    slug: str
    action: str
    edits: list[Edit]
    detail: dict[str, Any]


def approve(
    store: Store,
    slugs: Any,
    *,
    text: str | None = None,
    expect: str | None = None,
    scope: str | None = None,
    project: str | None = None,
    dry_run: bool = False,
) -> dict[str, Any]:
    """Accept what waits, and put on record who did: ``{approved: [slug], paths}``.

    A draft becomes a page in use. A proposed change is made in the page that it names, and its draft goes.
    Of a disputed page it says that the page holds: doubts about its sources are taken off, and pages that it
    contradicts are superseded by it. ``text`` is the body that is accepted instead of the proposed one; a
    change in conflict needs it. ``expect`` is the digest of the item that was looked at. Nothing is done
    unless all can be.
    """
    check_reviewer(store)
    names = terms.as_list(slugs, "slugs")
    if len(names) != 1 and (text is not None or expect is not None):
        raise BadInput("a text belongs to one item", hint="approve that one alone")
    done = [_approval(store, name, text, expect, scope, project) for name in names]
    _carry_out(store, done, dry_run)
    return {"approved": [one.slug for one in done], "paths": _paths(done), "dry_run": dry_run}


def reject(
    store: Store,
    slugs: Any,
    *,
    why: str = "",
    expect: str | None = None,
    scope: str | None = None,
    project: str | None = None,
    dry_run: bool = False,
) -> dict[str, Any]:
    """Refuse what waits: ``{rejected: [slug], why}``. The journal keeps the reason, and marks by which the
    same text is refused when an agent writes it again.

    A draft goes, the page that it would change stays. A disputed page is deprecated, and superseded by the
    one page that it contradicts.
    """
    check_reviewer(store)
    done = [_rejection(store, name, why, expect, scope, project) for name in terms.as_list(slugs, "slugs")]
    _carry_out(store, done, dry_run)
    return {"rejected": [one.slug for one in done], "why": why, "dry_run": dry_run}


def defer(
    store: Store, slugs: Any, *, scope: str | None = None, project: str | None = None, dry_run: bool = False
) -> dict[str, Any]:
    """Leave what waits for later, behind all else: ``{deferred: [slug]}``."""
    check_reviewer(store)
    done = []
    for name in terms.as_list(slugs, "slugs"):
        path, before, page = _waiting(store, name, scope, project)
        if page.status != "draft" and dispute_of(store, path, page) is None:
            raise _not_waiting(path, page)
        after = surgeon.set_keys(before, {"deferred": clock.stamp()})
        done.append(_Verdict(page.slug, "status", [Edit(path, before, after)], {"deferred": True}))
    _carry_out(store, done, dry_run)
    return {"deferred": [one.slug for one in done], "dry_run": dry_run}


def merge(
    store: Store,
    target: str,
    source: str,
    *,
    scope: str | None = None,
    project: str | None = None,
    dry_run: bool = False,
) -> dict[str, Any]:
    """Put the source's body under the target's; the source stays as a deprecated page that points there.
    A proposed change goes instead: its text stands in the page now."""
    check_reviewer(store)
    into, other = (store.find(name, scope=scope, project=project) for name in (target, source))
    if into.path == other.path:
        raise BadInput(f"{target} and {source} are one page", hint="name two pages")
    old_into, old_other = store.read_bytes(into.path), store.read_bytes(other.path)
    page, gone = store.page(into.path, old_into), store.page(other.path, old_other)
    proposed = proposal.read(store, other.path, old_other)
    text = f"\n## Merged from {gone.title}\n\n{gone.body.strip()}\n"
    new_into, new_other = surgeon.append_body(old_into, text), None
    changes: dict[str, Value | None] = {}
    if gone.status == "draft":
        changes["verified"] = _seen(store, page)
    if proposed is None:
        changes["supersedes"] = _with(page.front.get("supersedes"), other.slug)
        new_other = surgeon.set_keys(old_other, {"status": "deprecated", "superseded_by": into.slug})
    edits = [
        Edit(into.path, old_into, surgeon.set_keys(new_into, changes)),
        Edit(other.path, old_other, new_other),
    ]
    _carry_out(store, [_Verdict(into.slug, "merge", edits, {"source": other.slug})], dry_run)
    return {"slug": into.slug, "path": into.path, "merged": other.slug, "dry_run": dry_run}


def _approval(
    store: Store, name: str, text: str | None, expect: str | None, scope: str | None, project: str | None
) -> _Verdict:
    path, before, page = _waiting(store, name, scope, project, expect)
    if page.status != "draft":
        dispute = dispute_of(store, path, page)
        if dispute is None:
            raise _not_waiting(path, page)
        return _settled(store, path, before, page, dispute, text)
    change = proposal.read(store, path, before)
    if change is not None:
        return _change(store, change, text)
    data = surgeon.replace_body(before, text) if text is not None else before
    changes: dict[str, Value | None] = {"status": None, "verified": _seen(store, page), "deferred": None}
    after = surgeon.set_keys(data, changes)
    return _Verdict(page.slug, "status", [Edit(path, before, after)], {"status": "stable"})


def _change(store: Store, change: proposal.Proposal, text: str | None) -> _Verdict:
    """The proposal made in its target, and the draft gone."""
    if not change.target:
        raise NotFound(
            f"the page {change.named!r} that {change.path} would change is gone",
            hint="reject it, or `memex edit` it into a page of its own: --unset supersedes",
        )
    before = store.read_bytes(change.target)
    target = store.page(change.target, before)
    gone = Edit(change.path, change.data, None)
    detail = {"approved": change.page.slug, "by": _writer(change.page)}
    if change.forgets:
        from memex_core.actions.history.forget import forgetting

        if text is not None:
            raise BadInput(f"{change.path} proposes to forget a page", hint="approve or reject it as it is")
        if proposal.outdated(change, target):
            raise _changed_meanwhile(change)
        edit, _ = forgetting(store, change.target, before, change.forgets, change.page.valid_until)
        action = "remove" if edit.after is None else "status"
        return _Verdict(target.slug, action, [edit, gone], {**detail, "mode": change.forgets})
    if text is None and proposal.outdated(change, target):
        raise _changed_meanwhile(change)
    after = proposal.applied(change, target, before, text)
    changes: dict[str, Value | None] = {"verified": _seen(store, target)}
    if isinstance(target.front.get("generated"), dict) and "generated" in change.page.front:
        changes["generated"] = change.page.front["generated"]
    after = surgeon.set_keys(after, changes)
    return _Verdict(target.slug, "update", [Edit(change.target, before, after), gone], detail)


def _settled(
    store: Store, path: str, before: bytes, page: Page, dispute: Dispute, text: str | None
) -> _Verdict:
    """The page stands: its sources are doubted no longer, and what it contradicts is out of use."""
    data = surgeon.replace_body(before, text) if text is not None else before
    changes: dict[str, Value | None] = {"verified": _seen(store, page), "deferred": None}
    if dispute.doubted:
        changes["sources"] = [_trusted(one) for one in proposal.listed(page.front.get("sources"))]
    edits = []
    superseded = page.front.get("supersedes")
    for rival in dispute.rivals:
        old = store.read_bytes(rival)
        other = store.page(rival, old)
        superseded = _with(superseded, other.slug)
        edits.append(
            Edit(rival, old, surgeon.set_keys(old, {"status": "deprecated", "superseded_by": page.slug}))
        )
    if edits:
        changes["supersedes"] = superseded
    edits.insert(0, Edit(path, before, surgeon.set_keys(data, changes)))
    return _Verdict(page.slug, "status", edits, {"settled": True})


def _rejection(
    store: Store, name: str, why: str, expect: str | None, scope: str | None, project: str | None
) -> _Verdict:
    path, before, page = _waiting(store, name, scope, project, expect)
    if page.status == "draft":
        change = proposal.read(store, path, before)
        old = store.page(change.target).body if change is not None and change.target else ""
        marks = marks_of(page.title, page.body, old) if page.body.strip() else []
        detail = {
            "rejected": True,
            "why": why,
            "marks": marks,
            **({"target": change.named} if change else {}),
        }
        return _Verdict(page.slug, "remove", [Edit(path, before, None)], detail)
    dispute = dispute_of(store, path, page)
    if dispute is None:
        raise Refused(f"{path} is not a draft", hint="`memex forget` removes other pages")
    changes: dict[str, Value | None] = {"status": "deprecated", "deferred": None}
    if len(dispute.rivals) == 1:
        changes["superseded_by"] = store.page(dispute.rivals[0]).slug
    after = surgeon.set_keys(before, changes)
    detail = {"rejected": True, "why": why, "marks": marks_of(page.title, page.body)}
    return _Verdict(page.slug, "status", [Edit(path, before, after)], detail)


def _waiting(
    store: Store, name: str, scope: str | None, project: str | None, expect: str | None = None
) -> tuple[str, bytes, Page]:
    row = store.find(name, scope=scope, project=project)
    before = store.read_bytes(row.path)
    if expect is not None and expect != digest(before):
        raise Conflict(f"{row.path} changed since you looked at it", hint="look at it again")
    return row.path, before, store.page(row.path, before)


def _carry_out(store: Store, verdicts: list[_Verdict], dry_run: bool) -> None:
    for one in () if dry_run else verdicts:
        store.commit(one.edits, action=one.action, item=one.slug, detail=one.detail)


def _paths(verdicts: list[_Verdict]) -> list[str]:
    return [one.edits[0].path for one in verdicts]


def _seen(store: Store, page: Page) -> list[Value]:
    """``verified`` with this review in it."""
    stamp: dict[str, Value] = {"by": store.actor, "at": clock.stamp()}
    return [*proposal.listed(page.front.get("verified")), stamp]


def _writer(page: Page) -> str:
    made = page.front.get("generated")
    by = made.get("by") if isinstance(made, dict) else made
    return by if isinstance(by, str) else ""


def _trusted(source: Value) -> Value:
    if not isinstance(source, dict):
        return source
    return {key: value for key, value in source.items() if key != "disputed"}


def _not_waiting(path: str, page: Page) -> Refused:
    return Refused(f"{path} is {page.status}, not a draft", hint="`memex review` shows what waits")


def _changed_meanwhile(change: proposal.Proposal) -> Conflict:
    return Conflict(
        f"{change.target} changed after {change.path} was proposed",
        hint="give the text that shall stand, or `memex merge` to keep both",
    )


def _with(value: Value, slug: str) -> list[Value]:
    present = proposal.listed(value)
    return present if slug in present else [*present, slug]
