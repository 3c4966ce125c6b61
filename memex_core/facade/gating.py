"""The part of :class:`memex_core.memex.Memex` about the recall gate: looking at it, and own rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from memex_core.actions.store import Store


class Gating:
    """What can be asked of the gate of an opened store, and changed in its rules."""

    store: Store

    def gate_test(
        self, prompt: str, session: str | None = None, compare_builtin: bool = False
    ) -> dict[str, Any]:
        """What the gate decides on a prompt, and every rule that fired. Records nothing."""
        from memex_core.actions.agents.gate import tried

        return tried(self.store, prompt, session=session, compare_builtin=compare_builtin)

    def gate_show(self) -> dict[str, Any]:
        """The rules in force, thresholds, quarantine and kept states."""
        from memex_core.actions.agents.gate import show

        return show(self.store)

    def gate_validate(self, file: str | None = None) -> dict[str, Any]:
        """Whether a file of rules is sound."""
        from memex_core.actions.agents.gate import validate

        return validate(self.store, file)

    def gate_replay(self, limit: int = 20, project: str | None = None) -> dict[str, Any]:
        """Which of the newest typed prompts the user's rules decide otherwise."""
        from memex_core.actions.agents.gate import replay

        return replay(self.store, limit=limit, project=project)

    def gate_add(
        self,
        intent: str,
        pattern: str,
        flags: str = "i",
        note: str = "",
        expect: str | None = None,
        dry_run: bool = False,
    ) -> dict[str, Any]:
        """Add an own rule."""
        from memex_core.actions.agents.gate_rules import add

        return add(self.store, intent, pattern, flags=flags, note=note, expect=expect, dry_run=dry_run)

    def gate_disable(self, id: str, expect: str | None = None, dry_run: bool = False) -> dict[str, Any]:
        """Switch a rule off."""
        from memex_core.actions.agents.gate_rules import disable

        return disable(self.store, id, expect=expect, dry_run=dry_run)

    def gate_enable(self, id: str, expect: str | None = None, dry_run: bool = False) -> dict[str, Any]:
        """Switch a rule on again."""
        from memex_core.actions.agents.gate_rules import enable

        return enable(self.store, id, expect=expect, dry_run=dry_run)

    def gate_set(
        self, threshold: str, value: Any, expect: str | None = None, dry_run: bool = False
    ) -> dict[str, Any]:
        """Set a threshold, or give it back with ``default``."""
        from memex_core.actions.agents.gate_rules import set_threshold

        return set_threshold(self.store, threshold, value, expect=expect, dry_run=dry_run)

    def gate_reset(self, expect: str | None = None, dry_run: bool = False) -> dict[str, Any]:
        """Give all own rules up."""
        from memex_core.actions.agents.gate_rules import reset

        return reset(self.store, expect=expect, dry_run=dry_run)

    def gate_rollback(
        self, to: int | None = None, expect: str | None = None, dry_run: bool = False
    ) -> dict[str, Any]:
        """Put a kept state of the rules back."""
        from memex_core.actions.agents.gate_rules import rollback

        return rollback(self.store, to=to, expect=expect, dry_run=dry_run)

    def gate_quarantine(
        self, action: str | None = None, id: str | None = None, all: bool = False, dry_run: bool = False
    ) -> dict[str, Any]:
        """Own rules that took too long; let them try again."""
        from memex_core.actions.agents.gate_rules import set_aside

        return set_aside(self.store, action, id, all=all, dry_run=dry_run)
