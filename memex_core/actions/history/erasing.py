"""Erasing pages for good in one go, which the next opening finishes when it is broken off."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from memex_core.care import erasure, unfinished
from memex_core.care.erasure import Erasure
from memex_core.files.atomic import digest

if TYPE_CHECKING:
    from memex_core.actions.store import Store
    from memex_core.files.commit import Edit
    from memex_core.model.results import Event


def erase(
    store: Store,
    edits: Sequence[Edit],
    item: str,
    events: Iterable[Event],
    copies: dict[str, str],
    *,
    detail: dict[str, Any] | None = None,
    **more: Any,
) -> None:
    """Do ``edits``, which remove the files, and take their text, and that of ``events``, out of the store.

    ``copies`` and ``more`` are fields of :class:`Erasure`. The caller keeps other writers out.
    """
    removed = {edit.path: digest(edit.before) for edit in edits if edit.before is not None}
    last = store.journal.last_seq()
    told = Erasure.of(item, events, removed, after=last, copies=copies, **more)
    with unfinished.act(store.layout, unfinished.PURGE, told._asdict()):
        if edits:
            store.commit(edits, action="purge", item=item, detail=detail)
        erasure.carry_out(store.layout, told, store.actor)
        erase_from_index(store)
        erasure.unname(store.layout, told)


def erase_from_index(store: Store) -> None:
    """Build the index anew: deleted rows leave their words in its file until their space is used again."""
    from memex_core.actions.asking.embed import erase_gone
    from memex_core.index.failing import index_errors

    with index_errors():
        store.index.rebuild()
    erase_gone(store)
