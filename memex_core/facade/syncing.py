"""The part of :class:`memex_core.memex.Memex` that keeps a person's devices the same."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from memex_core.actions.store import Store


class Syncing:
    """Sync of an opened store with others through a folder or a file; off until it is enabled."""

    store: Store

    def sync_enable(
        self, target: str | os.PathLike[str], name: str | None = None, dry_run: bool = False
    ) -> dict[str, Any]:
        """Meet the other devices in a folder, or in one archive file."""
        from memex_core.actions.exchange.syncing import enable

        return enable(self.store, os.fspath(target), name=name or "", dry_run=dry_run)

    def sync_disable(self, dry_run: bool = False) -> dict[str, Any]:
        """Sync no more; nothing is deleted."""
        from memex_core.actions.exchange.syncing import disable

        return disable(self.store, dry_run=dry_run)

    def sync_status(self) -> dict[str, Any]:
        """Whether sync is on, what waits, and what is known of the other devices."""
        from memex_core.actions.exchange.devices import status

        return status(self.store)

    def sync_forget(self, device: str, dry_run: bool = False) -> dict[str, Any]:
        """Know no more of another device, which is no more; what came from it stays."""
        from memex_core.actions.exchange.devices import forget

        return forget(self.store, device, dry_run=dry_run)

    def sync_export(
        self,
        output: str | os.PathLike[str] | None = None,
        background: bool = False,
        dry_run: bool = False,
    ) -> dict[str, Any]:
        """Write this device's archive where the others find it, or to ``output``; in the ``background``
        only after a person has."""
        if background and output is None and not dry_run:
            from memex_core.actions.exchange import by_itself

            return by_itself.export(self.store)
        from memex_core.actions.exchange.syncing import export

        return export(self.store, os.fspath(output) if output is not None else None, dry_run=dry_run)

    def sync_import(
        self,
        source: str | os.PathLike[str] | None = None,
        background: bool = False,
        dry_run: bool = False,
    ) -> dict[str, Any]:
        """Take in what the other devices wrote, each archive whole or not at all; in the ``background``
        only after a person's export."""
        if background and source is None and not dry_run:
            from memex_core.actions.exchange import by_itself

            return by_itself.import_(self.store)
        from memex_core.actions.exchange.syncing import import_

        return import_(self.store, os.fspath(source) if source is not None else None, dry_run=dry_run)

    def sync_alias(self, local: str, remote: str | None = None, dry_run: bool = False) -> dict[str, Any]:
        """Say what the other devices call a project of this store."""
        from memex_core.actions.exchange.syncing import alias

        return alias(self.store, local, remote or "", dry_run=dry_run)
