"""The part of :class:`memex_core.memex.Memex` that tends pages: what ages, and a bundle others can read."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from memex_core.actions.store import Store


class Tending:
    """Upkeep that goes through all pages of an opened store."""

    store: Store

    def decay(self, dry_run: bool = False) -> dict[str, Any]:
        """Lower the importance of pages that nobody used for long."""
        from memex_core.actions.history.decay import decay

        return decay(self.store, dry_run=dry_run)

    def okf_check(self, folder: str | None = None, strict: bool = False) -> dict[str, Any]:
        """Whether a folder is an Open Knowledge Format bundle."""
        from memex_core.actions.exchange.okf import check

        return check(self.store, folder, strict=strict)

    def okf_index(
        self, progress: Callable[[int, int], None] | None = None, dry_run: bool = False
    ) -> dict[str, Any]:
        """Write the navigation files of the bundle, those that changed."""
        from memex_core.actions.exchange.okf import index

        return index(self.store, progress=progress, dry_run=dry_run)
