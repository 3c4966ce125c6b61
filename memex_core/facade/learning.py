"""The part of :class:`memex_core.memex.Memex` that learns from conversations, and with what model."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from memex_core.actions.store import Store

    Progress = Callable[[int, int], None]


class Learning:
    """What an opened store can learn, and with which model."""

    store: Store

    def extract(self, session: str | None = None, dry_run: bool = False) -> dict[str, Any]:
        """Drafts of what people said plainly, found by rules."""
        from memex_core.actions.learning.extracting import extract

        return extract(self.store, session=session, dry_run=dry_run)

    def consolidate(
        self,
        mode: str = "full",
        max_episodes: int | None = None,
        session: Any = None,
        background: bool = False,
        include_links: bool = True,
        progress: Progress | None = None,
        dry_run: bool = False,
    ) -> dict[str, Any]:
        """Have a model propose pages from what is unread; ``dry_run`` is mode dry-run. ``session`` is one or
        several, by id or episode page; without ``include_links`` the pages link nowhere."""
        from memex_core.actions.learning.consolidating import consolidate

        return consolidate(
            self.store,
            mode="dry-run" if dry_run else mode,
            max_episodes=max_episodes,
            session=session,
            background=background,
            include_links=include_links,
            progress=progress,
        )

    def jobs_list(self, state: Any = (), limit: int = 50) -> dict[str, Any]:
        """What is unread, held, at work, failed and done."""
        from memex_core.actions.learning.jobs import jobs_list

        return jobs_list(self.store, state=state, limit=limit)

    def jobs_show(self, job: str) -> dict[str, Any]:
        """A job with its failures and the answer that could not be read."""
        from memex_core.actions.learning.jobs import jobs_show

        return jobs_show(self.store, job)

    def jobs_retry(self, job: str = "", all: bool = False, dry_run: bool = False) -> dict[str, Any]:
        """Let failed and held jobs be tried again."""
        from memex_core.actions.learning.jobs import jobs_retry

        return jobs_retry(self.store, job, all=all, dry_run=dry_run)

    def jobs_dismiss(self, job: str, why: str = "", dry_run: bool = False) -> dict[str, Any]:
        """Give a job's turns up: they count as read."""
        from memex_core.actions.learning.jobs import jobs_dismiss

        return jobs_dismiss(self.store, job, why=why, dry_run=dry_run)

    def models_show(self) -> dict[str, Any]:
        """The model that consolidates, and where each of its settings is from."""
        from memex_core.actions.learning.models import models_show

        return models_show(self.store)

    def models_set(
        self,
        provider: str | None = None,
        model: str | None = None,
        api_base: str | None = None,
        api_key: str | None = None,
        reasoning: str | None = None,
        timeout: int | None = None,
        max_tokens: int | None = None,
        table: str = "consolidation",
        dry_run: bool = False,
    ) -> dict[str, Any]:
        """Write settings of the model into ``memex.toml``; an empty text takes one out."""
        from memex_core.actions.learning.models import models_set

        return models_set(
            self.store,
            provider=provider,
            model=model,
            api_base=api_base,
            api_key=api_key,
            reasoning=reasoning,
            timeout=timeout,
            max_tokens=max_tokens,
            table=table,
            dry_run=dry_run,
        )

    def models_test(self) -> dict[str, Any]:
        """Ask the model for one word."""
        from memex_core.actions.learning.models import models_test

        return models_test(self.store)

    def models_reset(self, table: str = "consolidation", dry_run: bool = False) -> dict[str, Any]:
        """Take the model's settings out of ``memex.toml``."""
        from memex_core.actions.learning.models import models_reset

        return models_reset(self.store, table=table, dry_run=dry_run)
