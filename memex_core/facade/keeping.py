"""The half of :class:`memex_core.memex.Memex` that keeps things: history, conversations, upkeep, archive."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from memex_core.actions.store import Store
    from memex_core.model import results

    Progress = Callable[[int, int], None]


class Keeping:
    """Operations on an opened store beside its pages; :class:`~memex_core.memex.Memex` adds those."""

    store: Store

    # -- history ---------------------------------------------------------------------------

    def history(
        self, slug: str, limit: int = 50, scope: str | None = None, project: str | None = None
    ) -> dict[str, Any]:
        """The journal's events of a page, newest first, followed through renames."""
        from memex_core.actions.history.history import history

        return history(self.store, slug, limit=limit, scope=scope, project=project)

    def revert(
        self,
        slug: str,
        to: int | None = None,
        group: bool = False,
        scope: str | None = None,
        project: str | None = None,
        dry_run: bool = False,
    ) -> dict[str, Any]:
        """Undo the last change of a page, with ``group`` of all pages it changed, or go back to a version."""
        from memex_core.actions.history.history import revert

        return revert(self.store, slug, to=to, group=group, scope=scope, project=project, dry_run=dry_run)

    def diff(
        self,
        slug: str,
        old: int | None = None,
        new: int | None = None,
        scope: str | None = None,
        project: str | None = None,
    ) -> dict[str, Any]:
        """A unified diff between versions of a page."""
        from memex_core.actions.history.history import diff

        return diff(self.store, slug, old, new, scope=scope, project=project)

    def purge(
        self,
        slug: str = "",
        id: str | None = None,
        session: str | None = None,
        scope: str | None = None,
        project: str | None = None,
        dry_run: bool = False,
    ) -> dict[str, Any]:
        """Erase a page or a session for good, journal text included."""
        from memex_core.actions.history.forget import purge

        return purge(
            self.store,
            slug,
            id=id or "",
            session=session or "",
            scope=scope,
            project=project,
            dry_run=dry_run,
        )

    # -- tags ------------------------------------------------------------------------------

    def tags(self) -> dict[str, Any]:
        """Tags with the number of their pages."""
        from memex_core.actions.pages.tags import tags

        return tags(self.store)

    def tags_merge(self, old: str, new: str, dry_run: bool = False) -> dict[str, Any]:
        """Give the pages of one tag another that exists."""
        from memex_core.actions.pages.tags import rename_tag

        return rename_tag(self.store, old, new, into=True, dry_run=dry_run)

    def tags_rename(self, old: str, new: str, dry_run: bool = False) -> dict[str, Any]:
        """Rename a tag on all its pages."""
        from memex_core.actions.pages.tags import rename_tag

        return rename_tag(self.store, old, new, into=False, dry_run=dry_run)

    # -- diary and conversations -----------------------------------------------------------

    def diary_append(
        self,
        text: str,
        date: str | None = None,
        time: str | None = None,
        tz: str | None = None,
        dry_run: bool = False,
    ) -> dict[str, Any]:
        """Add an entry to a day of the diary."""
        from memex_core.actions.pages.diary import append

        return append(self.store, text, date=date, time=time, tz=tz, dry_run=dry_run)

    def diary_show(self, date: str | None = None) -> dict[str, Any]:
        """The entries of a day or of ``DATE..DATE``."""
        from memex_core.actions.pages.diary import show

        return show(self.store, date)

    def diary_dates(self) -> dict[str, Any]:
        """The days that have entries."""
        from memex_core.actions.pages.diary import dates

        return dates(self.store)

    def diary_day(self, date: str | None = None) -> dict[str, Any]:
        """A day with its entries, the pages written or changed and the conversations held."""
        from memex_core.actions.pages.diary import day

        return day(self.store, date)

    def diary_month(self, month: str) -> dict[str, Any]:
        """How much there is of each day of a month."""
        from memex_core.actions.pages.diary import month as of_month

        return of_month(self.store, month)

    def diary_on_this_day(self, date: str | None = None) -> dict[str, Any]:
        """What the diary says of this day in earlier months and years."""
        from memex_core.actions.pages.diary import on_this_day

        return on_this_day(self.store, date)

    def ingest_transcript(
        self,
        session_id: str,
        turns: Any = None,
        metadata: dict[str, Any] | None = None,
        turns_file: str | os.PathLike[str] | None = None,
        project: str | None = None,
        overwrite: bool = False,
        dry_run: bool = False,
    ) -> results.IngestReport:
        """Store a conversation, given as turns or as a file of them, and write its episode page."""
        from memex_core.actions.conversations.sessions import ingest_transcript

        return ingest_transcript(
            self.store,
            session_id=session_id,
            turns=turns,
            turns_file=os.fspath(turns_file) if turns_file is not None else "",
            metadata=metadata,
            project=project,
            overwrite=overwrite,
            dry_run=dry_run,
        )

    def capture(
        self,
        paths: Any = (),
        agent: str | None = None,
        all: bool = False,
        progress: Progress | None = None,
        dry_run: bool = False,
    ) -> results.CaptureReport:
        """Take in agents' own session files as far as they have grown; what is captured already stays."""
        from memex_core.actions.conversations.capture import capture

        return capture(self.store, paths=paths, agent=agent, all=all, progress=progress, dry_run=dry_run)

    def sessions(
        self, agent: str | None = None, project: str | None = None, since: str | None = None, limit: int = 50
    ) -> dict[str, Any]:
        """Stored conversations, newest first: ``{sessions: [SessionSummary], total}``."""
        from memex_core.actions.conversations.sessions import sessions

        return sessions(self.store, agent=agent, project=project, since=since, limit=limit)

    def session(self, session: str, turns: str | None = None) -> dict[str, Any]:
        """One conversation, whole or the turns ``A-B``."""
        from memex_core.actions.conversations.sessions import session as read

        return read(self.store, session, turns=turns)

    def trace(self, slug: str, scope: str | None = None, project: str | None = None) -> results.Provenance:
        """The turns that prove a page."""
        from memex_core.actions.conversations.provenance import trace

        return trace(self.store, slug, scope=scope, project=project)

    def get_provenance(self, slug: str) -> results.Provenance | None:
        """:meth:`trace`, or None when no conversation is known."""
        from memex_core.actions.conversations.provenance import get_provenance

        return get_provenance(self.store, slug)

    def list_sessions(self) -> list[results.SessionSummary]:
        """Every stored conversation, newest first."""
        from memex_core.actions.conversations.sessions import sessions

        found: list[results.SessionSummary] = sessions(self.store, limit=1_000_000_000)["sessions"]
        return found

    def delete_transcript(self, session_id: str) -> dict[str, Any]:
        """Remove one conversation and its episode page: ``{session_id, deleted, episodes}``."""
        from memex_core.actions.conversations.erasing import delete_transcript

        return delete_transcript(self.store, session_id)

    def clear_transcripts(self, dry_run: bool = False) -> dict[str, Any]:
        """Delete all stored conversations; pages stay."""
        from memex_core.actions.conversations.sessions import clear_transcripts

        return clear_transcripts(self.store, dry_run=dry_run)

    # -- agents' hooks ---------------------------------------------------------------------

    def hook(
        self, event: str, payload: Any = "", agent: str = "", wait: bool = False, emit: Any = None
    ) -> dict[str, Any]:
        """Answer an agent's hook. ``payload`` is its JSON as text, bytes or a map; ``emit(call, block)``
        prints the block, which without it counts as given when this returns."""
        from memex_core.actions.agents.hooks import run
        from memex_core.files.runs import Run
        from memex_core.harness.hook_input import payload_of, read

        with Run(self.store.layout, "hook", event=event, agent=agent) as log:
            call = read(event, payload_of(payload), agent)
            log.note(agent=call.agent, session=call.session_id)
            result = run(self.store, call, emit=emit, wait=wait)
            log.note(outcome=result["outcome"], pages=len(result["pages"]), withheld=len(result["withheld"]))
            if result["failed"]:
                log.note(ok=False)
        return result

    def receipts(
        self, session: str | None = None, prompt: str | None = None, limit: int = 20
    ) -> dict[str, Any]:
        """What agents were given and what was held back, newest first; for one past ``prompt`` if given."""
        from memex_core.actions.agents.receipts import receipts

        return receipts(self.store, session=session, prompt=prompt, limit=limit)

    def project(self, cwd: str | os.PathLike[str] | None = None) -> dict[str, Any]:
        """The project that a folder (by default this one) is a part of, and how many pages are its own."""
        from memex_core.actions.here import project

        return project(self.store, os.fspath(cwd) if cwd is not None else None)

    # -- upkeep ----------------------------------------------------------------------------

    def status(self) -> dict[str, Any]:
        """What the store holds and whether it is well."""
        from memex_core.care.report import status

        config = self.store.config
        told = status(self.store.layout, self.store.index, config, self.store.warnings)
        if self.store.embedder is not None or config.embed.provider:
            from memex_core.actions.asking.embed import status_of

            told.update(status_of(self.store, told["warnings"]))
        return told

    def info(self) -> dict[str, Any]:
        """Paths, versions and the settings in force."""
        from memex_core.care.report import info

        return info(self.store.layout, self.store.index, self.store.config)

    def verify(
        self,
        since: str | None = None,
        require_recall: bool = False,
        require_write: bool = False,
        progress: Progress | None = None,
    ) -> results.VerifyReport:
        """Check every page, link and file."""
        from memex_core.care.verify import verify

        return verify(
            self.store.layout,
            self.store.index,
            since=since,
            require_recall=require_recall,
            require_write=require_write,
            progress=progress,
        )

    def doctor(
        self, fix: bool = False, progress: Progress | None = None, dry_run: bool = False
    ) -> dict[str, Any]:
        """Check the store, the machine and the agents that use it; ``fix`` clears up after killed writers."""
        from memex_core.care.doctor import doctor

        cwd = self.store.cwd or os.getcwd()
        return doctor(self.store.layout, os.environ, cwd, fix=fix, progress=progress, dry_run=dry_run)

    def rebuild_index(
        self, force: bool = False, progress: Progress | None = None, dry_run: bool = False
    ) -> results.RebuildReport:
        """Build the index anew from the files; without ``force`` only what changed is read again."""
        from memex_core.actions.start import rebuild_index

        return rebuild_index(self.store, force=force, progress=progress, dry_run=dry_run)

    def watch(
        self,
        poll_interval: float | None = None,
        poll: bool = False,
        stop: Any = None,
        since: int | None = None,
    ) -> Iterator[dict[str, Any]]:
        """Follow outside edits into the index; yields a report a batch until ``stop`` is set.

        ``poll_interval`` is as ``memex.toml`` says where it is None; at 0 events alone are followed. What
        other processes wrote after journal event ``since`` (default: from now on) is told too.
        """
        from memex_core.care.watch import watch

        store = self.store
        every = store.config.index.watch_poll_interval if poll_interval is None else poll_interval
        every = every or float("inf")
        return watch(store.layout, store.index, poll_interval=every, poll=poll, stop=stop, since=since)

    # -- vectors ---------------------------------------------------------------------------

    def embed(
        self, kinds: Any = (), limit: int = 0, progress: Progress | None = None, dry_run: bool = False
    ) -> dict[str, Any]:
        """Make the vectors that are missing; nothing is embedded twice."""
        from memex_core.actions.asking.embed import embed

        return embed(self.store, kinds=kinds, limit=limit, progress=progress, dry_run=dry_run)

    # -- archive ---------------------------------------------------------------------------

    def backup(
        self, output: str | os.PathLike[str], progress: Progress | None = None, dry_run: bool = False
    ) -> results.BackupReport:
        """Pack the store into one archive and read it back to be sure."""
        from memex_core.care.backup import backup

        return backup(self.store.layout, os.fspath(output), progress=progress, dry_run=dry_run)

    def restore(
        self,
        input: str | os.PathLike[str],
        target: str | os.PathLike[str] | None = None,
        progress: Progress | None = None,
        dry_run: bool = False,
    ) -> results.RestoreReport:
        """Bring a backup back; what it replaces is kept beside it."""
        from memex_core.actions.start import restore

        return restore(
            self.store,
            os.fspath(input),
            target=os.fspath(target) if target is not None else None,
            progress=progress,
            dry_run=dry_run,
        )

    def export(self, after: str | None = None, limit: int | None = None) -> dict[str, Any]:
        """All pages as one JSON document, or ``limit`` of those whose path comes ``after``."""
        from memex_core.actions.exchange.json_export import export

        return export(self.store, after=after, limit=limit)

    def import_(self, nodes: Any, dry_run: bool = False) -> dict[str, Any]:
        """Pages from what ``export`` returned. A page that is there is left alone: twice changes nothing."""
        from memex_core.actions.exchange.json_import import import_pages

        return import_pages(self.store, nodes, dry_run=dry_run)

    def import_from(
        self,
        source: str,
        folder: str | os.PathLike[str],
        collisions: str = "refuse",
        dry_run: bool = False,
    ) -> dict[str, Any]:
        """Pages from another tool's store: wikimem, obsidian, basic-memory or server-memory."""
        from memex_core.actions.exchange.importing import import_from

        return import_from(self.store, source, os.fspath(folder), collisions=collisions, dry_run=dry_run)
