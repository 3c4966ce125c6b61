"""The part of :class:`memex_core.memex.Memex` for a person who reviews: the queue, verdicts and tiers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from memex_core.actions.store import Store
    from memex_core.model import results


class Reviewing:
    """What a reviewer does with an opened store."""

    store: Store

    def review(self, kind: Any = (), project: str | None = None, limit: int = 200) -> results.ReviewQueue:
        """What waits for a person: drafts, proposed changes, conflicts and disputes, the oldest first."""
        from memex_core.actions.reviewing.queue import review

        return review(self.store, kind=kind, project=project, limit=limit)

    def waiting(self) -> results.WaitingList:
        """All that waits, in short."""
        from memex_core.actions.reviewing.queue import waiting

        return waiting(self.store)

    def pending(self) -> int:
        """How many wait; asked often, so it reads the index alone."""
        from memex_core.actions.reviewing.queue import pending

        return pending(self.store)

    def waiting_at(self, path: str, brief: bool = False) -> results.ReviewItem | None:
        """What waits in the page at ``path``; None when nothing does. ``brief`` is without evidence and
        checks, which take longer than all else."""
        from memex_core.actions.reviewing.queue import look_at

        return look_at(self.store, path, brief=brief)

    def approve(
        self,
        slugs: Any,
        text: str | None = None,
        expect: str | None = None,
        scope: str | None = None,
        project: str | None = None,
        dry_run: bool = False,
    ) -> dict[str, Any]:
        """Accept what waits, with ``text`` as the body if it is given, and record who did."""
        from memex_core.actions.reviewing.review import approve

        return approve(
            self.store, slugs, text=text, expect=expect, scope=scope, project=project, dry_run=dry_run
        )

    def reject(
        self,
        slugs: Any,
        why: str = "",
        expect: str | None = None,
        scope: str | None = None,
        project: str | None = None,
        dry_run: bool = False,
    ) -> dict[str, Any]:
        """Refuse what waits; the reason is kept, and the text is not taken from an agent again."""
        from memex_core.actions.reviewing.review import reject

        return reject(
            self.store, slugs, why=why, expect=expect, scope=scope, project=project, dry_run=dry_run
        )

    def defer(
        self, slugs: Any, scope: str | None = None, project: str | None = None, dry_run: bool = False
    ) -> dict[str, Any]:
        """Put what waits behind all else."""
        from memex_core.actions.reviewing.review import defer

        return defer(self.store, slugs, scope=scope, project=project, dry_run=dry_run)

    def dispute(
        self,
        slug: str,
        source: str,
        why: str = "",
        withdraw: bool = False,
        expect: str | None = None,
        scope: str | None = None,
        project: str | None = None,
        dry_run: bool = False,
    ) -> dict[str, Any]:
        """Doubt a source of a page, or doubt it no longer; the page then comes to review."""
        from memex_core.actions.reviewing.doubting import dispute

        return dispute(
            self.store,
            slug,
            source,
            why=why,
            withdraw=withdraw,
            expect=expect,
            scope=scope,
            project=project,
            dry_run=dry_run,
        )

    def merge(
        self,
        target: str,
        source: str,
        scope: str | None = None,
        project: str | None = None,
        dry_run: bool = False,
    ) -> dict[str, Any]:
        """Put the source's text under the target's; the source stays, deprecated and pointing there."""
        from memex_core.actions.reviewing.review import merge

        return merge(self.store, target, source, scope=scope, project=project, dry_run=dry_run)

    def promote(
        self,
        slug: str,
        why: str = "",
        scope: str | None = None,
        project: str | None = None,
        dry_run: bool = False,
    ) -> dict[str, Any]:
        """Raise a page one tier: branch, project, global."""
        from memex_core.actions.pages.tiers import promote

        return promote(self.store, slug, why=why, scope=scope, project=project, dry_run=dry_run)

    def demote(
        self,
        slug: str,
        project: str | None = None,
        branch: str | None = None,
        why: str = "",
        scope: str | None = None,
        dry_run: bool = False,
    ) -> dict[str, Any]:
        """Lower a page one tier: global, project, branch."""
        from memex_core.actions.pages.tiers import demote

        return demote(
            self.store,
            slug,
            project=project or "",
            branch=branch or "",
            why=why,
            scope=scope,
            dry_run=dry_run,
        )
