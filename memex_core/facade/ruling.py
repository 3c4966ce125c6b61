"""The part of :class:`memex_core.memex.Memex` about the user's rules of extraction."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from memex_core.actions.store import Store


class Ruling:
    """What can be asked of the rules of an opened store, and changed in them."""

    store: Store

    def rules_show(self, project: str | None = None) -> dict[str, Any]:
        """The rules in force, and what they tell a model."""
        from memex_core.actions.learning.extract_rules import show

        return show(self.store, project or "")

    def rules_validate(self, file: str | None = None) -> dict[str, Any]:
        """Whether a file of rules is sound."""
        from memex_core.actions.learning.extract_rules import validate

        return validate(self.store, file)

    def rules_test(
        self,
        limit: int = 200,
        project: str | None = None,
        progress: Callable[[int, int], None] | None = None,
    ) -> dict[str, Any]:
        """What would be kept out among stored pages and recent turns. Changes nothing."""
        from memex_core.actions.learning.extract_rules import tried

        return tried(self.store, limit=limit, project=project or "", progress=progress)

    def rules_add(
        self,
        kind: str,
        said: str,
        scope: str = "both",
        flags: str = "i",
        note: str = "",
        project: str | None = None,
        expect: str | None = None,
        dry_run: bool = False,
    ) -> dict[str, Any]:
        """Add a rule."""
        from memex_core.actions.learning.extract_rules import add

        return add(
            self.store,
            kind,
            said,
            scope=scope,
            flags=flags,
            note=note,
            project=project or "",
            expect=expect,
            dry_run=dry_run,
        )

    def rules_remove(self, id: str, expect: str | None = None, dry_run: bool = False) -> dict[str, Any]:
        """Take a rule out."""
        from memex_core.actions.learning.extract_rules import remove

        return remove(self.store, id, expect=expect, dry_run=dry_run)

    def rules_reset(self, expect: str | None = None, dry_run: bool = False) -> dict[str, Any]:
        """Give all rules up."""
        from memex_core.actions.learning.extract_rules import reset

        return reset(self.store, expect=expect, dry_run=dry_run)

    def rules_rollback(
        self, to: int | None = None, expect: str | None = None, dry_run: bool = False
    ) -> dict[str, Any]:
        """Put a kept state of the rules back."""
        from memex_core.actions.learning.extract_rules import rollback

        return rollback(self.store, to=to, expect=expect, dry_run=dry_run)

    def rules_quarantine(
        self, action: str | None = None, id: str | None = None, all: bool = False, dry_run: bool = False
    ) -> dict[str, Any]:
        """Bans that took too long; let them try again."""
        from memex_core.actions.learning.extract_rules import set_aside

        return set_aside(self.store, action, id, all=all, dry_run=dry_run)
