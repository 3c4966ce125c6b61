"""What decisions write. Each looks first whether what was read is still there: nothing unread is decided."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from memex_core.files.atomic import digest
from memex_core.memex import Memex
from memex_core.model.errors import Conflict, NotFound
from memex_core.model.page import Value
from memex_core.model.results import WriteResult
from memex_tui.screens.review.presenter import Item

AGAIN = "nothing was decided; look at it again"


def check(memex: Memex, items: Sequence[Item]) -> None:
    """Raise Conflict when a proposal, or the page that it would change, is not as it was read."""
    store = memex.store
    store.look_again()
    for item in items:
        name = item.title or item.slug
        try:
            if digest(store.read_bytes(item.path)) != item.digest:
                raise Conflict(f"“{name}” changed since you read it", hint=AGAIN)
            if item.target_path and digest(store.read_bytes(item.target_path)) != item.target_digest:
                raise Conflict(f"The other page of “{name}” changed since you read it", hint=AGAIN)
        except NotFound as error:
            raise NotFound(f"“{name}” does not wait any more", hint=error.message) from None


def accept(memex: Memex, items: Sequence[Item], text: str | None = None) -> dict[str, Any]:
    """Take proposals into the memory; ``text`` is the accepted one of a single item."""
    check(memex, items)
    return memex.approve([one.path for one in items], text=text)


def reject(memex: Memex, items: Sequence[Item], why: str) -> dict[str, Any]:
    """Refuse proposals, with one reason."""
    check(memex, items)
    return memex.reject([one.path for one in items], why=why)


def defer(memex: Memex, item: Item) -> object:
    """Put an item off, or take it up again."""
    if item.deferred:
        return memex.edit(item.path, unset=["deferred"], set=_writer(memex, item))
    return memex.defer([item.path])


def defer_all(memex: Memex, items: Sequence[Item]) -> object:
    """Put several items off, as one act."""
    return memex.defer([one.path for one in items])


def revise(memex: Memex, item: Item, text: str) -> WriteResult:
    """Give a proposal the text with some hunks left out, before it is edited."""
    check(memex, [item])
    return memex.edit(item.path, body=text, set=_writer(memex, item))


def _writer(memex: Memex, item: Item) -> dict[str, Value]:
    """Who wrote it, to be set as it is: an edit would put the reviewer there."""
    front = memex.store.page(item.path).front
    return {"generated": front["generated"]} if "generated" in front else {}
