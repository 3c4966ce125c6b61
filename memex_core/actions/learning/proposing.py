"""A change of a page that has moved on since the model was shown it: proposed on the text that it was shown.

The review then finds the page to say something else, and has both texts for a person to decide on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memex_core.actions.conversations.citing import cited
from memex_core.actions.reviewing import proposal
from memex_core.files import surgeon

if TYPE_CHECKING:
    from memex_core.actions.store import Store
    from memex_core.model.results import WriteResult


def propose_change(
    store: Store,
    path: str,
    shown: bytes,
    *,
    body: str | None,
    sources: list[dict[str, Any]],
    dry_run: bool = False,
) -> WriteResult:
    """Propose another ``body`` (None: the same) and more ``sources`` for the page at ``path``, made from the
    bytes ``shown``. What waits for the page already is gone on with. The page itself stays as it is, whether
    or not a machine's changes wait for review."""
    scrub = store.scrubber()
    with store.alone(unless=dry_run):
        known = proposal.of(store, path)
        start = proposal.applied(known, store.page(path, shown), shown) if known is not None else shown
        data = surgeon.replace_body(start, body) if body is not None else start
        if sources:
            present = proposal.listed(store.page(path, start).front.get("sources"))
            added = cited(store, sources, None, present, scrub=scrub)
            data = surgeon.set_keys(data, {"sources": [*present, *added]})
        return proposal.propose(
            store,
            path,
            shown,
            scrub.file(data, shown),
            known=known,
            anew=body is not None,
            scrub=scrub,
            dry_run=dry_run,
            notes=[],
        )
