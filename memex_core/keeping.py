"""The half of :class:`memex_core.memex.Memex` that keeps things: diary, conversations, upkeep, archive."""

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

    # -- tags ------------------------------------------------------------------------------

    def tags(self) -> dict[str, Any]:
        """Tags with the number of their pages."""
        from memex_core.actions.tags import tags

        return tags(self.store)

    def tags_merge(self, old: str, new: str, dry_run: bool = False) -> dict[str, Any]:
        """Give the pages of one tag another that exists."""
        from memex_core.actions.tags import rename_tag

        return rename_tag(self.store, old, new, into=True, dry_run=dry_run)

    def tags_rename(self, old: str, new: str, dry_run: bool = False) -> dict[str, Any]:
        """Rename a tag on all its pages."""
        from memex_core.actions.tags import rename_tag

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
        from memex_core.actions.diary import append

        return append(self.store, text, date=date, time=time, tz=tz, dry_run=dry_run)

    def diary_show(self, date: str | None = None) -> dict[str, Any]:
        """The entries of a day or of ``DATE..DATE``."""
        from memex_core.actions.diary import show

        return show(self.store, date)

    def diary_dates(self) -> dict[str, Any]:
        """The days that have entries."""
        from memex_core.actions.diary import dates

        return dates(self.store)

    def ingest_transcript(
        self,
        session_id: str,
        turns_file: str | os.PathLike[str] | None = None,
        turns: Any = None,
        project: str | None = None,
        overwrite: bool = False,
        dry_run: bool = False,
    ) -> results.IngestReport:
        """Store a conversation and write its episode page."""
        from memex_core.actions.sessions import ingest_transcript

        return ingest_transcript(
            self.store,
            session_id=session_id,
            turns=turns,
            turns_file=os.fspath(turns_file) if turns_file is not None else "",
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
        from memex_core.actions.capture import capture

        return capture(self.store, paths=paths, agent=agent, all=all, progress=progress, dry_run=dry_run)

    def sessions(
        self, agent: str | None = None, project: str | None = None, since: str | None = None, limit: int = 50
    ) -> dict[str, Any]:
        """Stored conversations, newest first: ``{sessions: [SessionSummary], total}``."""
        from memex_core.actions.sessions import sessions

        return sessions(self.store, agent=agent, project=project, since=since, limit=limit)

    def session(self, session: str, turns: str | None = None) -> dict[str, Any]:
        """One conversation, whole or the turns ``A-B``."""
        from memex_core.actions.sessions import session as read

        return read(self.store, session, turns=turns)

    def trace(self, slug: str, scope: str | None = None) -> results.Provenance:
        """The turns that prove a page."""
        from memex_core.actions.provenance import trace

        return trace(self.store, slug, scope=scope)

    def get_provenance(self, slug: str) -> results.Provenance | None:
        """:meth:`trace`, or None when no conversation is known."""
        from memex_core.actions.provenance import get_provenance

        return get_provenance(self.store, slug)

    def list_sessions(self) -> list[results.SessionSummary]:
        """Every stored conversation, newest first."""
        from memex_core.actions.sessions import sessions

        found: list[results.SessionSummary] = sessions(self.store, limit=1_000_000_000)["sessions"]
        return found

    def delete_transcript(self, session_id: str) -> dict[str, Any]:
        """Remove one conversation and its episode page: ``{session_id, deleted, episodes}``."""
        from memex_core.actions.erasing import delete_transcript

        return delete_transcript(self.store, session_id)

    def clear_transcripts(self, dry_run: bool = False) -> dict[str, Any]:
        """Delete all stored conversations; pages stay."""
        from memex_core.actions.sessions import clear_transcripts

        return clear_transcripts(self.store, dry_run=dry_run)

    # -- upkeep ----------------------------------------------------------------------------

    def status(self) -> dict[str, Any]:
        """What the store holds and whether it is well."""
        from memex_core.care.report import status

        scrubbed = self.store.config.capture.scrub != "off"
        return status(self.store.layout, self.store.index, self.store.warnings, scrubbed=scrubbed)

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

    def rebuild_index(self, force: bool = False, progress: Progress | None = None) -> results.RebuildReport:
        """Build the index anew from the files; without ``force`` only what changed is read again."""
        from memex_core.actions.start import rebuild_index

        return rebuild_index(self.store, force=force, progress=progress)

    def watch(
        self, poll_interval: float = 60.0, poll: bool = False, stop: Any = None, since: int | None = None
    ) -> Iterator[dict[str, Any]]:
        """Follow outside edits into the index; yields a report a batch until ``stop`` is set.

        What other processes wrote after journal event ``since`` (default: from now on) is told too.
        """
        from memex_core.care.watch import watch

        return watch(
            self.store.layout,
            self.store.index,
            poll_interval=poll_interval,
            poll=poll,
            stop=stop,
            since=since,
        )

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
        from memex_core.actions.exchange import export

        return export(self.store, after=after, limit=limit)

    def import_(self, nodes: Any, dry_run: bool = False) -> dict[str, Any]:
        """Pages from what ``export`` returned. A page that is there is left alone: twice changes nothing."""
        from memex_core.actions.exchange import import_pages

        return import_pages(self.store, nodes, dry_run=dry_run)
