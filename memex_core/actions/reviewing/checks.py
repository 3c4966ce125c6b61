"""What can be checked about something that waits for review, before a person reads it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from memex_core.actions.reviewing import proposal
from memex_core.model.errors import NotFound
from memex_core.model.slug import fold

if TYPE_CHECKING:
    from memex_core.actions.reviewing.proposal import Proposal
    from memex_core.actions.store import Store
    from memex_core.model.page import Page

_ALIKE = 0.8  # of the words of two pages, how many must be in both for them to be twins
_ASKED = 8  # words of a page that find others like it: long ones are rare, and rare ones tell
_FEW = 8  # words; two pages this short are alike by chance


def checks_of(
    store: Store,
    page: Page,
    change: Proposal | None,
    target: Page | None,
    evidence: list[dict[str, Any]],
) -> list[dict[str, Any]]:
    """``[{name, ok, detail}]`` for an item: ``page`` is what was written, ``target`` the page concerned."""
    checks = [_evidence(evidence)]
    if change is not None:
        checks.append(_target(change, target))
    else:
        checks.append(_twin(store, page))
    checks += [_links(store, page, target if change else None), _secrets(store, page), _size(store, page)]
    return checks


def _check(name: str, wrong: str, right: str) -> dict[str, Any]:
    return {"name": name, "ok": not wrong, "detail": wrong or right}


def _evidence(evidence: list[dict[str, Any]]) -> dict[str, Any]:
    """Whether the quotes stand in the turns that are named, and nobody doubts them."""
    wrong = [f"{one['id'] or one['resource']} is not found" for one in evidence if one["found"] is False]
    wrong += [f"{one['id'] or one['resource']} is disputed" for one in evidence if one["disputed"]]
    wrong += [f"{one['id'] or one['resource']} was taken back" for one in evidence if one["abandoned"]]
    if not any(one["lane"] != "context" for one in evidence):
        wrong.append("no source proves it")
    return _check("evidence", ", ".join(wrong), f"{len(evidence)} found")


def _target(change: Proposal, target: Page | None) -> dict[str, Any]:
    if target is None:
        return _check("target", f"{change.named} is gone", "")
    wrong = f"{change.target} has changed since" if proposal.outdated(change, target) else ""
    return _check("target", wrong, "unchanged")


def _links(store: Store, page: Page, target: Page | None) -> dict[str, Any]:
    """Links to nothing, but for those that the page to be changed has already."""
    known = {link.target for link in target.links} if target is not None else set()
    missing = [
        link.target
        for link in store.index.links_from(page.path)
        if link.dst is None and link.rel != "supersedes" and link.target and link.target not in known
    ]
    missing = [one for one in dict.fromkeys(missing) if store.index.resolve(one, "wiki", page.path) is None]
    return _check("links", f"no page {', '.join(missing[:5])}" if missing else "", "all lead somewhere")


def _secrets(store: Store, page: Page) -> dict[str, Any]:
    from memex_core.files.scrubbing import Scrubber

    scrub = Scrubber(allow=store.config.capture.scrub_allow)
    scrub.text("\n".join([page.title, page.description, page.body]))
    kinds = ", ".join(sorted(scrub.counts))
    return _check("secrets", f"holds a secret ({kinds})" if kinds else "", "none")


def _twin(store: Store, page: Page) -> dict[str, Any]:
    """Another page of the same title, or one that says the same in the same words."""
    for row in store.index.find(page.title):
        if row.path != page.path and row.status != "deprecated":
            return _check("twin", f"{row.path} has the same name", "")
    for path in _near(store, page):
        mine, other = _words(page.body), _words(_body(store, path))
        if len(mine) >= _FEW and len(mine & other) >= _ALIKE * len(mine | other):
            return _check("twin", f"{path} says nearly the same", "")
    return _check("twin", "", "none")


def _body(store: Store, path: str) -> str:
    try:
        return store.page(path).body
    except NotFound:  # gone since the index saw it
        return ""


def _near(store: Store, page: Page) -> list[str]:
    """Paths of the pages nearest in words."""
    from memex_core.recall.recall import Options, search

    longest = sorted(_words(page.body), key=lambda word: (-len(word), word))[:_ASKED]
    query = " ".join([page.title, *longest])
    options = Options(k=3, kinds=("pages",), count=False, include_inactive=True, loose=True)
    hits = search(store.index, query, options)["hits"]
    found = [store.layout.page_path(hit["file_path"]) for hit in hits]
    return [path for path in found if path and path != page.path]


def _words(body: str) -> set[str]:
    return set(re.findall(r"\w+", fold(body)))


def _size(store: Store, page: Page) -> dict[str, Any]:
    limit = store.config.pages.max_body_chars
    length = len(page.body)
    wrong = f"{length:,} characters, over {limit:,}" if limit and length > limit else ""
    return _check("size", wrong, f"{length:,} characters")
