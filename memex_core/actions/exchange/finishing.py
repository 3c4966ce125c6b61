"""What a dead process left undone of a purge or a restore, done before anything else is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memex_core.actions.history.erasing import erase_from_index
from memex_core.care import erasure, unfinished
from memex_core.files.lock import StoreLock
from memex_core.model.errors import Locked, MemexError, WriteFailed

if TYPE_CHECKING:
    from memex_core.actions.store import Store


def finish(store: Store) -> None:
    """Finish it, and tell so in the store's warnings; what cannot be finished now is told each time."""
    try:
        with StoreLock(store.layout.lock, timeout=0):
            _finish(store)
    except (Locked, WriteFailed):
        pass  # somebody writes, or nobody can: the next one finishes it


def _finish(store: Store) -> None:
    for kind, act in ((unfinished.RESTORE, _restore), (unfinished.PURGE, _purge)):
        try:
            with unfinished.left(store.layout, kind) as told:
                if told is not None:
                    act(store, told)
                    unfinished.sweep(store.layout)
        except MemexError as error:
            store.warnings.append(f"a {kind} that broke off is not finished: {error.message} ({error.hint})")
    unfinished.tidy(store.layout)


def _purge(store: Store, told: dict[str, Any]) -> None:
    one = erasure.noted(store.layout, told)
    if one is None or not erasure.begun(store.layout, one):
        return
    erasure.carry_out(store.layout, one, store.actor)
    erase_from_index(store)
    erasure.unname(store.layout, one)
    store.warnings.append(f"the purge of {one.item} had broken off; it is finished now")


def _restore(store: Store, told: dict[str, Any]) -> None:
    from memex_core.care.backup import go_on

    go_on(store.layout, told, actor=store.actor)
    store.warnings.append("a restore had broken off; it is finished now")
